"""What we are compared with. Each module has `candidates(row, threads)`, empty if it has no way."""

"""What record.py writes down, one module for each class of operations."""

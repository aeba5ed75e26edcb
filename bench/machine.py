"""The machine and the settings under which peers are at their best (see docs/benchmarks.md)."""

import os
import pathlib
import platform
import sys

BLAS = pathlib.Path("/usr/lib") / f"{platform.machine()}-linux-gnu" / "openblas-openmp"
SETTINGS = {
    # The other OpenBLAS of Debian has threads of its own, which fight with those of OpenMP.
    "LD_LIBRARY_PATH": str(BLAS),
    # Without these, every tensor of more than 32 MB is fetched anew from the system, page by page.
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": "100000000000",
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}


def settle() -> None:
    """Starts the program again if the settings, which are read at its start, are not in force."""
    if any(os.environ.get(name) != value for name, value in SETTINGS.items()):
        os.execve(sys.executable, [sys.executable, "-B", *sys.argv], os.environ | SETTINGS)


def description() -> dict[str, str]:
    """The processor, and how many of it there are."""
    lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return {"processor": models[0] if models else platform.machine(),
            "cores": str(len(os.sched_getaffinity(0)))}

"""The machine and the settings under which peers are at their best (see docs/benchmarks.md)."""

import ctypes
import os
import pathlib
import platform
import re
import sys

CPUINFO = pathlib.Path("/proc/cpuinfo")
BLAS = pathlib.Path("/usr/lib") / f"{platform.machine()}-linux-gnu" / "openblas-openmp"
SETTINGS = {
    # The other OpenBLAS of Debian has threads of its own, which fight with those of OpenMP.
    "LD_LIBRARY_PATH": str(BLAS),
    # Without these, every tensor of more than 32 MB is fetched anew from the system, page by page.
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": "100000000000",
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}


# Settings of others, by how they begin, would tell libraries to be less than they can be.
SETTINGS_OF_LIBRARIES = ("OPENBLAS_", "BLIS_", "GOTO_", "OMP_", "DNNL_", "ONEDNN_", "KMP_")


def kernels_of_libraries() -> dict[str, str]:
    """Kernels for this processor, where libraries that are older than it would not find them."""
    text = CPUINFO.read_text(encoding="utf-8")
    facts = set(text.split())
    chosen = {}
    # Of AMD's with vectors of 512 bits it knows those that pass them in halves, and does them justice.
    if "avx512f" in facts and not re.search(r"cpu family\s*: 25$", text, re.MULTILINE):
        chosen["BLIS_ARCH_TYPE"] = "skx"
    try:
        named = ctypes.CDLL(str(BLAS / "libblas.so.3")).openblas_get_corename
    except (OSError, AttributeError):
        return chosen
    named.restype = ctypes.c_char_p
    if named() == b"Prescott" and "avx2" in facts:
        chosen["OPENBLAS_CORETYPE"] = "SkylakeX" if "avx512f" in facts else "Haswell"
    return chosen


def settle() -> None:
    """Starts the program again if the settings, which are read at its start, are not in force."""
    if all(os.environ.get(name) == value for name, value in SETTINGS.items()):
        return
    for name in list(os.environ):
        if name.startswith(SETTINGS_OF_LIBRARIES):
            del os.environ[name]
    settings = SETTINGS | kernels_of_libraries()
    os.execve(sys.executable, [sys.executable, "-B", *sys.argv], os.environ | settings)


def description() -> dict[str, str]:
    """The processor, and how many of it there are."""
    lines = CPUINFO.read_text(encoding="utf-8").splitlines()
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return {"processor": models[0] if models else platform.machine(),
            "cores": str(len(os.sched_getaffinity(0)))}

#!/usr/bin/python3
"""What a first run costs: planning, the start of a process beyond the run itself, and memory."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

from ours import Engine, OurCase
from timing import Candidate, Measured
from workloads import Row, row_named

SMALLEST = 2


def planning(engine: Engine, row: Row) -> Candidate:
    """The first run of a graph, each time with other sizes, such that no plan is known for it."""
    fresh_sizes = iter(range(SMALLEST, 1000))

    def first_run(_: int) -> float:
        size = next(fresh_sizes)
        case = OurCase(engine, row.resized(row.sizes | {"layer": size, "layer'": size}))
        begin = time.perf_counter()
        case.run()
        return time.perf_counter() - begin

    return Measured("ours", "", first_run)


def in_new_process(row: Row, threads: int) -> Candidate:
    """A new process each time, with a cache on disk that is empty or that of the one before."""
    warm = tempfile.TemporaryDirectory()

    def start(_: int) -> float:
        with tempfile.TemporaryDirectory() as cold:
            cache = cold if row.formula.endswith("cold") else warm.name
            command = [sys.executable, "-B", __file__, row.name, str(threads),
                       *map(str, row.sizes.values())]
            found = subprocess.run(command, env=os.environ | {"XDG_CACHE_HOME": cache}, text=True,
                                   capture_output=True, check=False)
        if found.returncode:
            raise RuntimeError(found.stderr.strip().splitlines()[-1])
        return float(found.stdout)

    return Measured("ours", "", start)


def start_time(row: Row, threads: int) -> float:
    """The seconds that the first of two runs, loading included, takes longer than the second."""
    begin = time.perf_counter()
    engine = Engine()
    engine.set_threads(threads)
    loading = time.perf_counter() - begin
    case = OurCase(engine, row)
    begin = time.perf_counter()
    case.run()
    middle = time.perf_counter()
    case.run()
    first, second = middle - begin, time.perf_counter() - middle
    return max(0.0, loading + first - second)


def memory(row: Row, threads: int) -> float:
    """The bytes by which the largest extent of the process exceeds that before the run."""
    engine = Engine()
    engine.set_threads(threads)
    case = OurCase(engine, row)
    pathlib.Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # forgets VmHWM
    before = resident("VmRSS")
    case.run()
    return resident("VmHWM") - before


def resident(what: str) -> int:
    """Memory of this process in bytes: now, or at most."""
    lines = pathlib.Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(what))


def main() -> None:
    row = row_named(sys.argv[1])
    row = row.resized(dict(zip(row.sizes, map(int, sys.argv[3:]))))
    found = memory if row.unit == "B" else start_time
    print(found(row, int(sys.argv[2])))


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""What the first step costs in a new process, beyond the step itself, and what planning costs."""

import os
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


def first_step(row: Row, threads: int) -> Candidate:
    """A new process each time, with a cache on disk that is empty or was filled by the one before."""
    warm = tempfile.TemporaryDirectory()

    def start(_: int) -> float:
        with tempfile.TemporaryDirectory() as cold:
            cache = warm.name if row.formula.endswith("warm") else cold
            command = [sys.executable, "-B", __file__, row.name, str(threads), *map(str, row.sizes.values())]
            found = subprocess.run(command, env=os.environ | {"XDG_CACHE_HOME": cache}, text=True,
                                   capture_output=True, check=False)
        if found.returncode:
            raise RuntimeError(found.stderr.strip().splitlines()[-1])
        return float(found.stdout)

    return Measured("ours", "", start)


def main() -> None:
    """Prints the seconds that the first of two steps, loading included, takes longer than the second."""
    row = row_named(sys.argv[1])
    row = row.resized(dict(zip(row.sizes, map(int, sys.argv[3:]))))
    begin = time.perf_counter()
    engine = Engine()
    engine.set_threads(int(sys.argv[2]))
    loading = time.perf_counter() - begin
    case = OurCase(engine, row)
    begin = time.perf_counter()
    case.run()
    middle = time.perf_counter()
    case.run()
    print(loading + 2 * middle - begin - time.perf_counter())


if __name__ == "__main__":
    main()

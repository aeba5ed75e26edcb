#!/usr/bin/env python3
"""Counts the instructions of small workloads with valgrind, and fails if one needs more than it may.

    tools/count_work.py PROGRAM [--update]

PROGRAM is bench_work. The limits are in bench/work/limits.json: a quarter more than what was counted
when they were written."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

LIMITS = pathlib.Path(__file__).resolve().parent.parent / "bench/work/limits.json"
ROOM = 1.25
COUNTS = (10, 30)


def instructions(program: str, workload: str, count: int) -> int:
    """How many instructions `count` runs take, with all that starts and ends the program."""
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no",
               "--cachegrind-out-file=/dev/null", program, workload, str(count)]
    # Code is generated each time, so that it costs the same in both counts.
    result = subprocess.run(command, capture_output=True, text=True, check=False,
                            env=os.environ | {"AXIAL_CACHE": ""})
    found = re.search(r"I\s+refs:\s+([\d,]+)", result.stderr)
    if result.returncode != 0 or not found:
        raise SystemExit(f"count_work: {workload} cannot be counted:\n{result.stderr}")
    return int(found.group(1).replace(",", ""))


def main() -> int:
    """Gives 1 if a workload needs too many instructions."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--update", action="store_true", help="write the limits anew")
    arguments = parser.parse_args()
    names = subprocess.run([arguments.program], capture_output=True, text=True,
                           check=True).stdout.split()
    counted = {}
    for name in names:
        few, many = (instructions(arguments.program, name, count) for count in COUNTS)
        counted[name] = (many - few) // (COUNTS[1] - COUNTS[0])
    if arguments.update:
        limits = {name: int(ROOM * count) for name, count in counted.items()}
        LIMITS.write_text(json.dumps(limits, indent=2) + "\n", encoding="utf-8")
    limits = json.loads(LIMITS.read_text(encoding="utf-8"))
    for name, count in counted.items():
        verdict = "fine" if count <= limits[name] else "TOO MANY"
        print(f"{name:<14} {count:>10,} instructions, at most {limits[name]:>10,}: {verdict}")
    return int(any(count > limits[name] for name, count in counted.items()))


if __name__ == "__main__":
    sys.exit(main())

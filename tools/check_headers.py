#!/usr/bin/python3
"""Compiles every header of the library alone, with each given compiler.

A header must bring along what it needs, guard itself, and give no warning.
"""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys

FLAGS = ["-std=c++23", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]


def compile_alone(compiler, header, include_flags):
    """The compiler's complaints about a program that includes the header twice and nothing else."""
    program = f'#include "{header}"\n#include "{header}"\n'
    command = [compiler, *FLAGS, *include_flags, "-x", "c++", "-"]
    result = subprocess.run(command, input=program, text=True, capture_output=True, check=False)
    return f"{compiler} {header}\n{result.stderr}" if result.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", action="append", required=True)
    parser.add_argument("--include", action="append", required=True, type=pathlib.Path)
    options = parser.parse_args()
    headers = sorted(path.relative_to(folder) for folder in options.include
                     for path in folder.glob("axial/**/*.hpp"))
    include_flags = [f"-I{folder}" for folder in options.include]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(compile_alone, compiler, header, include_flags)
                for compiler in options.compiler for header in headers]
        complaints = [text for job in jobs if (text := job.result())]
    print("\n".join(complaints))
    print(f"{len(headers)} headers with {' and '.join(options.compiler)}: "
          f"{len(complaints)} complaints")
    return 1 if complaints or not headers else 0


if __name__ == "__main__":
    sys.exit(main())

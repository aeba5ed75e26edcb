#!/usr/bin/python3
"""Compiles every header of the library alone, and what users include with further compilers, too.

A header must bring along what it needs, guard itself, and give no warning. One that a source of the
same name includes before all else is compiled alone by the build, so it is left out here. Headers
whose names begin with llvm_ are compiled where LLVM is.
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


def is_compiled_alone(path, header):
    """True if the source beside a header includes it first."""
    source = path.with_suffix(".cpp")
    if not source.exists():
        return False
    lines = source.read_text(encoding="utf-8").splitlines()
    first = next((line for line in lines if line.startswith("#include")), "")
    return first == f'#include "{header}"'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True, help="for all headers")
    parser.add_argument("--public-compiler", action="append", default=[],
                        help="for axial/axial.hpp, which users include")
    parser.add_argument("--include", action="append", required=True, type=pathlib.Path)
    parser.add_argument("--llvm", help="where the headers of LLVM are, if they are there")
    options = parser.parse_args()
    headers = sorted(str(path.relative_to(folder)) for folder in options.include
                     for path in folder.glob("axial/**/*.hpp")
                     if (options.llvm or not path.name.startswith("llvm_"))
                     and not is_compiled_alone(path, path.relative_to(folder)))
    include_flags = [f"-I{folder}" for folder in options.include]
    if options.llvm:
        include_flags += ["-isystem", options.llvm]
    work = [(options.compiler, header) for header in headers]
    work += [(compiler, "axial/axial.hpp") for compiler in options.public_compiler]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(compile_alone, compiler, header, include_flags)
                for compiler, header in work]
        complaints = [text for job in jobs if (text := job.result())]
    print("\n".join(complaints))
    print(f"{len(work)} compilations of {len(headers)} headers: {len(complaints)} complaints")
    return 1 if complaints or not headers else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Compiles a program that must not compile and looks for the message that the user deserves.

The file opens with `// expect: REGEX` lines, all of which must occur in the compiler's output, with
every compiler; `// expect-gcc:` and `// expect-clang:` hold for one. A file ok_*.cpp must compile.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

EXPECT = re.compile(r"//\s*expect(-gcc|-clang)?:\s*(.*\S)")


def read_expectations(text, compiler):
    """The regular expressions in the opening lines that hold for this compiler."""
    family = "-clang" if "clang" in compiler else "-gcc"
    patterns = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        if (match := EXPECT.match(line)) and match[1] in (None, family):
            patterns.append(match[2])
    return patterns


def complaint(path, compiler, include_flags):
    """What is wrong with the way this compiler takes this file; empty if nothing is."""
    command = [compiler, "-std=c++23", "-fsyntax-only", "-fdiagnostics-color=never",
               *include_flags, str(path)]
    # The C locale keeps the quotes in messages plain.
    result = subprocess.run(command, text=True, capture_output=True, check=False,
                            env=os.environ | {"LC_ALL": "C"})
    output = result.stdout + result.stderr
    if path.name.startswith("ok_"):
        return f"{compiler}: must compile, but:\n{output}" if result.returncode else ""
    patterns = read_expectations(path.read_text(encoding="utf-8"), compiler)
    if not patterns:
        return f"{compiler}: the file says nothing to expect"
    if result.returncode == 0:
        return f"{compiler}: must not compile, but does"
    missing = [pattern for pattern in patterns if not re.search(pattern, output)]
    if missing:
        return f"{compiler}: no match for {', '.join(map(repr, missing))} in:\n{output}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", action="append", required=True)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("file", type=pathlib.Path)
    options = parser.parse_args()
    include_flags = [f"-I{folder}" for folder in options.include]
    complaints = [text for compiler in options.compiler
                  if (text := complaint(options.file, compiler, include_flags))]
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

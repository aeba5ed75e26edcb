#!/usr/bin/python3
"""Counts the files that name a word: count_names.py WORD EXPECTED FOLDER...

A function is defined in one place; this keeps it so.
"""

import pathlib
import re
import sys


def main():
    word, expected, folders = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    pattern = re.compile(rf"\b{re.escape(word)}\b")
    files = [path for folder in folders for path in sorted(pathlib.Path(folder).rglob("*"))
             if path.is_file() and pattern.search(path.read_text(encoding="utf-8"))]
    print(f"{len(files)} file(s) name `{word}`, {expected} expected:")
    for path in files:
        print(f"  {path}")
    return 0 if len(files) == expected else 1


if __name__ == "__main__":
    sys.exit(main())

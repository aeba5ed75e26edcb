#!/usr/bin/python3
"""Records what NumPy computes, for the tests beside this script: record.py [FOLDER]

Writes one .json file for each class of operations into FOLDER, `recorded` beside this script unless
given. Needs Debian's python3-numpy. The same script gives the same files: each case draws its
numbers from a generator that is seeded with the name of its operation.
"""

import os
import pathlib
import sys
import warnings

# Vector units differ in the last bit from machine to machine; the plain loops do not.
os.environ.setdefault("NPY_DISABLE_CPU_FEATURES",
                      "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL")
warnings.simplefilter("ignore")

import numpy as np  # noqa: E402

from recording import (calls, casts, contractions, creation, indexing, phrases,  # noqa: E402
                       primitives, recombination, reductions, reshaping, scans, windows, words)

FILES = {
    "words": [words],
    "reductions": [reductions],
    "primitives": [primitives],
    "phrases": [phrases],
    "contractions": [contractions],
    "structure": [creation, casts, reshaping, indexing, recombination, windows],
    "functions": [scans, calls],
}


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else
                          pathlib.Path(__file__).parent / "recorded")
    folder.mkdir(parents=True, exist_ok=True)
    # Infinities and NaN are what many cases are about.
    np.seterr(all="ignore")
    for name, topics in FILES.items():
        lines = [case.text() for topic in topics for case in topic.cases()]
        text = "[\n" + ",\n".join(lines) + "\n]\n"
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

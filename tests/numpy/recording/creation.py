"""New tensors: one number everywhere, positions, identities."""

import numpy as np

from .case import ANYTHING, NUMBERS, Case, Named, Source, named


def full_cases():
    for dtype in ANYTHING:
        number = {"bool": True, "int32": -7, "int64": np.iinfo("int64").min}.get(dtype, 0.1)
        for title, sizes in [("two axes", {"a": 2, "b": 3}), ("no axis", {}),
                             ("an empty axis", {"a": 0, "b": 3})]:
            output = Named(np.full(list(sizes.values()), number, dtype), list(sizes))
            yield Case("full", f"{title} of {dtype}", [], [output],
                       parameters={"shape": sizes, "value": number, "type": dtype})


def iota_cases():
    for dtype in NUMBERS:
        for size in (0, 1, 5):
            yield Case("iota", f"{size} positions of {dtype}", [],
                       [named(np.arange(size), "a", dtype)],
                       parameters={"axis": "a", "size": size, "type": dtype})


def identity_cases():
    for dtype in ANYTHING:
        for size in (0, 1, 4):
            yield Case("identity", f"size {size} of {dtype}", [],
                       [named(np.eye(size), "a a'", dtype)],
                       parameters={"row": "a", "column": "a'", "size": size, "type": dtype})
    # Without a size it takes that of its partner, and contraction with it renames.
    for dtype in NUMBERS:
        tensor = Source("identity", dtype).tensor(dtype, a=3, b=2)
        found = np.einsum("ab,ac->bc", tensor.array, np.eye(3, dtype=dtype))
        yield Case("open_identity", f"a contraction of {dtype}", [tensor],
                   [Named(found, ["b", "a*"])], ["a"], {"row": "a", "column": "a*"})


def cases():
    yield from full_cases()
    yield from iota_cases()
    yield from identity_cases()

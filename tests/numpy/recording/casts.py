"""Conversions between all pairs of element types.

Numbers that the target cannot hold (NaN, infinity and overflow in integers) are errors here, where
NumPy gives whatever the machine does; so they are not recorded."""

import numpy as np

from .case import ANYTHING, INTEGERS, Case, Source, named


def values(source, target):
    """Elements of `source` that `target` can hold or, if it is real, round."""
    if source == "bool":
        return [True, False, True]
    if source in INTEGERS:
        facts = np.iinfo("int32" if target == "int32" else source)
        return [0, 1, -1, 2**24 + 1, -(2**24) - 3, facts.min, facts.max] + \
            ([2**53 + 1, -(2**53) - 3, 2**62 + 1] if facts.bits == 64 else [])
    ordinary = [0.0, -0.0, 0.5, -0.75, 1.0, -1.0, 2.5, -2.5, 2.999, 1e-30, 16777217.0, -2.0**31]
    if target in INTEGERS:
        return ordinary + ([2.0**62, -2.0**63] if target == "int64" else [])
    facts = np.finfo(source)
    return ordinary + [np.nan, np.inf, -np.inf, facts.max, -facts.max, facts.tiny,
                       facts.smallest_subnormal, 0.1]


def cases():
    for source in ANYTHING:
        for target in ANYTHING:
            tensor = named(values(source, target), "a", source)
            yield Case("to", f"{source} to {target}", [tensor],
                       [named(tensor.array.astype(target), "a")], parameters={"type": target})
            cube = Source("to", source, target).tensor(source, a=2, b=1, c=0 if source == "bool"
                                                       else 2, d=2)
            yield Case("to", f"four axes, {source} to {target}", [cube],
                       [named(cube.array.astype(target), "a b c d")], parameters={"type": target})

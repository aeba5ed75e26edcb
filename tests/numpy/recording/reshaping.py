"""The same elements under other names: rename, flatten, split, broadcast."""

import numpy as np

from .case import ANYTHING, Case, Named, Source


def rename_cases(dtype, source):
    cube = source.mixed(dtype, a=2, b=3, c=1, d=2)
    for title, pairs in [("one axis", {"b": "e"}), ("a prime", {"a": "a'"}),
                         ("all decorations", {"b": "b_1'*†"}),
                         ("two names exchanged", {"a": "d", "d": "a"}),
                         ("a cycle of three", {"a": "b", "b": "c", "c": "a"})]:
        axes = [pairs.get(axis, axis) for axis in cube.axes]
        yield Case("rename", f"{title} of {dtype}", [cube], [Named(cube.array, axes)],
                   parameters={"pairs": [list(pair) for pair in pairs.items()]})
    empty = source.mixed(dtype, a=0, b=2)
    yield Case("rename", f"an empty axis of {dtype}", [empty], [Named(empty.array, ["e", "b"])],
               parameters={"pairs": [["a", "e"]]})


def flatten(title, tensor, over, to):
    rest = tensor.without(over)
    ordered = tensor.ordered(rest + over)
    array = ordered.array.reshape(*ordered.array.shape[:len(rest)],
                                  np.prod([tensor.size(axis) for axis in over], dtype=int))
    return Case("flatten", f"{title} of {tensor.dtype}", [tensor], [Named(array, rest + [to])],
                over, {"to": to})


def flatten_cases(dtype, source):
    cube = source.mixed(dtype, a=2, b=3, c=1, d=2)
    yield flatten("neighbours", cube, ["a", "b"], "e")
    yield flatten("neighbours the other way round", cube, ["b", "a"], "e")
    yield flatten("the first and the last axis", cube, ["d", "a"], "e")
    yield flatten("three axes, onto one of their names,", cube, ["c", "d", "b"], "d")
    yield flatten("all axes", cube, ["b", "d", "c", "a"], "e")
    yield flatten("an empty axis", source.mixed(dtype, a=2, b=0, c=3), ["c", "b"], "e")


def split(title, tensor, axis, parts):
    """`parts` are names with sizes; one of them may be None, to be computed."""
    size = tensor.size(axis)
    known = np.prod([part for part in parts.values() if part is not None], dtype=int)
    sizes = [size // known if part is None else part for part in parts.values()]
    rest = tensor.without([axis])
    ordered = tensor.ordered(rest + [axis])
    array = ordered.array.reshape(*ordered.array.shape[:-1], *sizes)
    return Case("split", f"{title} of {tensor.dtype}", [tensor], [Named(array, rest + list(parts))],
                [axis], {"parts": [[name, part] for name, part in parts.items()]})


def split_cases(dtype, source):
    matrix = source.mixed(dtype, a=2, c=12)
    yield split("an open end", matrix, "c", {"d": 4, "e": None})
    yield split("an open beginning", matrix, "c", {"d": None, "e": 4})
    yield split("all sizes", matrix, "c", {"d": 3, "e": 4})
    yield split("three parts", matrix, "c", {"d": 2, "e": None, "f": 3})
    yield split("a part that keeps the name", matrix, "c", {"e": 6, "c": None})
    yield split("a part of size one", matrix, "c", {"d": 1, "e": None})
    yield split("an empty axis", source.mixed(dtype, a=2, c=0), "c", {"d": 3, "e": None})


def broadcast_cases(dtype, source):
    matrix = source.mixed(dtype, a=2, b=3)
    for title, tensor, along in [
            ("a new axis", matrix, {"c": 2}), ("two new axes", matrix, {"c": 2, "d": 1}),
            ("axes that are there", matrix, {"b": 3, "a": 2}),
            ("a mixture", matrix, {"b": 3, "c": 2}), ("an empty axis", matrix, {"c": 0}),
            ("a scalar along two axes", source.mixed(dtype), {"a": 2, "b": 2})]:
        new = {axis: size for axis, size in along.items() if axis not in tensor.axes}
        array = np.broadcast_to(tensor.array, (*new.values(), *tensor.array.shape))
        yield Case("broadcast", f"{title} of {dtype}", [tensor],
                   [Named(array, list(new) + tensor.axes)], parameters={"along": along})


def cases():
    for topic in (rename_cases, flatten_cases, split_cases, broadcast_cases):
        for dtype in ANYTHING:
            yield from topic(dtype, Source(topic.__name__, dtype))

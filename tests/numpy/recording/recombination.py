"""Tensors put together and taken apart: concatenation, stacks, padding, the largest elements."""

import numpy as np

from .case import ANYTHING, NUMBERS, Case, Named, Source, wide
from .primitives import order, ties


def spread(tensor, axes, sizes):
    """The tensor with all of `axes`, repeated along those that it lacks."""
    ordered = tensor.ordered([axis for axis in axes if axis in tensor.axes])
    shape = [tensor.size(axis) if axis in tensor.axes else 1 for axis in axes]
    full = [tensor.size(axis) if axis in tensor.axes else sizes[axis] for axis in axes]
    return np.broadcast_to(ordered.array.reshape(shape), full)


def joined(operation, title, parts, axis):
    sizes = {name: part.size(name) for part in parts for name in part.axes if name != axis}
    axes = list(sizes)
    if operation == "stack":
        array = np.stack([spread(part, axes, sizes) for part in parts])
    else:
        array = np.concatenate([spread(part, [axis] + axes, sizes) for part in parts])
    return Case(operation, f"{title} of {parts[0].dtype}", parts, [Named(array, [axis] + axes)],
                [axis])


def concat_cases(dtype, source):
    def draw(**sizes):
        return source.mixed(dtype, **sizes)

    yield joined("concat", "two parts", [draw(a=2, b=3), draw(b=3, a=1)], "a")
    yield joined("concat", "three parts",
                 [draw(a=2, b=2, c=1), draw(a=1, b=2, c=1), draw(c=1, b=2, a=3)], "a")
    yield joined("concat", "parts with axes of their own", [draw(a=2, b=2), draw(c=2, a=1)], "a")
    yield joined("concat", "an empty part", [draw(a=0, b=2), draw(a=2, b=2)], "a")
    yield joined("concat", "a single part", [draw(a=2, b=2)], "b")


def stack_cases(dtype, source):
    def draw(**sizes):
        return source.mixed(dtype, **sizes)

    yield joined("stack", "three parts", [draw(a=2, b=2), draw(b=2, a=2), draw(a=2, b=2)], "c")
    yield joined("stack", "parts with axes of their own", [draw(a=2), draw(b=3)], "c")
    yield joined("stack", "scalars", [draw(), draw()], "c")
    yield joined("stack", "empty parts", [draw(a=0), draw(a=0)], "c")


def pad_cases(dtype, source):
    matrix, empty = source.mixed(dtype, a=2, b=3), source.mixed(dtype, a=0, b=2)
    if dtype == "bool":
        values = [False, True]
    else:
        values = [0, 7] + ([-np.inf, np.nan] if dtype in ("float32", "float64") else [-1])
    for value in values:
        for title, tensor, axis, before, after in [
                ("both ends", matrix, "a", 1, 2), ("the end", matrix, "b", 0, 2),
                ("nothing", matrix, "b", 0, 0), ("an empty axis", empty, "a", 2, 1)]:
            widths = [(before, after) if name == axis else (0, 0) for name in tensor.axes]
            array = np.pad(tensor.array, widths, constant_values=value)
            yield Case("pad", f"{title} with {value} of {dtype}", [tensor],
                       [Named(array, tensor.axes)], [axis],
                       {"before": before, "after": after, "value": value})


def top(title, tensor, axis, count):
    """The largest first; among equal elements the first, and NaN counts as largest."""
    position = tensor.position(axis)
    from_end = order(np.flip(wide(tensor), position), position)
    descending = tensor.array.shape[position] - 1 - np.flip(from_end, position)
    chosen = np.take(descending, range(count), position)
    axes = ["best" if name == axis else name for name in tensor.axes]
    parameters = {"best": "best", "count": count}
    name = f"{title} of {tensor.dtype}"
    yield Case("top_k_indices", name, [tensor], [Named(chosen.astype("int64"), axes)], [axis],
               parameters)
    found = np.take_along_axis(tensor.array, chosen, position)
    yield Case("top_k", name, [tensor], [Named(found, axes)], [axis], parameters)


def top_cases(dtype, source):
    cube = source.tensor(dtype, -9, 9, a=3, b=5, c=1)
    yield from top("two of five", cube, "b", 2)
    yield from top("all of them", cube, "a", 3)
    yield from top("none", cube, "b", 0)
    yield from top("ties and extremes", ties(dtype), "b", 3)


def cases():
    for topic in (concat_cases, stack_cases, pad_cases):
        for dtype in ANYTHING:
            yield from topic(dtype, Source(topic.__name__, dtype))
    for dtype in NUMBERS:
        yield from top_cases(dtype, Source("top", dtype))

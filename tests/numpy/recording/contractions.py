"""Contractions, as np.einsum has them: over no, one and several axes, of one to three tensors."""

import math
import string

import numpy as np

from .case import (INTEGERS, NUMBERS, Accuracy, Case, Named, Source, folded, is_real, largest,
                   named, wide)


def einsum(tensors, over, arrays):
    """The sum over named axes of the product, and the names that are left."""
    axes = []
    for tensor in tensors:
        axes += [axis for axis in tensor.axes if axis not in axes]
    letter = dict(zip(axes, string.ascii_lowercase))
    kept = [axis for axis in axes if axis not in over]
    inputs = ",".join("".join(letter[axis] for axis in tensor.axes) for tensor in tensors)
    result = "".join(letter[axis] for axis in kept)
    return np.asarray(np.einsum(f"{inputs}->{result}", *arrays)), kept


def case(operation, title, tensors, over):
    dtype = tensors[0].dtype
    arrays = [wide(tensor) for tensor in tensors]
    found, kept = einsum(tensors, over, arrays)
    bound, _ = einsum(tensors, over, [np.abs(array) for array in arrays])
    sizes = {axis: tensor.size(axis) for tensor in tensors for axis in tensor.axes}
    terms = math.prod(sizes[axis] for axis in over) + len(tensors)
    accuracy = folded(dtype, terms, largest(bound))
    if not over and is_real(dtype):
        # Without axes a contraction is a chain of products, each of them rounded.
        accuracy = Accuracy(roundings=len(tensors) - 1)
    return Case(operation, f"{title} of {dtype}", tensors, [Named(found.astype(dtype), kept)],
                list(over), accuracy=accuracy)


def pairs(source, dtype):
    """Titles, two tensors and the axes between the stars."""
    def draw(**sizes):
        return source.tensor(dtype, -5, 5, **sizes)

    yield "one axis", [draw(a=2, b=3), draw(b=3, c=4)], ["b"]
    yield "no axis", [draw(a=2, b=3), draw(b=3, c=2)], []
    yield "one axis with another one aligned", [draw(a=2, b=3, c=2), draw(c=2, b=3)], ["b"]
    yield "several axes", [draw(a=2, b=3, c=2, d=2), draw(d=2, e=2, b=3)], ["d", "b"]
    yield "all axes", [draw(a=3, b=5), draw(b=5, a=3)], ["a", "b"]
    yield "a single position", [draw(a=1, b=3), draw(a=1, c=2)], ["a"]
    yield "an empty axis", [draw(a=0, b=3), draw(a=0, c=2)], ["a"]
    yield "one axis beside an empty one", [draw(a=2, b=0), draw(a=2, c=2)], ["a"]
    yield "vectors of prime size", [draw(a=31), draw(a=31)], ["a"]
    yield "axes with primes and subscripts", \
        [draw(**{"seq'": 2, "hidden_1": 3}), draw(**{"seq": 2, "hidden_1": 3})], ["hidden_1"]


def special(dtype):
    """Two matrices whose products are special."""
    if is_real(dtype):
        left = [[np.inf, 0], [np.nan, 1], [1, 2], [np.inf, 1]]
        right = [[1, 2], [np.inf, -np.inf], [0, 0]]
    else:
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        left, right = [[high, high], [low, 1], [7, -7]], [[2, 3], [low, low], [high, -1]]
    return [named(left, "a b", dtype), named(right, "c b", dtype)]


def triples(source, dtype):
    """Titles, three tensors and axes; with three, an axis needs to be in one of them only."""
    def draw(**sizes):
        return source.tensor(dtype, -5, 5, **sizes)

    yield "a chain", [draw(a=2, b=3), draw(b=3, c=4), draw(c=4, d=2)], ["b", "c"]
    yield "an axis that all three have", [draw(a=2, b=3), draw(b=3), draw(c=2, b=3)], ["b"]
    yield "an axis that only one has", [draw(a=2, b=3), draw(b=3), draw(c=2)], ["a", "c"]
    yield "all axes", [draw(a=2, b=3), draw(b=3, c=2), draw(c=2, a=2)], ["a", "b", "c"]
    yield "no axis", [draw(a=2), draw(b=3), draw(a=2, b=3)], []
    yield "an empty axis", [draw(a=2, b=0), draw(b=0), draw(a=2)], ["b"]


def cases():
    for dtype in NUMBERS:
        source = Source("contract", dtype)
        for title, tensors, over in pairs(source, dtype):
            for operation in ("contract", "dot"):
                yield case(operation, title, tensors, over)
        yield case("contract", "special values", special(dtype), ["b"])
        for title, tensors, over in triples(source, dtype):
            yield case("dot", f"three tensors: {title}", tensors, over)
        yield case("dot", "one tensor", [source.tensor(dtype, a=2, b=3)], ["b"])
    for dtype in INTEGERS:
        yield case("dot", "special values", special(dtype), ["b"])

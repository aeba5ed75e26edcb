"""Reductions over no, one, several and all axes; empty axes; NaN, infinities, overflow."""

import dataclasses
from typing import Callable

import numpy as np

from .case import (EXACT, NUMBERS, REALS, Accuracy, Case, Named, Source, folded, is_real, largest,
                   named, wide)


@dataclasses.dataclass
class Reduction:
    function: Callable  # of the wide array, the positions of the axes, and the element type
    takes: list
    accuracy: Callable  # of the wide array and the positions
    has_empty_value: bool = True


def total(ufunc):
    """A fold in the element type itself: NumPy alone would sum int32 in int64."""
    return lambda x, axis, dtype: ufunc.reduce(x, axis=axis, dtype=x.dtype)


def exact(x, axis, dtype):
    return EXACT


def count(x, axis):
    return int(np.prod([x.shape[k] for k in axis], dtype=int))


def sum_accuracy(x, axis, dtype):
    return folded(dtype, count(x, axis), largest(np.sum(np.abs(x), axis=axis)))


def prod_accuracy(x, axis, dtype):
    return folded(dtype, count(x, axis), largest(np.prod(x, axis=axis)))


def logsumexp(x, axis, dtype):
    # A fold along one axis at a time: NumPy's reduce takes several axes only for ufuncs that say
    # they may be reordered.
    for k in sorted(axis, reverse=True):
        x = np.logaddexp.reduce(x, axis=k)
    return x


def logsumexp_accuracy(x, axis, dtype):
    # Each step adds a logarithm to what has been found so far.
    return Accuracy(roundings=2, terms=8 * (count(x, axis) + 1), magnitude=largest(x) + 4)


REDUCTIONS = {
    "sum": Reduction(total(np.add), NUMBERS, sum_accuracy),
    "prod": Reduction(total(np.multiply), NUMBERS, prod_accuracy),
    "max": Reduction(total(np.maximum), NUMBERS, exact, has_empty_value=False),
    "min": Reduction(total(np.minimum), NUMBERS, exact, has_empty_value=False),
    "logsumexp": Reduction(logsumexp, REALS, logsumexp_accuracy),
    "any": Reduction(total(np.logical_or), ["bool"], exact),
    "all": Reduction(total(np.logical_and), ["bool"], exact),
}


def case(name, title, tensor, over):
    reduction = REDUCTIONS[name]
    x, axis = wide(tensor), tensor.positions(over)
    output = np.asarray(reduction.function(x, axis, tensor.dtype)).astype(tensor.dtype)
    return Case(name, f"{title} of {tensor.dtype}", [tensor],
                [Named(output, tensor.without(over))], list(over),
                accuracy=reduction.accuracy(x, axis, tensor.dtype))


def special(dtype):
    """Rows, along `a`, whose sums, products and extremes are special."""
    if is_real(dtype):
        rows = [[1, np.nan, 2], [np.inf, 1, -1], [np.inf, -np.inf, 0], [-np.inf, -np.inf, -np.inf],
                [0, -3, 0.5], [-5, -5, -5]]
    else:
        facts = np.iinfo(dtype)
        rows = [[facts.max, 1, 1], [facts.min, -1, 0], [facts.min, facts.min, 1],
                [facts.max, facts.max, facts.max], [0, 0, -3], [facts.min, facts.max, -1]]
    return named(rows, "a b", dtype)


def cases():
    for name, reduction in REDUCTIONS.items():
        for dtype in reduction.takes:
            source = Source(name, dtype)
            cube = source.tensor(dtype, a=3, b=1, c=2, d=4)
            yield case(name, "one axis", cube, ["d"])
            yield case(name, "a single position", cube, ["b"])
            yield case(name, "several axes", cube, ["d", "a"])
            yield case(name, "all axes", cube, ["c", "a", "d", "b"])
            yield case(name, "no axis", cube, [])
            yield case(name, "a prime number of elements", source.tensor(dtype, a=37), ["a"])
            yield case(name, "one axis beside an empty one", source.tensor(dtype, a=2, b=0), ["a"])
            if reduction.has_empty_value:
                yield case(name, "an empty axis", source.tensor(dtype, a=2, b=0), ["b"])
                yield case(name, "all axes, one empty", source.tensor(dtype, a=2, b=0), ["a", "b"])
            if dtype != "bool":
                yield case(name, "rows of special values", special(dtype), ["b"])
            if is_real(dtype):
                big = np.finfo(dtype).max
                rows = named([[big, big, 1], [-big, 2, big]], "a b", dtype)
                yield case(name, "rows near overflow", rows, ["b"])

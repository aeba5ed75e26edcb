"""Phrases of the prelude, in NumPy's own words, with the error that their formulas may make."""

import math

import numpy as np

from .case import (EXACT, INTEGERS, REALS, Case, Named, Source, composed, is_real,
                   largest, lifted, named, wide)
from .words import erf, sigmoid


class Slices:
    """A tensor as a matrix in double: one row for each position of the other axes, the axes that
    the phrase works on flattened into one, since several axes act jointly."""

    def __init__(self, tensor, over):
        self.rest = tensor.without(over)
        self.over = list(over)
        ordered = tensor.ordered(self.rest + self.over)
        self.sizes = ordered.array.shape
        kept = self.sizes[:len(self.rest)]
        width = math.prod(self.sizes[len(self.rest):])
        self.x = wide(ordered).reshape(math.prod(kept), width)
        self.width = width

    def scalars(self, values, dtype):
        """One value for each slice, as a tensor."""
        shape = self.sizes[:len(self.rest)]
        return Named(np.asarray(values).reshape(shape).astype(dtype), self.rest)

    def vectors(self, values, dtype):
        """One vector for each slice, as a tensor."""
        return Named(np.asarray(values).reshape(self.sizes).astype(dtype), self.rest + self.over)


def peak(x):
    return x.max(axis=1, keepdims=True)


def logsumexp(x):
    """Of rows; −∞ for empty ones."""
    return np.logaddexp.reduce(x, axis=1)[:, np.newaxis]


def mean(s, dtype):
    return s.scalars(s.x.mean(axis=1), dtype), \
        composed(dtype, 2, terms=s.width, magnitude=largest(s.x))


def var(s, dtype):
    # ddof=0: the variance divides by the size of the axis.
    return s.scalars(s.x.var(axis=1, ddof=0), dtype), \
        composed(dtype, 6, largest(s.x) ** 2, s.width, largest(s.x) ** 2)


def norm(s, dtype):
    found = np.sqrt(np.sum(s.x * s.x, axis=1))
    return s.scalars(found, dtype), composed(dtype, 3, terms=s.width, magnitude=largest(found))


def softmax(s, dtype):
    powers = np.exp(s.x - peak(s.x))
    # exp turns the absolute error |d|·ε of a difference d into a relative one; beyond 750 it is 0.
    spread = largest(s.x - peak(s.x))
    return s.vectors(powers / powers.sum(axis=1, keepdims=True), dtype), \
        composed(dtype, 4 * (1 + min(spread, 750)), terms=s.width, magnitude=1)


def log_softmax(s, dtype):
    found = s.x - logsumexp(s.x)
    return s.vectors(found, dtype), \
        composed(dtype, 3, largest(s.x) + math.log(s.width + 1), 4 * s.width, largest(s.x) + 4)


def extreme(choose):
    """argmax and argmin are distributions, with ties in equal parts, where NumPy's are positions.
    No element equals NaN, so a slice with NaN has no largest element: 0/0."""
    def share(s, dtype):
        winners = (s.x == choose(s.x, axis=1, keepdims=True)).astype("float64")
        return s.vectors(winners / winners.sum(axis=1, keepdims=True), dtype), EXACT
    return share


def sort(s, dtype):
    return s.vectors(np.sort(s.x, axis=1, kind="stable"), dtype), EXACT


PHRASES = {
    "mean": mean, "var": var, "norm": norm, "softmax": softmax, "log_softmax": log_softmax,
    "argmax": extreme(np.max), "argmin": extreme(np.min), "sort": sort,
}
WITHOUT_EMPTY_VALUE = {"softmax", "argmax", "argmin"}


def case(name, title, tensor, over):
    output, accuracy = PHRASES[name](Slices(tensor, over), tensor.dtype)
    return Case(name, f"{title} of {tensor.dtype}", [tensor], [output], list(over),
                accuracy=accuracy)


def special(dtype):
    rows = [[1, np.nan, 2], [np.inf, 1, -1], [1, -np.inf, -1], [3, 3, 1], [-5, -5, -5],
            [-np.inf, -np.inf, -np.inf]]
    return named(rows, "a b", dtype)


def phrase_cases():
    for name in PHRASES:
        for dtype in REALS + (INTEGERS if name == "sort" else []):
            source = Source(name, dtype)
            cube = source.tensor(dtype, -9 if dtype in INTEGERS else -2, 9, a=3, b=1, c=2, d=4)
            yield case(name, "one axis", cube, ["d"])
            yield case(name, "an axis in the middle", cube, ["c"])
            yield case(name, "a single position", cube, ["b"])
            yield case(name, "one axis beside an empty one", source.tensor(dtype, a=2, b=0), ["a"])
            if name != "sort":
                yield case(name, "two axes jointly", cube, ["d", "a"])
                yield case(name, "all axes jointly", cube, ["c", "a", "d", "b"])
            if name not in WITHOUT_EMPTY_VALUE:
                yield case(name, "an empty axis", source.tensor(dtype, a=2, b=0), ["b"])
            if is_real(dtype):
                yield case(name, "rows of special values", special(dtype), ["b"])
            if name.endswith("softmax"):
                rows = named([[1000, 999, -1000], [-1e4, -1e4, 1e4]], "a b", dtype)
                yield case(name, "scores that would overflow", rows, ["b"])


def norm_p(tensor, over, p):
    """(Σ |x|^p)^(1/p); p may have axes of its own, which lift."""
    s = Slices(tensor, over)
    powers = np.atleast_1d(wide(p)).reshape(-1, 1, 1)
    found = np.sum(np.abs(s.x) ** powers, axis=2) ** (1 / powers[:, :, 0])
    output = Named(found.reshape(p.array.shape + s.sizes[:len(s.rest)]).astype(tensor.dtype),
                   p.axes + s.rest)
    # The exponent 1/p is rounded too, which weighs by the logarithm of the result.
    weight = 1 + largest(np.log(found)) + largest(powers)
    return output, composed(tensor.dtype, 5 * weight, terms=s.width, magnitude=largest(found))


def norm_p_cases():
    for dtype in REALS:
        source = Source("norm_p", dtype)
        cube = source.tensor(dtype, a=3, b=1, c=2)
        for title, over, p in [("p = 1,", ["a"], 1.0), ("p = 3,", ["c", "a"], 3.0),
                               ("p = 2.5 over one position,", ["b"], 2.5)]:
            output, accuracy = norm_p(cube, over, named(p, dtype=dtype))
            yield Case("norm_p", f"{title} {dtype}", [cube, p], [output], over, accuracy=accuracy)
        p = named([1, 2, 4], "power", dtype)
        output, accuracy = norm_p(cube, ["a"], p)
        yield Case("norm_p", f"several p at once, {dtype}", [cube, p], [output], ["a"],
                   accuracy=accuracy)


def standardize(tensor, over, epsilon):
    s = Slices(tensor, over)
    centre = s.x.mean(axis=1, keepdims=True)
    spread = s.x.var(axis=1, keepdims=True) + np.float64(np.dtype(tensor.dtype).type(epsilon))
    found = (s.x - centre) / np.sqrt(spread)
    size = largest(s.x)
    scale = size / math.sqrt(spread.min()) + largest(found) * size ** 2 / spread.min() \
        if s.x.size else 0
    return s.vectors(found, tensor.dtype), composed(tensor.dtype, 10, scale, s.width, scale)


def standardize_cases():
    for dtype in REALS:
        cube = Source("standardize", dtype).tensor(dtype, a=3, b=1, c=2, d=4)
        for title, over, tensor, epsilon in [
                ("one axis", ["d"], cube, 1e-5), ("two axes jointly", ["a", "c"], cube, 0.1),
                ("a single position", ["b"], cube, 0.5),
                ("equal elements", ["b"], named([[3, 3, 3]], "a b", dtype), 1e-2),
                ("an empty axis", ["b"], named(np.zeros((2, 0)), "a b", dtype), 1e-5)]:
            output, accuracy = standardize(tensor, over, epsilon)
            yield Case("standardize", f"{title} of {dtype}", [tensor, epsilon], [output], over,
                       accuracy=accuracy)


def cross_entropy_cases():
    """−Σ p log softmax x, for targets that lack an axis of the scores or have one more."""
    for dtype in REALS:
        source = Source("cross_entropy", dtype)
        scores = source.tensor(dtype, batch=3, word=4)
        for title, target in [("one target for all,", source.tensor(dtype, 0, 1, word=4)),
                              ("aligned targets,", source.tensor(dtype, 0, 1, word=4, batch=3)),
                              ("further targets,", source.tensor(dtype, 0, 1, word=4, judge=2))]:
            x = wide(scores)
            logarithms = Named(x - logsumexp(x), scores.axes)
            product = lifted(np.multiply, [logarithms, target], "float64")
            found = -product.array.sum(axis=product.position("word"))
            scale = largest(x) + 2 + largest(found)
            output = Named(found.astype(dtype), product.without(["word"]))
            yield Case("cross_entropy", f"{title} {dtype}", [scores, target], [output], ["word"],
                       accuracy=composed(dtype, 5, scale, 4 * 4, scale))


def gelu(x):
    return x * (1 + erf(x / math.sqrt(2))) / 2


# Phrases without axes: the function, how many operations it takes, and whether a part may cancel.
SCALAR = {
    "softplus": (lambda x: np.logaddexp(0, x), 6, False),
    "silu": (lambda x: x * sigmoid(x), 4, False),
    "gelu": (gelu, 6, True),
}


def scalar_cases():
    for name, (function, nodes, cancels) in SCALAR.items():
        for dtype in REALS:
            source = Source(name, dtype)
            special = named([np.nan, np.inf, -np.inf, 0, -20, 50, -30], "a", dtype)
            for title, tensor in [("four axes", source.tensor(dtype, a=2, b=1, c=3, d=2)),
                                  ("special values", special),
                                  ("an empty axis", source.tensor(dtype, a=2, b=0))]:
                accuracy = composed(dtype, 2 * nodes, largest(tensor.array) if cancels else 0)
                yield Case(name, f"{title} of {dtype}", [tensor],
                           [lifted(function, [tensor], dtype)], accuracy=accuracy)


def cases():
    yield from phrase_cases()
    yield from norm_p_cases()
    yield from standardize_cases()
    yield from cross_entropy_cases()
    yield from scalar_cases()

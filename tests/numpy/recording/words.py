"""Elementwise words: each on random tensors, special values, numbers, empty and many axes."""

import dataclasses
import inspect
import math
from typing import Callable

import numpy as np

from .case import (ANYTHING, EXACT, INTEGERS, NUMBERS, REALS, Accuracy, Case, Source, is_real,
                   lifted, named)

# glibc states errors of at most 2 ulp for these functions; NumPy's and ours may lie on either side.
LIBM_ULPS = 2

SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0]


@dataclasses.dataclass
class Word:
    function: Callable
    takes: list
    low: float = -2
    high: float = 2
    truth: bool = False
    # Evaluations of library functions, 0 for what IEEE defines to the last bit.
    steps: int = 0
    # The magnitude of what is added up last, if that may cancel.
    scale: float = 0
    # False where NumPy does not say which of two zeros is the result.
    signed_zeros: bool = True

    def gives(self, dtype):
        return "bool" if self.truth else dtype

    def accuracy(self, dtype, scale=0):
        if self.steps == 0 or self.truth or not is_real(dtype):
            return EXACT
        # A float32 is computed in double, so it differs only where that lies between two of them.
        roundings = 1 if dtype == "float32" else 2 * LIBM_ULPS * self.steps
        return Accuracy(roundings, scale)


# NumPy has no erf; this is the one of Python's standard library.
erf = np.vectorize(math.erf, otypes=["float64"])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def relu(x):
    return np.maximum(x, 0)


def library(function, low=-2.0, high=2.0, **facts):
    return Word(function, REALS, low, high, **{"steps": 1, **facts})


WORDS = {
    "add": Word(np.add, NUMBERS),
    "sub": Word(np.subtract, NUMBERS),
    "mul": Word(np.multiply, NUMBERS),
    # For integers `div` is an error here; NumPy would give reals.
    "div": Word(np.divide, REALS),
    "pow": library(np.power, 0.5, 2),
    "neg": Word(np.negative, NUMBERS),
    # NumPy warns of an integer divisor 0 and gives 0, which is our value too.
    "mod": Word(np.mod, NUMBERS, -9, 9),
    "floor_div": Word(np.floor_divide, NUMBERS, -9, 9),
    "max": Word(np.maximum, NUMBERS, signed_zeros=False),
    "min": Word(np.minimum, NUMBERS, signed_zeros=False),
    "logaddexp": library(np.logaddexp, steps=3, scale=2),
    "abs": Word(np.abs, NUMBERS),
    "constant": Word(np.positive, NUMBERS),
    "sign": Word(np.sign, NUMBERS),
    "exp": library(np.exp),
    "expm1": library(np.expm1),
    "log": library(np.log, 0.2, 3),
    "log1p": library(np.log1p, -0.5, 3),
    "sqrt": Word(np.sqrt, REALS, 0.2, 3),
    "sin": library(np.sin),
    "cos": library(np.cos),
    "tan": library(np.tan, -1, 1),
    "asin": library(np.arcsin, -0.9, 0.9),
    "acos": library(np.arccos, -0.9, 0.9),
    "atan": library(np.arctan),
    "atan2": library(np.arctan2),
    "sinh": library(np.sinh),
    "cosh": library(np.cosh),
    "tanh": library(np.tanh),
    "sigmoid": library(sigmoid, steps=3),
    "relu": Word(relu, REALS, signed_zeros=False),
    "erf": library(erf),
    "floor": Word(np.floor, REALS, -9, 9),
    "ceil": Word(np.ceil, REALS, -9, 9),
    # Halves go to the even neighbour.
    "round": Word(np.rint, REALS, -9, 9),
    "is_nan": Word(np.isnan, REALS, truth=True),
    "is_finite": Word(np.isfinite, REALS, truth=True),
    "equal": Word(np.equal, ANYTHING, truth=True),
    "unequal": Word(np.not_equal, ANYTHING, truth=True),
    "less": Word(np.less, NUMBERS, truth=True),
    "less_equal": Word(np.less_equal, NUMBERS, truth=True),
    "greater": Word(np.greater, NUMBERS, truth=True),
    "greater_equal": Word(np.greater_equal, NUMBERS, truth=True),
    "and": Word(np.logical_and, ["bool"]),
    "or": Word(np.logical_or, ["bool"]),
    "not": Word(np.logical_not, ["bool"]),
}


def arity(word):
    function = word.function
    return function.nin if isinstance(function, np.ufunc) else \
        1 if function is erf else len(inspect.signature(function).parameters)


def special(word, dtype):
    """A few values that functions stumble over."""
    if dtype == "bool":
        return [False, True]
    if dtype in INTEGERS:
        facts = np.iinfo(dtype)
        return [facts.min, facts.min + 1, -7, -2, -1, 0, 1, 2, 3, facts.max - 1, facts.max]
    facts = np.finfo(dtype)
    values = SPECIAL if word.signed_zeros else [x for x in SPECIAL if str(x) != "-0.0"]
    return values + [facts.max, -facts.max, facts.tiny, facts.smallest_subnormal]


def case(name, title, inputs, dtype, scale=0):
    word = WORDS[name]
    # A plain number takes the element type of the tensor that it meets.
    taken = [x if hasattr(x, "axes") else named(x, dtype=dtype) for x in inputs]
    output = lifted(word.function, taken, word.gives(dtype))
    return Case(name, f"{title} {dtype}", inputs, [output], accuracy=word.accuracy(dtype, scale))


def unary_cases(name, word, dtype):
    source = Source(name, dtype)
    wide = source.tensor(dtype, word.low, word.high, a=2, b=1, c=3, d=2)
    yield case(name, "four axes of", [wide], dtype, word.scale)
    yield case(name, "special values of", [named(special(word, dtype), "a", dtype)], dtype)
    yield case(name, "an empty axis of", [source.tensor(dtype, a=2, b=0)], dtype)
    yield case(name, "a scalar of", [source.tensor(dtype, word.low, word.high)], dtype, word.scale)


def binary_cases(name, word, dtype):
    source = Source(name, dtype)

    def draw(**sizes):
        return source.tensor(dtype, word.low, word.high, **sizes)

    values = named(special(word, dtype), "a", dtype)
    others = named(special(word, dtype)[:11], "b", dtype)
    yield case(name, "axes of both operands of", [draw(a=2, b=3), draw(b=3, c=2)], dtype,
               word.scale)
    yield case(name, "four and two axes of", [draw(a=2, b=1, c=2, d=2), draw(d=2, b=1)], dtype,
               word.scale)
    yield case(name, "special values of", [values, others], dtype)
    yield case(name, "an empty axis of", [draw(a=0, b=2), draw(b=2)], dtype)
    yield case(name, "scalars of", [draw(), draw()], dtype, word.scale)
    if dtype != "bool":
        number = 0.7 if is_real(dtype) else 3
        yield case(name, "a number on the right of", [draw(a=3), number], dtype, word.scale)
        yield case(name, "a number on the left of", [number, draw(a=3)], dtype, word.scale)


def where_cases():
    """`where` picks by a condition of truth values, elements of every type."""
    for dtype in ANYTHING:
        source = Source("where", dtype)
        condition = source.tensor("bool", a=2, c=2)
        left, right = source.mixed(dtype, a=2, b=3), source.mixed(dtype, b=3, c=2)
        empty = source.tensor(dtype, a=2, b=0)
        number = named(1, dtype=dtype)
        for title, inputs, taken in [
                ("all axes of", [condition, left, right], [condition, left, right]),
                ("an empty axis of", [condition, empty, empty], [condition, empty, empty]),
                ("a number beside", [condition, left, 1], [condition, left, number]),
                ("scalars of", [named(True), number, number], [named(True), number, number])]:
            output = lifted(np.where, taken, dtype)
            yield Case("where", f"{title} {dtype}", inputs, [output])


def cases():
    for name, word in WORDS.items():
        for dtype in word.takes:
            yield from (unary_cases if arity(word) == 1 else binary_cases)(name, word, dtype)
    yield from where_cases()
    # Quotients that a division rounds up to a whole number although the true ones lie below.
    for dtype in REALS:
        inputs = [named([1.0, 6.0, -1.0], "a", dtype), named([0.1, 0.1, 0.1], "a", dtype)]
        for name in ("mod", "floor_div"):
            yield case(name, "quotients just below whole numbers of", inputs, dtype)

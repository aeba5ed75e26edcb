"""Cases: what goes into an operation, what NumPy makes of it, and how exactly that can be known."""

import dataclasses
import json
import math
import zlib

import numpy as np

REALS = ["float32", "float64"]
INTEGERS = ["int32", "int64"]
NUMBERS = REALS + INTEGERS
ANYTHING = NUMBERS + ["bool"]


@dataclasses.dataclass
class Named:
    """An array whose axes have names, in the order of the array."""
    array: np.ndarray
    axes: list

    @property
    def dtype(self):
        return self.array.dtype.name

    def position(self, axis):
        return self.axes.index(axis)

    def positions(self, axes):
        return tuple(self.axes.index(axis) for axis in axes)

    def without(self, axes):
        return [axis for axis in self.axes if axis not in axes]

    def size(self, axis):
        return self.array.shape[self.axes.index(axis)]

    def ordered(self, axes):
        """The same tensor with its axes in the order given."""
        return Named(self.array.transpose(self.positions(axes)), list(axes))


def named(values, axes="", dtype=None):
    """A tensor from nested lists or an array; `axes` are separated by blanks."""
    array = np.asarray(values, dtype)
    assert array.ndim == len(axes.split()), f"{array.shape} {axes}"
    return Named(array, axes.split())


def is_real(dtype):
    return np.dtype(dtype).kind == "f"


def wide(tensor):
    """The array that Axial computes with: reals in double, rounded at the end; integers as they
    are, for NumPy wraps them around in their own width and so do we."""
    return tensor.array.astype("float64") if is_real(tensor.array.dtype) else tensor.array


def aligned(tensors):
    """The wide arrays of tensors or numbers, broadcast by name; and the names of the union."""
    axes = []
    for tensor in tensors:
        axes += [axis for axis in getattr(tensor, "axes", []) if axis not in axes]
    arrays = []
    for tensor in tensors:
        if isinstance(tensor, Named):
            array = wide(tensor.ordered([axis for axis in axes if axis in tensor.axes]))
            shape = [tensor.size(axis) if axis in tensor.axes else 1 for axis in axes]
            arrays.append(array.reshape(shape))
        else:
            arrays.append(tensor)
    return arrays, axes


def lifted(function, tensors, dtype):
    """A NumPy function on tensors that are broadcast by name, rounded once to `dtype`."""
    arrays, axes = aligned(tensors)
    return Named(np.asarray(function(*arrays)).astype(dtype), axes)


class Source:
    """Random tensors, determined by the name of what they are for."""

    def __init__(self, *key):
        self.random = np.random.default_rng(zlib.crc32(" ".join(key).encode()))

    def tensor(self, dtype, low=-2, high=2, **sizes):
        """Elements between bounds: decimals of three digits, integers or truth values. An axis
        whose name is no word of Python is passed as in tensor(..., **{"a'": 2})."""
        shape = list(sizes.values())
        if dtype == "bool":
            array = self.random.integers(0, 2, shape).astype(bool)
        elif is_real(dtype):
            array = np.round(self.random.uniform(low, high, shape), 3)
        else:
            array = self.random.integers(low, high + 1, shape)
        return Named(np.asarray(array).astype(dtype), list(sizes))

    def mixed(self, dtype, **sizes):
        """Elements for operations that only move them, extremes and NaN among them."""
        tensor = self.tensor(dtype, -99, 99, **sizes)
        flat = tensor.array.reshape(-1)
        if is_real(dtype):
            marks = [np.nan, np.inf, -np.inf, -0.0]
        elif dtype == "bool":
            marks = []
        else:
            marks = [np.iinfo(dtype).min, np.iinfo(dtype).max]
        if flat.size > 2 * len(marks):
            flat[self.random.permutation(flat.size)[:len(marks)]] = marks
        return tensor


@dataclasses.dataclass(frozen=True)
class Accuracy:
    """How far a result e may be from the recorded one:

      ε(element type) · roundings · max(|e|, scale) + ε(float64) · terms · magnitude

    `roundings` are results rounded to the element type on the way, `terms` the elements folded in
    double, `magnitude` the sum of their absolute values. Without roundings a result is exact."""
    roundings: float = 0
    scale: float = 0
    terms: float = 0
    magnitude: float = 0

    def facts(self):
        facts = {"roundings": math.ceil(self.roundings), "scale": ceiling(self.scale),
                 "terms": math.ceil(self.terms), "magnitude": ceiling(self.magnitude)}
        return {name: fact for name, fact in facts.items() if fact}


EXACT = Accuracy()


def ceiling(number):
    """The next power of two: whole digits that do not depend on the last bit of a machine."""
    return 2.0 ** min(math.ceil(math.log2(number)), 1023) if number > 0 else 0


def largest(*arrays):
    """The largest finite magnitude among the elements, 0 if there is none."""
    finite = [np.abs(array[np.isfinite(array)]) for array in map(np.asarray, arrays)]
    return max((float(part.max()) for part in finite if part.size), default=0.0)


def folded(dtype, terms, magnitude):
    """A sum or product of `terms` elements: in double on both sides, then rounded once."""
    return Accuracy(roundings=1, terms=2 * (terms + 1), magnitude=magnitude) \
        if is_real(dtype) else EXACT


def composed(dtype, nodes, scale=0, terms=0, magnitude=0):
    """A formula of several operations. Ours rounds each to the element type; NumPy's, in double,
    does so too if that is the type, else it is rounded once at the end."""
    roundings = 2 * nodes if dtype == "float64" else nodes + 1
    return Accuracy(roundings, scale, 2 * terms, magnitude)


@dataclasses.dataclass
class Case:
    """One line of a record. `inputs` are tensors and plain numbers; `over` are the axes on which
    the operation works; what else it needs stands in `parameters`."""
    operation: str
    title: str
    inputs: list
    outputs: list
    over: list = dataclasses.field(default_factory=list)
    parameters: dict = dataclasses.field(default_factory=dict)
    accuracy: Accuracy = EXACT

    def text(self):
        parts = {"operation": self.operation, "case": self.title, "over": self.over,
                 "parameters": {k: json_value(v) for k, v in self.parameters.items()},
                 "accuracy": self.accuracy.facts(),
                 "inputs": [json_value(tensor) for tensor in self.inputs],
                 "outputs": [json_value(tensor) for tensor in self.outputs]}
        kept = {k: v for k, v in parts.items() if v or k in ("inputs", "outputs")}
        lines = [f'"{name}": {compact(part)}' for name, part in kept.items()]
        head = 2 if "over" not in kept else 3
        return "{" + ", ".join(lines[:head]) + ",\n " + ",\n ".join(lines[head:]) + "}"


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def json_value(value):
    """A tensor, number or parameter as JSON has it; numbers that JSON lacks become text."""
    if isinstance(value, Named):
        flat = value.array.reshape(-1)
        if value.dtype == "bool":
            flat = flat.astype(int)
        shape = " ".join(f"{axis}[{size}]" for axis, size in zip(value.axes, value.array.shape))
        return {"type": value.dtype, "shape": shape, "values": [json_value(x) for x in flat]}
    if isinstance(value, bool):
        return value
    if isinstance(value, np.float32):
        assert np.isnan(value) or np.float32(float(str(value))) == value
        return json_value(float(str(value)))
    if isinstance(value, (float, np.float64)):
        return float(value) if np.isfinite(value) else str(float(value))
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (list, tuple)):
        return [json_value(part) for part in value]
    if isinstance(value, dict):
        return {key: json_value(part) for key, part in value.items()}
    return value

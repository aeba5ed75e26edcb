"""Sums of two 3×3 arrays, whose price is that of a call: NumPy, PyTorch, and xarray with names."""

import functools
import operator
import typing

import numpy
import torch
import xarray

from problems import Given
from timing import Candidate, repeated
from workloads import Row

ARRAYS: dict[str, typing.Callable[[Given], typing.Any]] = {
    "NumPy": lambda given: given.elements,
    "torch": lambda given: torch.tensor(given.elements),
    "xarray": lambda given: xarray.DataArray(given.elements, dims=given.axes.split()),
}


def candidates(row: Row, threads: int) -> list[Candidate]:
    """One candidate for each kind of array, called as directly as Python can."""
    if row.formula != "addition":
        return []
    return [candidate(name, *map(array, row.inputs.values())) for name, array in ARRAYS.items()]


def candidate(name: str, left: typing.Any, right: typing.Any) -> Candidate:
    """The sum of two arrays of one kind."""
    added = functools.partial(operator.add, left, right)
    return Candidate(name, name, repeated(added), lambda: [numpy.asarray(added())])

"""Additions of two 3×3 tensors whose price is the price of a call: xarray, whose axes have names."""

import xarray

from timing import Candidate, repeated
from workloads import Row


def candidates(row: Row, threads: int) -> list[Candidate]:
    """The sum of two small arrays with named axes."""
    if row.formula != "addition":
        return []
    left, right = (xarray.DataArray(given.elements, dims=given.axes.split())
                   for given in row.inputs.values())
    return [Candidate("xarray", "xarray", repeated(lambda: left + right),
                      lambda: [(left + right).values])]

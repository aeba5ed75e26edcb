"""Windows along an axis: unroll with stride, dilation and padding, and pool."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .case import ANYTHING, Case, Named, Source


def unroll(title, tensor, axis, size, stride=1, dilation=1, padding=0, value=0):
    position = tensor.position(axis)
    widths = [(padding, padding) if name == axis else (0, 0) for name in tensor.axes]
    padded = np.pad(tensor.array, widths, constant_values=value)
    reach = (size - 1) * dilation + 1
    views = sliding_window_view(padded, reach, position)[..., ::dilation]
    found = np.take(views, range(0, views.shape[position], stride), position)
    parameters = {"kernel": "kernel", "size": size, "stride": stride, "dilation": dilation,
                  "padding": padding, "value": value}
    return Case("unroll", f"{title} of {tensor.dtype}", [tensor],
                [Named(found, tensor.axes + ["kernel"])], [axis], parameters)


def unroll_cases(dtype, source):
    cube = source.mixed(dtype, batch=2, seq=7, chans=1)
    line = source.mixed(dtype, seq=9)
    value = {"bool": True, "int32": -5, "int64": -5}.get(dtype, -np.inf)
    yield unroll("windows of three", cube, "seq", 3)
    yield unroll("windows of one", cube, "seq", 1)
    yield unroll("one window", line, "seq", 9)
    yield unroll("a stride", line, "seq", 3, stride=2)
    yield unroll("a stride with a remainder", line, "seq", 2, stride=3)
    yield unroll("a dilation", line, "seq", 3, dilation=3)
    yield unroll("padding", line, "seq", 3, padding=1)
    yield unroll("padding with another value", cube, "seq", 3, padding=2, value=value)
    yield unroll("everything at once", cube, "seq", 2, stride=2, dilation=3, padding=2, value=value)
    yield unroll("windows beside an empty axis", source.mixed(dtype, seq=4, a=0), "seq", 2)
    yield unroll("an empty axis with padding", source.mixed(dtype, seq=0, a=2), "seq", 2, padding=1)


def pool_cases(dtype, source):
    for title, tensor, size in [
            ("pairs", source.mixed(dtype, batch=2, seq=6, chans=1), 2),
            ("one window", source.mixed(dtype, seq=5), 5),
            ("single positions", source.mixed(dtype, seq=3, a=2), 1),
            ("windows beside an empty axis", source.mixed(dtype, a=0, seq=4), 2)]:
        position = tensor.position("seq")
        shape = list(tensor.array.shape)
        shape[position:position + 1] = [tensor.size("seq") // size, size]
        axes = list(tensor.axes)
        axes.insert(position + 1, "kernel")
        yield Case("pool", f"{title} of {dtype}", [tensor],
                   [Named(tensor.array.reshape(shape), axes)], ["seq"],
                   {"kernel": "kernel", "size": size})


def cases():
    for dtype in ANYTHING:
        yield from unroll_cases(dtype, Source("unroll", dtype))
        yield from pool_cases(dtype, Source("pool", dtype))

"""Primitives: positions, running sums, and what LAPACK computes, on single and batched operands."""

import numpy as np

from .case import (EXACT, NUMBERS, REALS, Accuracy, Case, Named, Source, folded, is_real,
                   largest, named, wide)


def along(name, title, tensor, axis, function, dtype=None, accuracy=EXACT):
    """A case of a primitive on one axis; `function` takes the array and the axis' position."""
    output = np.asarray(function(wide(tensor), tensor.position(axis))).astype(dtype or tensor.dtype)
    axes = tensor.axes if output.ndim == tensor.array.ndim else tensor.without([axis])
    return Case(name, f"{title} of {tensor.dtype}", [tensor], [Named(output, axes)], [axis],
                accuracy=accuracy)


def ties(dtype):
    """Equal elements, NaN and extremes, in rows along `a`."""
    if is_real(dtype):
        rows = [[2, 1, 2, 1, 2], [0.0, np.nan, -np.inf, np.inf, np.nan], [5, 5, 5, 5, 5],
                [np.inf, 3, -np.inf, np.inf, -np.inf], [-0.0, 0.0, -0.0, 0.0, -1]]
    else:
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        rows = [[2, 1, 2, 1, 2], [high, low, 0, high, low], [5, 5, 5, 5, 5]]
    return named(rows, "a b", dtype)


def order(x, axis):
    return np.argsort(x, axis=axis, kind="stable")


def position_cases():
    functions = {"order": order, "index_of_max": np.argmax, "index_of_min": np.argmin}
    for name, function in functions.items():
        for dtype in NUMBERS:
            source = Source(name, dtype)
            cube = source.tensor(dtype, a=3, b=4, c=1, d=2)
            for axis in "abc":
                yield along(name, f"axis {axis} of four", cube, axis, function, "int64")
            yield along(name, "ties and extremes", ties(dtype), "b", function, "int64")
            yield along(name, "many elements", source.tensor(dtype, a=41), "a", function, "int64")
            yield along(name, "one axis beside an empty one", source.tensor(dtype, a=2, b=0), "a",
                        function, "int64")
            if name == "order":
                yield along(name, "an empty axis", source.tensor(dtype, a=2, b=0), "b", function,
                            "int64")


def cumsum(x, axis):
    # NumPy alone would sum int32 in int64.
    return np.cumsum(x, axis=axis, dtype=x.dtype)


def cumsum_to_end(x, axis):
    return np.flip(cumsum(np.flip(x, axis), axis), axis)


def cumsum_case(function, title, tensor, axis):
    magnitude = largest(function(np.abs(wide(tensor)), tensor.position(axis)))
    return along(function.__name__, title, tensor, axis, function,
                 accuracy=folded(tensor.dtype, tensor.size(axis), magnitude))


def cumsum_cases(function):
    for dtype in NUMBERS:
        source = Source(function.__name__, dtype)
        cube = source.tensor(dtype, a=3, b=4, c=1, d=2)
        for axis in "abc":
            yield cumsum_case(function, f"axis {axis} of four", cube, axis)
        yield cumsum_case(function, "an empty axis", source.tensor(dtype, a=2, b=0), "b")
        yield cumsum_case(function, "one axis beside an empty one", source.tensor(dtype, a=2, b=0), "a")
        values = [1, np.inf, -np.inf, 2, np.nan] if is_real(dtype) else \
            [np.iinfo(dtype).max, 1, np.iinfo(dtype).min, -1, -1]
        yield cumsum_case(function, "special values", named(values, "a", dtype), "a")


def matrices(source, dtype, count):
    """Well-conditioned matrices over row × column, and batches of them."""
    batch = source.tensor(dtype, batch=2, row=count, head=1, column=count)
    batch.array += 3 * np.eye(count, dtype=dtype)[:, np.newaxis, :]
    yield "a batch of matrices", batch
    yield "one matrix", Named(batch.array[0, :, 0, :], ["row", "column"])


def stacked(tensor):
    """The matrices as the last two axes of an array in double, and the names of the other axes."""
    rest = tensor.without(["row", "column"])
    return wide(tensor.ordered(rest + ["row", "column"])), rest


def matrix_accuracy(count, magnitude):
    """Of an elimination in double with count² operations per element, rounded once."""
    return Accuracy(roundings=1, terms=4 * count * count + 1, magnitude=magnitude)


def det_case(title, tensor):
    matrix, rest = stacked(tensor)
    output = np.linalg.det(matrix).astype(tensor.dtype)
    bound = largest(np.prod(np.linalg.norm(matrix, axis=-1), axis=-1))  # Hadamard
    return Case("det", f"{title} of {tensor.dtype}", [tensor], [Named(np.asarray(output), rest)],
                ["row", "column"], accuracy=matrix_accuracy(matrix.shape[-1], bound))


def condition(matrix):
    return largest(np.linalg.cond(matrix)) if matrix.size else 0


def inverse_case(title, tensor):
    matrix, rest = stacked(tensor)
    found = np.linalg.inv(matrix)
    # NumPy's rows answer our columns: A ⊙_column B_{row→row'} = I, so B's names stay with A's.
    output = Named(found.astype(tensor.dtype), rest + ["column", "row"]).ordered(tensor.axes)
    accuracy = matrix_accuracy(matrix.shape[-1], condition(matrix) * largest(found))
    return Case("inverse", f"{title} of {tensor.dtype}", [tensor], [output], ["row", "column"],
                accuracy=accuracy)


def solve_case(title, tensor, right):
    """`right` has the axis row; its other axes are lifted."""
    matrix, rest = stacked(tensor)
    extra = [axis for axis in right.axes if axis != "row" and axis not in rest]
    shared = [axis for axis in rest if axis in right.axes]
    vectors = wide(right.ordered(shared + ["row"] + extra))
    sizes = [right.size(axis) if axis in right.axes else 1 for axis in rest]
    columns = vectors.reshape(*sizes, right.size("row"), -1)
    columns = np.broadcast_to(columns, matrix.shape[:-2] + columns.shape[-2:])
    found = np.linalg.solve(matrix, columns)
    shape = found.shape[:-1] + tuple(right.size(axis) for axis in extra)
    output = Named(found.reshape(shape).astype(tensor.dtype), rest + ["column"] + extra)
    accuracy = matrix_accuracy(matrix.shape[-1], condition(matrix) * largest(found))
    return Case("solve", f"{title} of {tensor.dtype}", [tensor, right], [output],
                ["row", "column"], accuracy=accuracy)


def matrix_cases():
    for dtype in REALS:
        for count in (1, 2, 5):
            source = Source("matrix", dtype, str(count))
            for what, tensor in matrices(source, dtype, count):
                title = f"{what}, size {count},"
                yield det_case(title, tensor)
                yield inverse_case(title, tensor)
                yield solve_case(f"a vector and {title}", tensor, source.tensor(dtype, row=count))
                yield solve_case(f"further axes and {title}", tensor,
                                 source.tensor(dtype, point=3, row=count))
            batch = next(matrices(source, dtype, count))[1]
            yield solve_case(f"a vector for each matrix, size {count},", batch,
                             source.tensor(dtype, row=count, batch=2))
        exchange = named(np.eye(4)[[1, 2, 3, 0]], "row column", dtype)
        yield det_case("an odd permutation", exchange)
        yield inverse_case("an odd permutation", exchange)
        yield det_case("a singular matrix", named([[1, 2], [2, 4]], "row column", dtype))
        yield det_case("a matrix with NaN", named([[1, np.nan], [2, 4]], "row column", dtype))
        nothing = named(np.zeros((0, 0)), "row column", dtype)
        yield det_case("no rows", nothing)
        yield inverse_case("no rows", nothing)
        yield det_case("no matrices", named(np.zeros((0, 2, 2)), "batch row column", dtype))
        yield inverse_case("no matrices", named(np.zeros((0, 2, 2)), "batch row column", dtype))


def cases():
    yield from position_cases()
    yield from cumsum_cases(cumsum)
    yield from cumsum_cases(cumsum_to_end)
    yield from matrix_cases()

"""Indexing with positions, with slices, and with tensors of integers (the paper's four uses)."""

import numpy as np

from .case import ANYTHING, INTEGERS, Case, Named, Source, named


def at(title, tensor, record):
    where = tuple(record.get(axis, slice(None)) for axis in tensor.axes)
    return Case("at", f"{title} of {tensor.dtype}", [tensor],
                [Named(np.asarray(tensor.array[where]), tensor.without(record))],
                parameters={"record": record})


def at_cases(dtype, source):
    cube = source.mixed(dtype, a=2, b=3, c=1, d=2)
    yield at("one element", cube, {"a": 1, "b": 2, "c": 0, "d": 0})
    yield at("one axis", cube, {"b": 1})
    yield at("two axes", cube, {"d": 1, "a": 0})
    yield at("one axis beside an empty one", source.mixed(dtype, a=2, b=0), {"a": 1})


def slice_case(title, tensor, ranges):
    where = tuple(slice(*ranges[axis]) if axis in ranges else slice(None) for axis in tensor.axes)
    return Case("slice", f"{title} of {tensor.dtype}", [tensor],
                [Named(tensor.array[where], tensor.axes)], parameters={"ranges": ranges})


def slice_cases(dtype, source):
    cube = source.mixed(dtype, a=2, b=7, c=1, d=2)
    yield slice_case("the beginning", cube, {"b": [0, 3, 1]})
    yield slice_case("the middle", cube, {"b": [2, 5, 1]})
    yield slice_case("every second position", cube, {"b": [0, 7, 2]})
    yield slice_case("every third position from one on", cube, {"b": [1, 7, 3]})
    yield slice_case("a step beyond the end", cube, {"b": [4, 7, 9]})
    yield slice_case("no position", cube, {"b": [3, 3, 1]})
    yield slice_case("two axes", cube, {"b": [1, 6, 2], "d": [1, 2, 1]})
    yield slice_case("an empty axis", source.mixed(dtype, a=0, b=2), {"a": [0, 0, 1]})


def subscript_cases(dtype, source):
    """An index, a slice, a tensor of indices and a renaming in one subscript."""
    cube = source.mixed(dtype, a=2, b=5, c=3, d=2)
    indices = named([2, 0], "e", "int64")
    found = cube.array[1, 1:5:2][:, indices.array]
    yield Case("subscript", f"four parts at once of {dtype}", [cube, indices],
               [Named(found, ["b", "e", "f"])])


def reverse_cases(dtype, source):
    cube = source.mixed(dtype, a=2, b=5, c=1, d=0)
    solid = source.mixed(dtype, a=2, b=5, c=1)
    for title, tensor, axis in [("one axis", solid, "b"), ("a single position", solid, "c"),
                                ("an empty axis", cube, "d"),
                                ("one axis beside an empty one", cube, "b")]:
        yield Case("reverse", f"{title} of {dtype}", [tensor],
                   [Named(np.flip(tensor.array, tensor.position(axis)), tensor.axes)], [axis])


def take(title, source, indices, axis):
    """index(axis, source, indices) where both have no other axis in common: np.take."""
    found = np.take(source.array, indices.array, source.position(axis))
    before = source.axes[:source.position(axis)]
    after = source.axes[source.position(axis) + 1:]
    return Case("index", f"{title} of {source.dtype}", [source, indices],
                [Named(found, before + indices.axes + after)], [axis])


def gather(title, source, indices, axis):
    """The same where other axes are aligned: np.take_along_axis."""
    shared = [name for name in source.axes if name in indices.axes and name != axis]
    extra = [name for name in source.axes if name not in shared and name != axis]
    new = indices.without(shared)
    rows = source.ordered(shared + [axis] + extra).array
    chosen = indices.ordered(shared + new).array
    kept = chosen.shape[:len(shared)]
    flat = chosen.reshape(*kept, -1, *[1] * len(extra))
    found = np.take_along_axis(rows, flat, len(shared))
    shape = (*chosen.shape, *[source.size(name) for name in extra])
    return Case("index", f"{title} of {source.dtype}", [source, indices],
                [Named(found.reshape(shape), shared + new + extra)], [axis])


def index_cases(dtype, source):
    for index in INTEGERS if dtype == "float32" else ["int64"]:
        def draw(high, index=index, **sizes):
            return source.tensor(index, 0, high - 1, **sizes)

        embedding = source.mixed(dtype, vocab=5, emb=2)
        scores = source.mixed(dtype, seq=3, vocab=5)
        batch = source.mixed(dtype, batch=2, seq=3, vocab=5)
        yield take(f"one word by {index}:", embedding, draw(5), "vocab")
        yield take(f"a sequence of words by {index}:", embedding, draw(5, seq=4), "vocab")
        yield gather(f"a score for each position by {index}:", scores, draw(5, seq=3), "vocab")
        yield gather(f"batches by {index}:", batch, draw(5, seq=3, batch=2), "vocab")
        yield gather(f"batches and more indices by {index}:", batch, draw(5, batch=2, beam=2),
                     "vocab")
        yield take(f"along an axis of the same name by {index}:", embedding, draw(5, vocab=3),
                   "vocab")
        yield gather(f"along an axis of the same name, aligned, by {index}:", scores,
                     draw(5, seq=3, vocab=2), "vocab")
        yield take(f"no words by {index}:", embedding, draw(5, seq=0), "vocab")
        yield take(f"two axes of words by {index}:", embedding, draw(5, page=2, line=2), "vocab")
    number = named(3, dtype="int64")
    found = take("one word by a number:", embedding, number, "vocab")
    found.inputs[1] = 3
    yield found


def select_cases(dtype, source):
    """The same, spelled X[vocab(I)]."""
    embedding = source.mixed(dtype, vocab=5, emb=2)
    case = take("a sequence of words", embedding, source.tensor("int64", 0, 4, seq=4), "vocab")
    case.operation = "select"
    yield case


def twice_cases(dtype, source):
    """The words J at the positions I: index(vocab, index(seq, P, I), J)."""
    scores = source.mixed(dtype, seq=4, vocab=5)
    positions = source.tensor("int64", 0, 3, subseq=3)
    words = source.tensor("int64", 0, 4, subseq=3)
    found = scores.array[positions.array, words.array]
    yield Case("index_twice", f"words at positions of {dtype}", [scores, positions, words],
               [Named(found, ["subseq"])], ["seq", "vocab"])


def cases():
    for topic in (at_cases, slice_cases, subscript_cases, reverse_cases, index_cases, select_cases,
                  twice_cases):
        for dtype in ANYTHING:
            yield from topic(dtype, Source(topic.__name__, dtype))

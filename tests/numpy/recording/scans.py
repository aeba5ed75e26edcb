"""Recurrences along an axis, as loops. The steps are the ones that functions.cpp names alike."""

import numpy as np

from .case import (EXACT, NUMBERS, REALS, Case, Named, Source, composed, is_real, largest, named,
                   wide)


def narrowed(array, dtype):
    return np.asarray(array).astype(dtype)


def run(step, states, sequences, reverse):
    """All states along a new first axis, at the positions where they arise."""
    count = sequences[0].shape[0]
    history = [[None] * count for _ in states]
    for k in range(count):
        position = count - 1 - k if reverse else k
        states = step(states, [sequence[position] for sequence in sequences])
        for trail, state in zip(history, states):
            trail[position] = state
    return [np.stack(trail) if count else np.zeros((0, *np.shape(state)))
            for trail, state in zip(history, states)]


def scan(name, title, initial, inputs, step, axes, reverse, nodes, extra=()):
    """A case; arrays are in double, time first, and `axes` are those of each state."""
    dtype = inputs[0].dtype
    states = [wide(state) if isinstance(state, Named) else np.asarray(state) for state in initial]
    sequences = [wide(tensor) for tensor in inputs]
    found = run(step, states, sequences, reverse)
    count = sequences[0].shape[0]
    accuracy = composed(dtype, nodes * (count + 1), largest(*found) if count else 0) \
        if is_real(dtype) else EXACT
    outputs = [Named(narrowed(array, dtype), ["time"] + names) for array, names in zip(found, axes)]
    return Case(name, f"{title}{' in reverse' if reverse else ''} of {dtype}",
                [*initial, *inputs, *extra], outputs, ["time"], {"reverse": reverse},
                accuracy=accuracy)


def product_cases():
    """s ⊙ x, from the number 1; integers wrap around."""
    def step(states, slices):
        return [states[0] * slices[0]]

    for dtype in NUMBERS:
        source = Source("scan_product", dtype)
        low, high = (0.5, 1.5) if is_real(dtype) else (2**20, 2**21)
        for reverse in (False, True):
            line = source.tensor(dtype, low, high, time=6)
            yield scan("scan_product", "one axis", [1], [line], step, [[]], reverse, 1)
            plane = source.tensor(dtype, low, high, time=3, a=2, b=1)
            yield scan("scan_product", "slices with axes", [1], [plane], step, [["a", "b"]],
                       reverse, 1)
        single = source.tensor(dtype, low, high, time=1)
        yield scan("scan_product", "a single position", [1], [single], step, [[]], False, 1)
        nothing = source.tensor(dtype, low, high, time=0)
        yield scan("scan_product", "an empty axis", [1], [nothing], step, [[]], False, 1)


def affine_cases():
    """s ⊙ x + y with two inputs; the state has an axis of its own and meets another."""
    for dtype in NUMBERS:
        source = Source("scan_affine", dtype)
        for reverse in (False, True):
            low, high = (-1, 1) if is_real(dtype) else (-9, 9)
            state = source.tensor(dtype, low, high, a=2)
            factors = source.tensor(dtype, low, high, time=4, a=2)
            terms = source.tensor(dtype, low, high, time=4, b=3)

            def step(states, slices):
                broad = states[0] if states[0].ndim == 2 else states[0][:, np.newaxis]
                return [broad * slices[0][:, np.newaxis] + slices[1]]
            yield scan("scan_affine", "two inputs", [state], [factors, terms], step, [["a", "b"]],
                       reverse, 2)


def rnn_cases():
    """tanh(W ⊙_hidden s + x), lifted over a batch; the step captures W."""
    for dtype in REALS:
        source = Source("scan_rnn", dtype)
        for reverse in (False, True):
            state = source.tensor(dtype, -1, 1, hidden=3)
            inputs = source.tensor(dtype, -1, 1, time=5, batch=2, hidden=3)
            weights = source.tensor(dtype, -0.3, 0.3, **{"hidden'": 3, "hidden": 3})

            def step(states, slices, weights=weights):
                return [np.tanh(states[0] @ wide(weights).T + slices[0])]
            yield scan("scan_rnn", "a batch", [state], [inputs], step, [["batch", "hidden"]],
                       reverse, 3 + 3, extra=[weights])


def pair_cases():
    """Two states at once, position and velocity: (p + v, v ⊙ x), of different shapes."""
    for dtype in NUMBERS:
        source = Source("scan_pair", dtype)
        for reverse in (False, True):
            place = source.tensor(dtype, -2, 2, a=2, b=2)
            speed = source.tensor(dtype, -2, 2, a=2)
            inputs = source.tensor(dtype, -1, 1, time=4)

            def step(states, slices):
                return [states[0] + states[1][:, np.newaxis], states[1] * slices[0]]
            yield scan("scan_pair", "two states", [place, speed], [inputs], step,
                       [["a", "b"], ["a"]], reverse, 2)
        nothing = named([], "time", dtype)
        yield scan("scan_pair", "an empty axis", [place, speed], [nothing], step,
                   [["a", "b"], ["a"]], False, 2)


def cases():
    yield from product_cases()
    yield from affine_cases()
    yield from rnn_cases()
    yield from pair_cases()

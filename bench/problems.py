"""What each formula takes and gives: the axes of its tensors, and what follows from their sizes."""

import dataclasses
import math
import typing

import numpy

Sizes = dict[str, int]


@dataclasses.dataclass(frozen=True)
class Given:
    """An input: its elements, with one axis name for each dimension."""

    axes: str
    elements: numpy.ndarray

    def in_order(self, axes: str) -> numpy.ndarray:
        """The elements with their dimensions in another order."""
        mine = self.axes.split()
        return self.elements.transpose([mine.index(axis) for axis in axes.split()])


@dataclasses.dataclass(frozen=True)
class Problem:
    """A formula's inputs and results as axes, and what follows from the sizes of these."""

    inputs: dict[str, str]
    results: list[str]
    terms: typing.Callable[[Sizes], int]  # numbers added up on the way to a result
    operations: typing.Callable[[Sizes], float] | None = None  # additions and multiplications
    integers: dict[str, str] = dataclasses.field(default_factory=dict)  # they index this axis
    contracted: dict[str, str] = dataclasses.field(default_factory=dict)  # scales weights
    tiny: Sizes = dataclasses.field(default_factory=dict)

    def draw(self, sizes: Sizes) -> dict[str, Given]:
        """Random inputs; the same ones each time."""
        random = numpy.random.default_rng(1)
        return {name: Given(present(axes, sizes), self.elements(random, name, axes, sizes))
                for name, axes in self.inputs.items()}

    def elements(self, random: numpy.random.Generator, name: str, axes: str,
                 sizes: Sizes) -> numpy.ndarray:
        """Positions on an axis, or normal numbers such that sums of products stay near one."""
        shape = [sizes[axis] for axis in present(axes, sizes).split()]
        if name in self.integers:
            return random.integers(0, sizes[self.integers[name]], shape)
        scale = volume(sizes, self.contracted.get(name, "")) ** -0.5
        return numpy.asarray(random.standard_normal(shape, numpy.float32) * numpy.float32(scale))


def present(axes: str, sizes: Sizes) -> str:
    """Those of the axes that have a size: a row may leave out a batch."""
    return " ".join(axis for axis in axes.split() if axis in sizes)


def volume(sizes: Sizes, axes: str) -> int:
    """The product of the sizes of these axes; axes without a size count as one."""
    return math.prod(sizes.get(axis, 1) for axis in axes.split())


def attention_operations(s: Sizes) -> float:
    """Two products of matrices for each head."""
    return 4 * volume(s, "batch heads queries seq key")


def lenet_operations(s: Sizes) -> float:
    """Both convolutions and both full layers."""
    first = volume(s, "maps height width chans kh kw")
    second = volume(s, "layer maps kh kw") * 4  # pooling leaves a quarter
    full = volume(s, "layer hidden") + volume(s, "hidden classes")
    return 2 * s["batch"] * (first + second + full)


def transformer_operations(s: Sizes) -> float:
    """Products with weights, and attention to half of the positions."""
    block = 4 * s["layer"] ** 2 + 2 * volume(s, "layer hidden") + volume(s, "seq layer")
    return 2 * volume(s, "batch seq") * (LAYERS * block + volume(s, "layer vocab"))


LAYERS = 4
BLOCK = {"W_Q": "heads key layer", "W_K": "heads key layer", "W_V": "heads val layer",
         "W_O": "layer heads val", "gamma1_": "layer", "beta1_": "layer", "gamma2_": "layer",
         "beta2_": "layer", "W1_": "hidden layer", "b1_": "hidden", "W2_": "layer hidden",
         "b2_": "layer"}
BLOCK_CONTRACTED = {"W_Q": "layer", "W_K": "layer", "W_V": "layer", "W_O": "heads val",
                    "W1_": "layer", "W2_": "hidden"}
TRANSFORMER_PARAMETERS = dict(sorted(
    ({"E": "vocab layer"} | {f"{name}{layer}": axes for name, axes in BLOCK.items()
                             for layer in range(LAYERS)}).items()))
LENET_PARAMETERS = {"W1": "maps chans kh kw", "b1": "maps", "W2": "features maps kh kw",
                    "b2": "features", "W3": "hidden layer", "b3": "hidden", "W4": "classes hidden",
                    "b4": "classes"}

ATTENTION = {"Q": "batch heads queries key", "K": "batch heads seq key", "V": "batch heads seq val"}
ATTENDED = "batch heads queries val"
ATTENTION_TINY = {"batch": 2, "heads": 2, "queries": 3, "seq": 4, "key": 5, "val": 3}
LENET = Problem(
    {"X": "batch chans height width"} | LENET_PARAMETERS, ["batch classes"],
    lambda s: 175 + volume(s, "layer") + volume(s, "hidden"), lenet_operations,
    contracted={"W1": "chans kh kw", "W2": "maps kh kw", "W3": "layer", "W4": "hidden"},
    tiny={"batch": 2, "hidden": 7, "classes": 3})
TRANSFORMER = Problem(
    {"words": "batch seq", "positions": "seq layer"} | TRANSFORMER_PARAMETERS, ["batch seq vocab"],
    lambda s: LAYERS * (2 * s["layer"] + s["hidden"] + s["seq"]), transformer_operations,
    integers={"words": "vocab"},
    contracted={"E": "layer"} | {f"{name}{layer}": axes for name, axes in BLOCK_CONTRACTED.items()
                                 for layer in range(LAYERS)},
    tiny={"batch": 2, "seq": 3, "layer": 6, "hidden": 5, "heads": 2, "key": 3, "val": 3,
          "vocab": 7})


def training(model: Problem, parameters: dict[str, str], labels: str, axes: str, indexed: str
             ) -> Problem:
    """A step of gradient descent gives the loss and all parameters, for three times the work."""
    return dataclasses.replace(
        model, inputs=model.inputs | {labels: axes}, integers=model.integers | {labels: indexed},
        results=["", *parameters.values()],
        terms=lambda s: 3 * model.terms(s) + volume(s, axes),
        operations=lambda s: 3 * model.operations(s))


PROBLEMS = {
    "contraction": Problem(
        {"A": "batch m k", "B": "batch k n"}, ["batch m n"],
        lambda s: s["k"], lambda s: 2 * volume(s, "batch m k n"),
        tiny={"batch": 2, "m": 3, "k": 4, "n": 5}),
    "gate": Problem({"a": "", "b": "", "x": "x"}, ["x"], lambda s: 4, tiny={"x": 11}),
    "softmax": Problem({"X": "rows over columns"}, ["rows over columns"], lambda s: s["over"],
                       tiny={"rows": 3, "over": 4, "columns": 2}),
    "layer_norm": Problem({"X": "rows layer", "gamma": "layer", "beta": "layer"}, ["rows layer"],
                          lambda s: s["layer"], tiny={"rows": 3, "layer": 7}),
    "attention": Problem(ATTENTION, [ATTENDED], lambda s: s["key"] + s["seq"], attention_operations,
                         tiny=ATTENTION_TINY),
    "attention_gradients": Problem(
        ATTENTION | {"G": ATTENDED}, [ATTENDED, *ATTENTION.values()],
        lambda s: 3 * (s["key"] + s["seq"]), lambda s: 3 * attention_operations(s),
        tiny=ATTENTION_TINY),
    "convolution": Problem(
        {"X": "batch chans height width", "W": "chans' chans kh kw"},
        ["batch chans' height width"], lambda s: volume(s, "chans kh kw"),
        lambda s: 2 * volume(s, "batch chans' height width chans kh kw"),
        contracted={"W": "chans kh kw"},
        tiny={"batch": 2, "chans": 3, "chans'": 4, "height": 5, "width": 6}),
    "lenet": LENET,
    "lenet_training": training(LENET, LENET_PARAMETERS, "labels", "batch", "classes"),
    "transformer": TRANSFORMER,
    "transformer_training": training(TRANSFORMER, TRANSFORMER_PARAMETERS, "next", "batch seq",
                                     "vocab"),
    "quadratic_hessian": Problem({"A": "n n'", "x": "n"}, ["n* n†"], lambda s: 2,
                                 contracted={"A": "n"}, tiny={"n": 5, "n'": 5}),
    "logistic_hessian": Problem({"X": "m n", "y": "m", "w": "n"}, ["n* n†"], lambda s: s["m"],
                                lambda s: 2 * s["m"] * s["n"] ** 2, contracted={"w": "n"},
                                tiny={"m": 6, "n": 3}),
    "tanh_hessian": Problem({"W": "h n", "x": "n", "v": "h"}, ["n* n†"], lambda s: s["h"],
                            lambda s: 2 * s["h"] * s["n"] ** 2, contracted={"W": "n"},
                            tiny={"h": 3, "n": 4}),
    "softmax_jacobian": Problem({"W": "h n", "x": "n"}, ["h n*"], lambda s: s["n"] + s["h"],
                                contracted={"W": "n"}, tiny={"h": 3, "n": 4}),
    "factorization_hessian": Problem(
        {"T": "row column", "U": "row rank", "V": "column rank"}, ["rank* rank†"],
        lambda s: s["column"], tiny={"row": 4, "column": 3, "rank": 2}),
    "addition": Problem({"A": "row column", "B": "row column"}, ["row column"], lambda s: 1),
    "planning": Problem({"W": "layer' layer", "b": "layer'", "x": "layer", "nodes": "count"},
                        ["layer"], lambda s: s["count"], contracted={"W": "layer"},
                        tiny={"count": 20}),
}
# The same formulas, of which something else is measured than how long they take.
OTHERWISE_MEASURED = {"first_step_cold": "transformer_training",
                      "first_step_warm": "transformer_training", "attention_memory": "attention"}
for name, formula in OTHERWISE_MEASURED.items():
    PROBLEMS[name] = dataclasses.replace(PROBLEMS[formula], operations=None)

"""The table of workloads: sizes, orders of axes in memory, and the targets they have to reach."""

import dataclasses
import functools
import itertools
import typing

from problems import PROBLEMS, Given, Problem, Sizes, present

Targets = dict[str, float]


@dataclasses.dataclass(frozen=True)
class Row:
    """A formula at some sizes. A target is the least ratio of a peer's time to ours; `best` is the
    fastest peer, `peak` a share of the machine's, and `most` bounds what is measured."""

    name: str
    formula: str
    sizes: Sizes
    targets: Targets
    orders: tuple[dict[str, str], ...] = ({},)  # axes in memory, by input; each has to be fast

    @property
    def unit(self) -> str:
        """What is measured: seconds or bytes."""
        return "B" if self.formula.endswith("memory") else "s"

    @property
    def problem(self) -> Problem:
        """What the formula takes and gives."""
        return PROBLEMS[self.formula]

    @functools.cached_property
    def inputs(self) -> dict[str, Given]:
        """Random inputs, drawn once."""
        return self.problem.draw(self.sizes)

    @property
    def results(self) -> list[str]:
        """The axes of each result, in the order in which results are compared."""
        extra = {axis + mark: size for axis, size in self.sizes.items() for mark in "*†"}
        return [present(axes, self.sizes | extra) for axes in self.problem.results]

    @property
    def tolerance(self) -> float:
        """How far results may differ, relative to the largest: roundings walk at random."""
        return 16 * 2**-24 * self.problem.terms(self.sizes) ** 0.5

    def tiny(self) -> "Row":
        """The same with sizes at which the slowest evaluator takes no time."""
        tiny = self.problem.tiny
        return self.resized({axis: min(size, tiny.get(axis, size))
                             for axis, size in self.sizes.items()})

    def resized(self, sizes: Sizes) -> "Row":
        """The same with other sizes."""
        return dataclasses.replace(self, sizes=sizes)


def table(formula: str, targets: Targets, *lines: tuple[str, dict[str, typing.Any]],
          orders: tuple[dict[str, str], ...] = ({},)) -> list[Row]:
    """Rows of one formula that differ in sizes; a line may name targets of its own."""
    return [Row(f"{formula.replace('_', ' ')} {name}".strip(), formula,
                {axis: size for axis, size in sizes.items() if axis != "targets"},
                targets | sizes.get("targets", {}), orders)
            for name, sizes in lines]


def contractions() -> list[Row]:
    """Every shape with every order in which its operands may lie in memory."""
    shapes = [(64, 64, 64, 1), (128, 128, 128, 1), (512, 512, 512, 1), (2048, 2048, 2048, 1),
              (8192, 64, 64, 1), (64, 8192, 64, 1), (64, 64, 8192, 1), (16, 1024, 1024, 1),
              (1, 1024, 1024, 1), (64, 64, 64, 128), (512, 512, 64, 64), (512, 64, 512, 64)]
    rows = []
    for m, n, k, batch in shapes:
        sizes = {"m": m, "n": n, "k": k} | ({"batch": batch} if batch > 1 else {})
        name = f"{m}×{n}×{k}" + (f" × {batch}" if batch > 1 else "")
        rows += table("contraction", {"best": 0.95}, (name, sizes),
                      orders=operand_orders(batch > 1))
    return rows


def operand_orders(batched: bool) -> tuple[dict[str, str], ...]:
    """Both operands as they are and transposed; with a batch that comes first, between or last."""
    plain = itertools.product(("m k", "k m"), ("k n", "n k"))
    if not batched:
        return tuple({"A": left, "B": right} for left, right in plain)
    first = [{"A": f"batch {left}", "B": f"batch {right}"} for left, right in plain]
    return (*first, {"A": "m batch k", "B": "k batch n"}, {"A": "m k batch", "B": "k n batch"})


def square(n: int, axes: str, **targets: float) -> dict[str, typing.Any]:
    """All axes of one size, with targets."""
    return dict.fromkeys(axes.split(), n) | {"targets": targets}


def hessians() -> list[Row]:
    """Derivatives, compared with PyTorch and with the closed form in NumPy."""
    floor = {"NumPy": 1 / 1.2}
    rows = []
    for n, quadratic, logistic, hyperbolic, softmax, factorization in (
            (100, 105, 9, 15, 16, 500), (300, 28, 4, 3, 11, 1800), (1000, 55, 2, 2, 30, 3000)):
        name = f"n = {n}"
        rows += table("quadratic_hessian", floor, (name, square(n, "n n'", torch=quadratic)))
        rows += table("logistic_hessian", floor,
                      (name, square(n, "n", torch=logistic) | {"m": 2 * n}))
        rows += table("tanh_hessian", floor, (name, square(n, "n h", torch=hyperbolic)))
        rows += table("softmax_jacobian", floor, (name, square(n, "n h", torch=softmax)))
        rows += table("factorization_hessian", floor,
                      (name, square(n, "row column", torch=factorization) | {"rank": 5}))
    return sorted(rows, key=lambda row: row.formula)


ATTENTION = {"batch": 8, "heads": 8, "key": 64, "val": 64}
IMAGES = {"chans": 64, "chans'": 64, "height": 56, "width": 56, "kh": 3, "kw": 3}
LENET = {"batch": 64, "chans": 1, "maps": 6, "features": 16, "height": 28, "width": 28, "kh": 5,
         "kw": 5, "layer": 400, "hidden": 120, "classes": 10}
TRANSFORMER = {"batch": 16, "seq": 128, "layer": 256, "heads": 8, "key": 32, "val": 32,
               "hidden": 1024, "vocab": 1000}

ROWS = [
    *contractions(),
    *table("gate", {"torch": 4, "ORT": 2.7, "copy": 1 / 2.4},
           ("16 M", {"x": 1 << 24}), ("64 K", {"x": 1 << 16})),
    *table("softmax", {"torch": 1.7, "ORT": 1.0},
           ("last axis, 4096²", {"rows": 4096, "over": 4096}),
           ("last axis, 32×128×128", {"rows": 4096, "over": 128})),
    *table("softmax", {"torch": 3.5, "ORT": 5},
           ("first axis, 4096²", {"over": 4096, "columns": 4096}),
           ("middle axis, 32×128×128", {"rows": 32, "over": 128, "columns": 128})),
    *table("layer_norm", {"torch": 2.5, "ORT": 2, "copy": 1 / 1.8},
           ("4096×1024", {"rows": 4096, "layer": 1024}),
           ("2048×256", {"rows": 2048, "layer": 256})),
    *table("attention", {"torch": 1.8, "ORT": 1.1},
           ("seq 512", ATTENTION | {"queries": 512, "seq": 512}),
           ("seq 2048", ATTENTION | {"queries": 2048, "seq": 2048})),
    *table("attention_memory", {"most": 4 * 8 * 8 * 2048 * 64 * 4},  # four times the result
           ("seq 2048", ATTENTION | {"queries": 2048, "seq": 2048})),
    *table("attention_gradients", {"torch": 1.4},
           ("seq 512", ATTENTION | {"queries": 512, "seq": 512})),
    *table("convolution", {"torch": 1.6, "ORT": 1.0, "oneDNN": 0.95},
           ("batch 1", IMAGES | {"batch": 1}), ("batch 16", IMAGES | {"batch": 16}),
           orders=({}, {"X": "batch height width chans"})),
    *table("lenet", {"torch": 3, "ORT": 1.2}, ("", LENET)),
    *table("lenet_training", {"torch": 2.5}, ("", LENET)),
    *table("transformer", {"torch": 1.3, "ORT": 1.15, "peak": 0.8}, ("", TRANSFORMER)),
    *table("transformer_training", {"torch": 1.35, "peak": 0.8}, ("", TRANSFORMER)),
    *hessians(),
    *table("addition", {"torch": 6, "most": 0.25e-6}, ("3×3", {"row": 3, "column": 3})),
    *table("planning", {},
           *((f"{nodes} nodes", {"layer": 2, "layer'": 2, "count": nodes,
                                 "targets": {"most": nodes * 1e-4}})
             for nodes in (100, 1000, 10000))),
    *table("first_step_cold", {"most": 2}, ("", TRANSFORMER)),
    *table("first_step_warm", {"most": 0.1}, ("", TRANSFORMER)),
]


def row_named(name: str) -> Row:
    """The row of this name."""
    return next(row for row in ROWS if row.name == name)

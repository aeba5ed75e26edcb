"""NumPy: closed forms of derivatives, which are timed, and plain definitions, which only check."""

import numpy

from problems import LAYERS
from timing import Candidate, repeated
from workloads import Row

Arrays = dict[str, numpy.ndarray]


def softmax(x: numpy.ndarray, axis: int) -> numpy.ndarray:
    """exp x / Σ exp x, without overflow."""
    e = numpy.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def standardized(x: numpy.ndarray) -> numpy.ndarray:
    """Mean zero and variance one along the last axis."""
    return (x - x.mean(-1, keepdims=True)) / numpy.sqrt(x.var(-1, keepdims=True) + 1e-5)


def convolved(x: numpy.ndarray, w: numpy.ndarray, padding: int) -> numpy.ndarray:
    """Sums of products with windows."""
    padded = numpy.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    windows = numpy.lib.stride_tricks.sliding_window_view(padded, w.shape[2:], (2, 3))
    return numpy.einsum("bchwij,ocij->bohw", windows, w, optimize=True)


def halved(x: numpy.ndarray) -> numpy.ndarray:
    """The largest of every two by two."""
    b, c, h, w = x.shape
    return x.reshape(b, c, h // 2, 2, w // 2, 2).max((3, 5))


def attention(q, k, v, mask=0):
    """The weights of attention, and what it gives."""
    weights = softmax(q @ k.swapaxes(-1, -2) / numpy.sqrt(k.shape[-1]) + mask, -1)
    return weights, weights @ v


def attention_gradients(a: Arrays) -> list[numpy.ndarray]:
    """Attention and its gradients by hand."""
    scale = a["K"].shape[-1] ** -0.5
    weights, y = attention(a["Q"], a["K"], a["V"])
    d_weights = a["G"] @ a["V"].swapaxes(-1, -2)
    d_scores = weights * (d_weights - (weights * d_weights).sum(-1, keepdims=True)) * scale
    return [y, d_scores @ a["K"], d_scores.swapaxes(-1, -2) @ a["Q"],
            weights.swapaxes(-1, -2) @ a["G"]]


def lenet(a: Arrays) -> list[numpy.ndarray]:
    """Two convolutions with pooling, then two full layers."""
    x = halved(numpy.maximum(convolved(a["X"], a["W1"], 2) + a["b1"][:, None, None], 0))
    x = halved(numpy.maximum(convolved(x, a["W2"], 0) + a["b2"][:, None, None], 0))
    x = numpy.maximum(x.reshape(len(x), -1) @ a["W3"].T + a["b3"], 0)
    return [softmax(x @ a["W4"].T + a["b4"], -1)]


def transformer(a: Arrays) -> list[numpy.ndarray]:
    """A Transformer with layer norm after each addition."""
    size, width = a["positions"].shape
    mask = numpy.where(numpy.tri(size, dtype=bool), 0, -numpy.inf)
    x = a["E"][a["words"]] * numpy.sqrt(width) + a["positions"]
    for layer in range(LAYERS):
        p = {name[:-1]: value for name, value in a.items() if name.endswith(str(layer))}
        q, k, v = (numpy.einsum("hkl,bsl->bhsk", p[name], x) for name in ("W_Q", "W_K", "W_V"))
        _, y = attention(q, k, v, mask)
        x = standardized(numpy.einsum("lhv,bhsv->bsl", p["W_O"], y) + x)
        x = x * p["gamma1_"] + p["beta1_"]
        inner = numpy.maximum(x @ p["W1_"].T + p["b1_"], 0)
        x = standardized(inner @ p["W2_"].T + p["b2_"] + x) * p["gamma2_"] + p["beta2_"]
    return [softmax(x @ a["E"].T, -1)]


def logistic_hessian(a: Arrays) -> numpy.ndarray:
    """X' diag(s (1 − s)) X"""
    s = 1 / (1 + numpy.exp(a["y"] * (a["X"] @ a["w"])))
    return a["X"].T @ ((a["y"] ** 2 * s * (1 - s))[:, None] * a["X"])


def tanh_hessian(a: Arrays) -> numpy.ndarray:
    """W' diag(−2 v t (1 − t²)) W"""
    t = numpy.tanh(a["W"] @ a["x"])
    return a["W"].T @ ((-2 * a["v"] * t * (1 - t * t))[:, None] * a["W"])


def softmax_jacobian(a: Arrays) -> numpy.ndarray:
    """(diag p − pp') W"""
    p = softmax(a["W"] @ a["x"], 0)
    return p[:, None] * (a["W"] - p @ a["W"])


TIMED = {
    "quadratic_hessian": lambda a: [a["A"] + a["A"].T],
    "logistic_hessian": lambda a: [logistic_hessian(a)],
    "tanh_hessian": lambda a: [tanh_hessian(a)],
    "softmax_jacobian": lambda a: [softmax_jacobian(a)],
    "factorization_hessian": lambda a: [2 * a["V"].T @ a["V"]],
}
CHECKING = {
    "addition": lambda a: [a["A"] + a["B"]],
    "contraction": lambda a: [a["A"] @ a["B"]],
    "gate": lambda a: [a["x"] / (1 + numpy.exp(-(a["a"] * a["x"] + a["b"])))],
    "layer_norm": lambda a: [standardized(a["X"]) * a["gamma"] + a["beta"]],
    "attention": lambda a: [attention(a["Q"], a["K"], a["V"])[1]],
    "attention_gradients": attention_gradients,
    "convolution": lambda a: [convolved(a["X"], a["W"], a["W"].shape[-1] // 2)],
    "lenet": lenet,
    "transformer": transformer,
}


def candidates(row: Row, threads: int) -> list[Candidate]:
    """The closed form, if the row has one."""
    if row.formula not in TIMED:
        return []
    arrays, form = {name: given.elements for name, given in row.inputs.items()}, TIMED[row.formula]
    return [Candidate("NumPy", "NumPy", repeated(lambda: form(arrays)), lambda: form(arrays))]


def expected(row: Row) -> list[numpy.ndarray] | None:
    """What the row should give, computed in float64; None if NumPy has no short way to say it."""
    arrays = {name: given.elements.astype(numpy.float64 if given.elements.dtype == numpy.float32
                                          else numpy.int64)
              for name, given in row.inputs.items()}
    if row.formula == "softmax":
        return [softmax(arrays["X"], row.inputs["X"].axes.split().index("over"))]
    form = (TIMED | CHECKING).get(row.formula)
    return form and form(arrays)

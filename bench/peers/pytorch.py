"""PyTorch, as its users would write the workloads; where there are several ways, all of them."""

import typing

import functorch
import torch
from torch.nn import functional

from problems import LAYERS, LENET_PARAMETERS, TRANSFORMER_PARAMETERS
from timing import Candidate, repeated
from workloads import Row

Tensors = dict[str, torch.Tensor]
Results = typing.Sequence[torch.Tensor]
LEARNING_RATE = 0.01


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor,
              mask: torch.Tensor | None = None) -> torch.Tensor:
    """softmax(QK' / √d) V"""
    scores = q @ k.transpose(-1, -2) / k.shape[-1] ** 0.5
    return torch.softmax(scores if mask is None else scores + mask, -1) @ v


def attention_gradients(a: Tensors) -> Results:
    """Attention, and its gradients weighted by G."""
    q, k, v = (a[name].requires_grad_() for name in "QKV")
    y = attention(q, k, v)
    return y, *torch.autograd.grad(y, (q, k, v), a["G"])


def lenet_scores(a: Tensors) -> torch.Tensor:
    """Two convolutions with pooling, then two full layers."""
    x = functional.max_pool2d(torch.relu(functional.conv2d(a["X"], a["W1"], a["b1"], padding=2)), 2)
    x = functional.max_pool2d(torch.relu(functional.conv2d(x, a["W2"], a["b2"])), 2)
    return functional.linear(torch.relu(functional.linear(x.flatten(1), a["W3"], a["b3"])),
                             a["W4"], a["b4"])


def transformer_scores(a: Tensors) -> torch.Tensor:
    """A Transformer with layer norm after each addition."""
    batch, size = a["words"].shape
    width = a["E"].shape[1]
    mask = torch.full((size, size), -torch.inf).triu(1)
    x = functional.embedding(a["words"], a["E"]) * width**0.5 + a["positions"]
    for layer in map(str, range(LAYERS)):
        heads = len(a["W_Q" + layer])
        q, k, v = (functional.linear(x, a[name + layer].flatten(0, 1))
                   .view(batch, size, heads, -1).transpose(1, 2) for name in ("W_Q", "W_K", "W_V"))
        y = attention(q, k, v, mask).transpose(1, 2).reshape(batch, size, -1)
        x = x + functional.linear(y, a["W_O" + layer].flatten(1))
        x = functional.layer_norm(x, (width,), a["gamma1_" + layer], a["beta1_" + layer])
        inner = torch.relu(functional.linear(x, a["W1_" + layer], a["b1_" + layer]))
        x = x + functional.linear(inner, a["W2_" + layer], a["b2_" + layer])
        x = functional.layer_norm(x, (width,), a["gamma2_" + layer], a["beta2_" + layer])
    return functional.linear(x, a["E"])


def trained(a: Tensors, scores: typing.Callable[[Tensors], torch.Tensor], labels: str,
            names: typing.Iterable[str]) -> Results:
    """The loss, and the parameters after a step of gradient descent in place."""
    parameters = [a[name].requires_grad_() for name in names]
    found = scores(a)
    loss = functional.cross_entropy(found.flatten(0, -2), a[labels].flatten())
    slopes = torch.autograd.grad(loss, parameters)
    with torch.no_grad():
        torch._foreach_add_(parameters, slopes, alpha=-LEARNING_RATE)
    return loss, *parameters


def inferred(form: typing.Callable[[Tensors], torch.Tensor]) -> typing.Callable[[Tensors], Results]:
    """A form that needs no gradients."""

    def run(a: Tensors) -> Results:
        with torch.inference_mode():
            return [form(a)]

    return run


def hessians(loss: typing.Callable[[Tensors, torch.Tensor], torch.Tensor], variable: str
             ) -> dict[str, typing.Callable[[Tensors], Results]]:
    """The Hessian by one backward pass for each element, all of these at once, and functorch."""

    def of(a: Tensors) -> typing.Callable[[torch.Tensor], torch.Tensor]:
        return lambda x: loss(a, x)

    hessian = torch.autograd.functional.hessian
    return {"loop": lambda a: [hessian(of(a), a[variable])],
            "vectorized": lambda a: [hessian(of(a), a[variable], vectorize=True)],
            "functorch": lambda a: [functorch.hessian(of(a))(a[variable])]}


def jacobians(form: typing.Callable[[Tensors, torch.Tensor], torch.Tensor], variable: str
              ) -> dict[str, typing.Callable[[Tensors], Results]]:
    """The Jacobian in reverse and in forward mode."""
    jacobian = torch.autograd.functional.jacobian
    return {"vectorized": lambda a: [jacobian(lambda x: form(a, x), a[variable], vectorize=True)],
            "forward": lambda a: [functorch.jacfwd(lambda x: form(a, x))(a[variable])]}


def factorization_loss(a: Tensors, u: torch.Tensor) -> torch.Tensor:
    """The sum of squares of T − UV'."""
    return ((a["T"] - u @ a["V"].T) ** 2).sum()


def one_block(full: typing.Callable[[Tensors], Results]) -> typing.Callable[[Tensors], Results]:
    """The Hessian by a matrix as a whole, of which one diagonal block is looked at."""
    return lambda a: [full(a)[0][0, :, 0, :]]


FORMS: dict[str, dict[str, typing.Callable[[Tensors], Results]]] = {
    "contraction": {"": inferred(lambda a: a["A"] @ a["B"])},
    "gate": {"": inferred(lambda a: torch.sigmoid(a["a"] * a["x"] + a["b"]) * a["x"])},
    "layer_norm": {"": inferred(lambda a: functional.layer_norm(
        a["X"], a["gamma"].shape, a["gamma"], a["beta"]))},
    "attention": {"": inferred(lambda a: attention(a["Q"], a["K"], a["V"]))},
    "attention_gradients": {"": attention_gradients},
    "convolution": {"": inferred(lambda a: functional.conv2d(a["X"], a["W"], padding="same"))},
    "lenet": {"": inferred(lambda a: torch.softmax(lenet_scores(a), -1))},
    "lenet_training": {"": lambda a: trained(a, lenet_scores, "labels", LENET_PARAMETERS)},
    "transformer": {"": inferred(lambda a: torch.softmax(transformer_scores(a), -1))},
    "transformer_training": {
        "": lambda a: trained(a, transformer_scores, "next", TRANSFORMER_PARAMETERS)},
    "quadratic_hessian": hessians(lambda a, x: x @ (a["A"] @ x), "x"),
    "logistic_hessian": hessians(
        lambda a, w: functional.softplus(-a["y"] * (a["X"] @ w)).sum(), "w"),
    "tanh_hessian": hessians(lambda a, x: a["v"] @ torch.tanh(a["W"] @ x), "x"),
    "softmax_jacobian": jacobians(lambda a, x: torch.softmax(a["W"] @ x, 0), "x"),
    "factorization_hessian": {
        name: one_block(form) for name, form in hessians(factorization_loss, "U").items()},
}


def forms_of(row: Row) -> dict[str, typing.Callable[[Tensors], Results]]:
    """The ways to do the row's work; softmax needs to know which axis."""
    if row.formula == "softmax":
        axis = row.inputs["X"].axes.split().index("over")
        return {"": inferred(lambda a: torch.softmax(a["X"], axis))}
    forms = FORMS.get(row.formula, {})
    if row.formula == "factorization_hessian" and row.sizes["row"] > 300:
        return {"loop": forms["loop"]}  # all passes at once would need tens of gigabytes
    return forms


def candidates(row: Row, threads: int) -> list[Candidate]:
    """One candidate for each way."""
    torch.set_num_threads(threads)
    found = [candidate(row, form, f"torch {label}".strip())
             for label, form in forms_of(row).items()]
    if row.formula == "convolution":
        found.append(candidate(row, FORMS["convolution"][""], "torch channels-last",
                               torch.channels_last))
    return found


def candidate(row: Row, form: typing.Callable[[Tensors], Results], label: str,
              layout: torch.memory_format = torch.contiguous_format) -> Candidate:
    """A way with inputs of its own, since training changes them."""
    tensors = {name: torch.tensor(given.elements).contiguous(
        memory_format=layout if given.elements.ndim == 4 else torch.contiguous_format)
        for name, given in row.inputs.items()}
    # The target for convolutions is against the layout that users get without asking.
    peer = "torch" if layout is torch.contiguous_format else label
    return Candidate(peer, label, repeated(lambda: form(tensors)),
                     lambda: [tensor.detach().numpy().copy() for tensor in form(tensors)])

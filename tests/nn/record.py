#!/usr/bin/python3
"""Records what PyTorch computes, for the tests beside this script: record.py [FILE]

Writes FILE, `recorded.json` beside this script unless given. Needs Debian's python3-torch. A case has
the state of a layer under our names, its inputs, what comes out, and the gradients of the sum of the
sines of what comes out. The same script gives the same file.
"""

import json
import pathlib
import sys
import zlib

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


class Named:
    """A tensor of PyTorch and the names of its axes, in their order, separated by blanks."""

    def __init__(self, tensor, axes=""):
        assert tensor.dim() == len(axes.split()), f"{tuple(tensor.shape)} {axes}"
        self.tensor, self.axes = tensor, axes.split()

    def record(self, values=None):
        tensor = self.tensor if values is None else values
        sizes = " ".join(f"{axis}[{size}]" for axis, size in zip(self.axes, tensor.shape))
        kind = "float64" if tensor.is_floating_point() else "int64"
        return {"type": kind, "shape": sizes, "values": tensor.detach().flatten().tolist()}


def drawn(axes, *sizes):
    """Random numbers with few digits, which gradients are taken by."""
    return Named((torch.randn(*sizes) * 100).round().div(100).requires_grad_(), axes)


def counted(axes, below, *sizes):
    return Named(torch.randint(below, sizes), axes)


def case(layer, title, state, inputs, compute):
    """What `compute` gives, a Named or several, and the gradients of the sum of their sines."""
    torch.manual_seed(zlib.crc32(f"{layer} {title}".encode()))
    state = {name: make() for name, make in state.items()}
    inputs = [make() for make in inputs]
    outputs = compute(*[tensor.tensor for tensor in inputs],
                      **{name.replace(".", "_"): tensor.tensor for name, tensor in state.items()})
    outputs = outputs if isinstance(outputs, list) else [outputs]
    torch.sin(outputs[0].tensor).sum().backward()

    def gradient(tensor):
        return None if tensor.tensor.grad is None else tensor.record(tensor.tensor.grad)

    return {"layer": layer, "case": title,
            "state": {name: tensor.record() for name, tensor in state.items()},
            "inputs": [tensor.record() for tensor in inputs],
            "outputs": [tensor.record() for tensor in outputs],
            "state_gradients": {name: gradient(tensor) for name, tensor in state.items()},
            "input_gradients": [gradient(tensor) for tensor in inputs]}


def of(axes, *sizes):
    return lambda: drawn(axes, *sizes)


def whole(axes, below, *sizes):
    return lambda: counted(axes, below, *sizes)


def linear():
    yield case("Linear", "batch", {"W": of("layer' layer", 3, 4), "b": of("layer'", 3)},
               [of("batch layer", 2, 4)],
               lambda x, W, b: Named(F.linear(x, W, b), "batch layer"))
    yield case("FullConn", "one example", {"W": of("hidden layer", 3, 4), "b": of("hidden", 3)},
               [of("layer", 4)],
               lambda x, W, b: Named(torch.sigmoid(F.linear(x, W, b)), "hidden"))
    yield case("Embedding", "batch", {"E": of("vocab layer", 5, 3)}, [whole("batch seq", 5, 2, 4)],
               lambda I, E: Named(F.embedding(I, E), "batch seq layer"))


def recurrent_state(gates, inputs=2, states=3):
    gate, size = ("gate ", (gates,)) if gates else ("", ())
    return {"W_i": of(f"{gate}hidden' input", *size, states, inputs),
            "W_h": of(f"{gate}hidden' hidden", *size, states, states),
            "b": of(f"{gate}hidden'", *size, states)}


def run(kind, x, W_i, W_h, b, second_bias=None):
    """A recurrent network of PyTorch with our weights, along `batch seq input`."""
    zero, start = torch.zeros_like(b.flatten()), torch.zeros(1, x.shape[0], W_h.shape[-1])
    weights = [W_i.flatten(0, -2), W_h.flatten(0, -2), b.flatten(),
               zero if second_bias is None else second_bias]
    states = [start, start] if kind is torch.lstm else start
    return kind(x, states, weights, True, 1, 0.0, False, False, True)


def recurrent():
    x = of("batch seq input", 2, 4, 2)
    yield case("Elman", "tanh", recurrent_state(0), [x],
               lambda x, **w: Named(run(torch.rnn_tanh, x, **w)[0], "batch seq hidden"))

    def lstm(x, **w):
        h, _, c = run(torch.lstm, x, **w)
        return [Named(h, "batch seq hidden"), Named(c[0], "batch hidden")]
    yield case("Lstm", "batch", recurrent_state(4), [x], lstm)

    def gru(x, W_i, W_h, b, b_n):
        second = torch.cat([torch.zeros(2 * len(b_n)), b_n])
        return Named(run(torch.gru, x, W_i, W_h, b, second)[0], "batch seq hidden")
    yield case("Gru", "batch", recurrent_state(3) | {"b_n": of("hidden'", 3)}, [x], gru)


def attention():
    heads, layer, key = 2, 4, 2
    state = {name: of(f"heads layer {last}", heads, layer, key)
             for name, last in (("W_Q", "key"), ("W_K", "key"), ("W_V", "val"), ("W_O", "val"))}

    def attend(X, memory, causal, W_Q, W_K, W_V, W_O, hidden=None):
        rows = [W.transpose(1, 2).reshape(heads * key, layer) for W in (W_Q, W_K, W_V)]
        out = W_O.transpose(0, 1).reshape(layer, heads * key)
        queries, keys = X.shape[1], memory.shape[1]
        mask = torch.triu(torch.ones(queries, keys, dtype=torch.bool), 1) if causal else None
        Y, _ = F.multi_head_attention_forward(
            X.transpose(0, 1), memory.transpose(0, 1), memory.transpose(0, 1), layer, heads,
            torch.cat(rows), None, None, None, False, 0.0, out, None, attn_mask=mask,
            key_padding_mask=hidden)
        return Named(Y.transpose(0, 1), "batch seq layer")
    X = of("batch seq layer", 2, 3, layer)
    yield case("Attention", "self", state, [X], lambda X, **w: attend(X, X, False, **w))
    yield case("Attention", "causal", state, [X], lambda X, **w: attend(X, X, True, **w))
    yield case("Attention", "memory", state, [X, of("batch seq layer", 2, 5, layer)],
               lambda X, memory, **w: attend(X, memory, False, **w))
    yield case("Attention", "padding", state,
               [X, of("batch seq layer", 2, 3, layer),
                lambda: Named(torch.tensor([[0, 0, 1], [0, 1, 0]]), "batch seq")],
               lambda X, memory, padding, **w: attend(X, memory, False, **w, hidden=padding == 1))


def convolution():
    yield case("Conv", "one axis, stride 2, dilation 2, padding 1",
               {"W": of("chans' chans kernel", 3, 2, 3), "b": of("chans'", 3)},
               [of("batch chans seq", 2, 2, 8)],
               lambda x, W, b: Named(F.conv1d(x, W, b, stride=2, dilation=2, padding=1),
                                     "batch chans seq"))
    yield case("Conv", "two axes, strides 1 and 2, paddings 0 and 1",
               {"W": of("chans' chans kh kw", 2, 2, 2, 3), "b": of("chans'", 2)},
               [of("batch chans height width", 2, 2, 4, 5)],
               lambda x, W, b: Named(F.conv2d(x, W, b, stride=(1, 2), padding=(0, 1)),
                                     "batch chans height width"))
    image = of("batch height width", 2, 4, 6)
    yield case("max_pool", "windows side by side", {}, [image],
               lambda x: Named(F.max_pool2d(x, (2, 3)), "batch height width"))
    yield case("max_pool", "stride 2, padding 1", {}, [image],
               lambda x: Named(F.max_pool2d(x, 3, stride=2, padding=1), "batch height width"))
    yield case("mean_pool", "windows side by side", {}, [image],
               lambda x: Named(F.avg_pool2d(x, (2, 3)), "batch height width"))
    yield case("mean_pool", "stride 2, padding 1", {}, [image],
               lambda x: Named(F.avg_pool2d(x, 3, stride=2, padding=1), "batch height width"))


def normalization():
    axes = "batch chans layer"
    x, chans = of(axes, 3, 4, 5), {"gamma": of("chans", 4), "beta": of("chans", 4)}
    yield case("InstanceNorm", "batch", chans, [x],
               lambda x, gamma, beta: Named(F.instance_norm(x, weight=gamma, bias=beta), axes))
    yield case("GroupNorm", "two groups", chans, [x],
               lambda x, gamma, beta: Named(F.group_norm(x, 2, gamma, beta), axes))
    yield case("LayerNorm", "two axes",
               {"gamma": of("chans layer", 4, 5), "beta": of("chans layer", 4, 5)}, [x],
               lambda x, gamma, beta: Named(F.layer_norm(x, (4, 5), gamma, beta), axes))
    running = {"running_mean": lambda: Named(torch.randn(4), "chans"),
               "running_var": lambda: Named(torch.rand(4) + 0.5, "chans")}

    def batch_norm(training):
        def compute(x, gamma, beta, running_mean, running_var):
            mean, var = running_mean.clone(), running_var.clone()
            y = F.batch_norm(x, mean, var, gamma, beta, training)
            return [Named(y, axes), Named(mean, "chans"), Named(var, "chans")]
        return compute
    yield case("BatchNorm", "training", chans | running, [x], batch_norm(True))
    yield case("BatchNorm", "evaluation", chans | running, [x], batch_norm(False))


def losses():
    scores, labels = of("batch classes", 4, 3), whole("batch", 3, 4)
    yield case("cross_entropy_loss", "integers", {}, [scores, labels],
               lambda x, t: Named(F.cross_entropy(x, t)))
    yield case("cross_entropy_loss", "distributions", {},
               [scores, lambda: Named(torch.rand(4, 3).softmax(1), "batch classes")],
               lambda x, t: Named(F.cross_entropy(x, t)))
    yield case("cross_entropy_loss", "weights", {},
               [scores, labels, lambda: Named(torch.tensor([1.0, 0, 1, 1]), "batch")],
               lambda x, t, w: Named((F.cross_entropy(x, t, reduction="none") * w).sum() / w.sum()))
    pair = [of("batch out", 3, 2), of("batch out", 3, 2)]
    yield case("binary_cross_entropy_loss", "large scores", {},
               [lambda: Named((torch.randn(3, 2) * 50).requires_grad_(), "batch out"),
                lambda: Named(torch.rand(3, 2), "batch out")],
               lambda x, t: Named(F.binary_cross_entropy_with_logits(x, t)))
    yield case("squared_error_loss", "batch", {}, pair, lambda x, t: Named(F.mse_loss(x, t)))
    yield case("absolute_error_loss", "batch", {}, pair, lambda x, t: Named(F.l1_loss(x, t)))
    yield case("huber_loss", "batch", {}, pair, lambda x, t: Named(F.huber_loss(x, t)))


def path(rule, schedule, make, make_schedule=None, clip=0):
    """Where an optimiser goes on Σ cos(W) + Σ (b - 1)⁴ from a start, in seven steps."""
    torch.manual_seed(zlib.crc32(f"{rule} {schedule}".encode()))
    start = {"W": drawn("a b", 2, 2), "b": drawn("a", 2)}
    W, b = (start[name].tensor.detach().clone().requires_grad_() for name in ("W", "b"))
    optimizer = make([W, b])
    scheduler = make_schedule(optimizer) if make_schedule else None
    for _ in range(7):
        optimizer.zero_grad()
        (torch.cos(W).sum() + ((b - 1) ** 4).sum()).backward()
        if clip:
            nn.utils.clip_grad_norm_([W, b], clip)
        optimizer.step()
        if scheduler:
            scheduler.step()
    return {"rule": rule, "schedule": schedule,
            "start": {name: tensor.record() for name, tensor in start.items()},
            "end": {"W": start["W"].record(W), "b": start["b"].record(b)}}


def optimizers():
    sgd, adam, adamw = torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW
    yield path("sgd:lr=0.01", "constant", lambda p: sgd(p, 0.01))
    yield path("sgd:lr=0.01,momentum=0.9,weight_decay=0.1", "constant",
               lambda p: sgd(p, 0.01, momentum=0.9, weight_decay=0.1))
    yield path("sgd:lr=0.01,momentum=0.9,nesterov", "step:every=3,factor=0.5",
               lambda p: sgd(p, 0.01, momentum=0.9, nesterov=True),
               lambda o: torch.optim.lr_scheduler.StepLR(o, 3, 0.5))
    yield path("sgd:lr=0.1,clip=0.5", "constant", lambda p: sgd(p, 0.1), clip=0.5)
    yield path("adam:lr=0.1,beta1=0.8,weight_decay=0.1", "constant",
               lambda p: adam(p, 0.1, betas=(0.8, 0.999), weight_decay=0.1))
    yield path("adam:lr=0.1", "cosine:steps=10", lambda p: adam(p, 0.1),
               lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, 10))
    yield path("adamw:lr=0.1,weight_decay=0.2", "linear:steps=10",
               lambda p: adamw(p, 0.1, weight_decay=0.2),
               lambda o: torch.optim.lr_scheduler.LinearLR(o, 1, 0, 10))


def main():
    layers = [entry for topic in (linear, recurrent, attention, convolution, normalization, losses)
              for entry in topic()]

    def listed(entries):
        lines = [json.dumps(entry, separators=(",", ":")) for entry in entries]
        return "[\n" + ",\n".join(lines) + "\n]"
    text = f'{{"layers": {listed(layers)},\n"optimizers": {listed(optimizers())}}}\n'
    target = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "recorded.json"
    pathlib.Path(target).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""The workloads as ONNX models, written node by node."""

import typing

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

from problems import LAYERS
from workloads import Row

OPSET = 17
ELEMENTS = {numpy.dtype("float32"): TensorProto.FLOAT, numpy.dtype("int64"): TensorProto.INT64}


class Graph:
    """A model under construction. Calling it adds a node and gives the name of its result."""

    def __init__(self, row: Row):
        self.row = row
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.inputs: dict[str, numpy.ndarray] = {}
        self.result_shape = [row.sizes[axis] for axis in row.results[0].split()]
        self.as_expected: typing.Callable[[numpy.ndarray], numpy.ndarray] = lambda result: result

    def __call__(self, operator: str, *operands: str, domain: str = "",
                 **attributes: typing.Any) -> str:
        name = f"{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, operands, [name], domain=domain, **attributes))
        return name

    def constant(self, value: typing.Any, kind: type = numpy.float32) -> str:
        """A value that the model holds."""
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(numpy.asarray(value, kind), name))
        return name

    def weight(self, name: str, *shape: int) -> str:
        """An input of the workload that a deployed model would hold, as a matrix that is multiplied
        from the right if a shape is given."""
        elements = self.row.inputs[name].elements
        return self.constant(elements.reshape(shape).T if shape else elements)

    def input(self, name: str, elements: numpy.ndarray | None = None) -> str:
        """An input of the workload that is given when the model runs, in a layout that suits it."""
        given = self.row.inputs[name].elements if elements is None else elements
        self.inputs[name] = numpy.ascontiguousarray(given)
        return name

    def model(self, result: str) -> bytes:
        """The finished model."""
        inputs = [helper.make_tensor_value_info(name, ELEMENTS[elements.dtype], elements.shape)
                  for name, elements in self.inputs.items()]
        output = helper.make_tensor_value_info(result, TensorProto.FLOAT, None)
        graph = helper.make_graph(self.nodes, "workload", inputs, [output], self.constants)
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=opsets).SerializeToString()


def contraction(g: Graph) -> str:
    return g("MatMul", g.input("A"), g.input("B"))


def gate(g: Graph) -> str:
    x = g.input("x")
    scaled = g("Add", g("Mul", g.input("a"), x), g.input("b"))
    return g("Mul", g("Sigmoid", scaled), x)


def softmax(g: Graph) -> str:
    return g("Softmax", g.input("X"), axis=g.row.inputs["X"].axes.split().index("over"))


def layer_norm(g: Graph) -> str:
    return g("LayerNormalization", g.input("X"), g.weight("gamma"), g.weight("beta"),
             axis=-1, epsilon=1e-5)


def attended(g: Graph, q: str, k: str, v: str, size: int, mask: str | None = None) -> str:
    """softmax(QK' / √d) V on tensors with the axes batch, heads, position, feature."""
    scores = g("MatMul", q, g("Transpose", k, perm=[0, 1, 3, 2]))
    scores = g("Mul", scores, g.constant(size**-0.5))
    return g("MatMul", g("Softmax", g("Add", scores, mask) if mask else scores, axis=-1), v)


def attention(g: Graph) -> str:
    return attended(g, *map(g.input, "QKV"), g.row.sizes["key"])


def fused_attention(g: Graph) -> str:
    """The runtime's own operator, which never holds all scores; heads stand beside features."""
    sizes = g.row.sizes
    rows = (sizes["batch"], sizes["queries"])
    joined = [g.input(name, beside.reshape(*beside.shape[:2], -1))
              for name in "QKV" for beside in [g.row.inputs[name].elements.swapaxes(1, 2)]]
    g.result_shape = [*rows, sizes["heads"] * sizes["val"]]
    g.as_expected = lambda result: result.reshape(*rows, sizes["heads"], -1).swapaxes(1, 2)
    return g("MultiHeadAttention", *joined, domain="com.microsoft", num_heads=sizes["heads"])


def convolution(g: Graph) -> str:
    return g("Conv", g.input("X"), g.weight("W"), pads=[g.row.sizes["kh"] // 2] * 4)


def lenet(g: Graph) -> str:
    x = g.input("X")
    for number, padding in (("1", 2), ("2", 0)):
        x = g("Conv", x, g.weight("W" + number), g.weight("b" + number), pads=[padding] * 4)
        x = g("MaxPool", g("Relu", x), kernel_shape=[2, 2], strides=[2, 2])
    x = g("Relu", g("Gemm", g("Flatten", x), g.weight("W3"), g.weight("b3"), transB=1))
    return g("Softmax", g("Gemm", x, g.weight("W4"), g.weight("b4"), transB=1), axis=-1)


def block(g: Graph, x: str, layer: str, attend: typing.Callable[[str, str, str], str]) -> str:
    """One layer of the Transformer."""
    width = g.row.sizes["layer"]
    q, k, v = (g("MatMul", x, g.weight(name + layer, -1, width)) for name in ("W_Q", "W_K", "W_V"))
    y = g("MatMul", attend(q, k, v), g.weight("W_O" + layer, width, -1))
    x = g("LayerNormalization", g("Add", y, x), g.weight("gamma1_" + layer),
          g.weight("beta1_" + layer), axis=-1, epsilon=1e-5)
    inner = g("MatMul", x, g.weight("W1_" + layer, -1, width))
    inner = g("Relu", g("Add", inner, g.weight("b1_" + layer)))
    outer = g("MatMul", inner, g.weight("W2_" + layer, width, -1))
    outer = g("Add", g("Add", outer, g.weight("b2_" + layer)), x)
    return g("LayerNormalization", outer, g.weight("gamma2_" + layer), g.weight("beta2_" + layer),
             axis=-1, epsilon=1e-5)


def transformer_with(g: Graph, attend: typing.Callable[[str, str, str], str]) -> str:
    """The Transformer with one of the ways to attend."""
    width = g.row.sizes["layer"]
    words = g("Gather", g.weight("E"), g.input("words"), axis=0)
    x = g("Add", g("Mul", words, g.constant(width**0.5)), g.weight("positions"))
    for layer in range(LAYERS):
        x = block(g, x, str(layer), attend)
    return g("Softmax", g("MatMul", x, g.weight("E", -1, width)), axis=-1)


def transformer(g: Graph) -> str:
    sizes = g.row.sizes
    mask = g.constant(numpy.triu(numpy.full((sizes["seq"], sizes["seq"]), -numpy.inf), 1))
    split = g.constant([0, 0, sizes["heads"], -1], numpy.int64)
    join = g.constant([0, 0, -1], numpy.int64)

    def attend(q: str, k: str, v: str) -> str:
        q, k, v = (g("Transpose", g("Reshape", x, split), perm=[0, 2, 1, 3]) for x in (q, k, v))
        y = attended(g, q, k, v, sizes["key"], mask)
        return g("Reshape", g("Transpose", y, perm=[0, 2, 1, 3]), join)

    return transformer_with(g, attend)


def fused_transformer(g: Graph) -> str:
    """With the runtime's own operator for attention."""
    return transformer_with(g, lambda q, k, v: g(
        "MultiHeadAttention", q, k, v, domain="com.microsoft", num_heads=g.row.sizes["heads"],
        unidirectional=1))


MODELS: dict[str, dict[str, typing.Callable[[Graph], str]]] = {
    "contraction": {"": contraction},
    "gate": {"": gate},
    "softmax": {"": softmax},
    "layer_norm": {"": layer_norm},
    "attention": {"": attention, "fused": fused_attention},
    "convolution": {"": convolution},
    "lenet": {"": lenet},
    "transformer": {"": transformer, "fused": fused_transformer},
}

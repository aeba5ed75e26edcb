"""ONNX Runtime through its interface for C, whose functions stand at fixed places in one table."""

import ctypes
import pathlib

import numpy

from peers.onnx_models import MODELS, Graph
from timing import Candidate, repeated
from workloads import Row

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "build/peers/node_modules/onnxruntime-node"
API_VERSION = 17
Pointer = ctypes.c_void_p
Out = ctypes.POINTER(Pointer)
ELEMENTS = {numpy.dtype("float32"): 1, numpy.dtype("int64"): 7}
ALL_OPTIMIZATIONS = 99
ERRORS = 3

# Name, place in the table, arguments.
FUNCTIONS = {
    "CreateEnv": (3, (ctypes.c_int, ctypes.c_char_p, Out)),
    "CreateSessionFromArray": (8, (Pointer, Pointer, ctypes.c_size_t, Pointer, Out)),
    "Run": (9, (Pointer, Pointer, Pointer, Pointer, ctypes.c_size_t, Pointer, ctypes.c_size_t,
                Pointer)),
    "CreateSessionOptions": (10, (Out,)),
    "SetSessionGraphOptimizationLevel": (23, (Pointer, ctypes.c_int)),
    "SetIntraOpNumThreads": (24, (Pointer, ctypes.c_int)),
    "CreateTensorWithDataAsOrtValue": (49, (Pointer, Pointer, ctypes.c_size_t, Pointer,
                                            ctypes.c_size_t, ctypes.c_int, Out)),
    "CreateCpuMemoryInfo": (69, (ctypes.c_int, ctypes.c_int, Out)),
    "ReleaseSession": (95, (Pointer,)),
}


class Runtime:
    """The library with its environment."""

    def __init__(self):
        path, = FOLDER.glob("bin/napi-v*/linux/x64/libonnxruntime.so.1")
        library = ctypes.CDLL(str(path))
        library.OrtGetApiBase.restype = Pointer
        base = ctypes.cast(library.OrtGetApiBase(), Out)
        table = ctypes.cast(ctypes.CFUNCTYPE(Pointer, ctypes.c_uint32)(base[0])(API_VERSION), Out)
        self.message = ctypes.CFUNCTYPE(ctypes.c_char_p, Pointer)(table[2])
        self.functions = {name: ctypes.CFUNCTYPE(Pointer, *arguments)(table[place])
                          for name, (place, arguments) in FUNCTIONS.items()}
        self.environment = self.created("CreateEnv", ERRORS, b"bench")
        self.memory = self.created("CreateCpuMemoryInfo", 1, 0)

    def call(self, name: str, *arguments) -> None:
        """Calls a function; raises RuntimeError with its message if it fails."""
        if status := self.functions[name](*arguments):
            raise RuntimeError(f"ONNX Runtime: {self.message(status).decode()}")

    def created(self, name: str, *arguments) -> Pointer:
        """What a function gives through its last argument."""
        result = Pointer()
        self.call(name, *arguments, ctypes.byref(result))
        return result

    def value(self, array: numpy.ndarray) -> Pointer:
        """An array as the runtime sees it; the elements stay where they are."""
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        return self.created("CreateTensorWithDataAsOrtValue", self.memory, array.ctypes.data,
                            array.nbytes, shape, array.ndim, ELEMENTS[array.dtype])


class Session:
    """A model with its inputs and one result."""

    def __init__(self, runtime: Runtime, graph: Graph, result: str, threads: int):
        self.runtime, self.graph = runtime, graph
        options = runtime.created("CreateSessionOptions")
        runtime.call("SetSessionGraphOptimizationLevel", options, ALL_OPTIMIZATIONS)
        runtime.call("SetIntraOpNumThreads", options, threads)
        model, inputs = graph.model(result), graph.inputs
        self.handle = runtime.created("CreateSessionFromArray", runtime.environment, model,
                                      len(model), options)
        self.result = numpy.empty(graph.result_shape, numpy.float32)
        self.given = (Pointer * len(inputs))(*(runtime.value(x).value for x in inputs.values()))
        self.given_names = (ctypes.c_char_p * len(inputs))(*(name.encode() for name in inputs))
        self.found = (Pointer * 1)(runtime.value(self.result).value)
        self.found_names = (ctypes.c_char_p * 1)(result.encode())

    def __del__(self):
        if hasattr(self, "handle"):  # otherwise its threads stay
            self.runtime.functions["ReleaseSession"](self.handle)

    def run(self) -> None:
        """Runs the model once."""
        self.runtime.call("Run", self.handle, None, self.given_names, self.given, len(self.given),
                          self.found_names, 1, self.found)

    def results(self) -> list[numpy.ndarray]:
        """What the model gives."""
        self.run()
        return [self.graph.as_expected(self.result)]


RUNTIME = Runtime()


def candidates(row: Row, threads: int) -> list[Candidate]:
    """One candidate for each model of the workload."""
    found = []
    for label, build in MODELS.get(row.formula, {}).items():
        graph = Graph(row)
        session = Session(RUNTIME, graph, build(graph), threads)
        found.append(Candidate("ORT", f"ORT {label}".strip(), repeated(session.run),
                               session.results))
    return found

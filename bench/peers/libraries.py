"""Libraries in C and C++, run through libaxial_peers.so."""

import ctypes
import itertools
import pathlib

import numpy

from timing import Candidate
from workloads import Row

LIBRARY = pathlib.Path(__file__).resolve().parents[2] / "build/release/lib/libaxial_peers.so"
JOB, TEXT, SIZE, FLAG = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int
ELEMENTS, REAL = ctypes.c_void_p, ctypes.c_float
SIGNATURES = {
    "peers_set_threads": (None, (FLAG,)),
    "peers_run": (None, (JOB, FLAG)),
    "peers_finish": (None, (JOB,)),
    "peers_release": (None, (JOB,)),
    "peers_peak": (ctypes.c_double, ()),
    "peers_copy": (JOB, (ELEMENTS, ELEMENTS, SIZE)),
    "peers_matmul": (JOB, (TEXT, SIZE, SIZE, SIZE, SIZE, FLAG, FLAG, ELEMENTS, ELEMENTS, ELEMENTS)),
    "peers_convolution": (JOB, (TEXT, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, ELEMENTS, ELEMENTS,
                                ELEMENTS)),
    "peers_gate": (JOB, (TEXT, REAL, REAL, ELEMENTS, ELEMENTS, SIZE)),
    "peers_softmax": (JOB, (TEXT, ELEMENTS, ELEMENTS, SIZE, SIZE)),
}


def loaded() -> ctypes.CDLL:
    """The library; raises OSError if it is not built."""
    library = ctypes.CDLL(str(LIBRARY))
    for name, (result, arguments) in SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


SHIM = loaded()


class Job:
    """Prepared work, with the arrays it works on."""

    def __init__(self, handle: int, result: numpy.ndarray, *inputs: numpy.ndarray):
        self.handle, self.result, self.inputs = handle, result, inputs

    def __del__(self):
        SHIM.peers_release(self.handle)

    def run(self, count: int) -> None:
        """Does the work that often."""
        SHIM.peers_run(self.handle, count)

    def results(self) -> list[numpy.ndarray]:
        """Does the work once, and gives what came out."""
        self.run(1)
        SHIM.peers_finish(self.handle)
        return [self.result]


def prepared(function: str, peer: str, label: str, arguments: tuple, inputs: list[numpy.ndarray],
             result: numpy.ndarray) -> list[Candidate]:
    """A candidate, or none if the library has no way to do this."""
    addresses = (array.ctypes.data for array in (*inputs, result))
    handle = getattr(SHIM, function)(*arguments, *addresses)
    if not handle:
        return []
    job = Job(handle, result, *inputs)
    return [Candidate(peer, label, job.run, job.results)]


def contractions(row: Row) -> list[Candidate]:
    """Every library with every order of the operands, since each has its favourite."""
    s, found = row.sizes, []
    sizes = (s["m"], s["n"], s["k"], s.get("batch", 1))
    left, right = (row.inputs[name].elements for name in "AB")
    result_shape = (*left.shape[:-1], s["n"])
    for turn_left, turn_right in itertools.product((False, True), repeat=2):
        operands = [numpy.ascontiguousarray(array.swapaxes(-1, -2) if turned else array)
                    for array, turned in ((left, turn_left), (right, turn_right))]
        order = ("km" if turn_left else "mk") + " " + ("nk" if turn_right else "kn")
        for library in ("OpenBLAS", "BLIS", "oneDNN", "libxsmm"):
            found += prepared("peers_matmul", library, f"{library} {order}",
                              (library.encode(), *sizes, turn_left, turn_right), operands,
                              numpy.empty(result_shape, numpy.float32))
    return found


def convolutions(row: Row) -> list[Candidate]:
    """oneDNN in each of its layouts."""
    s, found = row.sizes, []
    sizes = [s[axis] for axis in ("batch", "chans", "chans'", "height", "width", "kh")]
    inputs = [row.inputs[name].elements for name in "XW"]
    for layout in ("channels-first", "channels-last", "blocked"):
        result = numpy.empty([s[axis] for axis in row.results[0].split()], numpy.float32)
        found += prepared("peers_convolution", "oneDNN", f"oneDNN {layout}",
                          (layout.encode(), *sizes), inputs, result)
    return found


def elementwise(row: Row, function: str, before: tuple, after: tuple, x: numpy.ndarray
                ) -> list[Candidate]:
    """Eigen and xtensor on one array."""
    found = []
    for library in ("Eigen", "xtensor"):
        result = numpy.empty_like(x)
        handle = getattr(SHIM, function)(library.encode(), *before, x.ctypes.data,
                                         result.ctypes.data, *after)
        job = Job(handle, result, x)
        found.append(Candidate(library, library, job.run, job.results))
    return found


def gates(row: Row) -> list[Candidate]:
    """x sigmoid(a x + b)"""
    a, b, x = (row.inputs[name].elements for name in "abx")
    return elementwise(row, "peers_gate", (float(a), float(b)), (x.size,), x)


def softmaxes(row: Row) -> list[Candidate]:
    """The last axis only: along others these libraries have no loop to offer."""
    x = row.inputs["X"]
    if not x.axes.endswith("over"):
        return []
    return elementwise(row, "peers_softmax", (), (row.sizes.get("rows", 1), row.sizes["over"]),
                       x.elements)


def copies(row: Row) -> list[Candidate]:
    """Copying as much as the workload reads and writes, the least that it can take."""
    largest = max((given.elements for given in row.inputs.values()), key=lambda array: array.size)
    source, target = aligned(largest.size), aligned(largest.size)
    source[:] = largest.ravel()
    job = Job(SHIM.peers_copy(source.ctypes.data, target.ctypes.data, source.size), target, source)
    return [Candidate("copy", "copy", job.run)]


def aligned(count: int) -> numpy.ndarray:
    """An array that starts at a multiple of 64 bytes."""
    block = numpy.empty(count + 16, numpy.float32)
    start = -block.ctypes.data // 4 % 16
    return block[start:start + count]


WORK = {"contraction": contractions, "convolution": convolutions, "gate": gates,
        "softmax": softmaxes}


def candidates(row: Row, threads: int) -> list[Candidate]:
    """What the libraries can do of the row."""
    SHIM.peers_set_threads(threads)
    found = WORK[row.formula](row) if row.formula in WORK else []
    return found + (copies(row) if "copy" in row.targets else [])


def peak(threads: int) -> float:
    """Operations per second that this machine can do at most."""
    SHIM.peers_set_threads(threads)
    return SHIM.peers_peak()

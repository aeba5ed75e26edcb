"""Our workloads, run through libaxial_bench.so."""

import ctypes
import pathlib
import typing

import numpy

from problems import OTHERWISE_MEASURED

if typing.TYPE_CHECKING:
    from workloads import Row

LIBRARY = pathlib.Path(__file__).resolve().parent.parent / "build/release/lib/libaxial_bench.so"
SIGNATURES = {
    "bench_error": (ctypes.c_char_p, ()),
    "bench_set_threads": (None, (ctypes.c_int,)),
    "bench_prepare": (ctypes.c_void_p, (ctypes.c_char_p,)),
    "bench_release": (None, (ctypes.c_void_p,)),
    "bench_give_reals": (ctypes.c_int, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p,
                                        ctypes.c_void_p, ctypes.c_void_p)),
    "bench_give_integers": (ctypes.c_int, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p,
                                           ctypes.c_void_p, ctypes.c_void_p)),
    "bench_run": (ctypes.c_int, (ctypes.c_void_p, ctypes.c_int)),
    "bench_explain": (ctypes.c_char_p, (ctypes.c_void_p,)),
    "bench_volume": (ctypes.c_int64, (ctypes.c_void_p, ctypes.c_int)),
    "bench_read": (ctypes.c_int, (ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p,
                                  ctypes.c_void_p)),
}


class Engine:
    """The library; raises OSError if it is not built."""

    def __init__(self, path: pathlib.Path = LIBRARY):
        self.library = ctypes.CDLL(str(path))
        for name, (result, arguments) in SIGNATURES.items():
            function = getattr(self.library, name)
            function.restype, function.argtypes = result, arguments

    def set_threads(self, threads: int) -> None:
        """How many threads every later run may use."""
        self.library.bench_set_threads(threads)

    def check(self, good: bool) -> None:
        """Raises RuntimeError with the library's own message unless all is well."""
        if not good:
            raise RuntimeError(self.library.bench_error().decode())


class OurCase:
    """One workload with its inputs, laid out in memory as `orders` says."""

    def __init__(self, engine: Engine, row: "Row", orders: dict[str, str] | None = None):
        self.engine, self.row = engine, row
        formula = OTHERWISE_MEASURED.get(row.formula, row.formula)
        self.handle = engine.library.bench_prepare(formula.encode())
        engine.check(self.handle is not None)
        for name, given in row.inputs.items():
            axes = (orders or {}).get(name, given.axes)
            elements = numpy.ascontiguousarray(given.in_order(axes))
            give = (engine.library.bench_give_integers if elements.dtype == numpy.int64
                    else engine.library.bench_give_reals)
            sizes = (ctypes.c_int64 * elements.ndim)(*elements.shape)
            engine.check(give(self.handle, name.encode(), axes.encode(), sizes,
                              elements.ctypes.data) == 0)

    def __del__(self):
        if getattr(self, "handle", None):
            self.engine.library.bench_release(self.handle)

    def run(self, count: int = 1) -> None:
        """Builds the expressions and computes them, `count` times."""
        self.engine.check(self.engine.library.bench_run(self.handle, count) == 0)

    def explanation(self) -> str:
        """The steps that compute the results."""
        text = self.engine.library.bench_explain(self.handle)
        self.engine.check(text is not None)
        return text.decode()

    def results(self) -> list[numpy.ndarray]:
        """The results of one run as flat arrays, their axes in the order of the row."""
        self.run()
        return [self.read(number, axes) for number, axes in enumerate(self.row.results)]

    def read(self, number: int, axes: str) -> numpy.ndarray:
        """One result, the last of the axes varying fastest."""
        volume = self.engine.library.bench_volume(self.handle, number)
        self.engine.check(volume >= 0)
        elements = numpy.empty(volume, numpy.float32)
        self.engine.check(self.engine.library.bench_read(
            self.handle, number, axes.encode(), elements.ctypes.data) == 0)
        return elements

"""NumPy's side of the tests that exchange files with it.

  numpy_files.py present        exit status 0 if NumPy is installed
  numpy_files.py write FOLDER   writes files for Axial to read
  numpy_files.py check FOLDER   exit status 0 if the files that Axial wrote hold what they should
  numpy_files.py resave FILE    loads an .npz and saves it again
"""

import json
import struct
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(1)

TYPES = ["float16", "float32", "float64", "int8", "int16", "int32", "int64",
         "uint8", "uint16", "uint32", "uint64", "bool"]
SAFETENSORS = {"F32": "float32", "F64": "float64", "I32": "int32", "I64": "int64", "BOOL": "bool"}


def pattern(name, shape):
    """The values that support.cpp gives to the elements of a tensor."""
    k = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    if name == "bool":
        return k % 3 == 0
    if name.startswith("uint"):
        return (11 * k).astype(name)
    return ((5 * k - 3) / (4 if name.startswith("float") else 1)).astype(name)


def write(folder):
    for name in TYPES:
        for byte_order, mark in [("little", "<"), ("big", ">")]:
            cube = pattern(name, (2, 3, 4))
            cube = cube.astype(cube.dtype.newbyteorder(mark))
            stem = f"{folder}/{name}-{byte_order}"
            np.save(f"{stem}-c.npy", cube)
            np.save(f"{stem}-fortran.npy", np.asfortranarray(cube))
            np.save(f"{stem}-scalar.npy", pattern(name, ()).astype(cube.dtype))
            np.save(f"{stem}-empty.npy", np.zeros((0, 3), cube.dtype))
    for version in (1, 2, 3):
        with open(f"{folder}/version{version}.npy", "wb") as file:
            np.lib.format.write_array(file, pattern("float64", (5,)), version=(version, 0))

    arrays = {name: pattern(name, (2, 3, 4)) for name in TYPES}
    arrays["large"] = pattern("float64", (1 << 18,))
    np.savez(f"{folder}/stored.npz", **arrays)
    np.savez_compressed(f"{folder}/compressed.npz", **arrays)

    halves = np.arange(65536, dtype=np.uint16).view(np.float16)
    np.save(f"{folder}/halves.npy", halves)
    np.save(f"{folder}/singles.npy", halves.astype(np.float32))

    np.save(f"{folder}/complex.npy", np.zeros(2, np.complex64))
    np.save(f"{folder}/text.npy", np.array(["a", "bc"]))
    np.save(f"{folder}/object.npy", np.array([None, 1], object), allow_pickle=True)
    np.save(f"{folder}/record.npy", np.zeros(2, [("x", "<f4"), ("y", "<i4", (2,))]))
    np.save(f"{folder}/date.npy", np.zeros(2, "datetime64[s]"))
    np.save(f"{folder}/void.npy", np.zeros(2, "V2"))


def expect(array, name):
    kind, _, form = name.partition("-")
    shape = {"": (2, 3, 4), "scalar": (), "empty": (0, 3)}[form]
    expected = pattern(kind, shape)
    assert array.dtype == expected.dtype, (name, array.dtype)
    assert array.shape == shape, (name, array.shape)
    assert (array == expected).all(), (name, array)


def read_safetensors(path):
    """A literal reading of the format's specification."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        assert length % 8 == 0
        header = json.loads(file.read(length))
        data = file.read()
    metadata = header.pop("__metadata__")
    arrays, end = {}, 0
    for name, entry in header.items():
        begin, before = entry["data_offsets"][0], end
        assert begin == before, "the tensors are listed as they lie, without holes"
        end = entry["data_offsets"][1]
        dtype = np.dtype(SAFETENSORS[entry["dtype"]])
        assert begin % dtype.itemsize == 0
        arrays[name] = np.frombuffer(data[begin:end], dtype).reshape(entry["shape"])
    assert end == len(data)
    return arrays, json.loads(metadata["axial.axes"])


def expect_axes(axes, name):
    form = name.partition("-")[2]
    assert axes == {"": ["row", "column", "depth"], "scalar": [], "empty": ["row", "column"]}[form]


def check(folder):
    with np.load(f"{folder}/all.npz") as archive:
        axes = json.loads(archive["__axes__"].tobytes())
        names = [name for name in archive.files if name != "__axes__"]
        assert len(names) == 15 and set(names) == set(axes), names
        for name in names:
            expect(archive[name], name)
            expect_axes(axes[name], name)
    arrays, axes = read_safetensors(f"{folder}/all.safetensors")
    assert set(arrays) == set(names)
    for name in names:
        expect(arrays[name], name)
        expect_axes(axes[name], name)
        expect(np.load(f"{folder}/{name}.npy"), name)
        expect(np.load(f"{folder}/{name}-bare.npy"), name)
        with open(f"{folder}/{name}.npy", "rb") as file:
            np.load(file)
            expect_axes(json.loads(np.load(file).tobytes())[""], name)
        if "-" not in name:
            expect(np.load(f"{folder}/{name}.npy", mmap_mode="r"), name)


def resave(path):
    with np.load(path) as archive:
        arrays = dict(archive)
    np.savez_compressed(path, **arrays)


if __name__ == "__main__":
    commands = {"present": lambda: None, "write": write, "check": check, "resave": resave}
    commands[sys.argv[1]](*sys.argv[2:])

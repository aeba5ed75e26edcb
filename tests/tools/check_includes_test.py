"""The include check accepts what the table allows and catches planted violations."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools/check_includes.py"
TABLE = """
| Module | What it holds | May use |
| --- | --- | --- |
| `base` | errors | |
| `tensor` | shapes | `base` |
| `api` | the face | all above |
| `cli` | the program | `api` |
"""


def check(files, table=TABLE):
    """Runs the check on a repository of these files; gives its status and output."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in ({"ARCHITECTURE.md": table, "src/axial/base/a.hpp": ""} | files).items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        result = subprocess.run([sys.executable, SCRIPT, "--root", root], text=True,
                                capture_output=True, check=False)
        return result.returncode, result.stdout + result.stderr


class CheckIncludes(unittest.TestCase):
    def assert_rejected(self, files, message, table=TABLE):
        status, output = check(files, table)
        self.assertEqual(status, 1, output)
        self.assertIn(message, output)

    def test_accepts_what_the_table_allows(self):
        status, output = check({
            "src/axial/tensor/b.hpp": '#include <vector>\n#include "axial/base/a.hpp"\n',
            "src/axial/api/c.hpp": '#include "axial/tensor/b.hpp"\n#include "axial/version.hpp"\n',
            "src/axial/axial.hpp": '#include "axial/api/c.hpp"\n',
            "cli/main.cpp": '#include <fmt/format.h>\n#include <axial/axial.hpp>\n',
        })
        self.assertEqual(status, 0, output)

    def test_rejects_a_room_that_looks_upward(self):
        self.assert_rejected({"src/axial/base/b.cpp": '\n#include "axial/tensor/b.hpp"\n'},
                             "src/axial/base/b.cpp:2: `base` includes axial/tensor/b.hpp")

    def test_rejects_angle_brackets_just_the_same(self):
        self.assert_rejected({"src/axial/base/b.cpp": '#  include <axial/tensor/b.hpp>\n'},
                             "src/axial/base/b.cpp:1")

    def test_rejects_a_front_end_that_reaches_below_the_public_face(self):
        self.assert_rejected({"cli/main.cpp": '#include "axial/tensor/b.hpp"\n'}, "cli/main.cpp:1")

    def test_rejects_the_umbrella_inside_the_library(self):
        self.assert_rejected({"src/axial/api/c.cpp": '#include "axial/axial.hpp"\n'}, "for users")

    def test_rejects_other_libraries_in_public_headers(self):
        self.assert_rejected({"src/axial/axial.hpp": '#include "axial/base/b.hpp"\n',
                              "src/axial/base/b.hpp": '#include <fmt/format.h>\n'},
                             "src/axial/base/b.hpp:1")

    def test_rejects_a_room_without_a_row(self):
        self.assert_rejected({"src/axial/attic/a.hpp": ""}, "no row for the room `attic`")

    def test_rejects_a_row_that_looks_upward(self):
        self.assert_rejected({}, "does not stand above", TABLE.replace("errors | |",
                                                                       "errors | `tensor` |"))


if __name__ == "__main__":
    unittest.main()

"""The runner of the documentation compares outputs, joins blocks, and updates pages."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools/run_docs.py"


def cpp(code, output=None):
    shown = "" if output is None else f"\n```text\n{output}\n```\n"
    return f"```cpp\n{code}\n```\n{shown}"


class RunDocs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        (cls.folder / "axial").mkdir()
        (cls.folder / "axial/axial.hpp").write_text("namespace axial { int three(); }\n")
        (cls.folder / "three.cpp").write_text("namespace axial { int three() { return 3; } }\n")
        subprocess.run(["g++", "-shared", "-fPIC", "three.cpp", "-o", "libthree.so"],
                       cwd=cls.folder, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def run_page(self, text, *options):
        """The status and the output of the runner, and the page afterwards."""
        page = self.folder / "page.md"
        page.write_text(text, encoding="utf-8")
        result = subprocess.run(
            [sys.executable, SCRIPT, "--library", self.folder / "libthree.so", "--include",
             self.folder, *options, page], text=True, capture_output=True, check=False)
        return result.returncode, result.stdout + result.stderr, page.read_text(encoding="utf-8")

    def assert_good(self, text):
        status, output, _ = self.run_page(text)
        self.assertEqual(status, 0, output)

    def assert_bad(self, text, message):
        status, output, _ = self.run_page(text)
        self.assertEqual(status, 1, output)
        self.assertIn(message, output)

    def test_accepts_the_output_shown(self):
        self.assert_good(cpp("std::cout << three();", "3"))

    def test_rejects_another_output(self):
        self.assert_bad(cpp("std::cout << three();", "4"), "page.md:6")

    def test_later_blocks_see_earlier_names_and_print_for_themselves(self):
        self.assert_good(cpp("int n = 2; std::cout << n;", "2") + "Then:\n"
                         + cpp("std::cout << n + 1 << '\\n';", "3"))

    def test_a_program_stands_alone(self):
        self.assert_good(cpp("#include <cstdio>\nint main() { std::puts(\"hello\"); }", "hello")
                         + cpp("std::cout << three();", "3"))

    def test_templates_and_includes_go_before_main(self):
        self.assert_good(cpp("template <class T>\nT twice(T x) { return 2 * x; }")
                         + cpp("#include <vector>\nstd::cout << twice(std::vector{4}[0]);", "8"))

    def test_a_broken_block_is_named_by_its_line_in_the_page(self):
        self.assert_bad("# Title\n\n" + cpp("int a = 1;\nint b = nonsense;"), "page.md:5")

    def test_norun_leaves_a_block_out(self):
        self.assert_good("<!-- norun -->\n" + cpp("nonsense", "anything"))

    def test_text_after_prose_is_no_output(self):
        self.assert_good(cpp("std::cout << three();") + "A picture:\n```text\n/\\\n```\n")

    def test_update_writes_what_is_printed(self):
        _, _, page = self.run_page(cpp("std::cout << three();", "4\n5") + "End.\n", "--update")
        self.assertEqual(page, cpp("std::cout << three();", "3") + "End.\n")


if __name__ == "__main__":
    unittest.main()

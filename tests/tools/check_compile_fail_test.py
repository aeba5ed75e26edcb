"""The runner for programs that must not compile notices those that do, and wrong messages."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools/check_compile_fail.py"
BROKEN = 'static_assert(false, "axis key is not in {seq}");\n'


def status(text, name="program.cpp"):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / name
        path.write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, SCRIPT, "--compiler", "g++", path],
                              capture_output=True, check=False).returncode


class CheckCompileFail(unittest.TestCase):
    def test_accepts_a_failure_with_all_messages(self):
        self.assertEqual(status(f"// expect: axis key\n// expect: \\{{seq\\}}\n{BROKEN}"), 0)

    def test_rejects_a_failure_with_another_message(self):
        self.assertEqual(status(f"// expect: axis key\n// expect: axis val\n{BROKEN}"), 1)

    def test_rejects_a_program_that_compiles(self):
        self.assertEqual(status("// expect: axis key\nint main() {}\n"), 1)

    def test_rejects_a_file_that_expects_nothing(self):
        self.assertEqual(status(BROKEN), 1)

    def test_reads_what_concerns_one_compiler_only(self):
        self.assertEqual(status(f"// expect-gcc: axis key\n// expect-clang: nothing\n{BROKEN}"), 0)

    def test_demands_that_ok_files_compile(self):
        self.assertEqual(status("int main() {}\n", "ok_program.cpp"), 0)
        self.assertEqual(status(BROKEN, "ok_program.cpp"), 1)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""Runs the blocks of README.md and docs/ and compares what they print with what the page shows.

`cpp` blocks: one with `int main` is a program of its own; the others of a page form one program in
which later blocks see the names of earlier ones. A block that opens with `template`, `struct`,
`class` or `namespace` goes before `main`, and so does every #include line. A `text` block right
after a `cpp` block is its output.
`sh` blocks: a line `$ ./axial ...` is run and what follows is its output; without any, it has to
succeed. `<!-- norun -->` before a block leaves it out. --update writes the outputs into the pages.
"""

import argparse
import dataclasses
import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/release"
MARK = "\x1e"  # printed after each block; no page shows this character
GLOBAL = re.compile(r"(\s*#include.*\n)*\s*(template|struct|class|namespace)\b")
TIME_LIMIT = 300


@dataclasses.dataclass
class Block:
    """A fenced block: its language, its lines, and the index of its first line in the page."""

    language: str
    lines: list[str]
    start: int
    skipped: bool
    follows: "Block | None" = None  # the block directly before it, with only blank lines between

    @property
    def text(self):
        return "\n".join(self.lines)


def parse(page):
    """The fenced blocks of a page, in order."""
    blocks, current, previous, before = [], None, None, ""
    for index, line in enumerate(page.splitlines()):
        if current:
            if line.rstrip() == "```":
                blocks.append(current)
                previous, current, before = current, None, ""
            else:
                current.lines.append(line)
        elif fence := re.fullmatch(r"```(\w*)\s*", line):
            skipped = before == "<!-- norun -->"
            current = Block(fence[1], [], index + 1, skipped, previous)
        elif line.strip():
            before, previous = line.strip(), None
    return blocks


class Runner:
    """Compiles and runs programs and commands in a folder of its own."""

    def __init__(self, folder, options):
        self.folder = folder
        self.options = options
        # Commands are shown as typed at the root of the repository.
        for name in ("axial", "docs", "examples"):
            (folder / name).symlink_to(ROOT / name)

    def output_of_program(self, source):
        """What a program prints; raises RuntimeError if it does not compile or fails."""
        (self.folder / "program.cpp").write_text(source, encoding="utf-8")
        library = self.options.library
        includes = [f"-I{folder}" for folder in self.options.include]
        self.run(["g++", "-std=c++23", *includes, "program.cpp", str(library),
                  f"-Wl,-rpath,{library.parent}", "-o", "program"])
        return self.run(["./program"])

    def output_of_command(self, command, must_succeed):
        self.run(["./axial", "--version"])  # if it has to build first, that shall not be shown
        return self.run(["bash", "-c", command + " 2>&1"], must_succeed)

    def run(self, command, must_succeed=True):
        result = subprocess.run(command, cwd=self.folder, capture_output=True, check=False,
                                encoding="utf-8", timeout=TIME_LIMIT, stdin=subprocess.DEVNULL)
        if must_succeed and result.returncode:
            raise RuntimeError(f"{' '.join(command)}: status {result.returncode}\n"
                               f"{result.stdout}{result.stderr}")
        return result.stdout


def with_line_numbers(block, name):
    """The block's code, its #include lines blanked, such that compilers name the page's lines."""
    code = [re.sub(r"^\s*#include.*", "", line) for line in block.lines]
    return f'#line {block.start + 1} "{name}"\n' + "\n".join(code) + "\n"


def joined_program(blocks, name):
    """One program of all blocks without a main; it prints MARK after each."""
    includes = [line for block in blocks for line in block.lines if re.match(r"\s*#include", line)]
    head = ["#include <axial/axial.hpp>", "#include <iostream>", *includes,
            "using namespace axial;"]
    before_main = [with_line_numbers(block, name) for block in blocks if GLOBAL.match(block.text)]
    body = [("" if GLOBAL.match(block.text) else with_line_numbers(block, name))
            + f"std::cout << '\\x{ord(MARK):x}' << std::flush;\n" for block in blocks]
    return "\n".join([*head, *before_main, "int main() {", *body, "}"]) + "\n"


def cpp_outputs(blocks, runner, name):
    """What each cpp block printed, as pairs (block, text)."""
    blocks = [block for block in blocks if block.language == "cpp" and not block.skipped]
    programs = [block for block in blocks if re.search(r"\bint main\b", block.text)]
    pieces = [block for block in blocks if block not in programs]
    outputs = []
    for block in programs:
        source = f'#line {block.start + 1} "{name}"\n{block.text}\n'
        outputs.append((block, runner.output_of_program(source)))
    if pieces:
        printed = runner.output_of_program(joined_program(pieces, name))
        outputs += zip(pieces, printed.split(MARK))
    return outputs


def tidy(text):
    """The lines of an output as a page shows them: no blanks at the ends of lines or at the end."""
    return [line.rstrip() for line in text.rstrip().splitlines()]


def renewed_commands(block, runner):
    """The lines of a sh block with the present outputs of its ./axial commands."""
    lines, index = [], 0
    while index < len(block.lines):
        line = block.lines[index]
        lines.append(line)
        index += 1
        if not line.startswith("$ ./axial"):
            continue
        shown = index
        while index < len(block.lines) and not block.lines[index].startswith("$ "):
            index += 1
        printed = runner.output_of_command(line[2:], must_succeed=shown == index)
        lines += tidy(printed) if shown < index else []
    return lines


def renewed_blocks(blocks, runner, name):
    """The blocks that show outputs, with the lines that they should show."""
    for source, printed in cpp_outputs(blocks, runner, name):
        for block in blocks:
            if block.language == "text" and block.follows is source:
                yield block, tidy(printed)
    for block in blocks:
        if block.language == "sh" and not block.skipped:
            yield block, renewed_commands(block, runner)


def check_page(path, options):
    """Whether a page shows what its blocks print; with --update it does afterwards."""
    page = path.read_text(encoding="utf-8")
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    with tempfile.TemporaryDirectory() as folder:
        try:
            renewed = list(renewed_blocks(parse(page), Runner(pathlib.Path(folder), options), name))
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            print(f"{name}: {error}")
            return False
    wrong = [(block, lines) for block, lines in renewed if tidy(block.text) != lines]
    if options.update:
        page_lines = page.splitlines()
        for block, lines in sorted(wrong, key=lambda pair: -pair[0].start):
            page_lines[block.start:block.start + len(block.lines)] = lines
        if wrong:
            path.write_text("\n".join(page_lines) + "\n", encoding="utf-8")
            print(f"{name}: {len(wrong)} block(s) updated")
        return True
    for block, lines in wrong:
        print(f"{name}:{block.start + 1}: the page shows (-), but the program prints (+)")
        print("\n".join(difflib.ndiff(tidy(block.text), lines)))
    return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write the outputs into the pages")
    parser.add_argument("--library", type=pathlib.Path, default=BUILD / "lib/libaxial_for_docs.so",
                        help="the shared library that programs link to")
    parser.add_argument("--include", action="append", help="folder with headers, repeatable")
    parser.add_argument("pages", nargs="*", type=pathlib.Path, help="all unless given")
    options = parser.parse_args()
    options.library = options.library.resolve()
    options.include = options.include or [ROOT / "src", BUILD / "generated"]
    pages = options.pages or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    good = [check_page(path.resolve(), options) for path in pages]
    print(f"{sum(good)} of {len(good)} page(s) good")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Checks every #include against the table of rooms in ARCHITECTURE.md.

A room includes only the rooms that its row names, and these stand above it; the headers that users
see need nothing but the standard library.
"""

import argparse
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
UMBRELLA = "axial/axial.hpp"
FREE_FOR_ALL = {"axial/version.hpp"}


def read_table(text):
    """The rows of the tables with a column `May use`, as {room: set of rooms}, in their order."""
    table = {}
    inside = False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.lstrip().startswith("|"):
            inside = False
        elif cells[-1] == "May use":
            inside = True
        elif inside and (room := re.fullmatch(r"`(\w+)`", cells[0])):
            allowed = set(re.findall(r"`(\w+)`", cells[-1]))
            table[room[1]] = set(table) if cells[-1] == "all above" else allowed
    return table


def includes_of(path):
    """Every include of a file as (line number, opening sign, name)."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1], match[2]


def cpp_files(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in {".cpp", ".hpp"})


def table_errors(table, root):
    """Rooms without a row, and rows that look upward."""
    above = set()
    for room, allowed in table.items():
        for other in sorted(allowed - above):
            yield f"ARCHITECTURE.md: `{room}` uses `{other}`, which does not stand above it"
        above.add(room)
    for folder in sorted(path for path in (root / "src/axial").iterdir() if path.is_dir()):
        if folder.name not in table:
            yield f"ARCHITECTURE.md: the table has no row for the room `{folder.name}`"


def include_errors(room, folder, allowed, root):
    """Includes in a folder that the row of its room does not allow."""
    inside_library = (root / "src") in folder.parents
    for path in cpp_files(folder):
        for number, _, name in includes_of(path):
            if not name.startswith("axial/") or name in FREE_FOR_ALL:
                continue
            place = f"{path.relative_to(root)}:{number}"
            if name == UMBRELLA:
                if inside_library:
                    yield f"{place}: {UMBRELLA} is for users of the library, not for its rooms"
                continue
            used = name.split("/")[1]
            if used != room and used not in allowed:
                may = ", ".join(sorted(allowed)) or "nothing"
                yield f"{place}: `{room}` includes {name}, but may use only: {may}"


def public_header_errors(root):
    """Includes other than the standard library's in the headers that the umbrella brings along."""
    reached, waiting = set(), [UMBRELLA]
    while waiting:
        header = waiting.pop()
        path = root / "src" / header
        if header in reached or not path.exists():
            continue
        reached.add(header)
        for number, sign, name in includes_of(path):
            if name.startswith("axial/"):
                waiting.append(name)
            elif sign == '"' or not re.fullmatch(r"[a-z_]+", name):
                yield f"src/{header}:{number}: a public header includes {name}, not of the standard"


def find_errors(root):
    table = read_table((root / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    if not table:
        yield "ARCHITECTURE.md: no table with a column `May use`"
        return
    yield from table_errors(table, root)
    for room, allowed in table.items():
        for folder in (root / "src/axial" / room, root / room):
            yield from include_errors(room, folder, allowed, root)
    yield from public_header_errors(root)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    here = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--root", type=pathlib.Path, default=here, help="the repository")
    errors = list(find_errors(parser.parse_args().root))
    print("\n".join(errors) or "every include follows the table in ARCHITECTURE.md")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

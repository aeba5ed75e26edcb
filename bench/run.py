#!/usr/bin/python3
"""Runs our workloads side by side with those of other libraries, and compares results and times."""

import argparse
import gc
import importlib
import itertools
import os
import pathlib
import re
import signal
import subprocess
import sys
import types
import typing

import numpy

import machine
import report
from ours import Engine, OurCase
from peers import closed_forms
from problems import OTHERWISE_MEASURED
from startup import in_new_process, planning
from timing import Candidate, Effort, Times, measure, ratio
from workloads import ROWS, Row

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/benchmarks.md"
MARKS = ("<!-- table -->\n", "<!-- end of table -->")
PREFIX = "axial bench:"
PEERS = ("pytorch", "closed_forms", "onnx_runtime", "libraries", "additions")


class Bench:
    """Our engine and the peers that are installed, and how long to look at each."""

    def __init__(self, effort: Effort):
        self.effort = effort
        self.engine = Engine()
        self.missing: list[str] = []
        self.peers = [peer for peer in map(self.load, PEERS) if peer]

    def load(self, name: str) -> types.ModuleType | None:
        """A peer, if all it needs is installed."""
        try:
            return importlib.import_module(f"peers.{name}")
        except (ImportError, OSError, ValueError) as error:
            self.missing.append(f"{name} is not here: {error}")
            return None

    def ours(self, row: Row, threads: int) -> list[Candidate]:
        """Our candidates: one for each order of axes in memory."""
        self.engine.set_threads(threads)
        if row.formula == "planning":
            return [planning(self.engine, row)]
        if row.formula in OTHERWISE_MEASURED:
            return [in_new_process(row, threads)]
        found = []
        for order in row.orders:
            case = OurCase(self.engine, row, order)
            found.append(Candidate("ours", ", ".join(order.values()), case.run, case.results))
        return found

    def theirs(self, row: Row, threads: int, notes: list[str]) -> list[Candidate]:
        """The candidates of all peers; one that cannot start is noted and left out."""
        found: list[Candidate] = []
        for peer in self.peers:
            try:
                found += peer.candidates(row, threads)
            except RuntimeError as error:
                notes.append(f"{peer.__name__}: {error}")
        return found

    def outcome(self, row: Row, threads: int) -> report.Outcome:
        """Compares results, then times; what fails becomes the error of the outcome."""
        outcome = report.Outcome(row.name, row.formula, threads, row.targets, row.unit)
        try:
            theirs = self.theirs(row, threads, outcome.notes)
            ours = self.ours(row, threads)
            compare(row, ours, theirs)
            times = measure(ours + theirs, self.effort)
            fill(outcome, list(zip(ours, times)), list(zip(theirs, times[len(ours):])))
            self.add_share(outcome, row)
        except RuntimeError as error:
            outcome.error = str(error)
        gc.collect()  # threads of peers end with their sessions
        return outcome

    def add_share(self, outcome: report.Outcome, row: Row) -> None:
        """The share of the operations that the machine could do meanwhile."""
        libraries = next((peer for peer in self.peers if hasattr(peer, "peak")), None)
        if libraries and row.problem.operations and outcome.amount:
            operations = row.problem.operations(row.sizes)
            outcome.share_of_peak = operations / outcome.amount / libraries.peak(outcome.threads)


def compare(row: Row, ours: list[Candidate], theirs: list[Candidate]) -> None:
    """Raises RuntimeError unless all candidates give the same, but for rounding."""
    checked = [candidate for candidate in theirs + ours if candidate.results]
    if not any(candidate.peer == "ours" for candidate in checked):
        return
    first = None if checked[0].peer == "ours" else checked.pop(0)
    expected = first.results() if first else closed_forms.expected(row)
    for candidate in checked if expected is not None else ():
        for number, (found, right) in enumerate(zip(candidate.results(), expected, strict=True)):
            error = numpy.abs(found.ravel() - right.ravel()).max() / numpy.abs(right).max()
            if not error <= row.tolerance:
                raise RuntimeError(f"result {number} of {candidate.peer} {candidate.label} differs "
                                   f"by {error:.1e}, more than {row.tolerance:.1e}")


def fill(outcome: report.Outcome, ours: list[tuple[Candidate, Times]],
         theirs: list[tuple[Candidate, Times]]) -> None:
    """Our slowest order against the fastest candidate of each peer."""
    slowest, mine = max(ours, key=lambda pair: pair[1].least)
    outcome.amount, outcome.median, outcome.order = mine.least, mine.median, slowest.label
    outcome.fastest = min(times.least for _, times in ours)
    for candidate, times in sorted(theirs, key=lambda pair: -pair[1].least):
        outcome.peers[candidate.peer] = report.Comparison(candidate.label, times.least,
                                                          *ratio(times, mine))


def run_here(rows: list[Row], options: argparse.Namespace) -> typing.Iterator[report.Outcome]:
    """The rows one after the other in this process."""
    bench = Bench(Effort(2, 0.002, 0) if options.quick else Effort(options.rounds, options.budget))
    for note in bench.missing:
        print(f"{PREFIX} {note}", file=sys.stderr)
    for row in rows:
        for threads in options.threads:
            outcome = bench.outcome(row.tiny() if options.quick else row, threads)
            outcome.targets = {} if options.quick else row.targets
            yield outcome


def run_apart(rows: list[Row], options: argparse.Namespace) -> typing.Iterator[report.Outcome]:
    """Each row in a process of its own, so that one that crashes or never ends spoils no other."""
    told: set[str] = set()
    for row in rows:
        part = report.RESULTS.with_suffix(".part.json")
        part.unlink(missing_ok=True)
        command = [sys.executable, "-B", __file__, "--here", "--only", f"^{re.escape(row.name)}$",
                   "--rounds", str(options.rounds), "--budget", str(options.budget),
                   "--threads", *map(str, options.threads), "--json", str(part)]
        error, said = ended(command, options.limit)
        for note in (line for line in said.splitlines() if line.startswith(PREFIX)):
            if note not in told:
                print(note, file=sys.stderr)
                told.add(note)
        if part.exists():
            yield from report.read(part)[1]
        else:
            for threads in options.threads:
                yield report.Outcome(row.name, row.formula, threads, row.targets, row.unit,
                                     error=error)


def ended(command: list[str], limit: float) -> tuple[str, str]:
    """Runs a command, and ends it with all that it started after the limit; how it went, and what
    it said."""
    with subprocess.Popen(command, start_new_session=True, text=True, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE) as process:
        try:
            _, said = process.communicate(timeout=limit)
            return f"status {process.returncode}: {said.strip()[-500:]}", said
        except subprocess.TimeoutExpired:
            return f"no result after {limit:g} s", ""
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def explain(rows: list[Row], threads: list[int]) -> None:
    """Prints our steps for each row, number of threads and order of axes."""
    engine = Engine()
    for row, count in itertools.product(rows, threads):
        engine.set_threads(count)
        for order in row.orders:
            print(f"{row.name}, threads: {count}", *order.values(), sep=", ")
            print(OurCase(engine, row, order).explanation())


def write_page(outcomes: list[report.Outcome]) -> None:
    """The table in docs/benchmarks.md, and the picture beside it."""
    plot = importlib.import_module("plot")
    plot.draw(machine.description(), outcomes, PAGE.with_suffix(".png"))
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    table = report.markdown(machine.description(), outcomes)
    picture = f"![Time of others divided by ours]({PAGE.stem}.png)\n\n"
    PAGE.write_text(before + MARKS[0] + picture + table + MARKS[1] + after, encoding="utf-8")


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="axial bench", description=__doc__)
    parser.add_argument("--only", default="", metavar="PATTERN", help="rows whose name matches")
    parser.add_argument("--quick", action="store_true",
                        help="tiny sizes: tries every row, its times say nothing")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=Effort.rounds)
    parser.add_argument("--budget", type=float, default=Effort.budget,
                        help="seconds for a candidate in each round")
    parser.add_argument("--limit", type=float, default=600,
                        help="seconds after which a row is given up")
    parser.add_argument("--json", type=pathlib.Path, default=report.RESULTS, metavar="FILE")
    parser.add_argument("--page", action="store_true",
                        help=f"write the table into {PAGE.name}, beside other rows in FILE")
    parser.add_argument("--explain", action="store_true",
                        help="show the steps that we take instead, with the time of each")
    parser.add_argument("--here", action="store_true", help="run all rows in one process")
    options = parser.parse_args()
    if options.quick and options.page:
        parser.error("times of tiny sizes do not belong on a page")
    return options


def main() -> int:
    machine.settle()
    options = parsed()
    rows = [row for row in ROWS if re.search(options.only, row.name, re.IGNORECASE)]
    if options.explain:
        explain(rows, options.threads)
        return 0
    before = report.of_machine(options.json, machine.description()) if options.page else []
    outcomes = []
    for outcome in (run_here if options.here or options.quick else run_apart)(rows, options):
        print(report.line(outcome), flush=True)
        outcomes.append(outcome)
    print(report.summary(outcomes))
    status = 1 if any(outcome.error for outcome in outcomes) else 0
    if not options.quick:
        outcomes = report.together(before, outcomes, [row.name for row in ROWS])
        report.write(options.json, machine.description(), outcomes)
    if options.page:
        write_page(outcomes)
    return status


if __name__ == "__main__":
    sys.exit(main())

"""The benchmarks: every workload gives what NumPy says, on tiny sizes; reports say what is there.

Workloads are tried if the library axial_bench is built; no other library is needed.
"""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

import numpy  # noqa: E402

import ours  # noqa: E402
import report  # noqa: E402
import timing  # noqa: E402
from peers import closed_forms  # noqa: E402
from workloads import ROWS  # noqa: E402


@unittest.skipUnless(ours.LIBRARY.exists(), "the library axial_bench is not built")
class Workloads(unittest.TestCase):
    def test_give_what_numpy_says_in_every_order_of_axes(self):
        engine = ours.Engine()
        for row in (row.tiny() for row in ROWS):
            expected = closed_forms.expected(row)
            for order in row.orders:
                with self.subTest(row.name, order=order):
                    self.check(row, ours.OurCase(engine, row, order).results(), expected)

    def check(self, row, found, expected):
        self.assertEqual(len(found), len(row.results))
        for number, result in enumerate(found):
            self.assertTrue(numpy.isfinite(result).all())
            if expected is not None:
                right = expected[number].ravel()
                error = numpy.abs(result - right).max() / numpy.abs(right).max()
                self.assertLessEqual(error, row.tolerance)

    def test_that_fail_say_why(self):
        engine = ours.Engine()
        engine.library.bench_prepare(b"nothing")
        with self.assertRaisesRegex(RuntimeError, "there is no workload nothing"):
            engine.check(False)


class Reports(unittest.TestCase):
    def outcome(self, **facts):
        peers = {"torch": report.Comparison("torch", 0.004, 2.0, 0.1),
                 "ORT": report.Comparison("ORT fused", 0.002, 1.0, 0.0)}
        return report.Outcome("attention", "attention", 1, {"torch": 1.8, "ORT": 1.1},
                              amount=0.002, peers=peers, **facts)

    def test_name_the_targets_that_are_missed(self):
        self.assertEqual(report.verdict(self.outcome()), "✗ ORT")
        self.assertIn("torch 2.00 ±5 % (≥ 1.80)", report.line(self.outcome()))

    def test_of_another_machine_are_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bench.json"
            self.assertEqual(report.of_machine(path, {"cores": "2"}), [])
            report.write(path, {"cores": "2"}, [self.outcome()])
            self.assertEqual(report.of_machine(path, {"cores": "2"}), [self.outcome()])
            self.assertEqual(report.of_machine(path, {"cores": "4"}), [])

    def test_put_the_rows_of_several_runs_together(self):
        def named(name, threads, amount):
            return report.Outcome(name, "attention", threads, {}, amount=amount)

        before = [named("b", 1, 1.0), named("b", 2, 2.0), named("gone", 1, 3.0)]
        now = [named("a", 1, 4.0), named("b", 1, 5.0)]
        rows = report.together(before, now, ["a", "b"])
        self.assertEqual([(row.name, row.threads, row.amount) for row in rows],
                         [("a", 1, 4.0), ("b", 1, 5.0), ("b", 2, 2.0)])

    def test_count_targets_and_errors(self):
        outcomes = [self.outcome(), self.outcome(error="too large")]
        self.assertEqual(report.summary(outcomes),
                         "2 of 4 targets reached, 0 without the peer they need; 1 error(s)")

    def test_show_times_with_units(self):
        self.assertEqual([report.quantity(seconds, "s") for seconds in (2, 0.0123, 2.5e-7)],
                         ["2 s", "12.3 ms", "250 ns"])


class Timing(unittest.TestCase):
    def test_takes_the_ratio_of_the_best_and_the_spread_of_rounds(self):
        peer, mine = timing.Times([4, 6], [4, 5, 6]), timing.Times([2, 2], [2, 2])
        self.assertEqual(timing.ratio(peer, mine), (2, 0.5))

    def test_repeats_what_is_short(self):
        counts = []

        class Short(timing.Candidate):
            def seconds(self, count):
                counts.append(count)
                return timing.SHORTEST / 10

        timing.measure([Short("ours", "", print)], timing.Effort(rounds=1, budget=0, pause=0))
        self.assertEqual(counts, [1, 1, 4, 16, 16, 16])


if __name__ == "__main__":
    unittest.main()

"""Interleaved timing of candidates, such that a machine that drifts is unfair to none of them."""

import dataclasses
import statistics
import time
import typing

import numpy

SHORTEST = 2e-4  # seconds; what is shorter is repeated within a call, against the clock's noise
PATIENCE = 1.0  # seconds; what takes longer is timed once


@dataclasses.dataclass(frozen=True)
class Effort:
    """How often and how long to look at each candidate."""

    rounds: int = 7
    budget: float = 0.05  # seconds in each round
    pause: float = 0.02  # seconds in which the threads of the candidate before stop spinning


@dataclasses.dataclass
class Candidate:
    """A way to do the work: `run(count)` does it that often, `results` gives what came out."""

    peer: str
    label: str
    run: typing.Callable[[int], object]
    results: typing.Callable[[], list[numpy.ndarray]] | None = None

    def seconds(self, count: int) -> float:
        """The time of doing the work once, as the mean of `count` times."""
        begin = time.perf_counter()
        self.run(count)
        return (time.perf_counter() - begin) / count


class Measured(Candidate):
    """A candidate whose every `run` is new work and says itself how long it took."""

    def seconds(self, count: int) -> float:
        return sum(self.run(1) for _ in range(count)) / count


def repeated(work: typing.Callable[[], object]) -> typing.Callable[[int], None]:
    """The work, done several times."""

    def run(count: int) -> None:
        for _ in range(count):
            work()

    return run


@dataclasses.dataclass
class Times:
    """Seconds of one candidate: the best of each round, and all of them."""

    best: list[float] = dataclasses.field(default_factory=list)
    every: list[float] = dataclasses.field(default_factory=list)

    @property
    def least(self) -> float:
        return min(self.every)

    @property
    def median(self) -> float:
        return statistics.median(self.every)


def measure(candidates: list[Candidate], effort: Effort) -> list[Times]:
    """The times of all candidates."""
    counts = [calibrated(candidate) for candidate in candidates]
    times = [Times() for _ in candidates]
    for number in range(effort.rounds):
        for candidate, count, found in zip(candidates, counts, times):
            if count == 0 and number > 0:
                continue
            one_round = sample(candidate, max(count, 1), effort)
            found.best.append(min(one_round))
            found.every += one_round
    return times


def calibrated(candidate: Candidate) -> int:
    """How often one call should do the work; 0 if it takes so long that timing it once will do."""
    first = candidate.seconds(1)  # loads and compiles
    if first > PATIENCE and candidate.seconds(1) > PATIENCE:
        return 0
    count = 1
    while not isinstance(candidate, Measured) and candidate.seconds(count) * count < SHORTEST:
        count *= 4
    return count


def sample(candidate: Candidate, count: int, effort: Effort) -> list[float]:
    """The times of one candidate in one round: at least one, then until the budget is spent."""
    time.sleep(effort.pause)
    if isinstance(candidate, Measured):
        return [candidate.seconds(1)]
    candidate.seconds(count)  # brings its data back into the caches
    found = [candidate.seconds(count)]
    while sum(found) * count < effort.budget:
        found.append(candidate.seconds(count))
    return found


def ratio(peer: Times, ours: Times) -> tuple[float, float]:
    """The peer's time divided by ours, and by how much that varies between rounds."""
    rounds = [theirs / mine for theirs, mine in zip(peer.best, ours.best)]
    return peer.least / ours.least, (max(rounds) - min(rounds)) / 2

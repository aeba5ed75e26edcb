"""What came out of a row, and how people and other programs read it."""

import dataclasses
import json
import pathlib
import typing

RESULTS = pathlib.Path(__file__).resolve().parent.parent / "build/bench.json"
UNITS = {"s": ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")),
         "B": ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "B"))}
HEADINGS = ("workload", "threads", "ours", "of the limit", "peer's time / ours (target)", "met")


@dataclasses.dataclass
class Comparison:
    """The fastest candidate of a peer: its time, and the ratio to ours with its spread."""

    label: str
    seconds: float
    ratio: float
    spread: float


@dataclasses.dataclass
class Outcome:
    """A row on a number of threads. `amount` is what our slowest order of axes takes, `fastest` our
    best one, both in the row's unit."""

    name: str
    formula: str
    threads: int
    targets: dict[str, float]
    unit: str = "s"
    amount: float | None = None
    median: float | None = None
    order: str = ""
    fastest: float | None = None
    share_of_peak: float | None = None
    peers: dict[str, Comparison] = dataclasses.field(default_factory=dict)
    notes: list[str] = dataclasses.field(default_factory=list)
    error: str | None = None

    def achieved(self, target: str) -> float | None:
        """What there is to compare with a target; None if the peer is not here."""
        if target == "peak":
            return self.share_of_peak
        if target == "best":
            return min((peer.ratio for peer in self.peers.values()), default=None)
        return self.peers[target].ratio if target in self.peers else None

    def met(self, target: str) -> bool | None:
        """Whether a target is reached; None if that cannot be said."""
        if self.amount is None:
            return False
        if target == "most":
            return self.amount <= self.targets[target]
        achieved = self.achieved(target)
        return None if achieved is None else achieved >= self.targets[target]

    @classmethod
    def from_json(cls, data: dict[str, typing.Any]) -> "Outcome":
        """The reverse of dataclasses.asdict."""
        peers = {name: Comparison(**peer) for name, peer in data["peers"].items()}
        return cls(**(data | {"peers": peers}))


def quantity(amount: float, unit: str) -> str:
    """Three digits and a unit."""
    scales = UNITS[unit]
    scale, name = next((pair for pair in scales if amount >= pair[0]), scales[-1])
    return f"{amount / scale:.3g} {name}"


def short(number: float) -> str:
    """A ratio as people say it."""
    if number < 0.1:
        return f"{number:.2g}"
    return f"{number:.2f}" if number < 9.95 else f"{number:.0f}"


def comparisons(outcome: Outcome) -> str:
    """Each peer with its ratio, and the target where it has one."""
    found = []
    targets = dict(outcome.targets)
    for name, peer in sorted(outcome.peers.items(), key=lambda item: item[1].ratio):
        target = targets.get(name) or targets.pop("best", None)  # the first one is the best
        wanted = f" (≥ {short(target)})" if target else ""
        spread = f"±{100 * peer.spread / peer.ratio:.0f} %"
        found.append(f"{peer.label} {short(peer.ratio)} {spread}{wanted}")
    if "most" in targets:
        found.append(f"at most {quantity(targets['most'], outcome.unit)}")
    if outcome.order:
        found.append(f"slowest order: {outcome.order}")
    return ", ".join(found)


def limit(outcome: Outcome) -> str:
    """The share of what the machine can do at most, in operations or in copying."""
    if outcome.share_of_peak is not None:
        return f"{outcome.share_of_peak:.2f} peak"
    return f"{outcome.peers['copy'].ratio:.2f} copy" if "copy" in outcome.peers else ""


def verdict(outcome: Outcome) -> str:
    """✓ if every target is reached, otherwise those that are not; ? for a peer that is not here."""
    met = {target: outcome.met(target) for target in outcome.targets}
    wrong = [f"{'?' if good is None else '✗'} {target}" for target, good in met.items() if not good]
    return "error" if outcome.error else ", ".join(wrong) or "✓"


def cells(outcome: Outcome) -> list[str]:
    """The row of a table."""
    if outcome.error or outcome.amount is None:
        return [outcome.name, str(outcome.threads), "", "", outcome.error or "", verdict(outcome)]
    return [outcome.name, str(outcome.threads), quantity(outcome.amount, outcome.unit),
            limit(outcome), comparisons(outcome), verdict(outcome)]


def line(outcome: Outcome) -> str:
    """One line for a terminal."""
    name, threads, ours, share, peers, met = cells(outcome)
    notes = "".join(f"\n  {note}" for note in outcome.notes)
    return f"{name:34} {threads}  {ours:>8}  {share:9}  {met:24}  {peers}{notes}"


def summary(outcomes: list[Outcome]) -> str:
    """How many targets are reached."""
    verdicts = [outcome.met(target) for outcome in outcomes for target in outcome.targets]
    return (f"{verdicts.count(True)} of {len(verdicts)} targets reached, "
            f"{verdicts.count(None)} without the peer they need; "
            f"{sum(outcome.error is not None for outcome in outcomes)} error(s)")


def markdown(machine: dict[str, str], outcomes: list[Outcome]) -> str:
    """The table for a page."""
    rows = [HEADINGS, ["---"] * len(HEADINGS), *map(cells, outcomes)]
    table = "\n".join("| " + " | ".join(row).replace("\n", " ") + " |" for row in rows)
    said = ", ".join(f"{name}: {value}" for name, value in machine.items())
    return f"{said}. {summary(outcomes)}.\n\n{table}\n"


def read(path: pathlib.Path) -> tuple[dict[str, str], list[Outcome]]:
    """The machine and the outcomes in a file."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return data["machine"], [Outcome.from_json(outcome) for outcome in data["outcomes"]]


def of_machine(path: pathlib.Path, machine: dict[str, str]) -> list[Outcome]:
    """The outcomes in a file, if there is one and they are of this machine."""
    if not path.exists():
        return []
    other, outcomes = read(path)
    return outcomes if other == machine else []


def together(before: list[Outcome], now: list[Outcome], names: list[str]) -> list[Outcome]:
    """The outcomes of several runs in the order of `names`: of a row and a number of threads the last
    one."""
    latest = {(outcome.name, outcome.threads): outcome for outcome in [*before, *now]}
    known = [outcome for outcome in latest.values() if outcome.name in names]
    return sorted(known, key=lambda outcome: (names.index(outcome.name), outcome.threads))


def write(path: pathlib.Path, machine: dict[str, str], outcomes: list[Outcome]) -> None:
    """The outcomes in a file, for bench/plot.py and other programs."""
    data = {"machine": machine, "outcomes": [dataclasses.asdict(outcome) for outcome in outcomes]}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False), encoding="utf-8")

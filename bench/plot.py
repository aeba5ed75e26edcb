#!/usr/bin/python3
"""Draws what bench/run.py found: plot.py [RESULTS.json [PICTURE.png]]"""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot, ticker  # noqa: E402

import report  # noqa: E402

COLOURS = {"torch": "#d9541e", "ORT": "#1f77b4", "oneDNN": "#2ca02c", "OpenBLAS": "#9467bd",
           "BLIS": "#c39a00", "libxsmm": "#17a2b8", "NumPy": "#444444", "Eigen": "#e377c2",
           "xtensor": "#a0522d", "xarray": "#7f7f7f", "torch channels-last": "#f2a07e"}
AHEAD, BEHIND, INK, PALE = "#cfe8d5", "#f6d5d1", "#222222", "#e6e6e6"
WIDE = ("hessian", "jacobian", "addition")
ROW_HEIGHT = 0.24  # inches


def main() -> None:
    source = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else report.RESULTS
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else source.with_suffix(".png")
    machine, outcomes = report.read(source)
    draw(machine, outcomes, target)
    print(target)


def draw(machine: dict[str, str], outcomes: list[report.Outcome], target: pathlib.Path) -> None:
    """A column for each number of threads; where peers are far behind, a scale of its own."""
    shown = [outcome for outcome in outcomes if outcome.peers]
    blocks = [[outcome for outcome in shown if outcome.formula.endswith(WIDE) == wide]
              for wide in (False, True)]
    blocks = [block for block in blocks if block]
    rows = [len({outcome.name for outcome in block}) for block in blocks]
    threads = sorted({outcome.threads for outcome in shown})
    height = ROW_HEIGHT * sum(rows) + 0.7 * len(rows) + 1.3
    figure, panels = pyplot.subplots(
        len(blocks), len(threads), sharex="row", sharey="row", squeeze=False,
        figsize=(2.8 + 4.8 * len(threads), height), gridspec_kw={"height_ratios": rows})
    for line, block in zip(panels, blocks):
        for panel, count in zip(line, threads):
            draw_panel(panel, block, count)
    for panel, count in zip(panels[0], threads):
        panel.set_title(f"{count} thread" + "s" * (count > 1), fontsize=11, color=INK)
    add_legend(figure, shown, height)
    figure.suptitle("Time of others divided by ours", x=0.012, y=1 - 0.12 / height, ha="left",
                    va="top", fontsize=14, fontweight="bold", color=INK)
    figure.text(0.012, 1 - 0.46 / height, f"{machine['processor']}, {machine['cores']} cores, "
                "float32; right of the line we are faster", va="top", fontsize=9, color="#666666")
    figure.tight_layout(rect=(0, 0.55 / height, 1, 1 - 0.6 / height), h_pad=1.5)
    figure.savefig(target, dpi=150)
    pyplot.close(figure)


def draw_panel(panel: pyplot.Axes, outcomes: list[report.Outcome], threads: int) -> None:
    """A line for each workload, and a pale rule wherever another formula begins."""
    names = list(dict.fromkeys(outcome.name for outcome in outcomes))
    for outcome in outcomes:
        if outcome.threads == threads:
            draw_row(panel, outcome, -names.index(outcome.name))
    for row, (name, before) in enumerate(zip(names[1:], names), 1):
        if name.split()[0] != before.split()[0]:
            panel.axhline(0.5 - row, color="#c8c8c8", linewidth=0.6)
    panel.set_yticks([-row for row in range(len(names))], names, fontsize=8.5, color=INK)
    panel.set_ylim(-len(names) + 0.4, 0.6)
    panel.axvline(1, color=INK, linewidth=1)
    panel.set_xscale("log")
    low, high = panel.get_xlim()
    steps = (1, 2, 5) if high / low < 300 else (1,)
    panel.xaxis.set_major_locator(ticker.LogLocator(subs=steps))
    panel.xaxis.set_minor_locator(ticker.NullLocator())
    panel.xaxis.set_major_formatter(ticker.FuncFormatter(lambda x, _: f"{x:g}×"))
    panel.tick_params(length=0)
    panel.tick_params(axis="x", labelsize=8.5, labelcolor="#666666")
    panel.grid(axis="x", color=PALE, linewidth=0.6)
    panel.set_axisbelow(True)
    for side in panel.spines.values():
        side.set_visible(False)


def draw_row(panel: pyplot.Axes, outcome: report.Outcome, y: int) -> None:
    """A bar up to the nearest rival, a dot for each peer, a tick for each target, the limit."""
    rivals = {name: peer for name, peer in outcome.peers.items() if name != "copy"}
    if rivals:
        nearest = min(peer.ratio for peer in rivals.values())
        panel.barh(y, nearest - 1, left=1, height=0.72, color=AHEAD if nearest >= 1 else BEHIND,
                   zorder=1)
    for name, peer in rivals.items():
        colour = COLOURS.get(name, "#999999")
        panel.plot(peer.ratio, y, "o", color=colour, markersize=5, markeredgecolor="white",
                   markeredgewidth=0.5, zorder=3)
        if name in outcome.targets:
            panel.plot(outcome.targets[name], y, "|", color=colour, markersize=9,
                       markeredgewidth=1.6, zorder=2)
    if "best" in outcome.targets:
        panel.plot(outcome.targets["best"], y, "|", color=INK, markersize=9, markeredgewidth=1.6)
    for value in limits(outcome):
        panel.plot(value, y, "D", color="white", markeredgecolor=INK, markersize=4, zorder=3)


def limits(outcome: report.Outcome) -> list[float]:
    """The time that the machine needs at least, divided by ours."""
    copy = outcome.peers.get("copy")
    return [value for value in (outcome.share_of_peak, copy and copy.ratio) if value]


def add_legend(figure: pyplot.Figure, outcomes: list[report.Outcome], height: float) -> None:
    """The peers that are there, in the order of the table of colours."""
    present = {name for outcome in outcomes for name in outcome.peers}
    marks = [pyplot.Line2D([], [], marker="o", linestyle="", color=colour, label=name)
             for name, colour in COLOURS.items() if name in present]
    marks.append(pyplot.Line2D([], [], marker="|", linestyle="", color=INK, markersize=10,
                               markeredgewidth=1.6, label="target"))
    marks.append(pyplot.Line2D([], [], marker="D", linestyle="", color="white",
                               markeredgecolor=INK, markersize=5, label="limit of the machine"))
    figure.legend(handles=marks, loc="lower left", ncol=7, frameon=False, fontsize=8.5,
                  bbox_to_anchor=(0.005, 0.05 / height), handletextpad=0.2, columnspacing=1.4)


if __name__ == "__main__":
    main()

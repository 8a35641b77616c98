"""What an arena found, as a plot: game points a hand, or wins, with intervals."""

from importlib import import_module
from math import isinf
from pathlib import Path
from typing import Any

from terziglio.arena import Comparison, Roles
from terziglio.intervals import Interval

__all__ = ["draw"]


def draw(path: Path, found: Comparison | Roles) -> None:
    """Write the plot to a PNG or SVG file; the same results give the same file."""
    bars: list[tuple[str, Interval]]
    if isinstance(found, Comparison):
        bars = [(standing.name, standing.points) for standing in found.standings]
        told = "game points a hand, with 95 % intervals"
        base = 0.0
    else:
        bars = [
            (f"{role.soloist} against {role.defenders}", role.share)
            for row in found.matrix
            for role in row
        ]
        told = "share of hands that the soloist won, with 95 % intervals"
        base = 0.5
    setup = found.setup
    where = f"{len(found.blocks)} deals of bank {setup.bank}, seed {setup.seed}"
    # As ``Any``: what matplotlib says of its types is not complete.
    matplotlib: Any = import_module("matplotlib")
    plots: Any = import_module("matplotlib.figure")
    with matplotlib.rc_context({"svg.hashsalt": "terziglio", "svg.fonttype": "none"}):
        figure = plots.Figure(figsize=(7, 1.2 + 0.5 * len(bars)), layout="constrained")
        axes = figure.add_subplot()
        for place, (_, bar) in enumerate(reversed(bars)):
            low, high = bar.value - bar.low, bar.high - bar.value
            wide = None if isinf(bar.half) else [[low], [high]]
            axes.errorbar([bar.value], [place], xerr=wide, fmt="o", capsize=4)
        axes.axvline(base, color="0.7", linewidth=1)
        axes.set_yticks(range(len(bars)), [name for name, _ in reversed(bars)])
        axes.set_ylim(-0.6, len(bars) - 0.4)
        axes.set_xlabel(told)
        axes.set_title(where, fontsize="medium")
        metadata = {"Date": None} if path.suffix == ".svg" else {"Software": None}
        figure.savefig(path, metadata=metadata)

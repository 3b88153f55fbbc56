"""The one style of all figures: colours and patterns that read in grey print, and the sheet they are drawn on."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.report.figures.kinds import Chart, Mark

INK: Final = "#222222"
QUIET: Final = "#666666"
PALE: Final = "#DDDDDD"
COLOURS: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
"""Okabe and Ito's palette for all kinds of colour vision; alone it would not do in grey."""
MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X", "*")
HATCHES: Final = ("", "////", "....", "xxxx", "\\\\\\\\", "----", "++++", "oo")
BLUE: Final = COLOURS[0]
ORANGE: Final = COLOURS[1]

STYLE: Final[Mapping[Any, Any]] = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "text.parse_math": False,  # an agent's name may have dollars in it
    "text.color": INK,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.grid": True,
    "axes.grid.axis": "x",
    "axes.axisbelow": True,
    "axes.titlesize": 9,
    "grid.color": PALE,
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.5,
    "xtick.color": INK,
    "ytick.color": INK,
    "ytick.left": False,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.hashsalt": "sixtysix",
    "svg.fonttype": "path",
    "savefig.dpi": 150,
}
WIDTH: Final = 9.0
"""Of a figure, in inches, unless it has to be wider."""
_LETTERS_AN_INCH: Final = 16.5
"""Of a caption."""
_TITLE: Final = 0.35
_CAPTION_LINE: Final = 0.16


def sheet(chart: Chart, height: float, width: float = WIDTH) -> Figure:
    """Make an empty figure with its title and caption.

    Parameters
    ----------
    chart
        Whose title and caption.
    height, width
        In inches; those of the title and the caption come on top of the height.

    """
    letters = math.floor(_LETTERS_AN_INCH * width)
    title, caption = textwrap.wrap(chart.title, letters * 8 // 11), textwrap.wrap(chart.caption, letters)
    whole = height + _TITLE * len(title) + _CAPTION_LINE * (len(caption) + 1)
    figure = Figure(figsize=(width, whole), layout="constrained")
    figure.suptitle("\n".join(title), x=0.01, ha="left", fontsize=11)
    figure.supxlabel("\n".join(caption), x=0.01, ha="left", fontsize=8, color=QUIET)
    return figure


def whisker(axes: Axes, mark: Mark, at: float, colour: str = BLUE, marker: str = "o", *, upright: bool = False) -> None:
    """Draw a number and its interval; a number without both ends is hollow."""
    if mark.value is None:
        return

    def plot(along: list[float], *format_: str, **options: Any) -> None:
        across = [at] * len(along)
        axes.plot(*((across, along) if upright else (along, across)), *format_, color=colour, **options)

    for end in (mark.low, mark.high):
        if end is not None:
            plot([mark.value, end], linewidth=2.0, solid_capstyle="butt")
            plot([end], marker="_" if upright else "|", markersize=8, markeredgewidth=1.4)
    known = mark.low is not None and mark.high is not None
    plot([mark.value], marker, markersize=4.5, markerfacecolor=colour if known else "white")

"""The one style of all figures: colours and patterns that read in grey print, and the sheet they are drawn on."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from harness.report.figures.kinds import Chart, Mark

INK: Final = "#222222"
QUIET: Final = "#666666"
PALE: Final = "#DDDDDD"
COLOURS: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")
"""Okabe and Ito's palette for all kinds of colour vision, without its yellow, which is lost on white."""
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
_WIDE: Final = 300
"""From this ratio of the largest to the smallest number on, a logarithmic axis has numbers at powers of ten only."""
_ROOM: Final = 1.3
"""Factor by which a logarithmic axis goes beyond its numbers at least."""
_HANDLE: Final = 8
"""What a legend's sample and the space around it take, in letters."""
LEGEND_LINE: Final = 0.19
"""Height of a line of a legend in inches."""
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
    title, caption = _wrap(chart.title, letters * 8 // 11), _wrap(chart.caption, letters)
    whole = height + _TITLE * len(title) + _CAPTION_LINE * (len(caption) + 1)
    figure = Figure(figsize=(width, whole), layout="constrained")
    figure.suptitle("\n".join(title), x=0.01, ha="left", fontsize=11)
    figure.supxlabel("\n".join(caption), x=0.01, ha="left", fontsize=8, color=QUIET)
    return figure


def _wrap(text: str, letters: int) -> list[str]:
    return textwrap.wrap(text, letters, break_on_hyphens=False)


def legend(axes: Axes, labels: Sequence[str], width: float = WIDTH) -> None:
    """Put the legend between title and axes, on as many lines as its labels need; the sheet has to have the room."""
    n_columns = math.ceil(len(labels) / legend_lines(width, labels))
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=n_columns, borderaxespad=0.2)


def legend_lines(width: float, labels: Sequence[str]) -> int:
    """How many lines a legend takes on a sheet of this width in inches."""
    letters = max(map(len, labels)) + _HANDLE
    return math.ceil(len(labels) / max(1, math.floor(_LETTERS_AN_INCH * width * 0.9 / letters)))


def look(place: int) -> tuple[str, str]:
    """Colour and marker of a series or a point; two that share a colour have different markers."""
    return COLOURS[place % len(COLOURS)], MARKERS[(place + place // len(COLOURS)) % len(MARKERS)]


def logarithmic(axes: Axes, least: float, most: float) -> None:
    """Make the x axis one of powers of ten, with numbers in between where there are few of them."""
    axes.set_xscale("log")
    room = max(_ROOM, (most / least) ** 0.05)
    axes.set_xlim(least / room, most * room)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if most < _WIDE * least else (1,)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.6g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


def whisker(axes: Axes, mark: Mark, at: float, colour: str = BLUE, marker: str = "o", *, upright: bool = False) -> None:
    """Draw a number and its interval; a number without both ends is hollow."""
    if mark.value is None:
        return

    def plot(along: list[float], format_: str, **options: Any) -> None:
        across = [at] * len(along)
        (line,) = axes.plot(*((across, along) if upright else (along, across)), format_, color=colour, **options)
        line.set_in_layout(False)  # it lies inside the axes; asking for its place would take most of the time

    ends = [end for end in (mark.low, mark.high) if end is not None and mark.low != mark.high]
    if ends:
        plot(sorted({*ends, mark.value}), "-", linewidth=2.0, solid_capstyle="butt")
        plot(ends, "_" if upright else "|", markersize=8, markeredgewidth=1.4)
    known = mark.low is not None and mark.high is not None
    plot([mark.value], marker, markersize=4.5, markerfacecolor=colour if known else "white")

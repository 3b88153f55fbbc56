"""Drawing of figure data with matplotlib, in one style; the same data give the same bytes.

matplotlib is imported here and nowhere else; whoever draws imports this module late.
"""

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.report.figures import Panel, RatingsFigure

INK: Final = "#222222"
QUIET: Final = "#767676"
BLUE: Final = "#0072B2"
"""Blue of Okabe and Ito's palette for all kinds of colour vision; dark enough for print without colour."""

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
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "ytick.left": False,
    "svg.hashsalt": "sixtysix",
    "svg.fonttype": "path",
    "savefig.dpi": 150,
}
ROW: Final = 0.3
"""Height of an agent's row in inches."""
FRAME: Final = 1.5
"""Height of everything else: title, axis, caption."""


def draw_ratings(data: RatingsFigure, stem: Path) -> tuple[Path, Path]:
    """Draw the ratings as ``stem.png`` and ``stem.svg``, which are replaced if they exist.

    Parameters
    ----------
    data
        What to draw.
    stem
        Path of the files without their suffix; the folder must exist.

    """
    with style.context(["default", dict(STYLE)]):
        figure = Figure(figsize=(9.0, FRAME + ROW * max(2, len(data.labels))), layout="constrained")
        figure.suptitle(data.title, x=0.01, ha="left", fontsize=11)
        figure.supxlabel(data.caption, x=0.01, ha="left", fontsize=8, color=QUIET)
        for axes, panel in zip(figure.subplots(1, len(data.panels), sharey=True), data.panels, strict=True):
            _draw_panel(axes, panel)
            axes.set_yticks(range(len(data.labels)), data.labels)
        return _save(figure, stem)


def _draw_panel(axes: Axes, panel: Panel) -> None:
    beside = axes.get_yaxis_transform()
    for row, mark in enumerate(panel.marks):
        if mark.value is None:
            written = axes.text(0.5, row, mark.text, transform=beside, style="italic", color=QUIET)
            written.set(ha="center", va="center", bbox={"facecolor": "white", "edgecolor": "none", "pad": 2})
            continue
        for end in (mark.low, mark.high):
            if end is not None:
                axes.plot([mark.value, end], [row, row], color=BLUE, linewidth=2.0, solid_capstyle="butt")
                axes.plot([end], [row], color=BLUE, marker="|", markersize=8, markeredgewidth=1.4)
        known = mark.low is not None and mark.high is not None
        axes.plot([mark.value], [row], "o", color=BLUE, markersize=4.5, markerfacecolor=BLUE if known else "white")
        axes.text(1.01, row, mark.text, transform=beside, va="center", fontsize=8)
    axes.set_ylim(len(panel.marks) - 0.5, -0.5)
    axes.set_xlabel(panel.axis)
    axes.margins(x=0.08)
    if any(mark.value is not None for mark in panel.marks):
        axes.axvline(0, color=QUIET, linewidth=0.9)
    else:
        axes.set_xticks([])


def _save(figure: Figure, stem: Path) -> tuple[Path, Path]:
    """Write both files without a date or the name of a program, so that equal figures are equal files."""
    png, svg = stem.with_name(stem.name + ".png"), stem.with_name(stem.name + ".svg")
    with warnings.catch_warnings():
        # An agent may have a name that the font cannot write; it is drawn as a box, and in full in every table.
        warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
        figure.savefig(png, metadata={"Software": None})
        figure.savefig(svg, metadata={"Date": None, "Creator": None})
    return png, svg

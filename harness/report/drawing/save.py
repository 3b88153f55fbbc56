"""From figure data to files: each figure as PNG and as SVG; the same data give the same bytes."""

import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from matplotlib import style
from matplotlib.figure import Figure

from harness.report.drawing.curve import draw_curve
from harness.report.drawing.groups import draw_groups
from harness.report.drawing.intervals import draw_intervals
from harness.report.drawing.matrix import draw_matrix
from harness.report.drawing.scatter import draw_scatter
from harness.report.drawing.shares import draw_shares
from harness.report.drawing.style import STYLE
from harness.report.figures.kinds import Chart, Curve, Groups, Intervals, Matrix, Scatter, Shares

_DRAW: Final[Mapping[type[Chart], Callable[[Any], Figure]]] = {
    Intervals: draw_intervals,
    Matrix: draw_matrix,
    Shares: draw_shares,
    Curve: draw_curve,
    Scatter: draw_scatter,
    Groups: draw_groups,
}


def save(charts: Iterable[Chart], folder: Path) -> dict[str, tuple[Path, Path]]:
    """Draw figures as ``NAME.png`` and ``NAME.svg``, which are replaced if they exist.

    Parameters
    ----------
    charts
        What to draw, each of one of the kinds in `harness.report.figures.kinds`.
    folder
        Where the files go; it is made if needed.

    Returns
    -------
    Both paths by the name of the figure.

    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = {}
    with style.context(["default", dict(STYLE)]), warnings.catch_warnings():
        # An agent may have a name that the font cannot write; it is drawn as a box, and in full in every table.
        warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
        for chart in charts:
            paths[chart.name] = _write(_DRAW[type(chart)](chart), folder / chart.name)
    return paths


def _write(figure: Figure, stem: Path) -> tuple[Path, Path]:
    """Write both files without a date or the name of a program, so that equal figures are equal files."""
    png, svg = stem.with_name(stem.name + ".png"), stem.with_name(stem.name + ".svg")
    figure.savefig(png, metadata={"Software": None})
    figure.set_layout_engine("none")  # what has been found once holds for the second file too
    figure.savefig(svg, metadata={"Date": None, "Creator": None})
    return png, svg

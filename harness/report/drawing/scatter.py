"""Drawing of points with intervals; their names stand in a column beside them, so that none covers another."""

from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.report.drawing.style import PALE, QUIET, logarithmic, look, sheet, whisker
from harness.report.figures.kinds import Point, Scatter

_HEIGHT: Final = 3.6
_ROW: Final = 0.19
"""Height of a name in inches."""


def draw_scatter(chart: Scatter) -> Figure:
    """Draw the points, with a name and a thin line to it each."""
    height = max(_HEIGHT, _ROW * len(chart.points) + 0.8)
    figure = sheet(chart, height)
    axes = figure.subplots()
    for k, point in enumerate(chart.points):
        whisker(axes, point.y, point.x, *look(k), upright=True)
    if chart.log_x:
        times = [point.x for point in chart.points]
        logarithmic(axes, min(times), max(times))
    if chart.reference is not None:
        axes.axhline(chart.reference, color=QUIET, linewidth=0.9)
    axes.grid(visible=True, axis="both")
    axes.margins(x=0.06, y=0.08)
    axes.set_xlabel(chart.x_axis)
    axes.set_ylabel(chart.y_axis)
    _name(axes, chart.points, _ROW / (height - 0.8))
    return figure


def _name(axes: Axes, points: tuple[Point, ...], row: float) -> None:
    """Write the names beside the axes, as near to the height of their points as they do not touch."""
    low, high = axes.get_ylim()
    by_height = sorted(range(len(points)), key=lambda k: -(points[k].y.value or 0.0))
    wanted = [((points[k].y.value or 0.0) - low) / (high - low) for k in by_height]
    for k, at in zip(by_height, _apart(wanted, row), strict=True):
        point = points[k]
        axes.annotate(
            "", (point.x, point.y.value or 0.0), (1.02, at), xycoords="data", textcoords="axes fraction",
            annotation_clip=False, zorder=0,
            arrowprops={"arrowstyle": "-", "color": PALE, "linewidth": 0.8, "shrinkA": 2, "shrinkB": 5},
        ).set_in_layout(False)  # fmt: skip
        written = f"{point.label}  {point.y.text}"
        axes.text(1.045, at, written, transform=axes.transAxes, va="center", fontsize=8)
        colour, marker = look(k)
        axes.plot([1.025], [at], marker, color=colour, markersize=4.5, transform=axes.transAxes, clip_on=False)
    axes.set_ylim(low, high)


def _apart(wanted: list[float], row: float) -> list[float]:
    """Move heights, from the top down, until there is a row between any two: least squares by pooling neighbours."""
    groups: list[tuple[float, int]] = []
    for k, at in enumerate(wanted):
        groups.append((at + k * row, 1))
        while len(groups) > 1 and groups[-2][0] < groups[-1][0]:
            (one, n), (other, m) = groups[-2:]
            groups[-2:] = [((one * n + other * m) / (n + m), n + m)]
    level = np.concatenate([[at] * n for at, n in groups])
    return [float(at - k * row) for k, at in enumerate(level)]

"""Drawing of groups side by side, with a mark for each series."""

from typing import Final

from matplotlib.figure import Figure

from harness.report.drawing.style import COLOURS, MARKERS, QUIET, WIDTH, sheet, whisker
from harness.report.figures.kinds import Groups

_HEIGHT: Final = 3.8
_MARK: Final = 0.11
"""Least width of a mark in inches."""
_LETTER: Final = 0.085
"""Width of a letter of a group's name."""
_WIDEST: Final = 24.0
_MOST_SERIES: Final = 6
"""Most series in a row of the legend."""


def draw_groups(chart: Groups) -> Figure:
    """Draw the groups, the series in each of them a little apart."""
    n_groups, n_series = len(chart.groups), len(chart.series)
    width = min(_WIDEST, max(WIDTH, 1.0 + n_groups * (n_series + 1) * _MARK))
    rows = -(-n_series // _MOST_SERIES)
    figure = sheet(chart, _HEIGHT + 0.18 * (rows - 1), width)
    axes = figure.subplots()
    step = 0.72 / max(1, n_series)
    for k, series in enumerate(chart.series):
        colour, marker = COLOURS[k % len(COLOURS)], MARKERS[(k + k // len(COLOURS)) % len(MARKERS)]
        axes.plot([], [], marker, color=colour, markersize=5, label=series.label)
        for group, mark in enumerate(series.marks):
            whisker(axes, mark, group + (k - (n_series - 1) / 2) * step, colour, marker, upright=True)
    if chart.reference is not None:
        axes.axhline(chart.reference, color=QUIET, linewidth=0.9)
    for border in range(1, n_groups):
        axes.axvline(border - 0.5, color=QUIET, linewidth=0.5, linestyle=":")
    longest = max(map(len, chart.groups)) * _LETTER * n_groups
    axes.set_xticks(range(n_groups), chart.groups)
    if longest > width - 1.0:
        for label in axes.get_xticklabels():
            label.set(rotation=25, ha="right", rotation_mode="anchor")
    axes.set_xlim(-0.5, n_groups - 0.5)
    axes.grid(visible=False, axis="x")
    axes.grid(visible=True, axis="y")
    axes.margins(y=0.08)
    axes.set_xlabel(chart.group_axis)
    axes.set_ylabel(chart.axis)
    if n_series > 1:
        figure.legend(loc="outside upper right", ncols=min(n_series, _MOST_SERIES))
    return figure

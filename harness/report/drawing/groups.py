"""Drawing of groups with a mark for each series: side by side, or one below the other where names are long."""

from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.report.drawing.style import (
    LEGEND_LINE,
    PALE,
    QUIET,
    WIDTH,
    legend,
    legend_lines,
    look,
    sheet,
    whisker,
)
from harness.report.figures.kinds import Groups

_HEIGHT: Final = 3.8
_MARK: Final = 0.11
"""Least width of a mark in inches."""
_WRITTEN: Final = 0.4
"""Width of a mark in inches from which on its number stands above it."""
_LETTER: Final = 0.085
"""Width of a letter of a group's name."""
_MOST_COLUMNS: Final = 14
_LONGEST: Final = 18
"""Most groups side by side, and the longest name, in letters, that one of them has."""
_ROW: Final = 0.17
"""Height of a mark in inches, where groups stand one below the other."""
_GAP: Final = 0.14
"""Height between two such groups."""
_FRAME: Final = 0.75
_SPREAD: Final = 0.72
"""Part of a group's place that its marks take."""


def draw_groups(chart: Groups) -> Figure:
    """Draw the groups, the series in each of them a little apart."""
    fits = len(chart.groups) <= _MOST_COLUMNS and max(map(len, chart.groups)) <= _LONGEST
    return _columns(chart) if fits else _rows(chart)


def _columns(chart: Groups) -> Figure:
    n_groups, n_series = len(chart.groups), len(chart.series)
    width = max(WIDTH, 1.0 + n_groups * (n_series + 1) * _MARK)
    figure = sheet(chart, _HEIGHT + _legend_height(chart, width), width)
    axes = figure.subplots()
    step = _SPREAD / max(1, n_series)
    written = step * (width - 1.0) / n_groups >= _WRITTEN
    for k, series in enumerate(chart.series):
        for group, mark in enumerate(series.marks):
            at = group + (k - (n_series - 1) / 2) * step
            whisker(axes, mark, at, *look(k), upright=True)
            top = mark.value if mark.high is None else mark.high
            if written and top is not None:
                number = mark.text.partition(" ±")[0]
                axes.annotate(number, (at, top), (0, 4), textcoords="offset points", ha="center", fontsize=8)
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
    _legend(axes, chart, width)
    return figure


def _rows(chart: Groups) -> Figure:
    n_groups, n_series = len(chart.groups), len(chart.series)
    pitch = n_series * _ROW + _GAP
    figure = sheet(chart, _FRAME + _legend_height(chart, WIDTH) + pitch * max(2, n_groups))
    axes = figure.subplots()
    for group in range(0, n_groups, 2):
        axes.axhspan(group - 0.5, group + 0.5, color=PALE, alpha=0.35, linewidth=0)
    for k, series in enumerate(chart.series):
        for group, mark in enumerate(series.marks):
            at = group + (k - (n_series - 1) / 2) * _ROW / pitch
            whisker(axes, mark, at, *look(k))
            axes.text(1.01, at, mark.text, transform=axes.get_yaxis_transform(), va="center", fontsize=7)
    if chart.reference is not None:
        axes.axvline(chart.reference, color=QUIET, linewidth=0.9)
    axes.set_yticks(range(n_groups), chart.groups)
    axes.set_ylim(n_groups - 0.5, -0.5)
    axes.margins(x=0.05)
    axes.set_xlabel(chart.axis)
    axes.set_ylabel(chart.group_axis)
    _legend(axes, chart, WIDTH)
    return figure


def _legend_height(chart: Groups, width: float) -> float:
    return LEGEND_LINE * legend_lines(width, [series.label for series in chart.series]) if _needs_legend(chart) else 0.0


def _needs_legend(chart: Groups) -> bool:
    return len(chart.series) > 1


def _legend(axes: Axes, chart: Groups, width: float) -> None:
    if not _needs_legend(chart):
        return
    for k, series in enumerate(chart.series):
        colour, marker = look(k)
        axes.plot([], [], marker, color=colour, markersize=5, label=series.label)
    legend(axes, [series.label for series in chart.series], width)

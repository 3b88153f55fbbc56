"""Drawing of shares: few wholes as bars side by side with intervals, many as bars that are cut into parts."""

from typing import Final

from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from harness.report.drawing.style import (
    BLUE,
    COLOURS,
    HATCHES,
    INK,
    LEGEND_LINE,
    ORANGE,
    PALE,
    QUIET,
    WIDTH,
    legend,
    legend_lines,
    sheet,
)
from harness.report.figures.kinds import MOST_SIDE_BY_SIDE, Mark, Shares

_HEIGHT: Final = 3.4
_ROW: Final = 0.3
_FRAME: Final = 1.0
_LEAST_WRITTEN: Final = 6.0
"""Smallest part, in per cent, that has its number written into it."""


def draw_shares(chart: Shares) -> Figure:
    """Draw the shares, in the way that fits their number."""
    return _side_by_side(chart) if len(chart.series) <= MOST_SIDE_BY_SIDE else _parts(chart)


def _side_by_side(chart: Shares) -> Figure:
    labels = [series.label for series in chart.series]
    figure = sheet(chart, _HEIGHT + LEGEND_LINE * legend_lines(WIDTH, labels))
    axes = figure.subplots()
    bars: dict[int, list[tuple[float, float, Mark]]] = {}
    for place in range(len(chart.categories)):
        there = [(k, s.marks[place]) for k, s in enumerate(chart.series) if s.marks[place].value is not None]
        width = 0.84 / max(1, len(there)) if len(there) > 1 else 0.42
        for n, (k, mark) in enumerate(there):
            bars.setdefault(k, []).append((place + (n - (len(there) - 1) / 2) * width, width, mark))
    for k, series in enumerate(chart.series):
        _bars(axes, bars.get(k, []), k, series.label)
    axes.set_xticks(range(len(chart.categories)), chart.categories)
    axes.set_xlim(-0.6, len(chart.categories) - 0.4)
    axes.grid(visible=False, axis="x")
    axes.grid(visible=True, axis="y")
    axes.margins(y=0.12)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(chart.category_axis)
    axes.set_ylabel(chart.axis)
    if len(chart.series) > 1:
        legend(axes, labels)
    return figure


def _bars(axes: Axes, bars: list[tuple[float, float, Mark]], k: int, label: str) -> None:
    for n, (x, width, mark) in enumerate(bars):
        value = mark.value or 0.0
        axes.bar(
            x, value, width * 0.94, color=COLOURS[k], hatch=HATCHES[k], edgecolor="white", linewidth=0.5,
            label=label if n == 0 else None,
        )  # fmt: skip
        if mark.low is not None and mark.high is not None:
            axes.plot([x, x], [mark.low, mark.high], color=INK, linewidth=1.2)
            for end in (mark.low, mark.high):
                axes.plot([x], [end], color=INK, marker="_", markersize=6, markeredgewidth=1.2)
        axes.annotate(
            mark.text, (x, mark.high if mark.high is not None else value), (0, 4), textcoords="offset points",
            ha="center", va="bottom", fontsize=7,
        )  # fmt: skip


def _parts(chart: Shares) -> Figure:
    figure = sheet(chart, _FRAME + LEGEND_LINE * legend_lines(WIDTH, chart.categories) + _ROW * len(chart.series))
    axes = figure.subplots()
    looks = _looks(chart)
    for row, series in enumerate(chart.series):
        left = 0.0
        for k, (mark, (colour, hatch)) in enumerate(zip(series.marks, looks, strict=True)):
            value = mark.value or 0.0
            label = chart.categories[k] if row == 0 else None
            axes.barh(row, value, 0.8, left, color=colour, hatch=hatch, edgecolor="white", linewidth=0.5, label=label)
            if value >= _LEAST_WRITTEN:
                written = axes.text(left + value / 2, row, f"{value:.0f}", ha="center", va="center", fontsize=7)
                written.set(color=INK, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.85})
                written.set_in_layout(False)
            left += value
        if not left:
            axes.text(1, row, series.marks[0].text, va="center", style="italic", color=QUIET)
    axes.set_yticks(range(len(chart.series)), [series.label for series in chart.series])
    axes.set_ylim(len(chart.series) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"{chart.axis}, by {chart.category_axis}" if chart.category_axis else chart.axis)
    legend(axes, chart.categories)
    return figure


def _looks(chart: Shares) -> list[tuple[str | tuple[float, ...], str]]:
    """Colour and pattern of each category: around a middle two sides that grow darker outwards."""
    if chart.middle is None:
        return [(COLOURS[k], HATCHES[k]) for k in range(len(chart.categories))]
    reach = max(chart.middle, len(chart.categories) - 1 - chart.middle)

    def look(place: int) -> tuple[str | tuple[float, ...], str]:
        if place == chart.middle:
            return PALE, ""
        away = abs(place - (chart.middle or 0)) / reach
        side, hatch = (ORANGE, "////") if place < (chart.middle or 0) else (BLUE, "")
        return tuple(1 - away * (1 - part) for part in to_rgb(side)), hatch

    return [look(place) for place in range(len(chart.categories))]

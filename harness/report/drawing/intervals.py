"""Drawing of rows with a number and its interval in each panel."""

import textwrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from harness.report.drawing.style import QUIET, sheet, whisker
from harness.report.figures.kinds import Intervals, Panel

_ROW = 0.3
"""Height of a row in inches."""
_FRAME = 0.75
"""Height of the axis and the space around it."""
_MOST_ACROSS = 3
"""Most panels side by side."""
_LETTERS = 150
"""Of axis labels on the width of a sheet, all panels together, where nothing stands beside these."""
_TEXT = 14
"""What the texts beside a panel take of it."""
_NARROWEST = 16
_MOST_TICKS = 6
_TICK_LETTER = 1.3
"""What a letter of a tick takes of the width of its panel; the space beside it counts as one more."""
_STEPS = (1, 2, 5, 10)
"""Between ticks; numbers between steps of 2.5 are too long to stand side by side."""
_WHOLE = 0.55
"""Width of a panel of whole numbers, as a part of that of others."""


def draw_intervals(chart: Intervals) -> Figure:
    """Draw the rows from top to bottom, panels side by side, a few at a time."""
    n_panels = len(chart.panels)
    n_across = min(n_panels, _MOST_ACROSS)
    n_lines = -(-n_panels // n_across)
    figure = sheet(chart, n_lines * (_FRAME + _ROW * max(2, len(chart.labels))))
    widths = [_WHOLE if panel.whole else 1.0 for panel in chart.panels[:n_across]]
    grid = figure.subplots(
        n_lines, n_across, sharex=chart.same_scale, sharey=True, squeeze=False, width_ratios=widths
    ).ravel()
    room = _LETTERS - 1.2 * max(map(len, chart.labels)) - _TEXT * n_across
    for axes, panel in zip(grid, chart.panels, strict=False):
        _draw_panel(axes, panel)
    for axes, panel in zip(grid, chart.panels, strict=False):
        letters = max(_NARROWEST, int(room * (_WHOLE if panel.whole else 1.0) / sum(widths)))
        if not panel.whole and axes.get_xticks().size:
            axes.xaxis.set_major_locator(_ticks(axes, letters))
        axes.set_xlabel(textwrap.fill(panel.axis, letters))
        axes.set_yticks(range(len(chart.labels)), chart.labels)
        axes.tick_params(labelbottom=True)
    for axes in grid[n_panels:]:
        axes.set_visible(False)
    return figure


def _draw_panel(axes: Axes, panel: Panel) -> None:
    beside = axes.get_yaxis_transform()
    for row, mark in enumerate(panel.marks):
        if mark.value is None:
            written = axes.text(0.5, row, mark.text, transform=beside, style="italic", color=QUIET)
            written.set(ha="center", va="center", bbox={"facecolor": "white", "edgecolor": "none", "pad": 2})
            continue
        whisker(axes, mark, row)
        axes.text(1.01, row, mark.text, transform=beside, va="center", fontsize=8)
    axes.set_ylim(len(panel.marks) - 0.5, -0.5)
    axes.margins(x=0.08)
    if panel.whole:
        ends = [int(end) for mark in panel.marks for end in (mark.low, mark.high) if end is not None] or [0]
        axes.set_xticks(range(min(ends), max(ends) + 1, 1 + (max(ends) - min(ends)) // _MOST_TICKS))
    if not any(mark.value is not None for mark in panel.marks):
        axes.set_xticks([])
        return
    if panel.reference is not None:
        axes.axvline(panel.reference, color=QUIET, linewidth=0.9)


def _ticks(axes: Axes, letters: int) -> MaxNLocator:
    """Make as many ticks as stand side by side on a panel of this width."""
    low, high = axes.get_xlim()
    for most in range(_MOST_TICKS, 1, -1):
        locator = MaxNLocator(most, steps=_STEPS)
        ticks = locator.tick_values(low, high)
        tick = _TICK_LETTER * (1 + max(len(f"{at:.6g}") for at in ticks))
        if tick * (high - low) <= letters * (ticks[1] - ticks[0]):
            break
    return locator

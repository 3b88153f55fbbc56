"""Drawing of rows with a number and its interval in each panel."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from harness.report.drawing.style import QUIET, sheet, whisker
from harness.report.figures.kinds import Intervals, Panel

_ROW = 0.3
"""Height of a row in inches."""
_FRAME = 0.75
"""Height of the axis and the space around it."""
_WHOLE = 0.55
"""Width of a panel of whole numbers, as a part of that of others."""


def draw_intervals(chart: Intervals) -> Figure:
    """Draw the rows from top to bottom, panels side by side."""
    figure = sheet(chart, _FRAME + _ROW * max(2, len(chart.labels)))
    widths = [_WHOLE if panel.whole else 1.0 for panel in chart.panels]
    all_axes = figure.subplots(1, len(widths), sharey=True, squeeze=False, width_ratios=widths)[0]
    for axes, panel in zip(all_axes, chart.panels, strict=True):
        _draw_panel(axes, panel)
        axes.set_yticks(range(len(chart.labels)), chart.labels)
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
    axes.set_xlabel(panel.axis)
    axes.margins(x=0.08)
    if panel.whole:
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))
    if not any(mark.value is not None for mark in panel.marks):
        axes.set_xticks([])
    elif panel.reference is not None:
        axes.axvline(panel.reference, color=QUIET, linewidth=0.9)

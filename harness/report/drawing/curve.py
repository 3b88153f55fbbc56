"""Drawing of lines with bands."""

from typing import Final

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from harness.report.drawing.style import COLOURS, LEGEND_LINE, QUIET, legend, logarithmic, sheet, whisker
from harness.report.figures.kinds import Curve

_HEIGHT: Final = 3.4
_STYLES: Final = ("-", "--", "-.", ":")


def draw_curve(chart: Curve) -> Figure:
    """Draw the lines, each with its band."""
    figure = sheet(chart, _HEIGHT + (LEGEND_LINE if len(chart.lines) > 1 else 0.0))
    axes = figure.subplots()
    for k, line in enumerate(chart.lines):
        colour = COLOURS[k % len(COLOURS)]
        if line.low:
            axes.fill_between(line.x, line.low, line.high, color=colour, alpha=0.18, linewidth=0)
            for edge in (line.low, line.high):
                axes.plot(line.x, edge, color=colour, linewidth=0.8)
        axes.plot(line.x, line.y, _STYLES[k % len(_STYLES)], color=colour, linewidth=1.8, label=line.label)
        if line.final is not None:
            whisker(axes, line.final, line.x[-1], colour, upright=True)
            written = axes.annotate(
                line.final.text, (line.x[-1], line.final.value or 0.0), (8, 0), textcoords="offset points",
                va="center", fontsize=8, annotation_clip=False,
            )  # fmt: skip
            written.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1})
    if chart.log_x:
        logarithmic(axes, min(line.x[0] for line in chart.lines), max(line.x[-1] for line in chart.lines))
    else:
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,g}"))
    if chart.reference is not None:
        axes.axhline(chart.reference, color=QUIET, linewidth=0.9)
    axes.grid(visible=True, axis="both")
    axes.set_xlabel(chart.x_axis)
    axes.set_ylabel(chart.y_axis)
    if len(chart.lines) > 1:
        legend(axes, [line.label for line in chart.lines])
    return figure

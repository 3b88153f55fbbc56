"""Drawing of tables of coloured cells, with the numbers in them."""

from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.colors import LinearSegmentedColormap, Normalize, TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from harness.report.drawing.style import BLUE, INK, ORANGE, PALE, WIDTH, sheet
from harness.report.figures.kinds import Grid, Matrix

_CELL: Final = 0.38
"""Least width and height of a cell in inches; a cell of several lines is higher."""
_LINE: Final = 0.17
_BAR: Final = 1.1
"""Width of the colour bar and what stands beside it."""
_LETTER: Final = 0.085
"""Width of a letter of a label; labels that are longer than their columns are wide stand aslant."""
_TALLEST: Final = 0.5
_FRAME: Final = 0.8
_SIDES: Final = LinearSegmentedColormap.from_list("sides", [ORANGE, "white", BLUE])
"""In grey print the orange side stays paler than the blue one."""
_DEPTH: Final = LinearSegmentedColormap.from_list("depth", ["white", BLUE])
_HATCH: Final = "////"
"""Of what is below the centre where no text has its sign: in grey print pale orange and pale blue are alike."""


def draw_matrix(chart: Matrix) -> Figure:
    """Draw the tables side by side, under one scale of colours."""
    n_rows, n_columns, n_grids = len(chart.rows), len(chart.columns), len(chart.grids)
    beside = _BAR + _LETTER * max(map(len, chart.rows))
    width = max(WIDTH, beside + n_grids * n_columns * _CELL)
    n_lines = max(text.count("\n") + 1 for grid in chart.grids for row in grid.texts for text in row)
    cell = min(_TALLEST, max(_CELL, _LINE * (n_lines + 1), 3.0 / n_rows))
    figure = sheet(chart, _FRAME + cell * n_rows, width)
    norm = _norm(chart)
    colours = _DEPTH if chart.centre is None else _SIDES
    all_axes = figure.subplots(1, n_grids, sharey=True, squeeze=False)[0]
    for axes, grid in zip(all_axes, chart.grids, strict=True):
        values = np.array([[np.nan if v is None else v for v in row] for row in grid.values], dtype=np.float64)
        mesh = axes.pcolormesh(np.ma.masked_invalid(values), cmap=colours, norm=norm, edgecolors=PALE, linewidth=0.5)
        if chart.has_texts:
            _write_cells(axes, grid, norm, colours, 8 if n_columns * n_grids <= 15 else 6.5)
        elif chart.centre is not None:
            below = np.ma.masked_where(~(values < chart.centre), values)
            _hatch(axes.pcolor(below))
        axes.set_title(grid.title, fontsize=9)
        axes.set_xlabel(chart.column_axis)
        axes.set_xticks(np.arange(n_columns) + 0.5, chart.columns)
        if max(map(len, chart.columns)) * _LETTER > (width - beside) / (n_grids * n_columns):
            for label in axes.get_xticklabels():
                label.set(rotation=25, ha="right", rotation_mode="anchor")
        axes.set_yticks(np.arange(n_rows) + 0.5, chart.rows)
        axes.tick_params(length=0)
        axes.grid(visible=False)
        axes.set_facecolor(PALE)  # an empty cell is not one at the centre, which is white
        axes.spines[:].set_visible(False)
        axes.set_ylim(n_rows, 0)
    all_axes[0].set_ylabel(chart.row_axis)
    bar = figure.colorbar(mesh, ax=list(all_axes), label=chart.unit, pad=0.02, aspect=30)
    bar.outline.set_visible(False)
    if not chart.has_texts and chart.centre is not None:
        _hatch(bar.ax.axhspan(bar.ax.get_ylim()[0], chart.centre))
    return figure


def _hatch(area: Collection | Patch) -> None:
    area.set(facecolor="none", edgecolor=INK, linewidth=0, hatch=_HATCH)


def _norm(chart: Matrix) -> Normalize:
    known = [v for grid in chart.grids for row in grid.values for v in row if v is not None]
    low, high = chart.limits or (min(known), max(known))
    if chart.centre is None:
        return Normalize(low, high if high > low else low + 1)
    reach = max(chart.centre - low, high - chart.centre) or 1.0
    return TwoSlopeNorm(chart.centre, chart.centre - reach, chart.centre + reach)


def _write_cells(axes: Axes, grid: Grid, norm: Normalize, colours: LinearSegmentedColormap, size: float) -> None:
    for i, row in enumerate(grid.texts):
        for j, text in enumerate(row):
            value = grid.values[i][j]
            if value is None or not text:
                continue
            red, green, blue, _ = colours(float(norm(value)))
            dark = 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.5
            written = axes.text(j + 0.5, i + 0.5, text, ha="center", va="center", fontsize=size)
            written.set_in_layout(False)
            written.set(color="white" if dark else INK, fontweight="bold" if grid.strong[i][j] else "normal")

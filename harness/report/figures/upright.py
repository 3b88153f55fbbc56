"""Tables the other way round where they would be too wide: a sheet has more room downwards."""

from dataclasses import replace
from typing import TypeVar

from harness.report.figures.kinds import Grid, Matrix

_T = TypeVar("_T")


def upright(table: Matrix) -> Matrix:
    """Make rows of a table's columns, where it has more columns than rows."""
    if len(table.columns) <= len(table.rows):
        return table
    grids = tuple(
        Grid(grid.title, _turned(grid.values), _turned(grid.texts), _turned(grid.strong)) for grid in table.grids
    )
    return replace(
        table,
        rows=table.columns,
        columns=table.rows,
        row_axis=table.column_axis,
        column_axis=table.row_axis,
        grids=grids,
    )


def _turned(rows: tuple[tuple[_T, ...], ...]) -> tuple[tuple[_T, ...], ...]:
    return tuple(zip(*rows, strict=True))

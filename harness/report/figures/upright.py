"""Tables of comparisons the other way round where they would be too wide: a sheet has more room downwards."""

from dataclasses import replace
from typing import TypeVar

from harness.report.figures.kinds import Grid, Matrix, colours_alone

_T = TypeVar("_T")


def upright(table: Matrix) -> Matrix:
    """Make rows of a table's columns, where it has more columns than rows; say so where it is still too wide."""
    if len(table.columns) > len(table.rows):
        table = _other_way_round(table)
    if table.has_texts or table.centre is None:
        return table
    words = colours_alone(table.centre, "comparison.csv")
    return replace(table, caption=f"{table.caption} {words[0].upper()}{words[1:]}.")


def _other_way_round(table: Matrix) -> Matrix:
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

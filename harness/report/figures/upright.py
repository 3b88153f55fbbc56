"""Tables of comparisons the other way round where they would be too wide: a sheet has more room downwards."""

from dataclasses import replace
from typing import TypeVar

from harness.report.figures.kinds import Grid, Matrix, colours_alone

_T = TypeVar("_T")


def upright(table: Matrix, about_texts: str = "") -> Matrix:
    """Make rows of a table's columns, where it has more columns than rows; complete its caption.

    The last sentence is `about_texts`, or, where it is still too wide for texts, that there are none.
    """
    if len(table.columns) > len(table.rows):
        table = _other_way_round(table)
    if not table.has_texts and table.centre is not None:
        words = colours_alone(table.centre, "comparison.csv")
        about_texts = f"{words[0].upper()}{words[1:]}."
    return replace(table, caption=f"{table.caption} {about_texts}".rstrip())


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

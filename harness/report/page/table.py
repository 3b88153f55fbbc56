"""A table of numbers that can be sorted by any of its columns; without JavaScript it is a plain one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from harness.report.page.markup import Html, element, join
from harness.report.words import Scale
from harness.stats.estimate import Estimate

_SPREAD: Final = " ± "


@dataclass(frozen=True)
class Cell:
    """A cell: its text, and the value that it is sorted by; None for a value that is missing, which comes last."""

    text: str
    value: float | str | None


@dataclass(frozen=True)
class Column:
    """A column by its heading; the cells of numbers stand to the right."""

    head: str
    is_number: bool = True


def word(text: str) -> Cell:
    """Make a cell of words."""
    return Cell(text, text)


def whole(n: int) -> Cell:
    """Make a cell of a whole number."""
    return Cell(f"{n:,}", n)


def measured(estimate: Estimate, scale: Scale, n_decimals: int | None = None) -> Cell:
    """Make a cell of an estimate with its half-width."""
    return Cell(scale.write(estimate, n_decimals), estimate.value)


def table(
    caption: str, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], *, heading: int = 0, can_sort: bool = True
) -> Html:
    """Write a table.

    Parameters
    ----------
    caption
        What it shows.
    columns
        Its columns.
    rows
        The cells of each row, one a column.
    heading
        The column whose cells name their rows.
    can_sort
        Whether another order makes sense.

    """
    head = element("tr", *(_head(column) for column in columns))
    body = [
        element(
            "tr",
            *(_cell(cell, column, k == heading) for k, (cell, column) in enumerate(zip(row, columns, strict=True))),
        )
        for row in rows
    ]
    whole_table = element(
        "table",
        element("caption", caption),
        element("thead", head),
        element("tbody", *body),
        class_="sortable" if can_sort and len(rows) > 1 else None,
    )
    return element("div", whole_table, class_="scroll", tabindex=0, role="region", aria_label=caption)


def _head(column: Column) -> Html:
    kind = "number" if column.is_number else "word"
    return element("th", column.head, scope="col", class_=kind)


def _cell(cell: Cell, column: Column, names_row: bool) -> Html:
    value = None if cell.value is None else str(cell.value)
    size, sign, spread = cell.text.partition(_SPREAD)
    text = join([size, element("span", sign + spread, class_="spread")]) if sign and column.is_number else cell.text
    kind = "number" if column.is_number else "word"
    if names_row:
        return element("th", text, scope="row", class_=kind, data_value=value)
    return element("td", text, class_=kind, data_value=value)

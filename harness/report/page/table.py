"""A table of numbers that can be sorted by any of its columns; without JavaScript it is a plain one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from harness.report.page.markup import Html, element, join
from harness.report.words import Scale, write_share
from harness.stats.estimate import Estimate

_SPREAD: Final = " ± "


@dataclass(frozen=True)
class Cell:
    """A cell: its text, and the value that it is sorted by; None for a value that is missing, which comes last."""

    text: str
    value: float | str | None


@dataclass(frozen=True)
class Column:
    """A column with its heading; numbers stand to the right."""

    head: str
    cells: tuple[Cell, ...]
    is_number: bool = True


def words(head: str, texts: Iterable[str]) -> Column:
    """Make a column of words."""
    return Column(head, tuple(Cell(text, text) for text in texts), is_number=False)


def whole_numbers(head: str, numbers: Iterable[int]) -> Column:
    """Make a column of whole numbers."""
    return Column(head, tuple(Cell(f"{n:,}", n) for n in numbers))


def estimates(head: str, scale: Scale, values: Sequence[Estimate]) -> Column:
    """Make a column of estimates with their half-widths, all with the same number of decimals."""
    n_decimals = scale.decimals(values)
    return Column(head, tuple(Cell(scale.write(e, n_decimals), e.value) for e in values))


def shares(head: str, values: Iterable[Estimate]) -> Column:
    """Make a column of shares that may be near none or all."""
    return Column(head, tuple(Cell(write_share(e), e.value) for e in values))


def table(caption: str, columns: Sequence[Column], *, heading: int = 0, can_sort: bool = True) -> Html:
    """Write a table, in a box that scrolls where it is too small.

    Parameters
    ----------
    caption
        What it shows.
    columns
        Its columns, all of the same length.
    heading
        The column whose cells name their rows.
    can_sort
        Whether another order makes sense.

    """
    rows = list(zip(*(column.cells for column in columns), strict=True))
    head = (element("th", column.head, scope="col", class_=_kind(column)) for column in columns)
    body = (element("tr", *(_cell(cell, columns[k], k == heading) for k, cell in enumerate(row))) for row in rows)
    whole = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *head)),
        element("tbody", *body),
        class_="sortable" if can_sort and len(rows) > 1 else None,
    )
    return element("div", whole, class_="scroll", tabindex=0, role="region", aria_label=caption)


def _kind(column: Column) -> str:
    return "number" if column.is_number else "word"


def _cell(cell: Cell, column: Column, names_row: bool) -> Html:
    value = None if cell.value is None else str(cell.value)
    size, sign, spread = cell.text.partition(_SPREAD)
    text = join([size, element("span", sign + spread, class_="spread")]) if sign and column.is_number else cell.text
    scope = "row" if names_row else None
    return element("th" if names_row else "td", text, scope=scope, class_=_kind(column), data_value=value)

"""The kinds of figures: what there is to draw, in the units of its axes, and the words that belong to it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from harness.report.words import Scale, number
from harness.stats.estimate import Estimate

LABEL_WIDTH: Final = 28
"""Longest name in a figure, in letters; longer ones lose their middle."""
MOST_TEXTS: Final = 26
"""Columns of the widest table whose cells have texts; in narrower cells colours alone tell."""
MOST_SIDE_BY_SIDE: Final = 3
"""Most wholes whose shares stand side by side, each with its interval; more are bars cut into parts, without."""


@dataclass(frozen=True, kw_only=True)
class Chart:
    """What every figure has.

    Attributes
    ----------
    name
        Stem of its files.
    title
        What is shown, of whom.
    caption
        Units, n, the level of the intervals, and what is not known.
    alt
        One sentence with the main numbers, for who cannot see the figure.

    """

    name: str
    title: str
    caption: str
    alt: str


@dataclass(frozen=True)
class Mark:
    """A number, the ends of its interval where there are any, and the text beside it; all as the axis has them.

    ``value`` is None where there is no number; ``text`` is then the reason.
    """

    value: float | None
    low: float | None
    high: float | None
    text: str


@dataclass(frozen=True)
class Panel:
    """One scale of a figure of intervals.

    Attributes
    ----------
    axis
        What the axis says, units included.
    marks
        One by row.
    reference
        Where a line stands, such as 0 or that of equals; None for no line.
    whole
        Whether the axis has whole numbers only, as ranks are.

    """

    axis: str
    marks: tuple[Mark, ...]
    reference: float | None = 0.0
    whole: bool = False


@dataclass(frozen=True, kw_only=True)
class Intervals(Chart):
    """Rows from top to bottom, each with a number and its interval in every panel.

    ``same_scale`` is for panels whose axes are to be one, so that their marks can be compared.
    """

    labels: tuple[str, ...]
    panels: tuple[Panel, ...]
    same_scale: bool = False


@dataclass(frozen=True)
class Grid:
    """One table of a figure of tables, row by row; a value of None is an empty cell.

    ``texts`` stand in the cells; those that are ``strong`` are told apart from the centre.
    """

    title: str
    values: tuple[tuple[float | None, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    strong: tuple[tuple[bool, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Matrix(Chart):
    """Tables of coloured cells.

    Attributes
    ----------
    rows, columns
        Their labels, from top to bottom and from left to right.
    row_axis, column_axis
        What they are.
    grids
        The tables, which share labels and colours.
    unit
        What the colours mean.
    centre
        The value between the two colours; None for one colour from pale to dark.
    limits
        Smallest and largest value that have colours of their own; None for those of the values.

    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_axis: str
    column_axis: str
    grids: tuple[Grid, ...]
    unit: str
    centre: float | None = None
    limits: tuple[float, float] | None = None

    @property
    def has_texts(self) -> bool:
        """Whether the cells are wide enough for their texts."""
        return len(self.columns) <= MOST_TEXTS


@dataclass(frozen=True)
class Series:
    """A mark in each group or category; ``label`` says what they have in common."""

    label: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, kw_only=True)
class Shares(Chart):
    """How a whole is shared among categories, by series: the marks are parts of one whole, in per cent.

    Attributes
    ----------
    axis
        What the shares are of.
    categories, category_axis
        The parts, and what they are.
    series
        The wholes, each with a mark by category.
    middle
        Place of the category between the two sides, where categories go from one side to the other.

    """

    axis: str
    category_axis: str
    categories: tuple[str, ...]
    series: tuple[Series, ...]
    middle: int | None = None


@dataclass(frozen=True)
class Line:
    """A line with a band around it; ``final`` is the usual interval at its end, where there is one to show."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    final: Mark | None = None


@dataclass(frozen=True, kw_only=True)
class Curve(Chart):
    """Lines over a common axis."""

    x_axis: str
    y_axis: str
    lines: tuple[Line, ...]
    log_x: bool = False
    reference: float | None = 0.0


@dataclass(frozen=True)
class Point:
    """A point of a scatter, its interval upright."""

    label: str
    x: float
    y: Mark


@dataclass(frozen=True, kw_only=True)
class Scatter(Chart):
    """Points with intervals."""

    x_axis: str
    y_axis: str
    points: tuple[Point, ...]
    log_x: bool = False
    reference: float | None = 0.0


@dataclass(frozen=True, kw_only=True)
class Groups(Chart):
    """Groups side by side, and in each of them a mark a series: ``series[k].marks`` has one by group."""

    axis: str
    group_axis: str
    groups: tuple[str, ...]
    series: tuple[Series, ...]
    reference: float | None = None


def colours_alone(centre: float, file: str = "") -> str:
    """Say what the cells of a table tell that is too wide for texts, and which file of the report has the numbers."""
    return f"colours alone, hatched below {centre:g}" + (f": the numbers are in {file}" if file else "")


def mark(estimate: Estimate, scale: Scale, n_decimals: int | None = None) -> Mark:
    """Put an estimate onto an axis: numbers in the unit of the scale, the text as tables have it."""
    if estimate.value is None:
        return Mark(None, None, None, estimate.note)
    value, low, high = (None if x is None else scale.factor * x for x in (estimate.value, estimate.low, estimate.high))
    return Mark(value, low, high, scale.write(estimate, n_decimals))


def marks(estimates: Sequence[Estimate], scale: Scale) -> tuple[Mark, ...]:
    """Put estimates onto an axis, their texts all with the decimals of one column."""
    n_decimals = scale.decimals(estimates)
    return tuple(mark(estimate, scale, n_decimals) for estimate in estimates)


def bare_marks(estimates: Sequence[Estimate], scale: Scale) -> tuple[Mark, ...]:
    """Put estimates onto an axis, as `marks` does, but with the number alone as text, for narrow places."""
    n_decimals = scale.decimals(estimates)

    def text(estimate: Estimate) -> str:
        return number(scale.factor * (estimate.value or 0.0), n_decimals, sign=scale.sign)

    return tuple(
        replace(whole, text=text(estimate)) if estimate.value is not None else whole
        for whole, estimate in zip(marks(estimates, scale), estimates, strict=True)
    )

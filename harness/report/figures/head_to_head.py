"""Head to head: what each agent earns against each other one, as a table of colours."""

from harness.report.analysis import AgentLine, Analysis
from harness.report.figures.kinds import LABEL_WIDTH, MOST_TEXTS, Grid, Matrix, colours_alone
from harness.report.units import Unit
from harness.report.words import POINTS, SHARE, Scale, at_most, level_text, number
from harness.stats.estimate import Estimate
from harness.stats.pairs import PairEstimates
from harness.store.rows import RunFigure
from harness.texts import shorten

_MOST_INTERVALS = 8
"""Agents of the largest table that has an interval in each cell."""
_SHORT = 10
"""Longest name that fits over a column, in letters."""


def head_to_head_figure(analysis: Analysis) -> Matrix | str:
    """Collect what the row earns against the column, best agents first; or say why there is nothing to show.

    Where matches were played, it is the share of them that the row has won.
    """
    if len(analysis.agents) < 3:
        return "Head to head: with two agents there is one pairing, which the ratings show."
    cells = _cells(analysis)
    scale, unit = _scale(analysis.unit)
    with_intervals = len(analysis.agents) <= _MOST_INTERVALS
    n_decimals = scale.decimals(c for row in cells for c in row if c is not None) if with_intervals else scale.least
    even = 50.0 if analysis.unit.is_match else 0.0
    names = [shorten(agent.name, LABEL_WIDTH) for agent in analysis.agents]
    fit = with_intervals and all(len(name) <= _SHORT for name in names)
    return Matrix(
        name=RunFigure.HEAD_TO_HEAD,
        title=f"Head to head: {unit}, of the row against the column",
        rows=tuple(names) if fit else tuple(f"{a}  {b.rank}" for a, b in zip(names, analysis.agents, strict=True)),
        columns=tuple(names) if fit else tuple(str(agent.rank) for agent in analysis.agents),
        row_axis="",
        column_axis="against" if fit else "against, by rank",
        grids=(
            Grid(
                title="",
                values=tuple(
                    tuple(None if c is None or c.value is None else scale.factor * c.value for c in row)
                    for row in cells
                ),
                texts=tuple(tuple(_text(c, scale, n_decimals, with_intervals) for c in row) for row in cells),
                strong=tuple(tuple(c is not None and c.excludes(even / scale.factor) for c in row) for row in cells),
            ),
        ),
        unit=unit,
        centre=even,
        caption=_caption(analysis, cells, scale, even, with_intervals),
        alt=_alt(analysis, cells, scale, unit),
    )


def _scale(unit: Unit) -> tuple[Scale, str]:
    return (SHARE, "matches won, in %") if unit.is_match else (POINTS, "game points a hand")


def _cells(analysis: Analysis) -> list[list[Estimate | None]]:
    met = {frozenset((p.first, p.second)): p for p in analysis.pairings if p.estimates.n_deals}

    def of(seen: PairEstimates) -> Estimate:
        return seen.hands_won if analysis.unit.is_match else seen.game_points

    def cell(row: AgentLine, column: AgentLine) -> Estimate | None:
        pairing = met.get(frozenset((row.number, column.number)))
        return None if pairing is None else of(pairing.seen_from(row.number))

    return [[cell(row, column) for column in analysis.agents] for row in analysis.agents]


def _text(cell: Estimate | None, scale: Scale, n_decimals: int, with_interval: bool) -> str:
    if cell is None or cell.value is None:
        return ""
    text = number(scale.factor * cell.value, n_decimals, sign=scale.sign)
    if not with_interval:
        return text
    return text if cell.half_width is None else f"{text}\n{scale.spread(cell, n_decimals)}"


def _caption(
    analysis: Analysis, cells: list[list[Estimate | None]], scale: Scale, even: float, with_intervals: bool
) -> str:
    unit, level = analysis.unit, level_text(analysis.level)
    known = [cell for row in cells for cell in row if cell is not None]
    n_deals = sorted({cell.n for cell in known})
    played = unit.count_pairs(n_deals[-1])
    if len(n_deals) > 1:
        played = f"{n_deals[0]:,} to {played}"
    twice = "" if unit.is_match else ", played twice"
    widest = at_most(known, scale)
    intervals = f"intervals: {level}"
    if not widest:
        intervals = "no intervals"
    elif not with_intervals:
        intervals += f", {widest} or less"
    if widest and with_intervals and any(cell.half_width is None for cell in known):
        intervals += " (none where it is not written)"
    empty = "; empty cells: have not met" if _some_not_met(cells) else ""
    told = f"bold: the interval leaves out {even:g}{scale.unit}"
    if len(cells) > MOST_TEXTS:
        told = colours_alone(even, "pairings.csv")
    return f"n = {played} a pairing{twice}; {intervals}, each pairing by itself; {told}{empty}"


def _some_not_met(cells: list[list[Estimate | None]]) -> bool:
    return any(cell is None for i, row in enumerate(cells) for j, cell in enumerate(row) if i != j)


def _alt(analysis: Analysis, cells: list[list[Estimate | None]], scale: Scale, unit: str) -> str:
    (row, column, best), *_ = sorted(
        (
            (i, j, cell)
            for i, line in enumerate(cells)
            for j, cell in enumerate(line)
            if cell is not None and cell.value is not None
        ),
        key=lambda found: -(found[2].value or 0.0),
    )
    names = [agent.name for agent in analysis.agents]
    return (
        f"A table of {unit} between {len(names)} agents; the largest is {scale.write(best)} of {names[row]} against "
        f"{names[column]}."
    )

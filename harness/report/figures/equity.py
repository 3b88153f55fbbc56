"""Who wins a match from which score, for the pairing of the two best agents."""

from harness.report.analysis import Analysis
from harness.report.figures.kinds import MOST_TEXTS, Grid, Matrix, colours_alone
from harness.report.figures.leading import Leading, leading_pairing
from harness.report.words import SHARE, level_text, write_share
from harness.stats.codes import FloatArray
from harness.stats.equity import MatchTable
from harness.store.rows import RunFigure
from harness.texts import count, shorten

_NAME = 20


def equity_figure(analysis: Analysis) -> Matrix | str:
    """Collect the chances to win a match by score and leader; or say why there is nothing to show."""
    if analysis.unit.is_match:
        return "Match equity by score: whole matches were played, and it is computed from single hands."
    leading = leading_pairing(analysis)
    if leading is None:
        return "Match equity by score: no deals have been played."
    table, share = leading.pairing.equity.table, leading.pairing.equity.matches_won
    if table is None or share.half_width is None:
        return f"Match equity by score: {share.note}."
    better, other = (shorten(analysis.name(n), _NAME) for n in (leading.better, leading.other))
    won = leading.pairing.matches_seen_from(leading.better).matches_won
    bare = f"; {colours_alone(50)}" if analysis.target > MOST_TEXTS else ""
    scores = tuple(str(score) for score in range(analysis.target))
    return Matrix(
        name=RunFigure.MATCH_EQUITY,
        title=f"Match equity: how often {better} wins a match against {other}, by score",
        rows=scores,
        columns=scores,
        row_axis=f"points of {better}",
        column_axis=f"points of {other}",
        grids=(
            _grid(f"{better} leads the next hand", chances(table, leading, leading.better)),
            _grid(f"{other} leads the next hand", chances(table, leading, leading.other)),
        ),
        unit=f"matches won by {better}, in %",
        centre=50.0,
        limits=(0.0, 100.0),
        caption=(
            f"computed from {count(leading.pairing.estimates.n_deals, 'deal')}, as if every hand of a match to "
            f"{analysis.target} were one of these, whatever the score; at 0 : 0 {write_share(won)} "
            f"({level_text(won.level)} interval), no intervals in the cells{bare}"
        ),
        alt=(
            f"From 0 : 0 {analysis.name(leading.better)} wins {SHARE.write(won)} of the matches to {analysis.target} "
            f"against {analysis.name(leading.other)}."
        ),
    )


def chances(table: MatchTable, leading: Leading, leader: int) -> FloatArray:
    """Give the chances of the better agent where one of the two leads the next hand, without a carry.

    Returns
    -------
    Shape (target, target): by the better agent's score, then by the other's.

    """
    side = 0 if leader == leading.pairing.first else 1
    of_first: FloatArray = table.values[0, :, :, side]
    return 1 - of_first.T if leading.is_second else of_first


def _grid(title: str, values: FloatArray) -> Grid:
    in_percent = [[100 * float(value) for value in row] for row in values]
    return Grid(
        title=title,
        values=tuple(map(tuple, in_percent)),
        texts=tuple(tuple(map(_in_cell, row)) for row in in_percent),
        strong=tuple(tuple(False for _ in row) for row in in_percent),
    )


def _in_cell(percent: float) -> str:
    """Write a chance in whole per cent; what is not certain is neither 0 nor 100."""
    if 0 < percent < 0.5:
        return "< 1"
    return "> 99" if 99.5 <= percent < 100 else f"{percent:.0f}"

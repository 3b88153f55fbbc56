"""How many game points the hands pay: the distribution from -3 to 3."""

from typing import Final

import numpy as np

from harness.report.analysis import Analysis
from harness.report.figures.kinds import LABEL_WIDTH, MOST_SIDE_BY_SIDE, Series, Shares, bare_marks
from harness.report.figures.leading import Leading, leading_pairing
from harness.report.words import SHARE, Scale, at_most, level_text
from harness.stats.codes import IntArray, results_by_half
from harness.stats.endings import share_of_hands
from harness.stats.estimate import Estimate
from harness.store.rows import RunFigure
from harness.texts import count, shorten

_LABELS: Final = ("−3", "−2", "−1", "0", "+1", "+2", "+3")
_SHORT: Final = Scale(1, 1, 100, " %", sign=False)


def game_points_figure(analysis: Analysis) -> Shares | str:
    """Collect the distribution: of two agents by who leads, of more by agent; or say why there is nothing to show."""
    if analysis.unit.is_match:
        return "Game points of the hands: whole matches were played, whose hands are not counted one by one."
    leading = leading_pairing(analysis)
    if leading is None:
        return "Game points of the hands: no deals have been played."
    return _of_two(analysis, leading) if len(analysis.agents) == 2 else _of_many(analysis)


def hands_by_points(counts: IntArray, *, is_second: bool) -> IntArray:
    """Count the hands of a pairing by half and game points -3..3 as one of its agents sees them, shape (2, 7).

    Parameters
    ----------
    counts
        How often each deal code came, shape (49,).
    is_second
        Whether it is the second agent that sees them; half 0 is still the one that the first agent leads.

    """
    hands: IntArray = results_by_half(counts)[0]
    return hands[:, ::-1] if is_second else hands


def _of_two(analysis: Analysis, leading: Leading) -> Shares:
    better, other = leading.better, leading.other
    by_half = hands_by_points(leading.pairing.counts, is_second=leading.is_second)
    n_deals = leading.pairing.estimates.n_deals
    series = []
    for leader in (better, other):
        hands = by_half[0 if leader == leading.pairing.first else 1]
        shares = [share_of_hands(int(n), n_deals, analysis.level, hands_a_deal=1) for n in hands]
        series.append(Series(f"{shorten(analysis.name(leader), LABEL_WIDTH)} leads", bare_marks(shares, SHARE)))
    return Shares(
        name=RunFigure.GAME_POINTS,
        title=(
            f"Game points of {shorten(analysis.name(better), LABEL_WIDTH)} in its hands against "
            f"{shorten(analysis.name(other), LABEL_WIDTH)}"
        ),
        axis="hands, in %",
        category_axis="game points",
        categories=_LABELS,
        series=tuple(series),
        middle=3,
        caption=(
            f"n = {count(n_deals, 'hand')} that each of them leads; bars: {level_text(analysis.level)} intervals of "
            f"each share by itself{_forfeits(analysis)}"
        ),
        alt=f"Of all hands, {_in_words(analysis.name(better), by_half.sum(axis=0))}.",
    )


def _of_many(analysis: Analysis) -> Shares:
    hands, n_opponents = _by_agent(analysis)
    shares: list[list[Estimate]] = []
    for agent in analysis.agents:
        mine, most = hands[agent.number], 2 * max(1, int(n_opponents[agent.number]))
        shares.append([share_of_hands(int(n), int(mine.sum()), analysis.level, hands_a_deal=most) for n in mine])
    widest = at_most((share for row in shares for share in row), SHARE)
    best, worst = (analysis.agents[k] for k in (0, -1))
    n_hands = [agent.n_hands for agent in analysis.agents]
    intervals = f"{level_text(analysis.level)} intervals"
    side_by_side = len(shares) <= MOST_SIDE_BY_SIDE
    intervals = f"bars: {intervals}" if side_by_side else f"{intervals}: {widest} or less"
    return Shares(
        name=RunFigure.GAME_POINTS,
        title="Game points of each agent in all its hands",
        axis="hands, in %",
        category_axis="game points",
        categories=_LABELS,
        series=tuple(
            Series(shorten(agent.name, LABEL_WIDTH), bare_marks(row, _SHORT))
            for agent, row in zip(analysis.agents, shares, strict=True)
        ),
        middle=3,
        caption=(
            f"n = {_from_to(n_hands)} an agent; {intervals}, with one observation a deal, hence rather too wide than "
            f"too narrow{_forfeits(analysis)}"
        ),
        alt=(
            f"Of all hands, {_in_words(best.name, hands[best.number])}; {_in_words(worst.name, hands[worst.number])}."
        ),
    )


def _by_agent(analysis: Analysis) -> tuple[IntArray, IntArray]:
    """Count hands by agent and game points, and opponents by agent."""
    hands = np.zeros((len(analysis.agents), 7), dtype=np.int64)
    n_opponents = np.zeros(len(analysis.agents), dtype=np.int64)
    for pairing in analysis.pairings:
        for agent in (pairing.first, pairing.second):
            hands[agent] += hands_by_points(pairing.counts, is_second=agent == pairing.second).sum(axis=0)
            n_opponents[agent] += pairing.estimates.n_deals > 0
    return hands, n_opponents


def _in_words(name: str, hands: IntArray) -> str:
    n = int(hands.sum())
    if not n:
        return f"{name} has played none"
    won, lost = (", ".join(f"{100 * hands[k] / n:.1f}" for k in places) for places in ((4, 5, 6), (2, 1, 0)))
    return f"{name} wins 1, 2, 3 game points in {won} % and loses 1, 2, 3 in {lost} %"


def _from_to(n_hands: list[int]) -> str:
    low, high = min(n_hands), max(n_hands)
    return count(high, "hand") if low == high else f"{low:,} to {count(high, 'hand')}"


def _forfeits(analysis: Analysis) -> str:
    n_forfeits = sum(pairing.n_forfeits for pairing in analysis.pairings)
    if not n_forfeits:
        return ""
    lost = "1 forfeited hand counts" if n_forfeits == 1 else f"{n_forfeits:,} forfeited hands count"
    return f"; {lost} as lost by 3"

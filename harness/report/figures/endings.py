"""How the hands end, and who wins them so."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from harness.core.records import DRAWN, ENDINGS
from harness.report.analysis import Analysis
from harness.report.figures.kinds import LABEL_WIDTH, Mark, Series, Shares, bare_marks
from harness.report.figures.leading import Leading, leading_pairing
from harness.report.results import RunResults
from harness.report.words import HOW, SHARE, Scale, at_most, level_text
from harness.stats.codes import IntArray
from harness.stats.endings import share_of_hands
from harness.stats.estimate import Estimate
from harness.store.rows import RunFigure
from harness.texts import count, shorten

IN_A_BAR: Final = Scale(1, 1, 100, " %", sign=False)
"""Shares that stand in narrow places."""
_NOTHING: Final = Mark(None, None, None, "")


def endings_figure(run: RunResults, analysis: Analysis) -> Shares | str:
    """Collect how hands end: of two agents by winner, of more by agent; or say why there is nothing to show."""
    if analysis.unit.is_match:
        return "How the hands end: whole matches were played, whose hands are not counted one by one."
    leading = leading_pairing(analysis)
    if leading is None or not analysis.endings.n_hands:
        return "How the hands end: no hand has been played to its end."
    return _of_two(analysis, leading) if len(analysis.agents) == 2 else _of_many(run, analysis)


def _of_two(analysis: Analysis, leading: Leading) -> Shares:
    endings, winners = leading.pairing.endings, (leading.better, leading.other)
    won = [endings.by_ending[0 if winner == leading.pairing.first else 1] for winner in winners]
    there = [how for how in range(len(ENDINGS)) if how != DRAWN and any(shares[how].value for shares in won)]
    wins = bare_marks([shares[how] for shares in won for how in there] + [endings.drawn], SHARE)
    names = [shorten(analysis.name(winner), LABEL_WIDTH) for winner in winners]
    series = [
        Series(f"{names[0]} wins", (*wins[: len(there)], _NOTHING)),
        Series(f"{names[1]} wins", (*wins[len(there) : -1], _NOTHING)),
        Series("nobody wins", (*(_NOTHING for _ in there), wins[-1])),
    ]
    has_drawn = bool(endings.drawn.value)
    if not has_drawn:
        series = [Series(one.label, one.marks[:-1]) for one in series[:-1]]
    return Shares(
        name=RunFigure.ENDINGS,
        title=f"How the hands of {names[0]} against {names[1]} end",
        axis="hands, in %",
        category_axis="",
        categories=tuple(HOW[how] for how in (*there, *([DRAWN] if has_drawn else []))),
        series=tuple(series),
        caption=_caption(analysis, f"n = {count(endings.n_hands, 'hand')}", "bars: {} intervals"),
        alt=_alt_of_two(analysis, winners, won, endings.drawn),
    )


def _alt_of_two(analysis: Analysis, winners: Sequence[int], won: Sequence[Sequence[Estimate]], drawn: Estimate) -> str:
    parts = []
    for winner, shares in zip(winners, won, strict=True):
        most = max(range(len(ENDINGS)), key=lambda how, of=shares: of[how].value or 0.0)  # type: ignore[misc]
        total = 100 * sum(share.value or 0.0 for share in shares)
        part = 100 * (shares[most].value or 0.0)
        most_of_them = f", {part:.1f} % {HOW[most]}" if part else ""
        parts.append(f"{analysis.name(winner)} wins {total:.1f} % of the hands{most_of_them}")
    return f"{'; '.join(parts)}; nobody wins {100 * (drawn.value or 0.0):.1f} %."


def hands_won_by_ending(endings: IntArray, pairings: Sequence[tuple[int, int]], n_agents: int) -> IntArray:
    """Count the hands that each agent has won by how they ended, shape (n_agents, n_endings).

    Parameters
    ----------
    endings
        Shape (n_pairings, 2, 2, n_endings, 4): half, winning side, how, game points.
    pairings
        First and second agent of each pairing.
    n_agents
        Number of agents.

    """
    won = np.zeros((n_agents, len(ENDINGS)), dtype=np.int64)
    for pair, tally in zip(pairings, endings.sum(axis=(1, 4)), strict=True):
        for side, agent in enumerate(pair):
            won[agent] += tally[side]
    won[:, DRAWN] = 0
    return won


def _of_many(run: RunResults, analysis: Analysis) -> Shares:
    won = hands_won_by_ending(run.endings, run.pairings, len(run.agents))
    there = [how for how in range(len(ENDINGS)) if won[:, how].any()]
    level, wholes = analysis.level, [won.sum(axis=0), *(won[agent.number] for agent in analysis.agents)]
    opponents = [len(run.pairings), *(_n_opponents(analysis, agent.number) for agent in analysis.agents)]
    rows = [
        [share_of_hands(int(mine[how]), int(mine.sum()), level, hands_a_deal=2 * max(1, n)) for how in there]
        for mine, n in zip(wholes, opponents, strict=True)
    ]
    names = ["all agents", *(shorten(agent.name, LABEL_WIDTH) for agent in analysis.agents)]
    n_won, drawn = int(won.sum()), analysis.endings.by_ending[DRAWN].value or 0.0
    return Shares(
        name=RunFigure.ENDINGS,
        title="How the hands that each agent wins end",
        axis="hands that it wins, in %",
        category_axis="",
        categories=tuple(HOW[how] for how in there),
        series=tuple(Series(name, bare_marks(row, IN_A_BAR)) for name, row in zip(names, rows, strict=True)),
        caption=_caption(
            analysis,
            f"n = {n_won:,} hands won; nobody won {100 * drawn:.1f} % of all hands",
            f"{{}} intervals: {at_most((share for row in rows for share in row), SHARE)} or less",
        ),
        alt="How hands are won: "
        + ", ".join(f"{100 * (share.value or 0.0):.1f} % {HOW[how]}" for how, share in zip(there, rows[0], strict=True))
        + ".",
    )


def _n_opponents(analysis: Analysis, agent: int) -> int:
    return sum(agent in (p.first, p.second) and p.estimates.n_deals > 0 for p in analysis.pairings)


def _caption(analysis: Analysis, n_hands: str, intervals: str) -> str:
    n_forfeits = sum(pairing.n_forfeits for pairing in analysis.pairings)
    left_out = f"; {count(n_forfeits, 'forfeited hand')} left out" if n_forfeits else ""
    how = intervals.format(level_text(analysis.level))
    return f"{n_hands}; {how}, with one observation a deal, hence rather too wide than too narrow{left_out}"

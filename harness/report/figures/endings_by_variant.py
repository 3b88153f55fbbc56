"""How the hands end under each rule set, all pairings together."""

from __future__ import annotations

from typing import Final

from harness.core.records import ENDINGS
from harness.report.compare_analysis import ComparedRules
from harness.report.figures.endings import IN_A_BAR
from harness.report.figures.kinds import LABEL_WIDTH, Series, Shares, bare_marks
from harness.report.words import HOW, SHARE, at_most, level_text
from harness.texts import count, shorten

NAME: Final = "endings"
NO_ENDINGS: Final = "There is no figure of how the hands end: all of them were forfeited."


def endings_figure(compared: ComparedRules) -> Shares | None:
    """Collect the shares of hands that ended in each way; None where all hands were forfeited.

    Parameters
    ----------
    compared
        The statistics of the comparison.

    """
    if not any(endings.n_hands for endings in compared.endings):
        return None
    came = [how for how in range(len(ENDINGS)) if any(endings.by_ending[how].value for endings in compared.endings)]
    return Shares(
        name=NAME,
        title=f"How the hands end under {count(len(compared.names), 'rule set')}",
        caption=_caption(compared),
        alt=_alt(compared, came),
        axis="hands, in %",
        category_axis="",
        categories=tuple(HOW[how] for how in came),
        series=tuple(
            Series(
                shorten(compared.short_name(k), LABEL_WIDTH),
                bare_marks([endings.by_ending[how] for how in came], IN_A_BAR),
            )
            for k, endings in enumerate(compared.endings)
        ),
    )


def _caption(compared: ComparedRules) -> str:
    hands = [endings.n_hands for endings in compared.endings]
    n = count(hands[0], "hand") if len(set(hands)) == 1 else f"{min(hands):,} to {count(max(hands), 'hand')}"
    pairings = "" if len(compared.pairings) == 1 else f" of {len(compared.pairings)} pairings together"
    most = at_most((share for each in compared.endings for share in each.by_ending), SHARE)
    n_forfeits = compared.n_forfeits
    lost = f"; {count(n_forfeits, 'forfeited hand')} left out" if n_forfeits else ""
    return (
        f"n = {n}{pairings} under each rule set, the same deals{lost}. Each share {most} at most "
        f"({level_text(compared.level)}, one observation a deal, hence rather too wide than too narrow)."
    )


def _alt(compared: ComparedRules, came: list[int]) -> str:
    parts = []
    for k, endings in enumerate(compared.endings):
        most = max(came, key=lambda how: endings.by_ending[how].value or 0.0)
        parts.append(f"{SHARE.write(endings.by_ending[most])} {HOW[most]} under {compared.short_name(k)}")
    return f"The most frequent ending of the hands: {', '.join(parts)}."

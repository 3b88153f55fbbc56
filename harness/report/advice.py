"""What a reader should know before trusting the numbers, and what to do about it."""

import math
from collections.abc import Iterator
from itertools import pairwise

from harness.report.analysis import Analysis
from harness.report.faults import DEPENDS_ON_MACHINE
from harness.report.units import Unit
from harness.report.words import number
from harness.stats.estimate import Estimate

FEW_DEALS = 30
"""Below this, an interval rests on an error that is itself badly known."""


def advice(analysis: Analysis) -> tuple[str, ...]:
    """List what to know about a run, in whole sentences, the gravest first."""
    return (
        *_about_checks(analysis),
        *_about_the_run(analysis),
        *_about_forfeits(analysis),
        *_about_ratings(analysis),
        *_about_scales(analysis),
        *_about_equals(analysis),
    )


def deals_to_tell(estimate: Estimate) -> int | None:
    """Number of deals at which a difference of this size would be as large as its half-width, to two digits.

    The half-width shrinks with the root of the number of deals. None where nothing can be said.
    """
    if not estimate.value or estimate.half_width is None:
        return None
    exact = estimate.n * (estimate.half_width / estimate.value) ** 2
    digits = 10.0 ** max(0, math.floor(math.log10(exact)) - 1)
    return round(math.ceil(exact / digits) * digits)


def _about_checks(analysis: Analysis) -> Iterator[str]:
    for verdict in analysis.checks:
        if not verdict.passed:
            yield f"The check of {verdict.name} has failed ({verdict.found}): {verdict.advice}."


def _about_the_run(analysis: Analysis) -> Iterator[str]:
    if not analysis.complete:
        most = f"{'at most ' if analysis.ends_itself else ''}{analysis.unit.count(analysis.most_hands)}"
        yield (
            f"The run is not complete: {analysis.n_hands:,} of {most} have been played, and the numbers are those of "
            f"them; {analysis.resume} goes on with it."
        )
    for name in analysis.changed_agents:
        yield f"{name} was changed in the middle of the run: its hands before and after are those of different sources."
    n = analysis.n_deals
    if 0 < n < FEW_DEALS:
        played = f"{analysis.unit.count_pairs(n)} {'was' if n == 1 else 'were'} played"
        yield f"Only {played}: intervals are rough, play more deals."


def _about_forfeits(analysis: Analysis) -> Iterator[str]:
    for agent in analysis.agents:
        lines = [line for line in analysis.faults if line.agent == agent.number]
        if not lines:
            continue
        kinds = ", ".join(f"{line.words} in {line.n_hands:,}" for line in lines)
        n_hands = sum(line.n_hands for line in lines)
        forfeits = f"{agent.name} forfeited {n_hands:,} of its {analysis.unit.count(agent.n_hands)}"
        yield f"{forfeits} by faults (it {kinds}): {_cost(n_hands, analysis.unit)}."
    if any(line.kind in DEPENDS_ON_MACHINE for line in analysis.faults):
        yield (
            f"Which {analysis.unit.plural} are forfeited by time or memory depends on the machine: another one may "
            f"forfeit other {analysis.unit.plural}, and have another digest."
        )


def _cost(n_forfeits: int, unit: Unit) -> str:
    """Say what forfeits count."""
    if unit.is_match:
        return "the match is lost" if n_forfeits == 1 else "the matches are lost"
    if n_forfeits == 1:
        return "the hand counts -3 game points and is left out of how hands end"
    return "the hands count -3 game points each and are left out of how hands end"


def _about_ratings(analysis: Analysis) -> Iterator[str]:
    if not analysis.n_hands:
        return
    for agent in analysis.agents:
        if agent.elo.value is None:
            yield f"{agent.name} has no Elo: {agent.elo.note}."
        if agent.game_points_rating.value is None:
            yield f"{agent.name} has no rating in {analysis.unit.points}: {agent.game_points_rating.note}."
    if analysis.anchor is not None:
        for ratings, scale in ((analysis.elo, "Elo"), (analysis.game_points, analysis.unit.points.capitalize())):
            if ratings.anchor is None and ratings.rated.any():
                yield (
                    f"{scale}: the anchor {analysis.anchor} has no rating, so the ratings are against the mean of "
                    "the rated agents."
                )
    if analysis.elo.seat.value is None and analysis.elo.rated.any():
        yield f"Elo: {analysis.elo.seat.note}."


def _about_scales(analysis: Analysis) -> Iterator[str]:
    for pairing in analysis.pairings:
        points = pairing.estimates.game_points
        if points.value is None or not points.excludes(0):
            continue
        richer, other = (pairing.first, pairing.second)[:: 1 if points.value > 0 else -1]
        more = f"{analysis.name(richer)} earns more game points than {analysis.name(other)}, but"
        won, matches = pairing.seen_from(richer).hands_won, pairing.matches_seen_from(richer).matches_won
        if won.high is not None and won.high < 0.5:
            yield f"{more} wins fewer hands: its wins are worth more."
        if matches.high is not None and matches.high < 0.5:
            yield f"{more} would win fewer matches to {analysis.target}: points beyond the target are worth nothing."


def _about_equals(analysis: Analysis) -> Iterator[str]:
    rated = [agent for agent in analysis.agents if agent.game_points_rating.value is not None]
    for better, worse in pairwise(rated):
        gap = analysis.game_points.difference(better.number, worse.number)
        if gap.half_width is not None and not gap.excludes(0):
            scale = f"{analysis.unit.points}{_deals_needed(gap, analysis.unit)}"
            yield f"{better.name} and {worse.name} are not told apart on {scale}."


def _deals_needed(gap: Estimate, unit: Unit) -> str:
    needed = deals_to_tell(gap)
    return (
        ""
        if needed is None
        else f"; a difference of {number(gap.value or 0, 3, sign=False)} takes about {unit.count_pairs(needed)}"
    )

"""What came of a run in one sentence or two: who beats whom, by how much, and who forfeited hands."""

from typing import Final

from harness.report.analysis import Analysis, PairingLine
from harness.report.lines import leader_first, who_forfeited
from harness.report.units import MATCH, Unit
from harness.report.words import POINTS, level_text, number, write_share
from harness.stats.estimate import Estimate
from harness.texts import count

NOTHING_PLAYED: Final = "No deals have been played, so there is nothing to report."


def run_verdict(analysis: Analysis) -> str:
    """Say what came of a run: of two agents who beats whom, of more who leads."""
    if not analysis.n_hands:
        return NOTHING_PLAYED
    if len(analysis.agents) == 2:
        (pairing,) = analysis.pairings
        return verdict(analysis, pairing)
    by_agent: dict[int, int] = {}
    for line in analysis.faults:
        by_agent[line.agent] = by_agent.get(line.agent, 0) + line.n_hands
    return " ".join([_who_leads(analysis), *who_forfeited(analysis, by_agent)])


def verdict(analysis: Analysis, pairing: PairingLine) -> str:
    """Say who beats whom in a pairing, on game points or by matches, and who forfeited."""
    by_side = zip((pairing.first, pairing.second), pairing.faults.sum(axis=1).tolist(), strict=True)
    wins = _who_wins_matches if analysis.unit.is_match else _who_wins
    return " ".join([wins(analysis, pairing), *who_forfeited(analysis, dict(by_side))])


def _who_wins(analysis: Analysis, pairing: PairingLine) -> str:
    leader, other = leader_first(pairing)
    points = pairing.seen_from(leader).game_points
    leader_name, other_name = analysis.name(leader), analysis.name(other)
    played = f"{count(points.n, 'deal')} played twice"
    if points.value is None:
        return f"{leader_name} and {other_name} have not met."
    if points.half_width is None:
        size = number(points.value, POINTS.least)
        return f"{leader_name} against {other_name}: {size} game points a hand ({played}; {points.note})."
    size = f"{POINTS.write(points)} game points a hand ({level_text(points.level)}, {played})"
    if points.excludes(0):
        return f"{leader_name} beats {other_name} by {size}."
    return f"{leader_name} and {other_name} are not told apart: {size}."


def _who_wins_matches(analysis: Analysis, pairing: PairingLine) -> str:
    leader, other = leader_first(pairing)
    won = pairing.seen_from(leader).hands_won
    name, other_name = analysis.name(leader), analysis.name(other)
    if won.value is None:
        return f"{name} and {other_name} have not met."
    size = f"{write_share(won)} of the matches ({level_text(won.level)}, {MATCH.count_pairs(won.n)})"
    if won.half_width is None:
        return f"{name} wins {write_share(won)} of the matches against {other_name} ({won.note})."
    if won.excludes(0.5):
        return f"{name} beats {other_name}: it wins {size}."
    return f"{name} and {other_name} are not told apart: {name} wins {size}."


def _who_leads(analysis: Analysis) -> str:
    """Say who leads, and whether the runner-up is told apart from it."""
    rated = [agent for agent in analysis.agents if agent.game_points_rating.value is not None]
    first, second = rated[:2]
    gap = analysis.game_points.difference(first.number, second.number)
    return who_leads(first.name, second.name, gap, analysis.unit)


def who_leads(first: str, second: str, gap: Estimate, unit: Unit) -> str:
    """Say who leads, by the difference of the two best ratings."""
    size = f"{POINTS.write(gap)} {unit.points} a {unit.name}"
    basis = f"({level_text(gap.level)}, {unit.count_pairs(gap.n)})" if gap.half_width else f"({unit.reason(gap.note)})"
    if gap.excludes(0):
        return f"{first} leads, ahead of {second} by {size} {basis}."
    if gap.value == 0:
        return f"{first} and {second} are level: {size} {basis}."
    return f"{first} leads, but is not told apart from {second}: {size} {basis}."

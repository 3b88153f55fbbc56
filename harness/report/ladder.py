"""A ladder of levels in numbers: is every step a step, how high is it, and what does a level cost in time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from harness.report.analysis import Analysis, PairingLine
from harness.stats.equity import MatchEquity
from harness.stats.estimate import Estimate
from harness.stats.pairs import PairEstimates

SURE: Final = 0.999
"""Confidence level at which a step is a step."""
STEP, NOT_PROVED, STEP_DOWN = "step", "not proved", "step down"


@dataclass(frozen=True)
class MoveTime:
    """What a decision of one agent takes on one core of this machine, in seconds: the median of ``n_runs`` runs."""

    median: float
    fastest: float
    slowest: float
    n_runs: int
    decisions_a_hand: float


@dataclass(frozen=True)
class Step:
    """One level against the one below it, seen from the higher one.

    ``kind`` is STEP, NOT_PROVED or STEP_DOWN, by the interval of the game points at the confidence level SURE.
    """

    lower: str
    upper: str
    estimates: PairEstimates
    matches: MatchEquity
    sure_points: Estimate
    kind: str


@dataclass(frozen=True)
class Ladder:
    """The levels from the lowest to the highest, the steps between them, and the time a move of each level."""

    names: tuple[str, ...]
    steps: tuple[Step, ...]
    elo: tuple[Estimate, ...]
    game_points: tuple[Estimate, ...]
    times: tuple[MoveTime, ...]
    level: float


def analyse_ladder(analysis: Analysis, times: Sequence[MoveTime]) -> Ladder:
    """Compute the ladder of a run whose pairings are neighbours; the ratings are against the lowest level.

    Parameters
    ----------
    analysis
        Of the run, each agent against the next.
    times
        The time a move of each agent, in the order of the run.

    """
    agents = sorted(analysis.agents, key=lambda agent: agent.number)
    return Ladder(
        names=tuple(agent.name for agent in agents),
        steps=ladder_steps(analysis),
        elo=tuple(agent.elo for agent in agents),
        game_points=tuple(agent.game_points_rating for agent in agents),
        times=tuple(times),
        level=analysis.level,
    )


def ladder_steps(analysis: Analysis) -> tuple[Step, ...]:
    """Compute the steps of a run whose pairings are neighbours, from the lowest to the highest."""
    return tuple(_step(analysis, line) for line in analysis.pairings)


def is_monotone(steps: Sequence[Step]) -> bool:
    """Say whether every level is better than the one below it."""
    return all(step.kind == STEP for step in steps)


def _step(analysis: Analysis, line: PairingLine) -> Step:
    sure_points = line.seen_from(line.second, SURE).game_points
    told = sure_points.excludes(0)
    return Step(
        lower=analysis.name(line.first),
        upper=analysis.name(line.second),
        estimates=line.seen_from(line.second),
        matches=line.matches_seen_from(line.second),
        sure_points=sure_points,
        kind=NOT_PROVED if not told else STEP if (sure_points.value or 0.0) > 0 else STEP_DOWN,
    )

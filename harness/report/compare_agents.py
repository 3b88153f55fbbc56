"""Each agent of a comparison under each rule set: its averages against all the others, and what the rules change.

Pure, as `harness.report.compare_analysis` is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from harness.stats.agent_changes import AgentChanges
from harness.stats.averages import average_a_hand, share_of_hands_won
from harness.stats.codes import GAME_POINTS, RESULTS, BoolArray, CodeArray
from harness.stats.comparison import Difference, holm
from harness.stats.estimate import Estimate, two_sided_p
from harness.stats.moments import DealMoments

POINTS_AGAINST_ALL = "game points against all the others"


@dataclass(frozen=True)
class AgentMoments:
    """Sums over the deals of one rule set, from which follow each agent's averages, and the ratings.

    Of mirrors nothing counts for ``results`` and ``points``, but for ``rated_points``.
    """

    results: DealMoments
    points: DealMoments
    rated_points: DealMoments

    def add(self, block: CodeArray) -> None:
        """Add a block of deals, as `harness.stats.moments.DealMoments.add` takes it."""
        self.results.add(block)
        self.points.add(block)
        if self.rated_points is not self.points:
            self.rated_points.add(block)


@dataclass(frozen=True)
class AgentUnderRules:
    """One agent under one rule set, against all the others together.

    ``hands_won`` is a share of its hands, ``game_points`` are those of a hand. ``change`` compares its game points
    with those under the base on common deals; None for the base itself. A mirror is not among the hands.
    """

    rule_set: int
    hands_won: Estimate
    game_points: Estimate
    change: Difference | None


@dataclass(frozen=True)
class ComparedAgent:
    """One agent under all rule sets, the base first."""

    name: str
    lines: tuple[AgentUnderRules, ...]


def counted(pairings: Sequence[tuple[int, int]], texts: Sequence[str]) -> BoolArray:
    """Tell which pairings count for averages of agents: all but those of an agent with itself."""
    return np.array([texts[first] != texts[second] for first, second in pairings], dtype=np.bool_)


def agent_moments(n_agents: int, pairings: Sequence[tuple[int, int]], used: BoolArray) -> AgentMoments:
    """Begin the sums of one rule set."""
    results, points = (DealMoments(n_agents, pairings, used, scale) for scale in (RESULTS, GAME_POINTS))
    everyone = np.ones_like(used)
    return AgentMoments(
        results, points, points if used.all() else DealMoments(n_agents, pairings, everyone, GAME_POINTS)
    )


def agent_changes(n_agents: int, pairings: Sequence[tuple[int, int]], used: BoolArray) -> AgentChanges:
    """Begin the sums of game points under the base and another rule set."""
    return AgentChanges(n_agents, pairings, used, GAME_POINTS)


def compare_agents(
    names: Sequence[str], moments: Sequence[AgentMoments], changes: Sequence[AgentChanges], level: float
) -> tuple[ComparedAgent, ...]:
    """Compute what each agent earns under each rule set.

    The p-values of all agents and rule sets are one family for Holm.

    Parameters
    ----------
    names
        Of the agents.
    moments
        Of each rule set, the base first.
    changes
        Of each rule set but the base.
    level
        Confidence level of all intervals.

    """
    agents = [[_line(k, sums, agent, level) for k, sums in enumerate(moments)] for agent in range(len(names))]
    plain = [
        _difference(lines[0], line, change.difference(agent, level))
        for agent, lines in enumerate(agents)
        for line, change in zip(lines[1:], changes, strict=True)
    ]
    adjusted = iter(
        [replace(each, adjusted_p=p) for each, p in zip(plain, holm([each.p for each in plain]), strict=True)]
    )
    return tuple(
        ComparedAgent(name, (base, *(replace(line, change=next(adjusted)) for line in others)))
        for name, (base, *others) in zip(names, agents, strict=True)
    )


def _line(rule_set: int, sums: AgentMoments, agent: int, level: float) -> AgentUnderRules:
    won, points = share_of_hands_won(sums.results, agent, level), average_a_hand(sums.points, agent, level)
    return AgentUnderRules(rule_set, won, points, None)


def _difference(base: AgentUnderRules, other: AgentUnderRules, difference: Estimate) -> Difference:
    return Difference(POINTS_AGAINST_ALL, base.game_points, other.game_points, difference, two_sided_p(difference))

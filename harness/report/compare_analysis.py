"""What house rules change: each pairing under each rule set, and beside it the difference to the base.

Pure: counts of deals go in, estimates come out.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from harness.game.rules import Rules
from harness.report.compare_agents import AgentMoments, ComparedAgent, compare_agents
from harness.report.compare_leads import Lead, find_lead
from harness.stats.agent_changes import AgentChanges
from harness.stats.codes import FloatArray, IntArray, PairingTable
from harness.stats.comparison import Difference, JointCounts, RuleComparison, compare_rules, holm_adjusted
from harness.stats.endings import PooledEndings, pooled_endings
from harness.stats.equity import MatchEquity, match_equity
from harness.stats.estimate import LEVEL, Estimate, two_sided_p
from harness.stats.pairs import PairEstimates, mean_estimate, pair_estimates

MATCHES: Final = "matches won"
NO_MATCHES: Final = "no share of matches won is known under one of the two"
ALPHA: Final = 0.05
"""A difference is told apart from none where its p-value, adjusted after Holm, is below this."""


@dataclass(frozen=True)
class RuleSetResults:
    """What has been played under one rule set.

    Attributes
    ----------
    name, rules
        The rule set.
    agents, pairings
        As in `harness.report.results.RunResults`, the same under every rule set.
    counts, endings
        How often each deal code came, int64[n_pairings, 49], and how the hands ended, int64[n_pairings, 2, 2, 7, 4].
    moments
        Sums over its deals by agent.

    """

    name: str
    rules: Rules
    agents: tuple[str, ...]
    pairings: tuple[tuple[int, int], ...]
    counts: IntArray
    endings: IntArray
    moments: AgentMoments


@dataclass(frozen=True)
class CommonDeals:
    """Deals of the base and of another rule set together: by pairing, and by agent."""

    pairings: JointCounts
    agents: AgentChanges


@dataclass(frozen=True)
class Line:
    """One pairing under one rule set, seen from its first agent.

    ``change`` compares it with the base on the deals that both have played; None for the base itself. Its measures
    are those of `harness.stats.comparison.DEAL_MEASURES` and MATCHES.
    """

    rule_set: int
    estimates: PairEstimates
    matches: MatchEquity
    endings: PooledEndings
    n_forfeits: int
    change: RuleComparison | None

    def against_base(self, measure: str) -> Difference | None:
        """Give the difference of a measure to the base; None for the base itself."""
        return None if self.change is None else self.change.difference(measure)


@dataclass(frozen=True)
class ComparedPairing:
    """One pairing under all rule sets, the base first; a mirror is an agent against itself."""

    first: str
    second: str
    is_mirror: bool
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class ComparedRules:
    """A comparison in numbers; ``names``, ``rules`` and ``endings`` are by rule set, the base first.

    ``agents`` are against all the others together, ``endings`` of all hands of all pairings. ``leads`` has who leads
    under each rule set; it is empty for a single pairing, and where every agent has met itself only.
    """

    names: tuple[str, ...]
    rules: tuple[Rules, ...]
    pairings: tuple[ComparedPairing, ...]
    agents: tuple[ComparedAgent, ...]
    endings: tuple[PooledEndings, ...]
    leads: tuple[Lead, ...]
    n_deals: int
    level: float

    @property
    def by_strength(self) -> list[ComparedAgent]:
        """The agents, the best one under the base first; one that met nobody but itself comes last."""

        def place(agent: ComparedAgent) -> float:
            points = agent.lines[0].game_points.value
            return math.inf if points is None else -points

        return sorted(self.agents, key=place)

    @property
    def n_forfeits(self) -> int:
        """Hands of all pairings that were forfeited by faults."""
        return sum(line.n_forfeits for pairing in self.pairings for line in pairing.lines)

    def short_name(self, rule_set: int) -> str:
        """Name of a rule set in a table: a change of the base without the name of the base."""
        return self.names[rule_set].removeprefix(f"{self.names[0]} ")


def analyse_comparison(
    played: Sequence[RuleSetResults], common: Sequence[CommonDeals], texts: Sequence[str], level: float = LEVEL
) -> ComparedRules:
    """Compute all statistics of a comparison.

    Parameters
    ----------
    played
        What has been played, the base first.
    common
        For each of the others, the deals of the base and its own together.
    texts
        What the agents are; two of the same text are an agent against itself.
    level
        Confidence level of all intervals.

    """
    base = played[0]
    matches = [[match_equity(counts, results.rules, level) for counts in results.counts] for results in played]
    plain = [
        _with_matches(
            change, deals.pairings.counts[0, change.pairing], matches[0][change.pairing], others[change.pairing]
        )
        for deals, others in zip(common, matches[1:], strict=True)
        for change in compare_rules(deals.pairings, level=level)
    ]
    changes = iter(holm_adjusted(plain) if plain else ())
    by_rule_set: list[list[RuleComparison | None]] = [[None] * len(base.pairings)]
    for _ in common:
        by_rule_set.append(list(itertools.islice(changes, len(base.pairings))))
    return ComparedRules(
        names=tuple(results.name for results in played),
        rules=tuple(results.rules for results in played),
        pairings=tuple(
            ComparedPairing(
                base.agents[first],
                base.agents[second],
                texts[first] == texts[second],
                tuple(
                    _line(rule_set, row, results, matches[rule_set][row], by_rule_set[rule_set][row], level)
                    for rule_set, results in enumerate(played)
                ),
            )
            for row, (first, second) in enumerate(base.pairings)
        ),
        agents=compare_agents(base.agents, [each.moments for each in played], [each.agents for each in common], level),
        endings=tuple(pooled_endings(results.endings, level) for results in played),
        leads=_leads(played, texts, level),
        n_deals=int(base.counts.sum(axis=1).max()),
        level=level,
    )


def _leads(played: Sequence[RuleSetResults], texts: Sequence[str], level: float) -> tuple[Lead, ...]:
    if len(played[0].pairings) == 1 or len(set(texts)) == 1:
        return ()
    return tuple(
        find_lead(
            k, one.agents, PairingTable(len(one.agents), one.pairings, one.counts), one.moments.rated_points, level
        )
        for k, one in enumerate(played)
    )


def differences_to_base(lines: Sequence[Line], measure: str) -> list[Difference]:
    """List the differences of a measure to the base, of all lines but that of the base itself."""
    return [difference for line in lines if (difference := line.against_base(measure)) is not None]


def told_apart(difference: Difference) -> bool:
    """Say whether a difference to the base is more than chance, all of its measure taken together."""
    return difference.adjusted_p is not None and difference.adjusted_p < ALPHA


def _line(
    rule_set: int, row: int, results: RuleSetResults, matches: MatchEquity, change: RuleComparison | None, level: float
) -> Line:
    estimates = pair_estimates(results.counts[row], level)
    endings = pooled_endings(results.endings[row : row + 1], level)
    return Line(rule_set, estimates, matches, endings, 2 * estimates.n_deals - endings.n_hands, change)


def _with_matches(
    comparison: RuleComparison, table: IntArray, first: MatchEquity, second: MatchEquity
) -> RuleComparison:
    """Add the share of matches won: each deal says of it what its code is worth under either rule set's match.

    `table` counts the deals by code under the first and the second; the values are those of
    `harness.stats.equity.MatchTable.code_values`, whose mean is the share itself (delta method).
    """
    level, n = comparison.changed.level, comparison.n_deals
    if first.table is None or second.table is None:
        none = Estimate(None, None, None, n, level, NO_MATCHES)
        added = Difference(MATCHES, first.matches_won, second.matches_won, none, None)
    else:
        values = _apart(first.table.code_values(), second.table.code_values())
        difference = mean_estimate(table.ravel(), values.ravel(), level)
        added = Difference(MATCHES, first.matches_won, second.matches_won, difference, two_sided_p(difference))
    return replace(comparison, differences=(*comparison.differences, added))


def _apart(first: FloatArray, second: FloatArray) -> FloatArray:
    """Second value less first by both codes, shape (49, 49); rounding must not pass for a spread."""
    apart: FloatArray = np.round(second[np.newaxis, :] - first[:, np.newaxis], 12)
    return apart

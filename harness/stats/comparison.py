"""Rule sets compared on common deals: the same agents play the same packs under each of them.

The unit stays the deal: d = (what it came to under the second rule set) - (under the first), SE = sd(d) /
sqrt(deals) and Student's t, so that the luck of the packs cancels. All that is needed of a pairing is how often
each pair of codes came together, a table whose size does not depend on the number of deals.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from harness.core.records import ENDINGS
from harness.play.codes import FORFEIT, N_CODES, NOT_PLAYED
from harness.stats.codes import GAME_POINTS, RESULTS, CodeArray, FloatArray, IntArray
from harness.stats.endings import share_of_hands
from harness.stats.estimate import LEVEL, Estimate, two_sided_p
from harness.stats.pairs import mean_estimate

N_ENDING_CODES: Final = (FORFEIT + 1) ** 2
"""Number of codes that `ending_codes` gives."""


@dataclass(frozen=True)
class Measure:
    """One number a hand, as an average over the two hands of a deal: its name and its value by code of the deal."""

    name: str
    values: FloatArray


def _deal_measures() -> tuple[Measure, ...]:
    size = np.abs(GAME_POINTS)
    shares = [Measure(f"hands worth {points}", (size == points).mean(axis=0)) for points in (1, 2, 3)]
    return (
        Measure("game points", GAME_POINTS.mean(axis=0)),
        Measure("hands won", (RESULTS.mean(axis=0) + 1) / 2),
        Measure("seat game points", (GAME_POINTS[0] - GAME_POINTS[1]) / 2),
        Measure("seat hands won", ((RESULTS[0] - RESULTS[1]) / 2 + 1) / 2),
        Measure("hands nobody won", (size == 0).mean(axis=0)),
        *shares,
    )


DEAL_MEASURES: Final = _deal_measures()
"""What codes of deals tell: first agent's points and wins, those of seat 0, and what the hands are worth."""
ENDING_MEASURES: Final = tuple(
    Measure(name, np.array([((c // 8 == how) + (c % 8 == how)) / 2 for c in range(N_ENDING_CODES)]))
    for how, name in enumerate((*ENDINGS, "forfeit"))
)
"""What codes of endings (`ending_codes`) tell: the share of the hands that end in each way."""


def ending_codes(how: npt.NDArray[np.uint8]) -> CodeArray:
    """Make one byte a deal, 8 * first + second, from how its two hands ended (0..7, in the order deal, half)."""
    codes: CodeArray = (how[0::2] * np.uint8(FORFEIT + 1) + how[1::2]).astype(np.uint8)
    return codes


class JointCounts:
    """How often each two codes came on one deal, by pairing and by pair of rule sets.

    Parameters
    ----------
    n_rule_sets
        Number of rule sets.
    n_pairings
        Number of pairings, the same under each of them.
    n_codes
        Number of codes: 49 for those of deals, N_ENDING_CODES for those of endings.
    """

    def __init__(self, n_rule_sets: int, n_pairings: int, n_codes: int = N_CODES):
        self.n_pairings = n_pairings
        self.n_codes = n_codes
        self.pairs = list(combinations(range(n_rule_sets), 2))
        self.n_rule_sets = n_rule_sets
        self.counts = np.zeros((len(self.pairs), n_pairings, n_codes, n_codes), dtype=np.int64)

    def add(self, blocks: Sequence[CodeArray]) -> None:
        """Add a block of deals.

        Parameters
        ----------
        blocks
            One array a rule set, uint8, shape (n_pairings, n_deals): the codes of the same deals, NOT_PLAYED where
            a pairing has not played one. A deal counts for two rule sets if it was played under both.

        Raises
        ------
        ValueError
            If the number of blocks or a shape is another one, or a byte is neither a code nor NOT_PLAYED.
        """
        self._check(blocks)
        for joint, (first, second) in zip(self.counts, self.pairs, strict=True):
            for table, codes, others in zip(joint, blocks[first], blocks[second], strict=True):
                both = (codes != NOT_PLAYED) & (others != NOT_PLAYED)
                cells = codes[both].astype(np.int64) * self.n_codes + others[both]
                table += np.bincount(cells, minlength=self.n_codes**2).reshape(table.shape)

    def _check(self, blocks: Sequence[CodeArray]) -> None:
        if len(blocks) != self.n_rule_sets:
            raise ValueError(f"{len(blocks)} blocks of deals for {self.n_rule_sets} rule sets")
        for block in blocks:
            if block.shape != blocks[0].shape or block.ndim != 2 or len(block) != self.n_pairings:
                shapes = ", ".join(str(each.shape) for each in blocks)
                raise ValueError(f"blocks have shapes {shapes}; expected all ({self.n_pairings}, number of deals)")
            bad = block[(block >= self.n_codes) & (block != NOT_PLAYED)]
            if len(bad):
                raise ValueError(f"a block holds {bad.max()}, which is no code (0..{self.n_codes - 1})")


@dataclass(frozen=True)
class Difference:
    """One measure of one pairing under two rule sets.

    ``first`` and ``second`` are its means a hand under the two, ``difference`` the second less the first. ``p`` is
    the two-sided p-value of no difference, None without a spread; ``adjusted_p`` after Holm.
    """

    measure: str
    first: Estimate
    second: Estimate
    difference: Estimate
    p: float | None
    adjusted_p: float | None = None


@dataclass(frozen=True)
class RuleComparison:
    """One pairing under the rule sets number ``first`` and ``second``, on the deals played under both.

    ``changed`` is the share of deals whose code is another one under the second.
    """

    first: int
    second: int
    pairing: int
    n_deals: int
    changed: Estimate
    differences: tuple[Difference, ...]

    def difference(self, measure: str) -> Difference:
        """Find a measure by its name."""
        return next(each for each in self.differences if each.measure == measure)


def compare_rules(
    joint: JointCounts, measures: Sequence[Measure] = DEAL_MEASURES, level: float = LEVEL
) -> list[RuleComparison]:
    """Compare all rule sets two by two, for each pairing.

    The p-values of one measure, over all pairs of rule sets and all pairings, are one family for Holm. The
    intervals are not adjusted.

    Parameters
    ----------
    joint
        The deals.
    measures
        Measures by the codes of `joint`.
    level
        Confidence level of each interval.

    Returns
    -------
    list of RuleComparison
        By pair of rule sets, then by pairing.
    """
    return holm_adjusted(
        [
            _compare(table, first, second, pairing, measures, level)
            for (first, second), tables in zip(joint.pairs, joint.counts, strict=True)
            for pairing, table in enumerate(tables)
        ]
    )


def holm_adjusted(comparisons: Sequence[RuleComparison]) -> list[RuleComparison]:
    """Adjust the p-values of comparisons of the same measures, those of one measure being one family."""
    by_measure = zip(*(each.differences for each in comparisons), strict=True)
    families = [holm([difference.p for difference in differences]) for differences in by_measure]
    return [
        replace(
            each,
            differences=tuple(
                replace(difference, adjusted_p=family[place])
                for difference, family in zip(each.differences, families, strict=True)
            ),
        )
        for place, each in enumerate(comparisons)
    ]


def _compare(
    table: IntArray, first: int, second: int, pairing: int, measures: Sequence[Measure], level: float
) -> RuleComparison:
    """Compare one pairing under two rule sets; `table` counts its deals by code under the first and the second."""
    n = int(table.sum())
    differences = []
    for measure in measures:
        values = measure.values
        difference = mean_estimate(table.ravel(), (values - values[:, np.newaxis]).ravel(), level)
        means = [_mean_a_hand(table.sum(axis=axis), values, level) for axis in (1, 0)]
        differences.append(Difference(measure.name, means[0], means[1], difference, two_sided_p(difference)))
    changed = share_of_hands(n - int(np.trace(table)), n, level, hands_a_deal=1)
    return RuleComparison(first, second, pairing, n, changed, tuple(differences))


def _mean_a_hand(counts: IntArray, values: FloatArray, level: float) -> Estimate:
    lowest, highest = float(values.min()), float(values.max())
    return mean_estimate(counts, values, level).map(lambda mean: min(max(mean, lowest), highest))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values of one family for their number (Holm 1979); None stays None and is not counted.

    The k-th smallest of n is multiplied by n - k + 1, then none is less than a smaller one's.
    """
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for k, (p, place) in enumerate(order):
        largest = max(largest, min(1.0, p * (len(order) - k)))
        adjusted[place] = largest
    return adjusted

"""Checks of the harness by its own results: mirror matches are null, workers are alike, the books balance.

The threshold is for alarms, not for findings: a sound harness fails a test of chance once in ten thousand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from harness.core.records import DRAWN
from harness.stats.codes import GAME_POINTS, RESULTS, IntArray, check_counts, results_by_half
from harness.stats.endings import TALLY_SHAPE
from harness.stats.estimate import LEVEL, Estimate, two_sided_p
from harness.stats.pairs import mean_estimate
from harness.texts import count

ALARM: Final = 1e-4
"""A p-value below this fails a check."""
LEAST_EXPECTED: Final = 5.0
"""Chi-square pools cells until each expects as many deals (Cochran's rule)."""

MIRROR_ADVICE: Final = (
    "the two sides are not treated alike: look for an agent that keeps memory between hands, for luck that "
    "depends on the side, or for packs that differ between the two halves of a deal"
)
WORKERS_ADVICE: Final = (
    "the workers do not play alike: run it again with one worker and compare the digests; look for an agent "
    "whose play depends on the process, on the clock or on hands it has played before"
)
BOOKS_ADVICE: Final = "the stored results contradict one another: do not use this run, play it again"


@dataclass(frozen=True)
class Verdict:
    """What a check found: whether it passed, what it saw in words, and advice ("" where it passed).

    ``p`` is None where the check is exact, or where there is too little to test.
    """

    name: str
    passed: bool
    p: float | None
    found: str
    advice: str = ""


@dataclass(frozen=True)
class MirrorCheck:
    """An agent against itself, as side 0 against side 1, which must come to 0 game points and half of the hands.

    The same numbers compare the seats: what seat 0 won in half 0 less what it won in half 1. ``z`` is that of the
    game points, None without a spread.
    """

    game_points: Estimate
    hands_won: Estimate
    z: float | None
    verdict: Verdict


def mirror_check(counts: npt.ArrayLike, name: str, level: float = LEVEL) -> MirrorCheck:
    """Check that an agent has no advantage over itself; fails if the smaller of two p-values is below ALARM / 2.

    Parameters
    ----------
    counts
        How often each deal code came in its pairing with itself, shape (49,).
    name
        The agent.
    level
        Confidence level of the intervals.

    Raises
    ------
    ValueError
        If there are not 49 counts, or one is negative.
    """
    deals = np.asarray(counts, dtype=np.int64)
    check_counts(deals[np.newaxis], 1)
    points = mean_estimate(deals, GAME_POINTS.mean(axis=0), level)
    won = mean_estimate(deals, (1 + RESULTS.mean(axis=0)) / 2, level)
    label = f"{name} against itself"
    if points.value is None or won.value is None:
        return MirrorCheck(points, won, None, Verdict(label, True, None, points.note))
    tested = [p for p in (two_sided_p(points), two_sided_p(won, 0.5)) if p is not None]
    p = min(1.0, 2 * min(tested)) if tested else None
    # Without a spread a difference is no chance, unless there was one deal only.
    passed = p >= ALARM if p is not None else points.n < 2 or points.value == 0
    z = points.value / points.error if points.error else None
    found = f"{points.value:+.4f} game points a hand over {points.n:,} deals"
    found += "" if p is None else f", {100 * won.value:.2f} % of the hands won, {_p_text(p)}"
    return MirrorCheck(points, won, z, Verdict(label, passed, p, found, "" if passed else MIRROR_ADVICE))


def workers_check(counts: IntArray) -> Verdict:
    """Check that the deals of all workers come from one distribution, pairing by pairing.

    The results of pairings on one pack hang together, so that their tests may too; the smallest p-value is
    multiplied by the number of pairings tested (Bonferroni), which holds however they do.

    Parameters
    ----------
    counts
        How often each deal code came, int64, shape (n_workers, n_pairings, 49).

    Raises
    ------
    ValueError
        If the shape is another one, or a count is negative.
    """
    if counts.ndim != 3:
        raise ValueError(f"counts by worker have shape {counts.shape}; expected (n_workers, n_pairings, 49)")
    for table in counts:
        check_counts(table, counts.shape[1])
    label = f"{len(counts)} workers against one another"
    tests = [test for table in counts.swapaxes(0, 1) if (test := homogeneity(table)) is not None]
    if not tests:
        return Verdict(label, True, None, "too few deals by two workers or more to compare them")
    worst = min(tests, key=lambda test: test.p)
    p = min(1.0, worst.p * len(tests))
    found = (
        f"chi-square {worst.statistic:.1f} with {worst.degrees_of_freedom} degrees of freedom, the worst of "
        f"{count(len(tests), 'pairing')}; {_p_text(p)}"
    )
    return Verdict(label, p >= ALARM, p, found, "" if p >= ALARM else WORKERS_ADVICE)


def _p_text(p: float) -> str:
    return f"p = {p:.2g}" if p else "p < 1e-300"


@dataclass(frozen=True)
class ChiSquare:
    """A test of homogeneity: statistic, degrees of freedom, p-value, and the table that was tested."""

    statistic: float
    degrees_of_freedom: int
    p: float
    table: IntArray


def homogeneity(counts: IntArray) -> ChiSquare | None:
    """Test whether all rows of a table of counts come from one distribution (Pearson's chi-square).

    Rows too short to expect LEAST_EXPECTED in two columns are left out; the rarest columns are pooled until each
    row expects that in every column. None if less than two rows or columns are left.
    """
    table = counts[counts.sum(axis=1) >= 2 * LEAST_EXPECTED]
    if len(table) < 2:
        return None
    shortest = int(table.sum(axis=1).min())
    table = _pooled(table, LEAST_EXPECTED * table.sum() / shortest)
    if table.shape[1] < 2:
        return None
    from scipy.special import chdtrc

    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    statistic = float(((table - expected) ** 2 / expected).sum())
    freedom = (table.shape[0] - 1) * (table.shape[1] - 1)
    return ChiSquare(statistic, freedom, float(chdtrc(freedom, statistic)), table)


def _pooled(table: IntArray, least: float) -> IntArray:
    """Add columns up, the rarest first, until each has at least `least`; what is left over joins the last."""
    order = np.argsort(table.sum(axis=0), kind="stable")
    columns: list[IntArray] = []
    gathered = np.zeros(len(table), dtype=np.int64)
    for column in order:
        gathered = gathered + table[:, column]
        if gathered.sum() >= least:
            columns.append(gathered)
            gathered = np.zeros(len(table), dtype=np.int64)
    if gathered.any() and columns:
        columns[-1] = columns[-1] + gathered
    return np.array(columns, dtype=np.int64).reshape(-1, len(table)).T


def books_check(counts: IntArray, endings: IntArray, forfeits: IntArray, names: Sequence[str]) -> Verdict:
    """Check that deal codes, endings and faults tell of the same hands; exact, hand for hand.

    Parameters
    ----------
    counts
        How often each deal code came, int64, shape (n_pairings, 49).
    endings
        Tallies of endings, int64, shape (n_pairings, 2, 2, 7, 4).
    forfeits
        Hands that each side forfeited, int64, shape (n_pairings, 2).
    names
        What to call each pairing.

    Raises
    ------
    ValueError
        If a shape is another one, or a count is negative.
    """
    check_counts(counts, len(names))
    if endings.shape != (len(names), *TALLY_SHAPE) or forfeits.shape != (len(names), 2):
        raise ValueError(f"endings of shape {endings.shape} and forfeits of {forfeits.shape} for {len(names)} pairings")
    left = results_by_half(counts) - _results_in(endings)
    # Forfeited hands end by no ending: side 0's are losses of 3 game points, side 1's wins.
    lost, won = left[:, :, 0].copy(), left[:, :, 6].copy()
    left[:, :, [0, 6]] = 0
    wrong = (left != 0).any(axis=(1, 2)) | (np.minimum(lost, won) < 0).any(axis=1)
    wrong |= (np.stack([lost.sum(axis=1), won.sum(axis=1)], axis=1) != forfeits).any(axis=1)
    if not wrong.any():
        n_hands = 2 * int(counts.sum())
        return Verdict("codes, endings and faults", True, None, f"{n_hands:,} hands, each in all three books")
    bad = ", ".join(name for name, is_wrong in zip(names, wrong, strict=True) if is_wrong)
    return Verdict("codes, endings and faults", False, None, f"they disagree for {bad}", BOOKS_ADVICE)


def _results_in(endings: IntArray) -> IntArray:
    """Count the hands by side 0's game points, shape (n_pairings, 2 halves, 7)."""
    results = np.zeros((len(endings), 2, 7), dtype=np.int64)
    results[:, :, 3] = endings[:, :, 0, DRAWN].sum(axis=-1)
    by_points = np.delete(endings, DRAWN, axis=3).sum(axis=3)
    for points in (1, 2, 3):
        results[:, :, 3 + points] = by_points[:, :, 0, points]
        results[:, :, 3 - points] = by_points[:, :, 1, points]
    return results

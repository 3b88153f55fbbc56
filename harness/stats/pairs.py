"""One pairing, from the counts of its 49 deal codes.

The unit is a deal played twice with the seats swapped: y = (x1 + x2) / 2 over its two hands, SE = sd(y) /
sqrt(deals) and Student's t. The two hands of a deal are correlated, so errors from single hands would be
wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.stats.codes import GAME_POINTS, RESULTS, FloatArray, IntArray, check_counts
from harness.stats.estimate import LEVEL, NO_DEALS, NO_SPREAD, ONE_DEAL, Estimate, from_variance

MOST_POINTS = 3.0
"""Game points of a hand at most."""
WON_ALL = "won every hand"
LOST_ALL = "lost every hand"
ENDLESS = "the interval of hands won reaches 0 or 1, where Elo has no end"


@dataclass(frozen=True)
class EloNotes:
    """Why a share has no Elo, or an interval without an end: all won, all lost, an end at 0 or 1."""

    won_all: str = WON_ALL
    lost_all: str = LOST_ALL
    endless: str = ENDLESS

    def turned(self) -> EloNotes:
        """Give the notes of the other side."""
        return EloNotes(self.lost_all, self.won_all, self.endless)


OF_HANDS = EloNotes()


@dataclass(frozen=True)
class PairEstimates:
    """What the deals of one pairing say, seen from its first agent; ``n_deals`` deals are 2 n_deals hands.

    ``game_points`` and ``seat_game_points`` are game points a hand; ``hands_won`` and ``seat_hands_won``
    shares of the hands (a hand nobody won counts half). The seat figures are those of seat 0, which leads the
    hand, against seat 1.
    """

    n_deals: int
    game_points: Estimate
    hands_won: Estimate
    elo: Estimate
    seat_game_points: Estimate
    seat_hands_won: Estimate
    pairing_gain: float | None


def pair_estimates(counts: npt.ArrayLike, level: float = LEVEL) -> PairEstimates:
    """Estimate everything about one pairing from the counts of its deal codes.

    Parameters
    ----------
    counts
        How often each deal code came, shape (49,).
    level
        Confidence level of the intervals.

    Raises
    ------
    ValueError
        If there are not 49 counts, or one is negative.
    """
    table = np.asarray(counts, dtype=np.int64)
    check_counts(table[np.newaxis], 1)
    hands_won = _share(table, RESULTS[0] + RESULTS[1], level)
    return PairEstimates(
        n_deals=int(table.sum()),
        game_points=_points(table, GAME_POINTS[0] + GAME_POINTS[1], level),
        hands_won=hands_won,
        elo=elo_of_share(hands_won),
        seat_game_points=_points(table, GAME_POINTS[0] - GAME_POINTS[1], level),
        seat_hands_won=_share(table, RESULTS[0] - RESULTS[1], level),
        pairing_gain=pairing_gain(table),
    )


def mean_estimate(counts: npt.ArrayLike, values: npt.ArrayLike, level: float = LEVEL) -> Estimate:
    """Estimate the mean of a per-deal score from how often each of its values came, with Student's t.

    Parameters
    ----------
    counts, values
        How often each value came, and the values; same shape.
    level
        Confidence level.
    """
    weights, scores = np.asarray(counts, dtype=np.int64), np.asarray(values, dtype=np.float64)
    n = int(weights.sum())
    if n == 0:
        return Estimate(None, None, None, 0, level, NO_DEALS)
    mean = float(weights @ scores) / n
    if n == 1:
        return Estimate(mean, None, None, 1, level, ONE_DEAL)
    if np.ptp(scores[weights > 0]) == 0:
        return Estimate(mean, None, None, n, level, NO_SPREAD)
    squares = float(weights @ (scores - mean) ** 2)
    return from_variance(mean, squares / (n - 1) / n, n, level)


def elo_of_share(share: Estimate, notes: EloNotes = OF_HANDS) -> Estimate:
    """Turn a share of hands (or matches) won into Elo: -400 log10(1/s - 1), the ends transformed with it.

    A perfect share has no Elo, and an end at 0 or 1 is no end: both become None, and the note says so.
    """
    if share.value is None:
        return share
    if share.value in (0.0, 1.0):
        note = notes.won_all if share.value else notes.lost_all
        return Estimate(None, None, None, share.n, share.level, note)
    low = None if share.low is None or share.low <= 0 else elo(share.low)
    high = None if share.high is None or share.high >= 1 else elo(share.high)
    endless = (low is None) != (share.low is None) or (high is None) != (share.high is None)
    return Estimate(elo(share.value), low, high, share.n, share.level, notes.endless if endless else share.note)


def elo(share: float) -> float:
    """Elo difference at which a share of the hands, between 0 and 1, is expected."""
    return -400 * math.log10(1 / share - 1)


def pairing_gain(counts: IntArray) -> float | None:
    """How many times as many hands would be needed if each deal were played only once.

    The variance of the game points of two hands of different deals (one from each seat), over that of the two
    hands of one deal. None without spread.
    """
    n = int(counts.sum())
    if n < 2:
        return None
    apart = sum(_spread(counts, half.astype(np.float64)) for half in GAME_POINTS)
    together = _spread(counts, (GAME_POINTS[0] + GAME_POINTS[1]).astype(np.float64))
    return apart / together if together > 0 else None


def _spread(counts: IntArray, values: FloatArray) -> float:
    mean = float(counts @ values) / int(counts.sum())
    return float(counts @ (values - mean) ** 2)


def _points(counts: IntArray, points: IntArray, level: float) -> Estimate:
    """Game points a hand, from the sum for the two hands by deal code; no hand is worth more than 3."""
    return mean_estimate(counts, points / 2, level).map(lambda p: min(max(p, -MOST_POINTS), MOST_POINTS))


def _share(counts: IntArray, results: IntArray, level: float) -> Estimate:
    """Share of the hands won, from the sum of the two results (-1, 0, 1 each) by deal code."""
    share = mean_estimate(counts, (results + 2) / 4, level)
    return share.map(lambda s: min(max(s, 0.0), 1.0))

"""How the hands of a pairing end: by which side, how, and for how many game points."""

import math
from dataclasses import dataclass

from harness.core.records import DRAWN, ENDINGS
from harness.stats.codes import IntArray
from harness.stats.estimate import LEVEL, NO_DEALS, Estimate, quantile

TALLY_SHAPE = (2, 2, len(ENDINGS), 4)
"""[half, winning side, how, game points]; drawn hands at [half, 0, DRAWN, 0], forfeited ones nowhere."""


@dataclass(frozen=True)
class EndingShares:
    """Shares of all hands that were played to an end; ``n_hands`` is their number.

    ``by_ending[side][how]`` is the share of the hands that side 0 or 1 won in the way ``ENDINGS[how]``,
    ``by_points[side][g - 1]`` for g = 1, 2 or 3 game points, ``drawn`` the share that nobody won.
    """

    n_hands: int
    by_ending: tuple[tuple[Estimate, ...], tuple[Estimate, ...]]
    by_points: tuple[tuple[Estimate, ...], tuple[Estimate, ...]]
    drawn: Estimate


@dataclass(frozen=True)
class PooledEndings:
    """Shares of all hands of several pairings, whoever won them; ``n_hands`` is their number.

    ``by_ending[how]`` is the share that ended in the way ``ENDINGS[how]``, ``by_points[how][g - 1]`` the
    share that did so for g = 1, 2 or 3 game points.
    """

    n_hands: int
    by_ending: tuple[Estimate, ...]
    by_points: tuple[tuple[Estimate, ...], ...]


def ending_shares(tally: IntArray, level: float = LEVEL) -> EndingShares:
    """Turn the tally of a pairing into shares with intervals.

    Parameters
    ----------
    tally
        int64, shape (2, 2, 7, 4).
    level
        Confidence level.

    Raises
    ------
    ValueError
        If the shape is another one.
    """
    if tally.shape != TALLY_SHAPE:
        raise ValueError(f"a tally of endings has shape {tally.shape}; expected {TALLY_SHAPE}")
    hands = tally.sum(axis=0)
    n_hands = int(hands.sum())
    drawn = share_of_hands(int(hands[:, DRAWN].sum()), n_hands, level)
    hands[:, DRAWN] = 0

    def shares(counts: IntArray) -> tuple[Estimate, ...]:
        return tuple(share_of_hands(int(count), n_hands, level) for count in counts)

    by_ending = (shares(hands[0].sum(axis=1)), shares(hands[1].sum(axis=1)))
    by_points = (shares(hands[0].sum(axis=0)[1:]), shares(hands[1].sum(axis=0)[1:]))
    return EndingShares(n_hands, by_ending, by_points, drawn)


def pooled_endings(tallies: IntArray, level: float = LEVEL) -> PooledEndings:
    """Turn the tallies of all pairings, int64[n_pairings, 2, 2, 7, 4], into shares of all their hands.

    A pack is played by every pairing, so up to two hands a pairing share it.
    """
    hands = tallies.sum(axis=(0, 1, 2))
    n_hands = int(hands.sum())
    hands_a_deal = 2 * int((tallies.sum(axis=(1, 2, 3, 4)) > 0).sum())

    def share(count: int) -> Estimate:
        return share_of_hands(count, n_hands, level, hands_a_deal=hands_a_deal)

    return PooledEndings(
        n_hands,
        tuple(share(int(row.sum())) for row in hands),
        tuple(tuple(share(int(count)) for count in row[1:]) for row in hands),
    )


def share_of_hands(count: int, n_hands: int, level: float = LEVEL, *, hands_a_deal: int = 2) -> Estimate:
    """Estimate a share of the hands with Wilson's interval, on as many observations as there are deals.

    The tally does not say which hands share a deal. But the mean of several indicators varies at most as
    much as one of them, so taking a deal for one observation never gives too narrow an interval.

    Parameters
    ----------
    count, n_hands
        Hands that ended so, and all hands.
    level
        Confidence level.
    hands_a_deal
        The largest number of hands that were played of one deal.

    """
    if n_hands == 0:
        return Estimate(None, None, None, 0, level, NO_DEALS)
    share, n, z = count / n_hands, n_hands / hands_a_deal, quantile(level, None)
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = 0.0 if count == 0 else centre - reach
    high = 1.0 if count == n_hands else centre + reach
    return Estimate(share, low, high, math.ceil(n), level)

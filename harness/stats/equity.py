"""Matches, from the distribution of hands: who wins from which score, and match Elo.

A match is a Markov chain whose hands are drawn from what a pairing has played: in half 0 side A leads, in half
1 side B. A hand nobody won comes back to the same score with another carry or leader; these returns are solved
exactly, by one linear system. The chain is exact for agents that play a hand alike whatever the score and the
carry; for others it is an approximation. Its error comes from the deals by the delta method.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from harness.game.rules import Rules
from harness.stats.codes import GAME_POINTS, FloatArray, IntArray, check_counts, results_by_half
from harness.stats.estimate import LEVEL, NO_DEALS, NO_SPREAD, Estimate, from_variance
from harness.stats.pairs import EloNotes, elo_of_share, mean_estimate

ENDLESS_MATCH: Final = "the hands that were played leave a match that would never end"
OF_MATCHES: Final = EloNotes(
    "it would win every match, as the other side won no hand",
    "it would lose every match, as it won no hand",
    "the interval of matches won reaches 0 or 1, where Elo has no end",
)
_SCORED: Final = np.array([-3, -2, -1, 1, 2, 3])
_DRAWN: Final = 3
"""Place of 0 game points among -3..3."""
_DECIMALS: Final = 12
"""Where rounding begins in the values of codes; it must not pass for a spread."""


class EndlessMatchError(ValueError):
    """The distribution leaves a match that never ends with a positive probability."""


@dataclass(frozen=True)
class MatchTable:
    """How often side A wins a match, from every point of it.

    Attributes
    ----------
    values
        Probability that A wins, shape (n_carries, target, target, 2): by carry, A's score, B's score, and who
        leads the next hand (0: A). A carry beyond the last decides the match like the last. Without a carry in
        the rules n_carries is 1.
    slopes
        How fast A's probability at 0:0 grows with the probability of each result of a hand, shape (2, 7): by who
        leads, then A's game points -3..3.
    hands_a_match
        Mean number of hands of a match, those that nobody wins included.
    odds
        The distribution behind it, shape (2, 7), as for `match_table`.
    """

    values: FloatArray
    slopes: FloatArray
    hands_a_match: float
    odds: FloatArray

    @property
    def win_probability(self) -> float:
        """Probability that A wins from 0:0, each side leading first in half of the matches."""
        return float(self.values[0, 0, 0].mean())

    def chance(self, score_a: int, score_b: int, leader: int, carry: int = 0) -> float:
        """Probability that A wins from a score; `leader` is the side, 0 or 1, that leads the next hand."""
        return float(self.values[min(carry, len(self.values) - 1), score_a, score_b, leader])

    def code_values(self) -> FloatArray:
        """Give what a deal of each code says about A's probability at 0:0, shape (49,).

        Their mean over the deals of the distribution is the probability itself, and their spread is that of an
        estimate of it: value plus slope (delta method). Tests on match equity score a deal so.
        """
        centred = self.slopes - (self.odds * self.slopes).sum(axis=1, keepdims=True)
        apart: FloatArray = centred[0, GAME_POINTS[0] + 3] + centred[1, GAME_POINTS[1] + 3]
        share = self.win_probability
        unit = min(share, 1 - share) or 1.0
        return share + unit * np.round(apart / unit, _DECIMALS)


@dataclass(frozen=True)
class MatchEquity:
    """What the deals of a pairing say about matches between its agents, seen from the first.

    ``matches_won`` is the share of matches that it would win, ``elo`` the match Elo; ``table`` is None where
    there is no distribution, or one under which a match might not end.
    """

    n_deals: int
    matches_won: Estimate
    elo: Estimate
    table: MatchTable | None

    def turned(self) -> MatchEquity:
        """See the same matches from the second agent, without a table."""
        notes = {OF_MATCHES.won_all: OF_MATCHES.lost_all, OF_MATCHES.lost_all: OF_MATCHES.won_all}
        elo = replace(self.elo, note=notes.get(self.elo.note, self.elo.note))
        return MatchEquity(self.n_deals, self.matches_won.turned(1.0), elo.turned(), None)


def match_equity(counts: npt.ArrayLike, rules: Rules, level: float = LEVEL) -> MatchEquity:
    """Estimate who wins matches from the counts of a pairing's deal codes.

    Parameters
    ----------
    counts
        How often each deal code came, shape (49,).
    rules
        Their target, dealer, carry and unscored hands count.
    level
        Confidence level of the intervals.

    Raises
    ------
    ValueError
        If there are not 49 counts, or one is negative.
    """
    deals = np.asarray(counts, dtype=np.int64)
    check_counts(deals[np.newaxis], 1)
    n = int(deals.sum())
    if n == 0:
        none = Estimate(None, None, None, 0, level, NO_DEALS)
        return MatchEquity(0, none, none, None)
    try:
        table = match_table(rules, hand_odds(deals))
    except EndlessMatchError:
        none = Estimate(None, None, None, n, level, ENDLESS_MATCH)
        return MatchEquity(n, none, none, None)
    if table.win_probability <= 0.5:
        won = _matches_won(deals, table, level)
        return MatchEquity(n, won, elo_of_share(won, OF_MATCHES), table)
    # A share close to 1 has few digits left, so the other side's is computed; code c is its code 48 - c.
    lost = _matches_won(deals[::-1], match_table(rules, hand_odds(deals[::-1])), level)
    return MatchEquity(n, lost.turned(1.0), elo_of_share(lost, OF_MATCHES.turned()).turned(), table)


def _matches_won(deals: IntArray, table: MatchTable, level: float) -> Estimate:
    """Put an interval around the share of matches won, by the delta method on its log odds, which is Elo's scale.

    A symmetric interval around the share itself would be far too short where that is small: of 95 % intervals from 50
    deals, 73 % held a share of 0.0013, these hold it in 92 %, and shares from 0.1 to 0.9 in 95 % to 96 %.
    """
    from scipy.special import expit, logit

    share = table.win_probability
    plain = mean_estimate(deals, table.code_values(), level)
    if not plain.error or not 0 < share < 1:
        return Estimate(share, None, None, plain.n, level, plain.note or NO_SPREAD)
    variance = (plain.error / (share * (1 - share))) ** 2
    return from_variance(float(logit(share)), variance, plain.n, level).map(lambda at: float(expit(at)))


def hand_odds(counts: IntArray) -> FloatArray:
    """Distribution of A's game points by who leads, from counts of deal codes (at least one), shape (2, 7)."""
    odds: FloatArray = results_by_half(counts)[0] / counts.sum()
    return odds


def match_table(rules: Rules, odds: FloatArray) -> MatchTable:
    """Solve the match of two players exactly.

    Parameters
    ----------
    rules
        Their ``match.target``, ``match.dealer``, ``unscored.carry`` and ``unscored.same_dealer`` count.
    odds
        Probability of A's game points -3..3, shape (2, 7): first where A leads the hand, then where B does.

    Raises
    ------
    EndlessMatchError
        If a match may go on for ever because hands that nobody wins follow one another.
    ValueError
        If the rows are not two distributions.
    """
    if odds.shape != (2, 7) or (odds < 0).any() or not np.allclose(odds.sum(axis=1), 1):
        raise ValueError(f"odds must be two distributions over -3..3, shape (2, 7); these have shape {odds.shape}")
    certain = odds[:, _DRAWN] >= 1
    if certain.all() or (rules.unscored.same_dealer and certain.any()):
        raise EndlessMatchError(ENDLESS_MATCH)
    chain = _Chain(rules, odds)
    values, after_hand = chain.solve()
    slopes, n_hands = chain.follow(values, after_hand)
    return MatchTable(values, slopes, n_hands, odds)


class _Chain:
    """The hands of a match at one score: states (carry, leader), flat as 2 * carry + leader."""

    def __init__(self, rules: Rules, odds: FloatArray):
        self.odds = odds
        self.target = rules.match.target
        # With target - 1 carried, whoever wins a hand wins the match, so more need not be told apart.
        self.n_carries = self.target if rules.unscored.carry else 1
        carry, leader = (index.ravel() for index in np.indices((self.n_carries, 2)))
        self.leader = leader
        other = leader if rules.unscored.same_dealer else 1 - leader
        self.after_drawn = 2 * np.minimum(carry + 1, self.n_carries - 1) + other
        self.weights = odds[leader][:, _SCORED + 3]
        worth = np.abs(_SCORED) + carry[:, np.newaxis]
        self.gain_a, self.gain_b = worth * (_SCORED > 0), worth * (_SCORED < 0)
        # The dealer sits on seat 1, so a winner who deals leaves the lead to the other side.
        by_winner = np.broadcast_to((_SCORED > 0).astype(np.int64), worth.shape)
        by_turn = np.broadcast_to(1 - leader[:, np.newaxis], worth.shape)
        self.next_leader = by_winner if rules.match.dealer == "winner" else by_turn
        returns = np.zeros((len(leader), len(leader)))
        returns[np.arange(len(leader)), self.after_drawn] = odds[leader, _DRAWN]
        self.visits = np.linalg.inv(np.eye(len(leader)) - returns)
        """Mean number of hands played in each state (column) until one is won, by state at the start (row)."""

    def next_scores(self, a: IntArray, b: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """Return both scores and the leader after each result of each state at some scores, shape (n, n_states, 6)."""
        after_a = np.minimum(a[:, np.newaxis, np.newaxis] + self.gain_a, self.target)
        after_b = np.minimum(b[:, np.newaxis, np.newaxis] + self.gain_b, self.target)
        return after_a, after_b, np.broadcast_to(self.next_leader, after_a.shape)

    def equal_sums(self) -> list[tuple[IntArray, IntArray]]:
        """Return all scores in groups whose sums are equal, smallest first: no hand leads from one to another."""
        n = self.target
        groups = [(np.arange(max(0, total - n + 1), min(total, n - 1) + 1), total) for total in range(2 * n - 1)]
        return [(a, total - a) for a, total in groups]

    def solve(self) -> tuple[FloatArray, FloatArray]:
        """Work from the end of the match to its start.

        Returns the values by carry, scores and leader, and those without carry once more with the ends of the
        match around them, shape (target + 1, target + 1, 2).
        """
        n = self.target
        values = np.empty((self.n_carries, n, n, 2))
        after_hand = np.zeros((n + 1, n + 1, 2))
        after_hand[n] = 1.0
        for a, b in reversed(self.equal_sums()):
            won = (self.weights * after_hand[self.next_scores(a, b)]).sum(axis=2)
            by_state = (won @ self.visits.T).reshape(len(a), self.n_carries, 2)
            values[:, a, b, :] = by_state.swapaxes(0, 1)
            after_hand[a, b] = values[0, a, b]
        return values, after_hand

    def follow(self, values: FloatArray, after_hand: FloatArray) -> tuple[FloatArray, float]:
        """Go through the match from 0:0, each side leading first half the time: slopes, and hands of a match."""
        n = self.target
        arrivals = np.zeros((n + 1, n + 1, 2))
        arrivals[0, 0] = 0.5
        slopes, n_hands = np.zeros((2, 7)), 0.0
        for a, b in self.equal_sums():
            following = self.next_scores(a, b)
            visits = arrivals[a, b] @ self.visits[:2]
            n_hands += float(visits.sum())
            np.add.at(arrivals, following, visits[:, :, np.newaxis] * self.weights)
            worth = np.empty((len(a), len(self.leader), 7))
            worth[:, :, _SCORED + 3] = after_hand[following]
            here = values[:, a, b, :].swapaxes(0, 1).reshape(len(a), -1)
            worth[:, :, _DRAWN] = here[:, self.after_drawn]
            np.add.at(slopes, self.leader, (visits[:, :, np.newaxis] * worth).sum(axis=0))
        return slopes, n_hands

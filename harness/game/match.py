"""A match: hands until one player has enough game points; who deals, what is carried over, who has won."""

from dataclasses import dataclass

import numpy as np

from harness.core.rng import DEALER_KEY, bounded, fold, mix
from harness.errors import IllegalActionError, UsageError
from harness.game.hand import Hand, check_counter
from harness.game.rules import Rules


def first_dealer_of(seed: int) -> int:
    """Return the player, 0 or 1, that a match seed makes the first dealer (text 004: "by cutting")."""
    word = mix(np.uint64(fold(np.uint64(mix(DEALER_KEY)), seed)))
    return int(bounded(np.uint64(word), 2))


@dataclass(frozen=True)
class PlayedHand:
    """A finished hand of a match: who dealt it, which player won how many game points (None, 0: nobody), and how."""

    dealer: int
    winner: int | None
    game_points: int
    how: str


class Match:
    """Hands between players 0 and 1 until one has reached the target; hand number n is deal number n of the seed.

    In each hand the dealer sits on seat 1, and the other player on seat 0 leads. Play it so::

        while match.winner is None:
            hand = match.next_hand()
            ...  # hand.do(...) until hand.over
            match.finish_hand()

    Parameters
    ----------
    rules
        The rules of the match and its hands.
    seed
        Decides all deals, and the first dealer if none is given.
    first_dealer
        Player 0 or 1; two matches of a pair take one each.

    """

    def __init__(self, rules: Rules, seed: int, first_dealer: int | None = None):
        if first_dealer not in (None, 0, 1):
            raise UsageError(f"first_dealer = {first_dealer}: must be player 0 or 1")
        check_counter("seed", seed)
        self.rules = rules
        self.seed = seed
        self.dealer = first_dealer_of(seed) if first_dealer is None else first_dealer
        self.score: tuple[int, int] = (0, 0)
        self.carry = 0
        self.hand: Hand | None = None
        self.played: list[PlayedHand] = []

    @property
    def winner(self) -> int | None:
        """The player who has won the match, None while it goes on."""
        return next((player for player in (0, 1) if self.score[player] >= self.rules.match.target), None)

    def seat_of(self, player: int) -> int:
        """Return the seat of a player in the hand at play, or in the next one."""
        return int(player == self.dealer)

    def player_at(self, seat: int) -> int:
        """Return the player on a seat in the hand at play, or in the next one."""
        return self.dealer if seat else 1 - self.dealer

    def why_no_next_hand(self) -> str | None:
        """Say in one sentence why no hand can be dealt now; None if one can."""
        if self.winner is not None:
            return f"the match is over: player {self.winner} has {max(self.score)} of {self.rules.match.target}"
        if self.hand is not None:
            return f"hand {len(self.played)} is not finished; finish_hand() scores it once it is over"
        return None

    def next_hand(self) -> Hand:
        """Deal the next hand; IllegalActionError while one is at play or when the match is over."""
        if (reason := self.why_no_next_hand()) is not None:
            raise IllegalActionError(f"no hand can be dealt: {reason}")
        score = (self.score[self.player_at(0)], self.score[self.player_at(1)])
        self.hand = Hand.of_deal(self.rules, self.seed, len(self.played), score, self.carry)
        return self.hand

    def finish_hand(self) -> PlayedHand:
        """Score the finished hand and pass the deal; IllegalActionError if there is none or it is not over."""
        if self.hand is None:
            raise IllegalActionError("no hand can be scored: none has been dealt")
        result = self.hand.result
        if result is None:
            raise IllegalActionError(f"hand {len(self.played)} cannot be scored: it is not over")
        winner = None if result.winner is None else self.player_at(result.winner)
        played = PlayedHand(self.dealer, winner, result.game_points, result.how)
        self.played.append(played)
        self.hand = None
        if winner is None:
            self._pass_unscored()
        else:
            self._score(winner, result.game_points)
        return played

    def _score(self, winner: int, game_points: int) -> None:
        self.score = (self.score[0] + game_points * (winner == 0), self.score[1] + game_points * (winner == 1))
        self.carry = 0
        self.dealer = winner if self.rules.match.dealer == "winner" else 1 - self.dealer

    def _pass_unscored(self) -> None:
        self.carry += int(self.rules.unscored.carry)
        if not self.rules.unscored.same_dealer:
            self.dealer = 1 - self.dealer

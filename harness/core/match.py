"""The score of a match between two hands: who has how much, what is carried over, who leads next.

A State holds score and carry by seat while its hand is played, and dealing leaves both as they are. Seat 0 always leads
first, so it is the players who change seats: ``score`` goes with them.
"""

from harness.core.kernel import kernel
from harness.core.records import WINNER_DEALS, RulesRecord, State


@kernel
def begin_match(s: State) -> None:
    """Start a match: nobody has any game points, and nothing is carried over."""
    s.score[0] = 0
    s.score[1] = 0
    s.carry = 0


@kernel
def is_decided(s: State, r: RulesRecord) -> bool:
    """Say whether one of the players has reached the target."""
    return s.score[0] >= r.match_target or s.score[1] >= r.match_target


@kernel
def change_seats(s: State) -> None:
    """Let the two players change seats; each takes the score along."""
    mine = s.score[0]
    s.score[0] = s.score[1]
    s.score[1] = mine


@kernel
def score_hand(s: State, r: RulesRecord) -> int:
    """Score the finished hand and pass the deal; returns 1 if the players have changed seats for the next hand, else 0.

    The dealer of a hand sits on seat 1.
    """
    if s.winner >= 0:
        s.score[s.winner] += s.game_points
        s.carry = 0
        same_dealer = r.match_dealer == WINNER_DEALS and s.winner == 1
    else:
        s.carry += r.unscored_carry
        same_dealer = r.unscored_same_dealer != 0
    if same_dealer:
        return 0
    change_seats(s)
    return 1

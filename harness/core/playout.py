"""Random play: one action, or a hand to its end."""

from typing import Any

from harness.core.apply import apply
from harness.core.bits import nth_set_bit, popcount
from harness.core.cards import DECLARE, OUT
from harness.core.kernel import kernel
from harness.core.legal import legal_mask
from harness.core.records import OVER, RulesRecord, State
from harness.core.rng import next_below


@kernel
def random_action(legal: int, points: int, rng: Any) -> int:
    """Draw a legal action uniformly, but declare exactly when it is legal and `points` are 66.

    Reads and moves the stream in `rng` (uint64 array); trusts that something but DECLARE is legal.
    """
    if (legal >> DECLARE) & 1 and points >= OUT:
        return DECLARE
    legal &= ~(1 << DECLARE)
    return nth_set_bit(legal, next_below(rng, popcount(legal)))


@kernel
def play_out(s: State, r: RulesRecord, rng: Any) -> None:
    """Play a hand to its end with random actions of both seats; changes `s` and moves the stream in `rng`."""
    while s.phase != OVER:
        apply(s, r, random_action(legal_mask(s, r), s.points[s.to_move], rng))

"""Hands played at random through the checked door, for tests that need many different ones."""

import random
from collections.abc import Iterable

from harness.core.cards import DECLARE, OUT
from harness.game.hand import Hand


def random_action(hand: Hand, rng: random.Random, boldness: float = 0.02) -> int:
    """Draw a legal action: 66 is declared when it is there, and with probability `boldness` when it is not."""
    legal = hand.legal_actions()
    if DECLARE in legal:
        if hand.points[hand.to_move] >= OUT or rng.random() < boldness:
            return DECLARE
        legal = tuple(action for action in legal if action != DECLARE)
    return rng.choice(legal)


def play_on(hand: Hand, rng: random.Random, n_actions: int = 99) -> Hand:
    """Play a hand on with random actions, to its end or for `n_actions` of them, and return it."""
    for _ in range(n_actions):
        if hand.over:
            break
        hand.do(random_action(hand, rng))
    return hand


def mask_of(numbers: Iterable[int]) -> int:
    """Bit mask of some cards or actions."""
    return sum({1 << number for number in numbers})

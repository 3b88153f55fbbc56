"""Cards, suits and actions as small integers.

A card is ``suit * 8 + rank`` with ranks 9 J Q K 10 A = 0..5: no division is needed, ``0x3F << 8 * suit`` is a
suit, and within a suit the higher card wins. A set of cards is an int64 bit mask. An action is a number below 64,
so that a legal set is one int64 mask too: a card plays itself, the rest stand above the cards.
"""

from typing import Final

import numpy as np

from harness.core.kernel import kernel

N_SUITS: Final = 4
N_RANKS: Final = 6
SPADES, HEARTS, CLUBS, DIAMONDS = range(N_SUITS)
NINE, JACK, QUEEN, KING, TEN, ACE = range(N_RANKS)

MELD: Final = 32
"""MELD + suit announces the marriage of that suit."""
EXCHANGE: Final = 36
CLOSE: Final = 37
DECLARE: Final = 38
DRAW: Final = 39
N_ACTION_CODES: Final = 40

SUIT_MASK: Final = 0x3F
MARRIAGE_MASK: Final = (1 << QUEEN) | (1 << KING)
PACK_MASK: Final = 0x3F3F3F3F
CARDS_MASK: Final = (1 << MELD) - 1
"""The actions that play a card."""
NINES_MASK: Final = 0x01010101
QUEENS_MASK: Final = 0x04040404

RANK_POINTS: Final = (0, 2, 3, 4, 10, 11)
CARD_POINTS: Final = np.array([RANK_POINTS[c % 8] if c % 8 < N_RANKS else 0 for c in range(32)], dtype=np.int64)
"""Trick points by card number, shape (32,), int64; 120 in all."""
OUT: Final = 66
"""Points that win a hand."""
SCHNEIDER: Final = 33
"""A loser with fewer points than this pays double."""

ALL_CARDS: Final = tuple(suit * 8 + rank for suit in range(N_SUITS) for rank in range(N_RANKS))


@kernel
def suit_of(card: int) -> int:
    """Suit 0..3 of a card."""
    return card >> 3


@kernel
def rank_of(card: int) -> int:
    """Rank 0..5 (9 J Q K 10 A) of a card."""
    return card & 7


@kernel
def card_points(card: int) -> int:
    """Trick points of a card."""
    points: int = CARD_POINTS[card]
    return points


@kernel
def suit_cards(suit: int) -> int:
    """Mask of the six cards of a suit."""
    return SUIT_MASK << (suit << 3)


@kernel
def marriage_value(suit: int, trump: int) -> int:
    """Points of a marriage."""
    return 40 if suit == trump else 20


@kernel
def marriage_cards(suit: int) -> int:
    """Mask of the king and queen of a suit."""
    return MARRIAGE_MASK << (suit << 3)

"""Shuffle and deal: a pack is a function of (seed, deal), a hand a function of (pack, rules)."""

from typing import Any, Final

from harness.core.cards import NINES_MASK
from harness.core.kernel import kernel
from harness.core.records import DRAWN, FRESH, LEAD, RulesRecord, State
from harness.core.rng import GOLDEN, bounded, deal_stream, mix

_HOLDS_ON: Final = 1 << 40
"""A card that nobody ever plays, so that hands without cards are never played out."""


@kernel
def shuffle(seed: int, deal: int, pack: Any) -> None:
    """Fill `pack` (int8, shape (24,)) with all cards in the order of deal number `deal` of a seed.

    Fisher-Yates from the top, one word of the deal's own stream a card.
    """
    for i in range(24):
        pack[i] = (i // 6) * 8 + i % 6
    stream = deal_stream(seed, deal)
    for i in range(23, 0, -1):
        stream += GOLDEN
        j = bounded(mix(stream), i + 1)
        pack[i], pack[j] = pack[j], pack[i]


@kernel
def clear(s: State) -> None:
    """Make `s` an empty hand before the first lead of seat 0; score and carry stay."""
    for seat in range(2):
        s.hand[seat] = 0
        s.known[seat] = 0
        s.points[seat] = 0
        s.pending[seat] = 0
        s.tricks[seat] = 0
    s.gone = 0
    s.leader = 0
    s.to_move = 0
    s.led = -1
    s.phase = LEAD
    s.lead_stage = FRESH
    s.lead_open = 1
    s.meld_suit = -1
    s.closer = -1
    s.closed_points = 0
    s.closed_tricks = 0
    s.winner = -1
    s.game_points = 0
    s.how = DRAWN
    s.n_history = 0


@kernel
def deal_unseen(s: State, r: RulesRecord, trump: int) -> None:
    """Set `s` to the start of a hand whose cards nobody knows: public actions can be carried out, score and carry stay.

    Of the turned-up card only the suit is right.
    """
    clear(s)
    s.hand[0] = _HOLDS_ON
    s.hand[1] = _HOLDS_ON
    s.trump = trump
    s.turned_up = trump << 3
    s.n_stock = 12 if r.nines else 10


@kernel
def deal_hand(s: State, r: RulesRecord, pack: Any) -> None:
    """Deal a pack (int8, shape (24,)) into `s`: changes everything in it but score and carry.

    24 cards: 3 and 3 to each, the non-dealer (seat 0) first, then the turn-up. 20 cards: 3 each, the turn-up, 2 each.
    What is left is the stock in pack order; the turned-up card lies under it and is drawn last.
    """
    clear(s)
    n = 0
    turn_up = 12 if r.nines else 6
    s.stock_top = 0
    s.n_stock = 0
    for i in range(24):
        card = int(pack[i])  # an int8 would overflow in the shifts when compilation is off
        if not r.nines and (NINES_MASK >> card) & 1:
            continue
        if n == turn_up:
            s.turned_up = card
        elif n < 12 if r.nines else n < 11:
            packet = n // 3 if n < turn_up else (n - 7) // 2
            s.hand[packet & 1] |= 1 << card
        else:
            s.stock[s.n_stock] = card
            s.n_stock += 1
        n += 1
    s.stock[s.n_stock] = s.turned_up
    s.n_stock += 1
    s.trump = s.turned_up >> 3

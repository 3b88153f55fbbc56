"""Other worlds in which a seat would see the same: the cards that it cannot place are dealt anew."""

from typing import Any

from numba import types

from harness.core.bits import nth_set_bit, popcount
from harness.core.kernel import kernel
from harness.core.records import RULES_DTYPE, STATE_DTYPE, VIEW_DTYPE, State
from harness.core.rng import next_below
from harness.core.view import clear_view, fill_view
from harness.play.step import RULES_AT, VIEWS_AT


@kernel
def draw_card(cards: int, rng: Any) -> int:
    """Draw one of a set of cards, each as likely as the others; moves the stream in `rng` (uint64 array)."""
    return nth_set_bit(cards, next_below(rng, popcount(cards)))


@kernel
def hide_again(s: State, seat: int, rng: Any) -> None:
    """Deal the cards that `seat` cannot place anew to the other hand and the face-down stock.

    Changes those two in `s` and moves the stream in `rng` (uint64 array). What the other side has shown, and the
    turned-up card, stay where they are.
    """
    other = 1 - seat
    known = s.known[other]
    n_hidden = popcount(s.hand[other] & ~known)
    n_face_down = max(0, s.n_stock - 1)
    cards = s.hand[other] & ~known
    for i in range(n_face_down):
        cards |= 1 << int(s.stock[s.stock_top + i])
    s.hand[other] = known
    for _ in range(n_hidden):
        card = draw_card(cards, rng)
        cards &= ~(1 << card)
        s.hand[other] |= 1 << card
    for i in range(n_face_down):
        card = draw_card(cards, rng)
        cards &= ~(1 << card)
        s.stock[s.stock_top + i] = card


@kernel(signature=types.void(types.int64[::1], types.int64, types.uint64[::1]))
def move_to_another_world(table: Any, seat: int, rng: Any) -> None:
    """Hide the cards at a table (`harness.play.step`) again from `seat`, and fill both views anew."""
    s = table[:VIEWS_AT].view(STATE_DTYPE)[0]
    views = table[VIEWS_AT:RULES_AT].view(VIEW_DTYPE)
    r = table[RULES_AT:].view(RULES_DTYPE)[0]
    hide_again(s, seat, rng)
    for i in range(2):
        clear_view(views[i])
        fill_view(s, r, i, views[i])

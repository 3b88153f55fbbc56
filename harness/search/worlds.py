"""Worlds that agree with a view: the other hand and the face-down stock, drawn or enumerated.

Every possible world is as likely as the others. What is possible is said by `harness.search.clues`.
"""

from typing import Any, Final

from harness.core.bits import lowest, nth_set_bit, popcount
from harness.core.cards import MELD
from harness.core.kernel import kernel
from harness.core.records import CLOSED, DRAWN, FRESH, LEAD, MELDED, REPLY, RulesRecord, State, View
from harness.core.rng import next_below
from harness.search.clues import FREE, N_HIDDEN

NO_MORE: Final = -1
"""What `next_hand` returns after the last possible hand."""


@kernel
def lead_stage(v: View) -> int:
    """Return how far the lead of the seat to move has come, as far as it matters for what is legal."""
    if v.meld_suit >= 0:
        return MELDED
    # After a close before the draw a marriage may still be announced, after one on this lead no more.
    closed_now = v.phase == LEAD and v.closer == 0 and v.lead_open != 0
    return CLOSED if closed_now and (v.legal >> MELD) & 0xF == 0 else FRESH


@kernel
def place_public(v: View, s: State) -> None:
    """Fill `s` with all that the view of the seat to move tells: everything but the other hand and the stock."""
    me = v.seat
    other = 1 - me
    s.hand[me] = v.hand
    s.known[me] = v.shown
    s.known[other] = v.known
    for i in range(2):
        seat = me ^ i
        s.points[seat] = v.points[i]
        s.pending[seat] = v.pending[i]
        s.tricks[seat] = v.tricks[i]
        s.score[seat] = v.score[i]
    s.gone = v.gone
    s.trump = v.trump
    s.turned_up = v.turned_up
    s.stock_top = 0
    s.n_stock = v.n_stock
    s.leader = v.leader ^ me
    s.to_move = s.leader ^ 1 if v.phase == REPLY else s.leader
    s.led = v.led
    s.phase = v.phase
    s.lead_stage = lead_stage(v)
    s.lead_open = v.lead_open
    s.meld_suit = v.meld_suit
    s.closer = v.closer if v.closer < 0 else v.closer ^ me
    s.closed_points = v.closed_points
    s.closed_tricks = v.closed_tricks
    s.carry = v.carry
    s.winner = -1
    s.game_points = 0
    s.how = DRAWN
    s.n_history = v.n_history
    for i in range(v.n_history):
        s.history[i] = v.history[i]


@kernel
def place_hidden(v: View, theirs: int, s: State) -> None:
    """Give the other seat the hand `theirs` (mask) in a state that holds the public part, and the stock the rest.

    The face-down cards lie in rising order, the turned-up card under them.
    """
    s.hand[1 - v.seat] = theirs
    face_down = v.unseen & ~theirs
    n = 0
    while face_down:
        s.stock[n] = lowest(face_down)
        face_down &= face_down - 1
        n += 1
    if v.turned_up >= 0:
        s.stock[n] = v.turned_up


@kernel
def place(v: View, r: RulesRecord, theirs: int, s: State) -> None:
    """Fill `s` with the world of a view (of the seat to move) in which the other hand is `theirs` (mask).

    The same seat sees the same in it, and the same is legal. Trusts that `theirs` is a possible hand.
    """
    place_public(v, s)
    place_hidden(v, theirs, s)


@kernel
def shuffle_stock(s: State, rng: Any) -> None:
    """Put the face-down cards into a random order; moves the stream in `rng` (uint64 array)."""
    top = s.stock_top
    for i in range(s.n_stock - 2, 0, -1):
        j = next_below(rng, i + 1)
        card = s.stock[top + i]
        s.stock[top + i] = s.stock[top + j]
        s.stock[top + j] = card


@kernel
def choose(cards: int, n: int, rng: Any) -> int:
    """Draw `n` of a set of cards (mask), each choice as likely as the others; moves the stream in `rng`."""
    size = popcount(cards)
    few = min(n, size - n)
    rest = cards
    for i in range(few):
        rest &= ~(1 << nth_set_bit(rest, next_below(rng, size - i)))
    return cards & ~rest if few == n else rest


@kernel
def n_hands(clues: Any) -> int:
    """Count the possible other hands."""
    ways = 1
    for i in range(clues[N_HIDDEN]):
        ways = ways * (popcount(clues[FREE]) - i) // (i + 1)
    return ways


@kernel
def sample_hand(v: View, clues: Any, rng: Any) -> int:
    """Draw a possible other hand (mask, known cards included), each as likely as the others; moves `rng`."""
    return v.known | choose(clues[FREE], clues[N_HIDDEN], rng)


@kernel
def first_hand(v: View, clues: Any) -> int:
    """Return the first possible other hand (mask); `next_hand` goes on from it to the last."""
    hidden = 0
    cards = clues[FREE]
    for _ in range(clues[N_HIDDEN]):
        hidden |= cards & -cards
        cards &= cards - 1
    return v.known | hidden


@kernel
def next_hand(v: View, clues: Any, theirs: int) -> int:
    """Return the possible other hand that follows `theirs`, or `NO_MORE`."""
    hidden = following(theirs & ~v.known, clues[FREE])
    return NO_MORE if hidden == 0 else v.known | hidden


@kernel
def following(chosen: int, cards: int) -> int:
    """Return the next larger mask with as many of the `cards` as `chosen`; 0 after the last.

    Gosper's step to the next number with as many bits; with all other bits set the carry runs across them.
    """
    ahead = ((chosen | ~cards) + (chosen & -chosen)) & cards
    if ahead == 0:
        return 0
    rest = cards
    for _ in range(popcount(chosen & ~ahead) - 1):
        ahead |= rest & -rest
        rest &= rest - 1
    return ahead

"""A hand one decision at a time, for agents that are not compiled.

A table is one array of int64 words that holds State, the two Views, the rules, and a copy of them for each agent: a
kernel called with a plain array costs 0.3 microseconds, with records 6.
"""

from typing import Any, Final

import numpy as np
from numba import types

from harness.agent_api.compiled import policy_at
from harness.core.apply import apply
from harness.core.deal import deal_hand, shuffle
from harness.core.kernel import kernel
from harness.core.legal import legal_mask
from harness.core.match import begin_match, is_decided, score_hand
from harness.core.records import OVER, RULES_DTYPE, STATE_DTYPE, VIEW_DTYPE
from harness.core.rng import fold
from harness.core.view import clear_view, fill_view
from harness.play.codes import HAND_DTYPE
from harness.play.digest import hand_key, hash_hand
from harness.play.loop import is_legal, write_hand, write_match

VIEW_WORDS: Final = VIEW_DTYPE.itemsize // 8
VIEWS_AT: Final = STATE_DTYPE.itemsize // 8
RULES_AT: Final = VIEWS_AT + 2 * VIEW_WORDS
TABLE_WORDS: Final = RULES_AT + 3 * RULES_DTYPE.itemsize // 8

HAND_OVER: Final = -1
ILLEGAL: Final = -2
"""What `take_action` returns instead of a seat."""
DECIDED: Final = 2
"""What `score_match_hand` adds to the side that leads when the match has a winner."""

_WORDS = types.int64[::1]


def new_table(rules: Any) -> Any:
    """Make a table (int64, shape (TABLE_WORDS,)) for a rules recarray of shape (1,)."""
    table = np.zeros(TABLE_WORDS, np.int64)
    table[RULES_AT:] = np.repeat(rules, 3).view(np.int64)
    return table


@kernel(signature=types.int64(_WORDS, types.int64, types.int64))
def open_hand(table: Any, seed: int, deal: int) -> int:
    """Deal a hand at the table; returns the seat to move, whose view is filled."""
    s = table[:VIEWS_AT].view(STATE_DTYPE)[0]
    views = table[VIEWS_AT:RULES_AT].view(VIEW_DTYPE)
    r = table[RULES_AT:].view(RULES_DTYPE)[0]
    pack = np.zeros(24, np.int8)
    shuffle(seed, deal, pack)
    deal_hand(s, r, pack)
    clear_view(views[0])
    clear_view(views[1])
    seat: int = s.to_move
    fill_view(s, r, seat, views[seat])
    return seat


@kernel(signature=types.int64(_WORDS, types.int64))
def take_action(table: Any, action: int) -> int:
    """Carry out an action if it is legal; returns the next seat to move (its view filled), HAND_OVER or ILLEGAL."""
    s = table[:VIEWS_AT].view(STATE_DTYPE)[0]
    views = table[VIEWS_AT:RULES_AT].view(VIEW_DTYPE)
    r = table[RULES_AT:].view(RULES_DTYPE)[0]
    if not is_legal(legal_mask(s, r), action):
        return ILLEGAL
    apply(s, r, action)
    if s.phase == OVER:
        return HAND_OVER
    seat: int = s.to_move
    fill_view(s, r, seat, views[seat])
    return seat


@kernel(
    signature=types.int64(
        _WORDS, types.int64, types.int64, types.int64, types.float64[::1], types.uint64[::1], types.uint64[::1]
    )
)
def ask_policy(table: Any, seat: int, side: int, address: Any, params: Any, rng: Any, scratch: Any) -> int:
    """Ask the compiled policy at an address (`policy_address`) for the action of `seat`, where `side` sits."""
    policy = policy_at(address)
    views = table[VIEWS_AT:RULES_AT].view(VIEW_DTYPE)
    rules = table[RULES_AT:].view(RULES_DTYPE)
    return policy(views[seat], rules[1 + side], params, rng, scratch)  # type: ignore[no-any-return]


@kernel(signature=types.void(_WORDS, types.int64, types.int64, types.int64[::1], types.int8[::1]))
def write_finished(table: Any, pairing: int, hand: int, row: Any, history: Any) -> None:
    """Write the finished hand into a HandRow (`row`, its two words) and, if `history` has room, its public history."""
    s = table[:VIEWS_AT].view(STATE_DTYPE)[0]
    deal = hand >> 1
    half = hand & 1
    write_hand(s, half, hand_key(pairing, deal, half), row.view(HAND_DTYPE)[0])
    if history.shape[0]:
        history[:] = s.history


@kernel(signature=types.void(_WORDS))
def open_match(table: Any) -> None:
    """Begin a match at the table; its hands are opened and played like all others."""
    begin_match(table[:VIEWS_AT].view(STATE_DTYPE)[0])


@kernel(signature=types.uint64(_WORDS, types.uint64))
def hash_match_hand(table: Any, told: np.uint64) -> np.uint64:
    """Hash the finished hand on from those before it in its match; the first one starts from 0."""
    return hash_hand(table[:VIEWS_AT].view(STATE_DTYPE)[0], told)


@kernel(signature=types.int64(_WORDS, types.int64))
def score_match_hand(table: Any, leader: int) -> int:
    """Score the finished hand that side `leader` led; returns who leads the next one, plus DECIDED if none does."""
    s = table[:VIEWS_AT].view(STATE_DTYPE)[0]
    r = table[RULES_AT:].view(RULES_DTYPE)[0]
    following = leader ^ score_hand(s, r)
    return following + DECIDED if is_decided(s, r) else following


@kernel(signature=types.void(_WORDS, types.int64, types.int64, types.int64, types.uint64, types.int64[::1]))
def write_finished_match(table: Any, pairing: int, hand: int, leader: int, told: np.uint64, row: Any) -> None:
    """Write the match whose hands hash to `told`, and whose next one `leader` would lead, into a HandRow (`row`)."""
    s = table[:VIEWS_AT].view(STATE_DTYPE)[0]
    r = table[RULES_AT:].view(RULES_DTYPE)[0]
    write_match(s, r, leader, fold(hand_key(pairing, hand >> 1, hand & 1), int(told)), row.view(HAND_DTYPE)[0])

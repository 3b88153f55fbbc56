"""The exact value of a hand with all cards known, the order of the stock included, as long as cards are drawn.

Alpha-beta over a stack of States, which `harness.core` moves on action by action; as soon as play is strict the strict
search takes over. Values are game points, -3 to 3, for the seat to move.
"""

from typing import Any, Final

import numba
import numpy as np
from numba import types

from harness.core.apply import apply
from harness.core.bits import highest, lowest
from harness.core.cards import DECLARE, OUT
from harness.core.kernel import kernel
from harness.core.legal import legal_mask, stock_is_open
from harness.core.records import FRESH, LEAD, OVER, REPLY, RULES_DTYPE, STATE_DTYPE, RulesRecord, State
from harness.core.rng import fold, mix
from harness.core.score import grade, result_for
from harness.search.strict import STRICT_WORDS, search
from harness.search.strict_node import code_of, standing_of

N_ENTRIES: Final = 1 << 14
DEEPEST: Final = 64
"""States on the stack: no hand has as many decisions."""
STATE_WORDS: Final = STATE_DTYPE.itemsize // 8
STACK: Final = STRICT_WORDS
"""Where the stack of States begins in the memory."""
TABLE: Final = STACK + DEEPEST * STATE_WORDS
OPEN_WORDS: Final = TABLE + 2 * N_ENTRIES

_INDEX: Final = np.uint64(N_ENTRIES - 1)
_BOUNDS: Final = np.uint64(0xFFF)
_HANDS: Final = np.uint64(0xA0761D6478BD642F)
_PLACE: Final = np.uint64(0x9E3779B97F4A7C15)

_SEARCH = types.int64(
    numba.from_dtype(STATE_DTYPE)[::1],
    types.int64,
    numba.from_dtype(RULES_DTYPE),
    types.int64,
    types.int64,
    types.uint64,
    types.uint64[::1],
)


@kernel
def strict_bound(s: State, r: RulesRecord, alpha: int, beta: int, work: Any) -> int:
    """Value of a State in strict play for the seat to move, as `harness.search.strict.search` gives it."""
    mine, theirs = s.hand[s.to_move], s.hand[1 - s.to_move]
    if s.phase == REPLY:
        return -search(theirs | 1 << s.led, mine, standing_of(s), code_of(s, r), -beta, -alpha, work)
    return search(mine, theirs, standing_of(s), code_of(s, r), alpha, beta, work)


@kernel
def salt_of(s: State, r: RulesRecord) -> np.uint64:
    """Hash of all that stays the same below a State: the rules and the stock that was left."""
    rules = r.nines | r.exchange_after_trick << 1 | r.exchange_turn << 2 | r.exchange_first_lead << 3
    rules |= r.close_allowed << 4 | r.close_before_draw << 5 | r.close_first_lead << 6 | r.close_graded << 7
    rules |= r.close_failed << 8 | r.close_failed_trickless << 10
    rules |= r.close_overtaken << 12 | r.close_overtaken_trickless << 14
    rules |= r.exchange_min_stock << 16 | r.close_min_stock << 20
    stock = 0
    for i in range(s.n_stock):
        stock = stock << 5 | int(s.stock[s.stock_top + i])
    return fold(fold(mix(np.uint64(code_of(s, r))), rules), stock)


@kernel
def place_of(s: State) -> np.uint64:
    """All of a fresh lead with the stock open, but for the hands, in one word."""
    return np.uint64(standing_of(s) & (1 << 44) - 1 | s.n_stock << 44 | s.turned_up << 48)


@kernel
def next_action(left: int, hint: int, s: State) -> int:
    """The action to try next: the table's, then all that is not a card, then cards; a false DECLARE comes last."""
    if hint and left >> (hint - 1) & 1:
        return hint - 1
    told = left & ~(1 << DECLARE)
    if told >> 32:
        return highest(told)
    if s.phase == REPLY:
        higher = told & 0x3F << (s.led & ~7) & -(2 << s.led)
        return highest(higher) if higher else lowest(told) if told else DECLARE
    return highest(told) if told else DECLARE


@kernel
def probe(hands: np.uint64, key: np.uint64, work: Any) -> int:
    """The 12 bits kept of a lead; 0, which no entry is, if there are none."""
    at = TABLE + (np.int64(key & _INDEX) << 1)
    if work[at] != hands or work[at + 1] | _BOUNDS != key | _BOUNDS:
        return 0
    return np.int64(work[at + 1] & _BOUNDS)  # type: ignore[return-value]


@kernel
def keep(hands: np.uint64, key: np.uint64, least: int, most: int, choice: int, work: Any) -> None:
    """Write what is known of a lead into the table: its limits and the best action, plus 1."""
    at = TABLE + (np.int64(key & _INDEX) << 1)
    work[at] = hands
    work[at + 1] = key & ~_BOUNDS | np.uint64(least + 4 | (most + 4) << 3 | choice << 6)


@kernel(signature=_SEARCH)
def open_search(states: Any, level: int, r: RulesRecord, alpha: int, beta: int, salt: np.uint64, work: Any) -> int:
    """Value of ``states[level]`` for its seat to move, right between `alpha` and `beta`, else a bound on that side.

    Overwrites the states above `level`; the tables in `work` change the time, never the value.
    """
    s = states[level]
    if s.phase == OVER:
        return result_for(s, s.to_move)
    if not stock_is_open(s):
        return strict_bound(s, r, alpha, beta, work)
    me = s.to_move
    least, most = -grade(s.points[me], s.tricks[me]), grade(s.points[1 - me], s.tricks[1 - me])
    left = legal_mask(s, r)
    if left >> DECLARE & 1 and s.points[me] >= OUT:
        return most
    kept, known = s.phase == LEAD and s.lead_stage == FRESH, 0
    hands = np.uint64(s.hand[me] | s.hand[1 - me] << 32)
    key = mix((hands * _HANDS ^ place_of(s) * _PLACE) + salt) if kept else salt
    if kept and least < beta and most > alpha:
        known = probe(hands, key, work)
        if known:
            least, most = max(least, (known & 7) - 4), min(most, (known >> 3 & 7) - 4)
    if least >= beta or most <= alpha or least == most:
        return least if least >= beta else most
    best, choice = least, known >> 6
    while left and best < beta and best < most:
        action = next_action(left, known >> 6, s)
        left ^= 1 << action
        states[level + 1] = s
        apply(states[level + 1], r, action)
        floor = max(alpha, best)
        if states[level + 1].to_move == me:
            value = open_search(states, level + 1, r, floor, beta, salt, work)
        else:
            value = -open_search(states, level + 1, r, -beta, -floor, salt, work)
        if value > best:
            best, choice = value, action + 1
    if kept:
        keep(hands, key, best if best > alpha else least, most if best >= beta else best, choice, work)
    return best

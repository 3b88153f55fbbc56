"""The exact value of strict play with all cards known: alpha-beta over game points with a table of leads.

Values are game points, -3 to 3, for the leader. One function calls itself, a lead at a time, and handles a lead and its
replies in two loops; a root in the middle of a lead is a node whose standing says so.
"""

from typing import Any, Final

import numpy as np
from numba import types

from harness.core.apply import beats
from harness.core.bits import highest, lowest, popcount
from harness.core.kernel import kernel
from harness.core.rng import mix
from harness.search.strict_node import (
    GOES_ON,
    after_trick,
    announce,
    end_of,
    leads,
    limits,
    may_say_so,
    out_at,
    out_is_best,
    replies,
    sure_leads,
    trick_points,
)

N_ENTRIES: Final = 1 << 13
STRICT_WORDS: Final = 2 * N_ENTRIES
"""Words of the table of leads; the search uses the first ones of its memory."""

_FEWEST_CARDS: Final = 3  # in a hand, for a node to be kept
_INDEX: Final = np.uint64(N_ENTRIES - 1)
_STANDING: Final = np.uint64(0x9E3779B97F4A7C15)
_CODE: Final = np.uint64(0xD6E8FEB86659FD93)
_HANDS: Final = np.uint64(0xA0761D6478BD642F)
_BOUNDS: Final = np.uint64(0xFFFF)

NO_VALUE: Final = -9
"""Below every result."""
_MORE: Final = 9

_SEARCH = types.int64(*(types.int64,) * 6, types.uint64[::1])


@kernel
def hash_of(hands: np.uint64, standing: int, code: int) -> np.uint64:
    """Hash of a node."""
    return mix(hands * _HANDS ^ np.uint64(standing) * _STANDING ^ np.uint64(code) * _CODE)


@kernel
def next_lead(left: int, hint: int, sure: int) -> int:
    """The lead to try next: the table's, announced ones, sure tricks from above, the rest from below."""
    if hint and left >> (hint - 1) & 1:
        return hint - 1
    if left >> 32:
        return highest(left)
    return highest(left & sure) if left & sure else lowest(left)


@kernel
def next_reply(left: int, card: int) -> int:
    """The reply to try next: the highest card of the suit if it takes the trick, else the lowest card."""
    higher = left & 0x3F << (card & ~7) & -(2 << card)
    return highest(higher) if higher else lowest(left)


@kernel
def probe(hands: np.uint64, key: np.uint64, work: Any) -> int:
    """The 16 bits kept of a node; 0, which no entry is, if there are none."""
    at = np.int64(key & _INDEX) << 1
    if work[at] != hands or work[at + 1] | _BOUNDS != key | _BOUNDS:
        return 0
    return np.int64(work[at + 1] & _BOUNDS)  # type: ignore[return-value]


@kernel
def keep(hands: np.uint64, key: np.uint64, least: int, most: int, choice: int, work: Any) -> None:
    """Write what is known of a node into the table: its limits and the best lead, plus 1."""
    at = np.int64(key & _INDEX) << 1
    work[at] = hands
    work[at + 1] = key & ~_BOUNDS | np.uint64(least + 4 | (most + 4) << 3 | choice << 6)


@kernel
def lead_out(standing: int, option: int, code: int) -> tuple[int, int, bool]:
    """Announce what a lead announces: the new standing, what going out with it pays or -9, whether that settles it."""
    if option < 32:
        return standing, NO_VALUE, False
    standing = announce(standing, option & 31, code)
    out = out_at(standing, code) if may_say_so(code) else 0
    return standing, (out if out else NO_VALUE), out != 0 and out_is_best(standing, code)


@kernel(signature=_SEARCH)
def search(mine: int, theirs: int, standing: int, code: int, alpha: int, beta: int, work: Any) -> int:
    """Value of a node for its leader, right if it lies between `alpha` and `beta`, else a bound on their other side.

    ``work[:STRICT_WORDS]`` is the table; what it holds changes the time, never the value.
    """
    least, most = limits(mine, theirs, standing, code)
    hands, kept, known = np.uint64(mine | theirs << 32), popcount(mine) >= _FEWEST_CARDS, 0
    key = hash_of(hands, standing, code)
    if kept and least < beta and most > alpha:
        known = probe(hands, key, work)
        if known:
            least, most = max(least, (known & 7) - 4), min(most, (known >> 3 & 7) - 4)
    if least >= beta or most <= alpha or least == most:
        return least if least >= beta else most
    best, choice = least, known >> 6
    left, sure = leads(mine, standing, code), sure_leads(mine, theirs, code)
    while left and best < beta and best < most:
        option = next_lead(left, known >> 6, sure)
        left ^= 1 << option
        card = option & 31
        begun, out, settled = lead_out(standing, option, code)
        answers = 0 if settled else replies(theirs, card, code)
        value, floor = out if settled else _MORE, max(alpha, best)
        while answers and value > floor:
            reply = next_reply(answers, card)
            answers ^= 1 << reply
            won = not beats(reply, card, code & 3)
            mine_left, theirs_left = mine ^ 1 << card, theirs ^ 1 << reply
            after = after_trick(begun, trick_points(card, reply), won)
            end = end_of(mine_left, after, code)
            top = min(beta, value)
            if end != GOES_ON:
                value = min(value, end if won else -end)
            elif won:
                value = min(value, search(mine_left, theirs_left, after, code, floor, top, work))
            else:
                value = min(value, -search(theirs_left, mine_left, after, code, -top, -floor, work))
        value = max(value, out)
        if value > best:
            best, choice = value, option + 1
    if kept:
        keep(hands, key, best if best > alpha else least, most if best >= beta else best, choice, work)
    return best

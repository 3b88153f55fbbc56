"""The door to the exact solver: what a position with all cards known is worth, and each action in it.

A value is in game points without the carry, from -3 to 3, for the seat to move, with best play of both sides, who see
all cards, the order of the stock included. Minimax commutes with any utility that rises with game points: map the value
afterwards. Every call needs working memory, `SOLVER_WORDS` words of uint64 that may hold anything and change no value;
what an earlier call has left there makes the next one quicker.
"""

from typing import Any, Final

import numpy as np

from harness.core.apply import apply
from harness.core.bits import lowest
from harness.core.kernel import kernel
from harness.core.legal import legal_mask
from harness.core.records import STATE_DTYPE, RulesRecord, State
from harness.search.open_stock import OPEN_WORDS, STACK, TABLE, open_search, salt_of

SOLVER_WORDS: Final = OPEN_WORDS
"""Words (uint64) of working memory that the calls below need."""


@kernel
def _stack(work: Any) -> Any:
    return work[STACK:TABLE].view(STATE_DTYPE)


@kernel
def _value_at(states: Any, level: int, r: RulesRecord, salt: np.uint64, work: Any) -> int:
    """Value of ``states[level]`` for its seat to move, by zero windows."""
    least, most = -3, 3
    while least < most:
        bound = max(least + 1, min(most, 0))
        value = open_search(states, level, r, bound - 1, bound, salt, work)
        if value >= bound:
            least = value
        else:
            most = value
    return least


@kernel
def solve(s: State, r: RulesRecord, work: Any) -> int:
    """Game points that the seat to move gets with best play of both; of a finished hand, what it has paid him.

    Reads `s` and `r`; writes into `work` (uint64, shape (SOLVER_WORDS,)). Trusts that the State is possible.
    """
    states = _stack(work)
    states[0] = s
    return _value_at(states, 0, r, salt_of(s, r), work)


@kernel
def at_least(s: State, r: RulesRecord, work: Any, bound: int) -> bool:
    """Say whether `solve` gives at least `bound`: quicker than solving."""
    states = _stack(work)
    states[0] = s
    return bool(open_search(states, 0, r, bound - 1, bound, salt_of(s, r), work) >= bound)


@kernel
def action_values(s: State, r: RulesRecord, work: Any, values: Any) -> None:
    """Write the exact value of each legal action of the seat to move into `values` (int64, shape (40,)), by action.

    Leaves the other entries as they are. Reads `s` and `r`; writes into `work` (uint64, shape (SOLVER_WORDS,)).
    """
    states = _stack(work)
    salt = salt_of(s, r)
    left = legal_mask(s, r)
    while left:
        action = lowest(left)
        left &= left - 1
        states[1] = s
        apply(states[1], r, action)
        value = _value_at(states, 1, r, salt, work)
        values[action] = value if states[1].to_move == s.to_move else -value

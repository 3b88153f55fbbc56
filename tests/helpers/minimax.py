"""What a position is worth when everything is looked at: minimax over the core's actions, without pruning."""

from typing import Any

import numba
from numba import types

from harness.core.apply import apply
from harness.core.bits import lowest, members
from harness.core.kernel import kernel
from harness.core.legal import legal_mask
from harness.core.records import OVER, RULES_DTYPE, STATE_DTYPE, RulesRecord, records

_SIGNATURE = types.int64(numba.from_dtype(STATE_DTYPE)[::1], types.int64, numba.from_dtype(RULES_DTYPE))
_STATES = records(STATE_DTYPE, 64)


@kernel(signature=_SIGNATURE)
def minimax(states: Any, level: int, r: RulesRecord) -> int:
    """Game points without the carry of the best play for the seat to move in ``states[level]``."""
    s = states[level]
    if s.phase == OVER:
        if s.winner < 0:
            return 0
        points = s.game_points - s.carry
        return int(points if s.winner == s.to_move else -points)
    best = -99
    left = legal_mask(s, r)
    while left:
        states[level + 1] = s
        apply(states[level + 1], r, lowest(left))
        left &= left - 1
        value = minimax(states, level + 1, r)
        best = max(best, value if states[level + 1].to_move == s.to_move else -value)
    return best


def values_by_minimax(state: Any, r: Any) -> dict[int, int]:
    """Return the value of each legal action, for the seat to move."""
    values = {}
    for action in members(legal_mask(state, r)):
        _STATES[1] = state
        apply(_STATES[1], r, action)
        value = minimax(_STATES, 1, r)
        values[action] = value if _STATES[1].to_move == state.to_move else -value
    return values

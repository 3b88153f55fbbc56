"""Count the tree of a hand: how many sequences of decisions have a given length (perft in chess programs)."""

from typing import Any

from harness.core.apply import apply
from harness.core.bits import lowest
from harness.core.kernel import kernel
from harness.core.legal import legal_mask
from harness.core.records import RulesRecord


@kernel
def perft(states: Any, r: RulesRecord, depth: int) -> int:
    """Count the decision sequences of exactly `depth` from ``states[0]``.

    `states` is a recarray of State with shape (depth + 1,); all but the first are overwritten. Sequences that end
    earlier, because the hand is over, do not count. Walks with its own stack: no recursion.
    """
    if depth == 0:
        return 1
    count = 0
    level = 0
    left = [0] * (depth + 1)
    left[0] = legal_mask(states[0], r)
    while level >= 0:
        if left[level] == 0:
            level -= 1
            continue
        action = lowest(left[level])
        left[level] &= left[level] - 1
        if level + 1 == depth:
            count += 1
            continue
        states[level + 1] = states[level]
        apply(states[level + 1], r, action)
        level += 1
        left[level] = legal_mask(states[level], r)
    return count

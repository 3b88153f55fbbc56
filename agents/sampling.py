"""What the bots that imagine deals share: which options are worth a thought, and which is the best."""

from typing import Any

from harness.core.bits import lowest
from harness.core.cards import DECLARE, OUT
from harness.core.kernel import kernel
from harness.core.records import View


@kernel
def sound_options(v: View) -> int:
    """Mask of the legal actions that are worth a thought: 66 is declared when it is there, and never without."""
    if (v.legal >> DECLARE) & 1 and v.points[0] >= OUT:
        return 1 << DECLARE
    return v.legal & ~(1 << DECLARE)


@kernel
def best_action(options: int, means: Any) -> int:
    """Action of the mask `options` with the highest mean, the lowest action among equals."""
    best = lowest(options)
    while options:
        action = lowest(options)
        options &= options - 1
        if means[action] > means[best]:
            best = action
    return best

"""What a view tells about the hidden cards: which of them the other hand may hold, and how many such hands there are.

The clues of a decision are one int64 array of `N_CLUES` words, made by `read_clues` and read by
`harness.search.worlds`.
"""

from typing import Any, Final

import numpy as np

from harness.core.bits import popcount
from harness.core.kernel import kernel
from harness.core.records import RulesRecord, View
from harness.search.arrivals import can_have_come, told_cards
from harness.search.past import ABSENT, N_PAST, read_past

FREE: Final = 0
"""Word: mask of the unseen cards that the other hand may hold whatever else it holds."""
LATE: Final = 1
"""Word: mask of the unseen cards that the other hand was shown to lack, so that it must have drawn them since."""
N_HIDDEN: Final = 2
"""Word: how many cards of the other hand cannot be seen."""
TOTAL: Final = 3
"""Word: how many other hands are possible."""
BY_LATE: Final = 4
"""First of 16 words: how many of them hold exactly the late cards of a subset (bit j: the j-th lowest late card)."""
N_CLUES: Final = 20


@kernel
def binomial(n: int, k: int) -> int:
    """Number of ways to choose `k` of `n` things; 0 where there are too few."""
    if k < 0 or k > n:
        return 0
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


@kernel
def read_clues(v: View, r: RulesRecord, clues: Any) -> None:
    """Fill `clues` (int64, shape (N_CLUES,)) from a view: once a decision.

    A view whose history does not lead to it, as in a hand set up in its middle, gives no clues but the cards in sight.
    """
    clues[FREE] = v.unseen
    clues[LATE] = 0
    clues[N_HIDDEN] = popcount(v.unseen) - max(v.n_stock - 1, 0)
    clues[BY_LATE] = clues[TOTAL] = binomial(popcount(v.unseen), clues[N_HIDDEN])
    if v.n_stock > 0 and (v.closer >= 0 or r.marriage_automatic != 0):
        add_past(v, r, clues)


@kernel
def add_past(v: View, r: RulesRecord, clues: Any) -> None:
    """Sharpen `clues` by the history of a view."""
    past = np.empty(N_PAST, np.int64)
    if not read_past(v, r, past):
        return
    unseen = v.unseen & ~past[ABSENT]
    late = unseen & told_cards(v, past)
    n_hidden = clues[N_HIDDEN]
    n_free = popcount(unseen & ~late)
    ways = np.zeros(16, np.int64)
    for held in range(1 << popcount(late)):
        if late == 0 or can_have_come(v, r, past, n_hidden, late, held):
            ways[held] = binomial(n_free, n_hidden - popcount(held))
    if ways.sum() > 0:
        clues[FREE] = unseen & ~late
        clues[LATE] = late
        clues[TOTAL] = ways.sum()
        clues[BY_LATE : BY_LATE + 16] = ways

"""What a view tells about the hidden cards: which of them the other hand may hold, and how many such hands there are.

The clues of a decision are one int64 array of `N_CLUES` words, made by `read_clues` and read by
`harness.search.worlds`.
"""

from typing import Any, Final

from harness.core.bits import popcount
from harness.core.kernel import kernel
from harness.core.records import RulesRecord, View

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
    """Fill `clues` (int64, shape (N_CLUES,)) from a view: once a decision."""
    n_hidden = popcount(v.unseen) - max(v.n_stock - 1, 0)
    clues[FREE] = v.unseen
    clues[LATE] = 0
    clues[N_HIDDEN] = n_hidden
    clues[BY_LATE] = clues[TOTAL] = binomial(popcount(v.unseen), n_hidden)

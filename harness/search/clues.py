"""What a view tells about the hidden cards: which of them the other hand may hold, and how many such hands there are.

The clues of a decision are one int64 array of `N_CLUES` words, made by `read_clues` and read by
`harness.search.worlds`. A hand is possible if some deal and the public history lead to the view, every action legal:
that is, if it has the right number of cards, the known ones among them and none that the history shows to be absent.
"""

from typing import Any, Final

from harness.core.bits import popcount
from harness.core.kernel import kernel
from harness.core.records import RulesRecord, View
from harness.search.past import absent_cards, missing_in_lead

FREE: Final = 0
"""Word: mask of the unseen cards that the other hand may hold."""
N_HIDDEN: Final = 1
"""Word: how many of them it holds."""
N_CLUES: Final = 2


@kernel
def read_clues(v: View, r: RulesRecord, clues: Any) -> None:
    """Fill `clues` (int64, shape (N_CLUES,)) from a view: once a decision.

    A view whose history does not lead to it, as in a hand set up in its middle, gives no clues but the cards in sight.
    """
    clues[FREE] = v.unseen
    clues[N_HIDDEN] = popcount(v.unseen) - max(v.n_stock - 1, 0)
    if v.n_stock > 0 and (v.closer >= 0 or r.marriage_automatic != 0):
        free = v.unseen & ~absent_cards(v, r)
        if v.led >= 0 and v.meld_suit < 0:  # told by the view alone, even where the history is not known
            free &= ~missing_in_lead(v, r, v.led)
        if popcount(free) >= clues[N_HIDDEN]:
            clues[FREE] = free

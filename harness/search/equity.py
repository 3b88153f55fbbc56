"""What winning or losing game points in this hand is worth in the match.

Two equally strong players win a hand alike often, with fixed shares of 1, 2 and 3 game points; who leads and hands that
nobody wins are left out. From that follows the chance to win the match from every score.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from harness.core.kernel import kernel
from harness.core.records import RulesRecord, View

SHARES: Final = np.array([[0.29, 0.43, 0.28], [0.29, 0.55, 0.16]])
"""Shares of 1, 2 and 3 game points among hands won, between strong agents: without nines, with nines."""
MOST_NEEDED: Final = 24
"""Needs above this count as this: so far from its end a match is all but linear in game points."""


def _chances() -> npt.NDArray[np.float64]:
    """Chance to win the match, shape (2, MOST_NEEDED + 1, MOST_NEEDED + 1): by nines, my need and theirs."""
    n = MOST_NEEDED
    chances = np.zeros((2, n + 1, n + 1))
    chances[:, 0, :] = 1.0
    for shares, chance in zip(SHARES, chances, strict=True):
        for mine in range(1, n + 1):
            for theirs in range(1, n + 1):
                for k, share in enumerate(shares, start=1):
                    won, lost = chance[max(mine - k, 0), theirs], chance[mine, max(theirs - k, 0)]
                    chance[mine, theirs] += share * (won + lost) / 2
    return chances


CHANCES: Final = _chances()


@kernel
def chance(nines: int, mine: int, theirs: int) -> float:
    """Chance to win the match when I need `mine` game points and the other side needs `theirs`, one of them > 0."""
    p: float = CHANCES[nines, max(mine, 0), max(theirs, 0)]
    return p


@kernel
def chance_with_carry(nines: int, mine: int, theirs: int, carry: int) -> float:
    """The same before a hand that is worth `carry` game points more."""
    p = 0.0
    for k in range(1, 4):
        gain = k + carry
        share = SHARES[nines, k - 1]
        p += share * (chance(nines, mine - gain, theirs) + chance(nines, mine, theirs - gain)) / 2
    return p


@kernel
def fill_worth(v: View, r: RulesRecord, worth: Any) -> None:
    """Fill `worth` (float64, shape (7,)) with what -3..3 game points in this hand, its carry not counted, are worth.

    Entry g + 3 is the chance to win the match after that result, on the scale of game points: 0 for a hand that nobody
    wins, 6 between the best and the worst. The carry goes to whoever wins the hand.
    """
    mine = min(max(r.match_target - v.score[0], 1), MOST_NEEDED)
    theirs = min(max(r.match_target - v.score[1], 1), MOST_NEEDED)
    for g in range(1, 4):
        worth[3 + g] = chance(r.nines, mine - g - v.carry, theirs)
        worth[3 - g] = chance(r.nines, mine, theirs - g - v.carry)
    nobody = chance_with_carry(r.nines, mine, theirs, v.carry + r.unscored_carry)
    scale = 6 / (worth[6] - worth[0])
    worth[3] = nobody
    for i in range(7):
        worth[i] = (worth[i] - nobody) * scale

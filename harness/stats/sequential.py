"""Sequential test of two hypotheses on one pairing: the generalised SPRT, looked at after whole blocks of deals.

The likelihood ratio is looked at only when a whole block has been played, never between and never late, so that the
verdict is a function of the config and the seed: the number of workers, an interruption or a slow machine cannot
change it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from harness.play.codes import N_CODES
from harness.stats.codes import IntArray
from harness.stats.scales import Scale
from harness.texts import count


class Verdict(StrEnum):
    """What a test has come to."""

    H0 = "H0"
    H1 = "H1"
    NONE = "none"


@dataclass(frozen=True)
class Design:
    """A sequential test as it is fixed before the first deal.

    Bounds log(beta / (1 - alpha)) and log((1 - beta) / alpha) on the log likelihood ratio (Wald 1945), which hold the
    errors for the generalised ratio, too, when the hypotheses are close (van den Bergh, GSPRT_approximation).

    Parameters
    ----------
    scale
        The scale of the hypotheses.
    h0, h1
        Hypotheses in the unit of the scale, the first agent's lead; h0 < h1.
    alpha, beta
        Risk of accepting H1 where H0 holds, and of accepting H0 where H1 holds; alpha + beta < 1.
    block
        Deals between two looks.
    most
        Deals after which the test ends without a verdict; None for no end. The last block may be shorter.

    Raises
    ------
    ValueError
        If one of them cannot be.
    """

    scale: Scale
    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05
    block: int = 500
    most: int | None = None

    def __post_init__(self) -> None:
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError(f"risks are above 0 and together below 1; alpha is {self.alpha:g}, beta {self.beta:g}")
        if not self.h0 < self.h1:
            raise ValueError(f"h0 is below h1; h0 is {self.h0:g}, h1 {self.h1:g}")
        if self.block < 1 or (self.most is not None and self.most < 1):
            raise ValueError(f"a block and a run have at least one deal; they have {self.block} and {self.most}")
        self.scale.to_statistic(self.h0)
        self.scale.to_statistic(self.h1)

    @property
    def bounds(self) -> tuple[float, float]:
        """Log likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def look_after(self, n_deals: int) -> int:
        """Number of deals at the next look, after one at `n_deals`."""
        return n_deals + self.block if self.most is None else min(n_deals + self.block, self.most)


@dataclass(frozen=True)
class Look:
    """What a test says after ``n_deals`` deals: the log likelihood ratio, its bounds, the verdict."""

    n_deals: int
    llr: float
    low: float
    high: float
    verdict: Verdict
    is_over: bool


class Sprt:
    """A sequential test that is going on; after an interruption, the looks are taken again from the first one on.

    Parameters
    ----------
    design
        What is tested.

    Attributes
    ----------
    look
        The last look; before the first one, at no deals.
    counts
        The counts of deal codes at that look, which the estimate after the stop needs; shape (49,).
    """

    def __init__(self, design: Design):
        self.design = design
        self.counts: IntArray = np.zeros(N_CODES, dtype=np.int64)
        self.look = Look(0, 0.0, *design.bounds, Verdict.NONE, is_over=False)

    def update(self, counts: npt.ArrayLike) -> Look:
        """Look at the counts of all deals so far.

        Once the test is over, it keeps its last look whatever is played after: deals that were under way when it ended
        do not count.

        Parameters
        ----------
        counts
            How often each deal code came from the first deal on, shape (49,).

        Raises
        ------
        ValueError
            If these are not the deals of the next look.
        """
        if self.look.is_over:
            return self.look
        tallies = self.design.scale.tallies(counts)
        n, expected = int(tallies.sum()), self.design.look_after(self.look.n_deals)
        if n != expected:
            raise ValueError(f"the next look is after {expected} deals; these are {n}")
        llr = float(self.design.scale.llr(tallies, self.design.h0, self.design.h1))
        low, high = self.design.bounds
        verdict = Verdict.H0 if llr <= low else Verdict.H1 if llr >= high else Verdict.NONE
        is_over = verdict is not Verdict.NONE or n == self.design.most
        self.counts = np.array(counts, dtype=np.int64)
        self.look = Look(n, llr, low, high, verdict, is_over)
        return self.look


def words(design: Design, look: Look, first: str, second: str) -> str:
    """Say what a test came to, and what was tested.

    A lead between the hypotheses may be accepted as either; so the sentence names both, never only the one accepted.

    Parameters
    ----------
    design, look
        The test and its last look.
    first, second
        Names of the agents.
    """
    unit, low, high = design.scale.unit, f"at most {design.h0:g}", f"at least {design.h1:g}"
    tested = (
        f"(risks {100 * design.alpha:g} % and {100 * design.beta:g} %; {count(look.n_deals, 'deal')}; "
        f"log likelihood ratio {look.llr:.2f}, bounds {look.low:.2f} and {look.high:.2f})"
    )
    if look.verdict is Verdict.NONE:
        state = "no verdict" if look.is_over else "not decided yet"
        return f"{first} against {second}: {state} between a lead of {low} and {high} {unit} {tested}"
    if look.verdict is Verdict.H1:
        claim = "is better than {}" if design.h0 >= 0 else "is not worse than {}"
        claim = claim if design.h1 >= 0 else "trails {} by little"
        return f"{first} {claim.format(second)}: {high} {unit} rather than {low} {tested}"
    claim = "is worse than {}" if design.h1 <= 0 else "is not better than {}"
    claim = claim if design.h0 <= 0 else "leads {} by little"
    return f"{first} {claim.format(second)}: {low} {unit} rather than {high} {tested}"

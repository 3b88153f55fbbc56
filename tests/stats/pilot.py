"""Deals of a small real run, moved to any strength, and whole sequential tests played with them."""

from typing import Final, NamedTuple

import numpy as np
from scipy.optimize import brentq

from harness.stats.codes import GAME_POINTS, BoolArray, FloatArray, IntArray
from harness.stats.scales import NORMALISED, POINTS, WINS, Scale, by_code
from harness.stats.sequential import Design

# fmt: off
NORMAL_EASY: Final[IntArray] = np.array([
    0, 1, 4, 0, 12, 20, 26, 3, 15, 71, 0, 135, 338, 69, 1, 48, 241, 5, 424, 466, 57, 0, 1, 6, 0,
    3, 9, 0, 7, 92, 472, 5, 548, 393, 31, 9, 261, 465, 2, 389, 193, 13, 20, 53, 64, 0, 21, 5, 2,
])
# fmt: on
"""Counts of the deal codes of 5,000 deals of normal against easy, rules sixtysix, seed 20."""

EQUITY: Final = by_code(
    "match equity",
    "of a match a hand",
    np.array([0.0, 0.21, 0.36, 0.5, 0.62, 0.8, 1.0])[GAME_POINTS + 3].mean(axis=0),
    even=0.5,
)
"""What the points are worth at some score of a match; other than 2 and 3 points, 1 point is not worth its share."""
SCALES: Final = [POINTS, WINS, NORMALISED, EQUITY]


def moved_to(scale: Scale, lead: float) -> FloatArray:
    """Probabilities of the codes, the pilot's tilted by exp(theta value) so that the lead is exactly the one given."""
    seen = NORMAL_EASY / NORMAL_EASY.sum()
    target = scale.to_statistic(lead)

    def tilted(theta: float) -> FloatArray:
        p = seen * np.exp(theta * (scale.values - scale.values.mean()))
        probabilities: FloatArray = p / p.sum()
        return probabilities

    return tilted(float(brentq(lambda theta: statistic(scale, tilted(theta)) - target, -20, 20, xtol=1e-14)))


def statistic(scale: Scale, p: FloatArray) -> float:
    """Mean or t-value of probabilities by code, written as the text has it."""
    mean = float(p @ scale.values)
    return (mean - 0.5) / float(p @ (scale.values - mean) ** 2) ** 0.5 if scale.statistic == "t" else mean


class Ended(NamedTuple):
    """Tests that have ended: verdicts for H1, deals played, counts of the codes (n_tests, 49)."""

    accepted_h1: BoolArray
    n_deals: IntArray
    counts: IntArray


def play_tests(design: Design, p: FloatArray, n_tests: int, seed: int) -> Ended:
    """Play tests to their verdicts, all side by side."""
    rng = np.random.default_rng(seed)
    low, high = design.bounds
    counts = np.zeros((n_tests, 49), dtype=np.int64)
    n_deals, accepted = np.zeros(n_tests, dtype=np.int64), np.zeros(n_tests, dtype=np.bool_)
    going = np.arange(n_tests)
    while len(going):
        counts[going] += rng.multinomial(design.block, p, size=len(going))
        n_deals[going] += design.block
        llr = design.scale.llr(design.scale.tallies(counts[going]), design.h0, design.h1)
        accepted[going] = llr >= high
        going = going[(llr > low) & (llr < high)]
    return Ended(accepted, n_deals, counts)

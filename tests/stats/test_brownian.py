import math

import numpy as np
import pytest
from scipy import integrate

from harness.stats.brownian import OVERSHOOT, Motion

MOTIONS = [Motion(-2.94, 2.94, 0.001, 0.002), Motion(-2.0, 3.0, -0.01, 0.02), Motion(-1.5, 4.0, 0.0, 0.05)]


@pytest.mark.parametrize(
    ("drift", "time", "expected"),
    [
        # fishtest's formula, which sums sines where this one sums images.
        (0.001, 2000, [0.07068352693064306, 0.15926915196046557, 0.5528548984280062]),
        (-0.002, 1500, [0.8768203506991359, 0.9582857956646508, 0.9982605692913272]),
    ],
)
def test_the_distribution_between_the_bounds_is_that_of_fishtest(
    drift: float, time: float, expected: list[float]
) -> None:
    motion = Motion(-2.94, 2.94, drift, 0.002)
    assert motion.below(time, np.array([-1.0, 0.0, 2.9])) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("motion", MOTIONS)
def test_the_means_and_chances_are_the_integrals_of_the_distribution(motion: Motion) -> None:
    ever = 1 - float(motion.below(1e6, np.array(motion.high)))
    assert motion.leaves_high == pytest.approx(ever, abs=1e-10)
    mean, _ = integrate.quad(lambda t: motion.still_inside(t) if t else 1.0, 0, 60_000, limit=1000)
    by_end = motion.leaves_high * motion.mean_time(high=True) + (1 - motion.leaves_high) * motion.mean_time(high=False)
    assert by_end == pytest.approx(mean, rel=1e-6)

    def still_to_leave_high(time: float) -> float:
        return float(motion.below(time, np.array(motion.high))) - 1 + ever

    left_high, _ = integrate.quad(still_to_leave_high, 1e-9, 60_000, limit=1000)
    assert motion.leaves_high * motion.mean_time(high=True) == pytest.approx(left_high, rel=1e-5)


@pytest.mark.parametrize("drift", [-5.0, -0.3, -1e-14, 0.0, 1e-14, 1e-8, 0.3, 5.0])
def test_extreme_drifts_neither_overflow_nor_leave_the_range_of_a_probability(drift: float) -> None:
    motion = Motion(-3.0, 3.0, drift, 1e-4)
    assert 0 <= motion.leaves_high <= 1
    assert motion.leaves_high + Motion(-3.0, 3.0, -drift, 1e-4).leaves_high == pytest.approx(1)
    for time in (1e-3, 1.0, 1e3, 1e9):
        below = motion.below(time, np.linspace(-3, 3, 61))
        assert (np.diff(below) >= -1e-12).all()
        assert below[0] >= -1e-12
        assert below[-1] <= 1 + 1e-12
    assert motion.mean_time(high=True) == pytest.approx(motion.mean_time(high=False))
    if abs(drift) > 0.1:
        assert motion.mean_time(high=True) == pytest.approx(3 / abs(drift), rel=1e-3)


def test_the_overshoot_is_that_of_a_normal_walk() -> None:
    # -zeta(1/2) / sqrt(2 pi), Siegmund 1985; zeta(1/2) = -1.4603545088095868.
    assert pytest.approx(1.4603545088095868 / math.sqrt(2 * math.pi), abs=1e-12) == OVERSHOOT


def test_a_walk_seen_every_few_steps_leaves_as_the_motion_with_wider_bounds() -> None:
    motion, step, n_walks = Motion(-3.0, 3.0, 0.0006, 0.0012), 300, 20_000
    rng = np.random.default_rng(6)
    place, left, times = np.zeros(n_walks), np.zeros(n_walks, dtype=np.int8), np.zeros(n_walks)
    while (left == 0).any():
        going = left == 0
        place[going] += rng.normal(motion.drift * step, math.sqrt(motion.variance * step), going.sum())
        times[going] += step
        left = np.where(going, np.where(place >= motion.high, 1, np.where(place <= motion.low, -1, 0)), left)
    seen = motion.seen_every(step)
    expected, high = seen.leaves_high, float((left == 1).mean())
    assert abs(high - expected) < 5 * math.sqrt(expected * (1 - expected) / n_walks)
    assert times.mean() == pytest.approx(
        expected * seen.mean_time(high=True) + (1 - expected) * seen.mean_time(high=False),
        abs=5 * times.std() / math.sqrt(n_walks),
    )

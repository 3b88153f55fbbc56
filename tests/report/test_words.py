"""Estimates in words: how many digits they have, and that a half-width is never less than what was measured."""

from decimal import ROUND_CEILING, Decimal

import pytest

from harness.report.words import ELO, POINTS, SHARE, Scale, at_most, rounded_up, write_share
from harness.stats.estimate import Estimate


def around(value: float, half_width: float) -> Estimate:
    return Estimate(value, value - half_width, value + half_width, 100)


@pytest.mark.parametrize(("scale", "value", "half_width", "written"), [
    (POINTS, 0.4204, 0.0201, "+0.420 ± 0.021"), (POINTS, 0.4204, 0.25, "+0.42 ± 0.25"),
    (POINTS, 0.4204, 0.0042, "+0.420 ± 0.005"), (POINTS, 0.4204, 0.000042, "+0.420 ± 0.001"),
    (SHARE, 0.0011, 0.000031, "0.11 ± 0.01 %"), (SHARE, 0.5, 0.0123, "50.0 ± 1.3 %"),
    (SHARE, 0.5, 0.0041, "50.00 ± 0.41 %"), (ELO, 1213.62, 8.63, "+1,213.6 ± 8.7"),
    (ELO, -70.2, 12.3, "-70 ± 13"), (ELO, 0.0, 0.01, "+0.0 ± 0.1"),
])  # fmt: skip
def test_a_half_width_has_two_digits_where_there_is_room_and_is_rounded_up(
    scale: Scale, value: float, half_width: float, written: str
) -> None:
    assert scale.write(around(value, half_width)) == written


def test_no_half_width_is_written_as_none_or_as_less_than_it_is() -> None:
    for scale in (POINTS, ELO, SHARE):
        for k in range(1, 400):
            width = 0.7 * 1.03**-k
            for n_decimals in (None, scale.least, scale.most):
                written = Decimal(scale.spread(around(0.3, width), n_decimals).removeprefix("± "))
                assert written > 0
                assert float(written) >= scale.factor * width * (1 - 1e-6)


@pytest.mark.parametrize("size", [0.29, 0.07, 0.58, 1.1, 4.35, 0.1 + 0.2])
def test_what_has_the_decimals_already_is_not_rounded_up_further(size: float) -> None:
    exact = Decimal(repr(round(size, 12)))
    assert rounded_up(size, 2) == str(exact.quantize(Decimal("0.01"), ROUND_CEILING))
    assert rounded_up(size, 1) == str(exact.quantize(Decimal("0.1"), ROUND_CEILING))


@pytest.mark.parametrize(("half_widths", "n_decimals"), [
    ([0.0123], 3), ([0.123], 2), ([0.0123, 0.123], 2), ([0.0042, 0.3], 3), ([0.00001], 3), ([], 2),
])  # fmt: skip
def test_a_column_shows_two_digits_of_its_largest_half_width_and_one_of_its_smallest(
    half_widths: list[float], n_decimals: int
) -> None:
    assert POINTS.decimals([around(0.1, width) for width in half_widths]) == n_decimals


def test_bounds_are_rounded_away_from_what_they_bound() -> None:
    assert write_share(Estimate(0.0, 0.0, 0.00041, 100), 1) == "< 0.1 %"
    assert write_share(Estimate(0.0, 0.0, 0.00141, 100), 1) == "< 0.2 %"
    assert write_share(Estimate(0.9999, 0.99859, 1.0, 100), 1) == "> 99.8 %"
    assert at_most([around(0.5, 0.0201), around(0.5, 0.01)], SHARE) == "± 2.1 %"
    assert at_most([around(0.5, 0.000201)], POINTS) == "± 0.00021"

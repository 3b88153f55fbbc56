import math

import pytest

from harness.report.advice import deals_to_tell
from harness.stats.estimate import Estimate


def test_deals_to_tell_is_where_the_half_width_has_shrunk_to_the_difference() -> None:
    # Four times the deals halve the half-width: 0.10 becomes 0.02 with 25 times the deals.
    assert deals_to_tell(Estimate(0.02, -0.08, 0.12, 200)) == 5000
    needed = deals_to_tell(Estimate(-0.033, -0.133, 0.067, 777))
    assert needed == math.ceil(777 * (0.1 / 0.033) ** 2 / 100) * 100


@pytest.mark.parametrize(
    "estimate", [Estimate(0.0, -0.1, 0.1, 5), Estimate(0.1, None, None, 1), Estimate(None, None, None, 0)]
)
def test_nothing_is_promised_where_nothing_is_known(estimate: Estimate) -> None:
    assert deals_to_tell(estimate) is None

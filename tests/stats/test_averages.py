import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from harness.play.codes import NOT_PLAYED
from harness.stats.averages import average_a_hand, share_of_hands_won
from harness.stats.codes import GAME_POINTS, RESULTS
from harness.stats.estimate import NO_DEALS, NO_SPREAD
from tests.helpers.deals import code, hands_of, moments_of, random_block, round_robin

PAIRINGS = round_robin(4)


@pytest.mark.parametrize("equal", [True, False])
def test_an_average_has_the_error_of_a_regression_on_a_constant_clustered_by_deal(equal: bool) -> None:
    block = random_block(np.random.default_rng(14), [0.4, 0.1, 0.0, -0.3], PAIRINGS, 80)
    if not equal:
        block[0, 50:] = NOT_PLAYED
        block[3, 20:] = NOT_PLAYED
        block[4, ::3] = NOT_PLAYED
    rows, points, deals = hands_of(block, 4, PAIRINGS)
    for agent in range(4):
        mine = rows[:, agent] != 0
        y = points[mine] * rows[mine, agent]
        for values, estimate in (
            (y, average_a_hand(moments_of(block, 4, PAIRINGS, [True] * 6, GAME_POINTS), agent)),
            (
                (np.sign(y) + 1) / 2,
                share_of_hands_won(moments_of(block, 4, PAIRINGS, [True] * 6, RESULTS), agent),
            ),
        ):
            # With one constant, (N-1)/(N-k) is 1.
            fit = sm.OLS(values, np.ones(len(y))).fit(cov_type="cluster", cov_kwds={"groups": deals[mine]})
            reach = fit.bse[0] * stats.t.ppf(0.975, len(set(deals[mine])) - 1)
            assert estimate.value == pytest.approx(values.mean())
            assert estimate.half_width == pytest.approx(reach)
            assert estimate.n == len(set(deals[mine]))


def test_an_agent_without_hands_has_no_average() -> None:
    block = np.full((6, 5), NOT_PLAYED, dtype=np.uint8)
    block[0] = code(1, 1)
    moments = moments_of(block, 4, PAIRINGS, [True] * 6, RESULTS)
    assert share_of_hands_won(moments, 3).note == NO_DEALS
    assert share_of_hands_won(moments, 0).value == 1.0
    assert share_of_hands_won(moments, 1).value == 0.0
    assert share_of_hands_won(moments, 0).note == NO_SPREAD


def test_shares_refuse_moments_of_game_points() -> None:
    moments = moments_of(np.zeros((6, 1), np.uint8), 4, PAIRINGS, [True] * 6, GAME_POINTS)
    with pytest.raises(ValueError, match="moments of results"):
        share_of_hands_won(moments, 0)

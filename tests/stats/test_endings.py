import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from harness.core.records import CLOSE_FAILED, DECLARED, DRAWN, ENDINGS
from harness.stats.endings import TALLY_SHAPE, ending_shares, pooled_endings, share_of_hands


def test_the_shape_follows_the_list_of_endings() -> None:
    assert TALLY_SHAPE == (2, 2, 7, 4)
    assert len(ENDINGS) == 7


def test_shares_by_ending_side_and_game_points() -> None:
    tally = np.zeros(TALLY_SHAPE, dtype=np.int64)
    tally[0, 0, DECLARED, 1] = 30
    tally[1, 0, DECLARED, 3] = 10
    tally[1, 1, CLOSE_FAILED, 2] = 50
    tally[0, 0, DRAWN, 0] = 10
    shares = ending_shares(tally)
    assert shares.n_hands == 100
    assert shares.by_ending[0][DECLARED].value == 0.4
    assert shares.by_ending[1][CLOSE_FAILED].value == 0.5
    assert shares.by_ending[0][DRAWN].value == 0.0
    assert shares.drawn.value == 0.1
    assert [e.value for e in shares.by_points[0]] == [0.3, 0.0, 0.1]
    assert [e.value for e in shares.by_points[1]] == [0.0, 0.5, 0.0]


def test_the_tally_itself_is_left_alone() -> None:
    tally = np.ones(TALLY_SHAPE, dtype=np.int64)
    ending_shares(tally)
    assert (tally == 1).all()


def test_the_interval_is_wilsons_on_the_number_of_deals() -> None:
    estimate = share_of_hands(60, 200)
    assert (estimate.low, estimate.high) == pytest.approx(proportion_confint(30, 100, method="wilson"))
    assert estimate.n == 100


def test_no_hands_give_no_share() -> None:
    shares = ending_shares(np.zeros(TALLY_SHAPE, dtype=np.int64))
    assert shares.drawn.value is None
    assert shares.n_hands == 0


def test_a_tally_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match=r"shape \(2, 7, 4\)"):
        ending_shares(np.zeros((2, 7, 4), dtype=np.int64))


@given(st.integers(1, 10**6), st.floats(0, 1))
def test_a_share_lies_in_its_interval_and_the_interval_in_0_to_1(n_hands: int, part: float) -> None:
    estimate = share_of_hands(round(part * n_hands), n_hands)
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.value is not None
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


def test_pooled_shares_count_a_deal_once_however_many_pairings_played_it() -> None:
    tallies = np.zeros((3, *TALLY_SHAPE), dtype=np.int64)
    tallies[0, 0, 0, DECLARED, 1] = 100
    tallies[1, 1, 1, DECLARED, 2] = 60
    tallies[1, 0, 0, DRAWN, 0] = 40
    pooled = pooled_endings(tallies)
    assert pooled.n_hands == 200
    assert pooled.by_ending[DECLARED].value == 0.8
    assert pooled.by_ending[DRAWN].value == 0.2
    assert [e.value for e in pooled.by_points[DECLARED]] == [0.5, 0.3, 0.0]
    # Two of the three pairings have played: four hands a deal, 50 deals.
    ends = (pooled.by_ending[DRAWN].low, pooled.by_ending[DRAWN].high)
    assert ends == pytest.approx(proportion_confint(10, 50, method="wilson"))

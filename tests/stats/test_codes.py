import numpy as np
import pytest

from harness.stats.codes import GAME_POINTS, RESULTS, PairingTable, half_totals
from tests.helpers.deals import code


def test_every_pair_of_results_has_its_code() -> None:
    for first in range(-3, 4):
        for second in range(-3, 4):
            assert tuple(GAME_POINTS[:, code(first, second)]) == (first, second)


def test_results_are_won_drawn_lost() -> None:
    assert tuple(RESULTS[:, code(3, -2)]) == (1, -1)
    assert tuple(RESULTS[:, code(0, 1)]) == (0, 1)


def test_half_totals_add_each_half_over_the_deals() -> None:
    counts = np.zeros((1, 49), dtype=np.int64)
    counts[0, code(3, -1)], counts[0, code(-2, 0)] = 4, 5
    assert half_totals(counts, GAME_POINTS).tolist() == [[3 * 4 - 2 * 5, -1 * 4]]
    assert half_totals(counts, RESULTS).tolist() == [[4 - 5, -4]]


@pytest.mark.parametrize(
    ("pairings", "counts", "says"),
    [
        ([(0, 1)], np.zeros((2, 49), dtype=np.int64), r"shape \(2, 49\); expected \(1, 49\)"),
        ([(0, 1)], np.zeros((1, 48), dtype=np.int64), r"shape \(1, 48\)"),
        ([(0, 1)], np.full((1, 49), -1), "cannot be negative"),
        ([(0, 2)], np.zeros((1, 49), dtype=np.int64), r"pairing \(0, 2\)"),
        ([(1, 1)], np.zeros((1, 49), dtype=np.int64), r"pairing \(1, 1\)"),
    ],
)
def test_a_table_that_cannot_be_is_refused(
    pairings: list[tuple[int, int]], counts: np.ndarray[tuple[int, int], np.dtype[np.int64]], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        PairingTable(2, pairings, counts)

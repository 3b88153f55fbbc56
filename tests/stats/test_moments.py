from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.play.codes import NOT_PLAYED
from harness.stats.codes import GAME_POINTS, RESULTS, CodeArray, IntArray
from harness.stats.moments import STRIP, DealMoments
from tests.helpers.deals import code, moments_of, random_block, round_robin

PAIRINGS = round_robin(4)


def incomplete_block(seed: int, n_deals: int) -> CodeArray:
    rng = np.random.default_rng(seed)
    block = random_block(rng, [0.5, 0.2, 0.0, -0.4], PAIRINGS, n_deals)
    for row, stop in enumerate(rng.integers(0, n_deals + 1, len(PAIRINGS))):
        block[row, stop:] = NOT_PLAYED
    return block


def contents(moments: DealMoments) -> list[tuple[bytes, int, list[int], list[list[int]]]]:
    return [
        (played.tobytes(), sums.n_deals, sums.totals.tolist(), sums.products.tolist())
        for played, sums in moments.patterns()
    ]


@given(st.integers(0, 10**6), st.integers(1, 60), st.lists(st.integers(0, 60), max_size=6))
def test_blocks_of_any_size_give_identical_moments(seed: int, n_deals: int, cuts: list[int]) -> None:
    block = incomplete_block(seed, n_deals)
    whole = moments_of(block, 4, PAIRINGS, [True] * 6, GAME_POINTS)
    pieces = DealMoments(4, PAIRINGS, np.ones(6, dtype=np.bool_), GAME_POINTS)
    edges = [0, *sorted(min(cut, n_deals) for cut in cuts), n_deals]
    for start, stop in pairwise(edges):
        pieces.add(block[:, start:stop])
    assert contents(pieces) == contents(whole)


def test_blocks_in_any_order_are_exact_also_past_a_strip() -> None:
    block = incomplete_block(3, 2 * STRIP + 100)
    whole = moments_of(block, 4, PAIRINGS, [True] * 6, RESULTS)
    turned = moments_of(block[:, 5000:], 4, PAIRINGS, [True] * 6, RESULTS)
    assert contents(turned) != contents(whole)
    turned.add(block[:, :5000])
    assert contents(turned) == contents(whole)


def naive(block: CodeArray, used: list[bool], scale: IntArray) -> dict[bytes, tuple[int, IntArray, IntArray]]:
    """Sum deal by deal, as the text says it."""
    result: dict[bytes, tuple[int, IntArray, IntArray]] = {}
    for deal in block.T:
        totals = np.zeros(5, dtype=np.int64)
        played = np.array([c != NOT_PLAYED and u for c, u in zip(deal, used, strict=True)])
        for c, (i, j), p in zip(deal, PAIRINGS, played, strict=True):
            if p:
                first, second = int(scale[0, c]), int(scale[1, c])
                totals[i] += first + second
                totals[j] -= first + second
                totals[4] += first - second
        if played.any():
            n, t, tt = result.get(played.tobytes(), (0, np.zeros(5, np.int64), np.zeros((5, 5), np.int64)))
            result[played.tobytes()] = (n + 1, t + totals, tt + np.outer(totals, totals))
    return result


@pytest.mark.parametrize("scale", [GAME_POINTS, RESULTS])
@pytest.mark.parametrize("used", [[True] * 6, [True, False, True, True, False, True]])
def test_moments_are_the_plain_sums(used: list[bool], scale: IntArray) -> None:
    block = incomplete_block(8, 200)
    expected = naive(block, used, scale)
    moments = moments_of(block, 4, PAIRINGS, used, scale)
    assert {p.tobytes() for p, _ in moments.patterns()} == set(expected)
    for played, sums in moments.patterns():
        n_deals, totals, products = expected[played.tobytes()]
        assert sums.n_deals == n_deals
        assert (sums.totals == totals).all()
        assert (sums.products == products).all()


def test_a_byte_that_is_no_code_is_refused() -> None:
    block = np.full((6, 3), code(0, 0), dtype=np.uint8)
    block[2, 1] = 49
    with pytest.raises(ValueError, match="holds 49, which is no deal code"):
        moments_of(block, 4, PAIRINGS, [True] * 6, RESULTS)


def test_a_block_of_other_pairings_is_refused() -> None:
    with pytest.raises(ValueError, match=r"shape \(5, 3\); expected \(6"):
        moments_of(np.zeros((5, 3), np.uint8), 4, PAIRINGS, [True] * 6, RESULTS)

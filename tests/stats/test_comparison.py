import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from harness.core.records import ENDINGS
from harness.play.codes import FORFEIT, NOT_PLAYED
from harness.stats.codes import CodeArray, FloatArray
from harness.stats.comparison import (
    DEAL_MEASURES,
    ENDING_MEASURES,
    N_ENDING_CODES,
    JointCounts,
    RuleComparison,
    compare_rules,
    ending_codes,
    holm,
)
from harness.stats.estimate import NO_DEALS, NO_SPREAD, ONE_DEAL
from tests.helpers.deals import code, random_block, round_robin

PAIRINGS = round_robin(3)


def rule_sets(n_deals: int = 300) -> list[CodeArray]:
    """Three rule sets: the second changes some deals of the first a little, the third all of them."""
    rng = np.random.default_rng(31)
    first = random_block(rng, [0.4, 0.1, 0.0], PAIRINGS, n_deals)
    third = random_block(np.random.default_rng(32), [0.8, 0.1, -0.3], PAIRINGS, n_deals)
    changed = rng.random(first.shape) < 0.1
    return [first, np.where(changed, third, first), third]


def joint_of(blocks: list[CodeArray]) -> JointCounts:
    joint = JointCounts(len(blocks), len(blocks[0]))
    joint.add(blocks)
    return joint


def hands(codes: CodeArray) -> tuple[FloatArray, FloatArray]:
    points = codes.astype(np.float64)
    return points // 7 - 3, points % 7 - 3


def plain_measures(codes: CodeArray) -> dict[str, FloatArray]:
    """Every measure of every deal, written down once more."""
    x, y = hands(codes)
    return {
        "game points": (x + y) / 2,
        "hands won": ((x > 0) + 0.5 * (x == 0) + (y > 0) + 0.5 * (y == 0)) / 2,
        "seat game points": (x - y) / 2,
        "seat hands won": ((x > 0) + 0.5 * (x == 0) + (y < 0) + 0.5 * (y == 0)) / 2,
        "hands nobody won": ((x == 0).astype(float) + (y == 0)) / 2,
        **{f"hands worth {k}": ((abs(x) == k).astype(float) + (abs(y) == k)) / 2 for k in (1, 2, 3)},
    }


def test_differences_are_those_of_the_deals_one_by_one() -> None:
    blocks = rule_sets()
    comparisons = compare_rules(joint_of(blocks))
    assert [(c.first, c.second, c.pairing) for c in comparisons] == [
        (a, b, k) for a, b in combinations(range(3), 2) for k in range(3)
    ]
    for c in comparisons:
        one, other = plain_measures(blocks[c.first][c.pairing]), plain_measures(blocks[c.second][c.pairing])
        assert [d.measure for d in c.differences] == list(one)
        for name in one:
            found, d = c.difference(name), other[name] - one[name]
            theirs = stats.ttest_rel(other[name], one[name])
            ends = theirs.confidence_interval(0.95)
            assert found.first.value == pytest.approx(one[name].mean())
            assert found.second.value == pytest.approx(other[name].mean())
            assert found.difference.value == pytest.approx(d.mean(), abs=1e-12)
            assert found.difference.error == pytest.approx(d.std(ddof=1) / math.sqrt(300))
            assert (found.difference.low, found.difference.high) == pytest.approx((ends.low, ends.high))
            assert found.p == pytest.approx(theirs.pvalue, rel=1e-9)
        changed = (blocks[c.first][c.pairing] != blocks[c.second][c.pairing]).mean()
        assert c.changed.value == pytest.approx(changed)
        assert (c.changed.low, c.changed.high) == pytest.approx(
            tuple(stats.binomtest(round(300 * changed), 300).proportion_ci(method="wilson"))
        )
        assert c.n_deals == 300


def test_each_measure_is_a_family_of_its_own_for_holm() -> None:
    comparisons = compare_rules(joint_of(rule_sets()))
    for k in range(len(DEAL_MEASURES)):
        p = [c.differences[k].p for c in comparisons]
        expected = multipletests(p, method="holm")[1]
        assert [c.differences[k].adjusted_p for c in comparisons] == pytest.approx(list(expected))


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_holm_is_that_of_statsmodels(n: int) -> None:
    rng = np.random.default_rng(n)
    p = np.append(rng.random(n) ** 4, [0.0, 0.03, 0.03, 1.0])
    assert holm(p.tolist()) == pytest.approx(list(multipletests(p, method="holm")[1]))


def test_what_has_no_p_value_is_not_counted() -> None:
    assert holm([None, 0.01, None, 0.04]) == [None, 0.02, None, 0.04]
    assert holm([]) == []


def test_common_deals_make_the_difference_exact_to_see() -> None:
    one, other, _ = rule_sets(4000)
    found = compare_rules(joint_of([one, other]))[0].difference("game points")
    assert found.first.error is None
    assert found.first.half_width is not None
    assert found.difference.half_width is not None
    assert found.difference.half_width < 0.6 * found.first.half_width


def counts_by_block(blocks: list[CodeArray], size: int) -> JointCounts:
    joint = JointCounts(len(blocks), len(blocks[0]))
    for start in range(0, blocks[0].shape[1], size):
        joint.add([block[:, start : start + size] for block in blocks])
    return joint


@pytest.mark.parametrize("size", [1, 7, 300])
def test_blocks_of_any_size_give_the_same_counts(size: int) -> None:
    blocks = rule_sets()
    assert (counts_by_block(blocks, size).counts == joint_of(blocks).counts).all()


def test_a_deal_counts_for_two_rule_sets_if_both_have_played_it() -> None:
    blocks = rule_sets(20)
    blocks[0][0, 15:] = NOT_PLAYED
    blocks[1][0, :4] = NOT_PLAYED
    by_place = {(c.first, c.second, c.pairing): c.n_deals for c in compare_rules(joint_of(blocks))}
    assert [by_place[pair] for pair in ((0, 1, 0), (0, 2, 0), (1, 2, 0), (0, 1, 1))] == [11, 15, 16, 20]


def compared(one: list[int], other: list[int]) -> RuleComparison:
    return compare_rules(joint_of([np.array([one], np.uint8), np.array([other], np.uint8)]))[0]


def test_rule_sets_that_change_nothing_have_no_p_value() -> None:
    same = compared([code(1, -1), code(2, 1), code(0, 0)], [code(1, -1), code(2, 1), code(0, 0)])
    assert same.changed.value == 0
    for difference in same.differences:
        assert (difference.difference.value, difference.difference.low) == (0, None)
        assert difference.difference.note == NO_SPREAD
        assert (difference.p, difference.adjusted_p) == (None, None)


def test_few_deals_are_named() -> None:
    assert compared([], []).difference("game points").difference.note == NO_DEALS
    one = compared([code(1, -1)], [code(2, -1)]).difference("game points")
    assert (one.difference.value, one.difference.note, one.p) == (0.5, ONE_DEAL, None)


def test_how_hands_end_is_compared_from_codes_of_endings() -> None:
    rng = np.random.default_rng(6)
    how = rng.integers(0, FORFEIT + 1, (2, 400)).astype(np.uint8)
    how[1, :300] = how[0, :300]
    joint = JointCounts(2, 1, N_ENDING_CODES)
    joint.add([ending_codes(row)[np.newaxis] for row in how])
    (found,) = compare_rules(joint, ENDING_MEASURES)
    assert [d.measure for d in found.differences] == [*ENDINGS, "forfeit"]
    for k, difference in enumerate(found.differences):
        is_so = (how == k).reshape(2, 200, 2).mean(axis=2)
        d = is_so[1] - is_so[0]
        assert difference.first.value == pytest.approx(is_so[0].mean())
        assert difference.difference.value == pytest.approx(d.mean())
        assert difference.difference.error == pytest.approx(d.std(ddof=1) / math.sqrt(200))


def test_blocks_that_do_not_fit_are_refused() -> None:
    joint, block = JointCounts(2, 3), np.zeros((3, 4), np.uint8)
    with pytest.raises(ValueError, match="1 blocks of deals for 2 rule sets"):
        joint.add([block])
    with pytest.raises(ValueError, match=r"expected all \(3, number of deals\)"):
        joint.add([block, block[:, :2]])
    with pytest.raises(ValueError, match=r"holds 60, which is no code \(0..48\)"):
        joint.add([block, block + np.uint8(60)])

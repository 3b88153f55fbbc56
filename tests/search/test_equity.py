"""What game points are worth in the match, against a slow recursion in fractions and the solved match of two equals."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from harness.core.records import VIEW_DTYPE, records
from harness.game.rules import Rules
from harness.search.equity import chance, fill_worth
from harness.stats.equity import match_table
from tests.helpers.engine import rules_record
from tests.helpers.reference_presets import PRESETS

SHARES = {
    0: (Fraction(29, 100), Fraction(43, 100), Fraction(28, 100)),
    1: (Fraction(29, 100), Fraction(55, 100), Fraction(16, 100)),
}
"""Measured shares of 1, 2 and 3 game points among hands won, by nines."""


@cache
def slow_chance(nines: int, mine: int, theirs: int, carry: int = 0) -> Fraction:
    """Chance to win the match from these needs, before a hand worth `carry` game points more."""
    if mine <= 0:
        return Fraction(1)
    if theirs <= 0:
        return Fraction(0)
    total = Fraction(0)
    for points, share in enumerate(SHARES[nines], start=1):
        total += share / 2 * slow_chance(nines, mine - points - carry, theirs)
        total += share / 2 * slow_chance(nines, mine, theirs - points - carry)
    return total


def slow_worth(nines: int, mine: int, theirs: int, carry: int, carried: int) -> list[float]:
    """Chances after -3..3 game points, 0 for nobody's hand, 6 between the best and the worst."""
    chances = []
    for g in range(-3, 4):
        if g < 0:
            chances.append(slow_chance(nines, mine, theirs + g - carry))
        elif g > 0:
            chances.append(slow_chance(nines, mine - g - carry, theirs))
        else:
            chances.append(slow_chance(nines, mine, theirs, carry + carried))
    return [float(6 * (one - chances[3]) / (chances[6] - chances[0])) for one in chances]


def worth_of(rules: dict[str, object], score: tuple[int, int], carry: int) -> Any:
    """The kernel's answer."""
    record, view, worth = rules_record(rules)[0], records(VIEW_DTYPE)[0], np.full(7, np.nan)
    view.score[:] = score
    view.carry = carry
    fill_worth(view, record, worth)
    return worth


@pytest.mark.parametrize(
    ("nines", "published"),
    [(0, (57.2, 69.1, 79.3, 84.4, 89.0, 92.1)), (1, (57.2, 72.1, 80.2, 86.0, 90.3, 93.2))],
)
def test_needing_one_against_two_to_seven_is_as_published(nines: int, published: tuple[float, ...]) -> None:
    ours = [100 * chance(nines, 1, theirs) for theirs in range(2, 8)]
    assert ours == pytest.approx(published, abs=0.06)


@pytest.mark.parametrize("name", ["sixtysix", "schnapsen", "santase", "schnapsen-sharp"])
def test_worth_is_that_of_a_slow_recursion(name: str) -> None:
    rules = PRESETS[name]
    target, carried = rules["match.target"], rules["unscored.carry"]
    assert isinstance(target, int)
    assert isinstance(carried, bool)
    for mine in range(target):
        for theirs in range(target):
            for carry in (0, 1, 2, 9) if carried else (0,):
                slow = slow_worth(int(bool(rules["nines"])), target - mine, target - theirs, carry, int(carried))
                assert worth_of(rules, (mine, theirs), carry) == pytest.approx(slow, abs=1e-9)


@pytest.mark.parametrize("nines", [0, 1])
def test_chances_are_those_of_the_solved_match_of_two_equals(nines: int) -> None:
    half = np.array(SHARES[nines], dtype=float) / 2
    odds = np.concatenate([half[::-1], [0.0], half])
    table = match_table(Rules.from_fields({"match.target": 24}), np.stack([odds, odds]))
    for mine in range(24):
        for theirs in range(24):
            expected = table.chance(mine, theirs, leader=0)
            assert chance(nines, 24 - mine, 24 - theirs) == pytest.approx(expected, abs=1e-9)


def test_worth_rises_and_is_mirrored_for_the_other_side() -> None:
    for name in ("sixtysix", "skillgames"):
        for target in (1, 2, 7, 99):
            rules = PRESETS[name] | {"match.target": target}
            for mine in {0, target // 2, target - 1}:
                for theirs in {0, target // 2, target - 1}:
                    worth = worth_of(rules, (mine, theirs), 0)
                    assert (np.diff(worth) > -1e-9).all()
                    assert worth[3] == 0
                    assert worth[6] - worth[0] == pytest.approx(6)
                    assert -worth_of(rules, (theirs, mine), 0)[::-1] == pytest.approx(worth)


def test_the_last_game_point_is_worth_as_much_as_three() -> None:
    worth = worth_of(PRESETS["sixtysix"], (6, 6), 0)
    assert worth.tolist() == [-3, -3, -3, 0, 3, 3, 3]


def test_far_from_the_end_game_points_are_all_but_linear() -> None:
    for score in ((0, 0), (30, 40), (60, 20)):
        worth = worth_of(PRESETS["sixtysix"] | {"match.target": 99}, score, 0)
        assert worth == pytest.approx([-3, -2, -1, 0, 1, 2, 3], abs=0.1)


def test_needs_beyond_the_table_are_close_to_the_exact_ones() -> None:
    rules = PRESETS["schnapsen"] | {"match.target": 40}
    for score in ((0, 0), (10, 0), (5, 20), (14, 0), (38, 0), (0, 37)):
        exact = slow_worth(0, 40 - score[0], 40 - score[1], 0, 0)
        assert worth_of(rules, score, 0) == pytest.approx(exact, abs=0.25)


def test_a_score_past_the_target_is_no_trap() -> None:
    assert np.isfinite(worth_of(PRESETS["sixtysix"], (9, 120), 5)).all()

"""The compiled core plays random hands exactly as the plain-Python reference does, under any rules."""

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.game.presets import load_rules
from harness.game.rules import FIELDS
from tests.helpers.both import play_both
from tests.helpers.reference_presets import PRESETS
from tests.helpers.rule_sets import VALUES, rule_sets

HANDS_A_PRESET = 1000
RULE_SETS = 1000
HANDS_A_RULE_SET = 10
"""With the twelve presets 22,000 hands in all."""

RARE = [
    *("exchange as follower", "meld with the stock closed", "meld on the first lead", "close before the draw"),
    *("close on the first lead", "close after a meld", "declare after a meld", "pending points are lost"),
    *("66 that nobody declared", "a loser with 66", "drawn", "overtaken for 2", "overtaken for 3"),
    *("false-declaration for 2", "false-declaration for 3", "close-failed for 2", "close-failed for 3"),
    *("close-made for 1", "close-made for 2", "close-made for 3", "ran-out for 1"),
]
"""A hand that ran out pays 2 once in a thousand hands; `test_named_rules` has one."""


@pytest.mark.parametrize("name", PRESETS)
def test_every_step_of_a_preset(name: str) -> None:
    rules = load_rules(name).flat()
    assert rules == PRESETS[name]
    rng = Random(f"hands of {name}")
    for _ in range(HANDS_A_PRESET):
        play_both(rules, rng)


@settings(
    max_examples=RULE_SETS,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(rule_sets(), st.integers(0, 2**32))
def test_every_step_under_random_rules(rules: dict[str, object], seed: int) -> None:
    rng = Random(seed)
    for _ in range(HANDS_A_RULE_SET):
        play_both(rules, rng)


def test_random_rules_vary_every_field() -> None:
    assert VALUES.keys() == FIELDS.keys()
    assert all(len(set(values)) > 1 for values in VALUES.values())


def test_rare_things_happen_often_enough() -> None:
    rng = Random("rare things")
    seen: Counter[str] = Counter()
    for rules in PRESETS.values():
        for _ in range(300):
            seen.update(play_both(rules, rng))
    assert {name: seen[name] for name in RARE if seen[name] < 5} == {}

"""Pairing, self-checks and common deals on hands that the built-in bots really play."""

import numpy as np
import pytest

from harness.agent_api.registry import load_agent
from harness.game.presets import load_rules
from harness.play.pairing import PairingPlayer, Played
from harness.stats.codes import GAME_POINTS
from harness.stats.comparison import ENDING_MEASURES, N_ENDING_CODES, JointCounts, compare_rules, ending_codes
from harness.stats.pairs import pairing_gain
from harness.stats.self_checks import books_check, mirror_check, workers_check
from tests.helpers.deals import counts_of


def play(first: str, second: str, rules: str = "sixtysix", n_deals: int = 20_000) -> Played:
    return PairingPlayer(load_rules(rules), load_agent(first), load_agent(second), 23, 0).play(0, n_deals)


@pytest.mark.parametrize(
    ("first", "second", "least"), [("random", "easy", 1.05), ("normal", "easy", 1.5), ("easy", "easy", 1.5)]
)
def test_pairing_is_worth_as_many_hands_as_its_gain_says(first: str, second: str, least: float) -> None:
    codes = play(first, second).codes
    gain = pairing_gain(counts_of(codes[np.newaxis])[0])
    assert gain is not None
    assert gain > least
    # Hands of different deals: the first half of the even ones with the second half of the odd ones.
    points = GAME_POINTS[:, codes]
    apart = points[0, 0::2] + points[1, 1::2]
    assert gain == pytest.approx(apart.var() / points.sum(axis=0).var(), rel=0.06)


@pytest.mark.parametrize("agent", ["random", "easy", "normal"])
def test_the_built_in_bots_are_null_against_themselves(agent: str) -> None:
    check = mirror_check(counts_of(play(agent, agent).codes[np.newaxis])[0], agent)
    assert check.verdict.passed
    if agent == "normal":
        # It uses no luck, so that the two halves mirror each other hand for hand.
        assert (check.game_points.value, check.verdict.p) == (0, None)


def test_the_books_of_real_hands_balance() -> None:
    played = play("normal", "easy", "american", 2000)
    counts, endings = counts_of(played.codes[np.newaxis]), played.endings[np.newaxis]
    assert books_check(counts, endings, np.zeros((1, 2), np.int64), ["normal - easy"]).passed


def test_parts_of_real_runs_are_like_one_another() -> None:
    parts = np.split(play("random", "easy").codes, [3000, 9000, 13_000])
    assert workers_check(np.stack([counts_of(part[np.newaxis]) for part in parts])).passed


def test_rule_sets_on_common_deals_differ_by_what_their_runs_differ_by() -> None:
    rules = ("sixtysix", "sixtysix", "sixtysix close.allowed=false")
    runs = [play("normal", "easy", text, 4000) for text in rules]
    joint, endings = JointCounts(3, 1), JointCounts(3, 1, N_ENDING_CODES)
    joint.add([run.codes[np.newaxis] for run in runs])
    endings.add([ending_codes(run.hands["how"])[np.newaxis] for run in runs])
    same, other, _ = compare_rules(joint)
    assert same.changed.value == 0
    means = [GAME_POINTS[:, run.codes].mean() for run in runs]
    assert other.difference("game points").difference.value == pytest.approx(means[2] - means[0])
    # Without closes far fewer deals change than 4000, and nobody closes.
    assert other.changed.value is not None
    assert 0.02 < other.changed.value < 0.5
    ways = compare_rules(endings, ENDING_MEASURES)[1]
    made = ways.difference("close-made")
    assert made.second.value == 0
    assert made.adjusted_p is not None
    assert made.adjusted_p < 1e-6

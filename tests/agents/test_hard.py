"""`hard` and `crazy` are steps of the ladder, play by the rules of imagining, and are told what they may not be."""

import numpy as np
import pytest

from harness.agent_api.judging import judge
from harness.agent_api.registry import load_agent
from harness.core.bits import members
from harness.core.cards import DECLARE
from harness.core.records import FALSE_DECLARATION
from harness.errors import UsageError
from harness.game.hand import Hand
from harness.game.presets import load_rules, preset_names
from harness.play.pairing import PairingPlayer, Played
from harness.stats.codes import GAME_POINTS

QUICKLY = ["sixtysix", "schnapsen"]
"""Presets that the suite plays; all others are for the slow study."""


def play(first: str, second: str, preset: str, n_deals: int) -> Played:
    return PairingPlayer(load_rules(preset), load_agent(first), load_agent(second), 11, 0).play(0, n_deals)


def sigmas(played: Played) -> float:
    """How many standard errors the first agent's game points a hand are above zero, deals being the sample."""
    means = GAME_POINTS[:, played.codes].mean(axis=0)
    return float(means.mean() / means.std(ddof=1) * np.sqrt(len(means)))


SLOWLY = [pytest.param(preset, marks=pytest.mark.slow) for preset in preset_names() if preset not in QUICKLY]


@pytest.mark.parametrize("preset", [*QUICKLY, *SLOWLY])
def test_hard_beats_normal_by_five_sigma(preset: str) -> None:
    assert sigmas(play("hard", "normal", preset, 700)) > 5


@pytest.mark.parametrize("preset", QUICKLY)
def test_crazy_beats_normal_by_five_sigma(preset: str) -> None:
    assert sigmas(play("crazy:worlds=100,closed_worlds=50", "normal", preset, 250)) > 5


@pytest.mark.slow
@pytest.mark.parametrize("preset", preset_names())
def test_crazy_beats_hard_by_five_sigma(preset: str) -> None:
    assert sigmas(play("crazy", "hard", preset, 2000)) > 5


@pytest.mark.parametrize("agent", ["hard:worlds=5", "crazy:worlds=5,closed_worlds=5"])
def test_66_is_never_declared_falsely(agent: str) -> None:
    assert play(agent, "normal", "sixtysix", 100).endings[:, :, FALSE_DECLARATION].sum() == 0


@pytest.mark.parametrize("agent", ["hard", "crazy"])
def test_every_option_is_judged_but_a_false_declaration(agent: str) -> None:
    for deal in range(5):
        hand = Hand.of_deal(load_rules("sixtysix"), 1, deal)
        while not hand.over:
            thought = judge(load_agent(agent), hand.view(hand.to_move), hand.rules.record()[0], 1)
            judged = {int(action) for action in np.flatnonzero(~np.isnan(thought.values))}
            legal = set(members(int(hand.view(hand.to_move).legal)))
            assert judged <= legal
            assert legal - {DECLARE} <= judged or thought.choice == DECLARE
            hand.do(thought.choice)


def test_more_worlds_give_smaller_errors() -> None:
    hand = Hand.of_deal(load_rules("sixtysix"), 1, 0)
    view, record = hand.view(0), hand.rules.record()[0]
    few, many = (np.nanmean(judge(load_agent(f"hard:worlds={n}"), view, record, 1).errors) for n in (50, 800))
    assert few / many == pytest.approx(4, rel=0.3)


@pytest.mark.parametrize("text", ["hard:worlds=0", "hard:worlds=2.5", "crazy:closed_worlds=1e9", "crazy:close_less=-1"])
def test_parameters_out_of_range_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"must be from|must be a whole number"):
        load_agent(text)

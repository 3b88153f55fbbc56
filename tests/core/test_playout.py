"""Playouts are hands between two random players that share one stream."""

import numpy as np
import pytest

from harness.core.deal import deal_hand
from harness.core.playout import play_out
from harness.core.records import ENDINGS, OVER, STATE_DTYPE, records
from harness.game.hand import Hand
from harness.game.presets import load_rules, preset_names
from tests.helpers.splitmix import SplitMix, random_choice

HANDS = 40


@pytest.mark.parametrize("preset", preset_names())
def test_a_playout_is_the_hand_that_plain_python_plays_with_the_same_stream(preset: str) -> None:
    rules = load_rules(preset)
    for deal in range(HANDS):
        hand = Hand.of_deal(rules, 9, deal)
        state = records(STATE_DTYPE)[0]
        deal_hand(state, rules.record()[0], np.array(hand.pack, np.int8))
        play_out(state, rules.record()[0], np.array([deal], np.uint64))
        plain = SplitMix(deal)
        while not hand.over:
            hand.do(random_choice(list(hand.legal_actions()), hand.points[hand.to_move], plain))
        winner = -1 if hand.winner is None else hand.winner
        assert state.phase == OVER
        assert (state.winner, state.game_points, ENDINGS[state.how]) == (winner, hand.game_points, hand.how)
        played = [(entry >> 6, entry & 63) for entry in state.history[: state.n_history].tolist()]
        assert played == list(hand.history)

"""The match table against matches that the project really plays, from the shuffle to the last point."""

import math

import numpy as np
import pytest

from harness.agent_api.registry import load_agent
from harness.game.presets import load_rules
from harness.play.pairing import PairingPlayer
from harness.stats.equity import match_equity
from tests.helpers.deals import counts_of

N_DEALS, N_PAIRS = 40_000, 8_000

# Carry and alternating deal; no drawn hands; many drawn hands and a carry; the winner deals, and no carry; to 11.
PRESETS = ("sixtysix", "schnapsen", "american", "skillgames", "santase")


@pytest.mark.parametrize("preset", PRESETS)
def test_real_matches_are_won_as_often_as_the_table_says(preset: str) -> None:
    """These agents play a hand alike whatever the score; hands and matches come from different packs."""
    rules, normal, easy = load_rules(preset), load_agent("normal"), load_agent("easy")
    codes = PairingPlayer(rules, normal, easy, 10**6, 0).play(0, N_DEALS).codes
    predicted = match_equity(counts_of(codes[np.newaxis])[0], rules).matches_won
    assert predicted.value is not None
    assert predicted.half_width is not None
    matches = PairingPlayer(rules, normal, easy, 1, 0, match_play=True).play(0, N_PAIRS).hands["points"]
    shares = (matches.astype(float).reshape(-1, 2).mean(axis=1) + 1) / 2
    error = math.hypot(shares.std(ddof=1) / math.sqrt(N_PAIRS), predicted.half_width / 1.96)
    assert abs(shares.mean() - predicted.value) < 5 * error

"""The match table against matches that the project really plays, from the shuffle to the last point."""

import math

import numpy as np
import pytest

from harness.agent_api.registry import load_agent
from harness.game.match import Match
from harness.game.presets import load_rules
from harness.game.rules import Rules
from harness.play.pairing import PairingPlayer
from harness.play.table import Table
from harness.stats.codes import FloatArray
from harness.stats.equity import match_equity
from tests.helpers.deals import counts_of

AGENTS = ("normal", "easy")
N_DEALS = 40_000


def won_by_first(rules: Rules, seed: int, first_dealer: int) -> float:
    """Play a match at the table, hand by hand, and score it at the checked door; 1 if the first agent wins."""
    first, second = (load_agent(name) for name in AGENTS)
    table, match = Table(rules, (first, second), seed), Match(rules, seed, first_dealer)
    while match.winner is None:
        hand = match.next_hand()
        # The table knows neither score nor carry, so its agents cannot look at them either.
        assert table.play(len(match.played), match.player_at(0)) is None
        for action in table.actions():
            hand.do(action)
        match.finish_hand()
    return float(match.winner == 0)


def shares_of_pairs(rules: Rules, n_pairs: int) -> FloatArray:
    """Play each seed twice, with either player dealing first."""
    return np.array([(won_by_first(rules, seed, 0) + won_by_first(rules, seed, 1)) / 2 for seed in range(n_pairs)])


def agrees(preset: str, n_pairs: int) -> None:
    rules = load_rules(preset)
    agents = [load_agent(name) for name in AGENTS]
    codes = PairingPlayer(rules, agents[0], agents[1], 10**6, 0).play(0, N_DEALS).codes
    predicted = match_equity(counts_of(codes[np.newaxis])[0], rules).matches_won
    assert predicted.value is not None
    assert predicted.half_width is not None
    shares = shares_of_pairs(rules, n_pairs)
    error = math.hypot(shares.std(ddof=1) / math.sqrt(n_pairs), predicted.half_width / 1.96)
    assert abs(shares.mean() - predicted.value) < 5 * error


# Carry and alternating deal; no drawn hands; many drawn hands and a carry; the winner deals, and no carry.
PRESETS = ("sixtysix", "schnapsen", "american", "skillgames")


@pytest.mark.parametrize("preset", PRESETS)
def test_real_matches_are_won_as_often_as_the_table_says(preset: str) -> None:
    agrees(preset, 60)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_thousands_of_real_matches_are_won_as_often_as_the_table_says(preset: str) -> None:
    agrees(preset, 1500)

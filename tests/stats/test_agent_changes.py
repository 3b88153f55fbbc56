"""What rule sets change for each agent, against plain sums over deals."""

import math

import numpy as np
import pytest
from scipy import stats

from harness.play.codes import NOT_PLAYED
from harness.stats.agent_changes import AgentChanges
from harness.stats.codes import GAME_POINTS, CodeArray, FloatArray
from tests.helpers.deals import random_block, round_robin

PAIRINGS = round_robin(3)
N_DEALS = 150


def blocks() -> tuple[CodeArray, CodeArray]:
    first = random_block(np.random.default_rng(1), [0.0, 0.3, 0.9], PAIRINGS, N_DEALS)
    other = random_block(np.random.default_rng(2), [0.0, 0.5, 0.9], PAIRINGS, N_DEALS)
    return first, np.where(np.random.default_rng(3).random(first.shape) < 0.3, other, first)


def points_of_deals(block: CodeArray, agent: int) -> FloatArray:
    """Game points that an agent earned in all its hands of each deal."""
    totals = np.zeros(block.shape[1])
    for codes, (first, second) in zip(block, PAIRINGS, strict=True):
        points = GAME_POINTS[:, codes].sum(axis=0)
        totals += points if agent == first else -points if agent == second else 0
    return totals


@pytest.mark.parametrize("agent", range(3))
def test_a_change_is_the_mean_difference_of_an_agents_deals_with_its_error(agent: int) -> None:
    first, second = blocks()
    changes = AgentChanges(3, PAIRINGS, np.ones(3, dtype=np.bool_), GAME_POINTS)
    for part in np.array_split(np.arange(N_DEALS), 4):
        changes.add(first[:, part], second[:, part])
    n_hands = 4  # of a deal: two against each of the two others
    apart = (points_of_deals(second, agent) - points_of_deals(first, agent)) / n_hands
    found = changes.difference(agent)
    error = apart.std(ddof=1) / math.sqrt(N_DEALS)
    assert found.value == pytest.approx(apart.mean())
    assert found.error == pytest.approx(error)
    assert found.high == pytest.approx(apart.mean() + stats.t.ppf(0.975, N_DEALS - 1) * error)


def test_what_was_played_under_one_rule_set_only_does_not_count() -> None:
    first, second = blocks()
    whole = AgentChanges(3, PAIRINGS, np.ones(3, dtype=np.bool_), GAME_POINTS)
    whole.add(first[:, :100], second[:, :100])
    first[:, 100:] = NOT_PLAYED
    part = AgentChanges(3, PAIRINGS, np.ones(3, dtype=np.bool_), GAME_POINTS)
    part.add(first, second)
    assert part.difference(1) == whole.difference(1)


def test_the_same_deals_are_no_change() -> None:
    first, _ = blocks()
    changes = AgentChanges(3, PAIRINGS, np.ones(3, dtype=np.bool_), GAME_POINTS)
    changes.add(first, first)
    change = changes.difference(2)
    assert (change.value, change.low, change.high) == (0, None, None)

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats
from scipy.special import logit

from harness.game.presets import load_rules
from harness.play.codes import NOT_PLAYED
from harness.stats.codes import CodeArray
from harness.stats.equity import ENDLESS_MATCH, MatchEquity, match_equity
from harness.stats.estimate import NO_DEALS, NO_SPREAD, Estimate
from harness.stats.matches import pulls_of, share_of_matches_won
from harness.stats.moments import DealMoments
from tests.helpers.deals import code, counts_of, random_block, round_robin

RULES = load_rules("sixtysix")
PAIRINGS = round_robin(3)


def equities_of(block: CodeArray) -> list[MatchEquity]:
    return [match_equity(counts, RULES) for counts in counts_of(block)]


def shares(block: CodeArray, n_agents: int = 3) -> list[Estimate]:
    pairings, equities = round_robin(n_agents), equities_of(block)
    moments = DealMoments(n_agents, pairings, np.ones(len(pairings), dtype=np.bool_), pulls_of(equities))
    moments.add(block)
    return [share_of_matches_won(equities, moments, agent) for agent in range(n_agents)]


def plain_share(block: CodeArray, agent: int) -> float:
    """Mean of an agent's match probabilities by deals played, with no sums over deals."""
    total, n = 0.0, 0
    for pair, equity in zip(PAIRINGS, equities_of(block), strict=True):
        if agent in pair and equity.matches_won.value is not None:
            won = equity.matches_won.value
            total += equity.n_deals * (won if agent == pair[0] else 1 - won)
            n += equity.n_deals
    return total / n


def test_the_share_of_one_of_two_agents_is_that_of_their_pairing() -> None:
    block = random_block(np.random.default_rng(1), [0.2, 0.0], [(0, 1)], 300)
    (equity,), (mine, other) = equities_of(block), shares(block, 2)
    assert mine.value == pytest.approx(equity.matches_won.value)
    assert mine.low == pytest.approx(equity.matches_won.low)
    assert mine.high == pytest.approx(equity.matches_won.high)
    assert (mine.value or 0) + (other.value or 0) == pytest.approx(1)
    assert (mine.low or 0) + (other.high or 0) == pytest.approx(1)


@pytest.mark.parametrize("n_late", [80, 25])
def test_the_error_is_that_of_leaving_out_one_pack_after_the_other(n_late: int) -> None:
    block = random_block(np.random.default_rng(4), [0.3, 0.1, 0.0], PAIRINGS, 80)
    block[1:, n_late:] = NOT_PLAYED
    for agent, share in enumerate(shares(block)):
        assert share.value == pytest.approx(plain_share(block, agent))
        without = np.array([plain_share(np.delete(block, deal, axis=1), agent) for deal in range(80)])
        n = share.n
        assert n == (n_late if agent == 2 else 80)
        # Deals of which the agent has played none do not count, and leaving them out changes nothing.
        spread = ((without - without.sum() / 80) ** 2).sum()
        error = (spread * (n - 1) / n) ** 0.5
        assert share.low is not None
        assert share.high is not None
        assert share.value is not None
        odds = float(logit(share.high) - logit(share.low)) / 2 / stats.t.ppf(0.975, n - 1)
        assert odds * share.value * (1 - share.value) == pytest.approx(error, rel=0.05)


def test_packs_that_pairings_share_do_not_count_as_independent() -> None:
    # Agent 0 has the same luck against both others, so that twice the hands tell no more.
    one = random_block(np.random.default_rng(2), [0.0, 0.0], [(0, 1)], 400)
    block = np.concatenate([one, one, np.full_like(one, NOT_PLAYED)])
    both, alone = shares(block)[0], shares(one, 2)[0]
    assert both.low == pytest.approx(alone.low)
    assert both.high == pytest.approx(alone.high)


def test_blocks_of_any_size_give_the_same_share() -> None:
    block = random_block(np.random.default_rng(3), [0.3, 0.1, 0.0], PAIRINGS, 500)
    equities = equities_of(block)
    found = []
    for edges in ([0, 500], [0, 7, 100, 101, 500]):
        moments = DealMoments(3, PAIRINGS, np.ones(3, dtype=np.bool_), pulls_of(equities))
        for start, stop in pairwise(edges):
            moments.add(block[:, start:stop])
        found.append([share_of_matches_won(equities, moments, agent) for agent in range(3)])
    assert found[0] == found[1]


def test_what_cannot_be_known_has_a_reason() -> None:
    never = np.full((3, 20), NOT_PLAYED, dtype=np.uint8)
    assert {(share.value, share.note) for share in shares(never)} == {(None, NO_DEALS)}
    drawn = never.copy()
    drawn[0] = code(0, 0)
    assert [share.note for share in shares(drawn)] == [ENDLESS_MATCH, ENDLESS_MATCH, NO_DEALS]
    perfect = never.copy()
    perfect[0] = code(1, 2)
    assert [(share.value, share.low, share.note) for share in shares(perfect)[:2]] == [
        (1.0, None, NO_SPREAD),
        (0.0, None, NO_SPREAD),
    ]
    alike = never.copy()
    alike[0] = code(1, -1)
    assert [(share.value, share.low, share.note) for share in shares(alike)[:1]] == [(0.5, None, NO_SPREAD)]


def test_a_match_that_cannot_be_computed_is_left_out_of_the_mean() -> None:
    block = random_block(np.random.default_rng(1), [0.2, 0.0, 0.0], PAIRINGS, 300)
    block[1] = code(0, 0)
    assert shares(block)[0] == shares(block[:1], 2)[0]

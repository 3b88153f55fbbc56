import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.game.presets import load_rules, rules_from_text
from harness.game.rules import Rules
from harness.stats.codes import GAME_POINTS, FloatArray
from harness.stats.equity import ENDLESS_MATCH, OF_MATCHES, EndlessMatchError, hand_odds, match_equity, match_table
from harness.stats.estimate import NO_DEALS, NO_SPREAD, ONE_DEAL
from tests.helpers.deals import code, counts_of, random_block

DEALERS = ("alternate", "winner")
UNSCORED = list(itertools.product((True, False), (True, False)))
ODDS = np.array([[0.05, 0.12, 0.18, 0.2, 0.25, 0.15, 0.05], [0.1, 0.15, 0.25, 0.1, 0.2, 0.12, 0.08]])
"""Probabilities of A's game points -3..3, where A leads and where B leads; many drawn hands."""


def rules_of(target: int, dealer: str = "alternate", carry: bool = True, same_dealer: bool = False) -> Rules:
    return rules_from_text(
        f"sixtysix match.target={target} match.dealer={dealer} unscored.carry={str(carry).lower()} "
        f"unscored.same_dealer={str(same_dealer).lower()}"
    )


def only(**probabilities: float) -> FloatArray:
    """The same odds for both leaders: p1=0.5 wins one point, m2=0.5 loses two, d=0.1 nobody wins."""
    row = np.zeros(7)
    for name, probability in probabilities.items():
        row[3 if name == "d" else 3 + int(name[1]) * (1 if name[0] == "p" else -1)] = probability
    return np.array([row, row])


def simulate(rules: Rules, odds: FloatArray, n_matches: int, first_leader: int) -> tuple[FloatArray, FloatArray]:
    """Play matches hand by hand, as the rules are told in words; who has won, and after how many hands."""
    rng = np.random.default_rng(5)
    score, carry = np.zeros((n_matches, 2), dtype=int), np.zeros(n_matches, dtype=int)
    leader, n_hands = np.full(n_matches, first_leader), np.zeros(n_matches)
    cumulated = odds.cumsum(axis=1)
    while (going := (score < rules.match.target).all(axis=1)).any():
        points = (rng.random((n_matches, 1)) > cumulated[leader]).sum(axis=1) - 3
        n_hands += going
        for side, won in ((0, going & (points > 0)), (1, going & (points < 0))):
            score[won, side] += np.abs(points[won]) + carry[won]
            carry[won] = 0
            leader[won] = 1 - side if rules.match.dealer == "winner" else 1 - leader[won]
        drawn = going & (points == 0)
        carry[drawn] += rules.unscored.carry
        if not rules.unscored.same_dealer:
            leader[drawn] = 1 - leader[drawn]
    return (score[:, 0] >= rules.match.target).astype(float), n_hands


@pytest.mark.parametrize("dealer", DEALERS)
@pytest.mark.parametrize(("carry", "same_dealer"), UNSCORED)
@pytest.mark.parametrize("target", [1, 3, 7])
def test_matches_played_from_the_distribution_are_won_as_often(
    target: int, carry: bool, same_dealer: bool, dealer: str
) -> None:
    rules = rules_of(target, dealer, carry, same_dealer)
    table = match_table(rules, ODDS)
    n, lengths = 10_000, []
    for leader in (0, 1):
        won, n_hands = simulate(rules, ODDS, n, leader)
        chance = table.chance(0, 0, leader)
        assert abs(won.mean() - chance) < 5 * math.sqrt(chance * (1 - chance) / n)
        lengths.append(n_hands)
    both = np.concatenate(lengths)
    assert abs(both.mean() - table.hands_a_match) < 5 * both.std() / math.sqrt(2 * n)


def test_to_one_point_the_first_hand_that_is_won_decides() -> None:
    table = match_table(rules_of(1), ODDS)
    # Leads alternate over drawn hands, A first: w + d (w' + d' (w + ...)).
    w, d, w_b, d_b = 0.45, 0.2, 0.4, 0.1
    assert table.chance(0, 0, 0) == pytest.approx((w + d * w_b) / (1 - d * d_b))
    assert table.chance(0, 0, 1) == pytest.approx((w_b + d_b * w) / (1 - d * d_b))
    again = match_table(rules_of(1, same_dealer=True), ODDS)
    assert again.chance(0, 0, 0) == pytest.approx(w / (1 - d))
    assert again.chance(0, 0, 1) == pytest.approx(w_b / (1 - d_b))


def test_to_two_points_by_hand() -> None:
    # Each hand is worth 1, won with 0.6: two of three. p^2 (3 - 2 p) = 0.648.
    table = match_table(rules_of(2), only(p1=0.6, m1=0.4))
    assert table.win_probability == pytest.approx(0.648)
    assert table.chance(1, 0, 0) == pytest.approx(0.6 + 0.4 * 0.6)
    assert table.chance(1, 1, 1) == pytest.approx(0.6)
    # Lengths: two hands with 0.6^2 + 0.4^2 = 0.52, else three.
    assert table.hands_a_match == pytest.approx(2.48)


def test_to_two_points_with_a_carry_by_hand() -> None:
    odds = only(p1=0.5, m1=0.3, d=0.2)
    table = match_table(rules_of(2), odds)
    # After a drawn hand the next that is won is worth 2, all of the match: 5/8. From 1:1 also 5/8.
    assert table.chance(0, 0, 0, carry=1) == pytest.approx(5 / 8)
    assert table.chance(0, 0, 0, carry=9) == pytest.approx(5 / 8)
    assert table.chance(1, 1, 0) == pytest.approx(5 / 8)
    one_up = 0.5 + 0.3 * 5 / 8 + 0.2 * 5 / 8
    one_down = 0.5 * 5 / 8 + 0.2 * 5 / 8
    assert table.chance(1, 0, 0) == pytest.approx(one_up)
    assert table.chance(0, 0, 0) == pytest.approx(0.5 * one_up + 0.3 * one_down + 0.2 * 5 / 8)
    without = match_table(rules_of(2, carry=False), odds)
    p = 5 / 8
    assert without.win_probability == pytest.approx(p * p * (3 - 2 * p))


def test_the_loser_of_a_hand_leads_where_the_winner_deals() -> None:
    # Whoever leads wins a point, to 2: the leader wins, then the other leads and wins, then the first again.
    odds = np.stack([only(p1=1.0)[0], only(m1=1.0)[0]])
    for dealer in DEALERS:
        table = match_table(rules_of(2, dealer), odds)
        assert (table.chance(0, 0, 0), table.chance(0, 0, 1)) == (1.0, 0.0)
    # Seat 1 always wins: the winner deals and sits there again, so it is 2:0; taking turns it is 1:1, then seat 1.
    odds = np.stack([only(m1=1.0)[0], only(p1=1.0)[0]])
    assert match_table(rules_of(2, "winner"), odds).hands_a_match == 2
    assert match_table(rules_of(2, "alternate"), odds).hands_a_match == 3


@pytest.mark.parametrize("dealer", DEALERS)
@pytest.mark.parametrize(("carry", "same_dealer"), UNSCORED)
@settings(max_examples=8, deadline=None)
@given(st.lists(st.floats(0.02, 1), min_size=7, max_size=7), st.integers(1, 9))
def test_equal_agents_win_half_of_their_matches(
    dealer: str, carry: bool, same_dealer: bool, weights: list[float], target: int
) -> None:
    row = np.array(weights) / sum(weights)
    table = match_table(rules_of(target, dealer, carry, same_dealer), np.stack([row, row[::-1]]))
    assert table.win_probability == pytest.approx(0.5, abs=1e-12)
    # From any score: A with a, B with b, A leading, is B with a, A with b, B leading.
    assert table.values == pytest.approx(1 - table.values.swapaxes(1, 2)[..., ::-1], abs=1e-12)


@pytest.mark.parametrize("dealer", DEALERS)
@pytest.mark.parametrize(("carry", "same_dealer"), UNSCORED)
def test_a_point_more_is_never_worse(dealer: str, carry: bool, same_dealer: bool) -> None:
    # Alike for both leaders: where the lead is worth much, losing a hand to get it may be better.
    row = ODDS.mean(axis=0)
    values = match_table(rules_of(7, dealer, carry, same_dealer), np.stack([row, row])).values
    assert (np.diff(values[0], axis=0) > 0).all()
    assert (np.diff(values[0], axis=1) < 0).all()
    # With much to carry the next hand decides, whatever the score.
    assert (np.diff(values, axis=1) > -1e-12).all()
    assert (np.diff(values, axis=2) < 1e-12).all()


@pytest.mark.parametrize("preset", ["sixtysix", "skillgames", "schnapsen", "santase"])
def test_slopes_are_those_of_small_changes(preset: str) -> None:
    rules, step = load_rules(preset), 1e-6
    table = match_table(rules, ODDS)
    for leader in (0, 1):
        for result in range(7):
            # Change towards one result: the derivative along (that result - the present odds).
            towards = -ODDS[leader]
            towards[result] += 1
            ends = []
            for sign in (1, -1):
                odds = ODDS.copy()
                odds[leader] += sign * step * towards
                ends.append(match_table(rules, odds).win_probability)
            assert table.slopes[leader] @ towards == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-7)


def test_values_of_codes_average_to_the_win_probability() -> None:
    counts = counts_of(random_block(np.random.default_rng(8), [0.4, 0.0], [(0, 1)], 3000))[0]
    table = match_table(load_rules("sixtysix"), hand_odds(counts))
    values = table.code_values()
    assert counts @ values / counts.sum() == pytest.approx(table.win_probability)
    # A better result in either half is worth more.
    grid = values.reshape(7, 7)
    assert (np.diff(grid, axis=0) > 0).all()
    assert (np.diff(grid, axis=1) > 0).all()


def test_the_distribution_of_hands_is_told_apart_by_who_leads() -> None:
    counts = np.zeros(49, dtype=np.int64)
    counts[code(3, -1)] = 3
    counts[code(0, 2)] = 1
    odds = hand_odds(counts)
    assert odds[0].tolist() == [0, 0, 0, 0.25, 0, 0, 0.75]
    assert odds[1].tolist() == [0, 0, 0.75, 0, 0, 0.25, 0]


def test_the_error_is_that_of_many_samples() -> None:
    rng = np.random.default_rng(3)
    block = random_block(rng, [0.3, 0.0], [(0, 1)], 4000)
    p = counts_of(block)[0] / 4000
    rules = load_rules("sixtysix")
    true = match_table(rules, np.stack([np.bincount(half, weights=p, minlength=7) for half in GAME_POINTS + 3]))
    trials, held = 300, 0
    values: list[float] = []
    errors: list[float] = []
    for counts in rng.multinomial(200, p, size=trials):
        won = match_equity(counts, rules).matches_won
        assert won.value is not None
        assert won.half_width is not None
        held += not won.excludes(true.win_probability)
        values.append(won.value)
        errors.append(won.half_width)
    assert abs(held / trials - 0.95) < 5 * math.sqrt(0.95 * 0.05 / trials)
    # A standard deviation of 300 values is known to 1 / sqrt(600), 4 %.
    assert np.std(values) * 1.972 == pytest.approx(np.mean(errors), rel=0.2)


def test_match_elo_has_the_transformed_ends() -> None:
    counts = counts_of(random_block(np.random.default_rng(8), [0.4, 0.0], [(0, 1)], 300))[0]
    equity = match_equity(counts, load_rules("sixtysix"))
    for end in ("value", "low", "high"):
        share = getattr(equity.matches_won, end)
        assert getattr(equity.elo, end) == pytest.approx(-400 * math.log10(1 / share - 1))
    assert equity.n_deals == 300


def test_what_cannot_be_said_is_named() -> None:
    rules = load_rules("sixtysix")
    assert match_equity(np.zeros(49, dtype=np.int64), rules).elo.note == NO_DEALS
    for first, second, note in ((2, 1, OF_MATCHES.won_all), (-1, -3, OF_MATCHES.lost_all), (0, 0, ENDLESS_MATCH)):
        counts = np.zeros(49, dtype=np.int64)
        counts[code(first, second)] = 5
        counts[code(0, second)] = 2
        equity = match_equity(counts, rules)
        assert (equity.elo.value, equity.elo.note) == (None, note)
        assert equity.matches_won.note == (note if note == ENDLESS_MATCH else NO_SPREAD)
    counts = np.zeros(49, dtype=np.int64)
    counts[code(1, -1)] = 1
    equity = match_equity(counts, rules)
    assert equity.elo.value == pytest.approx(0)
    assert equity.elo.note == ONE_DEAL


def test_a_match_that_may_never_end_is_refused() -> None:
    odds = np.stack([only(d=1.0)[0], only(p1=0.5, m1=0.5)[0]])
    with pytest.raises(EndlessMatchError):
        match_table(rules_of(7, same_dealer=True), odds)
    assert match_table(rules_of(7, same_dealer=False), odds).win_probability == pytest.approx(0.5)
    with pytest.raises(ValueError, match="two distributions"):
        match_table(rules_of(7), np.ones((2, 7)))


@pytest.mark.parametrize("strength", [0.3, 3.0])
@pytest.mark.parametrize("target", [7, 40])
def test_the_other_side_sees_the_same_matches(strength: float, target: int) -> None:
    counts = counts_of(random_block(np.random.default_rng(8), [strength, 0.0], [(0, 1)], 500))[0]
    mine, theirs = match_equity(counts, rules_of(target)), match_equity(counts[::-1], rules_of(target))
    for here, there in (("value", "value"), ("low", "high"), ("high", "low")):
        assert getattr(mine.elo, here) == pytest.approx(-getattr(theirs.elo, there), rel=1e-9)
        share, other = getattr(mine.matches_won, here), getattr(theirs.matches_won, there)
        assert share + other == pytest.approx(1)
        # However small the share, its Elo keeps its digits.
        assert getattr(theirs.elo, there) == pytest.approx(-400 * math.log10(1 / other - 1), rel=1e-9)


@pytest.mark.parametrize("strengths", [[0.3, 0.0], [0.0, 1.5]])
def test_turned_round_they_are_those_of_the_turned_counts(strengths: list[float]) -> None:
    counts = counts_of(random_block(np.random.default_rng(8), strengths, [(0, 1)], 500))[0]
    turned, expected = match_equity(counts, rules_of(7)).turned(), match_equity(counts[::-1], rules_of(7))
    for mine, theirs in ((turned.matches_won, expected.matches_won), (turned.elo, expected.elo)):
        assert (mine.value, mine.low, mine.high) == pytest.approx((theirs.value, theirs.low, theirs.high), rel=1e-9)
    lost = np.zeros(49, dtype=np.int64)
    lost[code(-1, -2)] = 20
    assert match_equity(lost, rules_of(7)).turned().elo == match_equity(lost[::-1], rules_of(7)).elo


def test_deals_that_all_speak_alike_give_no_interval() -> None:
    counts = np.zeros(49, dtype=np.int64)
    counts[[code(1, -1), code(-1, 1)]] = 20
    equity = match_equity(counts, rules_of(7))
    assert equity.matches_won.value == pytest.approx(0.5)
    assert (equity.matches_won.low, equity.matches_won.note) == (None, NO_SPREAD)
    assert equity.elo.value == pytest.approx(0, abs=1e-9)

"""The analysis of positions against the exhaustive search of ``positions.json`` and against itself."""

from typing import Any

import numpy as np
import pytest

from harness.core.cards import CLOSE
from harness.game.notation import parse_card
from harness.game.position import Position
from harness.game.position_file import read_position
from harness.search.analysis import Analysis, analyse, default_worlds
from tests.helpers.positions import PROBLEMS, problem, problems


def values_of(analysis: Analysis) -> dict[int, float]:
    return {one.action: one.value for one in analysis.actions}


def test_there_are_all_kinds_of_problems() -> None:
    kinds = [content["kind"] for content in PROBLEMS.values()]
    assert [kinds.count(kind) for kind in ("full", "lead5", "follow5", "closedfollow")] == [22, 9, 6, 2]


@pytest.mark.parametrize("name", problems("full"))
def test_with_all_cards_known_the_values_are_those_of_the_exhaustive_search(name: str) -> None:
    one = problem(name)
    theirs = one.content["on_lead"] == "opponent" and one.content["led_card"] is None
    analysis = analyse(one.position, 1_000, seed=1)
    assert analysis.is_exact
    assert (analysis.n_worlds, analysis.is_sampled) == (1, False)
    found = {action: -value if theirs else value for action, value in values_of(analysis).items()}
    assert found == one.values(one.content["computed"]["value_by_move"])
    assert [one.value for one in analysis.actions] == sorted((one.value for one in analysis.actions), reverse=True)


@pytest.mark.parametrize("name", problems("follow5"))
def test_a_reply_with_one_card_face_down_is_the_mean_over_all_worlds(name: str) -> None:
    """After it both hands are known, so that double dummy is what it is worth."""
    one = problem(name)
    analysis = analyse(one.position, 1_000, seed=1)
    cards: dict[str, Any] = one.content["computed"]["by_card"]
    assert values_of(analysis) == pytest.approx(
        one.values({card: told["ev"] for card, told in cards.items()}), abs=1e-6
    )
    won = {parse_card(card): told["deal_win_probability"] for card, told in cards.items()}
    assert {one.action: one.won for one in analysis.actions} == pytest.approx(won, abs=1e-6)
    n_worlds = len(next(iter(cards.values()))["per_stock_card"])
    assert (analysis.n_worlds, analysis.is_sampled) == (n_worlds, False)
    assert {one.error for one in analysis.actions} == {0.0}


@pytest.mark.parametrize("name", problems("lead5"))
def test_a_lead_with_one_card_face_down_is_that_against_an_opponent_who_knows_all(name: str) -> None:
    one = problem(name)
    computed = one.content["computed"]
    found = values_of(analyse(one.position, 1_000, seed=1))
    told = one.values({card: option["ev_clairvoyant_opp"] for card, option in computed["open"].items()})
    assert found.pop(CLOSE) == pytest.approx(computed["close"]["ev_double_dummy"], abs=1e-6)
    assert {card: value for card, value in found.items() if card in told} == pytest.approx(told, abs=1e-6)


@pytest.mark.parametrize("name", problems("closedfollow"))
def test_each_world_of_a_closed_hand_has_the_double_dummy_value(name: str) -> None:
    one = problem(name)
    cards: dict[str, Any] = one.content["computed"]["by_card"]
    for hidden in one.content["unseen"]:
        position = problem(name, stock=f'"{hidden} {one.content["trump_card"]}"').position
        assert position.knows_all_cards
        told = one.values({card: told["per_stock_card_double_dummy"][hidden] for card, told in cards.items()})
        assert values_of(analyse(position, 1, seed=1)) == told
    means = one.values({c: np.mean(list(told["per_stock_card_double_dummy"].values())) for c, told in cards.items()})
    assert values_of(analyse(one.position, 1_000, seed=1)) == pytest.approx(means)


def test_a_close_before_the_first_trick_is_won_as_often_as_all_hands_together_say() -> None:
    """Column 124: 1,323 of 2,002 hands; a sample of them, 5 standard errors at most away."""
    one = problem("tompa-124")
    told = one.content["computed"]["close"]
    analysis = analyse(one.position, 600, seed=1)
    close = next(one for one in analysis.actions if one.action == CLOSE)
    assert analysis.is_sampled
    assert (analysis.n_worlds, analysis.n_possible) == (600, 2002 * 362_880)
    assert abs(close.value - told["double_dummy_ev"]) < 5 * close.error
    won, of = told["double_dummy_success"]
    assert abs(close.won - won / of) < 5 * np.sqrt(0.66 * 0.34 / 600)
    assert close.error == pytest.approx(3 * np.sqrt(1 - (close.value / 3) ** 2) / np.sqrt(599), rel=1e-9)


@pytest.fixture(scope="module")
def four_left() -> Position:
    return read_position(
        'turned_up = "TS"\nhand = "QS JS AH KH TC QC"\ntheirs = "KD"\nled = "TD"\n'
        'gone = "AS 9H TH JH QD 9C JC 9D"\npoints = [15, 33]',
        "four",
    )


def test_a_sample_agrees_with_all_worlds(four_left: Position) -> None:
    everything = analyse(four_left, 210, seed=1)
    assert (everything.n_worlds, everything.n_possible, everything.is_sampled) == (210, 35 * 6, False)
    for seed in (1, 2):
        sample = analyse(four_left, 209, seed)
        assert (sample.n_worlds, sample.n_possible, sample.is_sampled) == (209, 210, True)
        for one in sample.actions:
            assert abs(one.value - values_of(everything)[one.action]) <= 5 * one.error


def test_the_seed_decides_the_sample(four_left: Position) -> None:
    assert analyse(four_left, 50, seed=3) == analyse(four_left, 50, seed=3)
    assert analyse(four_left, 50, seed=3) != analyse(four_left, 50, seed=4)


def test_someone_hears_of_every_world(four_left: Position) -> None:
    heard: list[int] = []
    analyse(four_left, 30, 1, heard.append)
    assert sum(heard) == 30


def test_fewer_worlds_are_taken_where_one_is_slow_to_solve() -> None:
    sizes = {12: 50, 10: 300, 8: 1_000}
    hand = 'hand = "AS TS KS QS JS 9S"\nturned_up = "9H"\npoints = [0, 0]\n'
    assert default_worlds(read_position(hand, "start")) == sizes[12]
    assert default_worlds(read_position(hand + 'closer = "me"', "closed")) == 1_000
    assert default_worlds(problem("tompa-124").position) == 1_000


def test_a_king_led_without_its_queen_shows_that_she_is_not_there() -> None:
    """Marriages are announced by leading them, so that of five unseen cards it is the queen that lies face down."""
    lines = (
        'turned_up = "JS"\nhand = "QS KH AD TD JD"\nled = "KC"\nunseen = "AH TH QH AC QC"\npoints = [20, 26]\n'
        'gone = "AS TS KS JH TC JC KD QD"'
    )
    schnapsen = read_position(f'rules = "schnapsen"\n{lines}', "led")
    announced = read_position(f'rules = "schnapsen marriage.automatic=false"\n{lines}', "led")
    assert analyse(announced, 100, seed=1).n_possible == 5
    assert analyse(schnapsen, 100, seed=1).n_possible == 1

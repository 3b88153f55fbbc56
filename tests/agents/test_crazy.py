"""`crazy` is perfect once the stock is gone, and finds the published answers before that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness.agent_api.judging import Judgement, judge
from harness.agent_api.registry import load_agent
from harness.core.apply import apply
from harness.core.bits import members
from harness.core.cards import CLOSE
from harness.core.records import OVER, VIEW_DTYPE, records
from harness.core.view import clear_view, fill_view
from harness.game.notation import action_text
from harness.game.position import Position
from harness.game.position_file import read_position
from harness.play.players import policy_arrays
from harness.search.solver import SOLVER_WORDS, action_values
from tests.helpers.engine import rules_record
from tests.helpers.left_by_normal import left_by_normal
from tests.helpers.positions import Problem, problem, problems
from tests.helpers.reference_presets import PRESETS


def judged(position: Position, agent: str = "crazy") -> Judgement:
    """What an agent thinks of a position, and what it does."""
    return judge(load_agent(agent), position.view(), position.rules.record()[0], 1)


def open_values(one: Problem) -> dict[int, float]:
    """Published values of the options with one card face down, by action."""
    computed = one.content["computed"]
    if one.content["kind"] == "follow5":
        return {a: answer["ev"] for a, answer in one.values(computed["by_card"]).items()}
    values = {a: answer["ev_uniform_belief_opp"] for a, answer in one.values(computed["open"]).items()}
    return values | {CLOSE: computed["close"]["ev_exact_vs_clairvoyant_opp"]}


@pytest.mark.parametrize("name", problems("full"))
def test_crazy_finds_a_best_move_where_all_is_known(name: str) -> None:
    one = problem(name)
    values = one.values(one.content["computed"]["value_by_move"])
    sign = -1 if one.content["on_lead"] == "opponent" and one.content["led_card"] is None else 1
    assert sign * values[judged(one.position).choice] == max(sign * value for value in values.values())


@pytest.mark.parametrize("name", problems("lead5", "follow5"))
def test_crazy_finds_a_best_move_with_one_card_face_down(name: str) -> None:
    """All fifteen; the sum of the worlds is exact there, and so is the reply of an opponent who guesses evenly."""
    one = problem(name)
    values = open_values(one)
    assert values[judged(one.position).choice] == pytest.approx(max(values.values()))


@pytest.mark.parametrize("name", problems("lead5", "follow5"))
def test_crazy_values_open_options_as_published(name: str) -> None:
    """On the scale of the match, which is bent by up to a tenth at 0:0."""
    one = problem(name)
    thought = judged(one.position)
    for action, value in open_values(one).items():
        if action != CLOSE:
            assert (thought.values[action], thought.errors[action]) == (pytest.approx(value, abs=0.12), 0)


def winning_chances(one: Problem) -> dict[int, float]:
    """Published chances to win the hand with one card face down, by action."""
    computed = one.content["computed"]
    if one.content["kind"] == "follow5":
        return {a: answer["deal_win_probability"] for a, answer in one.values(computed["by_card"]).items()}
    chances = dict(computed["deal_win_probability"])
    closed = chances.pop("close")
    return one.values({name.removeprefix("open "): chance for name, chance in chances.items()}) | {CLOSE: closed}


@pytest.mark.parametrize("name", problems("lead5", "follow5"))
def test_at_six_all_the_surest_win_counts_and_not_the_highest(name: str) -> None:
    one = problem(name, score="[6, 6]")
    chances = winning_chances(one)
    assert chances[judged(one.position).choice] == pytest.approx(max(chances.values()))


def test_the_score_changes_what_is_played() -> None:
    """The ace of hearts pays more on average, the queen of diamonds wins for certain."""
    higher, surer = (judged(problem("tompa-153b", score=score).position).choice for score in ("[0, 0]", "[6, 6]"))
    assert (action_text(higher), action_text(surer)) == ("PLAY AH", "PLAY QD")


def test_a_marriage_that_brings_66_is_announced_on_the_last_open_lead() -> None:
    """26 and 40 for king and queen of trumps are 66, which is declared without another card."""
    position = read_position(
        """
        rules = "sixtysix"
        turned_up = "9S"
        hand = "AS KS QS JS TH 9D"
        theirs = "KD"
        gone = "AH KH QH JH 9H KC QC 9C TD QD"
        points = [26, 54]
        tricks = [2, 3]
        dealer = "me"
        """,
        "a sure win",
    )
    thought = judged(position)
    assert action_text(thought.choice) == "MELD S"
    assert thought.values[thought.choice] == pytest.approx(1, abs=0.05)


def play_out_perfectly(states: Any, record: Any) -> int:
    """Let `crazy` play both sides to the end; every action must keep what the solver gives. Returns the decisions."""
    crazy = load_agent("crazy").agent
    params, scratch = policy_arrays(crazy)
    views, luck, work = records(VIEW_DTYPE, 2), np.ones(1, np.uint64), np.zeros(SOLVER_WORDS, np.uint64)
    values, n_decisions = np.zeros(40, np.int64), 0
    for s in states:
        for view in views:
            clear_view(view)
        while s.phase != OVER:
            view = views[s.to_move]
            fill_view(s, record, s.to_move, view)
            action_values(s, record, work, values)
            legal = members(int(view.legal))
            action = int(crazy.policy(view, record, params, luck, scratch))
            assert action in legal
            assert values[action] == max(values[a] for a in legal), s
            apply(s, record, action)
            n_decisions += 1
    return n_decisions


@pytest.mark.parametrize("preset", ["sixtysix", "schnapsen"])
def test_crazy_loses_nothing_once_the_stock_is_gone(preset: str) -> None:
    states = left_by_normal(preset, 0, 400)
    assert play_out_perfectly(states, rules_record(PRESETS[preset])[0]) > 400


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["sixtysix", "schnapsen"])
def test_crazy_loses_nothing_in_many_endings(preset: str) -> None:
    states = left_by_normal(preset, 0, 50_000)
    n_decisions = play_out_perfectly(states, rules_record(PRESETS[preset])[0])
    print(f"{preset}: 50,000 endings, {n_decisions:,} decisions")

"""Whole matches: hand by hand against the reference and the checked door, alike in both loops, told to the agents."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import pytest

from harness.agent_api.compiled import Compiled, policy
from harness.agent_api.contract import HandInfo, HandResult
from harness.agent_api.registry import LoadedAgent, load_agent
from harness.agent_api.seat_view import SeatView
from harness.core.bits import lowest
from harness.core.records import records
from harness.game.match import Match
from harness.game.presets import load_rules
from harness.play.codes import FORFEIT, HAND_DTYPE, MATCH
from harness.play.match_table import MatchTable
from harness.play.pairing import PairingPlayer, Played
from tests.helpers.bots import First, Odd, PlainRandom, Wrong, loaded
from tests.helpers.engine import ACTION_NAMES, ACTIONS, CARD_NAMES
from tests.helpers.reference import ReferenceHand, ReferenceMatch
from tests.helpers.reference_presets import PRESETS
from tests.helpers.splitmix import BITS64, agent_stream, hashed_on, match_hash, random_choice, shuffled_pack

MOST_HANDS = 1024
"""Deals that belong to a match, said once more."""


def play(
    preset: str, first: LoadedAgent, second: LoadedAgent, seed: int, pairs: range, pairing: int = 0, **settings: Any
) -> Played:
    player = PairingPlayer(load_rules(preset), first, second, seed, pairing, match_play=True, **settings)
    return player.play(pairs.start, len(pairs))


def reference_hand(preset: str, seed: int, deal: int, leader: int, carry: int) -> tuple[ReferenceHand, list[Any]]:
    """One hand of a match between two random agents, which side `leader` leads, and its public history."""
    hand = ReferenceHand(PRESETS[preset], [CARD_NAMES[card] for card in shuffled_pack(seed, deal)], carry)
    streams = [agent_stream(seed, deal, seat, side=seat ^ leader) for seat in (0, 1)]
    history = []
    while not hand.over:
        seat = hand.to_move
        legal = sorted([ACTIONS[action] for action in hand.legal()])
        history.append((seat, random_choice(legal, hand.points[seat], streams[seat])))
        hand.apply(ACTION_NAMES[history[-1][1]])
    return hand, history


def reference_match(preset: str, seed: int, pair: int, half: int) -> tuple[int, int]:
    """Winner of a match between two random agents, and what its hands hash to."""
    match = ReferenceMatch(PRESETS[preset], first_dealer=1 - half)
    told, number = 0, 0
    while match.winner is None:
        leader = 1 - match.dealer
        hand, history = reference_hand(preset, seed, pair * MOST_HANDS + number, leader, match.carry)
        told = hashed_on(told, history, hand.winner, hand.game_points)
        match.finish_hand(None if hand.winner is None else hand.winner ^ leader, hand.game_points)
        number += 1
    return match.winner, told


@pytest.mark.parametrize("preset", PRESETS)
def test_random_against_random_by_the_reference(preset: str) -> None:
    """Deal, carry and score as the reference has them; the winner deals in skillgames and santase."""
    seed, pairing, pairs = 42, 3, range(1000, 1004)
    points, digest = [], 0
    for pair in pairs:
        for half in (0, 1):
            winner, told = reference_match(preset, seed, pair, half)
            points.append(-1 if winner else 1)
            digest += match_hash(pairing, pair, half, told)
    random = load_agent("random")
    played = play(preset, random, random, seed, pairs, pairing)
    assert played.hands["points"].tolist() == points
    assert played.digest == digest & BITS64
    assert set(played.hands["how"].tolist()) == {MATCH}
    assert played.endings.sum() == 0


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("half", [0, 1])
def test_normal_against_easy_at_the_checked_door(preset: str, half: int) -> None:
    """Pair 0 has the deals of `harness.game.Match`: 0, 1, 2, and so on."""
    rules = load_rules(preset)
    for seed in range(8):
        table = MatchTable(rules, (load_agent("normal"), load_agent("easy")), seed)
        assert table.play(0, half) is None
        match = Match(rules, seed, first_dealer=1 - half)
        for played in table.hands:
            hand = match.next_hand()
            assert (played.deal, played.leader) == (len(match.played), match.player_at(0))
            assert (played.score, played.carry) == (hand.score, hand.carry)
            for action in played.actions:
                hand.do(action)
            match.finish_hand()
        assert match.winner is not None
        looped = play(preset, load_agent("normal"), load_agent("easy"), seed, range(1))
        assert looped.hands["points"][half] == (-1 if match.winner else 1)


def at_table(preset: str, agents: tuple[LoadedAgent, LoadedAgent], seed: int, pairs: range, pairing: int) -> Any:
    table = MatchTable(load_rules(preset), agents, seed)
    rows = records(HAND_DTYPE, 2 * len(pairs))
    for i, number in enumerate(range(2 * pairs.start, 2 * pairs.stop)):
        assert table.play(number >> 1, number & 1) is None
        table.write(pairing, number, rows.view(np.int64)[2 * i : 2 * i + 2], np.zeros(0, np.int8))
    return rows


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(("first", "second"), [("random", "random"), ("normal", "easy")])
def test_the_loop_and_the_table_play_the_same_matches(first: str, second: str, preset: str) -> None:
    agents = load_agent(first), load_agent(second)
    looped = play(preset, *agents, 77, range(300, 308), pairing=2)
    assert np.array_equal(at_table(preset, agents, 77, range(300, 308), 2), looped.hands)


@pytest.mark.parametrize("preset", ["sixtysix", "skillgames", "american"])
def test_a_python_agent_with_the_same_luck_plays_the_same_matches(preset: str) -> None:
    random, plain = load_agent("random"), loaded(PlainRandom())
    expected = play(preset, random, random, 5, range(10))
    for agents in ((plain, random), (random, plain), (plain, loaded(PlainRandom()))):
        assert np.array_equal(play(preset, *agents, 5, range(10)).hands, expected.hands)


def test_blocks_add_up() -> None:
    agents = load_agent("normal"), load_agent("easy")
    whole = play("sixtysix", *agents, 9, range(60))
    for cuts in ([0, 1, 60], [0, 17, 30, 31, 60]):
        parts = [play("sixtysix", *agents, 9, range(a, b)) for a, b in pairwise(cuts)]
        assert np.array_equal(np.concatenate([part.hands for part in parts]), whole.hands)


def test_the_halves_of_a_pair_have_the_same_packs_and_the_other_leader() -> None:
    table = MatchTable(load_rules("sixtysix"), (load_agent("random"), load_agent("random")), 3)
    assert table.play(5, 0) is None
    first = table.hands
    assert table.play(5, 1) is None
    assert [hand.deal for hand in first][:3] == [hand.deal for hand in table.hands][:3] == [5120, 5121, 5122]
    assert (first[0].leader, table.hands[0].leader) == (0, 1)


@dataclass
class ScoreKeeper:
    """Plays its lowest legal action and writes down what it is told of the match."""

    told: list[tuple[Any, ...]] = field(default_factory=list)
    results: list[int] = field(default_factory=list)

    def start_hand(self, info: HandInfo, seed: int) -> None:
        self.told.append((info.seat, info.score, info.carry))
        self.views: set[tuple[Any, ...]] = set()

    def choose(self, view: SeatView) -> int:
        self.views.add((view.seat, view.score, view.carry, view.target))
        return view.legal[0]

    def end_hand(self, result: HandResult) -> None:
        self.results.append(result.game_points)
        seat, score, carry = self.told[-1]
        assert self.views <= {(seat, score, carry, 7)}


def standings(preset: str, half: int, results: list[int]) -> Iterator[tuple[int, tuple[int, int], int]]:
    """Seat, score and carry of side 0 before each hand of a match, from its results alone, by the reference."""
    match = ReferenceMatch(PRESETS[preset], first_dealer=1 - half)
    for points in results:
        assert match.winner is None
        yield int(match.dealer == 0), (match.score[0], match.score[1]), match.carry
        match.finish_hand(None if points == 0 else int(points < 0), abs(points))
    assert match.winner is not None


@pytest.mark.parametrize("preset", ["sixtysix", "skillgames", "american", "schnapsen"])
@pytest.mark.parametrize("half", [0, 1])
def test_agents_see_score_carry_and_target(preset: str, half: int) -> None:
    """In american, where lowest cards declare nothing, many hands are drawn and the carry grows."""
    carries = set()
    for seed in range(6):
        keeper, other = ScoreKeeper(), ScoreKeeper()
        table = MatchTable(load_rules(preset), (loaded(keeper), loaded(other)), seed)
        assert table.play(11, half) is None
        assert keeper.told == list(standings(preset, half, keeper.results))
        assert other.told == [(1 - seat, score[::-1], carry) for seat, score, carry in keeper.told]
        assert other.results == [-points for points in keeper.results]
        carries |= {carry for _, _, carry in keeper.told}
    assert (max(carries) > 1) == (preset == "american")


@policy
def choose_by_score(view: Any, rules: Any, params: Any, rng: Any, scratch: Any) -> int:
    """Choose the lowest legal action, or the second one where score and carry are odd."""
    rest = view.legal & (view.legal - 1)
    odd = (view.score[0] + 3 * view.score[1] + view.carry + view.target) & 1
    return lowest(rest) if odd and rest and lowest(rest) < 24 else lowest(view.legal)


@dataclass(frozen=True)
class ByScore(Compiled):
    """Looks at the match, compiled."""

    policy: ClassVar[Any] = staticmethod(choose_by_score)


class PlainByScore:
    """The same in Python."""

    def choose(self, view: SeatView) -> int:
        odd = (view.score[0] + 3 * view.score[1] + view.carry + view.target) % 2
        return view.legal[1] if odd and len(view.legal) > 1 and view.legal[1] < 24 else view.legal[0]


@pytest.mark.parametrize("preset", ["sixtysix", "skillgames", "american"])
def test_compiled_agents_see_the_same_match(preset: str) -> None:
    compiled = play(preset, loaded(ByScore()), loaded(First()), 8, range(40))
    plain = play(preset, loaded(PlainByScore()), loaded(First()), 8, range(40))
    without = play(preset, loaded(First()), loaded(First()), 8, range(40))
    assert np.array_equal(compiled.hands, plain.hands)
    assert compiled.digest != without.digest


@pytest.mark.parametrize(
    "bad", [loaded(Wrong(answer=99, after=6), "bad"), loaded(Odd(lambda view: 99, after=6), "bad")]
)
def test_a_fault_forfeits_the_whole_match(bad: LoadedAgent) -> None:
    for side, agents in ((0, (bad, loaded(First()))), (1, (loaded(First()), bad))):
        played = play("sixtysix", *agents, 4, range(7, 9))
        assert [(fault.deal, fault.half, fault.side) for fault in played.faults] == [
            (deal, half, side) for deal in (7, 8) for half in (0, 1)
        ]
        assert set(played.hands["how"].tolist()) == {FORFEIT}
        assert set(played.hands["points"].tolist()) == {1 if side else -1}
        player = PairingPlayer(load_rules("sixtysix"), *agents, 4, 0, match_play=True)
        again = player.play(7, 2, {14: side, 15: side, 16: side, 17: side})
        assert again.faults == []
        assert np.array_equal(again.hands, played.hands)


@pytest.mark.parametrize("other", [load_agent("random"), loaded(PlainRandom())])
def test_a_match_without_a_winner_after_the_most_hands_is_drawn(
    other: LoadedAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two hands pay 6 game points at most; one that is won pays 1 at least."""
    for room in ("pairing", "match_table"):
        monkeypatch.setattr(f"harness.play.{room}.MOST_HANDS", 2)
    drawn = play("sixtysix", load_agent("random"), other, 1, range(20))
    assert set(drawn.hands["points"].tolist()) == {0}
    assert set(drawn.hands["how"].tolist()) == {MATCH}
    won = play("sixtysix match.target=1", load_agent("random"), other, 1, range(20))
    assert set(won.hands["points"].tolist()) == {-1, 1}

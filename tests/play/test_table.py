"""Hand by hand at a table: what agents are told, and what happens when one of them goes wrong."""

import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from harness.agent_api.contract import HandInfo, HandResult
from harness.agent_api.faults import FaultKind, MisbehaviourError
from harness.agent_api.registry import LoadedAgent, load_agent
from harness.agent_api.seat_view import SeatView
from harness.core.records import ENDINGS
from harness.game.presets import load_rules
from harness.play.codes import FORFEIT
from harness.play.pairing import PairingPlayer, Played
from harness.play.table import Table
from tests.helpers.bots import CrashingHook, First, Moody, Odd, Recorder, Wrong, first_legal, loaded
from tests.helpers.engine import ACTION_NAMES, ACTIONS, reference_deal
from tests.helpers.splitmix import agent_stream

RULES = load_rules("sixtysix")
SEED = 3


def play(first: LoadedAgent, second: LoadedAgent, n_deals: int = 4, rules: str = "sixtysix") -> Played:
    return PairingPlayer(load_rules(rules), first, second, SEED, 0).play(10, n_deals)


def recorded(deal: int, half: int) -> tuple[Recorder, Recorder, Table]:
    """Both sides' records of one hand of `Recorder` against itself, and the table."""
    one, other = Recorder(), Recorder()
    table = Table(RULES, (loaded(one), loaded(other)), SEED)
    assert table.play(deal, half) is None
    return one, other, table


# ------------------------------------------------------------------------------------- what agents hear


@pytest.mark.parametrize("half", [0, 1])
def test_hooks_are_called_in_order(half: int) -> None:
    """Once start_hand; at one's turns choose; after every action inform, one's own too; once end_hand."""
    one, other, table = recorded(10, half)
    hand = reference_deal("sixtysix", SEED, 10)
    expected: dict[int, list[tuple[Any, ...]]] = {
        seat: [("start", HandInfo(RULES, seat), agent_stream(SEED, 10, seat, side=seat ^ half).counter)]
        for seat in (0, 1)
    }
    history: list[tuple[int, int]] = []
    for action in table.actions():
        seat = hand.to_move
        legal = tuple(sorted([ACTIONS[action] for action in hand.legal()]))
        expected[seat].append(("choose", seat, legal, tuple(history)))
        hand.apply(ACTION_NAMES[action])
        history.append((seat, action))
        for calls in expected.values():
            calls.append(("inform", seat, action))
    for seat in (0, 1):
        points = hand.game_points if hand.winner == seat else -hand.game_points
        expected[seat].append(("end", HandResult(points, hand.how)))
    assert (one if half == 0 else other).calls == expected[0]
    assert (other if half == 0 else one).calls == expected[1]


def test_the_halves_of_a_deal_swap_the_seats() -> None:
    """Agents without luck play the very same hand, each from the other seat."""
    first, second = recorded(10, 0), recorded(10, 1)
    assert first[2].actions() == second[2].actions()
    chosen = [[call for call in record.calls if call[0] == "choose"] for record in (*first[:2], *second[:2])]
    assert chosen[0] == chosen[3]
    assert chosen[1] == chosen[2]
    assert chosen[0] != chosen[1]


@pytest.mark.parametrize("agent", [Recorder, First])
def test_a_mirror_match_without_luck_cancels_deal_by_deal(agent: Callable[[], Any]) -> None:
    codes = play(loaded(agent()), loaded(agent()), 30).codes.astype(int)
    assert np.array_equal(codes // 7 - 3, 3 - codes % 7)
    assert len(set(codes)) > 3


def test_a_mirror_match_with_luck_does_not() -> None:
    """A side's luck is its own: the same agent on both sides does not repeat itself."""
    codes = play(load_agent("random"), load_agent("random"), 30).codes.astype(int)
    assert not np.array_equal(codes // 7 - 3, 3 - codes % 7)


@pytest.mark.parametrize("preset", ["sixtysix", "bicycle", "schnapsen-sharp"])
def test_compiled_and_python_agents_mix(preset: str) -> None:
    agents = (loaded(Recorder()), loaded(First()))
    played = [play(first, second, 20, preset) for first in agents for second in agents]
    assert len({(result.digest, result.codes.tobytes(), result.endings.tobytes()) for result in played}) == 1


def test_numpy_integers_are_actions() -> None:
    """What the other side hears is a plain integer all the same: an int8 would overflow in its bit masks."""
    listener = Recorder()
    numpy_agent = loaded(Odd(lambda view: np.int8(first_legal(view)), after=0))
    assert play(numpy_agent, loaded(listener)).digest == play(loaded(First()), loaded(First())).digest
    assert {type(call[2]) for call in listener.calls if call[0] == "inform"} == {int}


# ------------------------------------------------------------------------------------------- agents' faults


def fault(first: LoadedAgent, second: LoadedAgent, rules: str = "sixtysix", kind: FaultKind | None = None) -> str:
    """The sentence of the first fault of a pairing."""
    found = play(first, second, rules=rules).faults[0]
    assert pickle.loads(pickle.dumps(found)) == found
    assert kind in (None, found.kind)
    return found.sentence(first.name, second.name, SEED, load_rules(rules))


def illegal_card(view: SeatView) -> int:
    """The lowest card of the pack that is not legal."""
    return next(card for card in range(6) if card not in view.legal)


GOOD = loaded(Recorder(), "good")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (illegal_card, "bad chose PLAY "),
        (lambda view: 36, "bad chose EXCHANGE, which is not legal there"),
        (lambda view: np.int64(39), "bad chose DRAW, which is not legal there"),
        (lambda view: 6, "bad returned 6, which is no action"),
        (lambda view: 31, "bad returned 31, which is no action"),
        (lambda view: -1, "bad returned -1, which is no action"),
        (lambda view: 40, "bad returned 40, which is no action"),
        (lambda view: 2**80, f"bad returned {2**80}, which is no action"),
        (lambda view: None, "bad returned None, which is no action"),
        (lambda view: "PLAY AS", "bad returned 'PLAY AS', which is no action"),
        (lambda view: 1.0, "bad returned 1.0, which is no action"),
        (lambda view: True, "bad returned True, which is no action"),
        (lambda view: [view.legal[0]], "bad returned ["),
    ],
)
def test_an_answer_that_is_not_legal(answer: Callable[[SeatView], Any], said: str) -> None:
    """Side 1 first sits on seat 1, and of four actions two are its own: the fault comes in the first hand."""
    text = fault(GOOD, loaded(Odd(answer), "bad"))
    assert text.startswith(said)
    assert "(deal 10, first half, as the second agent of good against bad)" in text
    assert text.splitlines()[1:] == ["  see the hand: sixtysix show good bad --seed 3 --deal 10 --half 0"]


@pytest.mark.parametrize("hook", ["start_hand", "choose", "inform", "end_hand"])
def test_a_crash_in_a_hook(hook: str) -> None:
    text = fault(loaded(CrashingHook(hook), "bad"), GOOD)
    assert text.startswith(f"bad crashed: RuntimeError: no idea in {hook} (deal 10, first half, as the first agent")
    assert "--deal 10 --half 0" in text
    assert "Traceback" in text
    assert 'raise RuntimeError(f"no idea in {hook}")' in text


@pytest.mark.parametrize("other", [First(), Recorder()], ids=["in the loop", "at a table"])
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (36, "bad chose EXCHANGE, which is not legal there"),
        (6, "bad returned 6, which is no action"),
        (-5, "bad returned -5, which is no action"),
        (1e6, "bad returned 1000000, which is no action"),
        (-99, "bad crashed: ValueError: no idea in a policy"),
    ],
)
def test_a_compiled_agent_goes_wrong(answer: float, said: str, other: Any) -> None:
    text = fault(loaded(other, "good"), loaded(Wrong(answer), "bad"))
    assert text.startswith(f"{said} (deal 10, first half, as the second agent of good against bad)")
    assert "see the hand: sixtysix show good bad --seed 3 --deal 10 --half 0" in text


def second_half_only(view: SeatView) -> int:
    """Goes wrong on seat 0, where side 1 sits in the second half."""
    return 99 if view.seat == 0 else first_legal(view)


def test_a_fault_in_the_second_half() -> None:
    text = fault(GOOD, loaded(Odd(second_half_only), "bad"))
    assert "(deal 10, second half, as the second agent of good against bad)" in text
    assert "--half 1" in text


def test_the_show_command_says_which_rules_and_keeps_names_together() -> None:
    bad = loaded(Odd(lambda view: 99), "my bots/bad.py:Bad")
    text = fault(GOOD, bad, rules="american nines=false close.failed=3")
    command = (
        "sixtysix show good 'my bots/bad.py:Bad' --seed 3 --deal 10 --half 0 --rules twenty-card --rule close.failed=3"
    )
    assert command in text


def test_an_agent_cannot_end_the_run() -> None:
    text = fault(GOOD, loaded(Odd(lambda view: sys.exit(0)), "bad"))
    assert "bad crashed: SystemExit: 0" in text


def test_ctrl_c_is_no_fault_of_an_agent() -> None:
    def interrupted(view: SeatView) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(GOOD, loaded(Odd(interrupted)))


def test_a_table_can_show_the_hand_up_to_the_fault() -> None:
    table = Table(RULES, (GOOD, loaded(Odd(lambda view: 99, after=7))), SEED)
    fault = table.play(10, 0)
    assert fault is not None
    assert (fault.deal, fault.half, fault.side, fault.kind) == (10, 0, 1, FaultKind.NONSENSE)
    hand = reference_deal("sixtysix", SEED, 10)
    for action in table.actions():
        hand.apply(ACTION_NAMES[action])
    assert len(table.actions()) >= 7
    assert hand.to_move == 1


# ---------------------------------------------------------------------------------------------- forfeits


class Repr:
    """An answer that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")


class LiesAboutItself(int):
    """An integer whose conversion raises."""

    def __int__(self) -> int:
        raise RuntimeError("no number")


class UnprintableError(Exception):
    """An exception that cannot be printed."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


def raises(error: BaseException) -> Callable[[SeatView], int]:
    def answer(view: SeatView) -> int:
        raise error

    return answer


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (illegal_card, FaultKind.ILLEGAL),
        (lambda view: None, FaultKind.NONSENSE),
        (lambda view: Repr(), FaultKind.NONSENSE),
        (lambda view: LiesAboutItself(39), FaultKind.ILLEGAL),
        (lambda view: "x" * 10_000, FaultKind.NONSENSE),
        (raises(ZeroDivisionError()), FaultKind.CRASH),
        (raises(UnprintableError()), FaultKind.CRASH),
        (raises(SystemExit(0)), FaultKind.CRASH),
        (raises(MisbehaviourError(FaultKind.DIED, "ended")), FaultKind.DIED),
    ],
)
def test_every_fault_has_its_kind(answer: Callable[[SeatView], Any], kind: FaultKind) -> None:
    text = fault(GOOD, loaded(Odd(answer), "bad"), kind=kind)
    assert len(text.splitlines()[0]) < 250


@pytest.mark.parametrize("other", [First(), Recorder()], ids=["in the loop", "at a table"])
@pytest.mark.parametrize("answer", [36, -99], ids=["illegal", "crash"])
@pytest.mark.parametrize("side", [0, 1])
def test_a_forfeit_pays_the_other_side_three_and_ends_by_nothing(other: Any, answer: float, side: int) -> None:
    good, bad = loaded(other, "good"), loaded(Wrong(answer), "bad")
    played = play(bad, good) if side == 0 else play(good, bad)
    assert [(one.deal, one.half, one.side) for one in played.faults] == [
        (deal, half, side) for deal in range(10, 14) for half in (0, 1)
    ]
    assert (played.codes == (0 if side == 0 else 48)).all()
    assert played.endings.sum() == 0
    assert (played.hands["how"] == FORFEIT).all()


def test_the_play_goes_on_after_a_fault_as_if_nothing_had_been() -> None:
    """All hands but the forfeited ones are those of a pairing without the fault, in the loop and at a table."""
    for other in (First(), Recorder()):
        honest = play(loaded(other), loaded(First()), 60)
        faulty = play(loaded(other), loaded(Moody()), 60)
        lost = faulty.hands["how"] == FORFEIT
        assert 10 < lost.sum() < 110
        assert len(faulty.faults) == lost.sum()
        assert np.array_equal(honest.hands[~lost], faulty.hands[~lost])


def test_hands_that_are_known_to_be_lost_are_not_played() -> None:
    """Whether a fault is known before or found in play, the result is the same."""
    for other in (First(), Recorder()):
        found = play(loaded(other), loaded(Moody()), 60)
        lost = {2 * one.deal + one.half: one.side for one in found.faults}
        told = PairingPlayer(RULES, loaded(other), loaded(First()), SEED, 0).play(10, 60, lost)
        assert not told.faults
        assert np.array_equal(told.hands, found.hands)


def test_histories_are_kept_where_they_are_wanted() -> None:
    """Replayed by the reference, they are the hands; a forfeited hand has none."""
    keeping = [
        PairingPlayer(RULES, loaded(other), loaded(Moody()), SEED, 0, keep_histories=True).play(10, 30)
        for other in (First(), Recorder())
    ]
    assert keeping[0].packed_histories() == keeping[1].packed_histories()
    packed = keeping[0].packed_histories()
    at = 0
    for i, row in enumerate(keeping[0].hands):
        entries = packed[at : at + row["n_actions"]]
        at += len(entries)
        if row["how"] == FORFEIT:
            assert not entries
            continue
        hand = reference_deal("sixtysix", SEED, 10 + i // 2)
        for entry in entries:
            assert hand.to_move == entry >> 6
            hand.apply(ACTION_NAMES[entry & 63])
        side = i % 2 if hand.winner == 0 else 1 - i % 2
        assert hand.winner is None or row["points"] == (hand.game_points if side == 0 else -hand.game_points)
        assert ENDINGS[row["how"]] == hand.how
    assert at == len(packed)


def test_the_rows_of_hands_are_the_same_in_both_loops() -> None:
    in_loop = play(loaded(First()), loaded(First()), 40)
    at_table = play(loaded(First()), loaded(Recorder()), 40)
    assert np.array_equal(in_loop.hands, at_table.hands)
    assert set(in_loop.hands["closer"]) <= {-1, 0, 1}
    assert (in_loop.hands["tricks"].sum(axis=1) <= 12).all()

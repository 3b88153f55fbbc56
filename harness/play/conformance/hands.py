"""Hands that a check plays, written down decision by decision, and played again from what was written."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from harness.agent_api.faults import FaultKind, MisbehaviourError
from harness.agent_api.registry import LoadedAgent
from harness.core.records import STATE_DTYPE
from harness.game.hand import Hand
from harness.game.notation import action_text
from harness.game.rules import Rules
from harness.game.transcript import write_transcript
from harness.play.conformance.patience import limited_call
from harness.play.conformance.verdict import Place
from harness.play.fault import action_number, show_command, wrong_answer
from harness.play.players import AgentError, CompiledPlayer, Player, PythonPlayer
from harness.play.pulse import new_pulse
from harness.play.step import ILLEGAL, VIEWS_AT, new_table, open_hand, take_action

SEED: Final = 1
"""Seed of all hands that checks play, the default of the commands."""


class BarePlayer(CompiledPlayer):
    """A compiled agent at a table, whose memory a check can reach."""

    @property
    def params(self) -> Any:
        """The parameters as the policy reads them (float64)."""
        return self._params

    @property
    def scratch(self) -> Any:
        """The working memory (uint64)."""
        return self._scratch


class MatchPlayer(PythonPlayer):
    """A Python agent at a table, whose calls must not take long."""

    def _call(self, counter: int, method: Callable[..., Any], *arguments: object) -> Any:
        try:
            with limited_call():
                return super()._call(counter, method, *arguments)
        except MisbehaviourError as error:  # the timer went off just as the agent had answered
            raise AgentError(self._side, error.kind, error.what) from error


def seat(agent: LoadedAgent, rules: Rules, side: int) -> BarePlayer | MatchPlayer:
    """Make the player of an agent on side 0, where the agent under check sits, or 1."""
    if agent.is_compiled:
        return BarePlayer(agent.agent, side, new_pulse())
    return MatchPlayer(agent.agent, rules, side, new_pulse())


@dataclass(frozen=True)
class Case:
    """Which hand: the rules, the agents' names, the deal, the half, which is the seat of side 0; the match.

    `score` is side 0's game points and those of side 1.
    """

    rules: Rules
    names: tuple[str, str]
    deal: int
    half: int
    score: tuple[int, int] = (0, 0)
    carry: int = 0

    @property
    def seat_score(self) -> tuple[int, int]:
        """The score by seat."""
        return (self.score[1], self.score[0]) if self.half else self.score


@dataclass(frozen=True)
class Decision:
    """One decision of side 0: the table before it, the number of public actions before it, the answer."""

    words: Any
    n_before: int
    answer: int


@dataclass(frozen=True)
class Wrong:
    """What a side has done wrong: its side, the kind, what, and a traceback or the like."""

    side: int
    kind: FaultKind
    what: str
    story: str = ""


@dataclass
class Record:
    """A hand as it was played: what side 0 decided, all public actions as (seat, action), the end or a fault."""

    case: Case
    decisions: list[Decision] = field(default_factory=list)
    actions: list[tuple[int, int]] = field(default_factory=list)
    points: int = 0
    how: int = 0
    wrong: Wrong | None = None

    @property
    def is_stuck(self) -> bool:
        """Whether a side has taken too long."""
        return self.wrong is not None and self.wrong.kind in (FaultKind.MOVE_TIME, FaultKind.HAND_TIME)

    def place(self, decision: int | None = None) -> Place:
        """Tell where a decision of side 0, counted from 0, stands; without a number, where the hand stopped."""
        case = self.case
        n_before = len(self.actions) if decision is None else self.decisions[decision].n_before
        hand = Hand.of_deal(case.rules, SEED, case.deal, case.seat_score, case.carry)
        for _, action in self.actions[:n_before]:
            hand.do(action)
        names = case.names[::-1] if case.half else case.names
        in_match = case.score != (0, 0) or case.carry != 0
        command = "" if in_match else show_command(*case.names, SEED, case.rules, case.deal, case.half)
        number = len(self.decisions) if decision is None else decision
        text = write_transcript(hand, (names[0], names[1]))
        return Place(SEED, case.deal, case.half, number + 1, command, text)


def play_hand(case: Case, sides: tuple[BarePlayer | MatchPlayer, BarePlayer | MatchPlayer]) -> Record:
    """Play a hand between two sides and write it down; an agent's fault ends it."""
    record = Record(case)
    for player, score in zip(sides, (case.score, case.score[::-1]), strict=True):
        player.join(score, case.carry)
    try:
        _play(record, sides)
    except AgentError as error:
        record.wrong = Wrong(error.side, error.kind, error.what, error.story)
    return record


def _play(record: Record, sides: tuple[Player, Player]) -> None:
    case = record.case
    seats = (sides[1], sides[0]) if case.half else sides
    words = new_table(case.rules.record())
    state = words[:VIEWS_AT].view(STATE_DTYPE)
    state["score"], state["carry"] = case.seat_score, case.carry  # dealing leaves these two as they are
    for place, player in enumerate(seats):
        player.start(SEED, case.deal, place)
    turn = open_hand(words, SEED, case.deal)
    while turn >= 0:
        before = words.copy()
        answer = seats[turn].choose(words)
        action = action_number(answer)
        following = ILLEGAL if action is None else take_action(words, action)
        if action is None or following == ILLEGAL:
            raise AgentError(turn ^ case.half, *wrong_answer(answer))
        if turn == case.half:
            record.decisions.append(Decision(before, len(record.actions), action))
        record.actions.append((turn, action))
        for player in seats:
            player.inform(turn, action)
        turn = following
    winner, points, record.how = (int(state[name][0]) for name in ("winner", "game_points", "how"))
    record.points = points if winner == case.half else -points
    for place, player in enumerate(seats):
        player.end(record.points if place == case.half else -record.points, record.how)


@dataclass(frozen=True)
class Difference:
    """Where a hand came out differently when it was played again: the decision of side 0, and how."""

    record: Record
    decision: int
    what: str
    story: str = ""


def answers(player: Player, record: Record, arrange: Callable[[Any], None]) -> Iterator[object]:
    """Play a hand again from what was written down, yielding the answer of side 0 to each decision.

    The player sees what it saw and hears what it heard; before each question `arrange` may change the table.
    """
    case, heard = record.case, 0
    player.join(case.score, case.carry)
    player.start(SEED, case.deal, case.half)
    for decision in record.decisions:
        for place, action in record.actions[heard : decision.n_before]:
            player.inform(place, action)
        heard = decision.n_before
        words = decision.words.copy()
        arrange(words)
        yield player.choose(words)
    for place, action in record.actions[heard:]:
        player.inform(place, action)
    player.end(record.points, record.how)


def play_again(
    player: Player, record: Record, arrange: Callable[[Any], None] = lambda words: None
) -> Difference | None:
    """Play a hand again (`answers`) and compare; None where every decision is as it was."""
    number = 0
    try:
        for number, answer in enumerate(answers(player, record, arrange)):
            expected = record.decisions[number].answer
            told = action_number(answer)
            if told != expected:
                chose = action_text(told) if told is not None else repr(answer)
                return Difference(record, number, f"chose {action_text(expected)} first, then {chose}")
    except AgentError as error:
        return Difference(record, number, f"{error.what}, but not when it first played the hand", error.story)
    return None


def first_difference(player: Player, records: Iterable[Record]) -> Difference | None:
    """Play hands again, one after another, up to the first that comes out differently; None if none does."""
    return next(filter(None, (play_again(player, record) for record in records)), None)

"""Checks of how an agent plays, each under one rule set; every one returns how many decisions it has looked at."""

from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np

from harness.agent_api.registry import load_agent
from harness.play.conformance.hands import (
    BarePlayer,
    Case,
    Difference,
    Record,
    first_difference,
    play_again,
    play_hand,
    seat,
)
from harness.play.conformance.subject import OPPONENT, Stage
from harness.play.conformance.verdict import CheckFailedError, CheckSkippedError
from harness.play.conformance.worlds import move_to_another_world

_LUCK: Final = 66
"""Seed of what the checks themselves draw."""
_MOST_GARBAGE: Final = 1 << 28
"""Words of garbage that a check writes at most: two seconds of work."""


def legal(stage: Stage) -> int:
    """It acts legally, without a crash, on both seats, against random and against itself."""
    for record in stage.records:
        if record.wrong is not None:
            raise CheckFailedError(
                _told(record, record.wrong.what),
                "return one of view.legal; a compiled agent, an action whose bit is set in view.legal",
                record.place(),
                record.wrong.story,
            )
    return stage.n_decisions()


def quiet(stage: Stage) -> int:
    """It writes nothing to stdout, which is for results."""
    n_decisions = sum(len(record.decisions) for record in stage.sound)
    if stage.printed:
        first = stage.printed.splitlines()[0][:60]
        raise CheckFailedError(f"it printed {first!r}", "use the logging module, or print(…, file=sys.stderr)")
    return n_decisions


def same_seed(stage: Stage) -> int:
    """It plays a hand in the same way when it is given the same seed again."""
    if (difference := stage.unlike) is not None:
        hint = (
            "all luck must come from the seed of start_hand, or from the rng of a policy: not from the random module, "
            "the clock, or anything that agents share"
        )
        raise _failure(difference, hint)
    return stage.n_decisions()


def memory(stage: Stage) -> int:
    """It keeps no memory from hand to hand: hands in another order are played the same."""
    records = stage.repeatable
    with stage.player() as player:
        difference = first_difference(player, records[::-1])
    if difference is not None:
        hint = "begin each hand as if it were the first: set in start_hand whatever choose changes"
        raise _failure(difference, f"{hint}; the hands before it were others this time")
    return stage.n_decisions()


def hidden_cards(stage: Stage) -> int:
    """It chooses the same when the cards that it cannot see are dealt anew."""
    rng = np.full(1, _LUCK, np.uint64)
    with stage.player() as player:
        for record in stage.repeatable:
            difference = play_again(player, record, _hiding_from(record.case.half, rng))
            if difference is not None:
                raise _failure(
                    difference, "use nothing but the view: the other hand and the stock are not for its eyes"
                )
    return stage.n_decisions()


def _hiding_from(seat: int, rng: Any) -> Callable[[Any], None]:
    return lambda words: move_to_another_world(words, seat, rng)


def read_only(stage: Stage) -> int:
    """It writes nothing into its view, its rules and its parameters."""
    with stage.player() as player:
        if not isinstance(player, BarePlayer):
            raise CheckSkippedError("only compiled agents are shown what can be written to")
        params = player.params.copy()
        for record in stage.sound:
            shown: list[Any] = []
            play_again(player, record, shown.append)
            for number, words in enumerate(shown):
                what = None if np.array_equal(words, record.decisions[number].words) else "its view or its rules"
                if what or not np.array_equal(params, player.params):
                    hint = "it sees a copy, so writing changes nothing: use local variables, or scratch"
                    note = _told(record, f"it writes into {what or 'its parameters'}")
                    raise CheckFailedError(note, hint, record.place(number))
    return stage.n_decisions()


def scratch(stage: Stage) -> int:
    """It chooses the same whatever its scratch memory holds."""
    n_decisions = 0
    with stage.player() as player:
        memory = player.scratch if isinstance(player, BarePlayer) else np.zeros(0, np.uint64)
        size = len(memory)
        if not size:
            raise CheckSkippedError("it asks for no scratch memory")
        noise = np.random.default_rng(_LUCK).integers(0, 1 << 64, size, np.uint64)
        ones = np.full(size, (1 << 64) - 1, np.uint64)
        for number, record in enumerate(stage.repeatable):
            if n_decisions * size > _MOST_GARBAGE:
                break
            difference = play_again(player, record, _writing(memory, ones if number & 2 else noise))
            if difference is not None:
                hint = "scratch is not cleared: write each word before you read it, at every decision"
                raise _failure(difference, hint)
            n_decisions += len(record.decisions)
    return n_decisions


def _writing(memory: Any, garbage: Any) -> Callable[[Any], None]:
    return lambda words: np.copyto(memory, garbage)


def match(stage: Stage) -> int:
    """It plays at any score of a match, and with points carried over."""
    if not stage.is_sound:
        raise CheckSkippedError("cannot be told: it goes wrong outside of matches already (see legal)")
    names, n_decisions = (stage.subject.text, OPPONENT), 0
    scores = list(_scores(stage.rules.match.target, stage.rules.unscored.carry))
    cases = [
        Case(stage.rules, names, i // 2, i % 2, *scores[i // 2 % len(scores)])
        for i in range(max(stage.n_hands, 2 * len(scores)))
    ]
    with stage.player() as player, stage.player() as again:
        opponent = seat(load_agent(OPPONENT), stage.rules, 1)
        for case in cases:
            record = play_hand(case, (player, opponent))
            where = f"at a score of {case.score[0]} to {case.score[1]} with {case.carry} carried over"
            hint = "view.score, view.target and view.carry may have any values of a match"
            if record.wrong is not None:
                note = _told(record, f"{where}, it {record.wrong.what}")
                raise CheckFailedError(note, hint, record.place(), record.wrong.story)
            difference = play_again(again, record) if stage.unlike is None else None
            if difference is not None:
                raise _failure(difference, hint)
            n_decisions += len(record.decisions)
    return n_decisions


def _scores(target: int, carries: bool) -> Iterable[tuple[tuple[int, int], int]]:
    """Scores (mine, theirs) and carries of a match: its corners, and one in between."""
    last = target - 1
    for score, carry in (((last, 0), 0), ((0, last), 1), ((last, last), 3), ((target // 2, target // 3), 2)):
        yield score, carry if carries else 0


def _failure(difference: Difference, hint: str) -> CheckFailedError:
    record = difference.record
    note = _told(record, f"it {difference.what}", difference.decision)
    return CheckFailedError(note, hint, record.place(difference.decision), difference.story)


def _told(record: Record, what: str, decision: int | None = None) -> str:
    case = record.case
    number = len(record.decisions) if decision is None else decision
    where = (
        f"deal {case.deal}, {'second' if case.half else 'first'} half, decision {number + 1}, against {case.names[1]}"
    )
    return f"{what} ({where})"

"""What the parent sees of a worker, second by second, with a made-up pulse."""

import os
from typing import Any

import numpy as np
import pytest

from harness.agent_api.faults import FaultKind
from harness.agent_api.limits import Limits
from harness.play.pulse import HAND, MOVES, NEWS, NOBODY, PULSE_WORDS, ROUND, SIDE
from harness.run.watch import Watch

LIMITS = Limits(move_seconds=2, hand_seconds=5, start_seconds=3, memory_mb=300)
NO_PROGRAMS = (False, False)


@pytest.fixture
def pulse() -> Any:
    return np.zeros(PULSE_WORDS, np.int64)


def beat(pulse: Any, hand: int, side: int, call: int) -> None:
    pulse[HAND], pulse[SIDE], pulse[MOVES + max(side, 0)] = hand, side, call


def test_a_move_counts_from_when_it_is_seen_first(pulse: Any) -> None:
    watch = Watch(pulse, os.getpid(), LIMITS)
    beat(pulse, 8, 1, 70)
    assert [watch.look(1.0, NO_PROGRAMS) for _ in range(3)] == [None] * 3
    verdict = watch.look(1.0, NO_PROGRAMS)
    assert verdict is not None
    assert verdict[0] == FaultKind.MOVE_TIME
    assert (watch.hand, watch.side) == (8, 1)


@pytest.mark.parametrize("word", [MOVES, MOVES + 1, NEWS])
def test_a_call_for_whatever_begins_anew(pulse: Any, word: int) -> None:
    watch = Watch(pulse, os.getpid(), LIMITS)
    beat(pulse, 8, 1, 70)
    for _ in range(3):
        assert watch.look(1.5, NO_PROGRAMS) is None
        pulse[word] += 1


def test_a_hand_counts_the_moves_of_each_side_apart(pulse: Any) -> None:
    watch = Watch(pulse, os.getpid(), LIMITS)
    seen = []
    for call in range(8):
        beat(pulse, 8, call % 2, call)
        seen.append(watch.look(1.5, NO_PROGRAMS))
    assert seen[:7] == [None] * 7
    assert seen[7] is not None
    assert seen[7][0] == FaultKind.HAND_TIME


def test_a_new_hand_begins_anew(pulse: Any) -> None:
    watch = Watch(pulse, os.getpid(), LIMITS)
    for call in range(30):
        beat(pulse, call // 3, 0, call)
        assert watch.look(1.5, NO_PROGRAMS) is None


def test_each_hand_of_a_match_begins_anew(pulse: Any) -> None:
    watch = Watch(pulse, os.getpid(), LIMITS)
    for call in range(30):
        beat(pulse, 8, 0, call)
        pulse[ROUND] = call // 3
        assert watch.look(1.5, NO_PROGRAMS) is None


def test_between_hands_nobody_is_to_blame(pulse: Any) -> None:
    watch = Watch(pulse, os.getpid(), LIMITS)
    beat(pulse, 8, NOBODY, 70)
    assert [watch.look(1.0, NO_PROGRAMS) for _ in range(20)] == [None] * 20


def test_a_program_watches_itself_and_is_ended_later(pulse: Any) -> None:
    """Its worker keeps to the limits of move and start; here only a call that outlives both together is ended."""
    watch = Watch(pulse, os.getpid(), LIMITS)
    beat(pulse, 8, 1, 70)
    seen = [watch.look(1.0, (False, True)) for _ in range(9)]
    assert seen[:8] == [None] * 8
    assert seen[8] is not None


def test_memory_is_blamed_on_the_call_in_which_it_grew(pulse: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit, and by more than a tenth of it: what was there before is not this call's doing."""
    watch = Watch(pulse, os.getpid(), LIMITS)
    megabytes = iter([290, 310, 325, 310, 310, 335])
    monkeypatch.setattr(Watch, "_memory", lambda self: next(megabytes) << 20)
    beat(pulse, 8, 0, 1)
    assert watch.look(0.1, NO_PROGRAMS) is None  # 290 before the call, 310 now: 20 more
    verdict = watch.look(0.1, NO_PROGRAMS)  # 325: 35 more
    assert verdict is not None
    assert verdict[0] == FaultKind.MEMORY
    beat(pulse, 8, 1, 2)
    assert watch.look(0.1, NO_PROGRAMS) is None  # 310 before the other side's call

"""Watching a worker from outside: an agent that takes too long or too much memory cannot say so itself."""

from pathlib import Path
from typing import Any

import psutil

from harness.agent_api.faults import FaultKind
from harness.agent_api.limits import Limits
from harness.play.pulse import BASE, HAND, NOBODY, ROUND, SIDE, calls

_PROGRAM_SECONDS = 2.0
"""How much later than its own limits a call of an outside program is ended from here: it watches its program itself."""
_CALL_SHARE = 0.1
"""Part of the memory limit by which one call must have grown to be blamed for passing it."""
_MEGABYTE = 1 << 20
_MOST_PRINTED = 64 * _MEGABYTE
"""What an agent may write to stdout in one hand before it is stopped; else it would fill the disk."""


class Watch:
    """What the parent sees of one worker.

    Parameters
    ----------
    pulse
        The pulse that the worker's play writes (`harness.play.pulse`).
    process_id
        The worker's process.
    limits
        Of the agents.

    """

    def __init__(self, pulse: Any, process_id: int, limits: Limits):
        self._pulse = pulse
        self._process = psutil.Process(process_id)
        self._stdout = Path(f"/proc/{process_id}/fd/1")
        self._limits = limits
        self._call = self._hand = self._round = -1
        self._side = NOBODY
        self._call_seconds = 0.0
        self._hand_seconds = [0.0, 0.0]
        self._call_memory = 0

    @property
    def hand(self) -> int:
        """The hand or match that was being played at the last look, ``2 * deal + half``."""
        return self._hand

    @property
    def side(self) -> int:
        """The side whose agent was being asked at the last look."""
        return self._side

    def look(self, seconds: float, programs: tuple[bool, bool]) -> tuple[FaultKind, str] | None:
        """Look at the worker, `seconds` after the last time; returns what the agent that is being asked does wrong.

        Parameters
        ----------
        seconds
            Time since the last look, or less if this process slept as well.
        programs
            Which sides of the pairing are outside programs, which keep to their limits by themselves.

        """
        hand, number, side = (int(self._pulse[word]) for word in (HAND, ROUND, SIDE))
        call = calls(self._pulse)
        is_same_hand, is_same_call = (hand, number) == (self._hand, self._round), call == self._call
        self._hand, self._round, self._side, self._call = hand, number, side, call
        if side == NOBODY:
            return None
        if not is_same_hand:
            self._hand_seconds = [0.0, 0.0]
        if not is_same_call:
            self._call_seconds, self._call_memory = 0.0, self._memory()
        self._call_seconds += seconds if is_same_call else 0.0
        self._hand_seconds[side] += seconds if is_same_hand else 0.0
        return self._judge(side, programs[side])

    def _judge(self, side: int, is_program: bool) -> tuple[FaultKind, str] | None:
        limits = self._limits
        grace = _PROGRAM_SECONDS + limits.start_seconds if is_program else 0.0
        if self._call_seconds > limits.move_seconds + grace:
            return FaultKind.MOVE_TIME, f"took more than {limits.move_seconds:g} s for a move"
        if self._hand_seconds[side] > limits.hand_seconds + grace:
            return FaultKind.HAND_TIME, f"took more than {limits.hand_seconds:g} s for its moves of a hand"
        limit, memory = limits.memory_mb * _MEGABYTE, self._memory()
        if memory > limit + int(self._pulse[BASE]) and memory - self._call_memory > _CALL_SHARE * limit:
            return FaultKind.MEMORY, f"took more than {limits.memory_mb:g} MB of memory"
        if self._printed() > _MOST_PRINTED:
            return FaultKind.STDOUT, f"wrote more than {_MOST_PRINTED >> 20} MB to stdout"
        return None

    def _printed(self) -> int:
        """Return how much has been written to stdout in this hand, in bytes; 0 where the system does not tell."""
        try:
            return self._stdout.stat().st_size
        except OSError:
            return 0

    def _memory(self) -> int:
        try:
            return int(self._process.memory_info().rss)
        except psutil.Error:  # it has just ended
            return 0

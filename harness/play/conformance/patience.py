"""A limit of the time that a Python agent takes for one call, so that a check of one that hangs comes to an end.

It is kept by a timer of the system, where there is one, and in the main thread only; a compiled policy cannot be
interrupted. Outside programs keep the limits of `harness.agent_api.outside`.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from harness.agent_api.faults import FaultKind, MisbehaviourError
from harness.agent_api.limits import Limits

MOVE_SECONDS: Final = Limits().move_seconds
"""What a check waits for one call."""
_AGAIN_SECONDS: Final = 1.0
"""How long after it the timer goes off again, for an agent that has caught the first exception."""
_HAS_TIMER: Final = hasattr(signal, "setitimer")


@contextmanager
def patience() -> Iterator[None]:
    """Let the limit be kept in this block, by `limited_call`."""
    if not _HAS_TIMER or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, before)


@contextmanager
def limited_call() -> Iterator[None]:
    """Raise MisbehaviourError, MOVE_TIME, in this block when it takes too long, if somebody is patient."""
    if not _HAS_TIMER or signal.getsignal(signal.SIGALRM) is not _ring:
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, MOVE_SECONDS, _AGAIN_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _ring(number: int, frame: FrameType | None) -> None:
    raise MisbehaviourError(FaultKind.MOVE_TIME, f"did not answer within {MOVE_SECONDS:g} s")

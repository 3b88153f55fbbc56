"""Ctrl-C and SIGTERM: the first one ends a run at the next good moment, a second one at once."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from harness.errors import InterruptedRunError, TerminatedRunError

_NOTED = (signal.SIGINT, signal.SIGTERM)


class Interrupt:
    """Which signal has come first, if any."""

    def __init__(self) -> None:
        self._signal: int | None = None

    @property
    def is_set(self) -> bool:
        """Whether the run is to end."""
        return self._signal is not None

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        """Take note; the second time raise KeyboardInterrupt."""
        if self.is_set:
            raise KeyboardInterrupt
        self._signal = number

    def error(self, text: str) -> InterruptedRunError:
        """Return the error of the signal that has come, with its exit status."""
        return TerminatedRunError(text) if self._signal == signal.SIGTERM else InterruptedRunError(text)


@contextmanager
def noting_interrupts() -> Iterator[Interrupt]:
    """Let these signals set a flag for a while.

    Nothing changes outside the main thread, which alone hears of them; nor for a signal that this process has been
    started to ignore, as by nohup or in the background of a script, or that is handled by other than Python.
    """
    interrupt = Interrupt()
    if threading.current_thread() is not threading.main_thread():
        yield interrupt
        return
    heard = [number for number in _NOTED if signal.getsignal(number) not in (signal.SIG_IGN, None)]
    before = {number: signal.signal(number, interrupt.on_signal) for number in heard}
    try:
        yield interrupt
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

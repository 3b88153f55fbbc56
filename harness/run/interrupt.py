"""Ctrl-C: the first one ends a run at the next good moment, a second one at once."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Whether Ctrl-C has been pressed."""

    def __init__(self) -> None:
        self.is_set = False

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        """Take note; the second time raise KeyboardInterrupt."""
        if self.is_set:
            raise KeyboardInterrupt
        self.is_set = True


@contextmanager
def noting_interrupts() -> Iterator[Interrupt]:
    """Let Ctrl-C set a flag for a while; outside the main thread, which alone hears of signals, nothing changes."""
    interrupt = Interrupt()
    if threading.current_thread() is not threading.main_thread():
        yield interrupt
        return
    before = signal.signal(signal.SIGINT, interrupt.on_signal)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, before)

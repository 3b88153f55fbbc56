import os
import signal
import threading

import pytest

from harness.errors import InterruptedRunError, TerminatedRunError
from harness.run.interrupt import noting_interrupts

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@pytest.mark.parametrize(("number", "kind"), [(SIGNALS[0], InterruptedRunError), (SIGNALS[1], TerminatedRunError)])
def test_the_first_signal_is_noted_and_the_second_ends_at_once(number: int, kind: type[Exception]) -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    with noting_interrupts() as interrupt:
        assert not interrupt.is_set
        os.kill(os.getpid(), number)
        assert interrupt.is_set
        assert type(interrupt.error("stopped")) is kind
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
    assert [signal.getsignal(number) for number in SIGNALS] == before


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_that_the_process_was_started_to_ignore_stays_ignored(number: int) -> None:
    before = signal.signal(number, signal.SIG_IGN)
    try:
        with noting_interrupts() as interrupt:
            assert signal.getsignal(number) is signal.SIG_IGN
            os.kill(os.getpid(), number)
            assert not interrupt.is_set
        assert signal.getsignal(number) is signal.SIG_IGN
    finally:
        signal.signal(number, before)


def test_a_handler_that_python_has_not_set_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[int] = []
    monkeypatch.setattr(signal, "getsignal", lambda number: None)
    monkeypatch.setattr(signal, "signal", lambda number, handler: changed.append(number))
    with noting_interrupts() as interrupt:
        assert not interrupt.is_set
    assert changed == []


def test_outside_the_main_thread_nothing_changes() -> None:
    seen: list[bool] = []

    def note() -> None:
        before = [signal.getsignal(number) for number in SIGNALS]
        with noting_interrupts() as interrupt:
            seen.extend([interrupt.is_set, [signal.getsignal(number) for number in SIGNALS] == before])

    thread = threading.Thread(target=note)
    thread.start()
    thread.join()
    assert seen == [False, True]

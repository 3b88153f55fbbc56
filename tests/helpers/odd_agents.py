"""Python agents that do something a run has to cope with; all play their lowest legal action otherwise."""

import asyncio
import logging
import os
import signal
import stat
import threading
import time
from pathlib import Path

from harness.agent_api.contract import HandInfo
from harness.agent_api.seat_view import SeatView

log = logging.getLogger(__name__)


class Lowest:
    """Plays the lowest legal action."""

    def choose(self, view: SeatView) -> int:
        return view.legal[0]


class Warner(Lowest):
    """Logs a warning in every hand."""

    def start_hand(self, info: HandInfo, seed: int) -> None:
        log.warning("seat %d is dealt a hand", info.seat)


class Printer(Lowest):
    """Prints in every hand."""

    def start_hand(self, info: HandInfo, seed: int) -> None:
        print("hello from an agent")


class Sleeper(Lowest):
    """Sleeps before every hand."""

    def __init__(self, seconds: float = 0.2):
        self.seconds = seconds

    def start_hand(self, info: HandInfo, seed: int) -> None:
        time.sleep(self.seconds)


class Late:
    """Behaves for a number of hands, then does what a subclass wants."""

    def __init__(self, hands: int = 0):
        self.hands = hands
        self._n_hands = 0

    def start_hand(self, info: HandInfo, seed: int) -> None:
        self._n_hands += 1

    def choose(self, view: SeatView) -> int:
        return self.misbehave() if self._n_hands > self.hands else view.legal[0]

    def misbehave(self) -> int:
        raise NotImplementedError


class Illegal(Late):
    """Chooses an action that is never legal."""

    def misbehave(self) -> int:
        return 63


class Crasher(Late):
    """Raises an exception."""

    def misbehave(self) -> int:
        raise ZeroDivisionError("an agent that divides by zero")


class Dier(Late):
    """Kills its own process."""

    def misbehave(self) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return 0


class Leaver(Late):
    """Ends its process as if all were well."""

    def misbehave(self) -> int:
        os._exit(0)


class Hanger(Late):
    """Never answers."""

    def misbehave(self) -> int:
        while True:
            pass


class Dawdler(Late):
    """Takes its time for every move."""

    def choose(self, view: SeatView) -> int:
        if self._n_hands > self.hands:
            time.sleep(0.3)
        return view.legal[0]


class Doomed(Lowest):
    """Ends its process in one hand of sixteen, always in the same ones."""

    def start_hand(self, info: HandInfo, seed: int) -> None:
        if seed % 16 == 0:
            os._exit(3)


class Hoarder(Lowest):
    """Keeps a megabyte of every move."""

    def __init__(self) -> None:
        self._hoard: list[bytes] = []

    def choose(self, view: SeatView) -> int:
        self._hoard.append(os.urandom(1 << 20))
        return view.legal[0]


class Glutton(Late):
    """Takes more and more memory in one move."""

    def misbehave(self) -> int:
        hoard = []
        while True:
            hoard.append(b"x" * (1 << 25))
            time.sleep(0.02)


class Interrupted(Late):
    """Raises what Ctrl-C raises."""

    def misbehave(self) -> int:
        raise KeyboardInterrupt


class Chatterer(Late):
    """Writes to the file of stdout itself, as a library in C does."""

    def choose(self, view: SeatView) -> int:
        if self._n_hands > self.hands:
            os.write(1, b"a word from C")
        return view.legal[0]


class HangsOnce(Lowest):
    """Never answers, but only the first time that anyone asks in the third hand; a file is the sign that it did."""

    def __init__(self, sign: str):
        self.sign = sign
        self._n_hands = 0

    def start_hand(self, info: HandInfo, seed: int) -> None:
        self._n_hands += 1
        if self._n_hands == 3 and not Path(self.sign).exists():
            Path(self.sign).touch()
            while True:
                pass


class Liar(Late):
    """Answers with an object that raises when it is asked for its class."""

    class Answer:
        @property  # type: ignore[misc]
        def __class__(self) -> type:
            raise ZeroDivisionError

    def misbehave(self) -> int:
        return self.Answer()  # type: ignore[return-value]


class Cancelled(Late):
    """Raises what is no Exception."""

    def misbehave(self) -> int:
        raise asyncio.CancelledError


class Wordy(Late):
    """Raises an exception of two megabytes that would clear the screen."""

    def misbehave(self) -> int:
        raise ValueError("\x1b[2J" + "x" * 2_000_000)


class ThreadedHoarder(Lowest):
    """Leaves a thread behind that never ends, and hoards small pieces."""

    def __init__(self) -> None:
        self._hoard: list[bytes] = []

    def choose(self, view: SeatView) -> int:
        if not self._hoard:
            threading.Thread(target=threading.Event().wait).start()
        self._hoard.append(os.urandom(1 << 23))
        return view.legal[0]


class Forker(Lowest):
    """Forks a process that outlives its own, which it ends in one hand of sixteen."""

    def start_hand(self, info: HandInfo, seed: int) -> None:
        if seed % 16 == 0:
            if os.fork() == 0:
                os.setsid()
                time.sleep(5)
                os._exit(0)
            os._exit(3)


class Scribbler(Late):
    """Writes into the pipe of its worker what is no message."""

    def misbehave(self) -> int:
        for number in range(3, 64):
            try:
                if stat.S_ISSOCK(os.fstat(number).st_mode):
                    os.write(number, b"\0\0\0\5hello")
            except OSError:
                pass
        time.sleep(0.1)
        return 0

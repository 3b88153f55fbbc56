"""One process of an outside program: lines in and out with a deadline, what it takes, and its end."""

import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from typing import Final

import psutil

from harness.agent_api.faults import FaultKind, MisbehaviourError
from harness.agent_api.outside_messages import quoted
from harness.paths import why

MOST_LINE = 65_536
"""Bytes of a line that a program may write."""
STDERR_KEPT = 4_096
"""Bytes of stderr that are kept, the last ones."""
_PIECE = 65_536
_LOOK_SECONDS = 0.05
"""How long a wait lasts before it is seen that the program has gone while a child of it keeps the pipe open."""
_MEMORY_SECONDS = 0.25
_MEMORY_SHARE = 50
"""Memory is looked at so seldom that it costs no more than one part in so many of the time."""
_GRACE_SECONDS = 0.5
"""How long a program may take to end once its pipes are closed."""
_BLINK_SECONDS = 0.005
_MARK: Final = "SIXTYSIX_PROGRAM"
"""Environment variable by which children are found that have outlived their program."""
_PR_SET_PDEATHSIG = 1
_numbers = count()


class Program:
    """A running program.

    Its stdout and stderr are read whenever it is waited for, so neither can fill a disk: of stderr the last
    `STDERR_KEPT` bytes are kept.

    Parameters
    ----------
    words
        The command line.
    memory_mb
        Memory that the program and its children may take together, in units of 2^20 bytes.

    Raises
    ------
    MisbehaviourError
        START: the system cannot run it.

    """

    def __init__(self, words: Sequence[str], memory_mb: float):
        self._memory_mb = memory_mb
        self._owner = os.getpid()
        self._mark = f"{self._owner}-{next(_numbers)}-{time.time_ns()}"
        try:
            self._process = subprocess.Popen(
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, _MARK: self._mark},
                preexec_fn=_dying_with_us(ctypes.CDLL(None)) if sys.platform == "linux" else None,
            )
        except OSError as error:
            raise MisbehaviourError(FaultKind.START, f"cannot be run: {why(error)}") from error
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        self._stdin, self._stdout, self._stderr = (pipe.fileno() if pipe else -1 for pipe in pipes)
        self._poll = select.poll()
        for number in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(number, False)
        self._poll.register(self._stdout, select.POLLIN)  # the end of a pipe is always told
        self._poll.register(self._stderr, select.POLLIN)
        self._buffer = b""
        self._tail = b""
        self._next_memory = 0.0

    @property
    def stderr(self) -> str:
        """The end of what the program has written to stderr."""
        return self._tail.decode(errors="replace").strip()

    def send(self, line: bytes, deadline: float) -> None:
        """Write a line; TimeoutError if the program has not made room for it by `deadline` (``time.monotonic``)."""
        left = memoryview(line)
        while left:
            try:
                left = left[os.write(self._stdin, left) :]
            except BlockingIOError:
                self._poll.register(self._stdin, select.POLLOUT)
                self._wait(deadline)
                self._poll.unregister(self._stdin)
            except BrokenPipeError:
                raise self._ended() from None

    def receive(self, deadline: float) -> bytes:
        """Return the next line that the program writes, without its end.

        Raises
        ------
        TimeoutError
            It did not come by `deadline` (``time.monotonic``).
        MisbehaviourError
            DIED, MEMORY, or NONSENSE for a line that is too long.

        """
        while (end := self._buffer.find(b"\n")) < 0:
            self._wait(deadline)
        line, self._buffer = self._buffer[:end], self._buffer[end + 1 :]
        return line

    def check_silence(self) -> None:
        """Raise MisbehaviourError if the program has written what nobody has read, or closed its stdout."""
        with suppress(BlockingIOError):
            self._read(self._stdout)
        if self._buffer:
            line = self._buffer.partition(b"\n")[0]
            raise MisbehaviourError(FaultKind.STDOUT, f"wrote {quoted(line)} without being asked")

    def check_memory(self) -> None:
        """Raise MisbehaviourError if the program takes too much memory; looks a few times a second at most."""
        start = time.monotonic()
        if start < self._next_memory:
            return
        used = sum(_resident(process) for process in self._family()) / 2**20
        end = time.monotonic()
        self._next_memory = end + max(_MEMORY_SECONDS, _MEMORY_SHARE * (end - start))
        if used > self._memory_mb:
            taken = f"took {used:,.0f} MB of memory, more than the {self._memory_mb:,.0f} MB it may have"
            raise MisbehaviourError(FaultKind.MEMORY, taken)

    def stop(self, farewell: bytes) -> None:
        """Say farewell, give the program a moment to end, then kill it; in a forked copy nothing happens."""
        if self._owner != os.getpid() or self._stdin < 0:
            return
        with suppress(OSError, TimeoutError, MisbehaviourError):
            self.send(farewell, time.monotonic() + _GRACE_SECONDS)
        if self._process.stdin:
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Kill the program and whatever it has started, and take back its pipes."""
        if self._owner != os.getpid() or self._stdin < 0:
            return
        family = self._family()
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        family += self._orphans()
        for process in family:
            with suppress(psutil.Error):
                process.kill()
        deadline = time.monotonic() + _GRACE_SECONDS
        while any(map(_is_alive, family)) and time.monotonic() < deadline:
            time.sleep(_BLINK_SECONDS)
        with suppress(BlockingIOError):
            while self._read_stderr():
                pass
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe:
                pipe.close()
        self._stdin = -1

    def _wait(self, deadline: float) -> None:
        """Wait a while for the pipes, and read what is there."""
        now = time.monotonic()
        if now >= deadline:
            raise TimeoutError
        for number, _ in (ready := self._poll.poll(1000 * min(deadline - now, _LOOK_SECONDS))):
            if number == self._stdout:
                self._read(number)
            elif number == self._stderr and not self._read_stderr():
                self._poll.unregister(number)
        if not ready:
            if self._process.poll() is not None:
                raise self._ended()
            self.check_memory()

    def _read(self, number: int) -> None:
        piece = os.read(number, _PIECE)
        if not piece:
            raise self._ended()
        self._buffer += piece
        if len(self._buffer) > MOST_LINE and b"\n" not in self._buffer[:MOST_LINE]:
            what = f"sent a line of more than {MOST_LINE:,} bytes, {quoted(self._buffer)}"
            raise MisbehaviourError(FaultKind.NONSENSE, what)

    def _read_stderr(self) -> bool:
        piece = os.read(self._stderr, _PIECE)
        self._tail = (self._tail + piece)[-STDERR_KEPT:]
        return bool(piece)

    def _ended(self) -> MisbehaviourError:
        """Tell what became of a program that does not read or write any more."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE_SECONDS)
        status = self._process.returncode
        if status is None:
            what = "closed its stdin or stdout"
        elif status < 0:
            what = f"was ended by {_signal_name(-status)}"
        else:
            what = f"ended with exit status {status}"
        return MisbehaviourError(FaultKind.DIED, what)

    def _family(self) -> list[psutil.Process]:
        """The program and its children, theirs too."""
        with suppress(psutil.Error):
            process = psutil.Process(self._process.pid)
            return [process, *process.children(recursive=True)]
        return []

    def _orphans(self) -> list[psutil.Process]:
        """What the program has started and left behind."""
        return [process for process in psutil.process_iter() if _mark_of(process) == self._mark]


def _dying_with_us(libc: ctypes.CDLL) -> Callable[[], None]:
    """Let Linux kill a new process when this one is gone, however it ends; elsewhere it sees that stdin has ended."""
    return lambda: libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _resident(process: psutil.Process) -> int:
    with suppress(psutil.Error):
        return int(process.memory_info().rss)
    return 0


def _is_alive(process: psutil.Process) -> bool:
    """Say whether a process still runs; of one that has ended, something stays until its parent asks for it."""
    with suppress(psutil.Error):
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    return False


def _mark_of(process: psutil.Process) -> str | None:
    with suppress(psutil.Error, OSError):
        return process.environ().get(_MARK)
    return None


def _signal_name(number: int) -> str:
    with suppress(ValueError):
        return f"signal {signal.Signals(number).name}"
    return f"signal {number}"

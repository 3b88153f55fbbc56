"""Agents that are programs of their own, in any language, over the protocol of agents/PROTOCOL.md."""

import os
import shlex
import shutil
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.agent_api.contract import HandInfo, HandResult
from harness.agent_api.faults import FaultKind, MisbehaviourError
from harness.agent_api.limits import Limits
from harness.agent_api.outside_messages import (
    hand_message,
    hello_message,
    move_message,
    quit_message,
    read_action,
    read_ready,
    result_message,
)
from harness.agent_api.outside_program import Program
from harness.agent_api.seat_view import SeatView
from harness.agent_api.spec import AgentSpec
from harness.errors import UsageError
from harness.game.rules import Rules
from harness.paths import is_file

_FLUSH_HINT = "a program that does not flush its stdout after each line looks like this, too"
_MOST_STARTS = 3
"""After so many failures in a row nobody waits for a program any more; its hands are forfeited at once."""
_MOST_TOLD = 3_000
"""Bytes of the last message to a program that its story tells."""


class OutsideAgent:
    """A program at the table, with the methods of a Python agent; every fault is raised as MisbehaviourError.

    The program is started at its first hand, and again after each fault. One object has one process, which plays
    one hand after another; `close` ends it.

    Parameters
    ----------
    spec
        The agent as it is written.

    Raises
    ------
    UsageError
        There is no such program, it cannot be run, or the system cannot run outside programs at all.

    """

    def __init__(self, spec: AgentSpec):
        if os.name != "posix":
            raise UsageError(f'"{spec.text}": outside programs can play on Linux and macOS only')
        self.name = spec.text
        self.limits = Limits()
        program, *arguments = shlex.split(spec.command or "")
        self.words = (str(_found(program, spec.text)), *arguments)
        self._program: Program | None = None
        self._running: tuple[Rules, Limits, int] | None = None
        self._who = ""
        self._last = b""
        self._left = 0.0
        self._failed_starts = 0
        self._finalizer: weakref.finalize[[bytes], OutsideAgent] | None = None

    def start_hand(self, info: HandInfo, seed: int) -> None:
        """Start the program where it is not running, and tell it of the hand."""
        wanted = info.rules, self.limits, os.getpid()  # a forked copy has a program of its own
        if self._running != wanted:
            self.close()
            self._running = wanted
        with self._judged():
            program = self._program or self._start(info.rules)
            self._left = self.limits.hand_seconds
            self._tell(program, hand_message(info, seed))

    def choose(self, view: SeatView) -> int:
        """Ask the program for its action."""
        program = self._program
        assert program is not None, "a hand begins with start_hand"
        limits = self.limits
        with self._judged():
            start = time.monotonic()
            deadline = start + min(limits.move_seconds, self._left)
            try:
                self._tell(program, move_message(view))
                line = program.receive(deadline)
            except TimeoutError:
                raise self._slow() from None
            self._left -= time.monotonic() - start
            action = read_action(line)
            program.check_silence()
            return action

    def end_hand(self, result: HandResult) -> None:
        """Tell the program how the hand ended, and look at the memory it takes."""
        if self._program is not None:
            with self._judged():
                self._tell(self._program, result_message(result))
                self._program.check_memory()

    def close(self) -> None:
        """End the program, if it is running; the next hand starts it again."""
        if self._finalizer is not None:
            self._finalizer()
        self._program = self._finalizer = self._running = None

    def _start(self, rules: Rules) -> Program:
        if self._failed_starts >= _MOST_STARTS:
            raise MisbehaviourError(FaultKind.START, f"did not start {_MOST_STARTS} times in a row, and is left alone")
        self._failed_starts += 1
        program = self._try_start(rules)
        self._failed_starts = 0
        return program

    def _try_start(self, rules: Rules) -> Program:
        limits = self.limits
        self._who, self._last = "", b""
        deadline = time.monotonic() + limits.start_seconds
        program = self._program = Program(self.words, limits.memory_mb)
        self._finalizer = weakref.finalize(self, program.stop, quit_message())
        try:
            self._send(program, hello_message(self.name, rules, limits), deadline)
            self._who = read_ready(program.receive(deadline))
        except TimeoutError:
            what = f"was not ready after {limits.start_seconds:g} s ({_FLUSH_HINT})"
            raise MisbehaviourError(FaultKind.START, what) from None
        except MisbehaviourError as fault:
            if fault.kind is FaultKind.DIED:
                raise MisbehaviourError(FaultKind.START, f"{fault.what} before it was ready") from fault
            raise
        return program

    def _tell(self, program: Program, message: bytes) -> None:
        program.check_silence()
        self._send(program, message, time.monotonic() + self.limits.move_seconds)

    def _send(self, program: Program, message: bytes, deadline: float) -> None:
        self._last = message
        program.send(message, deadline)

    def _slow(self) -> MisbehaviourError:
        limits = self.limits
        if self._left < limits.move_seconds:
            return MisbehaviourError(FaultKind.HAND_TIME, f"thought for more than {limits.hand_seconds:g} s in a hand")
        what = f"did not answer within {limits.move_seconds:g} s ({_FLUSH_HINT})"
        return MisbehaviourError(FaultKind.MOVE_TIME, what)

    @contextmanager
    def _judged(self) -> Iterator[None]:
        """Kill the program after a fault, and add to it what there is to read."""
        try:
            yield
        except TimeoutError:
            raise self._faulty(self._slow()) from None
        except MisbehaviourError as fault:
            raise self._faulty(fault) from fault

    def _faulty(self, fault: MisbehaviourError) -> MisbehaviourError:
        story = [f"program: {self._who or self.name}"]
        if self._last:
            story.append(f"last message to it: {self._last[:_MOST_TOLD].decode(errors='replace').strip()}")
        if self._program is not None:
            self._program.kill()
            stderr = self._program.stderr
            story.append(f"end of its stderr:\n{stderr}" if stderr else "it wrote nothing to stderr")
        self.close()
        return MisbehaviourError(fault.kind, fault.what, "\n".join(story))


def _found(program: str, text: str) -> Path:
    """Return the place of a program: a path with a slash in it is that of a file, all others are looked up in PATH."""
    if os.sep in program:
        path = Path(program).absolute()
        if not is_file(path):
            raise UsageError(f'"{text}": there is no program {path}')
        if not os.access(path, os.X_OK):
            raise UsageError(
                f'"{text}": {path} is not executable; "chmod +x {shlex.quote(program)}" makes it so, or name the '
                f"program that runs it, as in cmd:python3 {shlex.quote(program)}"
            )
        return path
    found = shutil.which(program)
    if found is None:
        here = f"; write cmd:./{program} for the file in this folder" if is_file(Path(program)) else ""
        raise UsageError(f'"{text}": there is no program "{program}" in PATH ({os.environ.get("PATH", "")}){here}')
    return Path(found).absolute()

"""What an outside program can do wrong, each for real: its kind of fault, and a fresh process for the next hand."""

import os
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from harness.agent_api.faults import FaultKind
from harness.agent_api.limits import Limits
from harness.agent_api.outside import OutsideAgent
from harness.agent_api.registry import LoadedAgent
from harness.agent_api.spec import parse_spec
from harness.game.presets import load_rules
from harness.play.fault import Fault
from harness.play.table import Table
from tests.helpers.bots import First, loaded

PROGRAM = Path(__file__).parents[1] / "helpers/programs/misbehaves.py"
LIMITS = Limits(move_seconds=10, hand_seconds=20, start_seconds=10, memory_mb=150)
RULES = load_rules("sixtysix")
Bot = Callable[..., OutsideAgent]


@pytest.fixture
def bot() -> Iterator[Bot]:
    """Make misbehaving programs; in the end none of their processes may be left."""
    made: list[OutsideAgent] = []

    def make(what: str, at: int = 1, **limits: float) -> OutsideAgent:
        command = shlex.join([sys.executable, "-I", "-S", str(PROGRAM), what, str(at)])
        agent = OutsideAgent(parse_spec(f"cmd:{command}"))
        agent.limits = Limits(**{**vars(LIMITS), **limits})
        made.append(agent)
        return agent

    yield make
    for agent in made:
        agent.close()
    assert processes() == []


def processes() -> list[psutil.Process]:
    """All processes that a program of this test, or a child of it, still has; dead ones that nobody has met too."""
    mine = psutil.Process().children(recursive=True)
    marked = [process for process in psutil.process_iter() if mark_of(process).startswith(f"{os.getpid()}-")]
    return list({*mine, *marked})


def mark_of(process: psutil.Process) -> str:
    with suppress(psutil.Error):
        return process.environ().get("SIXTYSIX_PROGRAM", "")
    return ""


def table_of(agent: OutsideAgent) -> Table:
    return Table(RULES, (LoadedAgent("bot", agent, False), loaded(First())), 1)


def fault_of(agent: OutsideAgent, hand: int = 0) -> Fault:
    fault = table_of(agent).play(*divmod(hand, 2))
    assert fault is not None
    assert fault.side == 0
    return fault


@pytest.mark.parametrize(
    ("what", "kind", "said"),
    [
        ("hang", FaultKind.MOVE_TIME, "did not answer within 0.3 s"),
        ("exit", FaultKind.DIED, "ended with exit status 7"),
        ("raise", FaultKind.DIED, "ended with exit status 1"),
        ("abort", FaultKind.DIED, "was ended by signal SIGABRT"),
        ("close-stdout", FaultKind.DIED, "closed its stdin or stdout"),
        ("close-stdin", FaultKind.DIED, "closed its stdin or stdout"),
        ("orphan", FaultKind.DIED, "ended with exit status 3"),
        ("PLAY QH", FaultKind.NONSENSE, 'sent "PLAY QH", which is not JSON'),
        ('{"action": "PLAY QH"', FaultKind.NONSENSE, "which is not JSON"),
        ("[" * 60_000, FaultKind.NONSENSE, "which is not JSON"),
        ('["PLAY QH"]', FaultKind.NONSENSE, 'sent "["PLAY QH"]", which is not a JSON object'),
        ('{"play": "QH"}', FaultKind.NONSENSE, 'which has no text "action"'),
        ('{"action": 1}', FaultKind.NONSENSE, 'which has no text "action"'),
        ('{"action": "FOLD"}', FaultKind.NONSENSE, "which names no action"),
        ('{"action": "PLAY QH JH"}', FaultKind.NONSENSE, "which names no action"),
        ("long-line", FaultKind.NONSENSE, "sent a line of more than 65,536 bytes"),
        ("endless-line", FaultKind.NONSENSE, "sent a line of more than 65,536 bytes"),
        ("twice", FaultKind.STDOUT, 'wrote "{"action": "PLAY'),
        ("endless-stderr", FaultKind.MOVE_TIME, "did not answer within 0.3 s"),
        ("hog", FaultKind.MEMORY, "MB of memory, more than the 150 MB it may have"),
        ("child-hog", FaultKind.MEMORY, "MB of memory, more than the 150 MB it may have"),
        ("illegal", FaultKind.ILLEGAL, "which is not legal there"),
    ],
)
def test_each_wrong_has_its_kind_and_the_next_hand_a_fresh_process(
    bot: Bot, what: str, kind: FaultKind, said: str
) -> None:
    """It happens at the second decision of each process, so a process that had gone on would not fail twice."""
    agent = bot(what, move_seconds=0.3 if kind is FaultKind.MOVE_TIME else 10)
    for hand in (0, 1):
        fault = fault_of(agent, hand)
        assert (fault.kind, said in fault.what) == (kind, True), fault.what
        if kind is FaultKind.ILLEGAL:
            agent.close()  # the table judges it, the program goes on
        assert processes() == []


def test_a_hand_after_a_fault_is_played_by_a_fresh_process(bot: Bot) -> None:
    """At the 16th decision the second hand is under way: a hand has 12, one for each card."""
    table = table_of(bot("exit", at=15))
    assert [table.play(deal, 0) is not None for deal in range(4)] == [False, True, False, True]


@pytest.mark.parametrize(
    ("what", "kind", "said"),
    [
        ("start-hang", FaultKind.START, "was not ready after 0.3 s"),
        ("start-exit", FaultKind.START, "ended with exit status 1 before it was ready"),
        ("start-version", FaultKind.START, "speaks protocol 2, not 1"),
        ("start-banner", FaultKind.NONSENSE, 'sent "Misbehaves 0.9, copyright by me", which is not JSON'),
        ('ready {"type": "hi"}', FaultKind.NONSENSE, "which is no answer to hello"),
        ('ready {"type": "ready", "name": "x"}', FaultKind.NONSENSE, "does not say its protocol"),
        ('ready {"type": "ready", "protocol": true, "name": "x"}', FaultKind.NONSENSE, "does not say its protocol"),
        ('ready {"type": "ready", "protocol": 1}', FaultKind.NONSENSE, "the name"),
        ('ready {"type": "ready", "protocol": 1, "name": "x", "version": 2}', FaultKind.NONSENSE, "the version"),
    ],
)
def test_a_program_that_does_not_get_ready_cannot_play(bot: Bot, what: str, kind: FaultKind, said: str) -> None:
    agent = bot(what, start_seconds=0.3 if what == "start-hang" else 10)
    for hand in (0, 1):
        fault = fault_of(agent, hand)
        assert (fault.kind, said in fault.what) == (kind, True), fault.what
        assert processes() == []


def test_thinking_is_added_up_over_a_hand(bot: Bot) -> None:
    """Each decision takes 0.05 s of 10, but the 12 of a hand are over its 0.25."""
    fault = fault_of(bot("slow", hand_seconds=0.25))
    assert fault.kind is FaultKind.HAND_TIME
    assert fault.what == "thought for more than 0.25 s in a hand"


def test_the_time_of_a_hand_begins_anew_with_each(bot: Bot) -> None:
    """The 12 decisions of each take 0.6 s, those of both more than 1.15 s."""
    table = table_of(bot("slow", hand_seconds=1.15))
    assert table.play(0, 0) is None
    assert table.play(0, 1) is None


def test_memory_is_looked_at_between_hands_too(bot: Bot) -> None:
    """A few times a second, so quick hands may be played before it is seen."""
    table = table_of(bot("hoard", at=3))
    deadline = time.monotonic() + 20
    faults = [table.play(0, 0)]
    while faults[-1] is None and time.monotonic() < deadline:
        faults.append(table.play(len(faults), 0))
    assert faults[-1] is not None
    assert faults[-1].kind is FaultKind.MEMORY


@pytest.mark.parametrize(("what", "line"), [("talks", "good luck"), ("gossips", "good game")])
def test_what_nobody_has_asked_for_is_quoted(bot: Bot, what: str, line: str) -> None:
    """Seen at the next word to the program, or, if it is as quick as that, taken for the next answer."""
    agent = bot(what)
    table = table_of(agent)
    faults = [fault for deal in range(3) if (fault := table.play(deal, 0)) is not None]
    assert faults
    assert {fault.what for fault in faults} <= {
        f'wrote "{line}" without being asked',
        f'sent "{line}", which is not JSON',
    }


def test_the_story_tells_who_what_and_the_end_of_stderr(bot: Bot) -> None:
    story = fault_of(bot("raise")).story
    assert story.startswith('program: misbehaves 0.9\nlast message to it: {"type":"move","legal":["')
    assert "RuntimeError: no idea what to play" in story
    assert "it wrote nothing to stderr" in fault_of(bot("hang", move_seconds=0.3)).story


def test_of_an_endless_stderr_the_last_bytes_are_kept(bot: Bot) -> None:
    end = fault_of(bot("endless-stderr", move_seconds=0.3)).story.partition("end of its stderr:\n")[2]
    assert 3_000 < len(end) <= 4_096
    assert "lorem ipsum\nlorem ipsum\n" in end


def test_a_program_that_ignores_signals_is_killed(bot: Bot) -> None:
    agent = bot("stubborn")
    assert table_of(agent).play(0, 0) is None
    assert len(processes()) == 1
    start = time.monotonic()
    agent.close()
    assert processes() == []
    assert time.monotonic() - start < 5


def test_children_of_a_program_end_with_it(bot: Bot) -> None:
    agent = bot("family")
    assert table_of(agent).play(0, 0) is None
    assert len(processes()) == 3
    agent.close()
    assert processes() == []


def test_closing_twice_or_before_the_start_is_no_harm(bot: Bot) -> None:
    agent = bot("none")
    agent.close()
    assert table_of(agent).play(0, 0) is None
    agent.close()
    agent.close()
    assert table_of(agent).play(0, 0) is None, "a hand after the end starts the program again"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process together with its parent")
def test_a_program_that_hangs_goes_with_a_process_that_is_killed(bot: Bot) -> None:
    agent = bot("hang", at=0, move_seconds=60)
    number = os.fork()
    if number == 0:
        table_of(agent).play(0, 0)
        os._exit(0)
    wait_for(lambda: psutil.Process(number).children())
    program = psutil.Process(number).children()[0]
    os.kill(number, signal.SIGKILL)
    os.waitpid(number, 0)
    wait_for(lambda: not program.is_running() or program.status() == psutil.STATUS_ZOMBIE)


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_program_goes_with_its_agent() -> None:
    agent = OutsideAgent(parse_spec(f"cmd:{shlex.join([sys.executable, '-I', '-S', str(PROGRAM), 'none'])}"))
    assert table_of(agent).play(0, 0) is None
    assert len(processes()) == 1
    del agent
    assert processes() == []

"""Agents that do wrong: each kind is counted, costs its hands and nothing else, and no agent stops or hangs a run."""

from collections import defaultdict
from pathlib import Path

import pytest

from harness.agent_api.faults import FAULT_KINDS, FaultKind
from harness.errors import AgentFaultError, WorkerError
from harness.run.supervise import Crew
from harness.run.workers import Facts
from harness.store.reader import open_run
from harness.store.rows import FaultRow
from tests.helpers.small_runs import go_on, play, result

ODD = "tests.helpers.odd_agents"
MEMORY = {"memory_mb": 256}
"""For agents that spend memory and no time: a busy machine must not make them late."""
LIMITS = {"move_seconds": 0.9, "hand_seconds": 1.2, **MEMORY}
HANDS = 2 * 8
"""Hands of eight deals. Agents that go wrong late behave for 14 of them, and after a restart again for as many."""

FAULTS = [
    (f"{ODD}:Crasher:hands=14", FaultKind.CRASH, 2),
    (f"{ODD}:Interrupted:hands=14", FaultKind.CRASH, 2),
    (f"{ODD}:Cancelled:hands=14", FaultKind.CRASH, 2),
    (f"{ODD}:Wordy:hands=14", FaultKind.CRASH, 2),
    (f"{ODD}:Illegal:hands=14", FaultKind.NONSENSE, 2),
    (f"{ODD}:Liar:hands=14", FaultKind.NONSENSE, 2),
    (f"{ODD}:Printer", FaultKind.STDOUT, HANDS),
    (f"{ODD}:Chatterer:hands=14", FaultKind.STDOUT, 2),
    (f"{ODD}:Hanger:hands=14", FaultKind.MOVE_TIME, 1),
    (f"{ODD}:Dawdler:hands=14", FaultKind.HAND_TIME, 1),
    (f"{ODD}:Glutton:hands=14", FaultKind.MEMORY, 1),
    (f"{ODD}:Dier:hands=14", FaultKind.DIED, 1),
    (f"{ODD}:Doomed", FaultKind.DIED, 1),
    (f"{ODD}:Forker", FaultKind.DIED, 1),
    (f"{ODD}:Scribbler:hands=14", FaultKind.DIED, 1),
    (f"{ODD}:Leaver:hands=14", FaultKind.DIED, 1),
]


@pytest.mark.parametrize(("agent", "kind", "n"), FAULTS, ids=[agent.split(":", 1)[1] for agent, _, _ in FAULTS])
def test_every_fault_costs_its_hands_and_has_a_kind(tmp_path: Path, agent: str, kind: FaultKind, n: int) -> None:
    """Between the others everything is as it would be without it; its stories are in the database and in the log."""
    play(tmp_path / "faulty", [agent, f"{ODD}:Lowest", "random"], 8, chunk_deals=8, limits=LIMITS)
    play(tmp_path / "honest", [f"{ODD}:Lowest"] * 2 + ["random"], 8)
    faulty, honest = result(tmp_path / "faulty"), result(tmp_path / "honest")
    assert faulty.complete
    assert faulty.codes[2] == honest.codes[2]
    with open_run(tmp_path / "faulty") as run:
        counts = run.faults
        assert counts[:, 1].sum() == 0
        assert counts[:, 0].sum() == counts[:, 0, FAULT_KINDS.index(kind)].sum()
        assert counts[0, 0].sum() >= n
        assert run.endings.sum() + counts.sum() == 3 * HANDS
        rows = run.fault_rows(100)
        assert {row.kind for row in rows} == {str(kind)}
        lost = [(row.pairing, row.deal, row.half) for row in rows]
        assert len(set(lost)) == len(lost)
        for pairing, deal, half in lost:
            code = faulty.codes[pairing][deal]
            assert (code // 7, code % 7)[half] == 0
    log = (tmp_path / "faulty" / "run.log").read_text()
    assert "forfeited" in log
    assert "see the hand: sixtysix show" in log


def test_a_leak_costs_the_leaking_agent_alone(tmp_path: Path) -> None:
    """However small its pieces are; the other agent, in Python too, is never blamed."""
    play(tmp_path, [f"{ODD}:Lowest", f"{ODD}:Hoarder"], 60, n_workers=2, limits=MEMORY)
    with open_run(tmp_path) as run:
        assert run.complete
        assert run.faults[0, 1, FAULT_KINDS.index(FaultKind.MEMORY)] >= 2
        assert run.faults[0, 0].sum() == 0


def test_memory_that_a_worker_begins_with_is_no_agents_doing(tmp_path: Path) -> None:
    """A fork has all that its parent has, here more than the limit."""
    ballast = b"x" * (400 << 20)
    play(tmp_path, [f"{ODD}:Lowest", "random"], 20, n_workers=2, limits={"memory_mb": 256})
    assert len(ballast) == 400 << 20
    with open_run(tmp_path) as run:
        assert run.complete
        assert run.faults.sum() == 0


def test_a_retired_worker_ends_whatever_threads_it_has_and_nobody_else_is_blamed(tmp_path: Path) -> None:
    play(tmp_path, [f"{ODD}:ThreadedHoarder", f"{ODD}:Lowest"], 8, limits=MEMORY)
    with open_run(tmp_path) as run:
        assert run.complete
        assert run.faults[0, 0, FAULT_KINDS.index(FaultKind.MEMORY)] >= 1
        assert run.faults[0].sum() == run.faults[0, 0, FAULT_KINDS.index(FaultKind.MEMORY)]


def test_the_first_fault_of_a_hand_stands() -> None:
    """As in the database: a second one, of whichever side, is neither told nor does it change who forfeits."""
    crew = object.__new__(Crew)
    crew._lost = defaultdict(dict)
    first, second = FaultRow(0, 7, 1, 0, "memory", "took"), FaultRow(0, 7, 1, 1, "move-time", "took")
    assert list(crew._told(Facts((first,)))) == [Facts((first,))]
    assert list(crew._told(Facts((second,)))) == []
    assert crew._lost[0] == {15: 0}


def test_the_words_of_an_agent_are_cut_and_cannot_change_a_terminal(tmp_path: Path) -> None:
    play(tmp_path, [f"{ODD}:Wordy", "random"], 3)
    with open_run(tmp_path) as run:
        rows = run.fault_rows(10)
    assert len(rows) == 6
    for row in rows:
        assert row.what.startswith("crashed: ValueError:  [2Jxxx")
        assert len(row.what) <= 500
        assert len(row.story) <= 20_000


@pytest.mark.parametrize("agent", ["Crasher:hands=20", "Hanger:hands=20", "Doomed"], ids=["crash", "hang", "death"])
def test_abort_ends_the_run_at_the_first_fault_and_resume_goes_on(tmp_path: Path, agent: str) -> None:
    with pytest.raises(AgentFaultError) as caught:
        play(tmp_path, [f"{ODD}:{agent}", "random"], 60, chunk_deals=5, limits=LIMITS, on_fault="abort")
    assert str(caught.value).startswith(f"{ODD}:{agent} ")
    assert f"sixtysix resume {tmp_path}" in caught.value.__notes__[-1]
    with open_run(tmp_path) as run:
        assert not run.complete
        assert run.faults.sum() == 0
        assert run.counts.sum() < 60
    go_on(tmp_path, chunk_deals=5)
    with open_run(tmp_path) as run:
        assert run.complete
        assert run.faults.sum() > 0


def test_the_same_faults_whatever_the_workers_and_the_chunks(tmp_path: Path) -> None:
    agents = ["tests.helpers.bots:Moody", "random", "example"]
    play(tmp_path / "one", agents, 60)
    for name, settings in {
        "two": {"n_workers": 2, "chunk_deals": 7},
        "spawned": {"n_workers": 2, "method": "spawn", "chunk_deals": 20},
    }.items():
        play(tmp_path / name, agents, 60, **settings)  # type: ignore[arg-type]
        assert result(tmp_path / name) == result(tmp_path / "one")
    assert sum(map(sum, result(tmp_path / "one").faults[0])) > 0


def test_a_fault_by_time_is_a_fact_that_resume_keeps(tmp_path: Path) -> None:
    """Stored before its chunk is played again, it holds even where the agent would behave the next time."""
    with pytest.raises(KeyboardInterrupt):
        play_until_the_first_fact(tmp_path)
    with open_run(tmp_path) as run:
        (lost,) = run.lost
        assert run.faults.sum() == 0, "its deal has not been played yet"
    go_on(tmp_path, limits=LIMITS)
    with open_run(tmp_path) as run:
        assert run.complete
        assert run.faults.sum() == 1
        pairing, deal, half, side = lost
        (row,) = run.fault_rows(10)
        assert (row.pairing, row.deal, row.half, row.side) == lost
        code = result(tmp_path).codes[pairing][deal]
        assert (code // 7, code % 7)[half] == (6 if side else 0)


def play_until_the_first_fact(folder: Path) -> None:
    """An agent that hangs once, ever: there is a file that it makes before."""
    from harness.store.writer import RunWriter

    before = RunWriter.add_faults

    def add_and_leave(self: RunWriter, fault: object) -> None:
        before(self, fault)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunWriter, "add_faults", add_and_leave)
        agent = f"{ODD}:HangsOnce:sign={folder}-sign"
        play(folder, ["random", agent], 12, chunk_deals=4, limits=LIMITS)


def test_workers_that_die_with_nobody_to_blame_end_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.run.workers.Tables.play", lambda *arguments: exit_now())
    with pytest.raises(WorkerError, match=r"died while it played .*, as 4 others have before it"):
        play(tmp_path, ["random", "random"], 10)


def exit_now() -> None:
    raise SystemExit(9)

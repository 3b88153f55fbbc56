"""Whole runs in small: the result depends on the config alone, and nothing that happens to a run is silent."""

import errno
import itertools
import multiprocessing
import os
from pathlib import Path

import duckdb
import numpy as np
import pytest

from harness.agent_api.registry import load_agent
from harness.errors import AgentFaultError, FaultsError, SixtySixError, UsageError, WorkerError
from harness.game.rules import Rules
from harness.play.pairing import PairingPlayer
from harness.run.schedule import Chunk
from harness.run.workers import Job, Tables
from harness.store.reader import open_run
from harness.store.rows import RUN_FILE
from tests.helpers.small_runs import play, result

ODD = "tests.helpers.odd_agents"


@pytest.mark.parametrize(
    ("n_workers", "method", "chunk_deals"),
    [(2, "fork", None), (1, "fork", 1000), (2, "fork", 7), (4, "fork", 1), (2, "spawn", 50)],
)
def test_the_result_depends_on_the_config_alone(
    tmp_path: Path, n_workers: int, method: str, chunk_deals: int | None
) -> None:
    agents = ["random", "normal", "example"]
    play(tmp_path / "one", agents, 120)
    play(tmp_path / "other", agents, 120, n_workers, method, chunk_deals)
    assert result(tmp_path / "one") == result(tmp_path / "other")
    assert result(tmp_path / "one").complete


def test_a_run_is_what_its_pairings_play(tmp_path: Path) -> None:
    play(tmp_path, ["random", "easy", "normal"], 200, n_workers=2, chunk_deals=64, seed=5)
    agents = [load_agent(name) for name in ("random", "easy", "normal")]
    expected = [
        PairingPlayer(Rules(), agents[i], agents[j], 5, number).play(0, 200)
        for number, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)])
    ]
    digest, _, endings, _, codes, _ = result(tmp_path)
    assert digest == sum(played.digest for played in expected) % 2**64
    assert codes == [played.codes.tolist() for played in expected]
    assert endings == np.stack([played.endings for played in expected]).tobytes()


def test_the_sides_of_a_mirror_match_share_no_state(tmp_path: Path) -> None:
    """An agent in Python that keeps its stream in itself plays against itself what `random` does."""
    play(tmp_path / "python", ["tests.helpers.bots:PlainRandom"] * 2, 50)
    play(tmp_path / "compiled", ["random"] * 2, 50)
    assert result(tmp_path / "python") == result(tmp_path / "compiled")


def test_seed_zero_is_a_seed_of_its_own(tmp_path: Path) -> None:
    for name, seed in (("zero", 0), ("zero again", 0), ("one", 1)):
        play(tmp_path / name, ["random", "random"], 50, seed=seed)
    assert result(tmp_path / "zero") == result(tmp_path / "zero again")
    assert result(tmp_path / "zero")[0] != result(tmp_path / "one")[0]


def test_a_run_tells_what_it_was(tmp_path: Path) -> None:
    play(tmp_path, ["normal", "normal", "example"], 10, format="gauntlet", anchor="normal#2", rules="schnapsen")
    with open_run(tmp_path) as run:
        assert run.agents == ("normal", "normal#2", "example")
        assert [agent.kind for agent in run.agent_rows] == ["compiled", "compiled", "Python"]
        assert run.pairings == ((0, 1), (0, 2))
        assert run.anchor == "normal#2"
        assert run.config["rules"]["nines"] is False
        assert (run.config["deals"], run.config["seed"]) == (10, 1)
        assert {"sixtysix", "rules", "sources", "python", "numba"} <= run.versions.keys()
        assert run.machine["workers"] == 1
        assert run.seconds is not None
        assert run.seconds > 0


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_the_warning_of_a_worker_reaches_the_log_and_the_terminal(
    tmp_path: Path, method: str, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path, [f"{ODD}:Warner", "random"], 3, n_workers=2, method=method)
    log = (tmp_path / "run.log").read_text()
    assert log.count("WARNING") == 6
    assert log.count("tests.helpers.odd_agents: seat 1 is dealt a hand") == 3
    assert "worker-" in log
    assert capsys.readouterr().err.count("warning: seat 0 is dealt a hand") == 3


def test_an_error_that_nobody_expects_is_told_in_a_line_and_once_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(self: PairingPlayer, first_deal: int, n_deals: int, lost: object) -> None:
        raise LookupError("no such thing")

    monkeypatch.setattr("harness.play.pairing.PairingPlayer.play", fail)
    with pytest.raises(WorkerError) as caught:
        play(tmp_path, ["easy", "random"], 100, chunk_deals=10)
    assert str(caught.value) == "worker 0 failed at deals 0 to 9 of easy against random: LookupError: no such thing"
    assert f"the log tells more: {tmp_path / 'run.log'}" in caught.value.__notes__
    assert (tmp_path / "run.log").read_text().count("Traceback") == 1
    assert "Traceback" not in capsys.readouterr().err


def test_workers_that_cannot_be_started_are_told_of_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forks = iter([None, None])
    real = os.fork

    def limited() -> int:
        if next(forks, "no more") == "no more":
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return real()

    monkeypatch.setattr("os.fork", limited)
    with pytest.raises(WorkerError, match=r"cannot start 5 workers \(Resource .*\): try fewer --workers"):
        play(tmp_path, ["easy", "random"], 100, n_workers=5)
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("seconds", [0.0, 0.01, 3.0])
def test_a_chunk_in_pieces_is_the_same_chunk(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Pieces that are short, long, or as long as they like: a look-up before each, and the results of the whole."""
    clock = itertools.count()
    monkeypatch.setattr("harness.run.workers.time.perf_counter", lambda: next(clock) * seconds)
    job = Job(Rules(), 5, ("example", "random"), {0: (0, 1)})
    looks: list[None] = []
    tables = Tables(job, [load_agent(name) for name in job.agents], lambda: looks.append(None), lambda fault: None)
    row = tables.play(Chunk(0, 0, 7, 50), worker=0)
    whole = PairingPlayer(Rules(), load_agent("example"), load_agent("random"), 5, 0).play(7, 50)
    assert (row.codes, row.digest) == (whole.codes.tobytes(), whole.digest)
    assert row.endings == whole.endings.astype("<i8").tobytes()
    assert len(looks) == (50 if seconds == 3.0 else 6)


def test_unknown_agents_are_all_told_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(FaultsError) as caught:
        play(tmp_path / "run", ["noraml", "random", "esy"], 10)
    assert len(caught.value.faults) == 2
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("n_workers", [0, -1, 100_000])
def test_the_number_of_workers_has_limits(tmp_path: Path, n_workers: int) -> None:
    with pytest.raises(UsageError, match="workers = "):
        play(tmp_path / "run", ["random", "random"], 10, n_workers)


def test_every_error_of_a_run_has_its_own_exit_status() -> None:
    kinds = [kind for kind in SixtySixError.__subclasses__() if kind not in (UsageError,)]
    assert {kind.__name__ for kind in kinds} >= {"AgentFaultError", "WorkerError", "RunFileError"}
    assert AgentFaultError.status != WorkerError.status


@pytest.mark.parametrize("agents", [["easy", "random"], ["example", "random"]])
def test_the_moves_of_a_pairing_are_the_actions_that_are_recorded(tmp_path: Path, agents: list[str]) -> None:
    play(tmp_path, agents, 60, record="actions", rules="bicycle")
    asked = "SELECT agent, count(*) FROM actions GROUP BY agent"
    with open_run(tmp_path) as run:
        moves = run.pairing_moves
    with duckdb.connect(tmp_path / RUN_FILE, read_only=True) as database:
        recorded = dict(database.execute(asked).fetchall())
    assert moves.tolist() == [[recorded[agent] for agent in agents]]

"""Whatever is killed, and whenever: what was committed stays, and the finished run is that of an undisturbed one."""

import multiprocessing
import os
import signal
import time
from pathlib import Path
from random import Random
from typing import Any

import psutil
import pytest

from harness.store.reader import open_run
from harness.store.rows import RUN_FILE
from tests.helpers.small_runs import go_on, play, result

AGENTS = ["random", "normal", "example"]
DEALS = 2_500
CHUNK = 25
FORK = multiprocessing.get_context("fork")


class Victim:
    """A run in a process of its own, begun or gone on with."""

    def __init__(self, folder: Path, **settings: Any):
        begun = (folder / RUN_FILE).exists()
        target, arguments = (go_on, (folder,)) if begun else (play, (folder, AGENTS, DEALS))
        self.process = FORK.Process(
            target=target, args=arguments, kwargs={"n_workers": 2, "chunk_deals": CHUNK, **settings}
        )
        self.process.start()
        assert self.process.pid is not None
        self.id = self.process.pid

    def kill(self) -> None:
        os.kill(self.id, signal.SIGKILL)
        self.process.join()

    def kill_a_worker(self, rng: Random) -> bool:
        """Kill one of the workers; False if there is none yet or any more."""
        try:
            workers = psutil.Process(self.id).children()
            os.kill(rng.choice(workers).pid, signal.SIGKILL)
        except (psutil.Error, IndexError, ProcessLookupError):
            return False
        return True


def played(folder: Path) -> int:
    """Deals that a run has committed; 0 while it has no tables yet."""
    if not (folder / RUN_FILE).exists():
        return 0
    with open_run(folder) as run:
        return sum(run.done.values())


def torment(folder: Path, n_kills: int, seed: int, **settings: Any) -> int:
    """Play a run to its end while its process or one of its workers is killed at random moments.

    What was committed never becomes less. Returns how many kills there were; when the run is complete too early, the
    rest of them is not missed.
    """
    rng = Random(seed)
    kills = before = 0
    while kills < n_kills:
        victim = Victim(folder, **settings)
        if rng.random() < 0.5:
            for _ in range(3):
                time.sleep(rng.uniform(0.0, 0.15))
                kills += victim.kill_a_worker(rng)
        time.sleep(rng.uniform(0.02, 0.35))
        if victim.process.is_alive():
            victim.kill()
            kills += 1
        now = played(folder)
        assert now >= before
        before = now
        if now == 3 * DEALS:
            break
    last = Victim(folder, **settings)
    last.process.join()
    assert last.process.exitcode == 0
    return kills


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("undisturbed")
    play(folder, AGENTS, DEALS)
    return folder


def check_kills(tmp_path: Path, undisturbed: Path, n_kills: int, **settings: Any) -> None:
    kills, seed = 0, 0
    while kills < n_kills:
        folder = tmp_path / str(seed)
        kills += torment(folder, n_kills - kills, seed, **settings)
        assert result(folder) == result(undisturbed)
        seed += 1
    print(f"{kills} kills over {seed} runs")


def test_a_run_survives_kills_at_random_moments(tmp_path: Path, undisturbed: Path) -> None:
    check_kills(tmp_path, undisturbed, 24)


@pytest.mark.slow
def test_a_run_survives_two_hundred_kills(tmp_path: Path, undisturbed: Path) -> None:
    check_kills(tmp_path, undisturbed, 200, record="actions")


def test_killed_workers_are_replaced_within_the_same_run(tmp_path: Path, undisturbed: Path) -> None:
    victim, rng, kills = Victim(tmp_path), Random(1), 0
    while victim.process.is_alive():
        time.sleep(0.15)
        kills += victim.kill_a_worker(rng)
    assert victim.process.exitcode == 0
    assert kills >= 2
    assert result(tmp_path) == result(undisturbed)


def test_a_killed_run_leaves_no_process_and_no_lock(tmp_path: Path) -> None:
    """Not even with an agent that never answers: its worker ends with the run, and the folder is free at once."""
    hanging = ["tests.helpers.odd_agents:Hanger", "random"]
    process = FORK.Process(target=play, args=(tmp_path, hanging, DEALS), kwargs={"n_workers": 2})
    process.start()
    deadline = time.monotonic() + 30
    while len(psutil.Process(process.pid).children()) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)
    workers = psutil.Process(process.pid).children()
    process.kill()
    process.join()
    gone, alive = psutil.wait_procs(workers, timeout=3)
    assert (len(gone), alive) == (2, [])
    with open_run(tmp_path) as run:
        assert not run.complete

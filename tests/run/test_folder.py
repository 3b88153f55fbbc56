import errno
import os
import pickle
import re
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from harness.errors import RunBusyError, UsageError
from harness.log import log_names
from harness.report.report import write_report
from harness.run.config import build_config
from harness.run.folder import FolderLock, check_folder, claimed_folder, default_folder, reopened_folder
from harness.store.rows import DRAWN_FILES, LADDER_FILES, REPORT_FILES
from tests.helpers.runs import made_up_run


def test_the_folder_is_named_after_agents_or_config_and_the_digest() -> None:
    config = build_config({"agents": ["normal", "easy:slip=0.3"]})
    assert default_folder(config) == Path("results") / f"normal-vs-easy-slip=0.3-{config.digest()[:8]}"
    named = build_config({"agents": ["normal", "easy"], "name": "first"})
    assert default_folder(named) == Path("results") / f"first-{named.digest()[:8]}"


def test_letters_of_any_language_stay_in_the_name_and_it_is_cut_to_what_file_systems_take() -> None:
    config = build_config({"agents": ["normal", "easy"], "name": "Größe 王牌!"})
    assert default_folder(config).name == f"Größe-王牌-{config.digest()[:8]}"
    for letter in ("a", "é", "王", "\U0001f0a1\U00020000"):
        folder = default_folder(build_config({"agents": ["normal", "easy"], "name": letter * 300}))
        assert len(folder.name.encode()) <= 89


@pytest.mark.parametrize("agent", ["../../etc/bot.py:Bot", "/tmp/bot.py:Bot", "x" * 300])
def test_no_agent_leads_out_of_the_results(agent: str) -> None:
    folder = default_folder(build_config({"agents": [agent, "random"]}))
    assert folder.parent == Path("results")
    assert len(folder.name) < 100
    assert not folder.name.startswith(".")


def claim(folder: Path, replace: bool = False) -> None:
    with claimed_folder(folder, replace):
        pass


def make_run(folder: Path) -> None:
    """A folder as a run leaves it."""
    (folder / "report" / "figures").mkdir(parents=True)
    wal = "run.duckdb.wal"
    for name in (
        "run.duckdb",
        wal,
        f"{wal}.checkpoint",
        f"{wal}.recovery",
        *log_names("run.log"),
        *(f"report/{name}" for name in REPORT_FILES),
    ):
        (folder / name).write_text("old")


def content(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_new_or_empty_folder_is_taken(tmp_path: Path) -> None:
    claim(tmp_path / "deep" / "down")
    claim(tmp_path / "deep" / "down")
    assert content(tmp_path / "deep" / "down") == {"run.log": ""}


def test_a_run_is_replaced_only_when_asked(tmp_path: Path) -> None:
    make_run(tmp_path)
    before = content(tmp_path)
    with pytest.raises(UsageError, match="holds a run already:"):
        claim(tmp_path)
    assert content(tmp_path) == before
    claim(tmp_path, replace=True)
    assert [path.name for path in tmp_path.iterdir()] == ["run.log"]
    assert content(tmp_path) == {"run.log": ""}


def test_the_report_files_that_are_replaced_are_those_that_are_written(tmp_path: Path) -> None:
    write_report(made_up_run({"easy": 0.0, "normal": 0.3}, 20), tmp_path, plot=True)
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert written < set(REPORT_FILES)
    assert set(REPORT_FILES) - set(DRAWN_FILES) - written == set(LADDER_FILES)


def test_what_is_left_of_a_run_that_never_began_is_replaced_when_asked(tmp_path: Path) -> None:
    (tmp_path / "run.log").write_text("old")
    with pytest.raises(UsageError, match="holds a run that never began: --replace"):
        claim(tmp_path)
    claim(tmp_path, replace=True)
    assert content(tmp_path) == {"run.log": ""}


@pytest.mark.parametrize("replace", [True, False])
@pytest.mark.parametrize("with_run", [True, False])
@pytest.mark.parametrize(
    "name", ["thesis.txt", ".notes", "report/thesis.txt", "report/deep/thesis.txt", "report/figures/thesis.txt"]
)
def test_files_of_others_are_never_deleted(tmp_path: Path, name: str, with_run: bool, replace: bool) -> None:
    if with_run:
        make_run(tmp_path)
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("mine")
    before = content(tmp_path)
    with pytest.raises(UsageError, match=r"report/deep|thesis\.txt|\.notes"):
        claim(tmp_path, replace)
    assert content(tmp_path) == before


@pytest.mark.parametrize("name", ["run.duckdb", "run.duckdb.wal", "run.log", "report/summary.json"])
@pytest.mark.parametrize("kind", ["folder", "link"])
def test_what_only_has_the_name_of_a_run_s_file_is_never_deleted(tmp_path: Path, name: str, kind: str) -> None:
    folder = tmp_path / "run"
    make_run(folder)
    (folder / name).unlink()
    if kind == "folder":
        (folder / name).mkdir()
        (folder / name / "mine.txt").write_text("mine")
    else:
        (tmp_path / "mine.txt").write_text("mine")
        (folder / name).symlink_to(tmp_path / "mine.txt")
    before = content(tmp_path)
    with pytest.raises(UsageError, match=name):
        claim(folder, replace=True)
    assert content(tmp_path) == before


def test_a_report_that_is_a_link_or_a_file_is_never_deleted(tmp_path: Path) -> None:
    make_run(tmp_path / "other")
    for number in (0, 1):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "run.log").write_text("old")
        if number:
            (folder / "report").symlink_to(tmp_path / "other" / "report")
        else:
            (folder / "report").write_text("mine")
    before = content(tmp_path)
    for number in (0, 1):
        with pytest.raises(UsageError, match="report"):
            claim(tmp_path / str(number), replace=True)
    assert content(tmp_path) == before


def test_a_report_alone_is_no_sign_of_a_run(tmp_path: Path) -> None:
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "summary.json").write_text("mine")
    for replace in (True, False):
        with pytest.raises(UsageError, match="not the folder of a run"):
            claim(tmp_path, replace)
    assert (tmp_path / "report" / "summary.json").read_text() == "mine"


def reopen(folder: Path, replace: bool) -> None:
    with reopened_folder(folder):
        pass


@pytest.mark.parametrize("replace", [True, False])
@pytest.mark.parametrize("kind", ["claimed", "reopened"])
def test_a_folder_belongs_to_one_run_at_a_time(tmp_path: Path, kind: str, replace: bool) -> None:
    (tmp_path / "run.duckdb").write_text("old")
    held: AbstractContextManager[FolderLock] = (
        claimed_folder(tmp_path, replace=True) if kind == "claimed" else reopened_folder(tmp_path)
    )
    with held:
        (tmp_path / "run.duckdb").write_text("being written")
        for refuse in (claim, check_folder, reopen):
            with pytest.raises(RunBusyError, match=r"another process is writing the run in .*: wait until .* or stop"):
                refuse(tmp_path, replace)
        assert (tmp_path / "run.duckdb").read_text() == "being written"
    reopen(tmp_path, replace)
    claim(tmp_path, replace=True)


def test_several_may_read_a_run_while_nobody_writes_it(tmp_path: Path) -> None:
    (tmp_path / "run.duckdb").write_text("old")
    reading = reopened_folder(tmp_path, only_reads=True)
    with reading, reopened_folder(tmp_path, only_reads=True), pytest.raises(RunBusyError):
        reopen(tmp_path, replace=False)
    with reopened_folder(tmp_path), pytest.raises(RunBusyError), reopened_folder(tmp_path, only_reads=True):
        pass


def test_the_log_may_be_put_aside_while_the_folder_is_locked(tmp_path: Path) -> None:
    with claimed_folder(tmp_path, replace=False):
        (tmp_path / "run.log").rename(tmp_path / "run.log.1")
        with pytest.raises(RunBusyError):
            claim(tmp_path, replace=True)


WRITER = """
import os, sys, time
from pathlib import Path
from harness.run.folder import claimed_folder
with claimed_folder(Path(sys.argv[1]), replace=False) as lock:
    worker = os.fork()
    if worker == 0:
        if sys.argv[2] == "closes":
            lock.close()
            lock.close()
        print(os.getpid(), flush=True)
        time.sleep(600)
    time.sleep(600)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("closes", [True, False])
def test_a_killed_run_frees_its_folder_at_once_if_its_workers_have_closed_the_lock(
    tmp_path: Path, closes: bool
) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path), "closes" if closes else "keeps"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        worker = int(writer.stdout.readline())
        with pytest.raises(RunBusyError):  # a worker that closes its copy takes nothing from its parent
            claim(tmp_path)
        writer.kill()
        writer.wait()
    try:
        if closes:
            claim(tmp_path)
        else:
            with pytest.raises(RunBusyError):
                claim(tmp_path)
    finally:
        os.kill(worker, 9)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            claim(tmp_path)
            break
        except RunBusyError:
            time.sleep(0.01)
    claim(tmp_path)


def test_a_lock_is_not_sent_to_other_processes(tmp_path: Path) -> None:
    with claimed_folder(tmp_path, replace=False) as lock:
        pickle.loads(pickle.dumps(lock)).close()
        with pytest.raises(RunBusyError):
            claim(tmp_path)


@pytest.mark.parametrize("what", ["no locks", "no module"])
def test_where_there_are_no_locks_the_database_is_the_guard(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    def refuse(descriptor: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    n_open = len(list(Path("/dev/fd").iterdir()))
    if what == "no module":
        monkeypatch.setitem(sys.modules, "fcntl", None)
    else:
        monkeypatch.setattr(fcntl, "flock", refuse)
    with claimed_folder(tmp_path, replace=False) as lock:
        claim(tmp_path)
        lock.close()
    assert len(list(Path("/dev/fd").iterdir())) == n_open


@pytest.mark.parametrize(
    ("name", "words"), [("none", "is not a folder"), ("empty", "is not the folder of a run"), ("why?/x", "option")]
)
def test_only_the_folder_of_a_run_is_reopened(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=words):
        reopen(tmp_path / name, replace=False)
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


def test_the_ways_out_of_a_folder_that_holds_a_run_can_be_typed(tmp_path: Path) -> None:
    make_run(tmp_path / "my run")
    with pytest.raises(UsageError) as caught:
        claim(tmp_path / "my run")
    name = f"'{tmp_path / 'my run'}'"
    for way in (f"sixtysix resume {name} ", f"--into {name} ", "--replace deletes it", "--out DIR"):
        assert way in str(caught.value)


def test_an_export_is_no_part_of_a_run_and_never_deleted(tmp_path: Path) -> None:
    make_run(tmp_path)
    (tmp_path / "export").mkdir()
    (tmp_path / "export" / "hands.csv").write_text("mine")
    before = content(tmp_path)
    with pytest.raises(UsageError, match=r"has more in it than a run \(it has export\)"):
        claim(tmp_path, replace=True)
    assert content(tmp_path) == before


def test_a_place_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(UsageError, match="is a file"):
            claim(folder, replace=True)


@pytest.mark.parametrize("method", ["iterdir", "is_dir", "lstat"])
def test_a_folder_that_cannot_be_read_is_refused_in_a_sentence(
    tmp_path: Path, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "run.log").write_text("old")

    def refuse(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, method, refuse)
    with pytest.raises(UsageError, match="cannot be used: Permission denied; choose another one with --out"):
        claim(tmp_path, replace=True)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("x" * 300, "name too long"), ("why?", 'what follows a "?"'), ("\udcff", "not text in UTF-8")],
)
def test_a_path_that_cannot_be_is_refused_in_a_sentence(tmp_path: Path, name: str, reason: str) -> None:
    for folder in (tmp_path / name, tmp_path / name / "run"):
        with pytest.raises(UsageError, match=f"(?i){re.escape(reason)}"):
            claim(folder)
    assert list(tmp_path.iterdir()) == []

"""The command as a process of its own: quick help, Ctrl-C, broken pipes, exit statuses."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from harness.store.reader import open_run
from tests.helpers.command import REPOSITORY, clean_environment, start

ODD_FILE = REPOSITORY / "tests" / "helpers" / "odd_agents.py"
HELPS = ["", "pit", "tournament", "sprt", "plan", "resume", "report", "show", "bench"]
HELPS += ["rules", "rules list", "rules show", "rules diff"]
HELPS += ["agents list", "agents show", "agents check", "agents new"]


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def start_long_run(folder: Path, agent: str) -> tuple[subprocess.Popen[str], list[int]]:
    """Start a run that takes minutes, in the folder `run`; return it, once it plays, with its two workers."""
    process = start("pit", "random", agent, "--deals", "10000000", "--workers", "2", "--out", "run", folder=folder)
    deadline = time.monotonic() + 120
    while not (folder / "run" / "run.duckdb.wal").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1.0)
    workers = children(process.pid)
    assert len(workers) == 2
    return process, workers


@pytest.mark.parametrize("command", ["", "tournament"])
def test_help_is_quick(command: str, benchmark: BenchmarkFixture) -> None:
    """Under 0.3 s on any machine of these years; measured with ``--benchmark-enable``, never a reason to fail."""
    arguments = [sys.executable, "-m", "harness", *command.split(), "--help"]
    done = benchmark(subprocess.run, arguments, env=clean_environment(), capture_output=True, check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("command", HELPS)
def test_help_has_examples_and_loads_nothing_heavy(command: str) -> None:
    code = (
        "import sys\n"
        "from harness.cli.app import main\n"
        "status = main(sys.argv[1:])\n"
        "print(sorted({'numba', 'numpy', 'duckdb', 'matplotlib', 'scipy', 'tqdm'} & sys.modules.keys()))\n"
        "sys.exit(status)\n"
    )
    arguments = [sys.executable, "-c", code, *command.split(), "--help"]
    run = subprocess.run(arguments, env=clean_environment(), capture_output=True, text=True, check=True)
    assert run.stdout.startswith(f"Usage: sixtysix {command}".rstrip())
    assert f"Examples:\n    sixtysix {command}".rstrip() in run.stdout
    assert run.stdout.endswith("[]\n")
    assert run.stderr == ""
    words, _, _ = run.stdout.partition("Examples:")
    assert all(len(line) <= 80 for line in words.splitlines())
    assert not re.search(r"\w\.\.\.$|<", words, re.MULTILINE)  # a sentence that was cut, or the name of a type


def test_the_version_is_printed(tmp_path: Path) -> None:
    process = start("--version", folder=tmp_path)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert out.split()[0] == "sixtysix"


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to see the workers")
def test_ctrl_c_ends_a_run_cleanly_and_loses_nothing(tmp_path: Path) -> None:
    process, workers = start_long_run(tmp_path, "example")
    begin = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - begin < 5
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert "what was played until then is kept in run" in err
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
    stopped_after = int(err.split("stopped after ")[1].split()[0].replace(",", ""))
    with open_run(tmp_path / "run") as run:
        assert 2 * run.counts.sum() == stopped_after > 0


@pytest.mark.parametrize("to_all", [True, False])
def test_a_signal_to_terminate_ends_a_run_as_ctrl_c_does(tmp_path: Path, to_all: bool) -> None:
    process, workers = start_long_run(tmp_path, "example")
    if to_all:
        os.killpg(process.pid, signal.SIGTERM)
    else:
        process.terminate()
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (143, "")
    assert "Traceback" not in err
    assert "what was played until then is kept in run" in err
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


@pytest.mark.parametrize("agent", ["example", f"{ODD_FILE}:Sleeper"])
def test_workers_go_when_their_parent_is_killed(tmp_path: Path, agent: str) -> None:
    """Within a chunk, too: the sleeping agent takes many times the deadline for one."""
    process, workers = start_long_run(tmp_path, agent)
    process.kill()
    process.communicate(timeout=60)
    deadline = time.monotonic() + 5
    while any(Path(f"/proc/{worker}").exists() for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


def test_two_commands_never_share_a_folder(tmp_path: Path) -> None:
    long = ["pit", "random", "example", "--deals", "10000000", "--workers", "1", "--out", "run"]
    process = start(*long, folder=tmp_path)
    deadline = time.monotonic() + 120
    while not (tmp_path / "run" / "run.duckdb").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    for replace in ([], ["--replace"]):
        other = start("pit", "random", "easy", "--deals", "5", "--out", "run", *replace, folder=tmp_path)
        out, err = other.communicate(timeout=60)
        assert (other.returncode, out) == (6, "")
        assert err == "error: another process is writing the run in run: wait until it has ended, or stop it\n"
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    after = start("pit", "random", "easy", "--deals", "5", "--out", "run", "--replace", folder=tmp_path)
    _, err = after.communicate(timeout=60)
    assert after.returncode == 0, err


def test_a_home_folder_is_read_where_no_shell_does(tmp_path: Path) -> None:
    command = ["pit", "random", "easy", "--deals", "5"]
    caches = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))  # those of compiled code and of fonts
    home = str(tmp_path / "home")
    process = start(*command, folder=tmp_path, SIXTYSIX_OUT="~/run", HOME=home, XDG_CACHE_HOME=caches)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert (tmp_path / "home" / "run" / "run.duckdb").is_file()


BASH = f"sixtysix() {{ '{sys.executable}' -m harness \"$@\"; }}; "


def run_in_shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line for the shell, with `sixtysix` as a user has it."""
    return subprocess.run(
        ["bash", "-c", BASH + command],
        cwd=folder,
        env=clean_environment(),
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=120,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    ("command", "status", "message"),
    [
        ("rules list > /dev/full", 1, "error: stdout: No space left on device\n"),
        ("--help > /dev/full", 1, "error: No space left on device\n"),
        ("rules list >&-", 1, "error: stdout: Bad file descriptor\n"),
        ("rules list > /dev/full 2>&1", 1, ""),
        ("rules list 2>&- | head -1 > /dev/null; exit ${PIPESTATUS[0]}", 0, ""),
    ],
)
def test_a_result_that_cannot_be_written_is_an_error_in_a_line(
    tmp_path: Path, command: str, status: int, message: str
) -> None:
    run = run_in_shell(f"sixtysix {command}", tmp_path)
    assert (run.returncode, run.stderr) == (status, message)


def test_without_stderr_advice_does_not_go_to_stdout(tmp_path: Path) -> None:
    run = run_in_shell("sixtysix pit noraml easy 2>&-", tmp_path)
    assert (run.returncode, run.stdout) == (2, "")


def test_a_full_disk_ends_a_run_in_a_line(tmp_path: Path) -> None:
    # Files may have one block: the log and the database outgrow that.
    run = run_in_shell("ulimit -f 1; sixtysix pit random easy --deals 100000 --out run", tmp_path)
    assert (run.returncode, run.stdout) == (4, ""), run.stderr
    assert "error: run/run.duckdb cannot be" in run.stderr
    assert "Traceback" not in run.stderr


def test_too_few_open_files_for_the_workers_are_told_with_the_way_out(tmp_path: Path) -> None:
    run = run_in_shell("ulimit -n 64; sixtysix pit random easy --deals 10 --workers 200", tmp_path)
    assert (run.returncode, run.stdout) == (5, ""), run.stderr
    assert run.stderr == "error: this machine cannot start 200 workers (Too many open files): try fewer --workers\n"


CHATTERBOX = """
import os, sys
print("printed by an import")
class Chatty:
    def __init__(self):
        print("printed by a constructor", file=sys.__stdout__)
        os.system("echo printed by a child")
    def choose(self, view):
        os.write(1, b"printed by a choice\\n")
        return view.legal[0]
"""


@pytest.mark.parametrize(
    "command",
    ["pit chatty.py:Chatty random --deals 3 --json", "show chatty.py:Chatty random"],
)
def test_what_an_agent_prints_goes_to_stderr_wherever_it_prints_it(tmp_path: Path, command: str) -> None:
    """Printing before the play is no fault; printing while it plays loses the hand in a run."""
    (tmp_path / "chatty.py").write_text(CHATTERBOX)
    process = start(*command.split(), folder=tmp_path)
    out, err = process.communicate(timeout=120)
    assert process.returncode == (3 if command.startswith("pit") else 0), err
    assert not out.startswith("printed")
    assert out.startswith(("{", "transcript 1"))
    for place in ("an import", "a constructor", "a child", "a choice"):
        assert f"printed by {place}" in err


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    command = f"'{sys.executable}' -m harness rules show | head -1"
    run = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"({command}) && ({command.replace('head -1', 'true')})"],
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout.startswith("sixtysix: ")
    assert run.stderr == ""
    assert run.returncode == 0


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_without_suit_signs_is_no_error(tmp_path: Path, encoding: str) -> None:
    process = start("pit", "normal", "easy", "--deals", "20", folder=tmp_path, PYTHONIOENCODING=encoding)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "normal" in out

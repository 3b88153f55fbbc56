"""The folder of a run: its name, whether it may be written, and that only one run at a time writes it."""

import os
import re
import shlex
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from harness.errors import RunBusyError, UsageError
from harness.log import log_names
from harness.paths import shown, why
from harness.run.config import RunConfig
from harness.store.rows import (
    FIGURES_FOLDER,
    LOG_FILE,
    REPORT_FILES,
    REPORT_FOLDER,
    RUN_FILE,
    WAL_FILE,
    check_place,
    run_file,
)

RESULTS = Path("results")
_FILES = (WAL_FILE, f"{WAL_FILE}.checkpoint", f"{WAL_FILE}.recovery", RUN_FILE, *log_names(LOG_FILE))
"""All files of a run but for its report; two are there only if DuckDB was killed at a bad moment."""
_MAX_NAME = 80
"""Bytes of a run's name in that of its folder."""


def default_folder(config: RunConfig) -> Path:
    """Return ``results/<name>-<first 8 digits of the config digest>``; the name is the run's or that of its agents."""
    return RESULTS / f"{folder_name(config.name or '-vs-'.join(config.agents))}-{config.digest()[:8]}"


def folder_name(name: str) -> str:
    """Make the name of a folder from any name: not too long, and without what shells or systems would not take."""
    plain = re.sub(r"[^\w.=-]+", "-", name).strip("-.")
    return plain.encode()[:_MAX_NAME].decode(errors="ignore") or "run"


class FolderLock:
    """Keeps other processes out of a folder until it is closed, here and in every process that this one has forked.

    Programs that are started do not get it, nor do spawned workers.

    Parameters
    ----------
    descriptor
        The number of the open folder; None where the system has no such locks: the database, which has its own, is the
        second guard.

    """

    def __init__(self, descriptor: int | None):
        self._descriptor = descriptor

    def close(self) -> None:
        """Let go of the lock; a forked worker does so at once, that the folder is free when its parent dies."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __reduce__(self) -> tuple[type["FolderLock"], tuple[None]]:
        return FolderLock, (None,)


def check_folder(folder: Path, replace: bool) -> None:
    """Refuse a folder that cannot be that of a new run; touches nothing.

    Raises
    ------
    UsageError
        Something is there that must not be lost, or the folder cannot be made or written.
    RunBusyError
        Another process is writing it.

    """
    check_place(folder)
    try:
        _check_above(folder)
        if folder.is_dir():
            with closing(_lock(folder)):
                _check_content(folder, replace)
    except OSError as error:
        raise _cannot_be_used(folder, error) from error


@contextmanager
def claimed_folder(folder: Path, replace: bool) -> Iterator[FolderLock]:
    """Make the folder of a run, empty but for an empty log, and keep other processes out until the block ends.

    Parameters
    ----------
    folder
        The run's folder, which must not exist, or be empty.
    replace
        Delete the run that is there: the files of a run and of its report, and nothing else.

    Raises
    ------
    UsageError, RunBusyError
        As by `check_folder`; nothing has been deleted then.

    """
    check_folder(folder, replace)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = _lock(folder)
    except OSError as error:
        raise _cannot_be_used(folder, error) from error
    with closing(lock):
        try:
            _check_content(folder, replace)  # again: another run may have ended here in the meantime
            _empty(folder)
        except OSError as error:
            raise _cannot_be_used(folder, error) from error
        yield lock


@contextmanager
def reopened_folder(folder: Path, only_reads: bool = False) -> Iterator[FolderLock]:
    """Keep other processes from writing into the folder of a run that is there, until the block ends.

    Parameters
    ----------
    folder
        The run's folder.
    only_reads
        Let others read it at the same time.

    Raises
    ------
    UsageError
        It is not the folder of a run, or cannot be used.
    RunBusyError
        Another process is writing it.

    """
    run_file(folder)
    try:
        lock = _lock(folder, only_reads)
    except OSError as error:
        raise UsageError(f"the folder {shown(folder)} cannot be used: {why(error)}") from error
    with closing(lock):
        yield lock


def _check_above(folder: Path) -> None:
    above = next((place for place in (folder, *folder.parents) if place.exists()), folder)
    if not above.is_dir():
        raise UsageError(
            f"the folder {shown(folder)} cannot be made: {shown(above)} is a file; choose another one with --out"
        )
    if not os.access(above, os.R_OK | os.W_OK | os.X_OK):
        raise UsageError(
            f"the folder {shown(folder)} cannot be written: no permission for {shown(above)}; choose one with --out"
        )


def _check_content(folder: Path, replace: bool) -> None:
    """Refuse anything but a run that is to be replaced, or nothing; an empty log is nothing."""
    names = sorted(entry.name for entry in folder.iterdir())
    log_file = folder / LOG_FILE
    began = RUN_FILE in names
    has_run = began or (LOG_FILE in names and log_file.lstat().st_size > 0)
    strange = next(_strange(folder), None)
    if strange is None and not has_run and any(name != LOG_FILE for name in names):
        strange = next(name for name in names if name != LOG_FILE)
    if strange is not None:
        kind = "has more in it than a run" if began else "is not empty and not the folder of a run"
        raise UsageError(f"{shown(folder)} {kind} (it has {shown(strange)}): choose another one with --out")
    if has_run and not replace:
        raise UsageError(_ways_out(folder) if began else _never_began(folder))


def _ways_out(folder: Path) -> str:
    name = shlex.quote(shown(folder))
    return "\n".join(
        [
            f"{shown(folder)} holds a run already:",
            f"  sixtysix resume {name} goes on with it,",
            f"  sixtysix tournament AGENT --into {name} adds agents or deals to it,",
            "  --replace deletes it and plays again, --out DIR plays elsewhere",
        ]
    )


def _never_began(folder: Path) -> str:
    return (
        f"{shown(folder)} holds a run that never began: --replace deletes its log and plays again, --out DIR plays "
        "elsewhere"
    )


def _strange(folder: Path) -> Iterator[str]:
    """Names of everything in a folder that no run has put there; links and wrong kinds are strange, too."""
    for entry in sorted(folder.iterdir()):
        mode = entry.lstat().st_mode
        if entry.name == REPORT_FOLDER and S_ISDIR(mode):
            yield from (f"{REPORT_FOLDER}/{name}" for name in _strange_in_report(entry))
        elif entry.name not in _FILES:
            yield entry.name
        elif not S_ISREG(mode):
            yield f"{entry.name}, which is no plain file"


def _strange_in_report(report: Path) -> Iterator[str]:
    for file in sorted(report.rglob("*")):
        name, mode = file.relative_to(report).as_posix(), file.lstat().st_mode
        if not (S_ISDIR(mode) if name == FIGURES_FOLDER else name in REPORT_FILES and S_ISREG(mode)):
            yield name


def _empty(folder: Path) -> None:
    """Delete a run's files; its log, which stays as an empty one, is the sign of a run until all others have gone."""
    report = folder / REPORT_FOLDER
    if report.exists():
        for name in REPORT_FILES:
            (report / name).unlink(missing_ok=True)
        if (report / FIGURES_FOLDER).exists():
            (report / FIGURES_FOLDER).rmdir()
        report.rmdir()
    for name in _FILES:
        if name != LOG_FILE:
            (folder / name).unlink(missing_ok=True)
    (folder / LOG_FILE).write_bytes(b"")


def _lock(folder: Path, only_reads: bool = False) -> FolderLock:
    """Lock a folder; RunBusyError if another process holds it."""
    try:
        import fcntl
    except ImportError:
        return FolderLock(None)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if only_reads else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise RunBusyError(
            f"another process is writing the run in {shown(folder)}: wait until it has ended, or stop it"
        ) from None
    except OSError:  # some network file systems have no locks
        os.close(descriptor)
        return FolderLock(None)
    return FolderLock(descriptor)


def _cannot_be_used(folder: Path, error: OSError) -> UsageError:
    return UsageError(f"the folder {shown(folder)} cannot be used: {why(error)}; choose another one with --out")

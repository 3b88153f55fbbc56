"""The folder of a run: its name, whether it may be written, and that only one run at a time writes it."""

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from io import FileIO
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from harness.errors import RunFileError, UsageError
from harness.paths import shown, why
from harness.run.config import RunConfig
from harness.store.rows import LOG_FILE, REPORT_FILES, REPORT_FOLDER, RUN_FILE, WAL_FILE, check_place

RESULTS = Path("results")
_FILES = (WAL_FILE, RUN_FILE, LOG_FILE)
_MAX_NAME = 80
"""Bytes of a run's name in that of its folder."""


def default_folder(config: RunConfig) -> Path:
    """Return ``results/<name>-<first 8 digits of the config digest>``; the name is the run's or that of its agents."""
    name = re.sub(r"[^\w.=-]+", "-", config.name or "-vs-".join(config.agents)).strip("-.")
    short = name.encode()[:_MAX_NAME].decode(errors="ignore")
    return RESULTS / f"{short or 'run'}-{config.digest()[:8]}"


def check_folder(folder: Path, replace: bool) -> None:
    """Refuse a folder that cannot be that of a new run; touches nothing.

    Raises
    ------
    UsageError
        Something is there that must not be lost, or the folder cannot be made or written.
    RunFileError
        Another run is writing it.

    """
    check_place(folder)
    try:
        _check_above(folder)
        if folder.is_dir():
            if (folder / LOG_FILE).is_file() and not (folder / LOG_FILE).is_symlink():
                with closing(FileIO(folder / LOG_FILE)) as log_file:
                    _lock(log_file, folder)
            _check_content(folder, replace)
    except OSError as error:
        raise _cannot_be_used(folder, error) from error


@contextmanager
def claimed_folder(folder: Path, replace: bool) -> Iterator[None]:
    """Make the folder of a run, empty but for an empty log, and keep other runs out of it until the block ends.

    The log file is locked, where the system can do that; forked workers hold the lock too, until they have gone.

    Parameters
    ----------
    folder
        The run's folder, which must not exist, or be empty.
    replace
        Delete the run that is there: the files of a run and of its report, and nothing else.

    Raises
    ------
    UsageError, RunFileError
        As by `check_folder`; nothing has been deleted then.

    """
    check_folder(folder, replace)
    with ExitStack() as kept:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            log_file = kept.enter_context(closing(FileIO(folder / LOG_FILE, "a")))
            _lock(log_file, folder)
            _check_content(folder, replace)  # again: another run may have ended here in the meantime
            _empty(folder)
            log_file.truncate(0)
        except OSError as error:
            raise _cannot_be_used(folder, error) from error
        yield


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
        what = "a run already: --replace deletes it" if began else "a run that never began: --replace deletes its log"
        raise UsageError(f"{shown(folder)} holds {what} and plays again, --out DIR plays elsewhere")


def _strange(folder: Path) -> Iterator[str]:
    """Names of everything in a folder that no run has put there; links and wrong kinds are strange, too."""
    for entry in sorted(folder.iterdir()):
        mode = entry.lstat().st_mode
        if entry.name == REPORT_FOLDER and S_ISDIR(mode):
            for file in sorted(entry.iterdir()):
                if file.name not in REPORT_FILES or not S_ISREG(file.lstat().st_mode):
                    yield f"{REPORT_FOLDER}/{file.name}"
        elif entry.name not in _FILES:
            yield entry.name
        elif not S_ISREG(mode):
            yield f"{entry.name}, which is no plain file"


def _empty(folder: Path) -> None:
    """Delete a run's files but for its log, which stays as the sign of a run until all others have gone."""
    report = folder / REPORT_FOLDER
    if report.exists():
        for name in REPORT_FILES:
            (report / name).unlink(missing_ok=True)
        report.rmdir()
    for name in (WAL_FILE, RUN_FILE):
        (folder / name).unlink(missing_ok=True)


def _lock(log_file: FileIO, folder: Path) -> None:
    """Lock a log file until it is closed; RunFileError if another run holds it."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system; the database, which has its own, is the second guard
        return
    try:
        fcntl.flock(log_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise RunFileError(
            f"another run is being played in {shown(folder)}: wait until it has ended, or choose another folder with "
            "--out"
        ) from None
    except OSError:  # some network file systems have no locks
        return


def _cannot_be_used(folder: Path, error: OSError) -> UsageError:
    return UsageError(f"the folder {shown(folder)} cannot be used: {why(error)}; choose another one with --out")

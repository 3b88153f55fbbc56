"""The folder of a run: its name, and whether it may be written."""

import os
import re
import shutil
from pathlib import Path

from harness.errors import UsageError
from harness.run.config import RunConfig
from harness.store.rows import LOG_FILE, REPORT_FOLDER, RUN_FILE

RESULTS = Path("results")
_OURS = (RUN_FILE, f"{RUN_FILE}.wal", LOG_FILE, REPORT_FOLDER)
_MAX_NAME = 80


def default_folder(config: RunConfig) -> Path:
    """Return ``results/<name>-<first 8 digits of the config digest>``; the name is the run's or that of its agents."""
    name = re.sub(r"[^A-Za-z0-9._=-]+", "-", config.name or "-vs-".join(config.agents)).strip("-.")
    return RESULTS / f"{name[:_MAX_NAME] or 'run'}-{config.digest()[:8]}"


def check_folder(folder: Path, replace: bool) -> None:
    """Refuse a folder that cannot be that of a new run; touches nothing.

    Raises
    ------
    UsageError
        Something is there that must not be lost, or the folder cannot be made or written.

    """
    if folder.is_dir():
        content = sorted(entry.name for entry in folder.iterdir())
        strange = [name for name in content if name not in _OURS]
        if content and (strange or RUN_FILE not in content) and not (replace and not strange):
            raise UsageError(
                f"{folder} is not empty and not the folder of a run (it has {strange[0] if strange else content[0]}): "
                "choose another one with --out"
            )
        if content and not replace:
            raise UsageError(
                f"{folder} holds a run already: --replace deletes it and plays again, --out DIR plays elsewhere"
            )
    above = next((place for place in (folder, *folder.parents) if place.exists()), folder)
    if not above.is_dir():
        raise UsageError(f"the folder {folder} cannot be made: {above} is a file; choose another one with --out")
    if not os.access(above, os.W_OK | os.X_OK):
        raise UsageError(f"the folder {folder} cannot be written: no permission for {above}; choose one with --out")


def prepare_folder(folder: Path, replace: bool) -> None:
    """Make the folder of a run, empty; deletes the run in it if that is to be replaced (see `check_folder`)."""
    check_folder(folder, replace)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in _OURS:
            path = folder / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"the folder {folder} cannot be written: {error.strerror}; choose one with --out") from error

"""Play what is missing of a run whose config is known: all of it, the rest, or nothing."""

from collections.abc import Sequence
from pathlib import Path

from harness.agent_api.registry import LoadedAgent
from harness.errors import UsageError
from harness.paths import is_file, shown
from harness.run.config import RunConfig
from harness.run.folder import check_folder, claimed_folder, reopened_folder
from harness.run.manner import Manner
from harness.run.play import play_run
from harness.run.so_far import SoFar, check_unchanged, read_so_far
from harness.store.rows import RUN_FILE


def found_so_far(folder: Path, config: RunConfig, replace: bool = False) -> SoFar | None:
    """Read what a folder has of a run; None if it is to be played from its beginning.

    Parameters
    ----------
    folder
        The run's folder, which need not exist.
    config
        The run.
    replace
        Whatever run is there will be deleted.

    Raises
    ------
    UsageError
        The folder holds something else, or cannot be used.
    RunFileError
        Its database cannot be read, or another process is writing it.

    """
    if replace or not is_file(folder / RUN_FILE):
        check_folder(folder, replace)
        return None
    with reopened_folder(folder):
        so_far = read_so_far(folder)
    if so_far.config.digest() != config.digest():
        raise UsageError(
            f"{shown(folder)} holds another run than this one ({so_far.config.title} under "
            f"{so_far.config.rules_text}, {so_far.config.deals:,} deals): --replace deletes it and plays again, --out "
            "DIR plays elsewhere"
        )
    return so_far


def play_rest(
    config: RunConfig,
    agents: Sequence[LoadedAgent],
    folder: Path,
    manner: Manner,
    so_far: SoFar | None,
    replace: bool = False,
) -> None:
    """Play what is missing of a run; a complete one is left as it is.

    Parameters
    ----------
    config, agents, folder, manner
        As for `harness.run.play.play_run`.
    so_far, replace
        What `found_so_far` returned, and was given.

    """
    if so_far is None:
        with claimed_folder(folder, replace) as lock:
            play_run(config, agents, folder, manner, lock)
    elif so_far.lacks(so_far.config):
        with reopened_folder(folder) as lock:
            check_unchanged(folder, so_far)
            play_run(so_far.config, agents, folder, manner, lock, so_far)

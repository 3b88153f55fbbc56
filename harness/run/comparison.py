"""A comparison of rule sets as a folder: one ordinary run for each of them, in a folder of its own.

All that the runs have in common, which is everything but the rules, is written down beside them, and which rule sets
were compared last. So a comparison can be gone on with, can get more rule sets, and has its report made again.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import FaultsError, RunFileError, UsageError
from harness.game.presets import DEFAULT_PRESET
from harness.game.rule_sets import RuleSet
from harness.paths import is_file, shown, why
from harness.run.config import RunConfig, build_config
from harness.run.folder import RESULTS, claimed_folder, folder_name
from harness.store.rows import LOG_FILE, REPORT_FOLDER, RUN_FILE

COMPARISON_FILE = "comparison.json"
_OWN = ("rules",)
"""What the runs of a comparison do not share."""
_RULE_SETS = "rule_sets"
"""Where the file of a comparison says which rule sets were compared last; all else in it is what the runs share."""


@dataclass(frozen=True)
class Compared:
    """One rule set of a comparison, its run and the folder of that run."""

    rule_set: RuleSet
    config: RunConfig
    folder: Path


@dataclass(frozen=True)
class RuleSetRun:
    """One rule set of a comparison that is there: its name, its run's folder and the digest of that run's config."""

    name: str
    folder: Path
    config_digest: str


@dataclass(frozen=True)
class Comparison:
    """A comparison that is there: its folder, what its runs have in common, and its rule sets, the base first."""

    folder: Path
    common: Mapping[str, Any]
    runs: tuple[RuleSetRun, ...]


def common_content(config: RunConfig) -> dict[str, Any]:
    """Return all that the runs of a comparison have in common."""
    return {key: value for key, value in config.content().items() if key not in _OWN}


def default_comparison_folder(config: RunConfig) -> Path:
    """Return ``results/compare-<agents>-<first 8 digits of the digest of what the runs have in common>``."""
    text = json.dumps(common_content(config), sort_keys=True)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return RESULTS / f"{folder_name('compare-' + '-vs-'.join(config.agents))}-{digest[:8]}"


def configs_of(settings: Mapping[str, object], rule_sets: Sequence[RuleSet]) -> list[RunConfig]:
    """Build the config of each rule set's run; FaultsError for what is wrong with the settings they share."""
    return [
        build_config({**settings, "rules": DEFAULT_PRESET, "rule": rule_set.rules.flat()}) for rule_set in rule_sets
    ]


def placed(folder: Path, rule_sets: Sequence[RuleSet], configs: Sequence[RunConfig]) -> list[Compared]:
    """Give each run its folder; UsageError for two rule sets whose names would give the same one."""
    names: dict[str, str] = {}
    compared = []
    for rule_set, config in zip(rule_sets, configs, strict=True):
        name = folder_name(rule_set.name)
        name = f"{name}-rules" if name == REPORT_FOLDER else name
        if name in names:
            raise UsageError(
                f'the rule sets "{names[name]}" and "{rule_set.name}" would both go to {shown(folder / name)}: rename '
                "a rules file"
            )
        names[name] = rule_set.name
        compared.append(Compared(rule_set, config, folder / name))
    return compared


def described(folder: Path, compared: Sequence[Compared]) -> Comparison:
    """Describe a comparison as its file does."""
    runs = tuple(RuleSetRun(one.rule_set.name, one.folder, one.config.digest()) for one in compared)
    return Comparison(folder, common_content(compared[0].config), runs)


def is_comparison(folder: Path) -> bool:
    """Say whether a folder is that of a comparison."""
    return is_file(folder / COMPARISON_FILE)


def read_comparison(folder: Path) -> Comparison:
    """Read what was compared last in a folder.

    Raises
    ------
    RunFileError
        The file of the comparison cannot be read, is damaged, or does not say which rule sets were compared.

    """
    path = folder / COMPARISON_FILE
    stored = _stored(path)
    if _RULE_SETS not in stored:
        raise RunFileError(
            f"{shown(path)} is of an earlier version and does not say which rule sets were compared: the sixtysix "
            "compare command that made it adds that, and plays nothing again"
        )
    common = {key: value for key, value in stored.items() if key != _RULE_SETS}
    try:
        runs = tuple(
            RuleSetRun(str(one["name"]), folder / str(one["folder"]), str(one["config_digest"]))
            for one in stored[_RULE_SETS]
        )
        if not runs or "agents" not in common:
            raise KeyError(_RULE_SETS)
    except (TypeError, KeyError) as error:
        raise RunFileError(f"{shown(path)} is damaged: {_RULE_SETS} is not as it was written") from error
    return Comparison(folder, common, runs)


def check_common(comparison: Comparison, played: Mapping[str, Any]) -> None:
    """Refuse a description that does not agree with the config of what has been played; RunFileError names the key."""
    base = {key: value for key, value in played.items() if key not in _OWN}
    for key in {**base, **comparison.common}:
        if base.get(key) != comparison.common.get(key):
            path = shown(comparison.folder / COMPARISON_FILE)
            raise RunFileError(f"{path} is damaged: {key} is not that of the runs")


def _stored(path: Path) -> dict[str, Any]:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RunFileError(f"{shown(path)} cannot be read: {why(error)}") from error
    except ValueError as error:
        raise RunFileError(f"{shown(path)} is damaged: {error}") from error
    if not isinstance(stored, dict):
        raise RunFileError(f"{shown(path)} is damaged: it is not an object of names and values")
    return stored


def check_comparison(folder: Path, config: RunConfig, replace: bool) -> None:
    """Refuse a folder that holds anything but this comparison, or one to be replaced; touches nothing.

    Raises
    ------
    UsageError
        It holds something else; as FaultsError: another comparison, with all that differs.
    RunFileError
        It cannot be read.

    """
    try:
        if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
            return
        if not is_comparison(folder):
            raise UsageError(
                f"{shown(folder)} is there and not the folder of a comparison (it has no {COMPARISON_FILE}): choose "
                "another one with --out"
            )
    except OSError as error:
        raise RunFileError(f"the folder {shown(folder)} cannot be read: {why(error)}") from error
    stored = _stored(folder / COMPARISON_FILE)
    content = json.loads(json.dumps(common_content(config)))
    faults = [
        f"{key}: the comparison has {json.dumps(stored.get(key))}, given was {json.dumps(value)}"
        for key, value in content.items()
        if stored.get(key) != value
    ]
    if faults and not replace:
        ways = "--replace deletes it and plays again, --out DIR plays elsewhere"
        raise FaultsError(f"{shown(folder)} holds another comparison ({ways}):", faults)


def begin_comparison(comparison: Comparison, replace: bool) -> None:
    """Make the folder of a comparison and write down what is compared; UsageError if it cannot be.

    With `replace`, all runs that are there are deleted.
    """
    folder = comparison.folder
    rule_sets = [
        {"name": run.name, "folder": run.folder.name, "config_digest": run.config_digest} for run in comparison.runs
    ]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for place in sorted(folder.iterdir()) if replace else ():
            if any(is_file(place / name) for name in (RUN_FILE, LOG_FILE)):
                with claimed_folder(place, replace=True):
                    pass
                (place / LOG_FILE).unlink()
                place.rmdir()
        text = json.dumps({**comparison.common, _RULE_SETS: rule_sets}, indent=2, ensure_ascii=False) + "\n"
        (folder / COMPARISON_FILE).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"the folder {shown(folder)} cannot be used: {why(error)}; choose another one with --out"
        ) from error

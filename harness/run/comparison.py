"""A comparison of rule sets as a folder: one ordinary run for each of them, in a folder of its own.

All that the runs have in common, which is everything but the rules, is written down beside them. So a comparison can
be gone on with, and can get more rule sets.
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


@dataclass(frozen=True)
class Compared:
    """One rule set of a comparison, its run and the folder of that run."""

    rule_set: RuleSet
    config: RunConfig
    folder: Path


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
        if not is_file(folder / COMPARISON_FILE):
            raise UsageError(
                f"{shown(folder)} is there and not the folder of a comparison (it has no {COMPARISON_FILE}): choose "
                "another one with --out"
            )
        stored = json.loads((folder / COMPARISON_FILE).read_text(encoding="utf-8"))
    except OSError as error:
        raise RunFileError(f"the folder {shown(folder)} cannot be read: {why(error)}") from error
    except ValueError as error:
        raise RunFileError(f"{shown(folder / COMPARISON_FILE)} is damaged: {error}") from error
    content = json.loads(json.dumps(common_content(config)))
    faults = [
        f"{key}: the comparison has {json.dumps(stored.get(key))}, given was {json.dumps(value)}"
        for key, value in content.items()
        if stored.get(key) != value
    ]
    if faults and not replace:
        ways = "--replace deletes it and plays again, --out DIR plays elsewhere"
        raise FaultsError(f"{shown(folder)} holds another comparison ({ways}):", faults)


def begin_comparison(folder: Path, config: RunConfig, replace: bool) -> None:
    """Make the folder of a comparison and write down what its runs have in common; UsageError if it cannot be.

    With `replace`, all runs that are there are deleted.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for place in sorted(folder.iterdir()) if replace else ():
            if any(is_file(place / name) for name in (RUN_FILE, LOG_FILE)):
                with claimed_folder(place, replace=True):
                    pass
                (place / LOG_FILE).unlink()
                place.rmdir()
        text = json.dumps(common_content(config), indent=2, ensure_ascii=False) + "\n"
        (folder / COMPARISON_FILE).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"the folder {shown(folder)} cannot be used: {why(error)}; choose another one with --out"
        ) from error

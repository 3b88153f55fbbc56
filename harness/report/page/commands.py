"""The commands that play a run again, go on with it, and look at it in other ways."""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from harness.agent_api.limits import Limits
from harness.game.presets import preset_names, rules_text
from harness.game.rules import Rules
from harness.report.analysis import Analysis
from harness.report.faults import show_command
from harness.report.results import RunResults
from harness.run.config import DEFAULTS, distinct_names
from harness.run.stop import UntilRule

CONFIG_FILE: Final = "again.toml"
_FOLDER: Final = "again"
_LIMIT_OPTIONS: Final = {
    "move_seconds": "--move-limit",
    "hand_seconds": "--hand-limit",
    "start_seconds": "--start-limit",
    "memory_mb": "--memory-limit",
}
_UNITS: Final = {"points": "gp", "elo": "elo"}


def run_commands(run: RunResults, analysis: Analysis) -> Iterator[tuple[str, str]]:
    """Yield what to do with a run, and the command that does it."""
    folder = str(run.folder)
    same = f"; the digest must be {run.digest % 2**64:016x} again" if run.complete else ""
    again = play_command(run.config) or shlex.join(["sixtysix", "tournament", CONFIG_FILE, "--out", _FOLDER, "--plot"])
    yield f"Play it from the first deal{same}", again
    if not run.complete:
        yield "Go on where it stopped", shlex.join(["sixtysix", "resume", folder])
    elif run.config.get("stop") is None:
        deals = str(2 * run.config["deals"])
        yield (
            "Play twice as many deals: the first half is kept",
            shlex.join(["sixtysix", "tournament", "--into", folder, "--deals", deals]),
        )
    yield "Make this report from the database", shlex.join(["sixtysix", "report", folder])
    yield "Write its tables for other programs", shlex.join(["sixtysix", "export", folder, "--format", "csv,parquet"])
    met = [line for line in analysis.pairings if line.estimates.n_deals]
    if met:
        first, second = met[0].first, met[0].second
        yield "Show a hand, card by card", show_command(run, (first, second), 0, 0)


def play_command(config: Mapping[str, Any]) -> str | None:
    """Return the command that plays a run with this config; None where only a config file can say it.

    Parameters
    ----------
    config
        As `harness.run.config.RunConfig.content` gives it.

    """
    settings = {**DEFAULTS, **config}
    agents, stop = settings["agents"], settings["stop"]
    is_plain = settings["format"] == DEFAULTS["format"] and settings["anchor"] is None and len(agents) == 2
    if stop is not None:
        ends = _stop_words(stop) if is_plain else None
        if ends is None:
            return None
        words = ["sixtysix", "sprt" if stop["kind"] == "sprt" else "pit", *agents, *ends]
    elif is_plain:
        words = ["sixtysix", "pit", *agents]
    else:
        words = ["sixtysix", "tournament", *agents, "--format", settings["format"]]
        words += [] if settings["anchor"] is None else ["--anchor", settings["anchor"]]
    preset, *changes = rules_text(Rules.from_fields(settings["rules"])).split()
    words += ["--rules", preset, *(word for change in changes for word in ("--rule", change))]
    words += ["--match-play"] if settings["play"] == "matches" else []
    return shlex.join([*words, *_length_and_limits(settings), "--out", _FOLDER, "--plot"])


def compare_command(names: Sequence[str], common: Mapping[str, Any]) -> str:
    """Return the command that compares rule sets.

    Parameters
    ----------
    names
        Of the rule sets, the base first. One that is neither a preset nor a change of the base comes from a rules file,
        of which only the stem is known.
    common
        What the runs have in common.

    """
    changes = [name.removeprefix(f"{names[0]} ") for name in names if name.startswith(f"{names[0]} ")]
    sets = [name for name in names if not name.startswith(f"{names[0]} ")]
    files = ",".join(name if name in preset_names() else f"{name}.toml" for name in sets)
    words = ["sixtysix", "compare", *common["agents"], "--rules", files]
    words += [word for change in changes for word in ("--toggle", change)]
    return shlex.join([*words, *_length_and_limits({**DEFAULTS, **common}), "--out", _FOLDER, "--plot"])


def comparison_commands(
    names: Sequence[str], common: Mapping[str, Any], folder: Path, base_folder: str
) -> Iterator[tuple[str, str]]:
    """Yield what to do with a comparison, and the command that does it.

    Parameters
    ----------
    names, common
        As for `compare_command`.
    folder, base_folder
        Of the comparison, and inside it that of the base's run.

    """
    base, agents = str(folder / base_folder), common["agents"]
    yield "Play it from the first deal", compare_command(names, common)
    yield "Make this report from the databases", shlex.join(["sixtysix", "report", str(folder)])
    yield "Make the report of one rule set, with its ratings and faults", shlex.join(["sixtysix", "report", base])
    shown = distinct_names(tuple(agents))[:2] if len(agents) > 2 else ()
    yield "Show a hand, card by card", shlex.join(["sixtysix", "show", base, "--deal", "0", "--half", "0", *shown])


def _length_and_limits(settings: Mapping[str, Any]) -> list[str]:
    words = ["--deals", str(settings["deals"]), "--seed", str(settings["seed"])]
    for name, value in _other_limits(settings).items():
        words += [_LIMIT_OPTIONS[name], str(value)]
    return words


def config_file(name: str, config: Mapping[str, Any]) -> str:
    """Write a config as the TOML file that `sixtysix tournament` reads."""
    settings = {**DEFAULTS, **config}
    preset, *changes = rules_text(Rules.from_fields(settings["rules"])).split()
    values = {} if name == " vs ".join(settings["agents"]) else {"name": name}
    values |= {"agents": settings["agents"], "rules": preset}
    values |= {key: settings[key] for key in ("format", "deals", "seed", "anchor", "play")}
    lines = [f"{key} = {_toml(value)}" for key, value in values.items() if value is not None]
    fields = Rules.from_fields(settings["rules"]).flat()
    tables = {
        "rule": {json.dumps(change.partition("=")[0]): fields[change.partition("=")[0]] for change in changes},
        "limits": _other_limits(settings),
        "stop": settings["stop"] or {},
    }
    for title, table in tables.items():
        if table:
            lines += ["", f"[{title}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _stop_words(stop: Mapping[str, Any]) -> list[str] | None:
    if stop["kind"] == "sprt":
        scale = stop["scale"]
        bounds = [f"--{scale}0", str(stop["h0"]), f"--{scale}1", str(stop["h1"])]
        return [*bounds, *(word for key in ("alpha", "beta", "block") for word in (f"--{key}", str(stop[key])))]
    usual = UntilRule(stop["scale"], stop["half_width"])
    if (stop["level"], stop["block"]) != (usual.level, usual.block):
        return None
    return ["--until", f"{stop['half_width']}{_UNITS[stop['scale']]}"]


def _other_limits(settings: Mapping[str, Any]) -> dict[str, float]:
    usual = asdict(Limits())
    return {name: value for name, value in settings["limits"].items() if value != usual.get(name)}


def _toml(value: object) -> str:
    """Write a value; what JSON writes of texts, lists, numbers, true and false is TOML as well."""
    return json.dumps(value, ensure_ascii=False)

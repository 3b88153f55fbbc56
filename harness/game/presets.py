"""The named rule sets: TOML files of package `configs.rules`, and files of the same form by a user."""

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from harness.errors import FaultsError, UsageError, did_you_mean, faults_of
from harness.game.rules import Rules, Value, parse_rules, toml_text, value_text
from harness.paths import is_file, why

DEFAULT_PRESET = "sixtysix"


@dataclass(frozen=True)
class Preset:
    """A rule set: its name (or the path of its file), one line about it, and the preset it is based on."""

    name: str
    about: str
    base: str
    rules: Rules


@cache
def preset_names() -> tuple[str, ...]:
    """Return the names of all presets: the default first, the others by alphabet."""
    files = (Path(entry.name) for entry in resources.files("configs.rules").iterdir())
    names = sorted(path.stem for path in files if path.suffix == ".toml")
    return (DEFAULT_PRESET, *(name for name in names if name != DEFAULT_PRESET))


@cache
def preset(name: str) -> Preset:
    """Return a preset by its name; UsageError with the nearest real name for an unknown one."""
    if name not in preset_names():
        raise UsageError(_unknown_preset(name))
    text = (resources.files("configs.rules") / f"{name}.toml").read_text(encoding="utf-8")
    return _read(name, text)


def load_preset(spec: str) -> Preset:
    """Return the preset of this name, or the rules of the TOML file at this path.

    Raises
    ------
    UsageError
        No such preset or file, or a file that cannot be read. As FaultsError: everything that is wrong in it.

    """
    if spec in preset_names():
        return preset(spec)
    path = Path(spec)
    if path.suffix != ".toml" and not is_file(path):
        raise UsageError(_unknown_preset(spec))
    try:
        return _read(spec, path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UsageError(f"the rules file {spec} cannot be read: {why(error)}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"the rules file {spec} is not text in UTF-8: {error.reason}") from error
    except ValueError as error:
        raise UsageError(f"rules = {spec!r}: no path has such characters ({error})") from error


def load_rules(spec: str) -> Rules:
    """Return the rules of a preset, of a TOML file, or of a preset with changes: ``american nines=false``."""
    if " " not in spec or is_file(Path(spec)):
        return load_preset(spec).rules
    return rules_from_text(spec)


def rules_of_settings(spec: object, table: object, texts: Sequence[str]) -> tuple[Rules, list[str]]:
    """Return the rules that a file and a command line ask for together, and everything that is wrong with them.

    `spec` is what `load_rules` takes, `table` a table of fields that differ, nested or with dotted names, `texts` more
    of them as ``field=value``. With faults the rules are as near as they can be had.
    """
    rules = Rules()
    changes: dict[str, object] = {}
    faults: list[str] = []
    if not isinstance(spec, str):
        faults.append(f"rules = {toml_text(spec)}: must be the name of a preset or the path of a TOML file")
    else:
        try:
            rules = load_rules(spec)
        except UsageError as error:
            faults.extend(faults_of(error))
    if isinstance(table, dict):
        changes |= dotted(table)
    else:
        faults.append(f"rule = {toml_text(table)}: must be a table of rule fields")
    try:
        changes |= parse_rules(texts)
    except FaultsError as error:
        faults.extend(error.faults)
    try:
        return rules.with_fields(changes), faults
    except FaultsError as error:
        return rules, [*faults, *error.faults]


def rules_from_text(text: str) -> Rules:
    """Read what `rules_text` writes: the name of a preset, then ``field=value`` for what differs."""
    name, *changes = text.split() or [""]
    return preset(name).rules.with_fields(parse_rules(changes))


def rules_text(rules: Rules) -> str:
    """Write rules as the nearest preset and the fields that differ from it; `rules_from_text` reads it."""
    nearest = min(preset_names(), key=lambda name: len(differences(preset(name).rules, rules)))
    changes = differences(preset(nearest).rules, rules)
    return " ".join([nearest, *(f"{name}={value_text(value)}" for name, (_, value) in changes.items())])


def differences(one: Rules, other: Rules) -> dict[str, tuple[Value, Value]]:
    """Return the fields in which two rule sets differ, each with its value in the one and in the other."""
    theirs = other.flat()
    return {name: (value, theirs[name]) for name, value in one.flat().items() if value != theirs[name]}


def rules_digest(rules: Rules) -> str:
    """Return 12 hex digits that are equal for equal rules, however they were written."""
    lines = "\n".join(f"{name}={value_text(value)}" for name, value in rules.flat().items())
    return hashlib.sha256(lines.encode()).hexdigest()[:12]


def _read(name: str, text: str) -> Preset:
    """Read the TOML text of a rule set: `about` and `base`, then the fields that differ from the base."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"the rules file {name} is not TOML: {error}") from error
    faults: list[str] = []
    about = content.pop("about", "")
    if not isinstance(about, str) or "\n" in about:
        faults.append(f"about = {about!r}: must be one line of text")
    base = content.pop("base", DEFAULT_PRESET)
    if base not in preset_names():
        faults.append(f"base: {_unknown_preset(base)}")
    start = Rules() if name == DEFAULT_PRESET or base not in preset_names() else preset(base).rules
    rules = start
    try:
        rules = start.with_fields(dotted(content))
    except FaultsError as error:
        faults.extend(error.faults)
    if faults:
        raise FaultsError(f"the rules in {name} cannot be used:", faults)
    return Preset(name, about, base, rules)


def dotted(content: Mapping[str, Any], prefix: str = "") -> dict[str, object]:
    """Dotted names of nested tables."""
    fields: dict[str, object] = {}
    for key, value in content.items():
        fields |= dotted(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
    return fields


def _unknown_preset(name: object) -> str:
    hint = did_you_mean(str(name), preset_names())
    return f'there is no rule preset "{name}"; `sixtysix rules list` shows them all (a file ends in .toml){hint}'

"""Rule sets to be compared: presets and files by their names, and single fields of one of them changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.errors import FaultsError, UsageError, did_you_mean, faults_of
from harness.game.presets import load_rules, preset_names
from harness.game.rules import FIELDS, RuleField, Rules, Value, find_field, parse_rule, value_text

EVERYTHING = "all"
"""Instead of a name: every preset. Instead of a field: every field."""
_MOST_NUMBERS = 4
"""How many other values of a field that is a number are tried: the nearest ones."""


@dataclass(frozen=True)
class RuleSet:
    """Rules and what they are called in tables: ``bicycle``, ``sixtysix close.graded=closing``."""

    name: str
    rules: Rules


def choose_rule_sets(
    specs: Sequence[str], toggles: Sequence[str], base: str | None = None
) -> tuple[tuple[RuleSet, ...], tuple[str, ...]]:
    """Return the rule sets that are to be compared, the base first, and what was left out of them.

    Parameters
    ----------
    specs
        Names of presets, paths of rules files, or ``all`` for every preset.
    toggles
        Fields of the base, each of which gives one rule set for every other value; ``field=value`` gives one, and
        ``all`` stands for every field. Only there are values left out that the base's other fields forbid.
    base
        What the others are compared with; None for the first one.

    Raises
    ------
    FaultsError
        Everything that is wrong with them.

    """
    faults: list[str] = []
    chosen = _named(specs, faults)
    base = base or next(iter(chosen), "")
    if base and base not in chosen:
        faults.append(f'base = "{base}": must be one of the rule sets, {", ".join(chosen)}{did_you_mean(base, chosen)}')
    if base not in chosen:
        raise _refusal(faults)
    chosen = {base: chosen[base], **chosen}
    left_out: list[str] = []
    for toggle in toggles:
        for name, value in _changes(chosen[base], base, toggle, faults):
            label = f"{base} {name}={value_text(value)}"
            try:
                chosen[label] = chosen[base].with_fields({name: value})
            except FaultsError as error:
                (left_out if toggle == EVERYTHING else faults).extend(f"{label}: {fault}" for fault in error.faults)
    if faults:
        raise _refusal(faults)
    if len(chosen) < 2:
        raise UsageError(
            f"{base} alone has nothing to be compared with: name more rule sets with --rules, as in {base},bicycle, or "
            "change a field of it with --toggle FIELD"
        )
    return tuple(RuleSet(name, rules) for name, rules in chosen.items()), tuple(left_out)


def other_values(field: RuleField, value: Value) -> list[Value]:
    """Return the values of a field besides one: all words, or the nearest few numbers."""
    if field.choices:
        return [choice for choice in field.choices if choice != value]
    numbers = (number for number in range(field.low, field.high + 1) if number != value)
    return sorted(sorted(numbers, key=lambda number: abs(number - int(value)))[:_MOST_NUMBERS])


def _named(specs: Sequence[str], faults: list[str]) -> dict[str, Rules]:
    chosen: dict[str, Rules] = {}
    for spec in (name for given in specs for name in (preset_names() if given == EVERYTHING else (given,))):
        try:
            rules = load_rules(spec)
        except UsageError as error:
            faults.extend(faults_of(error))
            continue
        name = Path(spec).stem if spec.endswith(".toml") else spec
        if name in chosen:
            faults.append(f'rules "{spec}": a rule set that is called {name} is there already')
        chosen[name] = rules
    return chosen


def _changes(base: Rules, name: str, toggle: str, faults: list[str]) -> Iterator[tuple[str, Value]]:
    """Yield the fields and values that a toggle means; what is wrong with it goes to the faults."""
    values = base.flat()
    if toggle == EVERYTHING:
        yield from (
            (field.name, value) for field in FIELDS.values() for value in other_values(field, values[field.name])
        )
        return
    try:
        if "=" not in toggle:
            field = find_field(toggle)
            yield from ((field.name, value) for value in other_values(field, values[field.name]))
            return
        changed, value = parse_rule(toggle)
    except UsageError as error:
        faults.extend(faults_of(error))
        return
    if values[changed] == value:
        faults.append(f"{changed} = {value_text(value)} is what {name} has already: give another value")
        return
    yield changed, value


def _refusal(faults: Sequence[str]) -> FaultsError:
    return FaultsError("these rule sets cannot be compared:" if len(faults) > 1 else "", faults)

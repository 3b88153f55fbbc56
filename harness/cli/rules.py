"""``sixtysix rules``: the presets, their fields, and what tells two apart."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.options import RuleChanges, examples
from harness.cli.output import indented, show, table, wrapped
from harness.paths import is_file

if TYPE_CHECKING:
    from harness.game.rules import Rules

EXAMPLES = examples(
    "sixtysix rules list",
    "sixtysix rules show schnapsen",
    "sixtysix rules diff sixtysix bicycle",
)
LIST_EXAMPLES = examples("sixtysix rules list")
SHOW_EXAMPLES = examples("sixtysix rules show", "sixtysix rules show bicycle --rule nines=false")
DIFF_EXAMPLES = examples("sixtysix rules diff sixtysix schnapsen", "sixtysix rules diff sixtysix my-rules.toml")

RULES_HELP = 'A preset, the path of a rules file, or "PRESET FIELD=VALUE".'


def list_presets() -> None:
    """List the presets; the first is the default."""
    from harness.game.presets import preset, preset_names

    show(table([(name, preset(name).about) for name in preset_names()]))


def show_rules(
    name: Annotated[str, typer.Argument(metavar="NAME", help=RULES_HELP)] = "sixtysix", rule: RuleChanges = None
) -> None:
    """Show every field of a rule set and what it means."""
    from harness.game.presets import load_rules, rules_digest
    from harness.game.rules import FIELDS, parse_rules, value_text

    rules = load_rules(name).with_fields(parse_rules(rule or ()))
    values = {field: value_text(value) for field, value in rules.flat().items()}
    lines = table(list(values.items())).splitlines()
    about = [indented(f"{FIELDS[field].about} [{FIELDS[field].allowed}]") for field in values]
    fields = "\n".join(text for line, below in zip(lines, about, strict=True) for text in (line, *below))
    show(f"{wrapped(_heading(name, rules))}\n\n{fields}\n\ndigest {rules_digest(rules)}")


def _heading(name: str, rules: "Rules") -> str:
    """Say which rules these are: a preset or a file with what it says of itself, or a preset and what differs."""
    from harness.game.presets import load_preset, preset, preset_names, rules_text

    if name in preset_names() or is_file(Path(name)):
        given = load_preset(name)
        if given.rules == rules:
            return f"{name}: {given.about}" if given.about else name
    text = rules_text(rules)
    return f"{text}: {preset(text).about}" if text in preset_names() else text


def diff_rules(
    one: Annotated[str, typer.Argument(metavar="A", show_default=False, help=RULES_HELP)],
    other: Annotated[str, typer.Argument(metavar="B", show_default=False, help=RULES_HELP)],
) -> None:
    """Show the fields in which two rule sets differ."""
    from harness.game.presets import differences, load_rules
    from harness.game.rules import FIELDS, value_text

    changed = differences(load_rules(one), load_rules(other))
    if not changed:
        show(f"{one} and {other} are the same rules")
        return
    rows = [(name, value_text(a), value_text(b), FIELDS[name].about) for name, (a, b) in changed.items()]
    show(table([("field", one, other, "meaning"), *rows]))

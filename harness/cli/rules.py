"""``sixtysix rules``: the presets, their fields, and what tells two apart."""

from typing import Annotated

import typer

from harness.cli.options import RuleChanges, examples
from harness.cli.output import show, table

EXAMPLES = examples(
    "sixtysix rules list",
    "sixtysix rules show schnapsen",
    "sixtysix rules diff sixtysix bicycle",
)
LIST_EXAMPLES = examples("sixtysix rules list")
SHOW_EXAMPLES = examples("sixtysix rules show", "sixtysix rules show bicycle --rule nines=false")
DIFF_EXAMPLES = examples("sixtysix rules diff sixtysix schnapsen", "sixtysix rules diff sixtysix my-rules.toml")

RULES_HELP = "A preset, or the path of a rules file."


def list_presets() -> None:
    """List the presets; the first is the default."""
    from harness.game.presets import preset, preset_names

    show(table([(name, preset(name).about) for name in preset_names()]))


def show_rules(
    name: Annotated[str, typer.Argument(metavar="NAME", help=RULES_HELP)] = "sixtysix", rule: RuleChanges = None
) -> None:
    """Show every field of a rule set and what it means."""
    from harness.game.presets import load_preset, rules_digest
    from harness.game.rules import FIELDS, parse_rules, value_text

    preset = load_preset(name)
    rules = preset.rules.with_fields(parse_rules(rule or ()))
    fields = [(field, value_text(value), FIELDS[field].about) for field, value in rules.flat().items()]
    show(f"{preset.name}: {preset.about}\n\n{table(fields)}\n\ndigest {rules_digest(rules)}")


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

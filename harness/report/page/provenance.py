"""Where numbers come from: house rules, settings, versions, machine."""

from collections.abc import Mapping
from typing import Any, Final

from harness.game.presets import DEFAULT_PRESET, differences, preset, rules_text
from harness.game.rules import FIELDS, Rules, value_text
from harness.report.page.blocks import facts, folded, paragraph
from harness.report.page.markup import Html, element, join
from harness.report.page.table import table, words

_NAMES: Final = {
    "sixtysix": "sixtysix",
    "rules": "version of the rules",
    "sources": "digest of the sources",
    "start_method": "start of workers",
}
"""Names of versions and settings that are not the keys themselves."""


def rules_blocks(rules: Rules) -> list[Html]:
    """Say what the house rules are: the nearest preset, what differs from the default one, and every field."""
    name, *changes = rules_text(rules).split()
    more = f", with {', '.join(changes)}" if changes else ""
    blocks = [paragraph("Preset ", element("strong", name), f" ({preset(name).about}){more}.")]
    changed = differences(preset(DEFAULT_PRESET).rules, rules)
    if changed:
        columns = [
            words("field", changed),
            words("here", (value_text(here) for _, here in changed.values())),
            words(f"in {DEFAULT_PRESET}", (value_text(there) for there, _ in changed.values())),
            words("what it says", (FIELDS[field].about for field in changed)),
        ]
        blocks.append(table(f"What differs from preset {DEFAULT_PRESET}", columns))
    else:
        blocks.append(paragraph(f"Nothing differs from preset {DEFAULT_PRESET}."))
    values = rules.flat()
    columns = [
        words("field", values),
        words("value", (value_text(value) for value in values.values())),
        words("what it says", (FIELDS[field].about for field in values)),
    ]
    return [*blocks, folded("All fields", table("All fields of the rules", columns))]


def pairs(title: str, values: Mapping[str, Any]) -> Html:
    """Write settings or versions below a heading; nothing where there are none."""
    shown = {_NAMES.get(key, key.replace("_", " ")): setting(value) for key, value in values.items()}
    return join([element("h3", title), facts(shown, class_="pairs")]) if shown else Html()


def setting(value: object) -> str:
    """Write a plain value as words."""
    match value:
        case None:
            return "none"
        case bool():
            return value_text(value)
        case int():
            return str(value)
        case float():
            return f"{value:g}"
        case Mapping():
            return ", ".join(f"{key.replace('_', ' ')} {setting(inner)}" for key, inner in value.items())
        case list() | tuple():
            return ", ".join(setting(inner) for inner in value)
    return str(value)

"""The page of a comparison of rule sets: the verdict first, then every number with its interval."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from harness.report.compare_analysis import ComparedPairing, ComparedRules
from harness.report.compare_words import about_leads, common_deals, compared_advice, comparison_verdict, verdict
from harness.report.figures.kinds import Chart
from harness.report.page import comparison_tables
from harness.report.page.blocks import advice, bullets, command, facts, folded, note, paragraph
from harness.report.page.builder import Section, build_page
from harness.report.page.commands import comparison_commands
from harness.report.page.figure import figure
from harness.report.page.markup import Html, element, join
from harness.report.page.provenance import pairs, rules_blocks
from harness.report.words import level_text
from harness.texts import count

_MOST_IN_TITLE: Final = 4
_MOST_LEADS: Final = 8
"""Rule sets whose leaders are shown at once; those of more are folded."""
_MOST_OPEN: Final = 3
"""Pairings whose sentences are shown at once; those of more are folded."""


def comparison_page(
    compared: ComparedRules,
    summary: Mapping[str, Any],
    charts: Sequence[Chart],
    missing: Sequence[str],
    svgs: Mapping[str, str],
    folder: Path,
) -> str:
    """Build the page of a comparison.

    Parameters
    ----------
    compared, summary
        The comparison, and the same as plain values, with what was left out, and the versions and the machine of the
        base's run.
    charts, svgs
        The figures in their order, and by their names the SVG files.
    missing
        Why figures are not there, in sentences.
    folder
        That of the comparison.

    """
    figures = [figure(chart, svgs[chart.name]) for chart in charts]
    sections = [
        Section("advice", "Worth knowing", advice(compared_advice(compared, summary["left_out"]))),
        Section("figures", "Figures", [*figures, *([bullets(missing, "note")] if missing else [])]),
        Section("changes", "What the rules change", list(_changes(compared))),
        Section("agents", "Agents", list(comparison_tables.agents(compared))),
        Section("pairings", "Pairings", list(comparison_tables.pairings(compared))),
        Section("seat", "The lead", list(comparison_tables.seats(compared))),
        Section("endings", "How hands end", list(comparison_tables.endings(compared))),
        Section("rules", "Rules", list(_rules(compared, summary))),
        Section("setup", "Config and versions", list(_setup(summary))),
        Section("again", "Do it again", list(_again(compared, summary, folder))),
    ]
    names = " vs ".join(agent.name for agent in compared.agents)
    who = names if len(compared.agents) <= _MOST_IN_TITLE else count(len(compared.agents), "agent")
    title = f"{who} under {len(compared.names)} rule sets"
    return build_page(title, "Comparison of house rules", list(_opening(compared, summary)), sections)


def _opening(compared: ComparedRules, summary: Mapping[str, Any]) -> Iterator[Html]:
    short, *rest = comparison_verdict(compared)
    yield paragraph(short, class_="verdict")
    if rest:
        many = len(compared.leads) > _MOST_LEADS
        yield folded(f"The {len(rest)} rule sets one by one", bullets(rest)) if many else bullets(rest)
    for sentence in about_leads(compared):
        yield note(sentence)
    n_hands = sum(2 * line.estimates.n_deals for pairing in compared.pairings for line in pairing.lines)
    yield facts(
        {
            "Played": count(n_hands, "hand"),
            "Packs": f"{compared.n_deals:,}, each played twice",
            "Agents": f"{len(compared.agents)} in {count(len(compared.pairings), 'pairing')}",
            "Rule sets": str(len(compared.names)),
            "Base": compared.names[0],
            "Seed": str(summary["common"]["seed"]),
            "Intervals": level_text(compared.level),
        }
    )


def _changes(compared: ComparedRules) -> Iterator[Html]:
    """Write the sentences of each pairing; of a single one they stand in the opening already."""
    for sentence in common_deals(compared):
        yield paragraph(sentence)
    if len(compared.pairings) == 1:
        return
    blocks = [_about(compared, pairing) for pairing in compared.pairings]
    if len(blocks) > _MOST_OPEN:
        yield folded(f"The {len(blocks)} pairings one by one", *blocks)
    else:
        yield from blocks


def _about(compared: ComparedRules, pairing: ComparedPairing) -> Html:
    title = element("h3", f"{pairing.first} against {pairing.second}")
    return join([title, bullets(verdict(compared, pairing))])


def _rules(compared: ComparedRules, summary: Mapping[str, Any]) -> Iterator[Html]:
    yield comparison_tables.rule_sets(compared, summary)
    yield element("h3", f"The base, {compared.names[0]}")
    yield from rules_blocks(compared.rules[0])


def _setup(summary: Mapping[str, Any]) -> Iterator[Html]:
    yield pairs("Config", summary["common"])
    yield pairs("Result", {"schema of summary.json": summary["schema"]})
    yield pairs("Versions", summary["versions"])
    yield pairs("Machine", summary["machine"])
    yield note("Versions and machine are those of the last session of the base's run.")


def _again(compared: ComparedRules, summary: Mapping[str, Any], folder: Path) -> Iterator[Html]:
    base_folder = summary["rule_sets"][0]["folder"]
    for about, line in comparison_commands(compared.names, summary["common"], folder, base_folder):
        yield command(f"{about}:", line)
    yield note("Paths, of agents' and rules files too, are seen from the folder in which the comparison was played.")

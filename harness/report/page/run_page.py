"""The page of a run: the verdict first, then every number with its interval, then where they come from."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from harness.game.presets import rules_text
from harness.game.rules import Rules
from harness.report.analysis import Analysis
from harness.report.figures.kinds import Chart
from harness.report.ladder import ladder_steps
from harness.report.ladder_report import ladder_verdict
from harness.report.page import run_tables
from harness.report.page.blocks import advice, bullets, code, command, facts, folded, note, paragraph
from harness.report.page.builder import Section, build_page
from harness.report.page.commands import CONFIG_FILE, config_file, run_commands
from harness.report.page.figure import figure
from harness.report.page.markup import Html
from harness.report.page.provenance import pairs, rules_blocks
from harness.report.results import RunResults
from harness.report.verdicts import run_verdict
from harness.report.words import level_text
from harness.store.rows import RunFigure
from harness.texts import count

_PLACES: Final[dict[str, str]] = {
    RunFigure.RATINGS: "ratings",
    RunFigure.HEAD_TO_HEAD: "pairings",
    RunFigure.GAME_POINTS: "points",
    RunFigure.ENDINGS: "endings",
    RunFigure.SEAT: "seat",
}
"""In which section a figure stands; those that are not here have one together."""

_LONGEST_TITLE: Final = 80
"""A run that nobody has named is called after its agents, which may be many."""


def run_page(
    run: RunResults,
    analysis: Analysis,
    summary: Mapping[str, Any],
    charts: Sequence[Chart],
    missing: Sequence[str],
    svgs: Mapping[str, str],
) -> str:
    """Build the page of a run.

    Parameters
    ----------
    run, analysis, summary
        The run, its statistics, and these as plain values, with how the run came to its end.
    charts, svgs
        The figures in their order, and by their names the SVG files.
    missing
        Why figures are not there, in sentences.

    """
    placed: dict[str, list[Html]] = {}
    for chart in charts:
        placed.setdefault(_PLACES.get(chart.name, "more"), []).append(figure(chart, svgs[chart.name]))
    ratings = run_tables.ratings(analysis) if analysis.n_hands else ()
    scores = [
        Section("ratings", "Ratings", [*ratings, *placed.get("ratings", ())]),
        Section("pairings", "Head to head", [*placed.get("pairings", ()), *run_tables.pairings(analysis)]),
    ]
    sections = [
        Section("advice", "Worth knowing", advice(summary["advice"])),
        *(reversed(scores) if len(run.agents) == 2 else scores),
        Section("points", "Game points", placed.get("points", [])),
        Section("endings", "How hands end", [*run_tables.endings(analysis), *placed.get("endings", ())]),
        Section("seat", "The lead", [*run_tables.seat(analysis), *placed.get("seat", ())]),
        Section(
            "more",
            "More figures" if charts else "Figures",
            [*placed.get("more", ()), *([bullets(missing, "note")] if missing else [])],
        ),
        Section("faults", "Faults", list(run_tables.faults(analysis))),
        Section("checks", "Self-checks", list(run_tables.checks(analysis))),
        Section("rules", "Rules", rules_blocks(Rules.from_fields(run.config["rules"]))),
        Section("setup", "Config and versions", list(_setup(run, summary))),
        Section("again", "Do it again", list(_again(run, analysis))),
    ]
    title = run.name if len(run.name) <= _LONGEST_TITLE else count(len(run.agents), "agent")
    return build_page(title, "Report of a run", list(_opening(run, analysis, summary)), sections)


def _opening(run: RunResults, analysis: Analysis, summary: Mapping[str, Any]) -> Iterator[Html]:
    verdicts = [run_verdict(analysis)]
    if run.config["format"] == "ladder" and run.complete:
        verdicts.insert(0, ladder_verdict(ladder_steps(analysis)))
    yield paragraph(verdicts[0], class_="verdict")
    yield from map(paragraph, verdicts[1:])
    if summary["stop"] is not None:
        yield paragraph(summary["stop"]["words"])
    unit, n = analysis.unit, f"{analysis.n_deals:,}"
    packs = {unit.pairs.capitalize(): n} if unit.is_match else {"Packs": f"{n}, each played twice"}
    yield facts(
        {
            "Played": unit.count(analysis.n_hands) + ("" if analysis.complete else ", not complete"),
            **packs,
            "Agents": f"{len(analysis.agents)} in {count(len(analysis.pairings), 'pairing')}",
            "Rules": rules_text(Rules.from_fields(run.config["rules"])),
            "Seed": str(run.config["seed"]),
            "Intervals": level_text(analysis.level),
            "Digest": summary["digest"],
        }
    )


def _setup(run: RunResults, summary: Mapping[str, Any]) -> Iterator[Html]:
    config = {key: value for key, value in run.config.items() if key != "rules"}
    yield pairs("Config", {"name": run.name, **config, "digest of the config": run.config_digest})
    seconds = {} if run.seconds is None else {"seconds of play": run.seconds}
    yield pairs("Result", {"digest": summary["digest"], "schema of summary.json": summary["schema"], **seconds})
    yield pairs("Versions", run.versions)
    yield pairs("Machine", run.machine)
    yield note(
        "Versions and machine are those of the last session. The digest depends on neither the machine nor the "
        "number of workers."
    )


def _again(run: RunResults, analysis: Analysis) -> Iterator[Html]:
    for about, line in run_commands(run, analysis):
        yield command(f"{about}:", line)
    yield note("Paths, of agents' files too, are seen from the folder in which the run was played.")
    text = config_file(run.name, run.config)
    yield folded(f"The same as a config file, for “sixtysix tournament {CONFIG_FILE}”", code(text, CONFIG_FILE))

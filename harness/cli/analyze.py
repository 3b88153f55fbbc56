"""``sixtysix analyze``: what each action is worth in a position."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.options import AsJson, Quiet, RuleChanges, examples, whole_number
from harness.errors import UsageError

if TYPE_CHECKING:
    from harness.game.position import Position

EXAMPLES = examples(
    "sixtysix analyze my-position.toml",
    "sixtysix analyze my-position.toml --agent hard:worlds=200",
    "sixtysix analyze my-position.toml --worlds 5000 --rule close.graded=end",
    "sixtysix show normal easy --deal 123 --at 9 --position my-position.toml",
)


def analyze(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="POSITION.toml",
            show_default=False,
            help="A position file; configs/positions/README.md has the keys.",
        ),
    ],
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent",
            metavar="AGENT",
            show_default=False,
            help="Ask this agent what it thinks, as hard or crazy:worlds=300, not the solver.",
        ),
    ] = None,
    worlds: Annotated[
        int | None,
        typer.Option(
            "--worlds",
            metavar="N",
            parser=whole_number,
            show_default=False,
            help="Most worlds that the solver looks at where cards are unknown.  [default: 1000; fewer with 24 cards "
            "and 10 or more in the open stock]",
        ),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            metavar="NAME",
            show_default=False,
            help="A preset or rules file that counts instead of the rules in the position file.",
        ),
    ] = None,
    rule: RuleChanges = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", parser=whole_number, help="Seed of what is drawn at random.")
    ] = 1,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Say what each action is worth in a position.

    Where all cards are known the values are exact. Where some are unknown, the solver takes the mean over worlds that
    agree with what is known, as if both sides knew all cards then (double dummy), which flatters the side that closes.
    An agent that samples tells what it expects, seeing no more than the side that has to decide.
    """
    from harness.game.position_file import load_position

    if agent is not None and worlds is not None:
        raise UsageError(
            "--worlds is for the solver; an agent has parameters of its own, as in --agent hard:worlds=200"
        )
    position = load_position(path, rules, rule or ())
    if agent is None:
        _by_solver(position, path, worlds, seed, as_json, quiet)
    else:
        _by_agent(position, path, agent, seed, as_json, quiet)


def _by_solver(position: "Position", path: Path, worlds: int | None, seed: int, as_json: bool, quiet: bool) -> None:
    from harness.cli.output import adviser
    from harness.game.hand import check_counter
    from harness.log import TerminalHandler
    from harness.play.warm import warm_up
    from harness.run.progress import choose_progress

    check_counter("seed", seed)
    warm_up(adviser(quiet))

    from harness.report.position_report import analysis_summary, analysis_text
    from harness.search.analysis import MOST_WORLDS, analyse, default_worlds

    if worlds is not None and not 2 <= worlds <= MOST_WORLDS:
        raise UsageError(f"worlds = {worlds}: must be a whole number from 2 to {MOST_WORLDS:,}")
    n_worlds = default_worlds(position) if worlds is None else worlds
    progress = choose_progress(n_worlds, quiet or position.knows_all_cards, TerminalHandler(), units="worlds")
    try:
        analysis = analyse(position, n_worlds, seed, lambda n_more: progress.update(n_more, ""))
    finally:
        progress.close()
    _show(position, path, as_json, analysis_text(analysis, seed), analysis_summary(analysis, seed))


def _by_agent(position: "Position", path: Path, name: str, seed: int, as_json: bool, quiet: bool) -> None:
    from harness.cli.output import adviser
    from harness.core.bits import members
    from harness.game.hand import check_counter
    from harness.run.agents import load_agents
    from harness.run.clean_stdout import clean_stdout

    check_counter("seed", seed)
    loaded = load_agents([name], adviser(quiet))[0]

    from harness.agent_api.judging import check_judges, judge
    from harness.report.position_report import judgement_summary, judgement_text

    view = position.view()
    legal = members(int(view.legal))
    with clean_stdout():
        check_judges(loaded)
        judgement = judge(loaded, view, position.rules.record()[0], seed)
    text = judgement_text(judgement, legal, loaded.name, seed)
    _show(position, path, as_json, text, judgement_summary(judgement, legal, loaded.name, seed))


def _show(position: "Position", path: Path, as_json: bool, text: str, summary: dict[str, Any]) -> None:
    """Print the position and what was found, for people or for a program."""
    import json

    from harness.cli.output import show
    from harness.paths import shown
    from harness.report.position_report import position_summary, position_text

    if as_json:
        content = {**position_summary(position, shown(path)), **summary}
        show(json.dumps(content, indent=2, ensure_ascii=False))
    else:
        show(f"{position_text(position, shown(path))}\n\n{text}")

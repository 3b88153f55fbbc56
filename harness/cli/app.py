"""The command ``sixtysix``: which commands there are, and what becomes of errors."""

import gc
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from harness.cli import (
    agents,
    agents_check,
    agents_new,
    analyze,
    bench,
    compare,
    export,
    ladder,
    pit,
    plan,
    report,
    resume,
    rules,
    sprt,
    tournament,
)
from harness.cli import show as show_command
from harness.cli.options import examples
from harness.cli.output import advise, prepare_streams, show
from harness.cli.plain import PlainCommand
from harness.errors import ExitStatus, SixtySixError
from harness.log import give_up
from harness.paths import why

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    epilog=examples(
        "sixtysix tournament random easy normal",
        "sixtysix pit normal easy --rules schnapsen",
        "sixtysix rules diff sixtysix schnapsen",
    ),
)
rules_app = typer.Typer(help="The rules: list, show, compare.", no_args_is_help=True, epilog=rules.EXAMPLES)
agents_app = typer.Typer(help="The agents that can play, and new ones.", no_args_is_help=True, epilog=agents.EXAMPLES)

app.command("pit", cls=PlainCommand, epilog=pit.EXAMPLES)(pit.pit)
app.command("tournament", cls=PlainCommand, epilog=tournament.EXAMPLES)(tournament.tournament)
app.command("sprt", cls=PlainCommand, epilog=sprt.EXAMPLES)(sprt.sprt)
app.command("plan", cls=PlainCommand, epilog=plan.EXAMPLES)(plan.plan)
app.command("resume", cls=PlainCommand, epilog=resume.EXAMPLES)(resume.resume)
app.command("report", cls=PlainCommand, epilog=report.EXAMPLES)(report.report)
app.command("export", cls=PlainCommand, epilog=export.EXAMPLES)(export.export)
app.command("show", cls=PlainCommand, epilog=show_command.EXAMPLES)(show_command.show_hand)
app.command("analyze", cls=PlainCommand, epilog=analyze.EXAMPLES)(analyze.analyze)
app.command("compare", cls=PlainCommand, epilog=compare.EXAMPLES)(compare.compare)
app.command("ladder", cls=PlainCommand, epilog=ladder.EXAMPLES)(ladder.ladder)
app.command("bench", cls=PlainCommand, epilog=bench.EXAMPLES)(bench.bench)
app.add_typer(rules_app, name="rules")
rules_app.command("list", cls=PlainCommand, epilog=rules.LIST_EXAMPLES)(rules.list_presets)
rules_app.command("show", cls=PlainCommand, epilog=rules.SHOW_EXAMPLES)(rules.show_rules)
rules_app.command("diff", cls=PlainCommand, epilog=rules.DIFF_EXAMPLES)(rules.diff_rules)
app.add_typer(agents_app, name="agents")
agents_app.command("list", cls=PlainCommand, epilog=agents.LIST_EXAMPLES)(agents.list_agents)
agents_app.command("show", cls=PlainCommand, epilog=agents.SHOW_EXAMPLES)(agents.show_agent)
agents_app.command("check", cls=PlainCommand, epilog=agents_check.EXAMPLES)(agents_check.check_agents)
agents_app.command("new", cls=PlainCommand, epilog=agents_new.EXAMPLES)(agents_new.new_agent)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        show(f"sixtysix {version('sixtysix')}")
        raise typer.Exit(0)


@app.callback()
def sixtysix(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Tournaments and simulations of the card games Sixty-Six and Schnapsen."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; without `arguments`, those of this process, which ends then."""
    if arguments is not None:
        return _run(arguments)
    # Python's search for garbage finds next to none in what a command loads, but takes a third of its time: a quarter
    # of a second while modules are loaded, and more when the process ends.
    gc.set_threshold(100_000, 50, 50)
    status = _run(sys.argv[1:])
    gc.freeze()
    return status


def _run(arguments: Sequence[str]) -> int:
    prepare_streams()
    try:
        status = app(arguments, prog_name="sixtysix", standalone_mode=False)
    except typer.TyperException as error:
        return _refuse_line(error)
    except SixtySixError as error:
        return _refuse("\n".join([str(error), *getattr(error, "__notes__", ())]), error.status)
    except OSError as error:
        give_up(sys.stdout)
        return _refuse(f"{error.filename}: {why(error)}" if error.filename else why(error), ExitStatus.FAILED)
    except KeyboardInterrupt:
        return ExitStatus.INTERRUPTED
    return status if isinstance(status, int) else ExitStatus.DONE


def _refuse_line(error: typer.TyperException) -> ExitStatus:
    """Say what is wrong with a command line; one without a command has the help as its message."""
    message = error.format_message()
    if message.startswith("Usage:"):
        advise(message)
        return ExitStatus.USAGE
    context = getattr(error, "ctx", None)
    return _refuse(message, ExitStatus.USAGE, context.command_path if context else "sixtysix")


def _refuse(message: str, status: ExitStatus, command: str = "") -> ExitStatus:
    advise(f"error: {message}")
    if command:
        advise(f"try: {command} --help")
    return status

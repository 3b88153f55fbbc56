"""``sixtysix agents check``: whether agents keep their contract."""

import json
import shutil
import sys
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.options import AsJson, Quiet, examples, whole_number
from harness.cli.output import adviser, show, wrapped
from harness.errors import ExitStatus, UsageError

if TYPE_CHECKING:
    from harness.play.conformance.suite import Findings
    from harness.play.conformance.verdict import Verdict

EXAMPLES = examples(
    "sixtysix agents check normal",
    "sixtysix agents check my_bot.py:MyBot my_bot.py:MyBot:greed=3",
    "sixtysix agents check my_bot.py:MyBot --rules schnapsen,bicycle --hands 500",
    "sixtysix agents check 'cmd:./my_bot.py --greed 3'",
)
_MARKS = {"ok": "ok", "fail": "FAIL", "skip": "skip"}
_MOST_HANDS = 100_000
_NOTE_COLUMN = 22
_COLUMNS = 80
_SCHEMA = 1


def check_agents(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME...",
            show_default=False,
            help="The agents: NAME, MODULE:CLASS, PATH.py:CLASS or cmd:COMMAND, with parameters as in easy:slip=0.3.",
        ),
    ],
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            metavar="NAME,NAME",
            show_default=False,
            help="Presets or rules files to play by, with commas between.  [default: all presets]",
        ),
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option(
            "--hands",
            metavar="N",
            parser=whole_number,
            show_default=False,
            help="Hands by each rule set against random, and as many against itself.  [default: 2 to 40, by its speed]",
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> int:
    """Check that agents keep their contract: legal, reproducible, blind to hidden cards, without memory.

    Ends with status 3 if a check fails.
    """
    from harness.game.presets import load_rules, preset_names
    from harness.run.agents import load_agents
    from harness.run.clean_stdout import clean_stdout

    if hands is not None and not 2 <= hands <= _MOST_HANDS:
        raise UsageError(f"hands = {hands}: must be a whole number from 2 to {_MOST_HANDS:,}")
    rule_sets = [load_rules(name.strip()) for name in (preset_names() if rules is None else rules.split(","))]
    load_agents(names, adviser(quiet))

    from harness.play.conformance.suite import check_agent

    tell = _progress(quiet)
    findings = []
    for name in names:
        try:
            with clean_stdout():
                findings.append(check_agent(name, rule_sets, hands, tell))
        finally:
            tell("")
        if not as_json:
            show(f"{_page(findings[-1], len(rule_sets))}\n")
    n_passed = sum(found.passed for found in findings)
    if as_json:
        show(_as_json(findings))
    else:
        show(f"{n_passed} of {len(findings)} agent{'s' * (len(findings) > 1)} passed all checks")
    return ExitStatus.DONE if n_passed == len(findings) else ExitStatus.AGENT_FAULT


def _progress(quiet: bool) -> Callable[[str], None]:
    """Return what shows on a terminal what is being done, in one line that is written over."""
    if quiet or not sys.stderr or not sys.stderr.isatty():
        return lambda text: None
    terminal = sys.stderr

    def tell(text: str) -> None:
        shown = text[: shutil.get_terminal_size().columns - 1]
        terminal.write(f"\r{shown}\x1b[K")
        terminal.flush()

    return tell


def _as_json(findings: "list[Findings]") -> str:
    from dataclasses import asdict

    agents = [{**asdict(found), "passed": found.passed} for found in findings]
    content = {"schema": _SCHEMA, "passed": all(found.passed for found in findings), "agents": agents}
    return json.dumps(content, indent=2, ensure_ascii=False)


def _page(found: "Findings", n_rules: int) -> str:
    """List the checks of an agent, one a line, and all that helps to mend a failure."""
    sets = "1 rule set" if n_rules == 1 else f"{n_rules} rule sets"
    heading = f"{found.agent}  {found.kind}; {found.n_hands} hands against random and {found.n_hands} against itself"
    return "\n".join(
        [wrapped(f"{heading}, by {sets}"), *(line for verdict in found.verdicts for line in _lines(verdict))]
    )


def _lines(verdict: "Verdict") -> list[str]:
    head = f"  {_MARKS[verdict.outcome]:<4}  {verdict.check:<13} "
    lines = textwrap.wrap(
        verdict.note, _COLUMNS, initial_indent=head, subsequent_indent=" " * _NOTE_COLUMN, break_on_hyphens=False
    )
    return lines + [f"{' ' * 8}{line}".rstrip() for line in _help(verdict)]


def _help(verdict: "Verdict") -> list[str]:
    """Tell how to mend a failure and how to see it."""
    lines = []
    if len(verdict.rules) > 1:
        lines += _wrapped(f"also under {', '.join(verdict.rules[1:])}")
    if verdict.hint:
        lines += _wrapped(f"hint: {verdict.hint}")
    lines += verdict.story.rstrip().splitlines()
    if verdict.place is not None:
        if verdict.place.command:
            lines.append(f"see the hand: {verdict.place.command}")
        lines += ["the hand so far:", *(f"  {line}" for line in verdict.place.hand.rstrip().splitlines())]
    return lines


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _COLUMNS - 8, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)

"""The options that commands share, each with its help, its environment variable and its place in `RunConfig`.

Only the standard library and Typer are imported here and in the other files of this room: ``--help`` has to be quick.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from harness.errors import UsageError


def whole_number(text: str) -> int:
    """Read a number as the command line and the environment have it; 100_000 is one, too."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f'"{text}" is not a whole number') from None


def number(text: str) -> float:
    """Read a number as the command line and the environment have it."""
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f'"{text}" is not a number') from None


First: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="A",
        show_default=False,
        help="The first agent: NAME, MODULE:CLASS, PATH.py:CLASS or 'cmd:PROGRAM ARGUMENTS'.",
    ),
]
Second: TypeAlias = Annotated[
    str, typer.Argument(metavar="B", show_default=False, help="The second agent; parameters as in easy:slip=0.3.")
]


def _setting(name: str, metavar: str, text: str, parser: Callable[[str], object] | None = None) -> Any:
    """Return an option that its environment variable can give as well, as SIXTYSIX_DEALS for ``--deals``."""
    variable = f"SIXTYSIX_{name.removeprefix('--').upper().replace('-', '_')}"
    return typer.Option(name, metavar=metavar, parser=parser, envvar=variable, show_default=False, help=text)


RulesName: TypeAlias = Annotated[
    str | None,
    _setting("--rules", "NAME", 'A preset ("sixtysix rules list") or the path of a rules file.  [default: sixtysix]'),
]
RuleChanges: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="FIELD=VALUE",
        show_default=False,
        help="Change one field of the rules, as in close.graded=closing; may be given several times.",
    ),
]
Deals: TypeAlias = Annotated[
    int | None,
    _setting(
        "--deals",
        "N",
        "Deals of each pairing; every deal is played twice, with the seats swapped.  [default: 10000]",
        whole_number,
    ),
]
Seed: TypeAlias = Annotated[
    int | None, _setting("--seed", "N", "Seed of the packs and of the agents' luck.  [default: 1]", whole_number)
]
Anchor: TypeAlias = Annotated[
    str | None, _setting("--anchor", "AGENT", "The agent whose rating is zero.  [default: the mean of all]")
]
FormatName: TypeAlias = Annotated[
    str | None,
    _setting(
        "--format",
        "FORMAT",
        "round-robin, gauntlet (the first against all) or ladder (each against the next).  [default: round-robin]",
    ),
]
Workers: TypeAlias = Annotated[
    int | None,
    _setting(
        "--workers",
        "N",
        "Worker processes; the result does not depend on them.  [default: the number of cores]",
        whole_number,
    ),
]
Record: TypeAlias = Annotated[
    str | None,
    _setting(
        "--record", "WHAT", "Keep hands (how each ended) or actions (every card, too) in the run.  [default: none]"
    ),
]
OnFault: TypeAlias = Annotated[
    str,
    typer.Option(
        "--on-fault",
        metavar="WHAT",
        envvar="SIXTYSIX_ON_FAULT",
        help="A fault of an agent: forfeit the hand (-3 game points), or abort the run.",
    ),
]
MoveLimit: TypeAlias = Annotated[
    float | None, _setting("--move-limit", "SECONDS", "Time of an agent for a move.  [default: 10]", number)
]
HandLimit: TypeAlias = Annotated[
    float | None, _setting("--hand-limit", "SECONDS", "Time for its moves of a hand.  [default: 60]", number)
]
StartLimit: TypeAlias = Annotated[
    float | None, _setting("--start-limit", "SECONDS", "Time of a program until it is ready.  [default: 10]", number)
]
MemoryLimit: TypeAlias = Annotated[
    float | None,
    _setting("--memory-limit", "MB", "Memory that agents may take in a worker, or a program.  [default: 2048]", number),
]
MatchPlay: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--match-play",
        help="Whole matches to the target of the rules, not single hands; a deal is then a pair of matches.",
    ),
]
Out: TypeAlias = Annotated[Path | None, _setting("--out", "DIR", "Folder of the run.  [default: results/NAME-DIGEST]")]
Replace: TypeAlias = Annotated[
    bool, typer.Option("--replace", help="Delete the run that is in the folder, and play it again.")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print the numbers as JSON and nothing else.")]
Plot: TypeAlias = Annotated[
    bool, typer.Option("--plot", help="Draw the figures and the page report.html into the report, too.")
]
Open: TypeAlias = Annotated[bool, typer.Option("--open", help="Open that page in the browser; draws it first.")]
Quiet: TypeAlias = Annotated[
    bool, typer.Option("--quiet", envvar="SIXTYSIX_QUIET", help="No progress and no advice on stderr.")
]


def given(**settings: object) -> dict[str, object]:
    """Return the settings that an option or the environment has given; None is for those that have not been."""
    return {name: value for name, value in settings.items() if value is not None}


def half_width(option: str, text: str) -> tuple[str, float]:
    """Read a half-width with its unit; returns the scale by its name in `harness.run.stop.SCALES`, and the width."""
    found = re.fullmatch(r"([0-9.eE+-]+)\s*(gp|elo)", text.strip(), re.IGNORECASE)
    try:
        width = float(found[1]) if found else 0.0
    except ValueError:
        width = 0.0
    if not found or not width > 0:
        raise UsageError(f'{option} = "{text}": must be a half-width above 0 with its unit, as in 0.02gp or 5elo')
    return ("points" if found[2].lower() == "gp" else "elo"), width


def play_of(match_play: bool) -> str | None:
    """Return the setting of ``--match-play``; None where it has not been given."""
    return "matches" if match_play else None


def limits_given(
    move: float | None, hand: float | None, start: float | None, memory: float | None
) -> dict[str, object] | None:
    """Return the limits that have been given, by the names of `harness.agent_api.limits.Limits`; None for none."""
    return given(move_seconds=move, hand_seconds=hand, start_seconds=start, memory_mb=memory) or None


def examples(*lines: str) -> str:
    """Return the end of a command's help: commands to try, one a line."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])

"""``sixtysix agents new``: the beginning of a bot."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options import Quiet, examples
from harness.cli.output import adviser, show, unbroken

EXAMPLES = examples(
    "sixtysix agents new my_bot",
    "sixtysix agents new Quick --kind compiled --out bots/quick.py",
    "sixtysix agents new outsider --kind program",
)


def new_agent(
    name: Annotated[
        str, typer.Argument(metavar="NAME", show_default=False, help="Name of the bot, as in my_bot or MyBot.")
    ],
    kind: Annotated[
        str,
        typer.Option(
            "--kind", metavar="KIND", help="python; compiled, which is quick; or program, for any other language."
        ),
    ] = "python",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", show_default=False, help="The file.  [default: NAME.py]")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Write a new bot that works: a file to change."""
    from harness.agent_api.scaffold import plan_scaffold, write_scaffold

    scaffold = plan_scaffold(name, kind, out)
    write_scaffold(scaffold)
    show(str(scaffold.path))
    agent = shlex.quote(scaffold.agent)
    steps = (
        f"what now:  sixtysix agents check {agent}",
        f"           sixtysix pit {agent} random --deals 200",
        f"           change choose in {scaffold.path}, and again",
    )
    adviser(quiet)(unbroken("\n".join(steps)))

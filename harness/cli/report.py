"""``sixtysix report``: the report of a run, made again."""

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options import AsJson, Open, Quiet, examples

EXAMPLES = examples(
    "sixtysix report results/normal-vs-easy-1a2b3c4d",
    "sixtysix report results/normal-vs-easy-1a2b3c4d --open",
    "sixtysix report results/normal-vs-easy-1a2b3c4d --json",
)


def report(
    folder: Annotated[
        Path, typer.Argument(metavar="RUN", show_default=False, help="The folder of a run, as it was printed.")
    ],
    open_: Open = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Make the report of a run again, and print it.

    Its database is enough: no hand is played, and no agent is needed. A run that was stopped has a report of what it
    has played.
    """
    from harness.cli.browser import open_page
    from harness.cli.reporting import make_report, print_report
    from harness.run.folder import reopened_folder

    with reopened_folder(folder):
        made = make_report(folder, plot=True)
    print_report(made, quiet=quiet, as_json=as_json)
    if open_ and made.files.page is not None:
        open_page(made.files.page)

"""``sixtysix report``: the report of a run or of a comparison, made again."""

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options import AsJson, Open, Quiet, examples

EXAMPLES = examples(
    "sixtysix report results/normal-vs-easy-1a2b3c4d",
    "sixtysix report results/normal-vs-easy-1a2b3c4d --open",
    "sixtysix report results/normal-vs-easy-1a2b3c4d --json",
    "sixtysix report results/compare-normal-vs-easy-5e6f7a8b",
)


def report(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="RUN", show_default=False, help="The folder of a run or of a comparison, as it was printed."
        ),
    ],
    open_: Open = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Make the report of a run or a comparison again.

    It is printed, and written with figures and a page. The databases are enough: no hand is played, and no agent is
    needed. A run that was stopped has a report of what it has played.
    """
    from harness.cli.browser import open_page
    from harness.cli.reporting import make_report, print_report
    from harness.run.comparison import is_comparison
    from harness.run.folder import reopened_folder

    if is_comparison(folder):
        _of_comparison(folder, open_, as_json, quiet)
        return
    with reopened_folder(folder):
        made = make_report(folder, plot=True)
    print_report(made, quiet=quiet, as_json=as_json)
    if open_ and made.files.page is not None:
        open_page(made.files.page)


def _of_comparison(folder: Path, open_: bool, as_json: bool, quiet: bool) -> None:
    from harness.cli.comparing import make_comparison, tell_comparison
    from harness.cli.playing import Playing
    from harness.run.comparison import read_comparison

    playing = Playing(None, quiet, as_json, "forfeit", plot=True, opens=open_)
    tell_comparison(make_comparison(read_comparison(folder), playing.draws), folder, playing)

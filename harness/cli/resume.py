"""``sixtysix resume``: go on with a run."""

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options import AsJson, OnFault, Open, Plot, Quiet, Workers, examples

EXAMPLES = examples(
    "sixtysix resume results/normal-vs-easy-1a2b3c4d",
    "sixtysix resume results/normal-vs-easy-1a2b3c4d --workers 8 --quiet",
)


def resume(
    folder: Annotated[
        Path, typer.Argument(metavar="RUN", show_default=False, help="The folder of a run, as it was printed.")
    ],
    workers: Workers = None,
    on_fault: OnFault = "forfeit",
    plot: Plot = False,
    open_: Open = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> int:
    """Go on with a run that was stopped, for whatever reason.

    Only what it lacks is played, and the result is that of a run which was never stopped. A complete run is only
    reported.
    """
    from harness.cli.output import adviser, unbroken
    from harness.cli.playing import Playing, at_home, growth_command, play_more
    from harness.run.folder import reopened_folder
    from harness.run.so_far import read_so_far

    folder = at_home(folder)
    with reopened_folder(folder):
        so_far = read_so_far(folder)
    if not so_far.lacks(so_far.config):
        command = unbroken(growth_command(folder))
        adviser(quiet)(f"note: the run is complete; to add agents or deals: {command} …")
    return play_more(folder, so_far, so_far.config, Playing(workers, quiet, as_json, on_fault, plot, open_))

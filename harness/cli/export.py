"""``sixtysix export``: the tables of a run for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options import AsJson, Quiet, examples

EXAMPLES = examples(
    "sixtysix export results/normal-vs-easy-1a2b3c4d",
    "sixtysix export results/normal-vs-easy-1a2b3c4d --format parquet,pgn --out tables",
)


def export(
    folder: Annotated[
        Path, typer.Argument(metavar="RUN", show_default=False, help="The folder of a run, as it was printed.")
    ],
    formats: Annotated[
        str,
        typer.Option("--format", metavar="FORMATS", help="Some of csv, parquet, json and pgn, separated by commas."),
    ] = "csv",
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", show_default=False, help="Folder of the files.  [default: RUN/export]"),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace files that are there.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write the tables of a run into files.

    There is one for each table and format. The tables are deals, faults, endings, pairings and agents, and hands where
    the run has recorded them. JSON has an object on each line. PGN is one file with a game for each hand, headers only,
    as Ordo and BayesElo read it; White is the agent that leads first. A run that was stopped is exported as far as it
    has been played.
    """
    import json

    from harness.cli.output import adviser, show, table
    from harness.run.folder import reopened_folder
    from harness.store.export import export_run, parse_formats
    from harness.store.reader import open_run
    from harness.store.rows import EXPORT_FOLDER

    tell = adviser(quiet)
    names = parse_formats(formats)
    target = folder / EXPORT_FOLDER if out is None else out
    with reopened_folder(folder, only_reads=True), open_run(folder) as run:
        files = export_run(run, target, names, replace)
        is_complete = run.complete
    if as_json:
        show(json.dumps([{"file": str(file.path), "rows": file.n_rows} for file in files], indent=2))
    else:
        show(table([(str(file.path), f"{file.n_rows:,} rows") for file in files]))
    if not is_complete:
        tell("note: the run is not complete: the files hold what has been played")

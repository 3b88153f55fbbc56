"""The page of a report in the user's browser."""

from pathlib import Path


def open_page(page: Path) -> None:
    """Open a page in the browser; where there is none, or it fails, say where the page is.

    Whatever the browser prints goes to stderr, since stdout is for results.
    """
    import webbrowser

    from harness.cli.output import adviser, unbroken
    from harness.run.clean_stdout import clean_stdout

    with clean_stdout():
        try:
            opened = webbrowser.get().open(page.absolute().as_uri())
        except webbrowser.Error:
            opened = False
    if not opened:
        adviser(False)(f"note: no browser can be opened here; the page is {unbroken(str(page))}")

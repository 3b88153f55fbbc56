"""Pages of reports as tests read them, and runs to make them of."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from harness.report.analysis import analyse
from harness.report.figures.kinds import Chart
from harness.report.page.run_page import run_page
from tests.helpers.runs import MadeUpRun, summarise

NASTY = "<b>&\"'$x$</b>"
"""A name that breaks whatever is not escaped."""
SVG = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="648pt" height="200pt" viewBox="0 0 648 200"
 xmlns="http://www.w3.org/2000/svg" version="1.1">
 <metadata><rdf xmlns="http://example.org/">words</rdf></metadata>
 <defs><style type="text/css">*{stroke-linejoin: round}</style></defs>
 <g id="figure_1"><!-- a <name> --><path id="p" d="M 0 0 h 600 v 150 z" clip-path="url(#box)" style="fill: url(#no)"/>
 <use xlink:href="#p" x="3"/></g>
</svg>
"""


@dataclass
class Table:
    """A table: its caption, its headings, and by row the texts of the cells and the values they are sorted by."""

    caption: str = ""
    heads: list[str] = field(default_factory=list)
    texts: list[list[str]] = field(default_factory=list)
    values: list[list[str | None]] = field(default_factory=list)

    def column(self, head: str) -> list[tuple[str, str | None]]:
        """Texts and values of a column."""
        k = self.heads.index(head)
        return [(texts[k], values[k]) for texts, values in zip(self.texts, self.values, strict=True)]


class Page(HTMLParser):
    """What a page holds: its elements with their attributes, its texts, its tables, and its commands."""

    def __init__(self, text: str):
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.tables: list[Table] = []
        self.commands: list[str] = []
        self._inside: list[str] = []
        self.feed(text)

    def table(self, start: str) -> Table:
        """Find the table whose caption starts so."""
        return next(table for table in self.tables if table.caption.startswith(start))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.elements.append((tag, attributes))
        if tag != "meta":
            self._inside.append(tag)
        if tag == "table":
            self.tables.append(Table())
        elif tag == "tr" and "tbody" in self._inside:
            self.tables[-1].texts.append([])
            self.tables[-1].values.append([])
        elif tag in ("th", "td") and "tbody" in self._inside:
            self.tables[-1].texts[-1].append("")
            self.tables[-1].values[-1].append(attributes.get("data-value"))
        elif tag == "th":
            self.tables[-1].heads.append("")
        elif tag == "code":
            self.commands.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._inside.pop() == tag

    def handle_data(self, data: str) -> None:
        data = data.replace("\u00a0", " ")
        self.texts.append(data)
        if "caption" in self._inside:
            self.tables[-1].caption += data
        elif "tbody" in self._inside:
            self.tables[-1].texts[-1][-1] += data
        elif "thead" in self._inside:
            self.tables[-1].heads[-1] += data
        elif "code" in self._inside:
            self.commands[-1] += data


def chart(name: str, title: str = "A figure") -> Chart:
    """Make a figure whose picture is `SVG`."""
    return Chart(name=name, title=title, caption=f"caption of {name}", alt=f"alt of {name}")


def page_of(run: MadeUpRun, figures: Sequence[str] = ("ratings",), missing: Sequence[str] = ()) -> str:
    """Build the page of a run with pictures of these names."""
    charts = [chart(name) for name in figures]
    summary = summarise(run) | {"stop": None}
    return run_page(run, analyse(run), summary, charts, missing, dict.fromkeys(figures, SVG))

"""The page in whole: head, opening, sections. It has no address in it, and a browser is told to ask for none."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from harness.report.page.blocks import contents
from harness.report.page.markup import Html, element

_POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        "script-src 'sha256-{}'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
)
"""Nothing is loaded, and no script runs but the one below; figures have style attributes, and scales of colour are
images inside the page."""
_SUITS: Final = Html('<span class="suits" aria-hidden="true">♠<i>♥</i>♣<i>♦</i></span>')


@dataclass(frozen=True)
class Section:
    """A part of a page with a heading of its own, and the anchor that links lead to."""

    anchor: str
    title: str
    blocks: Sequence[Html]


def build_page(title: str, kind: str, opening: Sequence[Html], sections: Sequence[Section]) -> str:
    """Build a page.

    Parameters
    ----------
    title
        What it is about.
    kind
        What stands above the title.
    opening
        What stands below it.
    sections
        The rest; those without blocks are left out.

    """
    shown = [section for section in sections if any(section.blocks)]
    header = element("header", element("p", _SUITS, kind, class_="kind"), element("h1", title), *opening)
    body = element(
        "body",
        element("a", "Skip to the sections", class_="skip", href="#sections"),
        header,
        contents([(section.anchor, section.title) for section in shown]),
        element("main", *(_section(section) for section in shown), id="sections"),
        element("script", Html(_script())),
    )
    return f"<!DOCTYPE html>\n{element('html', _head(title), body, lang='en')}\n"


def _section(section: Section) -> Html:
    heading = element("h2", section.title, id=f"{section.anchor}-title")
    return element("section", heading, *section.blocks, id=section.anchor, aria_labelledby=f"{section.anchor}-title")


def _head(title: str) -> Html:
    digest = base64.b64encode(hashlib.sha256(_script().encode()).digest()).decode()
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY.format(digest)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{title} · sixtysix"),
        element("style", Html(_data("style.css"))),
    )


def _script() -> str:
    return _data("sort.js")


@cache
def _data(name: str) -> str:
    """Read a file of this package; line ends as they are in the sources, whatever the system."""
    text = (resources.files("harness.report.page") / name).read_text(encoding="utf-8")
    return "\n".join(text.splitlines())

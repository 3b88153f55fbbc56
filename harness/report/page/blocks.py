"""What a page is made of besides tables and figures: sentences, lists, facts, commands."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from harness.report.page.markup import Html, element, join
from harness.report.words import tie

MOST_ADVICE: Final = 6
"""Sentences of advice that are not folded."""


def paragraph(*pieces: str, class_: str | None = None) -> Html:
    """Write a paragraph."""
    return element("p", *map(_tied, pieces), class_=class_)


def note(*sentences: str) -> Html:
    """Write what stands small below a table or a figure; nothing where there is nothing to say."""
    return paragraph(" ".join(sentences), class_="note") if any(sentences) else Html()


def bullets(sentences: Iterable[str], class_: str | None = None) -> Html:
    """Write a list of sentences."""
    return element("ul", *(element("li", _tied(sentence)) for sentence in sentences), class_=class_)


def advice(sentences: Sequence[str]) -> list[Html]:
    """Write what to know before trusting the numbers, the gravest first; of many, the rest is folded."""
    first, rest = sentences[:MOST_ADVICE], sentences[MOST_ADVICE:]
    more = [folded(f"{len(rest)} more", bullets(rest))] if rest else []
    return [element("div", bullets(first), *more, class_="advice")] if first else []


def facts(values: Mapping[str, str], class_: str = "facts") -> Html:
    """Write names with their values."""
    pairs = (element("div", element("dt", name), element("dd", value)) for name, value in values.items())
    return element("dl", *pairs, class_=class_)


def command(about: str, line: str) -> Html:
    """Write a command with what it does; it is one line to be copied, wherever it is broken on the screen."""
    return join([paragraph(about, class_="about"), code(line, about)])


def code(text: str, label: str) -> Html:
    """Write text as a program takes it; `label` is what a screen reader calls it."""
    return element("pre", element("code", text), role="group", aria_label=label)


def folded(summary: str, *blocks: Html) -> Html:
    """Write blocks that are shown when they are asked for, and always in print."""
    return element("details", element("summary", summary), *blocks)


def contents(sections: Sequence[tuple[str, str]]) -> Html:
    """Write links to the sections of the page, by anchor and title."""
    links = (element("li", element("a", title, href=f"#{anchor}")) for anchor, title in sections)
    return element("nav", element("ul", *links), aria_label="Sections of this page")


def _tied(text: str) -> str:
    return text if isinstance(text, Html) else tie(text)

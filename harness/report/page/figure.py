"""A figure inside the page: its SVG, made fit to stand beside others, with a text for those who do not see it."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Final

from harness.report.figures.kinds import Chart
from harness.report.page.markup import Html, element
from harness.report.words import tie

_LINK: Final = "{http://www.w3.org/1999/xlink}href"
_REFERENCE: Final = re.compile(r"url\(#([^)]*)\)")
_LEFT_OUT: Final = frozenset({"metadata", "style", "script", "title", "desc"})
"""Parts of an SVG that do not belong into a page; what matplotlib's style says stands in style.css."""
_POINTS_A_REM: Final = 10.0
"""How large a figure is where there is room: its letters are then about as large as those of the page."""


def figure(chart: Chart, svg: str) -> Html:
    """Write a figure; where the window is narrow it scrolls in a box of its own, with its caption below.

    Title and caption are drawn in the figure itself; elsewhere the text is for those who do not see it.
    """
    box = element(
        "div",
        inline_svg(svg, chart.name, chart.alt),
        class_="plate",
        tabindex=0,
        role="region",
        aria_label=chart.title,
    )
    return element("figure", box, element("figcaption", tie(chart.caption)), id=f"figure-{chart.name}")


def inline_svg(svg: str, name: str, alt: str) -> Html:
    """Make an SVG file a part of a page.

    Its names get `name` before them, so that those of two figures differ; its own style sheet, which would hold for
    the whole page, is left out.
    """
    root = ET.fromstring(svg)
    for parent in list(root.iter()):
        for child in list(parent):
            if not isinstance(child.tag, str) or _local(child.tag) in _LEFT_OUT:
                parent.remove(child)
    for node in root.iter():
        node.tag = _local(node.tag)
        node.attrib = dict(_attributes(node.attrib, name))
    width = re.match(r"[0-9.]+", root.attrib.pop("width", ""))
    root.attrib.pop("height", None)
    root.attrib |= {"role": "img", "aria-label": alt}
    if width:
        root.attrib["style"] = f"max-width:{float(width[0]) / _POINTS_A_REM:.1f}rem"
    return Html(ET.tostring(root, encoding="unicode"))


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _attributes(given: dict[str, str], name: str) -> Iterator[tuple[str, str]]:
    for key, value in given.items():
        if key in (_LINK, "href"):
            yield "href", value.replace("#", f"#{name}-", 1)
        elif key == "id":
            yield key, f"{name}-{value}"
        else:
            yield _local(key), _REFERENCE.sub(rf"url(#{name}-\1)", value)

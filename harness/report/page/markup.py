"""Pieces of HTML, in which everything is escaped that is not HTML already."""

import html
from collections.abc import Iterable
from typing import Final

_VOID: Final = frozenset({"meta"})
"""Those of the page's elements that have no end tag."""


class Html(str):
    """Text that is HTML; any other text is escaped on its way into the page."""

    __slots__ = ()


def element(tag: str, *children: str, **attributes: str | int | float | bool | None) -> Html:
    """Write an element.

    Parameters
    ----------
    tag
        Its name.
    children
        What is in it; text that is not Html is escaped.
    attributes
        ``class_`` is class, ``data_value`` data-value. True is an attribute without a value; None and False leave
        it out.

    """
    given = "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in _VOID:
        return Html(f"<{tag}{given}>")
    return Html(f"<{tag}{given}>{join(children)}</{tag}>")


def join(pieces: Iterable[str]) -> Html:
    """Put pieces one after another; text that is not Html is escaped."""
    return Html("".join(piece if isinstance(piece, Html) else html.escape(piece, quote=False) for piece in pieces))


def _attribute(name: str, value: str | int | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{html.escape(str(value))}"'

"""Positions as the text of a file that `harness.game.position_file` reads."""

import json
from collections.abc import Iterator, Sequence

from harness.core.cards import MELD
from harness.game.notation import action_text, card_text, cards_text, suit_text
from harness.game.position import THEM, Position
from harness.game.position_checks import SIDES
from harness.game.presets import rules_text
from harness.game.rules import toml_text

_WIDTH = 30


def write_position(position: Position, remarks: Sequence[str] = ()) -> str:
    """Write a position as the text of a file, which read back gives it again; `remarks` are lines of commentary."""
    lines = [f"# {remark}".rstrip() for remark in remarks]
    for key, value, meaning in _entries(position):
        line = f"{key} = {value}"
        lines.append(f"{line:<{_WIDTH}}  # {meaning}" if meaning else line)
    return "\n".join([*lines, *_history(position)]) + "\n"


def _history(position: Position) -> Iterator[str]:
    """Write the actions, those of a trick in one line."""
    if not position.history:
        return
    yield "history = ["
    line: list[str] = []
    n_cards = 0
    for entry in position.history:
        action = entry & 63
        line.append(f'"{entry >> 6} {action_text(action)}",')
        n_cards += action < MELD
        if action < MELD and n_cards % 2 == 0:
            yield f"    {' '.join(line)}"
            line = []
    if line:
        yield f"    {' '.join(line)}"
    yield "]"


def _entries(position: Position) -> Iterator[tuple[str, str, str]]:
    """Yield key, value and meaning of each line; what is the default is left out."""
    if position.about:
        yield "about", json.dumps(position.about, ensure_ascii=False), ""
    yield "rules", toml_text(rules_text(position.rules)), ""
    yield "trump", toml_text(suit_text(position.trump)), ""
    yield from _stock_entries(position)
    yield "hand", _cards(position.hand), ""
    if position.theirs:
        yield "theirs", _cards(position.theirs), "known to be in the other hand"
    if position.shown:
        yield "shown", _cards(position.shown), "known to the other side"
    if position.gone:
        yield "gone", _cards(position.gone), ""
    if position.led is not None:
        yield "led", toml_text(card_text(position.led)), "the card to reply to"
    if position.announced is not None:
        yield "announced", toml_text(suit_text(position.announced)), "the marriage of this lead"
    for key in ("points", "pending", "tricks", "score"):
        pair = getattr(position, key)
        if key in ("points", "tricks") or any(pair):
            yield key, f"[{pair[0]}, {pair[1]}]", "mine, theirs" if key == "points" else ""
    yield from _close_entries(position)
    if position.dealer != THEM:
        yield "dealer", toml_text(SIDES[position.dealer]), ""
    if position.carry:
        yield "carry", str(position.carry), ""


def _stock_entries(position: Position) -> Iterator[tuple[str, str, str]]:
    if position.turned_up is not None:
        yield "turned_up", toml_text(card_text(position.turned_up)), ""
    if position.stock:
        yield "stock", toml_text(cards_text(position.stock)), "in the order of drawing"
    else:
        yield "stock", str(position.n_stock), "cards, the turned-up one counted" if position.n_stock else ""


def _close_entries(position: Position) -> Iterator[tuple[str, str, str]]:
    if position.closer is None:
        return
    yield "closer", toml_text(SIDES[position.closer]), ""
    yield "closed_points", str(position.closed_points), "of the other side, at the close"
    yield "closed_tricks", str(position.closed_tricks), ""
    if position.rules.close.before_draw:
        yield "closed_before_draw", "true" if position.closed_before_draw else "false", ""


def _cards(mask: int) -> str:
    return toml_text(cards_text(mask))

"""The public history of a position: whether it leads there.

The actions are carried out by the rules, between hands without cards, as nobody knows who held what in the meantime.
"""

from collections.abc import Iterator
from typing import Any

from harness.core.apply import apply
from harness.core.cards import CLOSE, DRAW, EXCHANGE, MELD
from harness.core.deal import deal_unseen
from harness.core.legal import stock_is_open
from harness.core.records import DRAW_OR_CLOSE, OVER, REPLY, STATE_DTYPE, records
from harness.game.notation import action_text, cards_text
from harness.game.position import ME, THEM, Position

MOST_ACTIONS = 48
"""More than any hand has."""


def faults_of_history(position: Position) -> Iterator[str]:
    """Yield why the history of a position cannot have led to it: the first action that cannot be, or how it ends."""
    if not position.history:
        return
    rules, s = position.rules.record()[0], records(STATE_DTYPE)[0]
    deal_unseen(s, rules, position.trump)
    for number, entry in enumerate(position.history, start=1):
        seat, action = entry >> 6, entry & 63
        if (reason := _why_not(s, seat, action)) is not None:
            yield f'history: its action {number}, "{seat} {action_text(action)}": {reason}'
            return
        apply(s, rules, action)
    yield from _differences(position, s)


def _why_not(s: Any, seat: int, action: int) -> str | None:
    """Say why an action has no place after those before it; whether it was legal only the hidden cards can tell."""
    is_before_draw = s.phase == DRAW_OR_CLOSE
    if s.phase == OVER:
        return "the hand is over"
    if seat != s.to_move:
        return f"seat {s.to_move} is to move"
    if is_before_draw and action not in (DRAW, CLOSE):
        return "CLOSE or DRAW has to be chosen first (close.before_draw = true)"
    if action == DRAW and not is_before_draw:
        return "cards are drawn without a choice here"
    if action < MELD and (s.gone >> action & 1 or s.led == action):
        return "this card has been played"
    if action == CLOSE and not stock_is_open(s):
        return "the stock is not open"
    if MELD <= action != EXCHANGE and s.phase == REPLY:
        return f"it belongs to a lead, and seat {seat} has to reply"
    return None


def _differences(position: Position, s: Any) -> Iterator[str]:
    """Yield in what the end of a history is another position; marriages declared by leading cannot be seen in it."""
    me, them = position.seat, 1 - position.seat
    facts = [
        ("gone", cards_text(int(s.gone)) or "-", cards_text(position.gone) or "-"),
        ("led", _cards(int(s.led)), _cards(-1 if position.led is None else position.led)),
        ("tricks", f"[{s.tricks[me]}, {s.tricks[them]}]", f"[{position.tricks[ME]}, {position.tricks[THEM]}]"),
        ("stock", f"{s.n_stock}", f"{position.n_stock}"),
        ("closer", _side(int(s.closer), me), "nobody" if position.closer is None else ("me", "them")[position.closer]),
        ("the seat to move", f"{s.to_move}", f"{me}"),
    ]
    if not position.rules.marriage.automatic:
        facts.append(
            ("points", f"[{s.points[me]}, {s.points[them]}]", f"[{position.points[ME]}, {position.points[THEM]}]")
        )
    yield from (f"history leads to {name} = {theirs}, not to {mine}" for name, theirs, mine in facts if mine != theirs)


def _cards(card: int) -> str:
    return "nothing" if card < 0 else cards_text([card])


def _side(seat: int, me: int) -> str:
    return "nobody" if seat < 0 else "me" if seat == me else "them"

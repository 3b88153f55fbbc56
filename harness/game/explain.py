"""Why an action is not legal, in one sentence that names the rule field.

Whether an action is legal the core alone decides. What can be seen in the hand (a card that is not there, a closed
stock) is said in words; the fields to blame are found by asking the core again with a field set to its most generous
value.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from harness.core.cards import CLOSE, DECLARE, DRAW, EXCHANGE, KING, MELD, QUEEN, marriage_cards, suit_cards
from harness.core.legal import legal_mask, lowest_trump, stock_is_open
from harness.core.records import CLOSED, DRAW_OR_CLOSE, FRESH, LEAD, MELDED, OVER, REPLY
from harness.game.notation import SUIT_NAMES, action_text, card_text, is_action
from harness.game.rules import FIELDS, Rules, Value, value_text

_NEVER: dict[int, tuple[str, Value, str]] = {
    MELD: ("marriage.automatic", True, "leading the king or queen announces a marriage by itself"),
    CLOSE: ("close.allowed", False, "the stock is never closed"),
    DECLARE: ("declare.automatic", True, "66 counts by itself"),
    DRAW: ("close.before_draw", False, "cards are drawn without a decision"),
}
"""By action, the field and value under which it is never legal."""

_FIRST = "the first trick has not been taken"
_BARRED: dict[int, dict[str, tuple[Value, str]]] = {
    MELD: {
        "marriage.first_lead": (True, _FIRST),
        "marriage.stock": ("any", "the stock was not open when this lead began"),
    },
    EXCHANGE: {
        "exchange.turn": ("any", "an exchange is made on one's lead"),
        "exchange.after_trick": (False, "this side has no trick yet"),
        "exchange.first_lead": (True, _FIRST),
        "exchange.min_stock": (2, "too few cards are left in the stock"),
    },
    CLOSE: {
        "close.first_lead": (True, _FIRST),
        "close.min_stock": (2, "too few cards are left in the stock"),
    },
}
"""By action, the fields that can bar it for now: their most generous value, and what they say when they do."""

_PLAY: dict[str, tuple[Value, str]] = {
    "marriage.lead": ("either", "the king must be led to a marriage"),
    "strict.head": (False, "the card led must be beaten in its suit if it can"),
    "strict.trump": (False, "without the suit led a trump must be played"),
}


def why_not(s: Any, rules: Rules, action: int) -> str | None:
    """Say why `action` is not legal in state `s` (a record of `harness.core.records.State`); None if it is."""
    if not is_action(action):
        return f"{action} is not the number of an action"
    record = rules.record()[0]
    if (int(legal_mask(s, record)) >> action) & 1:
        return None
    reason = next(_seen(s, record, rules, action), None) or _fields_to_blame(s, rules, action)
    if reason is None:
        raise AssertionError(f"no reason found against {action_text(action)}")
    return reason


def _seen(s: Any, record: Any, rules: Rules, action: int) -> Iterator[str]:
    """Reasons that lie in the hand as it stands, or in a field that rules the action out for good."""
    never = _NEVER.get(_kind(action))
    if s.phase == OVER:
        yield "the hand is over"
    elif never is not None and rules.flat()[never[0]] == never[1]:
        yield f"{never[2]} ({never[0]} = {value_text(never[1])})"
    elif action == DRAW:
        yield "DRAW is a choice only right after a trick, while the stock may be closed before the draw"
    elif s.phase == DRAW_OR_CLOSE:
        yield "the winner of the trick chooses CLOSE or DRAW first, nothing else (close.before_draw = true)"
    elif action < MELD:
        yield from _why_no_card(s, action)
    elif s.phase == REPLY and action != EXCHANGE:
        yield f"{action_text(action)} belongs to one's own lead, and seat {s.to_move} has to reply"
    elif action < EXCHANGE:
        yield from _why_no_marriage(s, action - MELD)
    elif action == EXCHANGE:
        yield from _why_no_exchange(s, record)
    elif action == CLOSE:
        yield from _why_no_stock(s)
    elif action == DECLARE:
        yield f"66 can be declared only with a trick, and seat {s.to_move} has none"


def _kind(action: int) -> int:
    """The action, all marriages as one."""
    return MELD if MELD <= action < EXCHANGE else action


def _why_no_card(s: Any, card: int) -> Iterator[str]:
    hand, seat = int(s.hand[s.to_move]), int(s.to_move)
    if not (hand >> card) & 1:
        yield f"{card_text(card)} is not in the hand of seat {seat}"
    elif s.phase == LEAD and card not in _marriage_of(int(s.meld_suit)):
        yield f"after MELD the king or queen of {SUIT_NAMES[s.meld_suit]} must be led"
    elif s.phase == REPLY and card >> 3 != s.led >> 3 and hand & int(suit_cards(s.led >> 3)):
        why = "closed" if s.closer >= 0 else "used up"
        yield f"the stock is {why}, so {SUIT_NAMES[s.led >> 3]} must be followed"


def _marriage_of(suit: int) -> tuple[int, int]:
    return suit * 8 + QUEEN, suit * 8 + KING


def _why_no_marriage(s: Any, suit: int) -> Iterator[str]:
    both = int(marriage_cards(suit))
    if int(s.hand[s.to_move]) & both != both:
        yield f"seat {s.to_move} does not hold both king and queen of {SUIT_NAMES[suit]}"
    elif s.lead_stage == MELDED:
        yield "a marriage has been announced on this lead"
    elif s.lead_stage == CLOSED:
        yield "on a lead MELD comes before CLOSE"


def _why_no_exchange(s: Any, record: Any) -> Iterator[str]:
    yield from _why_no_stock(s)
    low = int(lowest_trump(s, record))
    if not (int(s.hand[s.to_move]) >> low) & 1:
        yield f"{card_text(low)}, the lowest trump, is not in the hand of seat {s.to_move}"
    elif s.phase == LEAD and s.lead_stage != FRESH:
        yield "on a lead EXCHANGE comes before MELD and CLOSE"


def _why_no_stock(s: Any) -> Iterator[str]:
    if not stock_is_open(s):
        yield "the stock is closed" if s.closer >= 0 else "the stock is used up"


def _fields_to_blame(s: Any, rules: Rules, action: int) -> str | None:
    """Name the fewest fields that make the action legal when each has its most generous value."""
    blame = _PLAY if action < MELD else _BARRED[_kind(action)]
    for n in range(1, len(blame) + 1):
        for names in combinations(blame, n):
            record = rules.record()[0]
            for name in names:
                generous = blame[name][0]
                field = FIELDS[name]
                number = field.choices.index(generous) if isinstance(generous, str) else int(generous)
                record[name.replace(".", "_")] = number
            if (int(legal_mask(s, record)) >> action) & 1:
                values = rules.flat()
                return "; ".join(f"{blame[name][1]} ({name} = {value_text(values[name])})" for name in names)
    return None

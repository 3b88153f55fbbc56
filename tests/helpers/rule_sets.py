"""Every value of every field of the rules, written from the field table of the rules, and random combinations.

The strategy gives rule sets as the reference takes them: dotted names to values, all fields written out.
"""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

VALUES: dict[str, tuple[object, ...]] = {
    "nines": (True, False),
    "exchange.after_trick": (False, True),
    "exchange.turn": ("lead", "any"),
    "exchange.min_stock": (2, 3, 4, 5, 6, 8, 10, 12),
    "exchange.first_lead": (True, False),
    "marriage.first_lead": (True, False),
    "marriage.stock": ("open", "any"),
    "marriage.counts": ("after-trick", "at-once", "next-trick"),
    "marriage.automatic": (False, True),
    "marriage.lead": ("either", "king"),
    "close.allowed": (True, True, True, False),
    "close.min_stock": (2, 3, 4, 5, 6, 8, 10, 12),
    "close.first_lead": (True, False),
    "close.before_draw": (False, True),
    "close.graded": ("end", "closing"),
    "close.failed": (1, 2, 3),
    "close.failed_trickless": (1, 2, 3),
    "close.overtaken": (1, 2, 3),
    "close.overtaken_trickless": (1, 2, 3),
    "strict.head": (True, False),
    "strict.trump": (True, False),
    "declare.automatic": (False, True),
    "declare.false_penalty": (1, 2, 3),
    "declare.false_trickless": (1, 2, 3),
    "last_trick.bonus": (10, 0),
    "undeclared": ("most-points", "last-trick", "sole-66", "nobody"),
    "unscored.carry": (True, False),
    "unscored.same_dealer": (False, True),
    "match.target": (7, 11),
    "match.dealer": ("alternate", "winner"),
}


def most_stock(rules: Mapping[str, object], action: str) -> int:
    """The largest `min_stock` that is not refused: "a ``min_stock`` above the stock (12, or 10 without nines), or
    above 10 (8) where that action is barred from the first lead or needs a trick".
    """
    barred = not rules[f"{action}.first_lead"] or (action == "exchange" and rules["exchange.after_trick"] is True)
    return (12 if rules["nines"] else 10) - (2 if barred else 0)


def playable(rules: dict[str, object]) -> dict[str, object]:
    least = {}
    for name in ("exchange.min_stock", "close.min_stock"):
        value = rules[name]
        assert isinstance(value, int)
        least[name] = min(value, most_stock(rules, name.partition(".")[0]))
    return rules | least


def rule_sets() -> st.SearchStrategy[dict[str, object]]:
    """Random rule sets that are not refused."""
    return st.fixed_dictionaries({name: st.sampled_from(values) for name, values in VALUES.items()}).map(playable)

"""The problem positions of ``tests/data/positions.json``, with the values that an exhaustive search gave their options.

Somebody else has computed them; ``tests/data/README.md`` tells where the positions come from.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.game.notation import card_text, parse_card
from harness.game.position import Position
from harness.game.position_file import read_position

PROBLEMS: dict[str, dict[str, Any]] = {
    problem["id"]: problem
    for problem in json.loads((Path(__file__).parents[1] / "data" / "positions.json").read_text())["positions"]
}
_CLOSED_EARLIER = {"tompa-096b": "40", "tompa-116": "54"}
"""Points of the closer's opponent at the close, which was before this trick."""


@dataclass(frozen=True)
class Problem:
    """One position: its content as it stands in the file, and as the text of a position file."""

    content: dict[str, Any]
    text: str

    @property
    def position(self) -> Position:
        """The position of the side that has to decide."""
        return read_position(self.text, self.content["id"])

    def values(self, by_card: dict[str, Any]) -> dict[int, Any]:
        """Return numbers by card as numbers by action."""
        return {parse_card(card): value for card, value in by_card.items()}


def problems(*kinds: str) -> list[str]:
    """Return the names of all problems of some kinds."""
    return [name for name, content in PROBLEMS.items() if content["kind"] in kinds]


def problem(name: str, **changes: str) -> Problem:
    """Return a problem; `changes` are lines of its file, by key, that count instead of the usual ones or are added."""
    content = PROBLEMS[name]
    lines = {**_lines(content), **changes}
    return Problem(content, "\n".join(f"{key} = {value}" for key, value in lines.items()))


def _lines(content: dict[str, Any]) -> dict[str, str]:
    """Return the lines of a position file, by key: no more than what a column in a newspaper tells."""
    led: str | None = content["led_card"]
    mine, theirs = content["your_hand"], [card for card in content["known_opponent_cards"] if card != led]
    points = [content["trick_points"]["you"], content["trick_points"]["opponent"]]
    if content["on_lead"] == "opponent" and led is None:  # it is the opponent who has to decide
        mine, theirs, points = theirs, mine, points[::-1]
    lines = {
        "rules": '"schnapsen-pagat"' if content["kind"] == "first_trick_close" else '"schnapsen"',
        "trump": _cards([content["trump_suit"]]),
        "hand": _cards(mine),
        "points": f"{points}",
    }
    if theirs:
        lines["theirs"] = _cards(theirs)
    if content["stock_face_down"]:
        lines["turned_up"] = _cards([content["trump_card"]])
    if content["played_derived"] is None:  # 096b: one of the tens is the card face down, as the points tell
        lines["gone"] = _cards(_gone_of_096b(content))
    else:
        lines["unseen"] = _cards([card for card in content["unseen"] if card not in {*mine, *theirs, led}])
    if led:
        lines["led"] = _cards([led])
    if content["stock_state"].startswith("closed"):
        lines["closer"] = '"me"' if content["stock_state"].endswith("you") else '"them"'
        if content["id"] in _CLOSED_EARLIER:  # "points at the moment of closing = trick_points"
            lines |= {"closed_points": _CLOSED_EARLIER[content["id"]], "closed_tricks": "2"}
    return lines


def _cards(cards: list[str]) -> str:
    return f'"{" ".join(cards)}"'


def _gone_of_096b(content: dict[str, Any]) -> list[str]:
    named = {parse_card(card) for card in [*content["your_hand"], *content["known_opponent_cards"], "CJ", "ST"]}
    return [card_text(card) for card in range(32) if 1 <= card % 8 < 6 and card not in named]

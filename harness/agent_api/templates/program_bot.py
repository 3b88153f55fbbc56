#!/usr/bin/env python3
"""MyBot: a bot for Sixty-Six as a program of its own.

It reads one JSON object a line from stdin and answers on stdout, as agents/PROTOCOL.md of sixtysix tells; anything it
has to say besides goes to stderr. Nothing but Python's standard library is needed; any other language does as well.
"""

import argparse
import json
import sys
from typing import Any

POINTS = {"9": 0, "J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}
RANKS = "9JQKTA"
SUITS = "SHCD"


def main() -> None:
    """Answer one message after another."""
    greed = read_greed()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer({"type": "ready", "protocol": 1, "name": "MyBot", "version": "1"})
        elif message["type"] == "move":
            answer({"action": choose(message, greed)})
        elif message["type"] == "quit":
            return


def read_greed() -> int:
    """Read the parameter from the command line."""
    parser = argparse.ArgumentParser(description="Plays Sixty-Six over stdin and stdout.")
    parser.add_argument(
        "--greed",
        type=int,
        choices=range(12),
        default=10,
        help="points, 0 to 11, that a led card must be worth before a trump is spent on it",
    )
    greed: int = parser.parse_args().greed
    return greed


def answer(message: dict[str, object]) -> None:
    """Send a line; flushing is what makes it leave at once."""
    print(json.dumps(message), flush=True)


def choose(move: dict[str, Any], greed: int) -> str:
    """Return one of ``move["legal"]``."""
    legal, trump = move["legal"], move["trump"]
    cards = [action.removeprefix("PLAY ") for action in legal if action.startswith("PLAY ")]
    if "DECLARE" in legal and move["points"][0] >= 66:
        return "DECLARE"
    for action in ("EXCHANGE", f"MELD {trump}", *(f"MELD {suit}" for suit in SUITS), "DRAW"):
        if action in legal:
            return action
    winners = [card for card in cards if is_worthy(card, move["led"], trump, greed)]
    return f"PLAY {min(winners or cards, key=lambda card: price(card, trump))}"


def is_worthy(card: str, led: str | None, trump: str, greed: int) -> bool:
    """Say whether a card takes the trick, and is no trump on a card that is worth less than `greed` points."""
    if led is None:
        return False
    if card[1] == led[1]:
        return RANKS.index(card[0]) > RANKS.index(led[0])
    return card[1] == trump and POINTS[led[0]] >= greed


def price(card: str, trump: str) -> tuple[bool, int, int]:
    """Say how dear a card is: trumps above all others, then its points, then its suit."""
    return card[1] == trump, POINTS[card[0]], SUITS.index(card[1])


if __name__ == "__main__":
    main()

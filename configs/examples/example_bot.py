#!/usr/bin/env python3
"""A complete outside bot in plain Python: ``sixtysix pit "cmd:python3 configs/examples/example_bot.py" random``."""

import json
import sys

RANKS = "9JQKTA"
POINTS = dict(zip(RANKS, (0, 2, 3, 4, 10, 11), strict=True))


def choose(view: dict) -> str:  # type: ignore[type-arg]
    """Declare, draw, exchange, meld where that is asked for; else take the trick cheaply or throw the cheapest card."""
    for action in view["legal"]:
        kind = action.split()[0]
        if kind in ("DRAW", "EXCHANGE", "MELD") or (kind == "DECLARE" and view["points"][0] >= 66):
            return str(action)
    cards = [action[-2:] for action in view["legal"] if action.startswith("PLAY")]
    cards.sort(key=lambda card: (card[1] == view["trump"], POINTS[card[0]]))
    led = view["led"]
    for card in cards if led else []:
        heads = card[1] == led[1] and RANKS.index(card[0]) > RANKS.index(led[0])
        if heads or (card[1] == view["trump"] != led[1] and POINTS[led[0]] >= 10):
            return f"PLAY {card}"
    return f"PLAY {cards[0]}"


for line in sys.stdin:
    message = json.loads(line)
    answer = None
    if message["type"] == "hello":
        answer = {"type": "ready", "protocol": 1, "name": "example in Python"}
    elif message["type"] == "move":
        answer = {"action": choose(message)}
    elif message["type"] == "quit":
        break
    if answer:
        print(json.dumps(answer), flush=True)

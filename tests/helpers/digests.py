"""The digest of a few hundred hands of every preset, as a program too: ``python -m tests.helpers.digests``."""

from __future__ import annotations

from collections.abc import Iterator

from harness.agent_api.registry import load_agent
from harness.game.presets import load_rules
from harness.play.pairing import PairingPlayer
from tests.helpers.reference_presets import PRESETS

PAIRINGS = (("random", "random", 5), ("random", "example", 3), ("normal", "easy", 3))
"""Two agents and the deals they play: a compiled pairing, a mixed one, and the agents that compute most."""
N_HANDS = 2 * len(PRESETS) * sum(n_deals for _, _, n_deals in PAIRINGS)


def digest_lines() -> Iterator[str]:
    """One line for each preset and pairing."""
    for preset in PRESETS:
        for number, (first, second, n_deals) in enumerate(PAIRINGS):
            player = PairingPlayer(load_rules(preset), load_agent(first), load_agent(second), 20, number)
            played = player.play(100, n_deals)
            yield f"{preset} {first} {second} {played.digest:016x} {played.codes.tolist()}"


if __name__ == "__main__":
    for line in digest_lines():
        print(line)

"""The harness's randomness and its hash of a hand, written again with Python's own integers.

SplitMix64 is Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014). How keys, the
shuffle, the random agent and the digest are made of it is the project's own choice, stated here a second time.
"""

from __future__ import annotations

from collections.abc import Sequence

GOLDEN = 0x9E3779B97F4A7C15
BITS64 = (1 << 64) - 1
DECK = tuple(8 * suit + rank for suit in range(4) for rank in range(6))
DECLARE = 38


def mix(x: int) -> int:
    """SplitMix64's output function."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & BITS64
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & BITS64
    return x ^ (x >> 31)


class SplitMix:
    """A stream of 64-bit words."""

    def __init__(self, start: int) -> None:
        self.counter = start

    def word(self) -> int:
        """The next word."""
        self.counter = (self.counter + GOLDEN) & BITS64
        return mix(self.counter)

    def below(self, n: int) -> int:
        """A number 0..n-1 from the upper half of the next word, by multiply and shift."""
        return (self.word() >> 32) * n >> 32


def key(kind: int, *words: int) -> int:
    """A start that belongs to these numbers alone; kind 1 is a deal, 2 an agent's luck, 3 a hand's hash."""
    value = mix(kind)
    for word in words:
        value = mix(((value ^ word) + GOLDEN) & BITS64)
    return value


def shuffled_pack(seed: int, deal: int) -> list[int]:
    """Fisher and Yates from the top of the sorted pack."""
    stream = SplitMix(key(1, seed, deal))
    pack = list(DECK)
    for i in range(23, 0, -1):
        j = stream.below(i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    return pack


def agent_stream(seed: int, deal: int, seat: int, side: int) -> SplitMix:
    """An agent's luck in one hand."""
    return SplitMix(key(2, seed, deal, 2 * seat + side))


def random_choice(legal: Sequence[int], points: int, stream: SplitMix) -> int:
    """The random agent's choice among legal actions in rising order: DECLARE exactly at 66, else any other."""
    if DECLARE in legal and points >= 66:
        return DECLARE
    others = [action for action in legal if action != DECLARE]
    return others[stream.below(len(others))]


def hand_hash(
    pairing: int, deal: int, half: int, history: Sequence[tuple[int, int]], winner: int | None, game_points: int
) -> int:
    """Hash of a finished hand from its (seat, action) pairs and its result."""
    return hashed_on(key(3, pairing, 2 * deal + half), history, winner, game_points)


def match_hash(pairing: int, pair: int, half: int, told: int) -> int:
    """Hash of a finished match, whose hands have been hashed on from 0, one after another, to `told`."""
    return mix(((key(3, pairing, 2 * pair + half) ^ told) + GOLDEN) & BITS64)


def hashed_on(value: int, history: Sequence[tuple[int, int]], winner: int | None, game_points: int) -> int:
    """Hash a finished hand into a value."""
    for seat, action in history:
        value = (value ^ (action + 64 * seat)) * 0x100000001B3 & BITS64
        value ^= value >> 29
    place = 0 if winner is None else winner + 1
    return mix(((value ^ (64 * place + game_points)) + GOLDEN) & BITS64)

"""Which deals are played when: numbered chunks, made one after another, however long the run is."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

COMPILED_CHUNK = 65_536
"""Deals a chunk between compiled agents: a tenth of a second of play or more, so that a commit costs little."""
PYTHON_CHUNK = 64
"""Deals a chunk with a Python agent: few, as some of them take seconds for a hand and progress has to show; with
fewer, commits would cost quick agents much of their speed (with 16, half of it)."""
_CHUNKS_A_PAIRING = 16


@dataclass(frozen=True)
class Chunk:
    """Deals `first_deal` to `first_deal` + `n_deals` - 1 of one pairing; `number` is its place in the run."""

    number: int
    pairing: int
    first_deal: int
    n_deals: int


def chunk_size(is_compiled: bool, deals: int) -> int:
    """Return how many deals of a pairing are played at a time; short runs are still shared out among workers."""
    usual = COMPILED_CHUNK if is_compiled else PYTHON_CHUNK
    return max(1, min(usual, -(-deals // _CHUNKS_A_PAIRING)))


def schedule(deals: int, sizes: Mapping[int, int]) -> Iterator[Chunk]:
    """Yield every chunk of a run: all pairings in turn, block by block of deals.

    All pairings are at about the same deal at any time, so that a run that stops early has compared them on the
    same packs.

    Parameters
    ----------
    deals
        Deals of each pairing.
    sizes
        Deals a chunk for each pairing number, in the order in which the pairings take turns.

    """
    block = max(sizes.values())
    number = 0
    for start in range(0, deals, block):
        end = min(start + block, deals)
        for pairing, size in sizes.items():
            for first_deal in range(start, end, size):
                yield Chunk(number, pairing, first_deal, min(size, end - first_deal))
                number += 1

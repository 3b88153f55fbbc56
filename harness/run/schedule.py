"""Which deals are played when: numbered chunks, made one after another, however long the run is."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

MOST_DEALS = 65_536
"""The most deals in a chunk: a tenth of a second between the quickest agents, so that a commit costs little."""
_FIRST_DEALS = 4
_SECONDS = 0.5
_GROWTH = 8
_CHUNKS_A_PAIRING = 16


@dataclass(frozen=True)
class Chunk:
    """Deals `first_deal` to `first_deal` + `n_deals` - 1 of one pairing.

    Attributes
    ----------
    number
        Its place in the run.
    lost
        Hands, as (2 * deal + half, side), that are known to be forfeited and are not played.

    """

    number: int
    pairing: int
    first_deal: int
    n_deals: int
    lost: tuple[tuple[int, int], ...] = ()


class Pace:
    """How many deals a chunk has: what a pairing plays in half a second, as soon as its speed is known.

    So progress shows, and little is lost, with agents that take seconds for a hand, and a commit costs next to nothing
    with agents that play a million hands a second. The result of a run does not depend on it.

    Parameters
    ----------
    pairings
        Numbers of the pairings, in the order in which they take turns.
    deals
        Deals of each pairing; short runs are still shared out among workers.

    Attributes
    ----------
    sizes
        Deals a chunk for each pairing; changes while the run goes on.

    """

    def __init__(self, pairings: Iterable[int], deals: int):
        self._most = max(1, min(MOST_DEALS, -(-deals // _CHUNKS_A_PAIRING)))
        self.sizes = dict.fromkeys(pairings, min(_FIRST_DEALS, self._most))

    def heard(self, pairing: int, n_deals: int, seconds: float) -> None:
        """Take note of how long a chunk took."""
        if n_deals * _GROWTH >= self.sizes[pairing]:  # a smaller one is of long ago
            wanted = _SECONDS * n_deals / max(seconds, 1e-9)
            self.sizes[pairing] = max(1, int(min(wanted, n_deals * _GROWTH, self._most)))


def schedule(
    deals: int, sizes: Mapping[int, int], done: Mapping[int, int] | None = None, first_number: int = 0
) -> Iterator[Chunk]:
    """Yield every chunk that a run still lacks: all pairings in turn, block by block of deals.

    All pairings are at about the same deal at any time, so that a run that stops early has compared them on the
    same packs. Each pairing plays its deals in order, so that what it has played is always the deals from 0 on.

    Parameters
    ----------
    deals
        Deals of each pairing.
    sizes
        Deals a chunk for each pairing number, in the order in which the pairings take turns; may change meanwhile.
    done
        How many deals pairings have played already, from deal 0 on.
    first_number
        Number of the first chunk.

    """
    played = {pairing: (done or {}).get(pairing, 0) for pairing in sizes}
    number = first_number
    end = min(played.values())
    while end < deals:
        end = min(end + max(sizes.values()), deals)
        for pairing in played:
            while played[pairing] < end:
                n_deals = min(sizes[pairing], end - played[pairing])
                yield Chunk(number, pairing, played[pairing], n_deals)
                played[pairing] += n_deals
                number += 1

"""What a run has played, in the words of its report: single hands, or whole matches."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True)
class Unit:
    """One thing that is won or lost.

    Attributes
    ----------
    name, plural
        What it is.
    pair, pairs
        The two of them that come from the same packs.
    pack
        What these share.
    points
        What the ratings by game points are of: where matches are played, 1 for a match won and -1 for one lost.
    forfeits
        What forfeits are and count.

    """

    name: str
    plural: str
    pair: str
    pairs: str
    pack: str
    points: str
    forfeits: str

    @property
    def is_match(self) -> bool:
        """Whether it is a whole match."""
        return self.name == "match"

    def count(self, n: int) -> str:
        """Write ``1 hand``, ``10,000 hands``."""
        return f"{n:,} {self.name if n == 1 else self.plural}"

    def count_pairs(self, n: int) -> str:
        """Write ``1 deal``, ``10,000 deals``."""
        return f"{n:,} {self.pair if n == 1 else self.pairs}"


HAND: Final = Unit(
    "hand", "hands", "deal", "deals", "deal", "game points", "Hands forfeited by faults, at -3 game points each"
)
MATCH: Final = Unit(
    "match",
    "matches",
    "pair of matches",
    "pairs of matches",
    "pair",
    "net wins",
    "Matches lost by faults",
)


def unit_of(config: Mapping[str, Any]) -> Unit:
    """Return the unit of a run by its stored config; the oldest ones do not say, and have hands."""
    return MATCH if config.get("play") == "matches" else HAND

"""What a run has played, in the words of its report: single hands, or whole matches."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from harness.stats.equity import OF_MATCHES
from harness.stats.estimate import NO_DEALS, NO_SPREAD, ONE_DEAL, Estimate
from harness.stats.pairs import ENDLESS, LOST_ALL, WON_ALL
from harness.stats.pools import APART, NO_HANDS

_OF_MATCHES: Final = {
    WON_ALL: "won every match",
    LOST_ALL: "lost every match",
    ENDLESS: OF_MATCHES.endless,
    NO_HANDS: "played no matches",
    APART: "no matches, direct or through others, connect it with the rated agents",
    NO_DEALS: "no matches played",
    ONE_DEAL: "one pair of matches has no spread to compute an interval from",
    NO_SPREAD: "every pair of matches came to the same total, so there is no spread to compute an interval from",
}
"""What the statistics say of hands and deals, where these are matches and pairs of them."""


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

    def reason(self, note: str) -> str:
        """Write why a number or an interval is missing, which the statistics say of hands and deals."""
        return _OF_MATCHES.get(note, note) if self.is_match else note

    def reworded(self, estimate: Estimate) -> Estimate:
        """Give an estimate whose note is in the words of the unit."""
        return replace(estimate, note=self.reason(estimate.note))


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

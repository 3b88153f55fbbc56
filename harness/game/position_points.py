"""Which trick points, marriages and tricks go together: what the cards gone can have given to either side."""

from collections.abc import Iterator, Sequence
from itertools import product

from harness.core.bits import members, popcount
from harness.core.cards import CARD_POINTS, N_SUITS
from harness.game.position import ME, THEM, Position, card_total, marriage_of, marriage_value

_SIDES = (ME, THEM)


def possible_tricks(position: Position) -> list[tuple[int, int]]:
    """Return all numbers of tricks (mine, theirs) with which the points and the lead of a position are possible."""
    n = position.n_tricks
    splits = [(mine, n - mine) for mine in range(n + 1)]
    return [tricks for tricks in splits if _lead_fits(position, tricks) and _points_fit(position, tricks)]


def point_sums(position: Position) -> list[int]:
    """Return what all points of a position, counted or pending, can add up to."""
    taken = card_total(position.gone)
    return sorted({taken + sum(sums) for sums in _marriage_sums(position)})


def _lead_fits(position: Position, tricks: tuple[int, int]) -> bool:
    """Say whether the side that leads can have won the last trick, and the closer's opponent has not lost tricks."""
    if position.closer is not None:
        later = tricks[1 - position.closer] - position.closed_tricks
        if not 0 <= later <= max(0, position.tricks_since_close):
            return False
    return sum(tricks) == 0 or tricks[ME if position.led is None else THEM] > 0


def _points_fit(position: Position, tricks: tuple[int, int]) -> bool:
    """Say whether these tricks and some marriages give the points."""
    if not all(_pending_fits(position, side, tricks[side]) for side in _SIDES):
        return False
    reach = _reachable(position.gone)[2 * tricks[ME]]
    taken = card_total(position.gone)
    for melded in _marriage_sums(position):
        counted = [melded[side] - position.pending[side] for side in _SIDES]
        from_tricks = [position.points[side] - counted[side] for side in _SIDES]
        if min(counted) >= 0 and min(from_tricks) >= 0 and sum(from_tricks) == taken and from_tricks[ME] in reach:
            return True
    return False


def _pending_fits(position: Position, side: int, tricks: int) -> bool:
    """Say whether a side with so many tricks can have these points and points that wait."""
    counts = position.rules.marriage.counts
    if position.pending[side] and (counts == "at-once" or (counts == "after-trick" and tricks)):
        return False
    return bool(tricks) or counts == "at-once" or position.points[side] == 0


def _reachable(gone: int) -> list[set[int]]:
    """Return by number of cards what so many of the cards gone can be worth together."""
    reach: list[set[int]] = [{0}, *(set() for _ in range(popcount(gone)))]
    for card in members(gone):
        for n in range(len(reach) - 1, 0, -1):
            reach[n] |= {points + int(CARD_POINTS[card]) for points in reach[n - 1]}
    return reach


def _marriage_sums(position: Position) -> Iterator[tuple[int, int]]:
    """Yield what marriages can have given to both sides, pending or counted."""
    options = [list(_melders(position, suit)) for suit in range(N_SUITS)]
    for melders in product(*options):
        sums = [0, 0]
        for suit, melder in enumerate(melders):
            if melder is not None:
                sums[melder] += marriage_value(position, suit)
        yield sums[ME], sums[THEM]


def _melders(position: Position, suit: int) -> Iterator[int | None]:
    """Yield the sides that can have announced a marriage, and None where it may be that nobody has."""
    if position.announced == suit:
        yield ME if position.led is None else THEM
        return
    yield None
    both = marriage_of(suit)
    if not both & position.gone:
        return
    if not both & ~(position.gone | position.hand):
        yield ME
    led = 0 if position.led is None else 1 << position.led
    if not both & ~(position.gone | position.theirs | position.unseen | led):
        yield THEM


def likeliest_tricks(position: Position, splits: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """Return that of the possible tricks which share most like the points; None if a side may have none or some."""
    if len({(mine > 0, theirs > 0) for mine, theirs in splits}) != 1:
        return None
    mine, theirs = position.points
    share = position.n_tricks * mine / max(1, mine + theirs)
    return min(splits, key=lambda tricks: abs(tricks[ME] - share))

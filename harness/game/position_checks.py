"""Why a position is impossible: every reason, each in a sentence with the key of the file, the value, what is allowed.

A check is left out where a key that it needs could not be read: its reason would only be an echo of that fault.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Final

from harness.core.bits import members, popcount
from harness.core.cards import KING, NINE, OUT, QUEEN
from harness.core.records import DRAW_OR_CLOSE
from harness.game.notation import card_text, cards_text, suit_text
from harness.game.position import ME, THEM, Position, card_total, marriage_of, marriage_value
from harness.game.position_history import faults_of_history
from harness.game.position_points import point_sums, possible_tricks
from harness.texts import count

MOST_CARRY: Final = 99
SIDES: Final = ("me", "them")
"""How files call the sides."""

Check = Callable[[Position], Iterator[str]]


def faults_of_position(position: Position, unread: Collection[str] = (), is_gone_told: bool = True) -> list[str]:
    """Return everything that is impossible about a position.

    Parameters
    ----------
    position
        The position.
    unread
        Keys whose values are not those of the user because they could not be read.
    is_gone_told
        Whether the cards gone are those of the user; else they follow from the other cards, and with them from any
        mistake there.

    """
    found: list[str] = []
    echoes = set(unread)
    for needs, check in _CHECKS:
        if not is_gone_told and not echoes.isdisjoint(("places", "counts", "stock", "hand", "theirs", "unseen")):
            echoes.add("gone")
        if echoes.isdisjoint(needs.split()):
            reasons = list(check(position))
            if reasons and check in _ECHOED:
                echoes.add(_ECHOED[check])
            found += reasons
    return found


def _places(position: Position) -> dict[str, int]:
    stock = sum(1 << card for card in set(position.stock) - {position.turned_up})
    return {
        "hand": position.hand,
        "theirs": position.theirs,
        "gone": position.gone,
        "led": 0 if position.led is None else 1 << position.led,
        "turned_up": 0 if position.turned_up is None else 1 << position.turned_up,
        "stock": stock,
    }


def _cards_twice(position: Position) -> Iterator[str]:
    places = list(_places(position).items())
    for i, (name, cards) in enumerate(places):
        for other, others in places[i + 1 :]:
            yield from (f"{card_text(card)} is in {name} and in {other}" for card in members(cards & others))
    if lost := position.shown & ~position.hand:
        yield f"shown = {cards_text(lost)}: these are not in hand; shown are cards of yours that the other side knows"


def _no_nines(position: Position) -> Iterator[str]:
    if position.rules.nines:
        return
    for name, cards in _places(position).items():
        nines = [card_text(card) for card in members(cards) if card % 8 == NINE]
        yield from (f"{card} is in {name}, but there are no nines (nines = false)" for card in nines)


def _turned_up(position: Position) -> Iterator[str]:
    card = position.turned_up
    if card is None and position.n_stock:
        yield f"turned_up is missing: give the card under the stock, which has {count(position.n_stock, 'card')}"
    if card is not None and not position.n_stock:
        yield f"turned_up = {card_text(card)}: the stock is used up, so it is in a hand or gone; give trump alone"
    if card is not None and card // 8 != position.trump:
        yield (
            f"turned_up = {card_text(card)} with trump = {suit_text(position.trump)}: the card under the stock "
            "is a trump"
        )


def _stock_size(position: Position) -> Iterator[str]:
    most = 2 * position.full_hand
    if position.n_stock % 2 or not 0 <= position.n_stock <= most:
        yield f"stock = {position.n_stock}: must be an even number from 0 to {most}; the turned-up card counts"


def _hand_size(position: Position) -> Iterator[str]:
    n, full = popcount(position.hand), position.full_hand
    if not 1 <= n <= full:
        yield f"hand has {count(n, 'card')}: must be 1 to {full}"
    elif position.is_open and n != full:
        may_close = full - 1 == n and position.led is None and position.rules.close.before_draw
        least = position.rules.close.min_stock + 2
        if not may_close:
            yield f"hand has {count(n, 'card')}: must be {full} while the stock is open"
        elif position.n_stock < least or not position.rules.close.allowed:
            yield (
                f"hand has {count(n, 'card')}: a choice before the draw needs close.allowed and {least} cards in the "
                "stock, else cards are drawn without one"
            )
    elif position.closer is not None and n > full - position.closed_before_draw:
        yield f"hand has {count(n, 'card')}: must be {full - 1} or fewer after a close before the draw"
    if popcount(position.theirs) > position.n_theirs >= 0:
        yield f"theirs has {count(popcount(position.theirs), 'card')}: the other hand has only {position.n_theirs}"


def _cards_left(position: Position) -> Iterator[str]:
    face_down = max(0, position.n_stock - 1)
    room = max(0, position.n_theirs - popcount(position.theirs)) + face_down
    n_left = popcount(position.unseen)
    if n_left != room:
        cards = f" ({cards_text(position.unseen)})" if n_left else ""
        way_out = "name in gone those of finished tricks, or in unseen those that are not"
        if n_left < room:
            way_out = "too many are named in gone or elsewhere, or the stock is smaller"
        yield (
            f"{count(n_left, 'card')} of the pack{cards} {'is' if n_left == 1 else 'are'} in no other place, but the "
            f"other hand and the face-down stock have room for {room}: {way_out}"
        )


def _dealer(position: Position) -> Iterator[str]:
    if position.n_tricks == 0 and (position.dealer == ME) != (position.led is not None):
        yield (
            f'dealer = "{SIDES[position.dealer]}": before the first trick it is the other side that leads; leave '
            "dealer out"
        )


def _close(position: Position) -> Iterator[str]:
    if position.closer is None:
        if position.closed_points or position.closed_tricks or position.closed_before_draw:
            yield 'closed_points, closed_tricks and closed_before_draw need closer = "me" or "them"'
        return
    who, rules = f'closer = "{SIDES[position.closer]}"', position.rules.close
    before = position.n_tricks - position.tricks_since_close
    if not position.n_stock:
        yield f"{who}: the stock is used up (stock = 0), so nobody has closed it"
        return
    left = position.n_stock - 2 * position.closed_before_draw
    if not rules.allowed:
        yield f"{who}: the stock is never closed (close.allowed = false)"
    elif left < rules.min_stock:
        yield f"{who}: with {count(left, 'card')} left nobody may close (close.min_stock = {rules.min_stock})"
    if position.closed_before_draw and not rules.before_draw:
        yield "closed_before_draw = true: not allowed by these rules (close.before_draw = false)"
    if before == 0 and not rules.first_lead:
        yield f"{who}: not before the first trick (close.first_lead = false)"
    leader = ME if position.led is None else THEM
    if position.closed_on_this_lead and leader != position.closer:
        yield f"{who}: no trick has been played since the close, so the closer has to lead or has led"


def _at_the_close(position: Position) -> Iterator[str]:
    if position.closer is None or not position.n_stock:
        return
    other = 1 - position.closer
    tricks, points = position.tricks[other], position.points[other]
    since = position.tricks_since_close
    least, most = max(0, tricks - since), min(tricks, position.n_tricks - since)
    whose = f"of {SIDES[other]}, at the close"
    if not least <= position.closed_tricks <= most:
        yield f"closed_tricks = {position.closed_tricks} ({whose}): must be {_range(least, most)}"
    least = points if position.closed_tricks == tricks and since == 0 else 0
    if not least <= position.closed_points <= points:
        yield f"closed_points = {position.closed_points} ({whose}): must be {_range(least, points)}"


def _range(least: int, most: int) -> str:
    return f"from {least} to {most}" if least < most else str(most)


def _announced(position: Position) -> Iterator[str]:
    suit, rules = position.announced, position.rules.marriage
    if suit is None:
        return
    said = f"announced = {suit_text(suit)}"
    if rules.stock == "open" and not position.lead_open:
        yield f"{said}: the stock was not open when this lead began (marriage.stock = open)"
    if not rules.first_lead and position.n_tricks == 0:
        yield f"{said}: not before the first trick (marriage.first_lead = false)"
    if position.phase == DRAW_OR_CLOSE:
        yield f"{said}: nothing is announced before the draw"
    elif position.led is None:
        if rules.automatic:
            yield f"{said}: leading the king or queen announces it (marriage.automatic = true); leave announced out"
        if missing := marriage_of(suit) & ~position.hand:
            yield f"{said}: {cards_text(missing)} is not in hand"
    else:
        yield from _announced_by_them(position, suit, said)


def _announced_by_them(position: Position, suit: int, said: str) -> Iterator[str]:
    ranks = (KING,) if position.rules.marriage.lead == "king" else (KING, QUEEN)
    cards = [suit * 8 + rank for rank in ranks]
    if position.led not in cards:
        yield f"{said}: the card led must be {' or '.join(card_text(card) for card in cards)}"
    elif partner := marriage_of(suit) & ~(1 << position.led) & ~(position.theirs | position.unseen):
        yield f"{said}: {cards_text(partner)} must be in the other hand"


def _tricks(position: Position) -> Iterator[str]:
    mine, theirs = position.tricks
    if popcount(position.gone) % 2:
        yield f"gone has {count(popcount(position.gone), 'card')}: must be an even number, two a trick"
        return
    if mine + theirs != position.n_tricks:
        yield (
            f"tricks = [{mine}, {theirs}]: must be {position.n_tricks} together, as {2 * position.n_tricks} cards "
            "have gone"
        )
        return
    leader = ME if position.led is None else THEM
    if position.n_tricks and not position.tricks[leader]:
        yield f"tricks = [{mine}, {theirs}]: the side that leads has won the last trick, so it has one at least"


def _points(position: Position) -> Iterator[str]:
    (mine, theirs), counts = position.points, position.rules.marriage.counts
    for side in (ME, THEM):
        waits = position.pending[side]
        if waits and (waits % 20 or counts == "at-once" or (counts == "after-trick" and position.tricks[side])):
            allowed = {"at-once": "never any", "after-trick": "20s of a side without a trick"}.get(counts, "20s")
            yield (
                f"pending = [{position.pending[ME]}, {position.pending[THEM]}]: marriage points that wait are "
                f"{allowed} (marriage.counts = {counts})"
            )
            return
    said = f"points = [{mine}, {theirs}]"
    if any(position.pending):
        said += f" with pending = [{position.pending[ME]}, {position.pending[THEM]}]"
    sums = point_sums(position)
    if mine + theirs + sum(position.pending) not in sums:
        one_of = f"one of {', '.join(map(str, sums))}" if len(sums) > 1 else str(sums[0])
        yield (
            f"{said}: the cards gone are worth {card_total(position.gone)}, and with the marriages that may have been "
            f"announced all points together must be {one_of}"
        )
    elif position.tricks not in (splits := possible_tricks(position)):
        with_tricks = f" with tricks = [{position.tricks[ME]}, {position.tricks[THEM]}]" if splits else ""
        yield f"{said}{with_tricks}: no share of the cards gone{_and_of_marriages(position)} gives these points"


def _and_of_marriages(position: Position) -> str:
    if position.announced is None:
        return " and of marriages"
    value = marriage_value(position, position.announced)
    return f" and of marriages, that of {suit_text(position.announced, 'long')} ({value}) among them,"


def _not_over(position: Position) -> Iterator[str]:
    if position.rules.declare.automatic and max(position.points) >= OUT:
        yield (
            f"points = [{position.points[ME]}, {position.points[THEM]}]: with {OUT} the hand is over "
            "(declare.automatic = true)"
        )


def _score(position: Position) -> Iterator[str]:
    target = position.rules.match.target
    if not all(0 <= score < target for score in position.score):
        yield (
            f"score = [{position.score[ME]}, {position.score[THEM]}]: each must be from 0 to {target - 1}, as "
            f"{target} win the match (match.target)"
        )


def _carry(position: Position) -> Iterator[str]:
    if not 0 <= position.carry <= MOST_CARRY:
        yield f"carry = {position.carry}: must be from 0 to {MOST_CARRY}"
    elif position.carry and not position.rules.unscored.carry:
        yield f"carry = {position.carry}: must be 0, as nothing is carried over (unscored.carry = false)"


_CARDS = "rules hand theirs gone unseen led turned_up stock trump"
_CLOSE = "closer closed_points closed_tricks closed_before_draw"
_CHECKS: Final[list[tuple[str, Check]]] = [
    ("", _cards_twice),
    ("rules", _no_nines),
    ("rules stock turned_up trump hand gone unseen", _turned_up),
    ("rules stock hand", _stock_size),
    ("rules hand stock led closer closed_before_draw theirs", _hand_size),
    (f"{_CARDS} places counts", _cards_left),
    (f"{_CARDS} counts dealer", _dealer),
    (f"{_CARDS} counts {_CLOSE}", _close),
    (f"{_CARDS} counts announced closer", _announced),
    ("rules gone led tricks", _tricks),
    (f"{_CARDS} counts {_CLOSE} points tricks shares", _at_the_close),
    ("rules hand theirs gone led trump points pending tricks shares announced", _points),
    (f"{_CARDS} places counts {_CLOSE} points pending tricks shares announced dealer history", faults_of_history),
    ("rules points", _not_over),
    ("rules score", _score),
    ("rules carry", _carry),
]
"""Checks with the keys that they need, those on which others build first."""
_ECHOED: Final[dict[Check, str]] = {
    _cards_twice: "places",
    _no_nines: "places",
    _stock_size: "counts",
    _hand_size: "counts",
    _cards_left: "counts",
    _announced: "announced",
    _tricks: "shares",
    _at_the_close: "shares",
    _points: "points",
}
"""Checks after whose faults those that need this word have nothing new to say."""

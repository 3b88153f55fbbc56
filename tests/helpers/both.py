"""Playing one random hand with the core and with the reference at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from harness.core.bits import members
from harness.core.cards import CARD_POINTS, DRAW, NINES_MASK, PACK_MASK
from tests.helpers.engine import ACTION_NAMES, ACTIONS, PACK, CoreHand, Snapshot, differences, snapshot
from tests.helpers.reference import ReferenceHand
from tests.helpers.tempers import two_tempers
from tests.helpers.traces import MismatchError

_POINTS = CARD_POINTS.tolist()


def shuffled(rng: Random) -> list[str]:
    """All 24 cards in random order."""
    pack = list(PACK)
    rng.shuffle(pack)
    return pack


class Position(NamedTuple):
    """The same position in both, from which pack, and the public actions since, with the seats that took them."""

    pack: list[str]
    core: CoreHand
    reference: ReferenceHand
    history: list[tuple[int, str]]


def walk(rules: Mapping[str, object], rng: Random) -> Iterator[Position]:
    """Play a random hand with both; yields after the deal and after every action, always the same three objects."""
    pack, carry = shuffled(rng), rng.choice((0, 0, 1, 3))
    core, reference = CoreHand.from_pack(rules, pack, carry), ReferenceHand(rules, pack, carry)
    history: list[tuple[int, str]] = []
    position = Position(pack, core, reference, history)
    tempers = two_tempers(rng)
    while True:
        yield position
        if reference.over:
            return
        seat = reference.to_move
        legal = sorted([ACTIONS[action] for action in reference.legal()])
        action = tempers[seat].choose(legal, reference.points[seat], rng)
        history.append((seat, ACTION_NAMES[action]))
        core.act(action)
        reference.apply(ACTION_NAMES[action])


def play_both(rules: Mapping[str, object], rng: Random) -> list[str]:
    """Play a random hand to its end with both, comparing them at every step; returns the rare things in it.

    Raises
    ------
    MismatchError
        At the first difference, or when a card is lost or doubled.
    """
    pack_mask = PACK_MASK if rules["nines"] else PACK_MASK & ~NINES_MASK
    seen: list[str] = []
    before: Snapshot | None = None
    for pack, core, reference, history in walk(rules, rng):
        ours, theirs = core.snapshot(), snapshot(reference)
        if ours != theirs:
            raise MismatchError(f"pack {pack}, after {history}: {differences(ours, theirs)}\nrules {dict(rules)}")
        check_cards(ours, pack_mask)
        if before is not None:
            seen += rare_actions(before, [action for _, action in history[-2:]])
        before = ours
    return seen + list(rare_ends(ours, int(core.state.carry)))


def check_cards(hand: Snapshot, pack_mask: int) -> None:
    """Every card is in exactly one place, and all of them are worth 120."""
    piles = [*hand.hands, hand.gone, sum(1 << card for card in hand.stock), 1 << hand.led if hand.led >= 0 else 0]
    union = piles[0] | piles[1] | piles[2] | piles[3] | piles[4]
    points = sum([_POINTS[card] for pile in piles for card in members(pile)])
    if sum(piles) != union or union != pack_mask or points != 120:
        raise MismatchError(f"cards lost or doubled, or not 120 points but {points}: {hand}")


def rare_actions(before: Snapshot, actions: Sequence[str]) -> Iterator[str]:
    """Names of what is rare about the last of these actions; `before` is the hand it was taken in."""
    first_lead = before.tricks == (0, 0)
    match actions[-1].split()[0]:
        case "EXCHANGE":
            yield "exchange as follower" if before.led >= 0 else "exchange"
        case "MELD":
            yield "meld with the stock closed" if before.closer >= 0 else "meld"
            if first_lead:
                yield "meld on the first lead"
        case "CLOSE":
            yield "close before the draw" if before.legal >> DRAW & 1 else "close"
            if first_lead:
                yield "close on the first lead"
            if actions[-2:-1] and actions[-2].startswith("MELD"):
                yield "close after a meld"
        case "DECLARE":
            if actions[-2].startswith("MELD"):
                yield "declare after a meld"


def rare_ends(hand: Snapshot, carry: int) -> Iterator[str]:
    """Names of what is rare about how a hand ended."""
    assert hand.end is not None
    winner, game_points, how = hand.end
    yield f"{how} for {game_points - carry}" if winner >= 0 else how
    if hand.pending != (0, 0):
        yield "pending points are lost"
    if max(hand.points) >= 66 and how in ("ran-out", "drawn"):
        yield "66 that nobody declared"
    if winner >= 0 and how != "false-declaration" and hand.points[1 - winner] >= 66:
        yield "a loser with 66"

"""Positions for the solver: strict endings out of random hands, and open stocks with few cards in the hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from harness.core.apply import apply
from harness.core.bits import members, popcount
from harness.core.cards import CLOSE, DECLARE, OUT, marriage_cards
from harness.core.deal import deal_hand
from harness.core.legal import legal_mask, stock_is_open
from harness.core.records import OVER, REPLY, STATE_DTYPE, records
from tests.helpers.both import shuffled
from tests.helpers.engine import pack_array, rules_record
from tests.helpers.reference_presets import PRESETS
from tests.helpers.rule_sets import VALUES, playable


class Ending(NamedTuple):
    """A position, in a record of its own, and its rules: as the reference takes them and as the core does."""

    rules: Mapping[str, object]
    record: Any
    state: Any


def random_rules(rng: Random) -> Mapping[str, object]:
    """A preset or a random rule set, each half of the time."""
    if rng.random() < 0.5:
        return PRESETS[rng.choice(sorted(PRESETS))]
    return playable({name: rng.choice(values) for name, values in VALUES.items()})


def positions(rng: Random) -> Iterator[Ending]:
    """Every position of endless random hands under random rules; closing is rare in some of them, common in others."""
    while True:
        rules = random_rules(rng)
        r, s = rules_record(rules)[0], records(STATE_DTYPE)[0]
        s.carry = rng.choice((0, 0, 2))
        deal_hand(s, r, pack_array(shuffled(rng)))
        boldness = rng.choice((0.0, 0.02, 0.3))
        while s.phase != OVER:
            yield Ending(rules, r, copy_of(s))
            apply(s, r, _random_action(s, r, rng, boldness))


def copy_of(s: Any) -> Any:
    """A position in a record of its own."""
    fresh = records(STATE_DTYPE)
    fresh[0] = s
    return fresh[0]


def _random_action(s: Any, r: Any, rng: Random, boldness: float) -> int:
    legal = members(legal_mask(s, r))
    if DECLARE in legal and s.points[s.to_move] >= OUT and rng.random() < 0.7:
        return DECLARE
    if CLOSE in legal and rng.random() < boldness:
        return CLOSE
    return rng.choice([action for action in legal if action not in (DECLARE, CLOSE)])


def strict_endings(rng: Random, fewest: int, most: int) -> Iterator[Ending]:
    """Positions in strict play with so many cards in both hands together, the trick on the table left out."""
    for ending in positions(rng):
        s = ending.state
        if not stock_is_open(s) and fewest <= popcount(s.hand[0] | s.hand[1]) <= most and rng.random() < 0.5:
            yield ending


def open_positions(rng: Random) -> Iterator[Ending]:
    """Positions with two or four cards in the open stock and one to four in each hand; the points vary a little."""
    for ending in positions(rng):
        s = ending.state
        if stock_is_open(s) and s.n_stock <= 4:
            n_cards = rng.choice((1, 2, 3, 3, 4) if s.n_stock == 2 else (1, 2, 2, 3))
            for seat in (0, 1):
                fewer = 1 if s.phase == REPLY and seat != s.to_move else 0
                _drop_cards(s, seat, max(n_cards, 2 if s.meld_suit >= 0 else 1) - fewer, rng)
                if rng.random() < 0.5:
                    most = OUT - 1 if ending.record.declare_automatic else 80
                    s.points[seat] = min(s.points[seat] + rng.randrange(30), most)
            yield ending


def last_open_tricks(rng: Random) -> Iterator[Ending]:
    """Positions with two cards in the open stock and whole hands."""
    for ending in positions(rng):
        if stock_is_open(ending.state) and ending.state.n_stock == 2:
            yield ending


def _drop_cards(s: Any, seat: int, n_left: int, rng: Random) -> None:
    """Take cards out of a hand until `n_left` are left: the announced pair stays, low trumps and pairs often do."""
    melded = marriage_cards(s.meld_suit) if s.meld_suit >= 0 and seat == s.to_move else 0

    def worth(card: int) -> float:
        telling = (card >> 3 == s.trump and card & 7 < 2) or (card & 7 in (2, 3) and rng.random() < 0.5)
        return (melded >> card & 1) * 2 + telling + rng.random() / 2

    cards = sorted(members(s.hand[seat]), key=worth)
    for card in cards[: max(len(cards) - n_left, 0)]:
        s.hand[seat] &= ~(1 << card)

"""Which other hands a view leaves possible, by trying: every deal is replayed, and those that lead to the view count.

Slow and plain: for each other hand, every way in which its cards can have come (dealt, or drawn one by one) is played
through by the rules. A deal counts if each public action was legal in it and the same seat sees the same at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, permutations
from random import Random
from typing import Any

import numpy as np

from harness.core.apply import apply
from harness.core.bits import members
from harness.core.cards import CLOSE, DECLARE, EXCHANGE, KING, MELD, OUT, QUEEN
from harness.core.deal import clear, deal_hand, shuffle
from harness.core.kernel import kernel
from harness.core.legal import legal_mask
from harness.core.records import OVER, STATE_DTYPE, VIEW_DTYPE, RulesRecord, State, records
from harness.core.view import clear_view, fill_view
from tests.helpers.engine import rules_record


class Past:
    """A hand in play, and all that has happened in it: as it was dealt, and the history of its actions."""

    def __init__(self, rules: Mapping[str, object], seed: int, deal: int) -> None:
        self.rules = rules_record(rules)[0]
        self._states, self._starts = records(STATE_DTYPE), records(STATE_DTYPE)
        self.state, self.start = self._states[0], self._starts[0]
        pack = np.zeros(24, np.int8)
        shuffle(seed, deal, pack)
        deal_hand(self.state, self.rules, pack)
        self._starts[:] = self._states
        self.draws: list[tuple[int, int]] = []
        """Seats in the order in which they drew, two at a time."""

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return bool(self.state.phase == OVER)

    def legal(self) -> list[int]:
        """Legal actions; a false declaration is left out."""
        legal = list(members(int(legal_mask(self.state, self.rules))))
        if self.state.points[self.state.to_move] < OUT:
            legal = [action for action in legal if action != DECLARE]
        return legal

    def act(self, action: int) -> None:
        """Carry out a legal action."""
        n_stock = self.state.n_stock
        apply(self.state, self.rules, action)
        if self.state.n_stock < n_stock:
            self.draws.append((int(self.state.leader), 1 - int(self.state.leader)))

    def actions(self) -> list[tuple[int, int]]:
        """Seat and action, from the first on."""
        return [(int(word) >> 6, int(word) & 63) for word in self.state.history[: self.state.n_history]]

    def views(self) -> Any:
        """What the seat to move sees: recarray of View, shape (1,)."""
        views = records(VIEW_DTYPE)
        clear_view(views[0])
        fill_view(self.state, self.rules, self.state.to_move, views[0])
        return views

    def own_hand(self) -> int:
        """The hand that the seat to move cannot see: mask."""
        return int(self.state.hand[1 - self.state.to_move])


def random_pasts(rules: Mapping[str, object], seed: int) -> Iterator[Past]:
    """Every decision of random hands without end, one `Past` that goes on: kings and queens are led, marriages kept.

    Few hands are closed early, so that both late open and closed views come.
    """
    rng = Random(seed)
    deal = 0
    while True:
        past = Past(rules, seed, deal)
        while not past.over:
            yield past
            past.act(_biased_choice(past.legal(), past.state.led, rng))
        deal += 1


def _biased_choice(legal: list[int], led: int, rng: Random) -> int:
    if CLOSE in legal and rng.random() < 0.9:
        legal = [action for action in legal if action != CLOSE]
    if EXCHANGE in legal and rng.random() < 0.7:
        return EXCHANGE
    royal = [action for action in legal if action < MELD and action & 7 in (QUEEN, KING)]
    if led < 0 and royal and rng.random() < 0.6:
        return rng.choice(royal)
    plain = [action for action in legal if action < MELD and action not in royal]
    return rng.choice(plain if led >= 0 and plain and rng.random() < 0.5 else legal)


@kernel
def some_deal_fits(
    s: State, r: RulesRecord, start: State, seen: Any, views: Any, dealt: Any, drawn: Any, places: Any
) -> bool:
    """Say whether one of some deals leads to the view in ``seen[0]``, by the history in it.

    Deal i gives the other seat the hand ``dealt[i]`` (mask) and puts the cards ``drawn[i]`` into the stock at
    `places`; all else is as in `start`. `s` and `views` are overwritten.
    """
    v = seen[0]
    other = 1 - v.seat
    for i in range(len(dealt)):
        clear(s)
        s.hand[v.seat] = start.hand[v.seat]
        s.hand[other] = dealt[i]
        s.trump, s.turned_up, s.n_stock, s.stock_top = start.trump, start.turned_up, start.n_stock, 0
        s.stock[:] = start.stock
        for j in range(len(places)):
            s.stock[places[j]] = drawn[i, j]
        s.turned_up = s.stock[s.n_stock - 1]
        legal = True
        for j in range(v.n_history):
            action = v.history[j] & 63
            if v.history[j] >> 6 != s.to_move or (legal_mask(s, r) >> action) & 1 == 0:
                legal = False
                break
            apply(s, r, action)
        if not legal:
            continue
        clear_view(views[0])
        fill_view(s, r, v.seat, views[0])
        if same_view(views[0], v):
            return True
    return False


@kernel
def same_view(a: Any, b: Any) -> bool:
    """Compare what the two views tell of the hand; score, target and carry aside."""
    same: bool = a.hand == b.hand and a.legal == b.legal and a.known == b.known and a.shown == b.shown
    same = same and a.gone == b.gone and a.unseen == b.unseen and a.turned_up == b.turned_up
    same = same and a.n_stock == b.n_stock and a.led == b.led and a.phase == b.phase and a.lead_open == b.lead_open
    same = same and a.meld_suit == b.meld_suit and a.closer == b.closer and a.leader == b.leader
    same = same and a.closed_points == b.closed_points and a.closed_tricks == b.closed_tricks
    for i in range(2):
        same = same and a.points[i] == b.points[i] and a.pending[i] == b.pending[i] and a.tricks[i] == b.tricks[i]
    return same


@cache
def _orders(n: int, n_drawn: int) -> tuple[Any, Any]:
    """All ways to choose the cards drawn, in order, from n cards: their places, and which are dealt.

    Shuffled, so that one that fits comes early if many do.
    """
    drawn = np.random.default_rng(n).permutation(np.array(list(permutations(range(n), n_drawn)), np.int64))
    is_dealt = np.ones((len(drawn), n), np.bool_)
    np.put_along_axis(is_dealt, drawn, False, axis=1)
    return drawn, is_dealt


def hidden_hands(view: Any) -> list[int]:
    """All hands that the number of cards allows, possible or not: masks."""
    unseen = members(int(view.unseen))
    n_hidden = len(unseen) - max(int(view.n_stock) - 1, 0)
    return [int(view.known) + sum([1 << card for card in chosen]) for chosen in combinations(unseen, n_hidden)]


def possible_hands(past: Past) -> set[int]:
    """The other hands that some deal gives the seat to move."""
    views = past.views()
    return {theirs for theirs in hidden_hands(views[0]) if _is_possible(past, views, theirs)}


def _is_possible(past: Past, views: Any, theirs: int) -> bool:
    """Try each card that the other side can have taken from under the stock, if it has, and each order of drawing."""
    view = views[0]
    other = 1 - int(view.seat)
    acts = [action for seat, action in past.actions() if seat == other]
    cards = theirs | sum([1 << action for action in acts if action < MELD])
    trumps = [card for card in range(32) if card >> 3 == int(view.trump)]
    if EXCHANGE not in acts:
        return _fits(past, views, cards, [])
    cards |= 1 << (int(view.trump) * 8 + (0 if past.rules.nines else 1))
    return any(_fits(past, views, cards & ~(1 << card), [card]) for card in trumps if cards >> card & 1)


def _fits(past: Past, views: Any, cards: int, turned_up: list[int]) -> bool:
    """Try every order in which the other side can have come by its cards; `turned_up`: the first turn-up, if given."""
    view = views[0]
    theirs = np.array(members(cards), np.int64)
    drawers = [seat for pair in past.draws for seat in pair]
    places = [place for place, seat in enumerate(drawers) if seat != view.seat]
    orders, is_dealt = _orders(len(theirs), len(places))
    dealt = (is_dealt * (1 << theirs)).sum(axis=1)
    last = [int(past.start.n_stock) - 1] if turned_up else []
    drawn = np.hstack([theirs[orders], np.full((len(orders), len(last)), turned_up[0] if turned_up else 0)])
    return bool(
        some_deal_fits(
            records(STATE_DTYPE)[0],
            past.rules,
            past.start,
            views,
            records(VIEW_DTYPE),
            dealt,
            drawn,
            np.array(places + last, np.int64),
        )
    )

"""One hand through the checked door: it verifies, explains and refuses; the rules themselves are those of the core.

`harness.core.apply` trusts what it is given and is fast; a `Hand` trusts nobody.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from harness.core.apply import apply
from harness.core.bits import members
from harness.core.cards import ALL_CARDS, CARD_POINTS, NINE, PACK_MASK
from harness.core.deal import deal_hand, shuffle
from harness.core.legal import legal_mask
from harness.core.records import ENDINGS, OVER, STATE_DTYPE, VIEW_DTYPE, records
from harness.core.score import declare_falsely
from harness.core.view import clear_view, fill_view
from harness.errors import FaultsError, IllegalActionError, UsageError
from harness.game.explain import why_not
from harness.game.notation import action_text, card_text, cards_text, is_action, parse_action
from harness.game.rules import Rules

MOST_GAME_POINTS = 1_000_000
"""Far above the score or carry of any match."""

PairOfCards = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Result:
    """How a hand ended: the seat that won (None: nobody), its game points with the carry, and the ending's name."""

    winner: int | None
    game_points: int
    how: str


class Hand:
    """One hand, from the deal to its result; seat 0 is the non-dealer and leads.

    Cards and actions are numbers as in `harness.core.cards`; actions may also be given as text (``"PLAY AS"``).

    Parameters
    ----------
    rules
        The rules it is played by.
    pack
        All 24 cards in the order in which they are dealt; without nines these are left out.
    score
        Game points of the match so far, by seat.
    carry
        Game points that the winner gets on top, from hands that nobody won.

    Raises
    ------
    FaultsError
        The pack is not all 24 cards, or score or carry are out of range.

    """

    def __init__(self, rules: Rules, pack: Sequence[int], score: tuple[int, int] = (0, 0), carry: int = 0):
        _check_pack(pack, score, carry)
        self.rules = rules
        self.pack = tuple(int(card) for card in pack)
        self.seed: int | None = None
        self.deal: int | None = None
        self.forfeited_by: int | None = None
        self._rules = rules.record()[0]
        self._state = records(STATE_DTYPE)[0]
        self._state.score[:] = score
        self._state.carry = carry
        deal_hand(self._state, self._rules, np.array(self.pack, dtype=np.int8))

    @classmethod
    def of_deal(cls, rules: Rules, seed: int, deal: int, score: tuple[int, int] = (0, 0), carry: int = 0) -> Self:
        """Make the hand that deal number `deal` of a seed gives under these rules."""
        check_counter("seed", seed)
        check_counter("deal", deal)
        pack = np.zeros(24, dtype=np.int8)
        shuffle(seed, deal, pack)
        hand = cls(rules, pack.tolist(), score, carry)
        hand.seed, hand.deal = seed, deal
        return hand

    @classmethod
    def of_cards(
        cls,
        rules: Rules,
        hands: tuple[Iterable[int], Iterable[int]],
        stock: Sequence[int],
        score: tuple[int, int] = (0, 0),
        carry: int = 0,
    ) -> Self:
        """Make a hand from its cards as they lie before the first lead.

        `hands` are those of seat 0 and seat 1, `stock` is in the order of drawing, the turned-up card last. Raises
        FaultsError if they are not a full deal of these rules.
        """
        return cls(rules, _pack_of(rules, (list(hands[0]), list(hands[1])), list(stock)), score, carry)

    def restarted(self) -> Self:
        """Return the same deal before its first lead."""
        hand = type(self)(self.rules, self.pack, self.score, self.carry)
        hand.seed, hand.deal = self.seed, self.deal
        return hand

    # What lies where

    @property
    def hands(self) -> PairOfCards:
        """The cards of both seats, in rising order."""
        return members(int(self._state.hand[0])), members(int(self._state.hand[1]))

    @property
    def known(self) -> PairOfCards:
        """Of each seat's cards those that the other seat knows."""
        return members(int(self._state.known[0])), members(int(self._state.known[1]))

    @property
    def stock(self) -> tuple[int, ...]:
        """The cards left in the stock, in the order of drawing, the turned-up card last; a close leaves them."""
        top = int(self._state.stock_top)
        return tuple(int(card) for card in self._state.stock[top : top + int(self._state.n_stock)])

    @property
    def turned_up(self) -> int | None:
        """The card under the stock, face down after a close; None once it was drawn."""
        return _or_none(self._state.turned_up)

    @property
    def trump(self) -> int:
        """The trump suit."""
        return int(self._state.trump)

    # How it stands

    @property
    def points(self) -> tuple[int, int]:
        """Counted points by seat."""
        return _pair(self._state.points)

    @property
    def pending(self) -> tuple[int, int]:
        """Marriage points by seat that wait for a trick."""
        return _pair(self._state.pending)

    @property
    def tricks(self) -> tuple[int, int]:
        """Tricks taken by seat."""
        return _pair(self._state.tricks)

    @property
    def score(self) -> tuple[int, int]:
        """Game points of the match before this hand, by seat."""
        return _pair(self._state.score)

    @property
    def carry(self) -> int:
        """Game points on top for the winner."""
        return int(self._state.carry)

    @property
    def to_move(self) -> int:
        """The seat that decides; once the hand is over, the one that decided last or would have been next."""
        return int(self._state.to_move)

    @property
    def leader(self) -> int:
        """The seat that leads this trick."""
        return int(self._state.leader)

    @property
    def led(self) -> int | None:
        """The card to reply to, None on a lead."""
        return _or_none(self._state.led)

    @property
    def closer(self) -> int | None:
        """The seat that closed the stock, None if nobody has."""
        return _or_none(self._state.closer)

    @property
    def history(self) -> tuple[tuple[int, int], ...]:
        """All actions so far as (seat, action), oldest first."""
        entries = self._state.history[: int(self._state.n_history)]
        return tuple((int(entry) >> 6 & 1, int(entry) & 63) for entry in entries)

    # How it ends

    @property
    def over(self) -> bool:
        """Whether the hand is over."""
        return bool(self._state.phase == OVER)

    @property
    def result(self) -> Result | None:
        """How the hand ended, None while it is played."""
        if not self.over:
            return None
        state = self._state
        return Result(_or_none(state.winner), int(state.game_points), ENDINGS[int(state.how)])

    @property
    def winner(self) -> int | None:
        """The seat that won; None while it is played or if nobody has."""
        return _or_none(self._state.winner)

    @property
    def game_points(self) -> int:
        """What the winner gets, the carry counted; 0 while it is played or if nobody has won."""
        return int(self._state.game_points)

    @property
    def how(self) -> str | None:
        """The ending's name, one of `harness.core.records.ENDINGS`; None while it is played."""
        return ENDINGS[int(self._state.how)] if self.over else None

    # Verify, explain, do

    def legal_actions(self) -> tuple[int, ...]:
        """Return the legal actions of the seat to move, cards first; none once the hand is over."""
        return members(int(legal_mask(self._state, self._rules)))

    def can(self, action: int | str) -> bool:
        """Say whether an action is legal now."""
        return _number(action) in self.legal_actions()

    def why_not(self, action: int | str) -> str | None:
        """Say in one sentence which rule forbids an action now, naming its field; None for a legal action."""
        return why_not(self._state, self.rules, _number(action))

    def verify(self, action: int | str) -> None:
        """Raise IllegalActionError, with the sentence of `why_not`, for an action that is not legal now."""
        number = _number(action)
        if (reason := self.why_not(number)) is not None:
            name = action_text(number) if is_action(number) else f"action {number}"
            raise IllegalActionError(f"seat {self.to_move} cannot {name}: {reason}")

    def do(self, action: int | str) -> None:
        """Carry out an action of the seat to move; IllegalActionError, and nothing changed, if it is not legal."""
        number = _number(action)
        self.verify(number)
        apply(self._state, self._rules, number)

    def forfeit(self, seat: int) -> None:
        """End the hand against `seat`, at the price of a false declaration; IllegalActionError if it is over."""
        if seat not in (0, 1):
            raise IllegalActionError(f"there is no seat {seat}; the seats are 0 and 1")
        if self.over:
            raise IllegalActionError(f"seat {seat} cannot forfeit: the hand is over")
        declare_falsely(self._state, self._rules, seat)
        self.forfeited_by = seat

    def view(self, seat: int) -> Any:
        """Return what `seat` may know, as a record of `harness.core.records.View`."""
        view = records(VIEW_DTYPE)[0]
        clear_view(view)
        fill_view(self._state, self._rules, seat, view)
        return view

    def check(self) -> None:
        """Raise AssertionError unless every card is in exactly one place and no point came from nowhere."""
        state = self._state
        places = [int(state.hand[0]), int(state.hand[1]), int(state.gone)]
        places += [1 << card for card in self.stock]
        if self.led is not None:
            places.append(1 << self.led)
        pack_mask = sum(1 << card for card in ALL_CARDS if self.rules.nines or card % 8 != NINE)
        if sum(places) != pack_mask or any(place & ~PACK_MASK for place in places):
            raise AssertionError(f"cards lost or doubled: {[cards_text(place) for place in places]}")
        for seat in (0, 1):
            if self._state.known[seat] & ~self._state.hand[seat]:
                raise AssertionError(f"seat {seat} is known to hold cards that it does not hold")
        taken = sum(int(CARD_POINTS[card]) for card in members(int(state.gone)))
        extra = sum(self.points) + sum(self.pending) - taken
        bonus = self.rules.last_trick.bonus if self.over and not any(self.hands) and self.closer is None else 0
        if extra < 0 or (extra % 20 and (extra - bonus) % 20):
            raise AssertionError(f"points {self.points} and {self.pending} pending from tricks of {taken}")


def _number(action: int | str) -> int:
    return parse_action(action) if isinstance(action, str) else int(action)


def check_counter(name: str, number: int) -> None:
    """Refuse a seed or deal number that does not fit the streams."""
    if not 0 <= number < 2**63:
        raise UsageError(f"{name} = {number}: must be a whole number from 0 to {2**63 - 1}")


def _or_none(number: Any) -> int | None:
    return None if number < 0 else int(number)


def _pair(numbers: Any) -> tuple[int, int]:
    return int(numbers[0]), int(numbers[1])


def _check_pack(pack: Sequence[int], score: tuple[int, int], carry: int) -> None:
    faults = [f"{card} is not the number of a card" for card in pack if card not in ALL_CARDS]
    faults += [f"{card_text(card)} is missing" for card in ALL_CARDS if card not in pack]
    faults += [f"{card_text(card)} is there twice" for card in ALL_CARDS if list(pack).count(card) > 1]
    if not all(0 <= points <= MOST_GAME_POINTS for points in score):
        faults.append(f"score {score[0]} {score[1]}: each must be from 0 to {MOST_GAME_POINTS}")
    if not 0 <= carry <= MOST_GAME_POINTS:
        faults.append(f"carry {carry}: must be from 0 to {MOST_GAME_POINTS}")
    if faults:
        raise FaultsError("this hand cannot be dealt:", faults)


def _pack_of(rules: Rules, hands: tuple[list[int], list[int]], stock: list[int]) -> list[int]:
    """Order of the pack that deals these cards; FaultsError if they are not a full deal."""
    size = 6 if rules.nines else 5
    faults = [
        f"seat {seat} needs {size} cards, not {len(cards)}" for seat, cards in enumerate(hands) if len(cards) != size
    ]
    if len(stock) != 2 * size:
        faults.append(f"the stock needs {2 * size} cards, the turned-up one last, not {len(stock)}")
    given = [*hands[0], *hands[1], *stock]
    nines = [] if rules.nines else [card for card in ALL_CARDS if card % 8 == NINE]
    faults += [f"{card_text(card)} is not in the pack (nines = false)" for card in nines if card in given]
    if faults:
        raise FaultsError("this hand cannot be dealt:", faults)
    (a, b), turned_up = hands, stock[-1:]
    if rules.nines:
        return [*a[:3], *b[:3], *a[3:], *b[3:], *turned_up, *stock[:-1]]
    return [*a[:3], *b[:3], *turned_up, *a[3:], *b[3:], *stock[:-1], *nines]

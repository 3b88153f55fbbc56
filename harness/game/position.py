"""A position: what one side knows in the middle of a hand, when it has to decide.

`harness.game.position_file` reads it from a file, `harness.game.position_text` writes one, and
`harness.game.position_checks` says what is impossible about it.
"""

from dataclasses import dataclass, field
from typing import Any, Self

from harness.core.bits import members, popcount
from harness.core.cards import CARD_POINTS, CLOSE, MELD, NINES_MASK, PACK_MASK, marriage_cards
from harness.core.deal import clear
from harness.core.records import (
    CLOSED,
    DRAW_OR_CLOSE,
    FRESH,
    LEAD,
    MELDED,
    REPLY,
    STATE_DTYPE,
    VIEW_DTYPE,
    records,
)
from harness.core.view import clear_view, fill_view
from harness.game.hand import Hand
from harness.game.rules import Rules

ME, THEM = 0, 1
"""The sides of a position: of every pair the first is mine."""
Two = tuple[int, int]


@dataclass(frozen=True)
class Position:
    """What the side that has to decide ("me") knows; of pairs the first is mine, sets of cards are bit masks.

    Nothing is checked here. A position that was read from a file is possible.

    Attributes
    ----------
    rules
        The rules of the hand.
    hand, theirs, shown, gone
        My cards, cards known to be in the other hand, my cards that the other side knows, cards of finished tricks.
    trump, turned_up
        The trump suit, the card under the stock.
    n_stock, stock
        Cards left in the stock, the turned-up one counted; all of them in the order of drawing where that is known.
    led, announced
        The card that I have to reply to, the suit whose marriage was announced on this lead.
    points, pending, tricks
        Counted points, marriage points that wait for a trick, tricks.
    closer, closed_points, closed_tricks, closed_before_draw
        The side that has closed, what its opponent had then, and whether it was right after a trick.
    dealer
        The side that dealt; it sits on seat 1.
    score, carry
        Game points of the match before this hand, and those that its winner gets on top.
    history
        The public actions that led there, as a View has them (``action | seat << 6``); none where they are not known.
    about
        A line about the position.

    """

    rules: Rules
    hand: int
    trump: int
    theirs: int = 0
    shown: int = 0
    gone: int = 0
    turned_up: int | None = None
    n_stock: int = 0
    stock: tuple[int, ...] = ()
    led: int | None = None
    announced: int | None = None
    points: Two = (0, 0)
    pending: Two = (0, 0)
    tricks: Two = (0, 0)
    closer: int | None = None
    closed_points: int = 0
    closed_tricks: int = 0
    closed_before_draw: bool = False
    dealer: int = THEM
    score: Two = (0, 0)
    carry: int = 0
    history: tuple[int, ...] = ()
    about: str = field(default="", compare=False)

    @classmethod
    def of_hand(cls, hand: Hand, with_stock: bool = False, about: str = "") -> Self:
        """Return the position of the seat to move in a hand that is not over; `with_stock` adds the order of it."""
        view = hand.view(hand.to_move)
        return cls(
            rules=hand.rules,
            hand=int(view.hand),
            trump=int(view.trump),
            theirs=int(view.known),
            shown=int(view.shown),
            gone=int(view.gone),
            turned_up=hand.turned_up,
            n_stock=int(view.n_stock),
            stock=hand.stock if with_stock else (),
            led=hand.led,
            announced=None if view.meld_suit < 0 else int(view.meld_suit),
            points=_two(view.points),
            pending=_two(view.pending),
            tricks=_two(view.tricks),
            closer=None if view.closer < 0 else int(view.closer),
            closed_points=int(view.closed_points),
            closed_tricks=int(view.closed_tricks),
            closed_before_draw=_was_closed_before_draw(hand),
            dealer=ME if view.seat == 1 else THEM,
            score=_two(view.score),
            carry=int(view.carry),
            history=tuple(action | seat << 6 for seat, action in hand.history),
            about=about,
        )

    # Cards

    @property
    def pack(self) -> int:
        """All cards of these rules."""
        return PACK_MASK if self.rules.nines else PACK_MASK & ~NINES_MASK

    @property
    def full_hand(self) -> int:
        """Cards of a hand before it has begun."""
        return full_hand(self.rules)

    @property
    def unseen(self) -> int:
        """Cards that I cannot place: the rest of the other hand and the face-down stock."""
        placed = self.hand | self.theirs | self.gone
        for card in (self.led, self.turned_up):
            placed |= 0 if card is None else 1 << card
        return self.pack & ~placed

    @property
    def n_theirs(self) -> int:
        """Cards of the other hand."""
        return popcount(self.hand) - (self.led is not None)

    @property
    def is_open(self) -> bool:
        """Whether cards are still drawn."""
        return self.n_stock > 0 and self.closer is None

    @property
    def other_hand(self) -> int | None:
        """The whole other hand, None where the position leaves it open."""
        if self.stock:
            return self.theirs | self.unseen & ~sum(1 << card for card in set(self.stock))
        if popcount(self.theirs) == self.n_theirs:
            return self.theirs
        return self.theirs | self.unseen if self.n_stock == 0 else None

    @property
    def knows_all_cards(self) -> bool:
        """Whether it is known where every card lies, the order of the stock included where cards are still drawn."""
        settled = bool(self.stock) or not self.is_open or self.n_stock <= 2
        return self.other_hand is not None and settled

    # The lead

    @property
    def n_tricks(self) -> int:
        """Tricks finished."""
        return popcount(self.gone) // 2

    @property
    def tricks_since_close(self) -> int:
        """Tricks finished since the stock was closed, if it was."""
        return self.full_hand - self.closed_before_draw - popcount(self.hand)

    @property
    def closed_on_this_lead(self) -> bool:
        """Whether the stock was closed on the lead that this is, or that has to be replied to."""
        return self.closer is not None and self.tricks_since_close == 0

    @property
    def lead_open(self) -> bool:
        """Whether the stock was open when this lead began."""
        return self.is_open or self.closed_on_this_lead

    @property
    def phase(self) -> int:
        """What kind of decision this is, as in `harness.core.records`."""
        if self.led is not None:
            return REPLY
        return DRAW_OR_CLOSE if self.is_open and popcount(self.hand) < self.full_hand else LEAD

    @property
    def seat(self) -> int:
        """The seat that has to decide."""
        return 1 if self.dealer == ME else 0

    def view(self) -> Any:
        """Return what I may know, as a record of `harness.core.records.View`."""
        theirs, spare = self.theirs, members(self.unseen)
        theirs |= sum(1 << card for card in spare[: self.n_theirs - popcount(theirs)])
        view = records(VIEW_DTYPE)[0]
        clear_view(view)
        fill_view(self._placed(theirs), self.rules.record()[0], self.seat, view)
        return view

    def state(self) -> Any:
        """Return the hand with everything in it, as a record of `harness.core.records.State`.

        Raises
        ------
        ValueError
            Not all cards are known.

        """
        theirs = self.other_hand
        if theirs is None or not self.knows_all_cards:
            raise ValueError("the position leaves open where some cards lie")
        return self._placed(theirs)

    def _placed(self, theirs: int) -> Any:
        """Return the state in which `theirs` is the other hand; an unknown stock lies in rising order."""
        me, them = self.seat, 1 - self.seat
        s = records(STATE_DTYPE)[0]
        clear(s)
        for side, seat in ((ME, me), (THEM, them)):
            s.hand[seat] = theirs if side else self.hand
            s.known[seat] = self.theirs if side else self.shown
            for name in ("points", "pending", "tricks", "score"):
                getattr(s, name)[seat] = getattr(self, name)[side]
        s.gone, s.trump, s.carry = self.gone, self.trump, self.carry
        s.turned_up = s.led = s.meld_suit = -1
        if self.turned_up is not None:
            stock = self.stock or (*members(self.unseen & ~theirs), self.turned_up)
            s.stock[: len(stock)] = stock
            s.n_stock, s.turned_up = self.n_stock, self.turned_up
        if self.led is not None:
            s.led = self.led
        if self.announced is not None:
            s.meld_suit = self.announced
        s.to_move, s.leader = me, me if self.led is None else them
        s.phase, s.lead_open, s.lead_stage = self.phase, self.lead_open, self._lead_stage()
        s.n_history = len(self.history)
        s.history[: len(self.history)] = self.history
        if self.closer is not None:
            s.closer = them if self.closer else me
            s.closed_points, s.closed_tricks = self.closed_points, self.closed_tricks
        return s

    def _lead_stage(self) -> int:
        if self.closed_on_this_lead and not self.closed_before_draw:
            return CLOSED
        return FRESH if self.announced is None or self.rules.marriage.automatic else MELDED


def full_hand(rules: Rules) -> int:
    """Cards of a hand before it has begun."""
    return 6 if rules.nines else 5


def card_total(cards: int) -> int:
    """Trick points of a set of cards."""
    return sum(int(CARD_POINTS[card]) for card in members(cards))


def marriage_value(position: Position, suit: int) -> int:
    """Points of the marriage of a suit."""
    return 40 if suit == position.trump else 20


def marriage_of(suit: int) -> int:
    """Mask of the king and queen of a suit."""
    return int(marriage_cards(suit))


def _two(pair: Any) -> Two:
    return int(pair[0]), int(pair[1])


def _was_closed_before_draw(hand: Hand) -> bool:
    """Say whether more tricks were played before the stock was closed than cards drawn."""
    if hand.closer is None:
        return False
    actions = [action for _, action in hand.history]
    n_cards = sum(action < MELD for action in actions[: actions.index(CLOSE)])
    drawn = 2 * full_hand(hand.rules) - len(hand.stock)
    return n_cards > drawn

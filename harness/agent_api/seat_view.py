"""What a Python agent sees: one seat's knowledge at one decision, read-only and decoded as it is asked for."""

from collections.abc import Sequence
from functools import cached_property

from harness.core.bits import members
from harness.core.records import VIEW_DTYPE

assert VIEW_DTYPE.fields is not None
_AT = {name: offset // 8 for name, (_, offset, *_) in VIEW_DTYPE.fields.items()}
_HISTORY = _AT["history"]


class SeatView:
    """One seat's knowledge; of pairs the first is mine, the second theirs. Cards and actions are numbers.

    A card is ``suit * 8 + rank`` (♠ ♥ ♣ ♦ = 0..3, 9 J Q K 10 A = 0..5) and plays itself as an action; the other actions
    are those of `harness.core.cards`: ``MELD + suit``, ``EXCHANGE``, ``CLOSE``, ``DECLARE``, ``DRAW``. The masks
    (``hand_mask``, …) are the same sets as integers, for agents in a hurry.

    Parameters
    ----------
    words
        The record `harness.core.records.View` as int64 words.
    """

    def __init__(self, words: Sequence[int]):
        self._words = words

    @property
    def hand_mask(self) -> int:
        """My cards as a bit mask."""
        return self._words[_AT["hand"]]

    @cached_property
    def hand(self) -> tuple[int, ...]:
        """My cards."""
        return members(self._words[_AT["hand"]])

    @property
    def legal_mask(self) -> int:
        """The legal actions as a bit mask."""
        return self._words[_AT["legal"]]

    @cached_property
    def legal(self) -> tuple[int, ...]:
        """The legal actions, cards first; never empty."""
        return members(self._words[_AT["legal"]])

    @property
    def known(self) -> tuple[int, ...]:
        """Cards that I know to be in the other hand."""
        return members(self._words[_AT["known"]])

    @property
    def shown(self) -> tuple[int, ...]:
        """Cards of mine that the other side knows."""
        return members(self._words[_AT["shown"]])

    @property
    def gone(self) -> tuple[int, ...]:
        """Cards of all finished tricks."""
        return members(self._words[_AT["gone"]])

    @property
    def unseen(self) -> tuple[int, ...]:
        """Cards that I cannot place: the rest of the other hand and the face-down stock."""
        return members(self._words[_AT["unseen"]])

    @property
    def unseen_mask(self) -> int:
        """The cards that I cannot place as a bit mask."""
        return self._words[_AT["unseen"]]

    @property
    def trump(self) -> int:
        """The trump suit, 0..3."""
        return self._words[_AT["trump"]]

    @property
    def turned_up(self) -> int | None:
        """The card under the stock (face down after a close), None once it was drawn."""
        card = self._words[_AT["turned_up"]]
        return None if card < 0 else card

    @property
    def n_stock(self) -> int:
        """Cards left in the stock, the turned-up one counted."""
        return self._words[_AT["n_stock"]]

    @property
    def is_open(self) -> bool:
        """Whether cards are still drawn: the stock is neither closed nor empty."""
        return self._words[_AT["n_stock"]] > 0 and self._words[_AT["closer"]] < 0

    @property
    def led(self) -> int | None:
        """The card that I have to reply to, None when it is my lead."""
        card = self._words[_AT["led"]]
        return None if card < 0 else card

    @property
    def announced(self) -> int | None:
        """The suit whose marriage was announced on this lead, or None."""
        suit = self._words[_AT["meld_suit"]]
        return None if suit < 0 else suit

    @property
    def closer(self) -> int | None:
        """Who closed the stock: 0 me, 1 the other side, None nobody."""
        closer = self._words[_AT["closer"]]
        return None if closer < 0 else closer

    @property
    def closed_points(self) -> int:
        """Points of the closer's opponent at the moment of the close."""
        return self._words[_AT["closed_points"]]

    @property
    def closed_tricks(self) -> int:
        """Tricks of the closer's opponent at the moment of the close."""
        return self._words[_AT["closed_tricks"]]

    @property
    def seat(self) -> int:
        """My seat: 0 led to the first trick, 1 dealt."""
        return self._words[_AT["seat"]]

    @property
    def leader(self) -> int:
        """Whose lead it is or was: 0 mine, 1 theirs."""
        return self._words[_AT["leader"]]

    @property
    def lead_open(self) -> bool:
        """Whether the stock was open when this lead began; ``marriage.stock`` asks for it."""
        return self._words[_AT["lead_open"]] != 0

    @property
    def points(self) -> tuple[int, int]:
        """Counted points, mine and theirs."""
        return self._pair("points")

    @property
    def pending(self) -> tuple[int, int]:
        """Marriage points that wait for a trick, mine and theirs."""
        return self._pair("pending")

    @property
    def tricks(self) -> tuple[int, int]:
        """Tricks taken, mine and theirs."""
        return self._pair("tricks")

    @property
    def score(self) -> tuple[int, int]:
        """Game points of the match so far, mine and theirs; 0, 0 outside a match."""
        return self._pair("score")

    @property
    def target(self) -> int:
        """Game points that win a match."""
        return self._words[_AT["target"]]

    @property
    def carry(self) -> int:
        """Game points carried over from hands that nobody won."""
        return self._words[_AT["carry"]]

    @property
    def history(self) -> tuple[tuple[int, int], ...]:
        """The public actions so far as (seat, action), oldest first."""
        n = self._words[_AT["n_history"]]
        packed = b"".join(word.to_bytes(8, "little", signed=True) for word in self._words[_HISTORY:])[:n]
        return tuple((entry >> 6, entry & 63) for entry in packed)

    def _pair(self, name: str) -> tuple[int, int]:
        at = _AT[name]
        return self._words[at], self._words[at + 1]

"""The compiled core behind the interface of the replays, and hands of both kinds as numbers that compare.

`CoreHand` is a `tests.helpers.traces.HandLike` over the records and kernels of `harness.core` alone. A
`Snapshot` holds everything about a hand that is public or checkable, so that a core hand and a reference
hand can be compared after every action.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from typing import Any, NamedTuple, Self

import numpy as np

from harness.core.apply import apply
from harness.core.bits import members
from harness.core.cards import CLOSE, DECLARE, DRAW, EXCHANGE, MELD
from harness.core.deal import clear, deal_hand
from harness.core.legal import legal_mask
from harness.core.records import ENDINGS, OVER, STATE_DTYPE, records
from harness.game.rules import Rules
from tests.helpers.reference import RANKS, SUITS, ReferenceHand
from tests.helpers.reference_presets import PRESETS
from tests.helpers.splitmix import shuffled_pack
from tests.helpers.traces import HandLike

CARDS = {rank + suit: 8 * s + r for s, suit in enumerate(SUITS) for r, rank in enumerate(RANKS)}
"""Number of each card by its name, rank then suit."""
ACTIONS = (
    {f"PLAY {name}": number for name, number in CARDS.items()}
    | {f"MELD {suit}": MELD + s for s, suit in enumerate(SUITS)}
    | {"EXCHANGE": EXCHANGE, "CLOSE": CLOSE, "DECLARE": DECLARE, "DRAW": DRAW}
)
"""Number of each action by its name in the reference."""
CARD_NAMES = {number: name for name, number in CARDS.items()}
ACTION_NAMES = {number: name for name, number in ACTIONS.items()}
PACK = tuple(CARDS)
"""All cards by name."""

assert STATE_DTYPE.fields is not None
_OFFSETS = {name: offset for name, (_, offset, *_) in STATE_DTYPE.fields.items()}
_AT = {name: offset // 8 for name, offset in _OFFSETS.items()}


def mask_of(cards: Iterable[str]) -> int:
    """Bit mask of some cards."""
    return sum([1 << CARDS[card] for card in cards])


@lru_cache(maxsize=1 << 15)
def cards_of(mask: int) -> frozenset[str]:
    """Names of the cards of a bit mask."""
    return frozenset(CARD_NAMES[card] for card in members(mask))


@lru_cache(maxsize=1 << 15)
def actions_of(mask: int) -> frozenset[str]:
    """Names of the actions of a legal mask."""
    return frozenset(ACTION_NAMES[action] for action in members(mask))


@cache
def _record_of(fields: tuple[tuple[str, object], ...]) -> Any:
    return Rules.from_fields(dict(fields)).record()


def rules_record(rules: Mapping[str, object]) -> Any:
    """The rules of the reference as the core reads them: recarray of shape (1,), shared by equal rules."""
    return _record_of(tuple(rules.items()))


def pack_array(pack: Iterable[str]) -> Any:
    """A pack of names as `deal_hand` takes it."""
    return np.array([CARDS[card] for card in pack], np.int8)


class Snapshot(NamedTuple):
    """A hand as numbers; pairs by seat, -1 for none; `end` is None until the hand is over."""

    legal: int
    hands: tuple[int, int]
    known: tuple[int, int]
    gone: int
    stock: tuple[int, ...]
    trump: int
    points: tuple[int, int]
    pending: tuple[int, int]
    tricks: tuple[int, int]
    leader: int
    to_move: int
    led: int
    closer: int
    end: tuple[int, int, str] | None


class CoreHand:
    """One hand, played by the kernels; it refuses illegal actions, as the kernels themselves do not."""

    def __init__(self, rules: Mapping[str, object], carry: int = 0) -> None:
        self.records = records(STATE_DTYPE)
        self.state = self.records[0]
        self.rules = rules_record(rules)[0]
        self.state.carry = carry
        clear(self.state)
        self._int64 = self.records.view(np.int64)
        self._stock = self.records.view(np.int8)[_OFFSETS["stock"] : _OFFSETS["stock"] + 24]
        self._won: tuple[list[str], list[str]] = ([], [])
        self._read()

    @classmethod
    def from_pack(cls, rules: Mapping[str, object], pack: Iterable[str], carry: int = 0) -> Self:
        """Deal a pack of 24 cards."""
        hand = cls(rules, carry)
        deal_hand(hand.state, hand.rules, pack_array(pack))
        hand._read()
        return hand

    @classmethod
    def from_cards(
        cls, rules: Mapping[str, object], hand0: Iterable[str], hand1: Iterable[str], stock: Sequence[str]
    ) -> Self:
        """Put these cards into the hands and the stock: in draw order, the turned-up card last."""
        hand = cls(rules)
        s = hand.state
        s.hand[0], s.hand[1] = mask_of(hand0), mask_of(hand1)
        s.stock[: len(stock)] = pack_array(stock)
        s.n_stock = len(stock)
        s.turned_up = CARDS[stock[-1]]
        s.trump = SUITS.index(stock[-1][1])
        hand._read()
        return hand

    def at(self, points: Sequence[int], tricks: Sequence[int]) -> Self:
        """The same hand further on: with these points and tricks."""
        for seat in (0, 1):
            self.state.points[seat], self.state.tricks[seat] = points[seat], tricks[seat]
        self._read()
        return self

    def with_stock_used_up(self) -> Self:
        """The same hand after the last draw: the stock is gone, its cards lie in tricks."""
        s = self.state
        s.n_stock, s.turned_up, s.lead_open = 0, -1, 0
        self._read()
        return self

    def play(self, *actions: str) -> Self:
        """Carry out some actions."""
        for action in actions:
            self.apply(action)
        return self

    def apply(self, action: str) -> None:
        """Carry out one action; ValueError if it is not legal."""
        if action not in self.legal():
            raise ValueError(f"{action} is not legal: {sorted(self.legal())}")
        self.act(ACTIONS[action])

    def act(self, action: int) -> None:
        """Carry out a legal action, given by its number."""
        led = self.led
        apply(self.state, self.rules, action)
        self._read()
        if led is not None and action < MELD:
            self._won[self.leader].extend((led, CARD_NAMES[action]))

    def _read(self) -> None:
        self._words: list[int] = self._int64.tolist()
        self._legal: int = legal_mask(self.state, self.rules)

    def _pair(self, name: str) -> tuple[int, int]:
        at = _AT[name]
        return self._words[at], self._words[at + 1]

    def _number(self, name: str) -> int:
        return self._words[_AT[name]]

    def _stock_numbers(self) -> tuple[int, ...]:
        top = self._number("stock_top")
        return tuple(self._stock[top : top + self._number("n_stock")].tolist())

    def snapshot(self) -> Snapshot:
        """Everything to compare."""
        over = self.over
        return Snapshot(
            self._legal,
            self._pair("hand"),
            self._pair("known"),
            self._number("gone"),
            self._stock_numbers(),
            self._number("trump"),
            self._pair("points"),
            self._pair("pending"),
            self._pair("tricks"),
            self._number("leader"),
            -1 if over else self._number("to_move"),
            self._number("led"),
            self._number("closer"),
            (self._number("winner"), self.game_points, self.how) if over else None,
        )

    def legal(self) -> frozenset[str]:
        return actions_of(self._legal)

    @property
    def hands(self) -> list[AbstractSet[str]]:
        return [cards_of(mask) for mask in self._pair("hand")]

    @property
    def known(self) -> list[AbstractSet[str]]:
        return [cards_of(mask) for mask in self._pair("known")]

    @property
    def stock(self) -> list[str]:
        return [CARD_NAMES[card] for card in self._stock_numbers()]

    @property
    def trump(self) -> str:
        return SUITS[self._number("trump")]

    @property
    def points(self) -> list[int]:
        return list(self._pair("points"))

    @property
    def pending(self) -> list[int]:
        return list(self._pair("pending"))

    @property
    def tricks(self) -> list[int]:
        return list(self._pair("tricks"))

    @property
    def won(self) -> Sequence[Sequence[str]]:
        return self._won

    @property
    def leader(self) -> int:
        return self._number("leader")

    @property
    def to_move(self) -> int:
        return self._number("to_move")

    @property
    def led(self) -> str | None:
        return CARD_NAMES.get(self._number("led"))

    @property
    def closer(self) -> int | None:
        closer = self._number("closer")
        return None if closer < 0 else closer

    @property
    def over(self) -> bool:
        return self._number("phase") == OVER

    @property
    def winner(self) -> int | None:
        winner = self._number("winner")
        return None if winner < 0 else winner

    @property
    def game_points(self) -> int:
        return self._number("game_points")

    @property
    def how(self) -> str:
        return ENDINGS[self._number("how")]


def snapshot(hand: HandLike) -> Snapshot:
    """The snapshot of the reference, or of any other hand."""
    winner = -1 if hand.winner is None else hand.winner
    return Snapshot(
        sum([1 << ACTIONS[action] for action in hand.legal()]),
        (mask_of(hand.hands[0]), mask_of(hand.hands[1])),
        (mask_of(hand.known[0]), mask_of(hand.known[1])),
        mask_of(hand.won[0]) | mask_of(hand.won[1]),
        tuple([CARDS[card] for card in hand.stock]),
        SUITS.index(hand.trump),
        (hand.points[0], hand.points[1]),
        (hand.pending[0], hand.pending[1]),
        (hand.tricks[0], hand.tricks[1]),
        hand.leader,
        -1 if hand.over else hand.to_move,
        -1 if hand.led is None else CARDS[hand.led],
        -1 if hand.closer is None else hand.closer,
        (winner, hand.game_points, hand.how) if hand.over else None,
    )


def reference_deal(preset: str, seed: int, deal: int) -> ReferenceHand:
    """The reference's hand of a numbered deal, shuffled in plain Python."""
    return ReferenceHand(PRESETS[preset], [CARD_NAMES[card] for card in shuffled_pack(seed, deal)])


def differences(ours: Snapshot, theirs: Snapshot) -> dict[str, tuple[object, object]]:
    """The fields in which two snapshots differ."""
    pairs = zip(Snapshot._fields, ours, theirs, strict=True)
    return {name: (mine, other) for name, mine, other in pairs if mine != other}

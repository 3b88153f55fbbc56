"""Replaying hands of four other engines, and counting move sequences, over anything that plays a hand.

Everything here is written against :class:`HandLike`, so that the very same replay runs over the slow
reference and over the product's engine.  A replay compares, at every ply, the legal moves, hands, stock,
points, pending points and tricks, and in the end winner and game points, and raises :class:`MismatchError` at
the first difference.

The foreign notation: ``QH`` a card, ``QH+`` announce the marriage and lead that card, ``MH`` announce and
lead the king, ``XJ``/``X9`` exchange, ``CL`` close.  Where a foreign engine has chosen another rule, or
writes a state down in another way, a constant or a function with a docstring names that choice; nothing is
left out of the comparison silently.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, Protocol

from tests.helpers.reference_presets import PRESETS

DATA = Path(__file__).parent.parent / "data"
Record = dict[str, Any]
"""One hand of a trace file, or one deal of ``perft.json``."""


class HandLike(Protocol):
    """What a replay reads of a hand; :class:`tests.helpers.reference.ReferenceHand` says what each means."""

    @property
    def hands(self) -> Sequence[AbstractSet[str]]: ...
    @property
    def stock(self) -> Sequence[str]: ...
    @property
    def trump(self) -> str: ...
    @property
    def points(self) -> Sequence[int]: ...
    @property
    def pending(self) -> Sequence[int]: ...
    @property
    def tricks(self) -> Sequence[int]: ...
    @property
    def won(self) -> Sequence[Sequence[str]]: ...
    @property
    def leader(self) -> int: ...
    @property
    def to_move(self) -> int: ...
    @property
    def led(self) -> str | None: ...
    @property
    def closer(self) -> int | None: ...
    @property
    def known(self) -> Sequence[AbstractSet[str]]: ...
    @property
    def over(self) -> bool: ...
    @property
    def winner(self) -> int | None: ...
    @property
    def game_points(self) -> int: ...
    @property
    def how(self) -> str: ...
    def legal(self) -> AbstractSet[str]: ...
    def apply(self, action: str) -> None: ...


Make = Callable[[Mapping[str, object], Sequence[str], Sequence[str], Sequence[str]], HandLike]
"""``make(rules, hand0, hand1, stock)``: seat 0 leads; the stock in draw order, the turned-up card last."""


class MismatchError(AssertionError):
    """The hand replayed and the trace disagree."""


# -------------------------------------------------------------------------- the choices of the engines

PAGAT_RULES: dict[str, object] = PRESETS["schnapsen-pagat"]
"""Closing from the first lead, announcing forced, 66 ends the hand by itself: the preset as it is."""

VU_RULES: dict[str, object] = PRESETS["schnapsen-vu"]
"""No closing, announcing optional, a marriage counts with the next trick won: the preset as it is."""

SANTASE_RULES: dict[str, object] = PRESETS["santase"]
"""The first Bulgarian engine: the preset as it is; see :func:`points_without_the_last_ten`."""

SSB_RULES: dict[str, object] = PRESETS["santase"] | {"undeclared": "sole-66"}
"""The second Bulgarian engine counts the ten of the last trick also for a winner who has 66 without it; the
preset's most-points adds it "only once nobody has declared", sole-66 always.  The points written down differ,
the result never does: with the ten there are at least 130 points, so one side has 66 or both have 65.
"""


# ---------------------------------------------------------------------------- a hand beside its record


class Table:
    """A hand beside its record: the actions so far, and the comparisons."""

    def __init__(
        self,
        make: Make,
        rules: Mapping[str, object],
        hands: Sequence[Sequence[str]],
        stock: Sequence[str],
        name: str,
    ) -> None:
        self._fresh: Callable[[], HandLike] = lambda: make(rules, hands[0], hands[1], stock)
        self.hand = self._fresh()
        self._pack = self._all_cards()
        self.history: list[str] = []
        self.name = name

    def expect(self, what: str, ours: object, theirs: object) -> None:
        """Raise unless the hand's value is the trace's."""
        if ours != theirs:
            raise MismatchError(f"{self.name} after {self.history}: {what} {ours!r}, in the trace {theirs!r}")

    def expect_legal(self, theirs: Sequence[str]) -> None:
        """Compare the legal moves, and which of the leads announce a marriage by themselves (``KH+``)."""
        self.expect("legal", sorted(self.hand.legal()), sorted({action(move) for move in theirs}))
        announcing = {move for move in theirs if move.endswith("+")}
        for move in theirs:
            if move[0] in "KQ" and self.hand.led is None:
                probe = self._probe(action(move))
                gain = probe.points[self.hand.to_move] + probe.pending[self.hand.to_move] - self._total()
                self.expect(f"what {move} announces", gain, self._worth(move) if move in announcing else 0)

    def move(self, theirs: str) -> None:
        """Make the trace's move; ``MH``, announce and lead the king, is MELD and a forced PLAY for us."""
        self.apply(action(theirs))
        if theirs[0] == "M":
            self.expect("legal", set(self.hand.legal()), {f"PLAY K{theirs[1]}"})
            self.apply(f"PLAY K{theirs[1]}")

    def apply(self, action: str) -> None:
        """Carry out one of our actions; no card is lost, and only cards in hand are known."""
        self.hand.apply(action)
        self.history.append(action)
        self.expect("all cards", self._all_cards(), self._pack)
        for seat in (0, 1):
            self.expect("known cards out of hand", self.hand.known[seat] - self.hand.hands[seat], set())
            self.expect("cards won", len(self.hand.won[seat]), 2 * self.hand.tricks[seat])

    def expect_result(self, winner: int | None, game_points: int) -> None:
        """Compare the end of the hand."""
        self.expect("over", self.hand.over, True)
        self.expect("winner", self.hand.winner, winner)
        self.expect("game points", self.hand.game_points, game_points)

    def _all_cards(self) -> list[str]:
        hand = self.hand
        led = [] if hand.led is None else [hand.led]
        return sorted([*hand.hands[0], *hand.hands[1], *hand.stock, *hand.won[0], *hand.won[1], *led])

    def _probe(self, action: str) -> HandLike:
        probe = self._fresh()
        for earlier in (*self.history, action):
            probe.apply(earlier)
        return probe

    def _total(self) -> int:
        return self.hand.points[self.hand.to_move] + self.hand.pending[self.hand.to_move]

    def _worth(self, move: str) -> int:
        return 40 if move[1] == self.hand.trump else 20


def action(move: str) -> str:
    """A foreign move as our action; of ``QH+`` and ``MH`` the first of the two things they do."""
    match move:
        case "CL":
            return "CLOSE"
        case "X9" | "XJ":
            return "EXCHANGE"
        case _ if move[0] == "M":
            return f"MELD {move[1]}"
        case _:
            return f"PLAY {move[:2]}"


def drawn_hands(hand: HandLike) -> list[list[str]]:
    """Both hands as the engines write them down that draw before they look whether the hand is over.

    There a hand that was won by taking a trick has already drawn; with us the hand ends "as a trick is taken
    (before the draw)".  Between plies nothing is added.
    """
    hands = [set(cards) for cards in hand.hands]
    if hand.over and hand.led is None and hand.closer is None and hand.stock:
        hands[hand.leader].add(hand.stock[0])
        hands[1 - hand.leader].add(hand.stock[1])
    return [sorted(cards) for cards in hands]


def drawn_stock(hand: HandLike) -> list[str]:
    """The stock beside :func:`drawn_hands`."""
    drawn = hand.over and hand.led is None and hand.closer is None
    return list(hand.stock[2:] if drawn else hand.stock)


def hands_with_the_led_card(hand: HandLike) -> list[list[str]]:
    """Both hands in the two Schnapsen traces, where a led card stays in its hand until the reply."""
    hands = drawn_hands(hand)
    if hand.led is not None:
        hands[hand.leader] = sorted([*hands[hand.leader], hand.led])
    return hands


# -------------------------------------------------------------------------------- the four trace files


def replay_pagat(make: Make, record: Record) -> None:
    """Schnapsen with closing: full states after every ply."""
    hands = (record["hand0"], record["hand1"])
    table = Table(make, PAGAT_RULES, hands, record["talon"], f"pagat {record['seed']}")
    opponent_at_close = None
    for ply in record["plies"]:
        hand, after = table.hand, ply["after"]
        table.expect_legal(ply["legal"])
        if ply["move"] == "CL":
            opponent_at_close = hand.points[1 - hand.to_move]
        table.move(ply["move"])
        players = [after["players"][seat] for seat in "01"]
        table.expect("trump", hand.trump, after["trump"])
        table.expect("led", [] if hand.led is None else [hand.led], after["led"])
        table.expect("stock", drawn_stock(hand), after["talon"])
        table.expect("closer", hand.closer, after["closed"])
        table.expect("points of the closer's opponent", opponent_at_close, after["opp_at_close"])
        table.expect("hands", hands_with_the_led_card(hand), [sorted(player["hand"]) for player in players])
        table.expect("points", list(hand.points), [player["points"] for player in players])
        table.expect("tricks", list(hand.tricks), [player["tricks"] for player in players])
        if after["result"] is None:
            table.expect("over", hand.over, False)
            table.expect("to move", hand.to_move, after["next"])
        else:
            table.expect_result(*after["result"])
    table.expect_result(*record["result"])


def vu_pending(hand: HandLike, announced: int) -> list[int]:
    """Pending points as the VU package writes them down: there a marriage appears with the reply to it."""
    pending = list(hand.pending)
    if hand.led is not None:
        pending[hand.leader] -= announced
    return pending


def replay_vu(make: Make, record: Record) -> None:
    """The VU package: no closing, optional announcing, pending points."""
    hands = (record["hand0"], record["hand1"])
    table = Table(make, VU_RULES, hands, record["talon"], f"vu {record['seed']}")
    announced = 0
    for ply in record["plies"]:
        hand, after = table.hand, ply["after"]
        table.expect_legal(ply["legal"])
        if hand.led is None:
            announced = (40 if ply["move"][1] == hand.trump else 20) if ply["move"][0] == "M" else 0
        table.move(ply["move"])
        led = f"M{hand.led[1]}" if hand.led and announced else hand.led
        players = [after["players"][seat] for seat in "01"]
        table.expect("trump", hand.trump, after["trump"])
        table.expect("leader", hand.leader, after["leader"])
        table.expect("led", led, after["led"])
        table.expect("stock", drawn_stock(hand), after["talon"])
        table.expect("hands", hands_with_the_led_card(hand), [sorted(player["hand"]) for player in players])
        table.expect("points", list(hand.points), [player["points"] for player in players])
        table.expect("pending", vu_pending(hand, announced), [player["pending"] for player in players])
        table.expect("tricks", list(hand.tricks), [player["tricks"] for player in players])
        if after["result"] is None:
            table.expect("over", hand.over, False)
        else:
            table.expect_result(*after["result"])
    table.expect_result(*record["result"])


def points_without_the_last_ten(hand: HandLike) -> list[int]:
    """Final points as the first Bulgarian engine writes them down: the last ten decides, but is not shown."""
    points = list(hand.points)
    if hand.how in ("ran-out", "drawn"):
        points[hand.leader] -= 10
    return points


def replay_santase(make: Make, record: Record) -> None:
    """The first Bulgarian engine: the mover's hand and both points at every ply; ``first`` is our seat 0."""
    first = record["first"]
    hands = [record[f"hand{player}"] for player in (first, 1 - first)]
    table = Table(make, SANTASE_RULES, hands, record["talon"], f"santase {record['seed']}")
    hand = table.hand
    for ply in record["plies"]:
        mover = hand.to_move
        table.expect("player", mover ^ first, ply["player"])
        table.expect("hand", sorted(hand.hands[mover]), sorted(ply["hand"]))
        table.expect("cards left in the stock", len(hand.stock), ply["deckleft"])
        table.expect_legal(ply["legal"])
        sides = [hand.points[hand.leader], hand.points[1 - hand.leader]]
        table.expect("points", sides, [ply["lead_points"], ply["follow_points"]])
        table.move(ply["move"])
    seats = {"FirstPlayer": 0 ^ first, "SecondPlayer": 1 ^ first, "NoOne": None}
    points = points_without_the_last_ten(hand)
    table.expect("final points", [points[first], points[1 - first]], record["points"])
    table.expect("closer", hand.closer, seats[record["closed"]])
    table.expect("last trick", None if any(hand.hands) else hand.leader, seats[record["last"]])
    table.expect_result(seats[record["winner"]], record["gp"])


def ssb_stock(record: Record) -> list[str]:
    """The stock in our draw order for the second Bulgarian engine, which fixes the draws by seat.

    There player 0 takes the first of the two cards whoever has won the trick, except for the last pair, which
    the winner begins; so a pair is turned round wherever player 1 has won.
    """
    talon = record["start"]["talon"]
    pairs = [talon[i : i + 2] for i in range(0, len(talon), 2)]
    tricks = (ply["after"]["leader"] for ply in record["plies"] if is_reply(ply))
    for pair, winner in zip(pairs[:-1], tricks, strict=False):
        if winner == 1:
            pair.reverse()
    return [card for pair in pairs for card in pair]


def is_reply(ply: Record) -> bool:
    """Whether this ply of the second Bulgarian engine completes a trick."""
    return ply["after"]["led"] is None and ply["move"] not in ("CL", "X9")


def replay_ssb(make: Make, record: Record) -> None:
    """The second Bulgarian engine: full states after every ply; the player who leads first is our seat 0."""
    first = record["start"]["leader"]
    order = [str(first), str(1 - first)]
    hands = [record["start"]["players"][player]["hand"] for player in order]
    table = Table(make, SSB_RULES, hands, ssb_stock(record), f"ssb {record['seed']}")
    hand = table.hand
    for ply in record["plies"]:
        after = ply["after"]
        table.expect_legal(ply["legal"])
        table.move(ply["move"])
        players = [after["players"][player] for player in order]
        table.expect("trump", hand.trump, after["trump"])
        table.expect("leader", hand.leader ^ first, after["leader"])
        table.expect("led", hand.led, after["led"])
        table.expect("stock", sorted(drawn_stock(hand)), sorted(after["talon"]))
        table.expect("hands", drawn_hands(hand), [sorted(player["hand"]) for player in players])
        table.expect("points", list(hand.points), [player["points"] for player in players])
        table.expect("tricks", [n > 0 for n in hand.tricks], [player["has_trick"] for player in players])
        table.expect("closed", hand.closer is not None, after["isclosed"])
        closers = [player["closed"] for player in players]
        table.expect("closer", [hand.closer == seat for seat in (0, 1)], closers)
    result = record["result"]
    table.expect_result((0 if result > 0 else 1) ^ first, abs(result))


REPLAYS: dict[str, Callable[[Make, Record], None]] = {
    "schnapsen-pagat": replay_pagat,
    "schnapsen-vu": replay_vu,
    "santase": replay_santase,
    "santase-ssb": replay_ssb,
}
"""The replay of each trace file, by the file's name."""


def load_trace(name: str) -> list[Record]:
    """The hands of one trace file."""
    with gzip.open(DATA / "traces" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


# ----------------------------------------------------------------------------------------------- perft

PERFT_RULES: dict[str, Mapping[str, object]] = {
    "full_schnapsen_with_closing": PAGAT_RULES,
    "vu_no_closing": VU_RULES,
}
"""The rules under which each column of ``perft.json`` was counted."""


def load_perft() -> list[Record]:
    """The three deals of ``perft.json`` with their counts."""
    deals: list[Record] = json.loads((DATA / "perft.json").read_text(encoding="utf-8"))
    return deals


def perft(make: Make, rules: Mapping[str, object], deal: Record, length: int) -> list[int]:
    """How many sequences of 1, 2, ... ``length`` plies there are from a deal.

    A ply is one decision, except that MELD and the card led to it are one ply together ("Its traces and perft
    count MELD + PLAY as one ply"); under forced announcing there is no MELD, and the leads of king and queen
    are two plies.
    """

    def reach(line: Sequence[str]) -> HandLike:
        hand = make(rules, deal["hand0"], deal["hand1"], deal["talon"])
        for step in line:
            hand.apply(step)
        return hand

    def plies(line: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for step in reach(line).legal():
            if step.startswith("MELD"):
                for card in reach((*line, step)).legal():
                    yield (*line, step, card)
            else:
                yield (*line, step)

    counts: list[int] = []
    lines: list[tuple[str, ...]] = [()]
    for _ in range(length):
        lines = [longer for line in lines for longer in plies(line)]
        counts.append(len(lines))
    return counts

"""Positions as TOML files: what a user leaves out is unknown, or follows from the rest.

`configs/positions/README.md` has every key.
"""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from harness.core.bits import popcount
from harness.core.cards import KING, QUEEN
from harness.errors import FaultsError, UsageError, did_you_mean, faults_of
from harness.game.notation import card_text, cards_text, parse_action, parse_card, parse_cards, parse_suit
from harness.game.position import ME, THEM, Position, full_hand, marriage_of
from harness.game.position_checks import SIDES, faults_of_position
from harness.game.position_history import MOST_ACTIONS
from harness.game.position_points import likeliest_tricks, possible_tricks
from harness.game.presets import DEFAULT_PRESET, preset_names, rules_of_settings
from harness.game.rules import Rules, toml_text
from harness.paths import is_file, why

KEYS: Final = (
    "about", "rules", "rule", "trump", "turned_up", "stock", "hand", "theirs", "shown", "gone", "unseen", "led",
    "announced", "points", "pending", "tricks", "closer", "closed_points", "closed_tricks", "closed_before_draw",
    "dealer", "score", "carry", "history",
)  # fmt: skip
"""All keys of a file, in the order in which they are written."""


def load_position(path: Path, rules: str | None = None, rule: Sequence[str] = ()) -> Position:
    """Read a position file.

    Parameters
    ----------
    path
        The file; a rules file that it names is looked for beside it first.
    rules
        A preset or rules file that counts instead of the rules in the file.
    rule
        Changes of single fields, as ``field=value``.

    Raises
    ------
    UsageError
        The file cannot be read or is not TOML. As FaultsError: everything that is wrong in it, or impossible.

    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        hint = did_you_mean(path.name, [other.name for other in path.parent.glob("*.toml") if other != path])
        raise UsageError(f"the position file {path} cannot be read: {why(error)}{hint}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"the position file {path} is not text in UTF-8: {error.reason}") from error
    except ValueError as error:
        raise UsageError(f"{str(path)!r}: no path has such characters ({error})") from error
    return read_position(text, str(path), rules, rule, folder=path.parent)


def read_position(
    text: str, name: str, rules: str | None = None, rule: Sequence[str] = (), folder: Path | None = None
) -> Position:
    """Read the text of a position file; see `load_position`. `name` is for messages."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"the position file {name} is not TOML: {error}") from error
    if rules is not None:
        content = {**content, "rules": rules, "rule": {}}
    reader = _Reader(content)
    reader.check_keys()
    position = _position(reader, reader.rules(rule, folder))
    faults = reader.faults
    if position is not None:
        faults += faults_of_position(position, reader.unread, is_gone_told="gone" in content)
    if position is None or faults:
        raise FaultsError(f"the position in {name} is impossible:", list(dict.fromkeys(faults)))
    return position


class _Reader:
    """Values of a file by their keys; what cannot be read is noted, and read as if it had been left out."""

    def __init__(self, content: dict[str, Any]):
        self.content = content
        self.faults: list[str] = []
        self.unread: set[str] = set()

    def note(self, key: str, *faults: str) -> None:
        self.unread.add(key)
        self.faults += faults

    def check_keys(self) -> None:
        """Note keys that no position has; the key that was meant counts as one that could not be read."""
        strange = []
        for key in self.content:
            if key not in KEYS:
                hint = did_you_mean(key, KEYS)
                self.unread.update(known for known in KEYS if f'"{known}"' in hint and known not in self.content)
                if hint:
                    self.faults.append(f'there is no key "{key}" in a position{hint}')
                else:
                    strange.append(f'"{key}"')
        if strange:
            self.faults.append(f"there is no key {' or '.join(strange)} in a position; the keys are {', '.join(KEYS)}")

    def value(self, key: str, allowed: str, parse: Callable[[Any], Any]) -> Any:
        """Return the parsed value of a key, None if it is not there or is no good."""
        value = self.content.get(key)
        if value is None:
            return None
        try:
            parsed = parse(value)
        except UsageError as error:
            self.note(key, *(f"{key} = {toml_text(value)}: {fault}" for fault in faults_of(error)))
            return None
        if parsed is None:
            self.note(key, f"{key} = {toml_text(value)}: must be {allowed}")
        return parsed

    def rules(self, rule: Sequence[str], folder: Path | None) -> Rules:
        spec = self.content.get("rules", DEFAULT_PRESET)
        if isinstance(spec, str) and folder and spec not in preset_names() and is_file(folder / spec):
            spec = str(folder / spec)
        rules, faults = rules_of_settings(spec, self.content.get("rule", {}), rule)
        if faults:
            self.note("rules", *faults)
        return rules

    def cards(self, key: str, allowed: str = 'cards such as "AS TD", or a list of them') -> list[int] | None:

        def parse(value: Any) -> list[int] | None:
            if isinstance(value, list) and all(isinstance(one, str) for one in value):
                return parse_cards(" ".join(card_text(parse_card(one)) for one in value))
            return parse_cards(value) if isinstance(value, str) else None

        return self.value(key, allowed, parse)  # type: ignore[no-any-return]

    def mask(self, key: str) -> int:
        return sum(1 << card for card in self.cards(key) or ())

    def card(self, key: str) -> int | None:
        return self.value(  # type: ignore[no-any-return]
            key, 'a card such as "AS"', lambda value: parse_card(value) if isinstance(value, str) else None
        )

    def suit(self, key: str) -> int | None:
        return self.value(  # type: ignore[no-any-return]
            key, 'a suit: "S", "H", "C" or "D"', lambda value: parse_suit(value) if isinstance(value, str) else None
        )

    def number(self, key: str) -> int | None:
        return self.value(key, "a whole number", lambda value: value if type(value) is int else None)  # type: ignore[no-any-return]

    def pair(self, key: str) -> tuple[int, int] | None:
        def parse(value: Any) -> tuple[int, int] | None:
            good = isinstance(value, list) and len(value) == 2 and all(type(one) is int and one >= 0 for one in value)
            return (value[0], value[1]) if good else None

        return self.value(key, "two whole numbers from 0, yours first: [33, 20]", parse)  # type: ignore[no-any-return]

    def history(self) -> tuple[int, ...]:
        """Return the public actions."""

        def parse(value: Any) -> tuple[int, ...] | None:
            texts = value.splitlines() if isinstance(value, str) else value
            if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
                return None
            return tuple(_entry(text) for text in texts if text.strip())

        read = self.value("history", 'actions as in a transcript, such as ["0 PLAY AS", "1 PLAY TS"]', parse) or ()
        if len(read) > MOST_ACTIONS:
            self.note("history", f"history has {len(read)} actions: no hand has more than {MOST_ACTIONS}")
            return ()
        return tuple(read)

    def stock(self) -> tuple[int, ...]:
        """Return the cards of the stock where they are known; a number is read by `number`."""
        if type(self.content.get("stock")) is int:
            return ()
        return tuple(self.cards("stock", "a number of cards, or all of them in the order of drawing") or ())

    def side(self, key: str) -> int | None:
        return self.value(  # type: ignore[no-any-return]
            key,
            '"me" or "them"',
            lambda value: SIDES.index(value) if isinstance(value, str) and value in SIDES else None,
        )

    def flag(self, key: str) -> bool:
        return bool(self.value(key, "true or false", lambda value: value if isinstance(value, bool) else None))

    def line(self, key: str) -> str:
        good = self.value(
            key, "one line of text", lambda value: value if isinstance(value, str) and "\n" not in value else None
        )
        return good or ""


def _entry(text: str) -> int:
    """Read an action with its seat."""
    seat, _, action = text.strip().partition(" ")
    if seat not in ("0", "1") or not action:
        raise UsageError(f'"{text}": it needs a seat, 0 or 1, and an action')
    return parse_action(action) | int(seat) << 6


def _position(reader: _Reader, rules: Rules) -> Position | None:
    """Return the position of a file, None if what is most needed is missing; faults go to the reader."""
    trump, turned_up = reader.suit("trump"), reader.card("turned_up")
    stock = reader.stock()
    if stock and turned_up is None:
        turned_up = stock[-1]
    elif stock and stock[-1] != turned_up:
        reader.note("stock", f"stock ends with {card_text(stock[-1])}: its last card is turned_up")
    if trump is None and turned_up is not None:
        trump = turned_up // 8
    hand = reader.mask("hand")
    if trump is None and not {"trump", "turned_up"} & reader.unread:
        reader.note("trump", "trump is missing: give the suit, or the card turned_up")
    if not hand and "hand" not in reader.unread:
        reader.note("hand", "hand is missing: give your cards")
    position = Position(
        rules=rules,
        hand=hand,
        trump=trump or 0,
        theirs=reader.mask("theirs"),
        shown=reader.mask("shown"),
        turned_up=turned_up,
        stock=stock,
        led=reader.card("led"),
        announced=reader.suit("announced"),
        pending=reader.pair("pending") or (0, 0),
        closer=reader.side("closer"),
        closed_before_draw=reader.flag("closed_before_draw"),
        score=reader.pair("score") or (0, 0),
        carry=reader.number("carry") or 0,
        history=reader.history(),
        about=reader.line("about"),
    )
    return _with_play(reader, _with_cards(reader, position))


def _with_cards(reader: _Reader, position: Position) -> Position:
    """Fill in where the cards lie that the file does not place, and what follows from a marriage."""
    gone = reader.mask("gone")
    if reader.cards("unseen") is not None:
        gone = _gone(reader, position, gone)
    elif not {"gone", "unseen"} & reader.content.keys() and position.announced is None and any(_points(reader)):
        reader.note(
            "gone",
            "gone is missing: where there are points there have been tricks; name their cards in gone, or in unseen "
            "the cards that are in no other place",
        )
    position = replace(position, gone=gone)
    position = replace(position, n_stock=_n_stock(reader, position))
    announced = _announced(position)
    position = replace(position, announced=announced)
    if announced is None:
        return position
    if position.led is None:
        return replace(position, shown=position.shown | marriage_of(announced) & position.hand)
    return replace(position, theirs=position.theirs | marriage_of(announced) & position.unseen)


def _gone(reader: _Reader, position: Position, gone: int) -> int:
    """Return the cards gone, where the file names those unseen."""
    unseen = reader.mask("unseen") | sum(1 << card for card in set(position.stock[:-1]))
    if wrong := unseen & ~position.unseen & position.pack:
        reader.note("unseen", f"unseen: {cards_text(wrong)} has another place already")
    if "gone" not in reader.content:
        return position.unseen & ~unseen
    if wrong := (unseen & position.unseen) ^ replace(position, gone=gone).unseen:
        reader.note("unseen", f"unseen and gone: {cards_text(wrong)} must be in one of them")
    return gone


def _points(reader: _Reader) -> tuple[int, int]:
    return reader.pair("points") or (0, 0)


def _n_stock(reader: _Reader, position: Position) -> int:
    """Return the size of the stock; where the file does not say it, the cards that have gone tell."""
    if position.stock:
        return len(position.stock)
    if "stock" in reader.content:
        return (reader.number("stock") if type(reader.content["stock"]) is int else None) or 0
    n = popcount(position.pack) - popcount(position.gone) - 2 * popcount(position.hand)
    most = 2 * full_hand(position.rules)
    if (n % 2 or not 0 <= n <= most) and not {"hand", "gone", "unseen"} & reader.unread:
        reader.note(
            "stock",
            f"the cards named would leave {n} for the stock, which must be an even number from 0 to {most}: a card is "
            "missing or too many, or the stock is to be given",
        )
    return n


def _announced(position: Position) -> int | None:
    """Return the suit announced on this lead, if only by leading a card whose partner is known to be beside it."""
    led, rules = position.led, position.rules.marriage
    if position.announced is not None or led is None or not rules.automatic:
        return position.announced
    declares = led % 8 == KING or (led % 8 == QUEEN and rules.lead == "either")
    partner = marriage_of(led // 8) & ~(1 << led)
    theirs = position.theirs if position.other_hand is None else position.other_hand
    in_time = (rules.stock == "any" or position.lead_open) and (rules.first_lead or position.n_tricks > 0)
    return led // 8 if declares and in_time and partner & theirs else None


def _with_play(reader: _Reader, position: Position) -> Position:
    """Fill in points, tricks, the close and the dealer."""
    points = reader.pair("points")
    if points is None and position.n_tricks and "points" not in reader.unread:
        reader.note("points", "points is missing: give your points and theirs, marriages included, as in [33, 20]")
    first_dealer = THEM if position.led is None or position.n_tricks else ME
    dealer = reader.side("dealer")
    position = replace(position, points=points or (0, 0), dealer=first_dealer if dealer is None else dealer)
    closed = (reader.number("closed_points"), reader.number("closed_tricks"))
    if position.closer is None:
        position = replace(position, closed_points=closed[0] or 0, closed_tricks=closed[1] or 0)
        return replace(position, tricks=_tricks(reader, position))
    return _with_close(reader, position, *closed)


def _with_close(reader: _Reader, position: Position, points: int | None, tricks: int | None) -> Position:
    """Fill in what the closer's opponent had: what it has now, if no trick has been played since."""
    is_told = "closed_before_draw" in reader.content
    if position.rules.close.before_draw and popcount(position.hand) < full_hand(position.rules) and not is_told:
        reader.note(
            "closed_before_draw",
            "closed_before_draw is missing: true if the stock was closed right after a trick, before the draw, else "
            "false",
        )
    if position.tricks_since_close <= 0:
        now = _tricks(reader, replace(position, closer=None))
        other = 1 - (position.closer or 0)
        closed_tricks = now[other] if tricks is None else tricks
        closed_points = position.points[other] if points is None else points
        return replace(position, tricks=now, closed_tricks=closed_tricks, closed_points=closed_points)
    for key, value in (("closed_points", points), ("closed_tricks", tricks)):
        if value is None and key not in reader.unread:
            whose = SIDES[1 - (position.closer or 0)]
            reader.note(key, f"{key} is missing: what the closer's opponent ({whose}) had when the stock was closed")
    position = replace(position, closed_points=points or 0, closed_tricks=tricks or 0)
    if tricks is None and "tricks" not in reader.content:
        reader.unread.add("tricks")
    return replace(position, tricks=_tricks(reader, position))


def _tricks(reader: _Reader, position: Position) -> tuple[int, int]:
    """Return the tricks; where the file does not say them, shared as the points are, if no side may have none."""
    given = reader.pair("tricks")
    if given is not None:
        return given
    splits = possible_tricks(position)
    likeliest = likeliest_tricks(position, splits)
    if likeliest is None and splits and not {"points", "pending", "tricks"} & reader.unread:
        listed = " or ".join(f"[{mine}, {theirs}]" for mine, theirs in splits)
        reader.note("tricks", f"tricks is missing: with these points a side may have none; it may be {listed}")
    if likeliest is None:  # whatever it is, the side that leads has won the last one
        n, one = position.n_tricks, min(1, position.n_tricks)
        return (n, 0) if position.led is None else (n - one, one)
    return likeliest

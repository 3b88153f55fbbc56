"""Cards and actions as text, in and out.

The canonical form of a card is rank then suit, ``AS`` or ``TD``; that of an action is ``PLAY AS``,
``MELD S``, ``EXCHANGE``, ``CLOSE``, ``DECLARE`` or ``DRAW``. Reading is tolerant (``10D``, ``♦10``,
``ten of diamonds``, ``bells 10``, a card alone for playing it), but never guesses.
"""

import re
from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from harness.core.bits import members
from harness.core.cards import ALL_CARDS, CLOSE, DECLARE, DRAW, EXCHANGE, MELD, N_ACTION_CODES, N_RANKS, N_SUITS
from harness.errors import FaultsError, UsageError, did_you_mean

CardStyle: TypeAlias = Literal["code", "french", "german", "long"]
"""AS, ♠A, leaves A, ace of spades; the German deck has Ober and Unter for queen and jack."""
CARD_STYLES: tuple[CardStyle, ...] = get_args(CardStyle)

RANK_CODES = "9JQKTA"
SUIT_CODES = "SHCD"
SUIT_SYMBOLS = "♠♥♣♦"
SUIT_NAMES = ("spades", "hearts", "clubs", "diamonds")
GERMAN_SUIT_NAMES = ("leaves", "hearts", "acorns", "bells")
RANK_NAMES = ("nine", "jack", "queen", "king", "ten", "ace")
FRENCH_RANKS = ("9", "J", "Q", "K", "10", "A")
GERMAN_RANKS = ("9", "Unter", "Ober", "K", "10", "A")

_PLAIN_ACTIONS = {"EXCHANGE": EXCHANGE, "CLOSE": CLOSE, "DECLARE": DECLARE, "DRAW": DRAW}

_RANKS: dict[str, int] = {
    word.lower(): rank
    for words in (RANK_CODES, RANK_NAMES, FRENCH_RANKS, GERMAN_RANKS)
    for rank, word in enumerate(words)
}
_SUITS: dict[str, int] = {
    word.lower(): suit
    for words in (SUIT_CODES, SUIT_SYMBOLS, SUIT_NAMES, GERMAN_SUIT_NAMES, "♤♡♧♢",
                  ("spade", "heart", "club", "diamond"), ("leaf", "heart", "acorn", "bell"))
    for suit, word in enumerate(words)
}  # fmt: skip


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_CARD = re.compile(
    rf"(?P<rank>{_any_of(_RANKS)})(?:\s+of\s+|[\s-]*)(?P<suit>{_any_of(_SUITS)})"
    rf"|(?P<suit_first>{_any_of(_SUITS)})[\s-]*(?P<rank_last>{_any_of(_RANKS)})"
)


def card_text(card: int, style: CardStyle = "code") -> str:
    """Write a card: ``TD`` (code), ``♦10`` (french), ``bells 10`` (german), ``ten of diamonds`` (long)."""
    suit, rank = divmod(int(card), 8)
    if not (0 <= suit < N_SUITS and rank < N_RANKS):
        raise ValueError(f"{card} is not the number of a card")
    match style:
        case "code":
            return RANK_CODES[rank] + SUIT_CODES[suit]
        case "french":
            return SUIT_SYMBOLS[suit] + FRENCH_RANKS[rank]
        case "german":
            return f"{GERMAN_SUIT_NAMES[suit]} {GERMAN_RANKS[rank]}"
        case "long":
            return f"{RANK_NAMES[rank]} of {SUIT_NAMES[suit]}"


def suit_text(suit: int, style: CardStyle = "code") -> str:
    """Write a suit: ``S`` (code), ``♠`` (french), ``leaves`` (german), ``spades`` (long)."""
    texts = {"code": SUIT_CODES, "french": SUIT_SYMBOLS, "german": GERMAN_SUIT_NAMES, "long": SUIT_NAMES}
    return texts[style][suit]


def cards_text(cards: Iterable[int] | int, style: CardStyle = "code") -> str:
    """Write cards one after another; those of a mask by suit, the highest first."""
    if isinstance(cards, Iterable):
        ordered = list(cards)
    else:
        ordered = sorted(members(cards), key=lambda card: (card // 8, -card))
    return (", " if style in ("german", "long") else " ").join(card_text(card, style) for card in ordered)


def parse_card(text: str) -> int:
    """Read one card in any style; UsageError for anything else."""
    found = _CARD.fullmatch(" ".join(text.lower().split()))
    if found is None:
        known = [card_text(card, style) for style in CARD_STYLES for card in ALL_CARDS]
        hint = did_you_mean(text, known) or "; a card is rank and suit: one of 9 J Q K T A, one of S H C D"
        raise UsageError(f'"{text}" is not a card{hint}')
    rank = _RANKS[found["rank"] or found["rank_last"]]
    return _SUITS[found["suit"] or found["suit_first"]] * 8 + rank


def parse_suit(text: str) -> int:
    """Read one suit in any style; UsageError for anything else."""
    suit = _SUITS.get(text.strip().lower())
    if suit is None:
        hint = did_you_mean(text, _SUITS) or "; the suits are S H C D (spades hearts clubs diamonds)"
        raise UsageError(f'"{text}" is not a suit{hint}')
    return suit


def parse_cards(text: str) -> list[int]:
    """Read cards in short form, separated by spaces or commas; all faults, a repeated card too, at once."""
    cards: list[int] = []
    faults: list[str] = []
    for word in text.replace(",", " ").split():
        try:
            card = parse_card(word)
        except UsageError as error:
            faults.append(str(error))
            continue
        if card in cards:
            faults.append(f"{card_text(card)} is there twice")
        cards.append(card)
    if faults:
        raise FaultsError(f'in "{text}":' if len(faults) > 1 else "", faults)
    return cards


def is_action(number: int) -> bool:
    """Say whether a number is that of an action."""
    return number in ALL_CARDS or MELD <= number < N_ACTION_CODES


def action_text(action: int, style: CardStyle = "code") -> str:
    """Write an action: ``PLAY AS``, ``MELD S``, ``EXCHANGE``, ``CLOSE``, ``DECLARE`` or ``DRAW``."""
    if MELD <= action < MELD + N_SUITS:
        return f"MELD {suit_text(action - MELD, style)}"
    for word, number in _PLAIN_ACTIONS.items():
        if action == number:
            return word
    return f"PLAY {card_text(action, style)}"


def parse_action(text: str) -> int:
    """Read an action; a card alone plays it. UsageError for anything that is not exactly one action."""
    word, _, rest = text.strip().partition(" ")
    match word.upper(), rest.strip():
        case "PLAY", "":
            raise UsageError("PLAY needs a card, such as PLAY AS")
        case "MELD", "":
            raise UsageError("MELD needs a suit, such as MELD S")
        case "PLAY", card:
            return parse_card(card)
        case "MELD", suit:
            return MELD + parse_suit(suit)
        case plain, "" if plain in _PLAIN_ACTIONS:
            return _PLAIN_ACTIONS[plain]
        case "20" | "40", _:
            raise UsageError(f'"{text}" does not say which marriage: write MELD and the suit, such as MELD H')
        case plain, rest if plain in _PLAIN_ACTIONS:
            raise UsageError(f'"{text}" says too much: {plain} stands alone')
    try:
        return parse_card(text)
    except UsageError as error:
        words = ["PLAY", "MELD", *_PLAIN_ACTIONS, *(action_text(card) for card in ALL_CARDS)]
        hint = did_you_mean(text.strip().upper(), words) or (
            "; the actions are PLAY and a card, MELD and a suit, EXCHANGE, CLOSE, DECLARE, DRAW"
        )
        raise UsageError(f'"{text}" is not an action{hint}') from error

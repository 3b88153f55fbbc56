"""Cards and actions as text: every style reads back, nothing is guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.core.bits import members
from harness.core.cards import ALL_CARDS, CLOSE, DECLARE, DRAW, EXCHANGE, MELD
from harness.errors import FaultsError, UsageError
from harness.game.notation import (
    CARD_STYLES,
    CardStyle,
    action_text,
    card_text,
    cards_text,
    parse_action,
    parse_card,
    parse_cards,
    parse_suit,
    suit_text,
)
from tests.helpers.hands import mask_of
from tests.helpers.reference import RANKS, SUITS

ACTIONS = (*ALL_CARDS, *range(MELD, MELD + 4), EXCHANGE, CLOSE, DECLARE, DRAW)


def test_codes_are_those_of_the_field() -> None:
    assert [card_text(card) for card in ALL_CARDS] == [rank + suit for suit in SUITS for rank in RANKS]
    assert (card_text(5), card_text(28), card_text(8)) == ("AS", "TD", "9H")


@pytest.mark.parametrize(
    ("code", "french", "german", "long"),
    [
        ("AS", "♠A", "leaves A", "ace of spades"),
        ("QH", "♥Q", "hearts Ober", "queen of hearts"),
        ("JC", "♣J", "acorns Unter", "jack of clubs"),
        ("TD", "♦10", "bells 10", "ten of diamonds"),
    ],
)
def test_styles(code: str, french: str, german: str, long: str) -> None:
    card = parse_card(code)
    assert [card_text(card, style) for style in CARD_STYLES] == [code, french, german, long]


@given(
    st.sampled_from(ALL_CARDS),
    st.sampled_from(CARD_STYLES),
    st.sampled_from([str.upper, str.lower, str.title]),
)
def test_card_round_trip(card: int, style: CardStyle, case: type[str]) -> None:
    assert parse_card(f" {case(card_text(card, style))} ") == card


@given(st.sampled_from(ACTIONS), st.sampled_from(CARD_STYLES))
def test_action_round_trip(action: int, style: CardStyle) -> None:
    assert parse_action(action_text(action, style)) == action
    assert parse_action(action_text(action, style).lower()) == action


@pytest.mark.parametrize("suit", range(4))
@pytest.mark.parametrize("style", CARD_STYLES)
def test_suit_round_trip(suit: int, style: CardStyle) -> None:
    assert parse_suit(suit_text(suit, style).upper()) == suit


@pytest.mark.parametrize(
    "text", ["10D", "TD", "DT", "d10", "♦10", "10♦", "♢T", "ten of diamonds", "bells-10", "10 of Bells"]
)
def test_one_card_in_many_words(text: str) -> None:
    assert card_text(parse_card(text)) == "TD"


@pytest.mark.parametrize("text", ["", "A", "S", "1S", "AX", "ASS", "AS KS", "ace spade of", "11H", "10", "leaves"])
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(UsageError, match="is not a card"):
        parse_card(text)


def test_near_miss_is_hinted() -> None:
    with pytest.raises(UsageError, match='did you mean "ten of diamonds"'):
        parse_card("ten of diamnds")
    with pytest.raises(UsageError, match='did you mean "diamonds"'):
        parse_suit("diamnds")
    with pytest.raises(UsageError, match='"EXCHNGE" is not an action; did you mean "EXCHANGE"'):
        parse_action("EXCHNGE")


def test_number_that_is_no_card() -> None:
    for number in (6, 7, 31, 45, -1, 32):
        with pytest.raises(ValueError, match="not the number of a card"):
            card_text(number)


@pytest.mark.parametrize(
    ("text", "action"),
    [("AS", "PLAY AS"), ("play as", "PLAY AS"), ("♠a", "PLAY AS"), ("Meld spades", "MELD S"),
     ("meld ♥", "MELD H"), (" close ", "CLOSE"), ("PLAY  leaves Ober", "PLAY QS")],
)  # fmt: skip
def test_action_in_other_words(text: str, action: str) -> None:
    assert action_text(parse_action(text)) == action


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("40", "does not say which marriage"),
        ("20 H", "does not say which marriage"),
        ("CLOSE S", "CLOSE stands alone"),
        ("MELD", "MELD needs a suit"),
        ("MELD KS", '"KS" is not a suit'),
        ("PLAY", "PLAY needs a card"),
        ("", '"" is not an action'),
        ("66", "the actions are PLAY and a card"),
        ("AS KS", "is not an action"),
    ],
)
def test_what_is_no_action(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        parse_action(text)


@given(st.sets(st.sampled_from(ALL_CARDS)))
def test_masks(cards: set[int]) -> None:
    assert members(mask_of(cards)) == tuple(sorted(cards))
    assert mask_of(parse_cards(cards_text(mask_of(cards)))) == mask_of(cards)


def test_cards_in_a_row() -> None:
    assert cards_text(mask_of([0, 5, 4, 11])) == "AS TS 9S KH"
    assert cards_text([11, 0]) == "KH 9S"
    assert cards_text([11, 2], "german") == "hearts K, leaves Ober"
    assert parse_cards("AS, 10h 9c") == [5, 12, 16]


def test_all_faults_of_a_row_at_once() -> None:
    with pytest.raises(FaultsError) as caught:
        parse_cards("AS XX AS YY")
    assert len(caught.value.faults) == 3
    assert "AS is there twice" in caught.value.faults

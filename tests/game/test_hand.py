"""The checked door: what it shows, what it refuses and why, against the plain-Python reference."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.core.bits import members
from harness.core.cards import ALL_CARDS, CLOSE, DECLARE, DRAW, EXCHANGE, MELD, N_ACTION_CODES
from harness.core.deal import shuffle
from harness.core.records import VIEW_DTYPE
from harness.errors import ExitStatus, FaultsError, IllegalActionError, UsageError
from harness.game.hand import Hand, Result
from harness.game.notation import action_text, card_text, cards_text, parse_card, parse_cards
from harness.game.presets import load_rules, preset_names
from harness.game.rules import Rules
from tests.helpers.hands import mask_of, play_on, random_action
from tests.helpers.reference import ReferenceHand
from tests.helpers.reference_presets import PRESETS


def hand_of(rules: str, hand0: str, hand1: str, stock: str, *actions: str, carry: int = 0) -> Hand:
    hand = Hand.of_cards(load_rules(rules), (parse_cards(hand0), parse_cards(hand1)), parse_cards(stock), carry=carry)
    for action in actions:
        hand.do(action)
    return hand


def names(cards: tuple[int, ...]) -> set[str]:
    return {card_text(card) for card in cards}


def assert_equal(hand: Hand, reference: ReferenceHand) -> None:
    for seat in (0, 1):
        assert names(hand.hands[seat]) == reference.hands[seat]
        assert names(hand.known[seat]) == reference.known[seat]
    assert [card_text(card) for card in hand.stock] == reference.stock
    assert "SHCD"[hand.trump] == reference.trump
    assert hand.points == tuple(reference.points)
    assert hand.pending == tuple(reference.pending)
    assert hand.tricks == tuple(reference.tricks)
    assert hand.closer == reference.closer
    assert hand.over == reference.over
    assert {action_text(action) for action in hand.legal_actions()} == reference.legal()
    if hand.over:
        assert hand.result == Result(reference.winner, reference.game_points, reference.how)
    else:
        assert hand.result is None
        assert (hand.to_move, hand.leader) == (reference.to_move, reference.leader)
        assert hand.led == (None if reference.led is None else parse_card(reference.led))
    assert (hand.winner, hand.game_points, hand.how or "") == (reference.winner, reference.game_points, reference.how)


@pytest.mark.parametrize("name", PRESETS)
def test_shows_what_the_reference_shows(name: str) -> None:
    rng = random.Random(name)
    for deal in range(12):
        hand = Hand.of_deal(load_rules(name), 5, deal, carry=deal % 3)
        reference = ReferenceHand(PRESETS[name], [card_text(card) for card in hand.pack], carry=deal % 3)
        while not hand.over:
            assert_equal(hand, reference)
            action = random_action(hand, rng)
            hand.do(action)
            reference.apply(action_text(action))
        assert_equal(hand, reference)


@pytest.mark.parametrize("name", PRESETS)
def test_why_not_explains_exactly_what_is_illegal(name: str) -> None:
    """Random hands, every action code at every decision: a sentence if and only if the reference forbids it."""
    rng = random.Random(name + " why not")
    for deal in range(8):
        hand = Hand.of_deal(load_rules(name), 6, deal)
        reference = ReferenceHand(PRESETS[name], [card_text(card) for card in hand.pack])
        while True:
            legal = reference.legal()
            for code in (*ALL_CARDS, *range(MELD, N_ACTION_CODES)):
                reason = hand.why_not(code)
                assert (reason is None) == (action_text(code) in legal) == hand.can(code)
                assert reason is None or (len(reason) > 10 and "\n" not in reason)
            if hand.over:
                break
            action = random_action(hand, rng)
            hand.do(action)
            reference.apply(action_text(action))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(PRESETS)), st.integers(0, 10_000), st.integers(0, 40), st.randoms(use_true_random=False))
def test_cards_and_points_are_conserved(name: str, deal: int, n_actions: int, rng: random.Random) -> None:
    hand = Hand.of_deal(load_rules(name), 8, deal)
    for _ in range(n_actions):
        hand.check()
        play_on(hand, rng, 1)
    hand.check()


# What is dealt


def test_deal_of_a_seed() -> None:
    hand = Hand.of_deal(Rules(), 7, 123)
    pack = np.zeros(24, dtype=np.int8)
    shuffle(7, 123, pack)
    assert hand.pack == tuple(pack.tolist())
    assert (hand.seed, hand.deal) == (7, 123)
    assert set(hand.hands[0]) == {*hand.pack[0:3], *hand.pack[6:9]}
    assert set(hand.hands[1]) == {*hand.pack[3:6], *hand.pack[9:12]}
    assert hand.stock == (*hand.pack[13:], hand.pack[12])
    assert hand.turned_up == hand.pack[12]


def test_rule_sets_share_their_packs() -> None:
    with_nines, without = Hand.of_deal(Rules(), 7, 1), Hand.of_deal(load_rules("schnapsen"), 7, 1)
    assert with_nines.pack == without.pack
    dealt = [card for card in without.pack if card % 8]
    assert set(without.hands[0]) == {*dealt[0:3], *dealt[7:9]}
    assert without.turned_up == dealt[6]


@pytest.mark.parametrize("name", ["sixtysix", "schnapsen"])
def test_cards_in_and_out(name: str) -> None:
    dealt = Hand.of_deal(load_rules(name), 3, 4)
    again = Hand.of_cards(dealt.rules, dealt.hands, dealt.stock, score=(2, 3), carry=1)
    assert (again.hands, again.stock, again.turned_up) == (dealt.hands, dealt.stock, dealt.turned_up)
    assert (again.seed, again.score, again.carry) == (None, (2, 3), 1)


def test_restart_is_the_same_deal() -> None:
    hand = Hand.of_deal(Rules(), 3, 4, score=(5, 6), carry=2)
    before = (hand.hands, hand.stock, hand.score, hand.carry)
    again = play_on(hand, random.Random(1)).restarted()
    assert (again.hands, again.stock, again.score, again.carry) == before
    assert (again.seed, again.deal, again.history) == (3, 4, ())


def test_pack_faults_at_once() -> None:
    pack = list(Hand.of_deal(Rules(), 1, 1).pack)
    with pytest.raises(FaultsError) as caught:
        Hand(Rules(), [*pack[:-1], pack[0], 31], score=(0, -1), carry=-2)
    told = str(caught.value)
    for words in ("31 is not", "is missing", "is there twice", "score 0 -1: each", "carry -2"):
        assert words in told


def test_card_faults_at_once() -> None:
    hand = Hand.of_deal(load_rules("schnapsen"), 1, 1)
    with pytest.raises(FaultsError) as caught:
        Hand.of_cards(hand.rules, (hand.hands[0][:-1], (*hand.hands[1], 0)), hand.stock[1:])
    assert caught.value.status == ExitStatus.USAGE
    told = str(caught.value)
    for words in (
        "seat 0 needs 5 cards, not 4",
        "seat 1 needs 5 cards, not 6",
        "stock needs 10",
        "9S is not in the pack",
    ):
        assert words in told
    with pytest.raises(FaultsError, match="is there twice"):
        Hand.of_cards(hand.rules, (hand.hands[0], hand.hands[0]), hand.stock)


@pytest.mark.parametrize(("seed", "deal"), [(-1, 0), (0, -1), (2**63, 0)])
def test_seed_and_deal_have_a_range(seed: int, deal: int) -> None:
    with pytest.raises(UsageError, match="must be a whole number from 0 to"):
        Hand.of_deal(Rules(), seed, deal)


# What is refused, and in which words

# Seat 0 holds the spade marriage and the nine of trumps (hearts), seat 1 two hearts.
DEAL = ("KS QS AS 9H JD TC", "AH JH AC 9C KD TD", "TS 9S KC TH JS QC AD QD JC 9D KH QH")


@pytest.mark.parametrize(
    ("rules", "actions", "action", "why"),
    [
        ("sixtysix", [], "AH", "AH is not in the hand of seat 0"),
        ("sixtysix", [], "MELD H", "seat 0 does not hold both king and queen of hearts"),
        ("sixtysix", [], "DECLARE", "66 can be declared only with a trick, and seat 0 has none"),
        ("sixtysix", [], "DRAW", "cards are drawn without a decision (close.before_draw = false)"),
        ("sixtysix", ["JD"], "CLOSE", "CLOSE belongs to one's own lead, and seat 1 has to reply"),
        ("sixtysix", ["JD"], "MELD C", "MELD C belongs to one's own lead, and seat 1 has to reply"),
        ("sixtysix", ["EXCHANGE"], "EXCHANGE", "9H, the lowest trump, is not in the hand of seat 0"),
        ("sixtysix", ["MELD S"], "EXCHANGE", "on a lead EXCHANGE comes before MELD and CLOSE"),
        ("sixtysix", ["MELD S"], "MELD S", "a marriage has been announced on this lead"),
        ("sixtysix", ["MELD S"], "JD", "after MELD the king or queen of spades must be led"),
        ("sixtysix", ["CLOSE"], "MELD S", "on a lead MELD comes before CLOSE"),
        ("sixtysix", ["CLOSE"], "EXCHANGE", "the stock is closed"),
        ("sixtysix", ["CLOSE"], "CLOSE", "the stock is closed"),
        ("sixtysix", ["CLOSE", "JD"], "AC", "the stock is closed, so diamonds must be followed"),
        ("sixtysix", ["CLOSE", "TC"], "9C", "the card led must be beaten in its suit if it can (strict.head = true)"),
        ("sixtysix", ["CLOSE", "AS"], "AC", "without the suit led a trump must be played (strict.trump = true)"),
        ("sixtysix", ["CLOSE", "AS", "JH"], "KS", "KS is not in the hand of seat 1"),
        ("american", [], "EXCHANGE", "this side has no trick yet (exchange.after_trick = true)"),
        ("bicycle", [], "EXCHANGE", "this side has no trick yet (exchange.after_trick = true)"),
        ("bicycle", ["JD", "KD"], "AC", "the winner of the trick chooses CLOSE or DRAW first, nothing else "
         "(close.before_draw = true)"),
        ("bicycle", ["JD", "KD", "DRAW"], "DRAW", "DRAW is a choice only right after a trick, while the stock may be "
         "closed before the draw"),
        ("skillgames", [], "MELD S", "leading the king or queen announces a marriage by itself "
         "(marriage.automatic = true)"),
        ("skillgames", [], "DECLARE", "66 counts by itself (declare.automatic = true)"),
        ("santase", [], "CLOSE", "the first trick has not been taken (close.first_lead = false)"),
        ("santase", [], "EXCHANGE", "the first trick has not been taken (exchange.first_lead = false)"),
        ("sixtysix marriage.first_lead=false", [], "MELD S", "the first trick has not been taken "
         "(marriage.first_lead = false)"),
        ("sixtysix marriage.lead=king", ["MELD S"], "QS", "the king must be led to a marriage (marriage.lead = king)"),
        ("sixtysix close.allowed=false", [], "CLOSE", "the stock is never closed (close.allowed = false)"),
        ("american exchange.first_lead=false", [], "EXCHANGE", "this side has no trick yet "
         "(exchange.after_trick = true); the first trick has not been taken (exchange.first_lead = false)"),
    ],
)  # fmt: skip
def test_refusal_names_the_rule(rules: str, actions: list[str], action: str, why: str) -> None:
    hand = hand_of(rules, *DEAL, *actions)
    before = (hand.history, hand.hands, hand.stock, hand.points)
    assert hand.why_not(action) == why
    with pytest.raises(IllegalActionError) as caught:
        hand.do(action)
    assert str(caught.value).endswith(why)
    assert str(caught.value).startswith(f"seat {hand.to_move} cannot ")
    assert (hand.history, hand.hands, hand.stock, hand.points) == before


def test_marriage_after_the_stock_is_gone() -> None:
    """marriage.stock = open: "You may meld only while cards are still drawn" (text 000)."""
    closing = ["CLOSE", "AS", "JH"]  # seat 1 trumps and leads to a closed stock
    hand = hand_of(
        "sixtysix", "AS 9H JD TC TS 9S", "JH AC KD QD TD 9C", "KS QS KC TH JS QC AD JC 9D AH KH QH", *closing
    )
    assert hand.why_not("MELD D") == "the stock was not open when this lead began (marriage.stock = open)"
    assert hand_of(
        "american", "AS 9H JD TC TS 9S", "JH AC KD QD TD 9C", "KS QS KC TH JS QC AD JC 9D AH KH QH", *closing
    ).can("MELD D")


def test_too_few_cards_left() -> None:
    hand = hand_of("sixtysix close.min_stock=11 exchange.min_stock=11", *DEAL, "TC", "9C")
    assert hand.why_not("CLOSE") == "too few cards are left in the stock (close.min_stock = 11)"
    assert hand.why_not("EXCHANGE") == "too few cards are left in the stock (exchange.min_stock = 11)"


def test_nothing_is_legal_once_the_hand_is_over() -> None:
    hand = play_on(Hand.of_deal(Rules(), 1, 1), random.Random(1))
    assert hand.over and hand.legal_actions() == ()
    assert {hand.why_not(code) for code in (*ALL_CARDS, MELD, EXCHANGE, CLOSE, DECLARE, DRAW)} == {"the hand is over"}
    with pytest.raises(IllegalActionError, match="the hand is over"):
        hand.do("CLOSE")


@pytest.mark.parametrize("number", [-1, 6, 7, 31, 40, 64, 1000])
def test_number_that_is_no_action(number: int) -> None:
    hand = Hand.of_deal(Rules(), 1, 1)
    assert hand.why_not(number) == f"{number} is not the number of an action"
    with pytest.raises(IllegalActionError, match=f"action {number}: "):
        hand.do(number)
    with pytest.raises(UsageError, match="is not an action"):
        hand.do("PASS")


# A hand through the door


def test_a_hand_step_by_step() -> None:
    hand = hand_of("sixtysix", *DEAL, "EXCHANGE")
    assert "QH" in names(hand.hands[0]) and names(hand.known[0]) == {"QH"}
    assert card_text(hand.stock[-1]) == "9H" and hand.turned_up == parse_card("9H")
    hand.do("MELD S")
    assert (hand.points, hand.pending) == ((0, 0), (20, 0))
    assert names(hand.known[0]) == {"QH", "KS", "QS"}
    hand.do("KS")
    assert (hand.led, hand.to_move, hand.leader) == (parse_card("KS"), 1, 0)
    hand.do("9C")
    assert (hand.points, hand.pending, hand.tricks) == ((24, 0), (0, 0), (1, 0))
    assert {"TS"} <= names(hand.hands[0]) and {"9S"} <= names(hand.hands[1])
    hand.do("DECLARE")
    assert hand.result == Result(1, 2, "false-declaration")
    assert (hand.over, hand.winner, hand.game_points, hand.how) == (True, 1, 2, "false-declaration")
    assert [action_text(action) for _, action in hand.history] == [
        "EXCHANGE", "MELD S", "PLAY KS", "PLAY 9C", "DECLARE",
    ]  # fmt: skip
    assert [seat for seat, _ in hand.history] == [0, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("rules", "actions", "seat", "pays"),
    [
        ("sixtysix", [], 0, 2),  # declare.false_trickless = 2
        ("schnapsen", [], 1, 3),  # declare.false_trickless = 3
        ("sixtysix", ["CLOSE"], 0, 3),  # the dearer one is the failed close: close.failed_trickless = 3
        ("sixtysix", ["CLOSE"], 1, 2),
    ],
)
def test_forfeit_costs_a_false_declaration(rules: str, actions: list[str], seat: int, pays: int) -> None:
    hand = Hand.of_deal(load_rules(rules), 2, 2, carry=1)
    for action in actions:
        hand.do(action)
    hand.forfeit(seat)
    assert hand.result == Result(1 - seat, pays + 1, "false-declaration")
    assert hand.forfeited_by == seat
    with pytest.raises(IllegalActionError, match="the hand is over"):
        hand.forfeit(seat)


def test_forfeit_needs_a_seat() -> None:
    with pytest.raises(IllegalActionError, match="no seat 2"):
        Hand.of_deal(Rules(), 2, 2).forfeit(2)


@pytest.mark.parametrize("name", preset_names())
def test_view_shows_only_what_the_seat_knows(name: str) -> None:
    rng = random.Random(name)
    hand = Hand.of_deal(load_rules(name), 9, 1, score=(3, 4))
    while not hand.over:
        for seat in (0, 1):
            view = hand.view(seat)
            assert view.dtype == VIEW_DTYPE
            assert tuple(members(view.hand)) == hand.hands[seat]
            assert tuple(members(view.known)) == hand.known[1 - seat]
            assert view.legal == (mask_of(hand.legal_actions()) if seat == hand.to_move else 0)
            hidden = set(hand.hands[1 - seat]) - set(hand.known[1 - seat])
            assert set(members(view.unseen)) == hidden | set(hand.stock) - {hand.turned_up}
            assert tuple(view.score) == ((3, 4) if seat == 0 else (4, 3))
        hand.do(random_action(hand, rng))


def test_check_finds_a_lost_card() -> None:
    hand = Hand.of_deal(Rules(), 1, 1)
    hand._state.hand[0] &= ~(1 << hand.hands[0][0])
    with pytest.raises(AssertionError, match="cards lost or doubled"):
        hand.check()


def test_check_finds_points_from_nowhere() -> None:
    hand = Hand.of_deal(Rules(), 1, 1)
    hand._state.points[1] += 7
    with pytest.raises(AssertionError, match="points"):
        hand.check()


def test_check_finds_a_card_known_too_long() -> None:
    hand = Hand.of_deal(Rules(), 1, 1)
    hand._state.known[0] |= 1 << hand.hands[1][0]
    with pytest.raises(AssertionError, match="known to hold"):
        hand.check()


def test_cards_text_of_a_hand() -> None:
    assert cards_text(hand_of("sixtysix", *DEAL).hands[0]) == "QS KS AS 9H TC JD"

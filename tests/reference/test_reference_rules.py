"""The trickiest sentences of the rules, one short hand-made case each."""

import pytest

from tests.helpers.reference import RANKS, SUITS, ReferenceHand, ReferenceMatch, number
from tests.helpers.reference_presets import PRESETS

Fields = dict[str, object]
PACK = [rank + suit for suit in SUITS for rank in RANKS]
CARDS = ("AH KH QH TS JS 9D", "AS AD KC QC 9S 9H", "AC TC JC 9C TD KD QD JD TH JH KS QS")
"""Two hands of six and a stock of twelve, spades are trumps."""


def rules(preset: str = "sixtysix", fields: Fields | None = None) -> Fields:
    changed = PRESETS[preset] | (fields or {})
    assert changed.keys() == PRESETS["sixtysix"].keys(), "a field is misspelt"
    return changed


def deal(hand0: str, hand1: str, stock: str, preset: str = "sixtysix", fields: Fields | None = None) -> ReferenceHand:
    cards = f"{hand0} {hand1} {stock}".split()
    assert len(set(cards)) == len(cards), "a card is there twice"
    return ReferenceHand.from_cards(rules(preset, fields), hand0.split(), hand1.split(), stock.split())


def at(hand: ReferenceHand, points: list[int], tricks: list[int]) -> ReferenceHand:
    """The same hand, further on."""
    hand.points, hand.tricks = [*points], [*tricks]
    return hand


def last_trick(points: list[int], fields: Fields) -> ReferenceHand:
    """The stock has run out and each side holds one card; seat 0 takes the last trick with an ace."""
    hand = at(deal("AS", "9S", "AH", fields=fields), points, [5, 6])
    hand.stock.clear()
    return play(hand, "PLAY AS", "PLAY 9S")


def play(hand: ReferenceHand, *actions: str) -> ReferenceHand:
    for action in actions:
        hand.apply(action)
    return hand


def result(hand: ReferenceHand) -> tuple[int | None, int, str]:
    assert hand.over
    assert hand.legal() == set()
    return hand.winner, hand.game_points, hand.how


def others(hand: ReferenceHand) -> set[str]:
    """The legal actions that play no card."""
    return {action for action in hand.legal() if not action.startswith("PLAY")}


# ------------------------------------------------------------------------------------------ the deal


def test_twelve_presets_with_every_field() -> None:
    assert len(PRESETS) == 12
    assert all(preset.keys() == PRESETS["sixtysix"].keys() for preset in PRESETS.values())


def test_six_cards_in_two_packets_of_three() -> None:
    hand = ReferenceHand(rules(), PACK)
    assert hand.hands == [set(PACK[0:3] + PACK[6:9]), set(PACK[3:6] + PACK[9:12])]
    assert hand.stock == [*PACK[13:], PACK[12]]
    assert hand.trump == PACK[12][1]


def test_without_nines_the_turned_up_card_lies_between_the_packets() -> None:
    pack = [card for card in PACK if card[0] != "9"]
    hand = ReferenceHand(rules("schnapsen"), PACK)
    assert hand.hands == [set(pack[0:3] + pack[7:9]), set(pack[3:6] + pack[9:11])]
    assert hand.stock == [*pack[11:], pack[6]]


# ------------------------------------------------------------------------------- the order on a lead


def test_exchange_then_meld_then_close() -> None:
    hand = deal("KH QH AS TS JS 9C", "AH AD KC 9D 9S 9H", "AC TC JC TD KD QD JD TH JH KS QS QC")
    assert others(hand) == {"EXCHANGE", "MELD H", "CLOSE"}
    assert others(play(hand, "EXCHANGE")) == {"MELD H", "CLOSE"}
    assert play(hand, "MELD H").legal() == {"PLAY KH", "PLAY QH", "CLOSE"}
    assert play(hand, "CLOSE").legal() == {"PLAY KH", "PLAY QH"}


def test_nothing_earlier_after_close() -> None:
    hand = deal("KH QH AS TS JS 9C", "AH AD KC 9D 9S 9H", "AC TC JC TD KD QD JD TH JH KS QS QC")
    assert others(play(hand, "CLOSE")) == set()


def test_after_meld_the_king_alone_may_be_led_where_marriages_lead_the_king() -> None:
    hand = deal(*CARDS, fields={"marriage.lead": "king"})
    assert play(hand, "MELD H").legal() == {"PLAY KH", "CLOSE"}


def test_an_illegal_action_is_refused() -> None:
    with pytest.raises(ValueError, match="DECLARE"):
        deal(*CARDS).apply("DECLARE")


# --------------------------------------------------------------------------------------- strict play


@pytest.mark.parametrize(
    ("head", "trump", "led", "replies"),
    [
        (True, True, "TH", {"AH"}),
        (False, True, "TH", {"AH", "9H"}),
        (True, True, "TD", {"JS"}),
        (True, False, "TD", {"JS", "AH", "9H", "KC"}),
    ],
)
def test_follow_head_trump(head: bool, trump: bool, led: str, replies: set[str]) -> None:
    hand = deal("TH TD", "AH 9H JS KC", "9D 9S", fields={"strict.head": head, "strict.trump": trump})
    assert play(hand, "CLOSE", f"PLAY {led}").legal() == {f"PLAY {card}" for card in replies}


def test_a_trick_without_points_is_a_trick() -> None:
    hand = play(deal("9H AD", "9C AS", "KD QD"), "PLAY 9H", "PLAY 9C")
    assert (hand.points, hand.tricks, hand.won) == ([0, 0], [1, 0], [["9H", "9C"], []])


# -------------------------------------------------------------------------------- exchange and close


def test_the_follower_exchanges_before_he_replies() -> None:
    hand = at(deal("9D AH", "9S AD", "TC JC QD QS", "bicycle"), [0, 4], [0, 1])
    assert others(play(hand, "PLAY 9D")) == {"EXCHANGE"}
    assert others(play(hand, "EXCHANGE")) == set()
    assert (hand.hands[1], hand.stock[-1], hand.known[1]) == ({"QS", "AD"}, "9S", {"QS"})
    assert play(hand, "PLAY QS").tricks == [0, 2]


@pytest.mark.parametrize(
    ("fields", "allowed"),
    [
        ({}, False),  # he has no trick yet
        ({"exchange.after_trick": False}, True),
        ({"exchange.after_trick": False, "exchange.first_lead": False}, False),
    ],
)
def test_the_follower_exchanges_on_the_first_trick(fields: Fields, allowed: bool) -> None:
    hand = play(deal("9D AH", "9S AD", "TC JC QD QS", "bicycle", fields), "PLAY 9D")
    assert ("EXCHANGE" in hand.legal()) == allowed


def test_the_follower_may_not_exchange_once_the_stock_is_closed() -> None:
    hand = at(deal("9D AH", "9S AD", "TC JC QD QS", "bicycle"), [4, 4], [1, 1])
    assert play(hand, "CLOSE", "PLAY AH").legal() == {"PLAY 9S", "PLAY AD"}


@pytest.mark.parametrize("action", ["EXCHANGE", "CLOSE"])
@pytest.mark.parametrize(("cards", "allowed"), [("TC QS", {2}), ("TC JC QD QS", {2, 3, 4})])
def test_a_least_stock_of_three_means_four(action: str, cards: str, allowed: set[int]) -> None:
    for least in (2, 3, 4, 5):
        fields: Fields = {"exchange.min_stock": least, "close.min_stock": least}
        assert (action in deal("9S AH", "KD AD", cards, fields=fields).legal()) == (least in allowed)


def test_first_lead_fields_bar_only_the_first_lead() -> None:
    stock = "TC JC QD JD TD QS"
    hand = deal("9S KH QH AH", "KD 9D 9C 9H", stock, "santase", {"marriage.automatic": False})
    assert others(hand) == set()
    assert others(play(hand, "PLAY AH", "PLAY 9H")) == {"EXCHANGE", "MELD H", "CLOSE"}


def test_close_before_the_draw() -> None:
    hand = play(deal(*CARDS, "bicycle", {"marriage.stock": "open"}), "PLAY 9D", "PLAY AD")
    assert hand.legal() == {"CLOSE", "DRAW"}
    play(hand, "CLOSE")
    assert [len(cards) for cards in hand.hands] == [5, 5]
    assert len(hand.stock) == 12
    assert others(hand) == {"MELD C", "DECLARE"}  # the nine stays; a closing lead may meld
    play(hand, "PLAY KC", "PLAY KH")  # follow suit only: no trump is demanded
    assert others(hand) == {"DECLARE"}


def test_close_after_the_draw_is_still_possible() -> None:
    hand = play(deal(*CARDS, "bicycle"), "PLAY 9D", "PLAY AD", "DRAW")
    assert hand.hands[1] == {"AS", "KC", "QC", "9S", "9H", "AC"}
    assert others(hand) == {"EXCHANGE", "MELD C", "CLOSE", "DECLARE"}


@pytest.mark.parametrize(("stock", "choice"), [("TC JC QD QS", True), ("TC QS", False)])
def test_before_the_draw_the_stock_left_after_it_decides(stock: str, choice: bool) -> None:
    hand = play(deal("AH 9D", "9H 9C", stock, "bicycle"), "PLAY AH", "PLAY 9H")
    assert (hand.legal() == {"CLOSE", "DRAW"}) == choice
    assert len(hand.stock) == (4 if choice else 0)


# ----------------------------------------------------------------------------------------- marriages


@pytest.mark.parametrize(
    ("counts", "tricks", "points", "pending"),
    [
        ("after-trick", 0, 0, 20),
        ("after-trick", 1, 20, 0),
        ("at-once", 0, 20, 0),
        ("next-trick", 0, 0, 20),
        ("next-trick", 1, 0, 20),
    ],
)
def test_when_a_marriage_counts(counts: str, tricks: int, points: int, pending: int) -> None:
    hand = at(deal(*CARDS, fields={"marriage.counts": counts}), [0, 0], [tricks, 0])
    play(hand, "MELD H")
    assert (hand.points[0], hand.pending[0]) == (points, pending)
    play(hand, "PLAY KH", "PLAY 9H")
    assert (hand.points[0], hand.pending[0]) == (24, 0)


def test_pending_points_are_lost_without_a_trick() -> None:
    hand = play(deal("KH QH", "AH TH", "9D JS"), "MELD H", "CLOSE", "PLAY KH", "PLAY AH")
    assert (hand.points, hand.pending) == ([0, 15], [20, 0])
    play(hand, "PLAY TH", "PLAY QH")
    assert (hand.points, hand.pending) == ([0, 28], [20, 0])
    assert result(hand) == (1, 3, "close-failed")


@pytest.mark.parametrize(("stock", "later"), [("open", set()), ("any", {"MELD C"})])
def test_marriages_with_the_stock_closed(stock: str, later: set[str]) -> None:
    hand = deal("AH KC QC", "TH 9H 9D", "JD JS", fields={"marriage.stock": stock})
    assert others(hand) == {"CLOSE", "MELD C"}
    assert others(play(hand, "CLOSE", "PLAY AH", "PLAY 9H")) == {"DECLARE"} | later


def test_an_automatic_marriage_also_after_close_on_that_lead() -> None:
    hand = deal("KH QH KC QC", "9H 9C 9D TD", "JD JS", "skillgames")
    assert others(hand) == {"CLOSE"}
    play(hand, "CLOSE", "PLAY KH")
    assert (hand.pending, hand.known) == ([20, 0], [{"QH"}, set()])
    play(hand, "PLAY 9H", "PLAY KC")  # a later lead: the stock was closed when it began
    assert (hand.points, hand.pending) == ([24, 0], [0, 0])


def test_where_the_king_leads_the_queen_is_led_plain() -> None:
    fields: Fields = {"marriage.automatic": True, "marriage.lead": "king"}
    assert play(deal(*CARDS, fields=fields), "PLAY QH").pending == [0, 0]
    assert play(deal(*CARDS, fields=fields), "PLAY KH").pending == [20, 0]


def test_both_cards_of_a_marriage_are_known_until_played() -> None:
    hand = play(deal(*CARDS), "MELD H")
    assert hand.known == [{"KH", "QH"}, set()]
    assert play(hand, "PLAY QH").known == [{"KH"}, set()]


def test_the_last_card_of_the_stock_is_known_in_the_hand_that_draws_it() -> None:
    hand = play(deal("9S AH", "9H 9D", "TC QS"), "EXCHANGE", "PLAY AH", "PLAY 9H")
    assert hand.hands == [{"QS", "TC"}, {"9D", "9S"}]
    assert hand.known == [{"QS"}, {"9S"}]


# ----------------------------------------------------------------------------------------- going out


def test_declare_needs_a_trick_and_the_lead() -> None:
    hand = deal(*CARDS)
    assert "DECLARE" not in hand.legal()
    play(hand, "PLAY AH", "PLAY 9H")
    assert "DECLARE" in hand.legal()
    assert "DECLARE" not in play(hand, "PLAY KH").legal()


def test_declare_with_a_marriage_without_leading() -> None:
    hand = play(at(deal(*CARDS), [46, 32], [3, 2]), "MELD H", "DECLARE")
    assert result(hand) == (0, 2, "declared")


def test_a_correct_declarer_wins_whatever_the_other_holds() -> None:
    hand = play(at(deal(*CARDS), [66, 90], [3, 2]), "DECLARE")
    assert result(hand) == (0, 1, "declared")


@pytest.mark.parametrize("announced", [False, True])
def test_automatic_sixty_six_with_a_marriage(announced: bool) -> None:
    fields: Fields = {"marriage.automatic": not announced}
    hand = at(deal(*CARDS, "skillgames", fields), [46, 0], [3, 0])
    play(hand, "MELD H" if announced else "PLAY KH")
    assert result(hand) == (0, 3, "declared")
    assert hand.led == (None if announced else "KH")


def test_automatic_sixty_six_as_the_trick_is_taken_before_the_draw() -> None:
    hand = play(at(deal(*CARDS, "skillgames"), [55, 0], [3, 0]), "PLAY AH", "PLAY 9H")
    assert result(hand) == (0, 3, "declared")
    assert len(hand.stock) == 12


@pytest.mark.parametrize(("points", "worth"), [(32, 2), (33, 1)])
def test_fewer_than_thirty_three(points: int, worth: int) -> None:
    hand = play(at(deal(*CARDS), [70, points], [3, 2]), "DECLARE")
    assert result(hand) == (0, worth, "declared")


def test_no_trick_is_worth_three_whatever_he_melded() -> None:
    hand = play(at(deal(*CARDS), [70, 40], [3, 0]), "DECLARE")
    assert result(hand) == (0, 3, "declared")


# ------------------------------------------------------------------------------------ the last trick


@pytest.mark.parametrize(
    ("before", "undeclared", "expected", "points"),
    [
        # 57 with the last trick, 67 with the bonus
        ([46, 20], "most-points", (0, 2, "ran-out"), [67, 20]),
        ([46, 20], "last-trick", (0, 2, "declared"), [67, 20]),
        ([46, 20], "sole-66", (0, 2, "declared"), [67, 20]),
        ([46, 20], "nobody", (0, 2, "declared"), [67, 20]),
        # 51 against an undeclared 70
        ([30, 70], "most-points", (1, 1, "ran-out"), [51, 70]),
        ([30, 70], "last-trick", (0, 1, "ran-out"), [51, 70]),
        ([30, 70], "sole-66", (1, 1, "ran-out"), [51, 70]),
        ([30, 70], "nobody", (None, 0, "drawn"), [51, 70]),
        # the loser's 33 counts the bonus
        ([11, 70], "most-points", (1, 2, "ran-out"), [32, 70]),
        ([12, 70], "most-points", (1, 1, "ran-out"), [33, 70]),
        ([11, 70], "sole-66", (1, 2, "ran-out"), [32, 70]),
        # 71 without the bonus beats any undeclared total
        ([60, 90], "most-points", (0, 1, "declared"), [71, 90]),
        ([60, 90], "last-trick", (0, 1, "declared"), [81, 90]),
        ([60, 90], "sole-66", (0, 1, "declared"), [81, 90]),
        ([60, 90], "nobody", (0, 1, "declared"), [81, 90]),
        # equal totals, at any height
        ([44, 65], "most-points", (None, 0, "drawn"), [65, 65]),
        ([54, 75], "most-points", (None, 0, "drawn"), [75, 75]),
        # the last trick wins a flat 1
        ([30, 10], "last-trick", (0, 1, "ran-out"), [51, 10]),
    ],
)
def test_the_last_trick_with_the_stock_run_out(
    before: list[int], undeclared: str, expected: tuple[int | None, int, str], points: list[int]
) -> None:
    hand = last_trick(before, {"undeclared": undeclared})
    assert result(hand) == expected
    assert hand.points == points


def test_schnapsen_has_no_bonus() -> None:
    hand = last_trick([50, 59], {"undeclared": "last-trick", "last_trick.bonus": 0})
    assert result(hand) == (0, 1, "ran-out")
    assert hand.points == [61, 59]


# ----------------------------------------------------------------------------------- the closed hand


@pytest.mark.parametrize("preset", ["sixtysix", "skillgames"])
@pytest.mark.parametrize(
    ("before", "tricks", "expected"),
    [
        ([55, 20], [3, 1], (0, 2, "close-made")),  # 66, declared or not
        ([55, 0], [3, 0], (0, 3, "close-made")),
        ([54, 60], [3, 1], (1, 2, "close-failed")),  # no bonus
        ([54, 0], [3, 0], (1, 3, "close-failed")),
    ],
)
def test_a_closed_hand_played_to_its_end(
    preset: str, before: list[int], tricks: list[int], expected: tuple[int, int, str]
) -> None:
    hand = at(deal("AS", "9S", "JH QD", preset), before, tricks)
    assert result(play(hand, "CLOSE", "PLAY AS", "PLAY 9S")) == expected
    assert hand.points[0] == before[0] + 11


@pytest.mark.parametrize("preset", ["sixtysix", "skillgames"])
@pytest.mark.parametrize(("closer", "expected"), [(40, (1, 1, "close-failed")), (66, (0, 1, "close-made"))])
def test_the_others_sixty_six_on_the_last_trick_is_too_late(
    preset: str, closer: int, expected: tuple[int, int, str]
) -> None:
    hand = at(deal("9S", "AS", "JH QD", preset, {"close.failed": 1}), [closer, 60], [3, 3])
    assert result(play(hand, "CLOSE", "PLAY 9S", "PLAY AS")) == expected


@pytest.mark.parametrize(
    ("preset", "tricks", "worth"),
    [("sixtysix", 0, 2), ("skillgames", 0, 3), ("skillgames", 1, 2), ("american", 0, 3), ("santase", 1, 3)],
)
def test_overtaken(preset: str, tricks: int, worth: int) -> None:
    hand = at(deal("9S JS", "AS TS", "JH TD QC QD", preset), [20, 60], [3, tricks])
    play(hand, "CLOSE", "PLAY 9S", "PLAY AS")
    if not hand.rules["declare.automatic"]:
        play(hand, "DECLARE")
    assert result(hand) == (1, worth, "overtaken")


@pytest.mark.parametrize(("graded", "worth"), [("end", 1), ("closing", 3)])
def test_a_close_graded_at_its_end_or_at_its_moment(graded: str, worth: int) -> None:
    hand = at(deal("9S AH", "AS 9H", "JH QD", fields={"close.graded": graded}), [55, 40], [3, 0])
    play(hand, "CLOSE", "PLAY 9S", "PLAY AS", "PLAY 9H", "PLAY AH")
    assert result(hand) == (0, worth, "close-made")


# -------------------------------------------------------------------------------- false declarations

CUSTOM: Fields = {"declare.false_penalty": 1, "declare.false_trickless": 2}


@pytest.mark.parametrize(("tricks", "worth"), [(1, 1), (0, 2)])
def test_a_false_declaration(tricks: int, worth: int) -> None:
    hand = at(deal(*CARDS, fields=CUSTOM), [65, 10], [3, tricks])
    assert result(play(hand, "DECLARE")) == (1, worth, "false-declaration")


@pytest.mark.parametrize(
    ("fields", "tricks", "worth"),
    [({}, 1, 2), ({}, 0, 3), ({"declare.false_penalty": 3}, 1, 3), (CUSTOM, 0, 3), (CUSTOM, 1, 2)],
)
def test_the_closer_pays_the_dearer_of_the_two(fields: Fields, tricks: int, worth: int) -> None:
    hand = at(deal(*CARDS, fields=fields), [65, 10], [3, tricks])
    assert result(play(hand, "CLOSE", "DECLARE")) == (1, worth, "false-declaration")


def test_the_closer_gets_the_penalty_not_a_graded_win() -> None:
    hand = at(deal("9S JS", "AS TS", "JH QD", fields=CUSTOM), [66, 20], [3, 0])
    play(hand, "CLOSE", "PLAY 9S", "PLAY AS", "DECLARE")
    assert result(hand) == (0, 1, "false-declaration")


def test_uncounted_points_do_not_count_for_a_declaration() -> None:
    hand = at(deal(*CARDS, "schnapsen-vu", {"declare.automatic": False, "nines": True}), [60, 40], [3, 2])
    assert result(play(hand, "MELD H", "DECLARE")) == (1, 2, "false-declaration")


# ----------------------------------------------------------------------------------------- the match


def test_the_carry_is_added_to_whatever_the_hand_pays() -> None:
    hand = ReferenceHand.from_cards(rules(), ["AS"], ["9S"], ["JH", "QD"], carry=2)
    at(hand, [0, 0], [1, 1])
    assert result(play(hand, "CLOSE", "DECLARE")) == (1, 4, "false-declaration")
    hand = ReferenceHand.from_cards(rules(), ["AS"], ["9S"], ["AH"], carry=2)
    hand.stock.clear()
    at(hand, [44, 65], [5, 6])
    assert result(play(hand, "PLAY AS", "PLAY 9S")) == (None, 0, "drawn")


def test_unscored_hands_add_up_and_the_other_one_deals() -> None:
    match = ReferenceMatch(rules(fields={"match.dealer": "winner"}), first_dealer=0)
    match.finish_hand(None, 0)
    match.finish_hand(None, 0)
    assert (match.carry, match.dealer) == (2, 0)
    match.finish_hand(None, 0)
    assert (match.carry, match.dealer) == (3, 1)
    match.finish_hand(0, 4)
    assert (match.score, match.carry, match.dealer) == ([4, 0], 0, 0)


def test_the_same_dealer_deals_again_without_carry() -> None:
    match = ReferenceMatch(rules("skillgames"), first_dealer=1)
    match.finish_hand(None, 0)
    assert (match.carry, match.dealer) == (0, 1)


@pytest.mark.parametrize(("preset", "dealers"), [("sixtysix", [0, 1, 0]), ("skillgames", [0, 0, 1])])
def test_who_deals(preset: str, dealers: list[int]) -> None:
    match = ReferenceMatch(rules(preset), first_dealer=1)
    passed = []
    for winner in (0, 0, 1):
        match.finish_hand(winner, 1)
        passed.append(match.dealer)
    assert passed == dealers


@pytest.mark.parametrize("preset", ["sixtysix", "santase"])
def test_the_first_to_the_target_wins(preset: str) -> None:
    match = ReferenceMatch(rules(preset), first_dealer=0)
    target = number(match.rules, "match.target")
    match.finish_hand(1, target - 1)
    assert match.score == [0, target - 1]
    match.finish_hand(1, 3)
    assert match.winner == 1
    assert match.score == [0, target + 2]
    with pytest.raises(ValueError, match="over"):
        match.finish_hand(0, 1)

"""Hand-made cases, each named after its rule; the expected figures are counted by hand from the sentence quoted.

Spades are trumps throughout; a stock is in draw order, the turned-up card last.
"""

import numpy as np
import pytest

from harness.core.deal import shuffle
from tests.helpers.engine import CoreHand
from tests.helpers.reference_presets import PRESETS
from tests.helpers.splitmix import shuffled_pack

Fields = dict[str, object]


def deal(hand0: str, hand1: str, stock: str, preset: str = "sixtysix", fields: Fields | None = None) -> CoreHand:
    """Two hands and a stock under a preset with some fields changed."""
    cards = f"{hand0} {hand1} {stock}".split()
    assert len(set(cards)) == len(cards), "a card is there twice"
    return CoreHand.from_cards(PRESETS[preset] | (fields or {}), hand0.split(), hand1.split(), stock.split())


def last_trick(points: tuple[int, int], preset: str = "sixtysix", fields: Fields | None = None) -> CoreHand:
    """The stock has run out, each side holds one card; seat 0 takes the last trick, 11 points, with the ace."""
    hand = deal("AS", "9S", "JS", preset, fields).with_stock_used_up().at(points, (5, 6))
    return hand.play("PLAY AS", "PLAY 9S")


def result(hand: CoreHand) -> tuple[int | None, int, str]:
    """Winner, game points and how it ended, of a hand that is over."""
    assert hand.over
    assert hand.legal() == set()
    return hand.winner, hand.game_points, hand.how


def others(hand: CoreHand) -> set[str]:
    """The legal actions that play no card."""
    return {action for action in hand.legal() if not action.startswith("PLAY")}


# ------------------------------------------------------------------- marriages, and tricks without points


@pytest.mark.parametrize(("nine_takes_nine", "worth"), [(True, 2), (False, 3)])
def test_a_nine_on_a_nine_saves_from_schwarz_and_redeems_a_pending_marriage(nine_takes_nine: bool, worth: int) -> None:
    """A trick with 0 points (9 on 9) is still a trick: "no trick" is a count of tricks, never of points.

    Text 000: "The points only count once you have won at least one trick. Until then they are kept pending."
    """
    stock = "9H KC TH JH 9C JC QC QS AD KS KD JS"
    hand = deal("KH QH 9S TD JD QD", "AH 9D AS TS AC TC", stock)
    hand.play("MELD H", "PLAY QH", "PLAY AH")
    assert (hand.points, hand.pending, hand.tricks) == ([0, 14], [20, 0], [0, 1])
    if nine_takes_nine:
        hand.play("PLAY 9D", "PLAY 9S")
        assert (hand.points, hand.pending, hand.tricks) == ([20, 14], [0, 0], [1, 1])
        assert hand.won[0] == ["9D", "9S"]
        hand.play("PLAY JD", "PLAY TS")  # 12, the lead is back
    hand.at([hand.points[0], 66], [hand.tricks[0], 5]).play("DECLARE")
    assert result(hand) == (1, worth, "declared")  # 20 points are fewer than 33; three for a loser without a trick


def test_a_marriage_on_the_first_lead_waits_for_a_trick() -> None:
    """Text 001: "The non-dealer may announce a marriage on their first lead and score it after he wins a trick."

    The other player knows a melded card until it is played.
    """
    hand = deal("KH QH AS TS JS 9C", "9H JH AD KC QC 9D", "AH AC TC JC TD KD QD JD TH KS QS 9S")
    assert others(hand) == {"MELD H", "CLOSE"}
    hand.play("MELD H")
    assert (hand.points, hand.pending, hand.known) == ([0, 0], [20, 0], [{"KH", "QH"}, set()])
    assert hand.legal() == {"PLAY KH", "PLAY QH", "CLOSE"}
    hand.play("PLAY KH", "PLAY 9H")
    assert (hand.points, hand.pending, hand.known) == ([24, 0], [0, 0], [{"QH"}, set()])


@pytest.mark.parametrize(("preset", "points", "pending"), [("american", [0, 0], [40, 0]), ("family", [40, 0], [0, 0])])
def test_some_families_count_marriages_immediately(preset: str, points: list[int], pending: list[int]) -> None:
    """Text 004: "Marriage points without a trick: some families count marriages immediately." Forty in trumps."""
    hand = deal("KS QS AH TH JH 9C", "9S JS AD KC QC 9D", "AC TC JC TD KD QD JD 9H KH QH TS AS", preset)
    hand.play("MELD S")
    assert (hand.points, hand.pending) == (points, pending)


# ------------------------------------------------------------------------------------------------ closing

WEAK = "9D JD QD 9C JC QC"
STRONG = "AD TD KD AC TC KC"
REST = "9H JH QH KH TH AH 9S QS KS TS AS JS"


@pytest.mark.parametrize(("tricks", "worth"), [([0, 0], 3), ([1, 1], 2)])
def test_closing_and_failing(tricks: list[int], worth: int) -> None:
    """Text 000: "If you then fail to reach 66, your opponent gets 2 game points. If your opponent had not won a trick
    yet when you closed, they even get 3 game points." That he takes all six tricks after the close changes nothing.
    """
    hand = deal(WEAK, STRONG, REST).at([0, 0], tricks)
    hand.play("CLOSE", "PLAY 9D", "PLAY AD", "PLAY TD", "PLAY JD", "PLAY KD", "PLAY QD")
    hand.play("PLAY AC", "PLAY 9C", "PLAY TC", "PLAY JC", "PLAY KC", "PLAY QC")
    assert result(hand) == (1, worth, "close-failed")
    assert hand.points == [0, 60]  # 11 12 7 11 12 7, and no ten for the last trick
    assert hand.stock == REST.split()


@pytest.mark.parametrize(("preset", "tricks", "worth"), [("sixtysix", 0, 2), ("american", 0, 3), ("american", 1, 2)])
def test_overtaken_after_closing(preset: str, tricks: int, worth: int) -> None:
    """Text 000: "If your opponent declares 66 after you closed, they get 2 game points." Text 004: "2 game points, or
    3 if they had taken no tricks when you closed."
    """
    stock = "9H JH QH KH TH AH 9S QS KS 9C 9D JS"
    hand = deal("JD QD KD JC QC KC", "AS TS AD TD AC TC", stock, preset).at([0, 0], [1, tricks])
    hand.play("CLOSE", "PLAY JD", "PLAY AD", "PLAY TD", "PLAY KD", "PLAY AC", "PLAY KC", "PLAY TC", "PLAY QC")
    hand.play("PLAY AS", "PLAY JC")
    assert hand.points == [0, 68]  # 13 14 15 13 13
    hand.play("DECLARE")
    assert result(hand) == (1, worth, "overtaken")


def test_overtaken_without_a_word_where_66_ends_the_hand() -> None:
    """Text 003: "as soon as you reach 66 the hand ends in your favour; you don't need to announce it." """
    stock = "9H JH QH KH TH AH 9S QS KS 9C 9D JS"
    hand = deal("JD QD KD JC QC KC", "AS TS AD TD AC TC", stock, "skillgames")
    hand.play("CLOSE", "PLAY JD", "PLAY AD", "PLAY TD", "PLAY KD", "PLAY AC", "PLAY KC", "PLAY TC", "PLAY QC")
    assert not hand.over
    assert result(hand.play("PLAY AS", "PLAY JC")) == (1, 3, "overtaken")


@pytest.mark.parametrize(
    ("graded", "points", "tricks", "worth"),
    [
        ("end", 0, 0, 2),  # he took a trick after the close, 11 points
        ("closing", 0, 0, 3),  # he had none when it was closed
        ("end", 22, 1, 1),  # 33 points in the end
        ("closing", 22, 1, 2),  # 22 when it was closed
    ],
)
def test_a_close_graded_at_the_end_or_at_the_closing(graded: str, points: int, tricks: int, worth: int) -> None:
    """Text 003: "a successful close is scored on the loser's points and tricks at the moment of closing" in Schnapsen;
    in Sixty-Six "If you closed and reach 66, you score the same way."
    """
    hand = deal(
        "AS KS QS AD TD 9H", "AH JH 9C JC QC 9D", "TH QH KH AC TC KC JD QD KD 9S TS JS", "sixtysix",
        {"close.graded": graded},
    ).at([0, points], [0, tricks])  # fmt: skip
    hand.play("MELD S", "CLOSE", "PLAY KS", "PLAY 9C")
    assert hand.points[0] == 44
    hand.play("PLAY 9H", "PLAY AH", "PLAY JH", "PLAY QS", "PLAY AD", "PLAY 9D", "PLAY TD", "PLAY JC")
    assert hand.points == [72, points + 11]  # 44, 5, 11, 12
    assert result(hand.play("DECLARE")) == (0, worth, "close-made")


def test_closing_before_the_draw_with_five_cards() -> None:
    """Text 001: "Either player may close (end the game), when they have the lead, either before or after drawing".

    Neither side draws, both hold one card fewer, the winner leads; MELD is still legal, EXCHANGE not.
    """
    cards = ("AH KC QC 9S TD JD", "9H JH QH KH AD 9C", "AC TC JC QD KD 9D TH AS TS KS QS JS")
    open_only: Fields = {"marriage.stock": "open"}
    hand = deal(*cards, "bicycle", open_only).play("PLAY AH", "PLAY JH")
    assert hand.legal() == {"CLOSE", "DRAW"}
    assert [len(cards) for cards in hand.hands] == [5, 5]
    hand.play("CLOSE")
    assert [len(cards) for cards in hand.hands] == [5, 5]
    assert (hand.closer, hand.leader, len(hand.stock)) == (0, 0, 12)
    assert others(hand) == {"MELD C", "DECLARE"}
    assert others(hand.play("MELD C", "PLAY QC", "PLAY 9C")) == {"DECLARE"}
    drawn = deal(*cards, "bicycle", open_only).play("PLAY AH", "PLAY JH", "DRAW")
    assert [len(cards) for cards in drawn.hands] == [6, 6]
    assert others(drawn) == {"EXCHANGE", "MELD C", "CLOSE", "DECLARE"}


# --------------------------------------------------------------------------------------------- exchanging


def test_the_follower_exchanges_under_bicycle() -> None:
    """Text 001: "Either player holding the nine of trumps may exchange it for a higher trump card at any time, provided
    they have previously won a trick". Foster: reply with the card just taken up.
    """
    cards = ("9D JD TH KD AC QC", "AD 9S JH 9H QH KC", "TC JC 9C QD TD KH AH AS TS KS JS QS")
    hand = deal(*cards, "bicycle")
    assert "EXCHANGE" not in hand.play("PLAY JD").legal()  # he has no trick yet
    hand.play("PLAY AD", "DRAW", "PLAY 9H", "PLAY TH", "DRAW", "PLAY AC")
    assert (hand.tricks, hand.to_move, others(hand)) == ([1, 1], 1, {"EXCHANGE"})
    hand.play("EXCHANGE")
    assert (hand.stock[-1], hand.known) == ("9S", [set(), {"QS"}])
    assert "QS" in hand.hands[1]
    assert "9S" not in hand.hands[1]
    assert others(hand) == set()
    hand.play("PLAY QS")
    assert hand.tricks == [1, 2]
    plain = deal(*cards).play("PLAY JD", "PLAY AD", "PLAY 9H", "PLAY TH", "PLAY AC")
    assert others(plain) == set()


# ------------------------------------------------------------------------------------------ going out, or not


@pytest.mark.parametrize("preset", ["sixtysix", "skillgames"])
def test_sixty_five_all(preset: str) -> None:
    """Text 003: "at 65 to 65 nobody scores". Text 000: "On a tie nobody wins". 44 + 11 + 10 = 65."""
    hand = last_trick((44, 65), preset)
    assert hand.points == [65, 65]
    assert result(hand) == (None, 0, "drawn")


def test_the_last_trick_counts_ten_only_when_the_stock_ran_out() -> None:
    """Text 000: "If the stock ran out [...] The last trick is worth 10 extra points. [...] If the stock was closed,
    there is no bonus for the last trick."
    """
    ran_out = last_trick((50, 59))
    assert (ran_out.points, result(ran_out)) == ([71, 59], (0, 1, "ran-out"))
    closed = deal("AS", "9S", "JH JS").at([50, 57], [3, 2]).play("CLOSE", "PLAY AS", "PLAY 9S")
    assert (closed.points, result(closed)) == ([61, 57], (1, 2, "close-failed"))


def test_schnapsen_has_no_ten_for_the_last_trick() -> None:
    """Text 003: "In Schnapsen the winner of the last trick wins the hand for 1 game point." """
    hand = last_trick((50, 59), "schnapsen")
    assert (hand.points, result(hand)) == ([61, 59], (0, 1, "ran-out"))


@pytest.mark.parametrize(
    ("preset", "tricks", "worth"),
    [("sixtysix", [3, 1], 2), ("sixtysix", [3, 0], 2), ("schnapsen-sharp", [3, 1], 2), ("schnapsen-sharp", [3, 0], 3)],
)
def test_a_false_declaration(preset: str, tricks: list[int], worth: int) -> None:
    """Text 000: "A false declaration costs you: your opponent gets 2 game points." Schnapsen custom: 3 if he has no
    trick. 65 is not 66.
    """
    hand = deal("AH TH", "AS TS", "TC JC QD JS", preset).at([65, 0], tricks)
    assert result(hand.play("DECLARE")) == (1, worth, "false-declaration")


@pytest.mark.parametrize(("tricks", "worth"), [([3, 1], 2), ([3, 0], 3)])
def test_a_closer_who_declares_falsely_pays_the_dearer_price(tricks: list[int], worth: int) -> None:
    """From the closer a false declaration costs the dearer of it (2) and his failed close (2, or 3)."""
    hand = deal("AH TH", "AS TS", "TC JC QD JS").at([65, 0], tricks)
    assert result(hand.play("CLOSE", "DECLARE")) == (1, worth, "false-declaration")


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("sixtysix", (0, 1, "declared")),
        ("bicycle", (0, 1, "declared")),
        ("american", (0, 1, "declared")),
    ],
)
def test_an_undeclared_66_loses(preset: str, expected: tuple[int, int, str]) -> None:
    """Text 000: "Reaching 66 without declaring does not count. If your opponent wins after that, your chance is gone."

    The winner of the last trick is taken to have declared if he has 66: 55 + 11 against an undeclared 74.
    """
    assert result(last_trick((55, 74), preset)) == expected


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("sixtysix", (1, 2, "ran-out")),  # 000, the more points win: 10 + 11 + 10 against 90
        ("bicycle", (1, 2, "ran-out")),  # 001, the only side with 66
        ("american", (None, 0, "drawn")),  # 004, "in the classic American rules nobody scores"
        ("last-trick", (0, 1, "ran-out")),  # 004, "1 game point to the winner of the last trick"
    ],
)
def test_nobody_declares(preset: str, expected: tuple[int | None, int, str]) -> None:
    """The four readings of a hand that runs out with 66 on one side that never declared, the loser under 33."""
    hand = last_trick((10, 90), preset)
    assert hand.points == [31, 90]
    assert result(hand) == expected


# --------------------------------------------------------------------------------------------------- seeds


def test_seed_0_is_a_seed() -> None:
    """Nothing turns it into the clock: its first pack is that of the plain-Python shuffle, and no other seed's."""
    packs = []
    for seed in (0, 0, 1, 2):
        pack = np.zeros(24, np.int8)
        shuffle(seed, 0, pack)
        packs.append(pack.tolist())
    assert packs[0] == packs[1] == shuffled_pack(0, 0)
    assert len({tuple(pack) for pack in packs}) == 3

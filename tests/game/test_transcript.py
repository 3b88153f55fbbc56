"""Transcripts: written, read back and played again; every fault with its line."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import FaultsError
from harness.game.hand import Hand, Result
from harness.game.presets import load_rules, preset_names
from harness.game.transcript import read_transcript, write_transcript
from tests.helpers.hands import play_on

HAND = """\
transcript 1 rules-version 1
rules american
pack KS QS AS AH JH AC 9H JD TC 9C KD TD QH TS 9S KC TH JS QC AD QD JC 9D KH
score 1 2
carry 1

0 MELD S
0 PLAY KS   # whatever stands here is not read
1 PLAY 9C

0 EXCHANGE
0 DECLARE
result 1 3 false-declaration
"""


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(preset_names()), st.integers(0, 10**6), st.integers(0, 45), st.integers(0, 3), st.booleans(),
    st.randoms(use_true_random=False),
)  # fmt: skip
def test_round_trip(name: str, deal: int, n_actions: int, carry: int, by_pack: bool, rng: random.Random) -> None:
    rules = load_rules(name).with_fields({"match.target": 5})
    hand = Hand.of_deal(rules, 11, deal, score=(carry, 1), carry=carry)
    if by_pack:
        hand = Hand(rules, hand.pack, hand.score, carry)
    play_on(hand, rng, n_actions)
    if not hand.over and n_actions % 3 == 0:
        hand.forfeit(n_actions % 2)
    text = write_transcript(hand)
    again = read_transcript(text)
    for attribute in ("rules", "pack", "seed", "deal", "history", "result", "score", "carry", "hands", "stock",
                      "points", "pending", "tricks", "known", "forfeited_by"):  # fmt: skip
        assert getattr(again, attribute) == getattr(hand, attribute), attribute
    assert write_transcript(again) == text
    bare = re.sub(r" *#.*", "", text)
    assert read_transcript(bare).history == hand.history


def test_reads_a_hand() -> None:
    hand = read_transcript(HAND)
    assert hand.result == Result(1, 3, "false-declaration")
    assert (hand.score, hand.carry, hand.seed) == ((1, 2), 1, None)
    assert hand.rules == load_rules("american")


def test_comments_tell_what_happened() -> None:
    text = write_transcript(read_transcript(HAND), ("easy", "hard"))
    for words in (
        "# seat 0 (easy) leads and holds AS KS QS 9H TC JD",
        "# seat 1 (hard) dealt and holds AH JH AC 9C TD KD",
        "# trumps are hearts; the stock is TS 9S",
        "0 MELD S      # a marriage: 20 points wait for a trick",
        "1 PLAY 9C     # seat 0 takes the trick, 24 : 0; seat 0 draws TS, then seat 1 9S",
        "0 EXCHANGE    # seat 0 takes up QH",
        "0 DECLARE     # seat 0 claims 66 and has 24",
        "result 1 3 false-declaration  # seat 1 wins 3; points 24 : 0, tricks 1 : 0",
    ):  # fmt: skip
        assert words in text


def test_automatic_marriage_is_told() -> None:
    hand = read_transcript(HAND.replace("american", "skillgames")[: HAND.index("0 MELD") + 2])
    hand.do("KS")
    assert "0 PLAY KS     # a marriage: 20 points wait for a trick" in write_transcript(hand)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("rules american", "rules amercan", 'line 2: there is no rule preset "amercan"'),
        ("rules american", "rules american nines=no", "line 2: nines = no: must be true or false"),
        ("rules american", "rules", 'line 2: there is no rule preset ""'),
        ("rules-version 1", "rules-version 2", "line 1: the first line is"),
        ("transcript 1 rules-version 1\n", "", "the line transcript is missing"),
        ("carry 1\n", "", "the line carry is missing"),
        ("carry 1", "carry 9223372036854775807", "carry 9223372036854775807: must be from 0 to 1000000"),
        ("score 1 2", f"score {10**30} 0", "2 whole numbers expected"),
        ("score 1 2", f"score {'9' * 5000} 0", "2 whole numbers expected"),
        ("rules american", f"rules american close.failed={'3' * 5000}", "must be a whole number from 1 to 3"),
        ("carry 1", "carry one", 'line 5: "one": 1 whole number expected'),
        ("score 1 2", "score 1", 'line 4: "1": 2 whole numbers expected'),
        ("score 1 2", "score 1 2\nscore 1 2", "line 5: score is there twice"),
        ("pack KS", "pack XS", 'line 3: "XS" is not a card'),
        ("pack KS QS", "pack KS KS", "line 3: KS is there twice"),
        ("pack KS ", "pack ", "KS is missing"),
        ("score 1 2", "seed 1 deal 2\nscore 1 2", "either a line seed"),
        ("pack KS QS AS AH JH AC 9H JD TC 9C KD TD QH TS 9S KC TH JS QC AD QD JC 9D KH", "seed 1 2", "seed 7 deal 123"),
        ("0 PLAY KS ", "0 PLAY JD ", "line 8: seat 0 cannot PLAY JD: after MELD the king or queen of spades"),
        ("0 PLAY KS ", "1 PLAY KS ", 'line 8: "1 PLAY KS": seat 0 is to move'),
        ("0 PLAY KS ", "0 PLAI KS ", 'line 8: "PLAI KS" is not an action; did you mean "PLAY KS"'),
        ("0 PLAY KS ", "PLAY KS ", 'line 8: "PLAY KS" is no line of a transcript'),
        ("0 EXCHANGE", "0", 'line 11: "0" is no line of a transcript'),
        ("0 EXCHANGE", "score 1 1", 'line 11: "score 1 1" is no line of a transcript'),
        ("0 DECLARE\n", "", 'line 12: "result 1 3 false-declaration" stands here, but the hand is not over'),
        ("result 1 3 false-declaration", "result 1 2 false-declaration", "line 13: \"result 1 2 false-declaration\" is "
         "not how the hand ended: result 1 3 false-declaration"),
        ("result 1 3 false-declaration\n", "", "the last line is missing: result 1 3 false-declaration"),
        ("result 1 3 false-declaration\n", "result 1 3 false-declaration\n0 CLOSE", 'line 14: "0 CLOSE" stands after'),
        ("result 1 3", "0 PLAY QS\nresult 1 3", "line 13: seat 0 cannot PLAY QS: the hand is over"),
        ("result 1 3", "0 FORFEIT\nresult 1 3", "line 13: seat 0 cannot forfeit: the hand is over"),
    ],
)  # fmt: skip
def test_fault_is_named_with_its_line(old: str, new: str, says: str) -> None:
    assert old in HAND
    with pytest.raises(FaultsError) as caught:
        read_transcript(HAND.replace(old, new, 1))
    assert says in str(caught.value)


def test_all_faults_of_the_header_at_once() -> None:
    text = HAND.replace("american", "amercan").replace("score 1 2", "score 1").replace("carry 1\n", "")
    with pytest.raises(FaultsError) as caught:
        read_transcript(text)
    assert len(caught.value.faults) == 3


@pytest.mark.parametrize("text", ["", "# nothing\n", "hello\n"])
def test_text_that_is_no_transcript(text: str) -> None:
    with pytest.raises(FaultsError, match="transcript is missing"):
        read_transcript(text)


@given(st.text(max_size=200))
def test_any_text_is_refused_politely(text: str) -> None:
    with pytest.raises(FaultsError):
        read_transcript(text)


@settings(deadline=None)
@given(st.integers(0, len(HAND) - 1), st.characters(codec="utf-8"))
def test_one_wrong_letter_is_told_or_harmless(place: int, letter: str) -> None:
    text = HAND[:place] + letter + HAND[place + 1 :]
    try:
        read_transcript(text)
    except FaultsError as error:
        assert error.faults

"""Positions: what a hand gives is written, read and seen as it was; what is impossible is refused with all reasons."""

import random
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources

import numpy as np
import pytest

from harness.core.bits import members, popcount
from harness.core.records import DRAW_OR_CLOSE
from harness.errors import FaultsError, UsageError
from harness.game.hand import Hand
from harness.game.notation import parse_card, parse_cards
from harness.game.position import Position
from harness.game.position_file import KEYS, load_position, read_position
from harness.game.position_text import write_position
from harness.game.presets import load_rules, preset_names
from tests.helpers.command import REPOSITORY
from tests.helpers.hands import mask_of, random_action
from tests.helpers.positions import PROBLEMS, problem, problems
from tests.helpers.reference_presets import PRESETS

EXAMPLES = sorted(path.name for path in (REPOSITORY / "configs" / "positions").glob("*.toml"))
HANDS = 6


def hands(preset: str, n_hands: int = HANDS) -> Iterator[Hand]:
    """A hand of each deal, yielded before each of its actions, under a score and a carry."""
    rng = random.Random(f"positions {preset}")
    rules = load_rules(preset)
    for deal in range(n_hands):
        hand = Hand.of_deal(rules, 5, deal, (2, 3), 2 if rules.unscored.carry else 0)
        while not hand.over:
            yield hand
            hand.do(random_action(hand, rng))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_written_position_gives_the_same_view(preset: str) -> None:
    for hand in hands(preset):
        view = hand.view(hand.to_move).tobytes()
        for with_stock in (False, True):
            position = Position.of_hand(hand, with_stock)
            again = read_position(write_position(position, ["a remark"]), "it")
            assert again == position
            assert again.view().tobytes() == view


@pytest.mark.parametrize("preset", PRESETS)
def test_a_position_with_all_cards_is_the_hand_itself(preset: str) -> None:
    """What is left out: what was drawn, and how far a lead had come that is over or has been replied to."""
    for hand in hands(preset):
        position = Position.of_hand(hand, with_stock=True)
        assert position.knows_all_cards
        state, truth = position.state(), hand._state
        assert state.stock[: state.n_stock].tolist() == list(hand.stock)
        left_out = {"stock", "stock_top"}
        if hand.led is not None or state.phase == DRAW_OR_CLOSE:
            left_out.add("lead_stage")
        for name in set(truth.dtype.names) - left_out:
            assert np.array_equal(state[name], truth[name]), name


@pytest.mark.parametrize("preset", PRESETS)
def test_what_follows_from_the_rest_can_be_left_out(preset: str) -> None:
    """The stock, the trump, the tricks that nobody can doubt, and either of the cards gone and those unseen."""
    for hand in hands(preset, 3):
        position = Position.of_hand(hand)
        position = replace(position, history=())
        lines = dict(line.split(" = ", 1) for line in write_position(position).splitlines())
        unseen = " ".join(line.split()[0] for line in _texts(position.unseen))
        lines["unseen"] = f'"{unseen}"'
        lines.pop("gone", None)
        lines.pop("stock")
        lines.pop("trump" if hand.turned_up is not None else "about", None)
        assert _read(lines) == position
        lines.pop("tricks")
        try:
            shorter = _read(lines)
        except FaultsError as error:
            assert [fault.split(":")[0] for fault in error.faults] == ["tricks is missing"]
            continue
        assert [n > 0 for n in shorter.tricks] == [n > 0 for n in position.tricks]


def _read(lines: dict[str, str]) -> Position:
    return read_position("\n".join(f"{key} = {value}" for key, value in lines.items()), "it")


def _texts(mask: int) -> list[str]:
    from harness.game.notation import card_text

    return [card_text(card) for card in members(mask)]


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_column_of_a_newspaper_is_ten_lines(name: str) -> None:
    content, one = PROBLEMS[name], problem(name)
    position = one.position
    assert len(one.text.splitlines()) <= 10
    mine, theirs = (numbers(content[key]) for key in ("your_hand", "known_opponent_cards"))
    if content["on_lead"] == "opponent" and content["led_card"] is None:
        mine, theirs = theirs, mine
    assert position.hand == mine
    led = set() if content["led_card"] is None else {parse_card(content["led_card"])}
    unknown = numbers(content["unseen"]) & ~(mine | theirs) if content["kind"] != "full" else position.unseen
    assert position.theirs | mask_of(led) == theirs | mask_of(led) or name == "tompa-003"
    assert position.unseen | position.theirs == unknown | theirs & ~mask_of(led)
    assert position.n_stock == (content["stock_face_down"] + 1 if content["stock_face_down"] else 0)
    assert position.knows_all_cards == (content["kind"] == "full")
    assert (position.closer is not None) == content["stock_state"].startswith("closed")


def numbers(cards: list[str]) -> int:
    return mask_of(parse_card(card) for card in cards)


def test_leading_a_king_beside_its_queen_announces_them() -> None:
    """Column 003: the queen of spades is led, and the king is known to be beside it: 20 of her points."""
    position = problem("tompa-003").position
    assert position.announced == 0
    assert position.theirs == numbers(["SK"])


def test_that_counts_where_the_queen_can_only_be_in_the_other_hand() -> None:
    """With the stock used up all cards that are left are there."""
    lines = {"rules": '"schnapsen"', "trump": '"H"', "hand": '"AH AC"', "unseen": '"QD"', "led": '"KD"'}
    with pytest.raises(FaultsError, match=r"all points together must be one of 111, 131"):
        _read({**lines, "points": "[45, 45]"})
    plain = _read(
        {**lines, "rules": '"schnapsen marriage.automatic=false declare.automatic=false"', "points": "[60, 31]"}
    )
    assert plain.announced is None


def test_the_examples_are_possible_and_part_of_the_package() -> None:
    assert len(EXAMPLES) >= 3
    packaged = resources.files("configs.positions")
    for name in EXAMPLES:
        text = (packaged / name).read_text(encoding="utf-8")
        assert read_position(text, name).about == tomllib.loads(text)["about"]


def test_every_key_is_in_the_manual() -> None:
    manual = (REPOSITORY / "configs" / "positions" / "README.md").read_text(encoding="utf-8")
    assert [key for key in KEYS if f"`{key}`" not in manual] == []


def test_cards_can_be_a_list_in_any_style() -> None:
    lines = {**GOOD, "hand": '["queen of spades", "♥K", "AD", "D-K", "bells Unter"]'}
    assert _read(lines) == _read(GOOD)


def test_rules_of_the_command_line_count_before_those_of_the_file() -> None:
    text = "\n".join(f"{key} = {value}" for key, value in GOOD.items()) + "\n[rule]\nclose.failed = 1\n"
    assert read_position(text, "it").rules == load_rules("schnapsen close.failed=1")
    assert read_position(text, "it", rule=["close.failed=3"]).rules == load_rules("schnapsen close.failed=3")
    assert read_position(text, "it", rules="twenty-card").rules == load_rules("twenty-card")


def test_a_rules_file_beside_the_position_is_found(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path)) / "there"
    folder.mkdir()
    (folder / "house.toml").write_text('base = "schnapsen"\n[close]\nfailed = 3\n')
    (folder / "one.toml").write_text("\n".join(f"{k} = {v}" for k, v in {**GOOD, "rules": '"house.toml"'}.items()))
    assert load_position(folder / "one.toml").rules == load_rules("schnapsen close.failed=3")


GOOD = {
    "rules": '"schnapsen"',
    "turned_up": '"JS"',
    "hand": '"QS KH AD KD JD"',
    "gone": '"AS TS KS JH TC KC QC JC"',
    "points": "[33, 13]",
}
"""Column 142 of The Schnapsen Log."""


@pytest.mark.parametrize(
    ("changes", "reasons"),
    [
        ({"hnad": '"AS"'}, ['there is no key "hnad" in a position; did you mean "hand"?']),
        ({"hand": None}, ["hand is missing"]),
        ({"hand": '"QS KH AD KD AS"'}, ["AS is in hand and in gone"]),
        ({"hand": '"QS KH AD KD"'}, ["hand has 4 cards: must be 5 while the stock is open"]),
        ({"hand": '"QS KH AD KD XX"'}, ['"XX" is not a card']),
        ({"hand": '"QS KH AD KD KD"'}, ["KD is there twice"]),
        ({"hand": '"QS KH AD KD 9H"'}, ["9H is in hand, but there are no nines (nines = false)"]),
        ({"hand": "5"}, ["hand = 5: must be cards such as"]),
        ({"turned_up": None}, ["trump is missing: give the suit, or the card turned_up"]),
        ({"turned_up": None, "trump": '"S"', "stock": "2"}, ["turned_up is missing", "7 cards of the pack"]),
        ({"turned_up": '"JC"'}, ["JC is in gone and in turned_up"]),
        ({"trump": '"H"'}, ["turned_up = JS with trump = H: the card under the stock is a trump"]),
        ({"stock": "3"}, ["stock = 3: must be an even number from 0 to 10"]),
        ({"stock": "4"}, ["6 cards of the pack (AH TH QH AC TD QD) are in no other place, but"]),
        ({"stock": "0"}, ["turned_up = JS: the stock is used up", "6 cards of the pack"]),
        ({"stock": '"AH"'}, ["stock ends with AH"]),
        ({"stock": "2.5"}, ["stock = 2.5: must be a number of cards"]),
        ({"theirs": '"AH TH QH AC TD QD"'}, ["theirs has 6 cards: the other hand has only 5"]),
        ({"unseen": '"AH TH QH AC TD"'}, ["unseen and gone: QD must be in one of them"]),
        ({"unseen": '"AH TH QH AC TD QD KD"'}, ["unseen: KD has another place already"]),
        ({"led": '"QS"'}, ["QS is in hand and in led"]),
        ({"shown": '"AC"'}, ["shown = AC: these are not in hand"]),
        ({"gone": '"AS TS KS JH TC KC QC"'}, ["the cards named would leave 3 for", "gone has 7 cards"]),
        ({"gone": None}, ["gone is missing"]),
        ({"points": "[33, 14]"}, ["points = [33, 14]: the cards gone are worth 46, and with the marriages that may"]),
        ({"points": "[1, 45]"}, ["points = [1, 45]: no share of the cards gone and of marriages gives these points"]),
        ({"points": "[66, 20]"}, ["points = [66, 20]: with 66 the hand is over (declare.automatic = true)"]),
        ({"points": None}, ["points is missing"]),
        ({"points": "[33, -1]"}, ["points = [33, -1]: must be two whole numbers from 0"]),
        ({"points": "[33, 13.0]"}, ["points = [33, 13.0]: must be two whole numbers from 0"]),
        ({"tricks": "[4, 0]"}, ["points = [33, 13] with tricks = [4, 0]: no share of the cards gone"]),
        ({"tricks": "[2, 3]"}, ["tricks = [2, 3]: must be 4 together, as 8 cards have gone"]),
        ({"tricks": "[0, 4]"}, ["the side that leads has won the last trick"]),
        ({"pending": "[0, 20]"}, ["points = [33, 13] with pending = [0, 20]: no share of the cards gone"]),
        (
            {"pending": "[0, 20]", "tricks": "[3, 1]"},
            ["pending = [0, 20]: marriage points that wait are 20s of a side without a trick"],
        ),
        ({"announced": '"D"'}, ["leading the king or queen announces it", "QD is not in hand"]),
        ({"closer": '"them"'}, ["no trick has been played since the close, so the closer has to lead"]),
        ({"closer": '"you"'}, ['closer = "you": must be "me" or "them"']),
        ({"closer": '"me"', "closed_points": "12"}, ["closed_points = 12 (of them, at the close): must be 13"]),
        ({"closer": '"me"', "closed_tricks": "3"}, ["closed_tricks = 3 (of them, at the close): must be "]),
        ({"closer": '"me"', "closed_before_draw": "true"}, ["hand has 5 cards: must be 4 or fewer"]),
        ({"closed_tricks": "1"}, ["closed_points, closed_tricks and closed_before_draw need closer"]),
        ({"score": "[7, 0]"}, ["score = [7, 0]: each must be from 0 to 6"]),
        ({"carry": "1"}, ["carry = 1: must be 0"]),
        ({"carry": "true"}, ["carry = true: must be a whole number"]),
        ({"dealer": '"nobody"'}, ['dealer = "nobody": must be "me" or "them"']),
        ({"about": "7"}, ["about = 7: must be one line of text"]),
        ({"rules": '"schnapsn"'}, ['there is no rule preset "schnapsn"']),
        ({"rule": "{ close = { failed = 9 } }"}, ["close.failed = 9: must be a whole number from 1 to 3"]),
        (
            {"hnad": "1", "hand": '"QS KH AD AS JD"', "points": "[33, 14]", "score": "[9, 9]", "closer": "1"},
            ["there is no key", "closer = 1", "AS is in hand and in gone", "points = [33, 14]", "score = [9, 9]"],
        ),
    ],
    ids=str,
)
def test_an_impossible_position_is_refused_with_every_reason(
    changes: dict[str, str | None], reasons: list[str]
) -> None:
    lines = {key: value for key, value in {**GOOD, **changes}.items() if value is not None}
    with pytest.raises(FaultsError) as refused:
        _read(lines)
    told = refused.value.faults
    assert all(any(reason in fault for fault in told) for reason in reasons), told
    assert len(told) == len(reasons), told


@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        ("tompa-096b", {"closed_points": None}, "closed_points is missing: what the closer's opponent (them) had"),
        ("tompa-096b", {"closed_points": "41"}, "closed_points = 41 (of them, at the close): must be from 0 to 40"),
        ("tompa-127", {"closer": '"me"'}, "the stock is used up (stock = 0), so nobody has closed it"),
        ("tompa-127", {"turned_up": '"JH"', "stock": "0"}, "turned_up = JH: the stock is used up"),
        ("tompa-124", {"rules": '"schnapsen"', "closer": '"me"'}, "not before the first trick (close.first_lead"),
        (
            "tompa-124",
            {"rules": '"schnapsen-vu"', "closer": '"me"'},
            "the stock is never closed (close.allowed = false)",
        ),
        ("tompa-124", {"dealer": '"me"'}, "before the first trick it is the other side that leads"),
        ("tompa-142", {"rules": '"schnapsen-sharp"', "closer": '"me"'}, "with 2 cards left nobody may close"),
        ("tompa-004", {"announced": '"S"'}, "announced = S: the card led must be KS or QS"),
        ("tompa-145", {"announced": '"D"'}, "announced = D: KD must be in the other hand"),
        ("tompa-003", {"points": "[48, 17]"}, "and of marriages, that of spades (20) among them, gives these points"),
    ],
)
def test_a_close_or_a_marriage_that_cannot_be_is_refused(
    name: str, changes: dict[str, str | None], reason: str
) -> None:
    text = problem(name).text
    lines = {**dict(line.split(" = ", 1) for line in text.splitlines()), **changes}
    with pytest.raises(FaultsError, match="impossible") as refused:
        _read({key: value for key, value in lines.items() if value is not None})
    assert any(reason in fault for fault in refused.value.faults), refused.value.faults


HISTORY = '["0 PLAY AS", "1 PLAY 9S", "0 PLAY KH"]'
PLAYED = {"hand": '"AH TH QH 9D TC QC"', "gone": '"AS 9S"', "led": '"KH"', "turned_up": '"JD"', "points": "[0, 11]"}
PLAYED |= {"dealer": '"me"'}


@pytest.mark.parametrize(
    ("history", "reason"),
    [
        (HISTORY, ""),
        ('["0 PLAY AS"]', "history leads to gone = -, not to AS 9S"),
        (HISTORY.replace("KH", "QS"), "history leads to led = QS, not to KH"),
        (HISTORY.replace("1", "0"), 'history: its action 2, "0 PLAY 9S": seat 1 is to move'),
        (
            HISTORY.replace('"1 PLAY 9S"', '"1 CLOSE"'),
            'its action 2, "1 CLOSE": it belongs to a lead, and seat 1 has to',
        ),
        (HISTORY.replace("KH", "AS"), 'its action 3, "0 PLAY AS": this card has been played'),
        (HISTORY.replace("0 PLAY KH", "0 DRAW"), 'its action 3, "0 DRAW": cards are drawn without a choice here'),
        (HISTORY.replace('"0 PLAY KH"', '"0 DECLARE", "0 PLAY KH"'), 'its action 4, "0 PLAY KH": the hand is over'),
        (HISTORY.replace('"0 PLAY KH"', '"0 CLOSE", "0 PLAY KH"'), "history leads to closer = them, not to nobody"),
        (HISTORY.replace('"0 PLAY KH"', '"0 CLOSE", "0 CLOSE"'), 'its action 4, "0 CLOSE": the stock is not open'),
        ('["PLAY AS"]', '"PLAY AS": it needs a seat, 0 or 1, and an action'),
        ('["0 PLAY XX"]', '"XX" is not a card'),
        ("[1]", "must be actions as in a transcript"),
        ("7", "must be actions as in a transcript"),
        ("[" + '"0 PLAY AS", ' * 49 + "]", "history has 49 actions: no hand has more than 48"),
    ],
)
def test_a_history_has_to_lead_to_its_position(history: str, reason: str) -> None:
    lines = {**PLAYED, "history": history}
    if not reason:
        assert int(_read(lines).view().n_history) == 3
        return
    with pytest.raises(FaultsError) as refused:
        _read(lines)
    assert any(reason in fault for fault in refused.value.faults), refused.value.faults


def test_a_file_that_is_no_toml_or_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="is not TOML"):
        read_position("hand = ", "it")
    with pytest.raises(UsageError, match=r"the position file nowhere\.toml cannot be read: No such file"):
        load_position(REPOSITORY.__class__("nowhere.toml"))


@pytest.mark.parametrize("name", problems("full", "lead5", "follow5", "closedfollow"))
def test_a_wrong_card_or_number_is_refused_or_gives_a_whole_position(name: str) -> None:
    """Whatever a line is replaced by: what is accepted has every card in its place."""
    rng = random.Random(name)
    lines = dict(line.split(" = ", 1) for line in problem(name).text.splitlines())
    values = [*lines.values(), "0", "2", "[1, 1]", '"AS"', '"me"', '"S"', "true", '"9C"', '""', "[]", "{}", "1e9", "-1"]
    for _ in range(150):
        changed = {**lines, rng.choice(KEYS): rng.choice(values)}
        if rng.random() < 0.3:
            changed.pop(rng.choice(list(lines)), None)
        try:
            position = _read(changed)
        except UsageError:
            continue
        face_down = max(0, position.n_stock - 1)
        assert popcount(position.unseen) == position.n_theirs - popcount(position.theirs) + face_down
        assert position.view().legal != 0
        if position.knows_all_cards:
            state = position.state()
            piles = [
                int(state.hand[0]),
                int(state.hand[1]),
                int(state.gone),
                mask_of(state.stock[: state.n_stock].tolist()),
            ]
            piles.append(0 if state.led < 0 else 1 << int(state.led))
            assert sum(piles) == position.pack


def test_all_presets_are_among_those_of_the_reference() -> None:
    assert set(preset_names()) == set(PRESETS)


def test_parse_of_cards_is_that_of_the_notation() -> None:
    assert _read(GOOD).hand == mask_of(parse_cards("QS KH AD KD JD"))

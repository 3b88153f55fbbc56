"""The built-in bots do what their description says, under every preset."""

from dataclasses import fields

import numpy as np
import pytest

from agents import weights
from agents.normal import DEFAULTS, Normal, play_normal
from harness.agent_api.registry import load_agent
from harness.core.records import CLOSE_FAILED, CLOSE_MADE, OVERTAKEN, View
from harness.errors import UsageError
from harness.game.hand import Hand
from harness.game.notation import action_text, parse_cards
from harness.game.presets import load_rules, preset_names
from harness.play.pairing import PairingPlayer, Played
from harness.play.players import policy_arrays
from harness.stats.codes import GAME_POINTS

N_DEALS = 4000


def play(first: str, second: str, preset: str, n_deals: int = N_DEALS) -> Played:
    return PairingPlayer(load_rules(preset), load_agent(first), load_agent(second), 11, 0).play(0, n_deals)


def choice(agent: str, hand: Hand) -> str:
    loaded = load_agent(agent).agent
    params, scratch = policy_arrays(loaded)
    view = hand.view(hand.to_move)
    return action_text(loaded.policy(view, hand.rules.record()[0], params, np.zeros(1, np.uint64), scratch))


def hand_of(hand0: str, hand1: str, stock: str, *actions: str) -> Hand:
    return hand_of_rules("sixtysix", hand0, hand1, stock, *actions)


def hand_of_rules(rules: str, hand0: str, hand1: str, stock: str, *actions: str) -> Hand:
    hand = Hand.of_cards(load_rules(rules), (parse_cards(hand0), parse_cards(hand1)), parse_cards(stock))
    for action in actions:
        hand.do(action)
    return hand


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize(
    ("stronger", "weaker", "n_deals"),
    [("easy", "random", N_DEALS), ("normal", "easy", N_DEALS), ("example", "random", 300)],
)
def test_each_level_beats_the_one_below_by_five_sigma(stronger: str, weaker: str, n_deals: int, preset: str) -> None:
    pair_means = GAME_POINTS[:, play(stronger, weaker, preset, n_deals).codes].mean(axis=0)
    assert pair_means.mean() > 5 * pair_means.std(ddof=1) / np.sqrt(n_deals)


@pytest.mark.parametrize("preset", preset_names())
def test_easy_never_closes(preset: str) -> None:
    endings = play("easy", "easy", preset).endings
    assert endings[:, :, [CLOSE_MADE, CLOSE_FAILED, OVERTAKEN]].sum() == 0


def test_easy_slips_as_often_as_it_is_told() -> None:
    same = play("easy:slip=0", "easy:slip=0", "sixtysix", 1000)
    assert np.all(GAME_POINTS[:, same.codes].sum(axis=0) == 0)  # no luck is used: the two halves mirror each other
    assert np.any(GAME_POINTS[:, play("easy", "easy", "sixtysix", 1000).codes].sum(axis=0) != 0)


@pytest.mark.parametrize("agent", ["easy:slip=0", "normal"])
def test_free_gains_come_first(agent: str) -> None:
    """The nine is exchanged, then the marriage of trumps announced before a plain one."""
    hand = hand_of("9S KS QS KH QH JC", "TS JS AC TC 9C 9D", "AH TH JH 9H AD TD KD QD JD KC QC AS")
    assert choice(agent, hand) == "EXCHANGE"
    hand.do("EXCHANGE")
    assert choice(agent, hand) == "MELD S"


@pytest.mark.parametrize(("led", "other"), [("AS", "TS"), ("TS", "AS")])
def test_normal_trumps_aces_and_tens(led: str, other: str) -> None:
    """Text 003: a low trump on a led ten or ace gains 10 or 11 points at little cost."""
    stock = f"{other} KS JS AC TC AD TD AH TH KH QH JH"
    hand = hand_of(f"{led} QS 9C JC JD 9D", "9S KC QC KD QD 9H", stock, f"PLAY {led}")
    assert choice("normal", hand) == "PLAY 9H"


def test_normal_keeps_its_marriages() -> None:
    """The queen of diamonds is the cheapest card to lose on an ace, but her king is there: the other king goes."""
    stock = "9S JS QS KS AS JC 9C QC AH TH KH JH"
    hand = hand_of("AD JD 9D TD QH 9H", "KD QD KC TC AC TS", stock, "PLAY AD")
    assert choice("normal", hand) == "PLAY KC"


def test_normal_closes_when_it_sees_66() -> None:
    """Ace, ten, king, queen of trumps, their marriage announced, and another ace: 66 from the top."""
    stock = "TH KH JC TC AC AD TD KD QD JD 9D 9S"
    hand = hand_of("AS TS KS QS AH 9C", "JS 9H JH QH KC QC", stock, "MELD S")
    assert choice("normal", hand) == "CLOSE"


def test_normal_does_not_close_without_sight_of_66() -> None:
    hand = hand_of("JS 9S KH QC JD 9C", "AS TS AH TH KC QH", "JH 9H AC TC JC AD TD KD QD 9D QS KS")
    assert choice("normal", hand) != "CLOSE"


@pytest.mark.parametrize("agent", ["easy", "normal"])
@pytest.mark.parametrize("parameters", ["slip=1.5", "keep_trump=1e12", "close_at=nan"])
def test_parameters_out_of_range_are_refused(agent: str, parameters: str) -> None:
    with pytest.raises(UsageError, match=r"must be from|must be a|has no parameter"):
        load_agent(f"{agent}:{parameters}")


@pytest.mark.parametrize("agent", ["easy:slip=1", "normal"])
def test_an_automatic_marriage_that_reaches_66_is_led(agent: str) -> None:
    """Text 003: leading one of the two cards declares the marriage, and at 66 the hand ends at once."""
    stock = "KS QS KC QC AH TH JC 9H TD QD JD AC"
    tricks = "AS JS TS 9S AD 9D AH JH"
    hand = hand_of_rules("skillgames", "AS TS KH QH AD 9C", "JS 9S TC JH KD 9D", stock, *tricks.split())
    assert hand.points == (47, 0)
    hand.do("EXCHANGE")
    hand.do(choice(agent, hand))
    assert (hand.winner, hand.how, hand.points[0]) == (0, "declared", 67)


@pytest.mark.parametrize("agent", ["easy:slip=1", "normal"])
def test_a_reply_that_reaches_66_is_played(agent: str) -> None:
    """Seat 1 has 45 and holds the ace over the ten that has been led."""
    stock = "JS KS QS QD JD KD JH QH AH 9H KH TH"
    tricks = "TS AS AD TD JS KS 9S QS 9C JC TC"
    hand = hand_of("TS TD 9S 9D TC JC", "AS AD AC 9C KC QC", stock, *tricks.split())
    assert hand.points[1] == 45
    assert choice(agent, hand) == "PLAY AC"


def test_normal_makes_most_of_its_closes() -> None:
    """A close is a promise: under every preset far more are kept than broken."""
    for preset in preset_names():
        endings = play("normal", "normal", preset).endings.sum(axis=(0, 1, 3))
        made, broken = endings[CLOSE_MADE], endings[CLOSE_FAILED] + endings[OVERTAKEN]
        assert made >= 5 * broken, preset


def view_of(hand: Hand, **changed: int) -> View:
    """View of the seat to move, some of its fields changed: `mine` and `theirs` are the points of both sides."""
    view: View = hand.view(hand.to_move)
    view.points[0] = changed.pop("mine", view.points[0])
    view.points[1] = changed.pop("theirs", view.points[1])
    for name, value in changed.items():
        setattr(view, name, value)
    return view


def answer(hand: Hand, **changed: int) -> str:
    action = play_normal(view_of(hand, **changed), hand.rules.record()[0], DEFAULTS, np.zeros(1, np.uint64))
    return action_text(action)


def test_every_weight_of_normal_has_its_place() -> None:
    places = [(getattr(weights, name), name.lower()) for name in vars(weights) if name.isupper()]
    assert [name for _, name in sorted(places)] == [field.name for field in fields(Normal)]
    assert load_agent("normal").agent.params() == tuple(DEFAULTS)


def test_normal_does_not_trump_with_the_nine_that_it_can_exchange() -> None:
    stock = "TS KS JS AC TC AD TD TH KH QH JH AS"
    hand = hand_of("AH QD 9C JC JD 9D", "9S QS KC 9H QC KD", stock, "PLAY AH")
    assert answer(hand) == "PLAY QS"


def test_normal_lets_the_last_open_trick_go_for_the_turned_up_trump() -> None:
    stock = "TS KS JS AH TC AD TD TH KH QH QS AS"
    hand = hand_of("9H QD 9C JC KC QC", "JH 9D JD 9S KD AC", stock, "PLAY 9H")
    assert answer(hand, n_stock=4) == "PLAY JH"
    assert answer(hand, n_stock=2) == "PLAY 9D"


def test_normal_spends_a_trump_to_keep_the_other_side_from_66() -> None:
    stock = "TS KS JS AC TC AD TD TH KH QH JH AS"
    hand = hand_of("JC QD 9C JD KD 9H", "QS 9D KC AH QC 9S", stock, "PLAY JC")
    assert answer(hand, theirs=40) != "PLAY QS"
    assert answer(hand, theirs=64, n_stock=4) in ("PLAY QS", "PLAY KC", "PLAY QC")


def test_having_closed_normal_pulls_trumps_first() -> None:
    stock = "9S 9H JH TC KC QC TD KD QD 9D 9C QS"
    hand = hand_of("AS TS KS JS AH AD", "KH QH TH JC AC JD", stock, "CLOSE")
    assert answer(hand).endswith("S")


@pytest.mark.parametrize(("other", "expected"), [("TH", "CLOSE"), ("9C", "not CLOSE")])
def test_after_a_plain_marriage_normal_closes_only_if_its_king_wins(other: str, expected: str) -> None:
    stock = "JS 9H JH TC KC QC TD KD QD 9D AC KS"
    rest = "9C" if other == "TH" else "TH"
    hand = hand_of(f"AH {other} KH QH AS TS", f"QS 9S {rest} JC JD AD", stock, "MELD H")
    assert (answer(hand, mine=30) == "CLOSE") == (expected == "CLOSE")


def test_with_one_game_point_to_go_on_both_sides_only_the_chance_of_a_close_counts() -> None:
    """At 0:0 a close that fails costs three game points while the other side has no trick; at 6:6 all are alike."""
    closes = []
    for score in ((0, 0), (6, 6)):
        hands = (Hand.of_deal(load_rules("sixtysix"), 5, deal, score) for deal in range(2000))
        closes.append({deal for deal, hand in enumerate(hands) if answer(hand) == "CLOSE"})
    assert closes[0] < closes[1]

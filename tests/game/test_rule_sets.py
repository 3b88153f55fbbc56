import pytest

from harness.errors import FaultsError, UsageError
from harness.game.presets import preset, preset_names
from harness.game.rule_sets import choose_rule_sets, other_values
from harness.game.rules import FIELDS


def names(specs: list[str], toggles: list[str], base: str | None = None) -> list[str]:
    return [rule_set.name for rule_set in choose_rule_sets(specs, toggles, base)[0]]


def faults(specs: list[str], toggles: list[str], base: str | None = None) -> tuple[str, ...]:
    with pytest.raises(FaultsError) as caught:
        choose_rule_sets(specs, toggles, base)
    return caught.value.faults


def test_a_toggled_flag_is_its_opposite_and_a_word_each_other_word() -> None:
    assert names(["sixtysix"], ["declare.automatic", "marriage.counts"]) == [
        "sixtysix",
        "sixtysix declare.automatic=true",
        "sixtysix marriage.counts=at-once",
        "sixtysix marriage.counts=next-trick",
    ]
    assert names(["skillgames"], ["declare.automatic"])[1] == "skillgames declare.automatic=false"


def test_a_toggled_number_is_each_other_one_or_the_nearest_four() -> None:
    assert other_values(FIELDS["close.failed"], 2) == [1, 3]
    assert other_values(FIELDS["last_trick.bonus"], 10) == [0]
    assert other_values(FIELDS["close.min_stock"], 2) == [3, 4, 5, 6]
    assert other_values(FIELDS["match.target"], 7) == [5, 6, 8, 9]
    assert other_values(FIELDS["match.target"], 99) == [95, 96, 97, 98]


def test_a_toggle_with_a_value_is_that_one_and_changes_the_base_alone() -> None:
    chosen, _ = choose_rule_sets(["sixtysix", "bicycle"], ["close.graded=closing"], "bicycle")
    assert [rule_set.name for rule_set in chosen] == ["bicycle", "sixtysix", "bicycle close.graded=closing"]
    assert chosen[2].rules == preset("bicycle").rules.with_fields({"close.graded": "closing"})
    assert chosen[1].rules == preset("sixtysix").rules


def test_all_names_every_preset_and_every_field() -> None:
    assert names(["all"], []) == list(preset_names())
    swept, left_out = choose_rule_sets(["sixtysix"], ["all"])
    assert left_out == ()
    assert {rule_set.name.split()[1].split("=")[0] for rule_set in swept[1:]} == set(FIELDS)


def test_a_sweep_leaves_out_what_cannot_be_played_and_says_so() -> None:
    chosen, left_out = choose_rule_sets(["sixtysix exchange.min_stock=10"], ["all"])
    # With 12 wanted none is left after the first trick; with nines 12 cards are in the stock at first.
    assert "sixtysix exchange.min_stock=10 exchange.min_stock=12" in [rule_set.name for rule_set in chosen]
    chosen, left_out = choose_rule_sets(["sixtysix exchange.min_stock=11"], ["all"])
    assert any("nines=false" in sentence and "never met" in sentence for sentence in left_out)
    assert not any(rule_set.name.endswith("nines=false") for rule_set in chosen)


def test_everything_wrong_with_rule_sets_is_told_at_once() -> None:
    told = faults(["sixtysix", "bicicle", "sixtysix"], ["close.grade"])
    assert len(told) == 3
    assert 'did you mean "bicycle"?' in told[0]
    assert told[1] == 'rules "sixtysix": a rule set that is called sixtysix is there already'
    told = faults(["sixtysix"], ["close.grade", "nines=maybe", "nines=true", "close.min_stock=13"])
    assert 'did you mean "close.graded"?' in told[0]
    assert told[1] == "nines = maybe: must be true or false"
    assert told[2] == "nines = true is what sixtysix has already: give another value"
    assert len(told) == 4


def test_a_combination_that_cannot_be_played_is_refused_with_its_name() -> None:
    (fault,) = faults(["sixtysix close.first_lead=false"], ["close.min_stock=12"])
    assert fault.startswith("sixtysix close.first_lead=false close.min_stock=12: close.min_stock = 12 with")


def test_the_base_is_one_of_the_rule_sets() -> None:
    assert faults(["sixtysix", "bicycle"], [], "bicyle") == (
        'base = "bicyle": must be one of the rule sets, sixtysix, bicycle; did you mean "bicycle"?',
    )


def test_one_rule_set_alone_is_no_comparison() -> None:
    with pytest.raises(UsageError, match="bicycle alone has nothing to be compared with"):
        choose_rule_sets(["bicycle"], [])

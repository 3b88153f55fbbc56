"""Rules as a value: types, ranges, faults, the record for the core, and `--rule field=value`."""

import subprocess
import sys
from typing import get_args

import pytest
from pydantic import ValidationError

from harness.core import records
from harness.errors import ExitStatus, FaultsError, UsageError
from harness.game.rules import DEFAULTS, FIELDS, Rules, Value, find_field, parse_rule, parse_rules
from tests.helpers.reference_presets import SIXTYSIX


def faults_of(changes: dict[str, object]) -> tuple[str, ...]:
    with pytest.raises(FaultsError) as caught:
        Rules().with_fields(changes)
    assert caught.value.status == ExitStatus.USAGE
    assert all(fault in str(caught.value) for fault in caught.value.faults)
    return caught.value.faults


def test_defaults_are_preset_sixtysix() -> None:
    assert Rules().flat() == DEFAULTS == SIXTYSIX


def test_fields_stand_in_the_order_of_the_record() -> None:
    assert tuple(name.replace(".", "_") for name in FIELDS) == records.RULES_DTYPE.names


def test_every_field_says_what_it_does() -> None:
    for field in FIELDS.values():
        assert field.about and "\n" not in field.about, field.name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("exchange.turn", records.EXCHANGE_TURNS),
        ("marriage.stock", records.MARRIAGE_STOCKS),
        ("marriage.counts", records.MARRIAGE_COUNTS),
        ("marriage.lead", records.MARRIAGE_LEADS),
        ("close.graded", records.CLOSE_GRADES),
        ("undeclared", records.UNDECLARED),
        ("match.dealer", records.MATCH_DEALERS),
    ],
)
def test_words_have_the_numbers_of_the_core(name: str, words: tuple[str, ...]) -> None:
    assert FIELDS[name].choices == words
    for number, word in enumerate(words):
        record = Rules().with_fields({name: word}).record()
        assert record.shape == (1,)
        assert record.dtype == records.RULES_DTYPE
        assert record[0][name.replace(".", "_")] == number


def test_record_holds_every_field() -> None:
    changes: dict[str, object] = {
        "nines": False, "exchange.min_stock": 4, "close.failed": 1, "close.failed_trickless": 2,
        "close.overtaken": 3, "close.overtaken_trickless": 1,
        "declare.false_penalty": 3, "declare.false_trickless": 1,
        "last_trick.bonus": 0, "unscored.carry": False, "match.target": 99, "strict.head": False,
    }  # fmt: skip
    record = Rules().with_fields(changes).record()[0]
    for name, value in (DEFAULTS | changes).items():
        expected = FIELDS[name].choices.index(value) if isinstance(value, str) else value
        assert record[name.replace(".", "_")] == expected, name


def test_rules_are_frozen_and_equal_by_value() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Rules().nines = False
    assert Rules() == Rules() and hash(Rules()) == hash(Rules())
    assert Rules().with_fields({"nines": False}) != Rules()
    assert Rules().with_fields({"nines": False}).with_fields({"nines": True}) == Rules()


def test_change_leaves_everything_else() -> None:
    changed = Rules().with_fields({"close.graded": "closing"})
    assert changed.close.graded == "closing"
    assert changed.flat() == DEFAULTS | {"close.graded": "closing"}


BOOLS = [name for name, field in FIELDS.items() if field.choices == (True, False)]
WORDS = [name for name, field in FIELDS.items() if field.choices and isinstance(field.choices[0], str)]
NUMBERS = {
    **dict.fromkeys(["close.failed", "close.failed_trickless", "close.overtaken", "close.overtaken_trickless"], (1, 3)),
    **dict.fromkeys(["declare.false_penalty", "declare.false_trickless"], (1, 3)),
    **dict.fromkeys(["exchange.min_stock", "close.min_stock"], (2, 12)),
    "match.target": (1, 99),
}


def test_every_field_is_of_a_known_kind() -> None:
    assert {*BOOLS, *WORDS, *NUMBERS, "last_trick.bonus"} == set(FIELDS)


@pytest.mark.parametrize("name", BOOLS)
@pytest.mark.parametrize("value", [0, 1, "true", "false", None, 1.0])
def test_flag_is_only_true_or_false(name: str, value: object) -> None:
    (fault,) = faults_of({name: value})
    assert fault.startswith(f"{name} = ") and "must be true or false" in fault


@pytest.mark.parametrize("name", NUMBERS)
def test_number_has_its_range(name: str) -> None:
    low, high = NUMBERS[name]
    for fine in (low, high):
        assert Rules().with_fields({name: fine}).flat()[name] == fine
    for wrong in (low - 1, high + 1, -2, True, False, str(low), float(low), None):
        (fault,) = faults_of({name: wrong})
        assert fault.startswith(f"{name} = ") and f"must be a whole number from {low} to {high}" in fault


@pytest.mark.parametrize("value", [False, True, 5, 10.0, 0.0, "10", None])
def test_bonus_is_ten_or_nothing(value: object) -> None:
    assert Rules().with_fields({"last_trick.bonus": 0}).last_trick.bonus == 0
    (fault,) = faults_of({"last_trick.bonus": value})
    assert "last_trick.bonus = " in fault and "must be 10 or 0" in fault


@pytest.mark.parametrize("name", WORDS)
def test_word_is_one_of_its_words(name: str) -> None:
    words = [str(choice) for choice in FIELDS[name].choices]
    for wrong in ("", words[0].upper(), words[0] + "s", True, 0):
        (fault,) = faults_of({name: wrong})
        assert fault.startswith(f"{name} = ")
        assert f"must be {', '.join(words[:-1])} or {words[-1]}" in fault
    (fault,) = faults_of({name: words[-1].replace("-", "_").upper()})
    assert f'did you mean "{words[-1]}"?' in fault or "-" not in words[-1]


def test_unknown_field_names_the_nearest() -> None:
    assert faults_of({"close.graed": "end"}) == ('there is no rule field "close.graed"; did you mean "close.graded"?',)
    (fault,) = faults_of({"players": 3})
    assert 'no rule field "players"' in fault


def test_group_is_not_a_field() -> None:
    (fault,) = faults_of({"strict": True})
    assert "strict = true: this is a group" in fault and "strict.head, strict.trump" in fault


def test_rules_must_be_a_table() -> None:
    with pytest.raises(FaultsError, match="rules are a table of fields, not 3"):
        Rules.model_validate(3)


def test_all_faults_at_once() -> None:
    faults = faults_of(
        {"nines": 1, "close.failed": 4, "undeclared": "some", "exchange.turns": "any",
         "close.min_stock": True, "exchange.min_stock": 12, "exchange.after_trick": True}
    )  # fmt: skip
    assert len(faults) == 5, faults  # the exchange is not judged: it depends on nines, which is faulty itself
    fault_heads = [fault.split(" = ")[0] for fault in faults if " = " in fault]
    assert sorted(fault_heads) == ["close.failed", "close.min_stock", "nines", "undeclared"]
    two = faults_of({"close.failed": 4, "exchange.min_stock": 12, "exchange.after_trick": True})
    assert len(two) == 2


@pytest.mark.parametrize(
    ("changes", "most", "named"),
    [
        ({}, 12, []),
        ({"nines": False}, 10, ["nines = false"]),
        ({"exchange.after_trick": True}, 10, ["exchange.after_trick = true"]),
        ({"exchange.first_lead": False}, 10, ["exchange.first_lead = false"]),
        ({"nines": False, "exchange.first_lead": False}, 8, ["nines = false", "exchange.first_lead = false"]),
        ({"nines": False, "exchange.after_trick": True, "exchange.first_lead": False}, 8,
         ["exchange.after_trick = true", "exchange.first_lead = false"]),
    ],
)  # fmt: skip
def test_exchange_must_be_possible(changes: dict[str, object], most: int, named: list[str]) -> None:
    assert Rules().with_fields({**changes, "exchange.min_stock": most}).exchange.min_stock == most
    (fault,) = faults_of({**changes, "exchange.min_stock": most + 1})
    assert fault.startswith(f"exchange.min_stock = {most + 1}")
    assert all(field in fault for field in named), fault


@pytest.mark.parametrize(
    ("changes", "most"),
    [
        ({}, 12),
        ({"nines": False}, 10),
        ({"close.first_lead": False}, 10),
        ({"nines": False, "close.first_lead": False}, 8),
        ({"exchange.first_lead": False}, 12),
    ],
)
def test_close_must_be_possible(changes: dict[str, object], most: int) -> None:
    assert Rules().with_fields({**changes, "close.min_stock": most}).close.min_stock == most
    (fault,) = faults_of({**changes, "close.min_stock": most + 1})
    assert fault.startswith(f"close.min_stock = {most + 1}")


def test_idle_fields_are_no_fault() -> None:
    Rules().with_fields({"close.allowed": False, "nines": False, "close.min_stock": 12, "close.first_lead": False})
    Rules().with_fields({"declare.automatic": True, "declare.false_penalty": 3})


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("declare.automatic=true", "declare.automatic", True),
        (" nines = false ", "nines", False),
        ("match.target=11", "match.target", 11),
        ("last_trick.bonus=0", "last_trick.bonus", 0),
        ("undeclared=sole-66", "undeclared", "sole-66"),
    ],
)
def test_rule_option(text: str, name: str, value: Value) -> None:
    parsed = parse_rule(text)
    assert parsed == (name, value)
    assert type(parsed[1]) is type(value)


def test_every_value_can_be_given_on_the_command_line() -> None:
    for name, field in FIELDS.items():
        for value in field.choices or (field.low, field.high):
            text = str(value).lower() if isinstance(value, bool) else str(value)
            assert parse_rule(f"{name}={text}") == (name, value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("declare.automatic=yes", "declare.automatic = yes: must be true or false"),
        ("declare.automatic=True", "must be true or false"),
        ("declare.automatic", "write declare.automatic=VALUE; it must be true or false"),
        ("declare.automtic=true", 'did you mean "declare.automatic"?'),
        ("close.failed=4", "close.failed = 4: must be a whole number from 1 to 3"),
        ("close.failed=", "must be a whole number from 1 to 3"),
        ("close.failed=1.0", "must be a whole number from 1 to 3"),
        ("close.failed=٣", "must be a whole number from 1 to 3"),
        ("undeclared=nobdy", 'did you mean "nobody"?'),
        ("close=true", 'no rule field "close"'),
        ("=", 'no rule field ""'),
    ],
)
def test_rule_option_faults(text: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_rule(text)
    assert says in str(caught.value)


def test_rule_options_together() -> None:
    assert parse_rules(["nines=false", "match.target=3"]) == {"nines": False, "match.target": 3}
    with pytest.raises(FaultsError) as caught:
        parse_rules(["nines=false", "nines=true", "close.failed=9", "foo=1"])
    assert len(caught.value.faults) == 3
    assert "nines is given twice: false and true" in caught.value.faults


def test_find_field() -> None:
    assert find_field("match.target").allowed == "a whole number from 1 to 99"
    with pytest.raises(UsageError, match=r'did you mean "match\.target"'):
        find_field("match.targt")


def test_rules_load_nothing_heavy() -> None:
    """Reading rules must not pay for the compiler, the database or the plots."""
    heavy = "{'numba', 'scipy', 'matplotlib', 'duckdb', 'pandas'}"
    code = f"import sys, harness.game.presets as p; p.load_rules('bicycle'); print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_annotations_are_closed() -> None:
    """No field takes a free text."""
    assert all(field.choices or field.high for field in FIELDS.values())
    assert get_args(Rules.model_fields["undeclared"].annotation) == records.UNDECLARED

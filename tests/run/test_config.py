import json
from pathlib import Path
from typing import Any

import pytest

from harness.agent_api.limits import Limits
from harness.errors import FaultsError, UsageError
from harness.game.presets import load_rules
from harness.run.config import RunConfig, build_config, read_config_file, stored_config

AGENTS = ["random", "easy", "normal"]


def faults(rule_texts: tuple[str, ...] = (), **settings: Any) -> list[str]:
    with pytest.raises(FaultsError) as caught:
        build_config(settings, rule_texts)
    return list(caught.value.faults)


def numbers(config: RunConfig) -> list[tuple[int, int, int]]:
    return [(p.number, p.first, p.second) for p in config.pairings]


def test_what_nobody_says_is_the_documented_default() -> None:
    config = build_config({"agents": AGENTS})
    assert (config.deals, config.seed, config.format, config.anchor) == (10_000, 1, "round-robin", None)
    assert config.rules == load_rules("sixtysix")


def test_all_faults_are_told_at_once() -> None:
    told = faults(
        rule_texts=("close.failed=9", "nins=true"),
        agents=["normal", "easy:=3"],
        rules="sxtysix",
        format="gauntlt",
        deals=0,
        seed=-1,
    )
    assert len(told) == 7
    for words in ('"easy:=3"', 'did you mean "sixtysix"', "close.failed = 9", '"nins"; did you mean "nines"'):
        assert any(words in fault for fault in told), words
    assert 'format = "gauntlt": must be "round-robin", "gauntlet" or "ladder"; did you mean "gauntlet"?' in told
    assert "deals = 0: must be a whole number from 1 to 1,000,000,000,000" in told
    assert "seed = -1: must be a whole number from 0 to 9223372036854775807" in told


@pytest.mark.parametrize("value", [True, 1.0, "10", None, [1]])
def test_a_number_is_nothing_but_a_number(value: object) -> None:
    assert len(faults(agents=AGENTS, deals=value)) == 1
    assert len(faults(agents=AGENTS, seed=value)) == 1


@pytest.mark.parametrize("agents", [None, [], ["random"], "random", [1, 2], 3])
def test_two_agents_are_needed(agents: object) -> None:
    assert len(faults(agents=agents)) == 1


@pytest.mark.parametrize("seed", [0, 2**63 - 1])
def test_every_seed_from_zero_is_a_seed(seed: int) -> None:
    assert build_config({"agents": AGENTS, "seed": seed}).seed == seed


def test_an_impossible_rule_set_is_refused() -> None:
    (fault,) = faults(rule_texts=("close.min_stock=12", "close.first_lead=false"), agents=AGENTS)
    assert "never met" in fault


def test_rule_changes_of_file_and_command_line_are_laid_over_each_other() -> None:
    table = {"close": {"graded": "closing", "failed": 3}, "nines": False}
    config = build_config({"agents": AGENTS, "rules": "bicycle", "rule": table}, ("close.failed=1",))
    changes = {"close.graded": "closing", "close.failed": 1, "nines": False}
    assert config.rules == load_rules("bicycle").with_fields(changes)


def test_a_mirror_match_has_two_names() -> None:
    config = build_config({"agents": ["normal", "normal", "easy"], "anchor": "normal#2"})
    assert config.agent_names == ("normal", "normal#2", "easy")


def test_no_two_names_are_equal_whatever_the_texts() -> None:
    assert build_config({"agents": ["s=a", "s=a", "s=a#2"]}).agent_names == ("s=a", "s=a#3", "s=a#2")
    assert build_config({"agents": ["a#2", "a", "a", "a", "a#2"]}).agent_names == ("a#2", "a", "a#3", "a#4", "a#2#2")


def test_a_fault_of_two_agents_is_told_once() -> None:
    assert len(faults(agents=["", ""])) == 1


def test_agents_and_anchor_are_written_in_one_way() -> None:
    config = build_config({"agents": ["easy: slip=0.3 ", "normal:b=2,a=1"], "anchor": "normal:a=1,b=2"})
    assert config.agents == ("easy:slip=0.3", "normal:a=1,b=2")
    assert config.anchor == "normal:a=1,b=2"
    (fault,) = faults(agents=AGENTS, anchor="esy")
    assert fault == 'anchor = "esy": must be one of the agents, random, easy, normal; did you mean "easy"?'


def test_pairings_keep_their_number_when_the_field_grows() -> None:
    assert numbers(build_config({"agents": list("abc")})) == [(0, 0, 1), (1, 0, 2), (2, 1, 2)]
    assert numbers(build_config({"agents": list("abcd")}))[:3] == [(0, 0, 1), (1, 0, 2), (2, 1, 2)]


def test_a_gauntlet_is_the_first_agent_against_each_other() -> None:
    assert numbers(build_config({"agents": list("abcd"), "format": "gauntlet"})) == [(0, 0, 1), (1, 0, 2), (3, 0, 3)]


def test_a_ladder_is_each_agent_against_the_next() -> None:
    assert numbers(build_config({"agents": list("abcd"), "format": "ladder"})) == [(0, 0, 1), (2, 1, 2), (5, 2, 3)]


def test_the_digest_is_that_of_the_content() -> None:
    base = {"agents": AGENTS, "rules": "american"}
    config = build_config(base)
    assert config.digest() == build_config({**base, "name": "other", "seed": 1}).digest()
    assert config.digest() == build_config({**base, "rules": "american nines=true"}).digest()
    for change in ({"seed": 0}, {"deals": 9}, {"rules": "bicycle"}, {"agents": AGENTS[::-1]}, {"format": "gauntlet"}):
        assert config.digest() != build_config({**base, **change}).digest()


def test_a_config_file_gives_settings_and_a_name(tmp_path: Path) -> None:
    path = tmp_path / "evening.toml"
    path.write_text('agents = ["a", "b"]\ndeals = 5\n[rule]\nnines = false\nclose.failed = 3\n')
    settings = read_config_file(path)
    config = build_config(settings)
    assert (config.name, config.deals) == ("evening", 5)
    assert config.rules == load_rules("sixtysix nines=false close.failed=3")


def test_files_are_looked_for_beside_the_config_file_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "evenings"
    folder.mkdir()
    for place in (folder, tmp_path):
        (place / "house.toml").write_text(f"nines = {'false' if place == folder else 'true'}\n")
        (place / "bot.py").write_text("")
    (tmp_path / "here.py").write_text("")
    (folder / "bicycle").write_text("")  # no file is found where a preset has that name
    (folder / "evening.toml").write_text(
        'agents = ["bot.py:Bot:depth=3", "here.py:Bot", "normal", "cmd:python3 bot.py 3"]\n'
        'anchor = "bot.py:Bot:depth=3"\nrules = "house.toml"\n'
    )
    monkeypatch.chdir(tmp_path)
    config = build_config(read_config_file(Path("evenings/evening.toml")))
    assert config.agents == (
        "evenings/bot.py:Bot:depth=3",
        "here.py:Bot",
        "normal",
        "cmd:python3 evenings/bot.py 3",
    )
    assert config.anchor == config.agents[0]
    assert config.rules == load_rules("sixtysix nines=false")
    (folder / "evening.toml").write_text('agents = ["a", "b"]\nrules = "bicycle"\n')
    assert build_config(read_config_file(folder / "evening.toml")).rules == load_rules("bicycle")


def test_a_config_file_may_begin_with_a_mark_of_its_encoding(tmp_path: Path) -> None:
    (tmp_path / "evening.toml").write_bytes(b'\xef\xbb\xbfagents = ["a", "b"]\nrules = "house.toml"\n')
    (tmp_path / "house.toml").write_bytes(b"\xef\xbb\xbfnines = false\n")
    assert not build_config(read_config_file(tmp_path / "evening.toml")).rules.nines


def test_the_example_of_a_rule_table_in_the_first_tournament_is_one(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "configs" / "tournaments" / "first.toml").read_text(encoding="utf-8")
    table = text[text.index("# [rule]") :]
    (tmp_path / "first.toml").write_text(text.replace(table, table.replace("# ", "")))
    changes = {"nines": False, "close.graded": "closing"}
    assert build_config(read_config_file(tmp_path / "first.toml")).rules == load_rules("sixtysix").with_fields(changes)


def test_unknown_settings_are_refused_with_the_nearest_known(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text('agent = ["a", "b"]\ndeal = 5\n')
    with pytest.raises(FaultsError) as caught:
        read_config_file(path)
    assert ['did you mean "agents"?' in caught.value.faults[0], 'did you mean "deals"?' in caught.value.faults[1]] == [
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("content", "reason"), [(b"agents = [", "is not TOML"), (b'name = "\xff"', "not text in UTF-8")]
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=reason) as caught:
        read_config_file(path)
    assert str(path) in str(caught.value)


def test_every_tournament_that_comes_with_the_package_loads() -> None:
    folder = Path(__file__).parents[2] / "configs" / "tournaments"
    files = sorted(folder.glob("*.toml"))
    assert files
    for file in files:
        assert build_config(read_config_file(file)).name == file.stem


def test_the_first_tournament_is_a_million_hands() -> None:
    folder = Path(__file__).parents[2] / "configs" / "tournaments"
    config = build_config(read_config_file(folder / "first.toml"))
    assert config.agents == ("random", "easy", "normal")
    assert 2 * config.deals * len(config.pairings) == 1_000_002


def test_limits_and_record_have_their_defaults_and_bounds() -> None:
    config = build_config({"agents": AGENTS, "limits": {"move_seconds": 2}, "record": "actions"})
    assert (config.limits, config.record) == (Limits(move_seconds=2), "actions")
    told = faults(
        agents=AGENTS,
        limits={"move_second": 3, "hand_seconds": 0, "memory_mb": 10, "start_seconds": True},
        record="all",
    )
    assert len(told) == 5
    assert any('"move_second"; the limits are move_seconds, ' in fault and "did you mean" in fault for fault in told)
    assert "limits.memory_mb = 10: must be a number from 256 to 1,048,576" in told
    assert 'record = "all": must be "none", "hands" or "actions"' in told
    assert faults(agents=AGENTS, limits=3) == ["limits = 3: must be a table of limits"]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"name": "an evening", "rules": "bicycle", "rule": {"nines": True}, "seed": 0, "deals": 7},
        {"rules": "schnapsen-sharp", "format": "gauntlet", "anchor": "easy", "limits": {"memory_mb": 300}},
        {"record": "hands", "name": "random vs easy vs normal"},
    ],
)
def test_a_config_can_be_made_again_from_what_a_run_stores(settings: dict[str, Any]) -> None:
    config = build_config({"agents": AGENTS, **settings})
    stored = json.loads(json.dumps(config.content()))
    again = stored_config(config.title, stored, config.record)
    assert (again.digest(), again.title, again.record) == (config.digest(), config.title, config.record)
    assert again.rules == config.rules


def test_what_is_recorded_does_not_change_the_digest_of_a_config_and_limits_do() -> None:
    plain, recorded, limited = (
        build_config({"agents": AGENTS, **settings}).digest()
        for settings in ({}, {"record": "actions"}, {"limits": {"move_seconds": 1}})
    )
    assert plain == recorded != limited

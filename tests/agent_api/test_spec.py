"""How agents are written: TARGET, then parameters behind the colon that has an equals sign after it; cmd: programs."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.agent_api.spec import AgentSpec, beside, parse_spec
from harness.errors import ExitStatus, UsageError


@pytest.mark.parametrize(
    ("text", "target", "parameters"),
    [
        ("random", "random", {}),
        ("agents.random:Random", "agents.random:Random", {}),
        ("bots/my.py:Bot", "bots/my.py:Bot", {}),
        ("easy:slip=0.3", "easy", {"slip": "0.3"}),
        ("bots/my.py:Bot:depth=3", "bots/my.py:Bot", {"depth": "3"}),
        ("agents.easy:Easy:slip=0.3", "agents.easy:Easy", {"slip": "0.3"}),
        ("/a b/my.py:Bot:b=2,a=1", "/a b/my.py:Bot", {"a": "1", "b": "2"}),
        ("  easy: slip = 0.3 , other = x ", "easy", {"slip": "0.3", "other": "x"}),
        ("x:key=a=b", "x", {"key": "a=b"}),
        ("run=1/my.py:Bot", "run=1/my.py:Bot", {}),
    ],
)
def test_target_and_parameters(text: str, target: str, parameters: dict[str, str]) -> None:
    spec = parse_spec(text)
    assert spec.target == target
    assert dict(spec.parameters) == parameters


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("easy", "easy"),
        (" easy:slip=0.3", "easy:slip=0.3"),
        ("b:y=2,x=1", "b:x=1,y=2"),
        ("bots/my.py:Bot: depth = 3", "bots/my.py:Bot:depth=3"),
    ],
)
def test_the_canonical_text_names_an_agent_in_tables(text: str, canonical: str) -> None:
    assert parse_spec(text).text == canonical
    assert parse_spec(canonical) == parse_spec(text)


WORDS = st.text("abcxyz01_./-", min_size=1)


@given(st.lists(WORDS, min_size=1, max_size=2), st.dictionaries(WORDS, WORDS, max_size=3))
def test_the_canonical_text_reads_back(places: list[str], parameters: dict[str, str]) -> None:
    spec = AgentSpec(":".join(places), tuple(sorted(parameters.items())))
    assert parse_spec(spec.text) == spec


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", '"" names no agent: write an agent as NAME, MODULE:CLASS or PATH.py:CLASS'),
        ("  ", "names no agent"),
        (":", '":" names no agent'),
        ("a:", '"a:" names no agent'),
        (":Bot", '":Bot" names no agent'),
        (":a=1", '":a=1" names no agent'),
        ("easy:slip=", '"slip=" in "easy:slip=" is not a parameter'),
        ("easy:=3", '"=3" in "easy:=3" is not a parameter'),
        ("easy:slip=0.3,", '"" in "easy:slip=0.3," is not a parameter'),
        ("easy:slip=0.3,deep", '"deep" in "easy:slip=0.3,deep" is not a parameter'),
        ("easy:slip=1,slip=2", 'the parameter "slip" stands twice in "easy:slip=1,slip=2": give it once'),
    ],
)
def test_what_cannot_be_read_is_told(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_spec(text)
    assert said in str(caught.value)
    assert caught.value.status == ExitStatus.USAGE
    assert "as in easy:slip=0.3" in str(caught.value) or "give it once" in str(caught.value)


def test_a_value_may_hold_a_colon() -> None:
    assert parse_spec("bot:weights=C:/w.npz") == AgentSpec("bot", (("weights", "C:/w.npz"),))


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("cmd:./my-bot", "./my-bot"),
        (" cmd:  ./my-bot --level 3 ", "./my-bot --level 3"),
        ("cmd:bot --level=3", "bot --level=3"),
        ("cmd:bot a:b=c,d=e:f", "bot a:b=c,d=e:f"),
        ("cmd:'my bot' \"a  b\"", "'my bot' \"a  b\""),
    ],
)
def test_all_that_follows_cmd_is_a_command_line(text: str, command: str) -> None:
    spec = parse_spec(text)
    assert spec.command == command
    assert spec.parameters == ()
    assert spec.text == f"cmd:{command}"
    assert parse_spec(spec.text) == spec


def test_other_agents_have_no_command() -> None:
    assert parse_spec("cmd").command is None
    assert parse_spec("bots/cmd:Bot").command is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cmd:", '"cmd:" names no program: write cmd:PROGRAM ARGUMENTS'),
        ("cmd:  ", "names no program"),
        ("cmd:'' --level 3", "names no program"),
        ("cmd:./bot 'deep", "a quotation mark is missing: quote it as for a shell"),
        ('cmd:./bot "deep', "a quotation mark is missing"),
        ("cmd:./bot deep\\", "it ends in a backslash"),
    ],
)
def test_a_command_line_that_cannot_be_read_is_told(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_spec(text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mine.py:Bot:depth=3", "{}/mine.py:Bot:depth=3"),
        ("other.py:Bot", "other.py:Bot"),
        ("normal", "normal"),
        ("cmd:./my-bot --level 3", "cmd:{}/my-bot --level 3"),
        ("cmd:python3 mine.py weights/w.bin x.bin", "cmd:python3 {}/mine.py {}/weights/w.bin x.bin"),
        ("cmd:my-bot plain", "cmd:my-bot plain"),
        ("cmd:./my-bot 'a b'", "cmd:{}/my-bot 'a b'"),
        ("cmd:other/my-bot", "cmd:other/my-bot"),
        ("cmd:./my-bot 'broken", "cmd:./my-bot 'broken"),
    ],
)
def test_files_of_agents_are_those_beside_the_config(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "weights").mkdir()
    for name in ("mine.py", "my-bot", "plain", "weights/w.bin"):
        (tmp_path / name).touch()
    assert beside(text, tmp_path) == expected.replace("{}", str(tmp_path))
    assert beside(text, Path()) == text

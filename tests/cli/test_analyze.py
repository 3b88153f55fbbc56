"""``analyze``, and positions that ``show`` writes."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from harness.core.records import VIEW_DTYPE
from harness.game.hand import Hand
from harness.game.position import Position
from harness.game.position_file import load_position
from harness.game.presets import load_rules
from harness.game.transcript import read_transcript
from harness.run.config import build_config
from tests.helpers.command import REPOSITORY, call
from tests.helpers.positions import problem
from tests.helpers.stored_runs import store_run

CONFIGS = REPOSITORY / "configs" / "positions"


@pytest.fixture(autouse=True)
def files(empty_folder: Path) -> None:
    for name in ("tompa-127", "tompa-142", "last-four"):
        shutil.copy(CONFIGS / f"{name}.toml", empty_folder)
    (empty_folder / "closed.toml").write_text(problem("tompa-116").text)
    (empty_folder / "first.toml").write_text('hand = "AS TS KS QS JS 9S"\nturned_up = "9H"\n')


def succeed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    status, out, err = call(capsys, *arguments)
    assert status == 0, err
    return out


def numbers(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(succeed(capsys, "analyze", *arguments, "--json"))
    return content


def test_an_exact_analysis_is_a_table_of_whole_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    out = succeed(capsys, "analyze", "tompa-127.toml")
    assert out.startswith("tompa-127.toml: The Schnapsen Log, column 127\n")
    assert "\nPLAY TH     +1  best\nPLAY JS     -1\n" in out
    assert "all cards are known: exact" in out
    assert "theirs     AS QH KC TD KD\n" in out, "it follows, as the stock is used up"


@pytest.mark.parametrize(
    "arguments",
    [["tompa-127.toml"], ["closed.toml"], ["first.toml", "--worlds", "3"], ["tompa-142.toml", "--agent", "hard"]],
)
def test_the_text_fits_a_terminal(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    out = succeed(capsys, "analyze", *arguments)
    assert max(map(len, out.splitlines())) <= 80
    assert not any(line.endswith(" ") for line in out.splitlines())


def test_unknown_cards_are_averaged_over_and_it_is_said_how(capsys: pytest.CaptureFixture[str]) -> None:
    out = succeed(capsys, "analyze", "tompa-142.toml")
    assert re.search(r"^CLOSE    \+2\.000       -  100\.0%  best$", out, re.MULTILINE)
    assert re.search(r"^PLAY AD  \+1\.500   0\.500   83\.3%$", out, re.MULTILINE)
    words = " ".join(out.split())
    assert "mean over all 6 possible worlds" in words
    assert "double dummy, as if both sides knew all cards: it flatters the side that closes by 0.04 to 0.14" in words


def test_a_sample_has_errors_and_tells_of_what_it_was_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    out = succeed(capsys, "analyze", "last-four.toml", "--worlds", "100", "--seed", "5")
    assert "mean over 100 of 210 possible worlds, drawn with seed 5, ± one standard error" in " ".join(out.split())
    found = numbers(capsys, "last-four.toml", "--worlds", "100", "--seed", "5")
    assert {key: found[key] for key in ("method", "worlds", "possible_worlds", "sampled", "seed")} == {
        "method": "double dummy",
        "worlds": 100,
        "possible_worlds": 210,
        "sampled": True,
        "seed": 5,
    }
    best, *others = found["actions"]
    assert best["best"] and best["behind"] == 0
    for one in others:
        assert one["value"] <= best["value"]
        assert one["behind"] == pytest.approx(best["value"] - one["value"])
        assert f"{one['value']:+.3f} ± {one['error']:.3f}" in out


def test_the_json_of_an_exact_analysis_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    found = numbers(capsys, "tompa-127.toml")
    assert (found["method"], found["rules"], found["worlds"]) == ("exact", "schnapsen", 1)
    values = {one["action"]: one["value"] for one in found["actions"]}
    assert values == {"PLAY TH": 1, "PLAY JS": -1, "PLAY QS": -1, "PLAY QD": -1, "PLAY AD": -1}


def test_other_rules_give_other_values(capsys: pytest.CaptureFixture[str]) -> None:
    """Column 116: who fails with a close pays 2, or what the rules say."""
    best = numbers(capsys, "closed.toml")["actions"][0]["value"]
    dearer = numbers(capsys, "closed.toml", "--rule", "close.failed=3", "--rule", "close.overtaken=3")
    assert dearer["rules"] == "schnapsen close.failed=3 close.overtaken=3"
    assert dearer["actions"][0]["value"] > best
    assert numbers(capsys, "closed.toml", "--rules", "schnapsen-pagat")["rules"] == "schnapsen-pagat"


@pytest.mark.parametrize("agent", ["hard", "crazy:worlds=20"])
def test_an_agent_tells_what_it_expects_and_chooses(agent: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = succeed(capsys, "analyze", "last-four.toml", "--agent", agent, "--seed", "3")
    found = numbers(capsys, "last-four.toml", "--agent", agent, "--seed", "3")
    assert (found["method"], found["agent"], found["seed"]) == ("agent", agent, 3)
    judged = [one for one in found["actions"] if one["value"] is not None]
    assert judged == sorted(judged, key=lambda one: -one["value"])
    assert found["choice"] in {one["action"] for one in found["actions"]}
    assert re.search(rf"^{found['choice']} .*  its choice$", out, re.MULTILINE)
    assert {one["action"] for one in found["actions"]} == {f"PLAY {c}" for c in ("QS", "JS", "AH", "KH", "TC", "QC")}


def test_an_agent_that_does_not_judge_is_refused_with_those_that_do(capsys: pytest.CaptureFixture[str]) -> None:
    for agent in ("easy", "example"):
        status, out, err = call(capsys, "analyze", "last-four.toml", "--agent", agent)
        assert (status, out) == (2, "")
        assert err.startswith(f"error: {agent} does not tell what it thinks of each action")
        assert "of the installed agents crazy and hard do" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tompa-127.toml", "--worlds", "0"], "worlds = 0: must be a whole number from 2 to 1,000,000"),
        (["tompa-127.toml", "--worlds", "5", "--agent", "hard"], "--worlds is for the solver; an agent has parameters"),
        (["tompa-127.toml", "--seed", "-1"], "seed = -1: must be a whole number from 0"),
        (["tompa-127.toml", "--seed", "-1", "--agent", "hard"], "seed = -1: must be a whole number from 0"),
        (["tompa-127.toml", "--agent", "hrad"], 'there is no agent "hrad"'),
        (["tompa-127.toml", "--rule", "close.fialed=3"], 'there is no rule field "close.fialed"'),
        (["tompa-127.toml", "--rules", "sixtysix"], "turned_up is missing: give the card under the stock"),
        (["nowhere.toml"], "the position file nowhere.toml cannot be read: No such file or directory"),
        (["."], "the position file . cannot be read: Is a directory"),
    ],
)
def test_wrong_arguments_are_refused(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "analyze", *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


# ------------------------------------------------------------------------------- positions written by show


@pytest.mark.parametrize("rules", ["sixtysix", "schnapsen", "bicycle"])
@pytest.mark.parametrize("half", ["0", "1"])
def test_every_action_of_a_hand_has_its_position(
    rules: str, half: str, capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    asked = ["show", "normal", "easy", "--seed", "7", "--deal", "3", "--half", half, "--rules", rules, "--quiet"]
    played = read_transcript(succeed(capsys, *asked))
    hand = played.restarted()
    for number, (seat, action) in enumerate(played.history, start=1):
        extra = ["--all-cards"] if number % 2 else []
        succeed(capsys, *asked, "--at", str(number), "--position", f"{number}.toml", *extra)
        text = (empty_folder / f"{number}.toml").read_text()
        mover = ("normal", "easy")[seat ^ int(half)]
        assert text.startswith(f"# {mover} is to move, against ")
        assert f"before action {number} of deal 3, half {half}, seed 7" in text
        position = load_position(Path(f"{number}.toml"))
        assert position.view().tobytes() == hand.view(hand.to_move).tobytes()
        assert position == Position.of_hand(hand, with_stock=bool(extra))
        assert (int(position.view().legal) >> action) & 1
        hand.do(action)


def test_the_position_of_a_run_is_that_of_its_hand(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    succeed(capsys, "pit", "normal", "easy", "--deals", "3", "--out", "run", "--record", "actions", "--quiet")
    status, out, err = call(capsys, "show", "run", "--deal", "2", "--at", "5", "--position", "five.toml")
    assert (status, err) == (0, "the position before action 5 is in five.toml\n")
    hand = read_transcript(out)
    again = hand.restarted()
    for _, action in hand.history[:4]:
        again.do(action)
    assert load_position(Path("five.toml")) == Position.of_hand(again)
    assert "deal 2, half 0, of normal vs easy" in Path("five.toml").read_text()


def test_a_hand_of_a_match_has_its_score_and_carry(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    asked = ["show", "normal", "easy", "--match-play", "--at", "1", "--position", "third.toml", "--hand", "3"]
    out = succeed(capsys, *asked)
    third = read_transcript(out.split("# hand 3 of the match\n")[1].split("\n# hand 4")[0])
    assert third.score != (0, 0)
    assert load_position(Path("third.toml")).score in (third.score, third.score[::-1])
    assert load_position(Path("third.toml")) == Position.of_hand(third.restarted())
    assert "hand 3\n" in Path("third.toml").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--at", "3"], "a position needs both --position FILE and --at N"),
        (["--position", "new.toml"], "a position needs both --position FILE and --at N"),
        (["--all-cards"], "a position needs both --position FILE and --at N"),
        (["--at", "0", "--position", "new.toml"], "at = 0: must be a whole number from 1"),
        (["--at", "99", "--position", "new.toml"], "at = 99: there are "),
        (["--at", "3", "--position", "new.toml", "--hand", "2"], "hand = 2: there is 1 hand"),
        (["--at", "3", "--position", "first.toml"], "first.toml is there already: choose another name with --position"),
        (["--at", "3", "--position", "no/new.toml"], "no/new.toml cannot be written: No such file or directory"),
    ],
)
def test_a_position_that_cannot_be_written_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    before = (empty_folder / "first.toml").read_text()
    store_run(empty_folder / "run", build_config({"agents": ["normal", "easy"], "deals": 2}))
    for of in (["normal", "easy"], ["run"]):
        status, out, err = call(capsys, "show", *of, *arguments)
        assert (status, out) == (2, "")
        assert message in err
    assert (empty_folder / "first.toml").read_text() == before
    assert not (empty_folder / "new.toml").exists()


def test_views_of_positions_have_the_record_of_the_core() -> None:
    hand = Hand.of_deal(load_rules("sixtysix"), 1, 1)
    assert Position.of_hand(hand).view().dtype == VIEW_DTYPE

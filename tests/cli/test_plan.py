"""`plan`: how many deals it takes, from a pilot."""

import json
import re
from pathlib import Path

import pytest

from harness.stats.plan import deals_for_half_width, half_width_after
from harness.stats.scales import POINTS, WINS
from harness.store.reader import open_run
from tests.helpers.command import call
from tests.helpers.small_runs import play

pytestmark = pytest.mark.usefixtures("empty_folder")


def test_the_numbers_are_those_of_the_statistics(capsys: pytest.CaptureFixture[str]) -> None:
    play(Path("run"), ["normal", "easy"], 500)
    status, out, err = call(capsys, "plan", "run", "--half-width", "0.02gp", "--half-width", "5elo", "--json")
    assert status == 0, err
    plan = json.loads(out)
    with open_run(Path("run")) as run:
        counts = run.counts[0]
    for told, (scale, width) in zip(plan["wanted"], ((POINTS, 0.02), (WINS, 5.0)), strict=True):
        expected = deals_for_half_width(scale, counts, width)
        assert (told["deals"]["value"], told["deals"]["low"]) == (expected.value, expected.low)
    assert plan["after"][0] == {
        "deals": 1000,
        "game_points": half_width_after(POINTS, counts, 1000).half_width,
        "elo": half_width_after(WINS, counts, 1000).half_width,
    }
    assert plan["sprt"][1]["truth"] == 0.02
    assert plan["sprt"][1]["accepts_h1"] > 0.9


def test_a_run_of_matches_is_no_pilot(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "pit", "normal", "easy", "--match-play", "--deals", "30", "--out", "run")[0] == 0
    status, out, err = call(capsys, "plan", "run")
    assert (status, out) == (2, "")
    assert "it has matches, and a plan is made of single hands" in " ".join(err.split())


def test_a_pilot_leaves_nothing_behind(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "plan", "normal", "easy", "--pilot", "300")
    assert status == 0
    assert re.search(r"± 0\.01 game points a hand takes \d\d,\d{3} deals", out)
    assert all(len(line) <= 80 for line in out.splitlines())
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["normal"], "normal is not a folder: it has no run.duckdb"),
        (["normal", "easy", "random"], "3 names: give two agents, or the folder of a run"),
        (["normal", "easy", "--half-width", "3"], 'half-width = "3": must be a half-width above 0 with its unit'),
        (["normal", "random", "--pilot", "1"], "play a longer pilot, with --pilot N"),
        (["normal", "eesy"], 'did you mean "easy"?'),
        (["tournament"], "tournament cannot be a pilot: it must be a run of two agents"),
    ],
)
def test_what_cannot_be_planned_is_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    if arguments == ["tournament"]:
        play(Path("tournament"), ["random", "random", "random"], 2, name="tournament")
    status, out, err = call(capsys, "plan", *arguments)
    assert (status, out) == (2, "")
    assert said in err

"""The difficulty levels in order."""

import csv
import json
from itertools import pairwise
from pathlib import Path

import pytest

from harness.store.reader import open_run
from harness.store.rows import LADDER_FILES
from tests.helpers.command import call
from tests.helpers.figures import draw_nothing


@pytest.fixture(autouse=True)
def quick_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """The times of a move are measured once, shortly: here only that they are told matters."""
    monkeypatch.setattr("harness.run.bench.measure_moves.__defaults__", (1, 0.01))


def test_the_levels_that_are_installed_are_a_ladder_by_default(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    status, out, err = call(capsys, "ladder", "--deals", "10", "--json")
    assert status == 0, err
    content = json.loads(out)
    names = [level["name"] for level in content["levels"]]
    assert names == ["random", "easy", "normal", "hard", "crazy"]
    assert [(step["lower"], step["upper"]) for step in content["steps"]] == list(pairwise(names))
    # A hand of 24 cards has 12 to 24 cards led or followed, and a few other decisions.
    assert all(level["seconds_a_move"]["median"] > 0 for level in content["levels"])
    assert all(8 < level["decisions_a_hand"] < 30 for level in content["levels"])


def test_a_step_is_the_pairing_of_an_ordinary_run_seen_from_above(
    capsys: pytest.CaptureFixture[str], empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_nothing(monkeypatch)
    status, out, err = call(capsys, "ladder", "easy", "normal", "--deals", "300", "--out", "climb", "--json")
    assert status == 0, err
    content = json.loads(out)
    (step,) = content["steps"]
    assert (content["monotone"], step["kind"]) == (True, "step")
    status, out, _ = call(capsys, "report", "climb", "--json")
    (pairing,) = json.loads(out)["pairings"]
    assert step["game_points"]["value"] == pytest.approx(-pairing["game_points"]["value"])
    assert step["hands_won"]["value"] == pytest.approx(1 - pairing["hands_won"]["value"])
    wide = step["game_points_at_step_level"]
    assert wide["low"] < step["game_points"]["low"] < step["game_points"]["high"] < wide["high"]
    with open_run(Path("climb")) as run:
        assert run.config["format"] == "ladder"
        assert run.anchor == "easy"
    with Path("climb/report/ladder.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["level"], row["step_from"]) for row in rows] == [("easy", ""), ("normal", "easy")]
    # What was measured is kept by `report`, and goes when the run has other numbers.
    assert {path.name for path in Path("climb/report").glob("ladder.*")} == set(LADDER_FILES)
    assert call(capsys, "tournament", "--into", "climb", "--deals", "301")[0] == 0
    assert not list(Path("climb/report").glob("ladder.*"))


def test_a_ladder_that_goes_down_says_where_and_is_done(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    command = ("ladder", "easy", "normal", "random", "--deals", "200")
    status, out, _ = call(capsys, *command)
    assert status == 0
    text = out.replace("\n", " ")
    assert "The ladder is not monotone (99.9 % each, on game points): random is weaker than normal (-" in text
    assert "Proved: easy < normal." in text
    assert max(len(line) for line in out.splitlines()[1:] if not line.startswith("report")) <= 80
    status, again, err = call(capsys, *command)
    assert status == 0
    assert "the run is there already" in err
    assert again.splitlines()[:8] == out.splitlines()[:8]


def test_a_level_against_itself_is_no_step(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    _, out, _ = call(capsys, "ladder", "easy", "easy", "--deals", "100")
    assert "easy#2 is not proved to be better than easy" in out.replace("\n", " ")

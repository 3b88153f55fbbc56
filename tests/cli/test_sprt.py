"""Runs that end by themselves: `sprt` and `pit --until`, as a user sees them."""

import json
from pathlib import Path

import numpy as np
import pytest

from harness.report.stopping import ending_of
from harness.stats.after_stop import after_stop
from harness.stats.scales import POINTS
from harness.stats.sequence import confidence_sequence
from harness.stats.sequential import Design
from harness.store.reader import open_run
from tests.helpers.command import call

pytestmark = pytest.mark.usefixtures("empty_folder")
FAR = ("--points0", "0.2", "--points1", "0.3", "--block", "100")


def test_the_verdict_comes_first_then_the_corrected_estimate(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "sprt", "normal", "easy", *FAR, "--out", "run")
    assert status == 0, err
    text = " ".join(out.split())
    assert "normal is better than easy: at least 0.3 game points a hand rather than at most 0.2" in text
    assert "Corrected for the stop, the lead of normal is +0." in text
    with open_run(Path("run")) as run:
        assert run.stopped is not None
        assert f"{run.stopped:,} of at most 1,000,000 deals" in text
        design = Design(POINTS, 0.2, 0.3, 0.05, 0.05, 100, 1_000_000)
        estimate = after_stop(design, run.counts[0])
        ending = ending_of(run)
    assert ending is not None
    assert (ending.estimate, ending.look and ending.look.verdict) == (estimate, "H1")


def test_json_has_the_verdict_with_its_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "sprt", "easy", "normal", "--elo0", "0", "--elo1", "5", "--json", "--out", "run")
    stop = json.loads(out)["stop"]
    assert (stop["verdict"], stop["scale"], stop["kind"]) == ("H0", "elo", "sprt")
    assert stop["llr"] <= stop["bounds"][0] == pytest.approx(np.log(0.05 / 0.95))
    assert stop["estimate"]["low"] < stop["estimate"]["value"] < stop["estimate"]["high"] < 0
    assert json.loads(out) == json.loads(Path("run/report/summary.json").read_text())


def test_a_run_without_a_rule_has_no_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "pit", "easy", "normal", "--deals", "20", "--json")
    assert json.loads(out)["stop"] is None


def test_until_stops_at_the_width_and_says_what_the_interval_is(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "pit", "normal", "easy", "--until", "0.1gp", "--out", "run")
    assert status == 0
    with open_run(Path("run")) as run:
        interval = confidence_sequence(POINTS, run.counts[0])
        assert interval.half_width is not None
        assert 0.09 < interval.half_width <= 0.1
    text = " ".join(out.split())
    assert "an interval that may be watched and stopped at any time" in text
    assert "All other intervals are those of a run whose length was fixed before." in text


def test_elo_can_be_the_width_too(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "pit", "normal", "easy", "--until", "40 Elo", "--json")
    estimate = json.loads(out)["stop"]["estimate"]
    assert 0 < estimate["high"] - estimate["low"] <= 80


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("pit", "easy", "normal", "--until", "0.05"), 'until = "0.05": must be a half-width above 0 with its unit'),
        (("pit", "easy", "normal", "--until", "-1gp"), 'until = "-1gp": must be'),
        (("pit", "easy", "normal", "--until", "1.2.3gp"), 'until = "1.2.3gp": must be'),
        (("sprt", "easy", "normal", "--elo1", "3"), "--elo0 is missing: a test needs both bounds"),
        (("sprt", "easy", "normal", "--elo0", "0", "--elo1", "3", "--nelo1", "2"), "bounds on several scales"),
        (("sprt", "easy", "normal", "--elo0", "3", "--elo1", "0"), "h0 is below h1"),
        (
            ("sprt", "easy", "normal", "--points0", "0", "--points1", "7"),
            "7 game points a hand is not between -3 and 3",
        ),
        (("sprt", "easy", "normal", "--alpha", "0.7", "--beta", "0.4"), "risks are above 0 and together below 1"),
        (("sprt", "easy", "normal", "--block", "0"), "a block and a run have at least one deal"),
    ],
)
def test_what_cannot_be_tested_is_refused(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert said in err


def test_an_unfinished_test_has_no_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(
        capsys, "sprt", "normal", "normal", "--points1", "0.0001", "--points0", "0", "--deals", "60", "--json"
    )
    stop = json.loads(out)["stop"]
    assert stop["verdict"] == "none"
    assert "no verdict" in stop["words"]

"""What commands print fits a terminal of 80 columns, whatever agents and rules are called."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.cli import agents_check, bench
from harness.cli.output import adviser, refilled, table, unbroken
from harness.game.presets import preset, preset_names
from harness.game.rules import Rules
from harness.play.conformance.suite import Findings
from harness.play.conformance.verdict import Outcome, Verdict
from harness.report.analysis import analyse
from harness.report.compare_tables import comparison_text
from harness.report.ladder import MoveTime, analyse_ladder
from harness.report.ladder_report import ladder_text
from harness.report.planning import plan_of, plan_text
from harness.report.stopping import ending_of
from harness.report.words import wrap
from harness.run.config import build_config
from harness.run.stop import SCALES
from harness.store.rows import FaultRow
from tests.helpers.command import call
from tests.helpers.comparisons import made_up_comparison
from tests.helpers.figures import draw_nothing
from tests.helpers.runs import made_up_run
from tests.helpers.stored_runs import store_run

LONG = [f"{letter}{'.of.a.package' * 5}:AnAgentOfThatName:a_parameter=0.125" for letter in "abcdef"]
RATES = {"median": 1e7 / 3, "slowest": 1e7 / 7, "fastest": 1e7, "n": 5, "hands_per_million_steps": 12345.6}
PATHS = ("report  ", "page    ", "The first example: ")
"""Lines that are to be copied, and so are never broken."""


def longest(text: str) -> int:
    return max(len(line) for line in text.splitlines() if not line.startswith(PATHS))


@pytest.mark.parametrize(
    ("n_agents", "settings"),
    [
        (2, {}),
        (3, {}),
        (6, {"anchor": LONG[1]}),
        (2, {"play": "matches"}),
        (4, {"play": "matches"}),
        (2, {"stop": {"kind": "until", "scale": "points", "half_width": 0.1}, "deals": 1000}),
    ],
)
def test_reports_of_runs_with_long_names_fit(
    n_agents: int,
    settings: dict[str, Any],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    empty_folder: Path,
) -> None:
    draw_nothing(monkeypatch)
    config = build_config({"agents": LONG[:n_agents], "deals": 40, **settings})
    fault = FaultRow(0, 3, 1, 0, "crash", f"crashed: {LONG[0] * 3}")
    store_run(empty_folder / "run", config, {0: 25}, faults=[fault])
    status, out, err = call(capsys, "report", "run")
    assert status == 0, err
    assert longest(out) <= 80
    assert "crashed" in out
    for line in err.splitlines():
        assert len(line) <= 80 or " " not in line.strip(), "a name longer than a line is not broken"


def test_comparisons_of_all_presets_with_long_names_fit() -> None:
    text = comparison_text(made_up_comparison(dict(zip(LONG, (0.0, 0.3, 0.6), strict=False)), preset_names(), 30))
    assert longest(text) <= 80
    assert all(name in text for name in preset_names())


def test_ladders_with_long_names_fit() -> None:
    run = made_up_run(dict(zip(LONG, (0.0, 0.3, 0.3, 0.2, 1.5), strict=False)), 60)
    steps = [k for k, (low, high) in enumerate(run.pairings) if high == low + 1]
    climbed = replace(
        run, pairings=[run.pairings[k] for k in steps], block=run.block[steps], endings=run.endings[steps]
    )
    times = [MoveTime(9.9e-4 * 10**k, 1e-6 * 10**k, 0.999 * 10**k, 5, 17.0) for k in range(5)]
    assert longest(ladder_text(analyse_ladder(analyse(climbed), times), Rules())) <= 80


def test_plans_fit() -> None:
    run = made_up_run({"a": 0.0, "b": 0.1}, 100)
    wanted = [(scale, width) for scale in SCALES.values() for width in (1e-6, 0.123456)]
    assert longest(plan_text(plan_of(run.counts[0], wanted, 3.0))) <= 80


def test_verdicts_of_tests_with_long_names_fit() -> None:
    stop = {"kind": "sprt", "scale": "points", "h0": 0.0, "h1": 0.02, "alpha": 0.05, "beta": 0.05, "block": 20}
    run = made_up_run(dict(zip(LONG, (0.0, 0.3), strict=False)), 60)
    config = {**run.config, "stop": stop}
    ending = ending_of(type("Stopped", (), {**vars(run), "config": config, "counts": run.counts})())
    assert ending is not None
    assert longest(wrap(ending.words)) <= 80


def test_speeds_of_agents_with_long_names_fit() -> None:
    result = {
        "rules": f"sixtysix {' '.join(f'{name}=x' for name in Rules().flat())}",
        "reference": RATES,
        "agents": dict.fromkeys(LONG, RATES),
        "workers": {"agent": LONG[0], "rates": {"1": RATES, "16": RATES}, "ratio": 15.5},
    }
    assert longest(bench._text(result)) <= 80


def test_checks_of_agents_with_long_names_fit() -> None:
    verdict = Verdict("reproducible", Outcome.FAIL, "it does " * 30, hint="do " * 50, rules=preset_names())
    assert longest(agents_check._page(Findings(LONG[0], "compiled", 40, (verdict,)), 12)) <= 80


@pytest.mark.parametrize("other", ["schnapsen", "house.toml", "sixtysix nines=false close.failed=3 match.target=11"])
def test_differences_of_rules_fit(other: str, capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    (empty_folder / "house.toml").write_text(
        f'about = "{preset("bicycle").about}, as we play it"\nbase = "bicycle"\nnines = false\n'
    )
    for command in (("diff", "sixtysix", other), ("show", other)):
        status, out, err = call(capsys, "rules", *command)
        assert status == 0, err
        assert longest(out) <= 80


def test_a_table_breaks_its_last_column_or_puts_it_below_a_wide_one() -> None:
    words = "a sentence that goes on and on, " * 4
    assert table([("name", words), ("n", "x")]).splitlines() == [
        "name  a sentence that goes on and on, a sentence that goes on and on, a sentence",
        "      that goes on and on, a sentence that goes on and on,",
        "n     x",
    ]
    wide = "w" * 70
    assert table([(wide, "12 rows in the file"), ("n", "x")]).splitlines() == [
        wide,
        "    12 rows in the file",
        "n",
        "    x",
    ]


def test_advice_is_broken_to_fit_but_not_within_a_command_that_is_to_be_copied(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = "sixtysix report 'results/a folder with spaces in its name'"
    adviser(False)(f"note: {unbroken(command)} draws the figures and the page, which are a few words more")
    adviser(True)("note: nothing")
    assert capsys.readouterr().err.splitlines() == [
        f"note: {command} draws the",
        "    figures and the page, which are a few words more",
    ]


def test_a_docstring_is_broken_anew_only_where_it_does_not_fit() -> None:
    long = "word " * 30
    text = f"Short.\nlines\n\n{long}\nmore\n\nParameters\n----------\nslip\n    {long}\n    - one\n    - two"
    lines = refilled(text).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[:3] == ["Short.", "lines", ""]
    assert lines[4].endswith("word more")
    assert lines[6:9] == ["Parameters", "----------", "slip"]
    assert lines[-2:] == ["    - one", "    - two"]
    assert all(line.startswith("    ") for line in lines[9:])

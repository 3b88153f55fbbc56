"""What the commands print and leave behind when all is well."""

import errno
import json
import os
import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from harness.errors import ExitStatus
from harness.game.presets import load_rules, preset, preset_names
from harness.game.rules import FIELDS
from harness.game.transcript import read_transcript
from harness.store.reader import open_run
from tests.helpers.command import REPOSITORY, call

ODD_FILE = REPOSITORY / "tests" / "helpers" / "odd_agents.py"


def succeed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    status, out, err = call(capsys, *arguments)
    assert status == 0, err
    assert "Traceback" not in err
    return out


def summary(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(succeed(capsys, *arguments, "--json"))
    return content


def test_pit_prints_a_verdict_and_leaves_a_run_with_a_report(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    out = succeed(capsys, "pit", "normal", "random", "--deals", "200")
    assert out.startswith("normal vs random under sixtysix: 200 deals, each twice, seed 1\n")
    assert "normal beats random by +" in out
    (folder,) = (empty_folder / "results").iterdir()
    assert {path.name for path in folder.iterdir()} == {"run.duckdb", "run.log", "report"}
    assert f"report  {folder.relative_to(empty_folder)}/report\n" in out
    with open_run(folder) as run:
        assert out.endswith(f"digest  {run.digest:016x}\n")
        assert folder.name == f"normal-vs-random-{run.config_digest[:8]}"


def test_json_is_the_summary_file_to_the_letter_and_nothing_else(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    out = succeed(capsys, "pit", "easy", "random", "--deals", "50", "--out", "run", "--json")
    assert out == (empty_folder / "run" / "report" / "summary.json").read_text(encoding="utf-8")
    assert json.loads(out)["config"]["seed"] == 1


def test_json_survives_an_agent_that_prints(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capfd, "pit", f"{ODD_FILE}:Printer", "random", "--deals", "5", "--json")
    assert status == ExitStatus.AGENT_FAULT
    assert json.loads(out)["hands"] == 10


@pytest.mark.parametrize("folder", ["md:mine", "sqlite:mine", ":memory:", "s3:/mine", "~mine'", "*[a]"])
def test_a_folder_is_a_folder_whatever_its_name(
    folder: str, capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    succeed(capsys, "pit", "easy", "random", "--deals", "5", "--out", f"./{folder}")
    assert (empty_folder / folder / "run.duckdb").is_file()
    with open_run(Path(folder)) as run:
        assert run.complete


def test_a_report_is_that_of_the_run_just_played(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    succeed(capsys, "pit", "easy", "random", "--deals", "5", "--out", "run")
    monkeypatch.setattr("harness.run.folder.claimed_folder", lambda folder, replace: nullcontext())
    monkeypatch.setattr("harness.run.play.play_run", lambda *arguments: None)
    status, out, err = call(capsys, "pit", "easy", "random", "--deals", "6", "--out", "run", "--replace")
    assert (status, out) == (4, "")
    assert "run holds another run than the one that was just played" in err


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), 4, "cannot be written to run/report (No space left"),
        (KeyboardInterrupt(), 130, "stopped before the report was written"),
    ],
)
def test_a_report_that_is_not_written_leaves_the_run_and_says_where(
    error: BaseException,
    status: int,
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(run: object, folder: Path, plot: bool) -> None:
        raise error

    monkeypatch.setattr("harness.report.report.write_report", fail)
    got, out, err = call(capsys, "pit", "easy", "random", "--deals", "5", "--out", "run")
    assert (got, out) == (status, "")
    assert words in err
    assert "the run itself is complete in run\n" in err
    with open_run(Path("run")) as run:
        assert run.complete


def test_a_mirror_match_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert "normal#2" in succeed(capsys, "pit", "normal", "normal", "--deals", "50")


def test_a_quiet_command_says_nothing_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "pit", "normal", "random", "--deals", "50", "--quiet")[2] == ""


def test_results_never_stand_on_stderr_nor_progress_on_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, err = call(capsys, "pit", "normal", "random", "--deals", "50", "--out", "run")
    assert "hands in" in err
    assert "hands in" not in out
    assert "digest" not in err


def test_an_existing_run_is_replaced_only_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["pit", "random", "random", "--deals", "20", "--out", "run"]
    first = succeed(capsys, *arguments)
    assert call(capsys, *arguments)[0] == 2
    assert succeed(capsys, *arguments, "--replace") == first


def test_an_option_counts_before_the_environment_before_the_file_before_the_default(
    capsys: pytest.CaptureFixture[str], empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (empty_folder / "small.toml").write_text(
        'agents = ["easy", "random"]\ndeals = 30\nseed = 3\nrules = "bicycle"\n[rule]\nnines = false\n'
    )

    def config(*more: str) -> dict[str, Any]:
        content: dict[str, Any] = summary(capsys, "tournament", "small.toml", "--out", "run", "--replace", *more)[
            "config"
        ]
        return content

    assert [config()[key] for key in ("deals", "seed", "format")] == [30, 3, "round-robin"]
    assert config()["rules"]["nines"] is False
    assert config()["rules"]["exchange.turn"] == "any"
    monkeypatch.setenv("SIXTYSIX_SEED", "0")
    monkeypatch.setenv("SIXTYSIX_DEALS", "20")
    monkeypatch.setenv("SIXTYSIX_RULES", "american")
    assert [config()[key] for key in ("deals", "seed")] == [20, 0]
    assert config()["rules"]["exchange.turn"] == "lead"
    assert config("--seed", "9", "--rule", "nines=true")["seed"] == 9
    assert config("--rule", "nines=true")["rules"]["nines"] is True


def test_rules_of_the_command_line_count_before_all_rules_of_the_file(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    (empty_folder / "cup.toml").write_text(
        'agents = ["random", "easy"]\nrules = "bicycle"\ndeals = 2\n[rule]\nclose.failed = 3\n'
    )

    def rules(*arguments: str) -> dict[str, Any]:
        config: dict[str, Any] = summary(capsys, "tournament", "cup.toml", *arguments, "--replace")["config"]
        return config["rules"]  # type: ignore[no-any-return]

    assert rules() == load_rules("bicycle close.failed=3").flat()
    assert rules("--rule", "nines=false") == load_rules("bicycle close.failed=3 nines=false").flat()
    assert rules("--rules", "american") == load_rules("american").flat()


def test_the_number_of_workers_changes_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    digests = set()
    for workers in ("1", "2"):
        monkeypatch.setenv("SIXTYSIX_WORKERS", workers)
        digests.add(summary(capsys, "tournament", "random", "easy", "--deals", "300", "--out", workers)["digest"])
    assert len(digests) == 1


def test_a_tournament_prints_ranking_report_and_digest(capsys: pytest.CaptureFixture[str]) -> None:
    out = succeed(capsys, "tournament", "random", "easy", "normal", "--deals", "300", "--anchor", "random")
    assert "1 normal" in out
    assert "3 random" in out
    assert "report  results/random-vs-easy-vs-normal-" in out
    gauntlet = summary(
        capsys, "tournament", "random", "easy", "normal", "--deals", "30", "--format", "gauntlet", "--out", "g"
    )
    assert [(p["first"], p["second"]) for p in gauntlet["pairings"]] == [("random", "easy"), ("random", "normal")]


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("rules", ["sixtysix", "schnapsen", "bicycle"])
def test_show_prints_the_hand_that_the_run_has_played(
    capsys: pytest.CaptureFixture[str], half: int, rules: str
) -> None:
    pairing = ["normal", "example", "--seed", "7", "--rules", rules]
    succeed(capsys, "pit", *pairing, "--deals", "4", "--out", "run")
    with open_run(Path("run")) as run:
        codes = next(run.blocks())[0].tolist()
    for deal, code in enumerate(codes):
        out = succeed(capsys, "show", *pairing, "--deal", str(deal), "--half", str(half))
        hand = read_transcript(out)
        assert hand.result is not None
        sign = 0 if hand.result.winner is None else 1 if hand.result.winner == half else -1
        assert sign * hand.result.game_points == (code % 7 if half else code // 7) - 3
        assert f"# seat {half} (normal)" in out


def test_show_prints_a_faulty_hand_up_to_the_fault(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "show", f"{ODD_FILE}:Illegal", "random")
    assert status == 3
    assert out.startswith("transcript 1")
    assert "Illegal returned 63, which is no action" in err


def test_the_command_in_a_fault_shows_that_fault(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["pit", f"{ODD_FILE}:Crasher", "random", "--deals", "20", "--rules", "bicycle close.failed=3"]
    arguments += ["--on-fault", "abort"]
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (3, "")
    assert "kept in results/" in err
    assert "ZeroDivisionError: an agent that divides by zero" in err
    (command,) = (line for line in err.splitlines() if "sixtysix show" in line)
    status, out, err = call(capsys, *shlex.split(command.partition("sixtysix ")[2]))
    assert status == 3
    assert "rules bicycle close.failed=3" in out
    assert "ZeroDivisionError: an agent that divides by zero" in err


def test_rules_are_listed_with_the_default_first(capsys: pytest.CaptureFixture[str]) -> None:
    out = succeed(capsys, "rules", "list")
    assert " ".join(out.split()) == " ".join(f"{name} {preset(name).about}" for name in preset_names())
    assert all(len(line) <= 80 for line in out.splitlines())


def test_every_field_of_a_rule_set_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    out = succeed(capsys, "rules", "show", "schnapsen", "--rule", "close.failed=1")
    assert all(len(line) <= 80 for line in out.splitlines())
    rows = out.replace("\n    ", " ").splitlines()
    shown = {row.split()[0]: row.split()[1] for row in rows if row and row.split()[0] in FIELDS}
    assert shown.keys() == FIELDS.keys()
    assert (shown["nines"], shown["close.failed"]) == ("false", "1")
    for name, field in FIELDS.items():
        (row,) = (row for row in rows if row.startswith(f"{name} "))
        assert row.endswith(f" {field.about} [{field.allowed}]")


def test_the_heading_says_which_rules_are_shown(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    def heading(*arguments: str) -> str:
        return succeed(capsys, "rules", "show", *arguments).partition("\n\n")[0].replace("\n", " ")

    (empty_folder / "house.toml").write_text('about = "As we play"\nbase = "bicycle"\nnines = false\n')
    assert heading("bicycle") == heading("bicycle", "--rule", "nines=true") == f"bicycle: {preset('bicycle').about}"
    assert heading("bicycle", "--rule", "nines=false") == heading("bicycle nines=false") == "bicycle nines=false"
    assert heading("house.toml") == "house.toml: As we play"
    assert heading("house.toml", "--rule", "close.failed=3") == "bicycle nines=false close.failed=3"


def test_rules_are_compared_field_by_field(capsys: pytest.CaptureFixture[str]) -> None:
    out = succeed(capsys, "rules", "diff", "sixtysix", "sixtysix nines=false close.failed=3")
    rows = [line.split()[:3] for line in out.splitlines()[1:] if not line.startswith(" ")]
    assert rows == [["nines", "true", "false"], ["close.failed", "2", "3"]]
    assert all(len(line) <= 80 for line in out.splitlines())
    assert "the same rules" in succeed(capsys, "rules", "diff", "bicycle", "bicycle")


def test_agents_are_listed_with_their_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    out = succeed(capsys, "agents", "list")
    assert all(len(line) <= 80 for line in out.splitlines())
    blocks = {block.split()[0]: block for block in out.split("\n\n")}
    assert {"random", "easy", "normal", "example"} <= blocks.keys()
    assert "example  Python, of the package sixtysix\n" in blocks["example"]
    assert "parameters: greed=10" in blocks["example"]
    assert "compiled" in blocks["normal"]
    assert "no parameters" in blocks["random"]


def test_bench_prints_rates_beside_the_reference(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.run.bench.measure_agent.__defaults__", (2, 0.01))
    monkeypatch.setattr("harness.run.bench.measure_reference.__defaults__", (2, 10_000))
    result = json.loads(succeed(capsys, "bench", "random", "example", "--json"))
    assert result["agents"].keys() == {"random", "example"}
    for rates in result["agents"].values():
        assert rates["slowest"] <= rates["median"] <= rates["fastest"]
        assert rates["hands_per_million_steps"] == pytest.approx(1e6 * rates["median"] / result["reference"]["median"])
    monkeypatch.setattr("harness.run.bench.measure_crew.__defaults__", (1, 0.1))
    out = succeed(capsys, "bench", "random", "--workers", "2")
    assert "median of 2 runs" in out
    assert "workers: 1" in out
    assert "workers: 2" in out
    assert "SplitMix64" in out

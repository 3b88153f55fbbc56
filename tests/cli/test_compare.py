"""House rules on common deals: whole comparisons in small."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.errors import InterruptedRunError
from harness.game.rule_sets import choose_rule_sets
from harness.report.figures.of_comparison import FIGURES
from harness.run.comparison import begin_comparison, configs_of, described, placed
from harness.store.reader import open_run
from harness.store.rows import ChunkRow
from harness.store.writer import RunWriter
from tests.helpers.command import REPOSITORY, call
from tests.helpers.figures import draw_nothing
from tests.helpers.stored_runs import store_run

ODD_FILE = REPOSITORY / "tests" / "helpers" / "odd_agents.py"


def succeed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str]:
    status, out, err = call(capsys, *arguments)
    assert status == 0, err
    return out, err


def summary(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(succeed(capsys, *arguments, "--json")[0])
    return content


def test_each_rule_set_is_a_run_on_the_same_deals(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    command = "compare normal easy --rules sixtysix,schnapsen --toggle nines --deals 60"
    out, err = succeed(capsys, *command.split())
    assert out.startswith("normal vs easy under 3 rule sets: 60 deals, each twice, seed 1\n\nnormal beats easy under")
    assert "Without nines a pack is the same shuffle of 24 cards with the nines left out." in out.replace("\n", " ")
    (folder,) = (empty_folder / "results").iterdir()
    *played, note = err.split("\n", 3)
    assert played == ["1 of 3: sixtysix", "2 of 3: schnapsen", "3 of 3: sixtysix nines=false"]
    assert " ".join(note.split()) == f"note: sixtysix report results/{folder.name} draws the figures and the page"
    names = {"sixtysix", "schnapsen", "sixtysix-nines=false", "report", "comparison.json"}
    assert {path.name for path in folder.iterdir()} == names
    succeed(capsys, "pit", "normal", "easy", "--rules", "schnapsen", "--deals", "60", "--out", "alone")
    with open_run(folder / "schnapsen") as run, open_run(Path("alone")) as alone:
        assert (run.digest, run.config_digest) == (alone.digest, alone.config_digest)
    assert out.rstrip().endswith(f"report  {folder.relative_to(empty_folder)}/report")
    assert (folder / "report" / "comparison.txt").read_text(encoding="utf-8") in out


def test_a_rule_that_is_idle_changes_not_one_deal(capsys: pytest.CaptureFixture[str]) -> None:
    # Schnapsen in its two forms here declares by itself, so a false declaration costs whatever it likes.
    content = summary(
        capsys,
        "compare",
        "normal",
        "easy",
        "--rules",
        "schnapsen",
        "--toggle",
        "declare.false_penalty=1",
        "--deals",
        "80",
    )
    (pairing,) = content["pairings"]
    against = pairing["rule_sets"][1]["against_base"]
    assert against["deals_changed"]["value"] == 0
    assert {each["difference"]["value"] for each in against["differences"].values()} == {0}
    assert content["rule_sets"][0]["digest"] == content["rule_sets"][1]["digest"]


def test_a_comparison_is_gone_on_with_and_gets_more_rule_sets(capsys: pytest.CaptureFixture[str]) -> None:
    command = ("compare", "normal", "easy", "--deals", "40", "--out", "here")
    first, _ = succeed(capsys, *command, "--rules", "sixtysix,bicycle")
    again, err = succeed(capsys, *command, "--rules", "sixtysix,bicycle")
    assert again == first
    assert err.splitlines() == [
        "1 of 2: sixtysix, has been played already",
        "2 of 2: bicycle, has been played already",
        "note: sixtysix report here draws the figures and the page",
    ]
    _, err = succeed(capsys, *command, "--rules", "bicycle,american")
    assert err.splitlines()[:2] == ["1 of 2: bicycle, has been played already", "2 of 2: american"]


def test_a_run_that_was_stopped_is_played_to_its_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, empty_folder: Path
) -> None:
    command = ("compare", "example", "easy", "--rules", "sixtysix,bicycle", "--deals", "40", "--workers", "1")
    whole, _ = succeed(capsys, *command, "--out", "whole")
    committed = RunWriter.add

    def stop(writer: RunWriter, chunk: ChunkRow, elapsed: float) -> None:
        committed(writer, chunk, elapsed)
        if chunk.number == 2:
            raise InterruptedRunError("stopped")

    with monkeypatch.context() as patched:
        patched.setattr(RunWriter, "add", stop)
        status, out, err = call(capsys, *command, "--out", "stopped")
    assert (status, out) == (130, "")
    assert "the same sixtysix compare command again goes on with the comparison" in err
    again, err = succeed(capsys, *command, "--out", "stopped")
    assert "1 of 2: sixtysix, goes on" in err
    assert again.replace("stopped/report", "whole/report") == whole


def test_another_comparison_is_refused_with_the_ways_out(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    command = ("compare", "normal", "easy", "--rules", "sixtysix,bicycle", "--out", "here")
    succeed(capsys, *command, "--deals", "20")
    status, out, err = call(capsys, *command, "--deals", "30", "--seed", "2")
    assert (status, out) == (2, "")
    assert err == (
        "error: here holds another comparison (--replace deletes it and plays again, --out DIR plays elsewhere):\n"
        "  - deals: the comparison has 20, given was 30\n"
        "  - seed: the comparison has 1, given was 2\n"
    )
    out, _ = succeed(capsys, *command, "--deals", "30", "--replace")
    assert "30 deals, each twice" in out
    # A rules file that has changed gives another run by the same name.
    Path("house.toml").write_text("nines = false\n")
    files = ("compare", "normal", "easy", "--rules", "sixtysix,house.toml", "--deals", "20", "--out", "files")
    succeed(capsys, *files)
    Path("house.toml").write_text("close.allowed = false\n")
    status, _, err = call(capsys, *files)
    assert status == 2
    assert err.startswith("error: files/house holds another run than this one (normal vs easy under ")


def test_what_is_no_comparison_is_left_alone(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    succeed(capsys, "pit", "normal", "easy", "--deals", "5", "--out", "run")
    for extra in ((), ("--replace",)):
        status, _, err = call(capsys, "compare", "normal", "easy", "--toggle", "nines", "--out", "run", *extra)
        assert (status, err.splitlines()[0]) == (
            2,
            "error: run is there and not the folder of a comparison (it has no comparison.json): choose another one "
            "with --out",
        )
    with open_run(Path("run")) as run:
        assert run.complete


def test_more_than_two_agents_are_compared_pairing_by_pairing(capsys: pytest.CaptureFixture[str]) -> None:
    content = summary(capsys, "compare", "random", "easy", "normal", "--toggle", "close.allowed", "--deals", "30")
    met = [(pairing["first"], pairing["second"]) for pairing in content["pairings"]]
    assert met == [("random", "easy"), ("random", "normal"), ("easy", "normal")]
    assert all(len(pairing["rule_sets"]) == 2 for pairing in content["pairings"])
    out, _ = succeed(capsys, "compare", "random", "easy", "normal", "--toggle", "close.allowed", "--deals", "30")
    assert "easy against normal\n===================\n" in out


def test_an_agent_against_itself_is_about_the_seats(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = succeed(capsys, "compare", "normal", "normal", "--toggle", "close.allowed", "--deals", "30")
    text = out.replace("\n", " ")
    assert "normal against itself: both halves of each deal come out alike, so neither side is ahead" in text
    assert "matches won" not in out
    assert "Under sixtysix, seat 0, which leads, earns " in text
    out, _ = succeed(capsys, "compare", "random", "random", "--toggle", "close.allowed", "--deals", "30")
    assert "random against itself: neither side is better, whatever the rules; " in out.replace("\n", " ")


def test_faults_are_counted_and_have_their_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    command = f"compare {ODD_FILE}:Illegal random --toggle nines --deals 3 --json"
    status, out, err = call(capsys, *command.split())
    assert status == 3
    assert sum(each["forfeits"] for each in json.loads(out)["pairings"][0]["rule_sets"]) > 0
    assert "forfeited by faults" in err


def test_a_damaged_description_is_told(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    Path("here").mkdir()
    Path("here/comparison.json").write_text("{")
    status, _, err = call(capsys, "compare", "normal", "easy", "--toggle", "nines", "--out", "here")
    assert status == 4
    assert err.startswith("error: here/comparison.json is damaged: ")


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_one_command_plays_and_draws_win_rates_by_variant_and_the_report_is_made_again(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    command = "compare random easy --rules sixtysix,bicycle --deals 12 --out here"
    out, _ = succeed(capsys, *command.split(), "--plot")
    assert out.endswith("report  here/report\npage    here/report/report.html\n")
    drawn = files_of(Path("here/report"))
    assert drawn["figures/win-rates.png"].startswith(b"\x89PNG")
    assert {Path(name).stem for name in drawn if name.startswith("figures/")} == set(FIGURES)
    again, err = succeed(capsys, "report", "here")
    assert again == out
    assert files_of(Path("here/report")) == drawn
    assert "1 of 2" not in err
    # Without --plot the pictures stay while they show the same numbers, and go with them.
    succeed(capsys, *command.split())
    assert files_of(Path("here/report")) == drawn
    succeed(capsys, *command.replace("bicycle", "american").split())
    assert sorted(files_of(Path("here/report"))) == ["comparison.csv", "comparison.txt", "summary.json"]


def test_a_report_leaves_out_what_is_not_complete_and_says_how_to_go_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, empty_folder: Path
) -> None:
    draw_nothing(monkeypatch)
    comparison = Path("here")
    unfinished(comparison, {"bicycle": 4, "schnapsen": 10})
    out, err = succeed(capsys, "report", "here", "--json")
    content = json.loads(out)
    assert [one["name"] for one in content["rule_sets"]] == ["sixtysix", "schnapsen"]
    left_out = (
        "bicycle is not complete, 4 of 10 deals have been played (the same sixtysix compare command again goes on with "
        "it)"
    )
    assert content["left_out"] == [left_out]
    assert content["advice"][0] == f"Left out: {left_out}."
    assert f"note: Left out: {left_out}." in " ".join(err.split())
    assert (comparison / "report" / "comparison.txt").read_text(encoding="utf-8").startswith("Left out: bicycle")


def test_nothing_to_compare_yet_is_told(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    unfinished(Path("here"), {"bicycle": 4})
    status, out, err = call(capsys, "report", "here")
    assert (status, out) == (2, "")
    assert err.startswith(
        "error: there is nothing to compare sixtysix with yet: bicycle is not complete, 4 of 10 deals"
    )
    assert "schnapsen has not been played yet" in err


def test_a_description_with_the_base_alone_says_that_it_names_no_other(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    unfinished(Path("here"), {})
    file = Path("here") / "comparison.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**content, "rule_sets": content["rule_sets"][:1]}), encoding="utf-8")
    status, out, err = call(capsys, "report", "here")
    assert (status, out) == (2, "")
    problem = "there is nothing to compare sixtysix with yet: the file of the comparison names no other rule set"
    assert err == f"error: {problem}\n"


def test_a_comparison_of_an_earlier_version_says_what_it_lacks(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    unfinished(Path("here"), {"bicycle": 10, "schnapsen": 10})
    file = Path("here/comparison.json")
    content = json.loads(file.read_text(encoding="utf-8"))
    del content["rule_sets"]
    file.write_text(json.dumps(content), encoding="utf-8")
    status, _, err = call(capsys, "report", "here")
    assert status == 4
    assert err.startswith("error: here/comparison.json is of an earlier version and does not say which rule sets")
    for damaged in ('{"rule_sets": [{"name": "sixtysix"}]}', '{"rule_sets": 3}', "[]", '{"rule_sets": []}'):
        file.write_text(damaged, encoding="utf-8")
        status, _, err = call(capsys, "report", "here")
        assert status == 4
        assert err.startswith("error: here/comparison.json is damaged: ")


def test_a_description_that_does_not_agree_with_the_runs_is_damaged(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    unfinished(Path("here"), {"bicycle": 10, "schnapsen": 10})
    file = Path("here/comparison.json")
    whole = json.loads(file.read_text(encoding="utf-8"))
    without_seed = {key: value for key, value in whole.items() if key != "seed"}
    for damaged, key in (
        (without_seed, "seed"),
        (whole | {"deals": 7}, "deals"),
        (whole | {"agents": "easy"}, "agents"),
    ):
        file.write_text(json.dumps(damaged), encoding="utf-8")
        status, _, err = call(capsys, "report", "here")
        assert (status, err) == (4, f"error: here/comparison.json is damaged: {key} is not that of the runs\n")


def unfinished(folder: Path, played: Mapping[str, int]) -> None:
    """Write a comparison of which the base is complete, and of some others so many deals have been played."""
    names = ("sixtysix", "bicycle", "schnapsen")
    rule_sets, _ = choose_rule_sets(names, ())
    configs = configs_of({"agents": ["easy", "normal"], "deals": 10}, rule_sets)
    compared = placed(folder, rule_sets, configs)
    begin_comparison(described(folder, compared), replace=False)
    for name, one in zip(names, compared, strict=True):
        n_deals = {"sixtysix": 10, **played}.get(name)
        if n_deals is not None:
            store_run(one.folder, one.config, {0: n_deals})

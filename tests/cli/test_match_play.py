"""``--match-play``: whole matches in the commands, their words and their summary."""

import json
from pathlib import Path

import pytest

from harness.game.hand import Hand
from harness.game.transcript import read_transcript
from harness.store.reader import open_run
from tests.helpers.command import call

TITLE = "# hand "


def hands_of(text: str) -> list[Hand]:
    """Read the hands of a match that was shown."""
    return [read_transcript(part.partition("\n")[2]) for part in text.split(TITLE)[1:]]


def check_winner(text: str, half: int, points: int) -> None:
    """Check that the hands of a match lead to its result, under alternating deal and with the carry."""
    score, carry, leader = [0, 0], 0, half
    for hand in hands_of(text):
        assert max(score) < 7
        assert (hand.score, hand.carry) == ((score[leader], score[1 - leader]), carry)
        result = hand.result
        assert result is not None
        if result.winner is not None:
            score[result.winner ^ leader] += result.game_points
        carry = carry + 1 if result.winner is None else 0
        leader = 1 - leader
    assert score[0 if points > 0 else 1] >= 7 > score[1 if points > 0 else 0]


def test_pit_counts_matches(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "pit", "normal", "easy", "--match-play", "--deals", "100", "--out", "run")
    assert status == 0
    assert out.startswith("normal vs easy under sixtysix: 100 pairs of matches to 7, seed 1\n\nnormal beats easy: it ")
    assert "100 pairs of matches to 7 game points, played hand by hand" in out
    for words in ("hands won", "points a hand", "computed from hands", "How the hands end", "deals"):
        assert words not in out
    assert err.startswith("200 matches in ")
    with open_run(Path("run")) as run:
        assert run.config["play"] == "matches"
        codes = next(run.blocks())[0]
    won = sum(int(code) // 7 + int(code) % 7 - 4 for code in codes) / 2  # 2 and 4 stand for lost and won
    summary = json.loads((Path("run") / "report" / "summary.json").read_text())
    assert (summary["unit"], summary["hands"], summary["match_target"]) == ("match", 200, 7)
    (pairing,) = summary["pairings"]
    assert pairing["matches_won"] == pairing["hands_won"]
    assert pairing["matches_won"]["value"] == pytest.approx(won / 200)
    assert pairing["match_elo"] == pairing["elo"]
    assert pairing["hands_a_match"] is None
    assert all(check["passed"] for check in summary["self_checks"])


def test_a_tournament_counts_matches(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    config = tmp_path / "matches.toml"
    config.write_text('agents = ["random", "easy", "normal"]\ndeals = 60\nplay = "matches"\nrules = "schnapsen"\n')
    status, out, err = call(capsys, "tournament", str(config), "--out", "run")
    assert status == 0
    assert "matches under schnapsen: 60 pairs of matches to 7, in 3 pairings, seed 1\n" in out
    assert "normal leads, ahead of easy by +" in out
    assert "net wins a match" in out
    for words in ("hands won", "points a hand", "How the hands end", "deals"):
        assert words not in out + err
    options = ["random", "easy", "normal", "--deals", "60", "--rules", "schnapsen", "--match-play", "--out", "other"]
    assert call(capsys, "tournament", *options)[0] == 0
    with open_run(Path("run")) as one, open_run(Path("other")) as other:
        assert one.digest == other.digest


def test_show_prints_every_hand_of_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    pit = ["normal", "easy", "--match-play", "--seed", "4", "--out", "run"]
    assert call(capsys, "pit", *pit, "--deals", "4")[0] == 0
    with open_run(Path("run")) as run:
        codes = next(run.blocks())[0].tolist()
    for deal, code in enumerate(codes):
        for half in (0, 1):
            where = ["--deal", str(deal), "--half", str(half)]
            status, out, err = call(capsys, "show", "run", *where)
            assert (status, err) == (0, "note: the actions of this match are not recorded: it was played again\n")
            check_winner(out, half, (code % 7 if half else code // 7) - 3)
            assert (0, out) == call(capsys, "show", "normal", "easy", "--match-play", "--seed", "4", *where)[:2]
    assert call(capsys, "show", "run", "--match-play")[0] == 2


def test_a_fault_costs_the_match_and_names_the_command_that_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    moody = "tests.helpers.bots:Moody"
    status, out, _ = call(capsys, "pit", moody, "random", "--match-play", "--deals", "5", "--out", "run")
    assert status == 3
    assert "Matches lost by faults: " in out
    assert "matches forfeited" in out
    assert "game points each" not in out
    (example,) = [line for line in out.splitlines() if line.startswith("The first example: sixtysix show run ")]
    status, shown, _ = call(capsys, *example.partition("sixtysix ")[2].split())
    assert status == 0
    assert f"({moody}) forfeits the match: it " in shown
    abort = ["--match-play", "--deals", "5", "--out", "other", "--on-fault", "abort"]
    status, _, err = call(capsys, "pit", moody, "random", *abort)
    assert status == 3
    assert f"see the match: sixtysix show {moody} random --seed 1 --deal " in err
    assert " --match-play" in err


def test_what_goes_with_hands_only_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(capsys, "pit", "normal", "easy", "--match-play", "--record", "hands")
    assert status == 2
    assert 'record = "hands": single hands of matches are not kept' in " ".join(err.split())
    status, _, err = call(capsys, "pit", "normal", "easy", "--match-play", "--until", "0.02gp")
    assert status == 2
    assert "a run of matches plays all its deals" in " ".join(err.split())
    assert not Path("results").exists()

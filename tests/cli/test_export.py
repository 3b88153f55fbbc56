"""``sixtysix export``: which files, what is said, what is refused."""

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from harness.run.config import build_config
from harness.run.folder import reopened_folder
from harness.store.reader import open_run
from tests.helpers.command import call
from tests.helpers.figures import draw_nothing
from tests.helpers.stored_runs import store_run

CUP = build_config({"agents": ["random", "easy", "normal"], "deals": 40, "seed": 3, "name": "cup"})
TABLES = ("deals", "faults", "endings", "pairings", "agents")


def test_the_tables_go_into_the_run_and_their_names_are_the_result(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    store_run(empty_folder / "cup", CUP)
    status, out, err = call(capsys, "export", "cup")
    assert (status, err) == (0, "")
    assert [line.split(maxsplit=1) for line in out.splitlines()] == [
        [f"cup/export/{table}.csv", f"{n} rows"] for table, n in zip(TABLES, (120, 0, 6, 3, 3), strict=True)
    ]
    assert sorted(path.name for path in Path("cup/export").iterdir()) == sorted(f"{table}.csv" for table in TABLES)
    assert call(capsys, "export", "cup", "--quiet", "--replace") == (0, out, "")


def test_json_lists_the_files_with_their_rows(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    store_run(empty_folder / "cup", CUP)
    status, out, _ = call(capsys, "export", "cup", "--format", "pgn,parquet", "--out", "there/it is", "--json")
    assert status == 0
    files = {row["file"]: row["rows"] for row in json.loads(out)}
    assert files["there/it is/games.pgn"] == 240
    assert files["there/it is/deals.parquet"] == 120
    assert all(Path(name).is_file() for name in files)
    assert not Path("cup/export").exists()


def test_a_run_that_was_stopped_is_exported_as_far_as_it_went(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    store_run(empty_folder / "cup", CUP, done={0: 40, 1: 7, 3: 0})
    status, _, err = call(capsys, "export", "cup")
    assert status == 0
    assert "the run is not complete" in err
    with open_run(Path("cup")) as run:
        n_deals = int(run.counts.sum())
    with Path("cup/export/deals.csv").open() as file:
        assert len(list(csv.DictReader(file))) == n_deals < 120


def test_games_of_a_run_that_was_played_are_those_of_its_report(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_nothing(monkeypatch)
    assert call(capsys, "pit", "easy", "random", "--deals", "50", "--out", "run", "--record", "actions")[0] == 0
    assert call(capsys, "export", "run", "--format", "csv,pgn")[0] == 0
    games = Path("run/export/games.pgn").read_text()
    white, black, results = (re.findall(rf'\[{tag} "(.*)"\]', games) for tag in ("White", "Black", "Result"))
    wins: Counter[str] = Counter()
    for one, other, result in zip(white, black, results, strict=True):
        wins[{"1-0": one, "0-1": other, "1/2-1/2": "nobody"}[result]] += 1
    with Path("run/export/hands.csv").open() as file:
        hands = list(csv.DictReader(file))
    assert wins == Counter(hand["winner"] or "nobody" for hand in hands)
    assert white == [hand["leader"] for hand in hands]
    assert all(hand["actions"].startswith("0 ") for hand in hands)
    _, out, _ = call(capsys, "report", "run", "--json")
    (pairing,) = json.loads(out)["pairings"]
    assert pairing["hands"] == len(hands) == 100


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "nowhere is not a folder: it has no run.duckdb"),
        (
            ["cup", "--format", "parket"],
            'there is no format "parket"; the formats are csv, parquet, json, pgn; did you',
        ),
        (["cup", "--out", "a-file"], "the folder a-file cannot be made"),
        (
            ["cup", "--out", "full"],
            "full has deals.csv already: --replace writes them anew, --out DIR writes elsewhere",
        ),
        (["cup", "--out", "why?"], 'what follows a "?"'),
    ],
)
def test_what_is_wrong_is_told_in_a_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    store_run(empty_folder / "cup", CUP)
    Path("a-file").write_text("")
    Path("full").mkdir()
    Path("full/deals.csv").write_text("")
    before = sorted(empty_folder.rglob("*"))
    status, out, err = call(capsys, "export", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("error: ") and err.count("\n") == 1
    assert words in err
    assert sorted(empty_folder.rglob("*")) == before


def test_a_run_that_is_being_written_is_busy(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    store_run(empty_folder / "cup", CUP)
    with reopened_folder(Path("cup")):
        status, out, err = call(capsys, "export", "cup")
    assert (status, out) == (6, "")
    assert "another process is writing the run" in err
    assert not Path("cup/export").exists()

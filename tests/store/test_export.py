"""Exported files hold what the reader reads, in the order of play."""

import csv
import dataclasses
import json
import re
from collections import Counter
from pathlib import Path

import duckdb
import numpy as np
import pytest

from harness.errors import RunFileError, UsageError
from harness.store.export import FORMATS, export_run, parse_formats
from harness.store.reader import open_run
from harness.store.rows import AgentRow, RunHead
from tests.store.made_up import HEAD, chunks_of, deal_codes, fault, hands_of, write

ODD_NAMES = ('b:say="x"', "c\\d, o'neill")
ODD = dataclasses.replace(
    HEAD,
    name='one "fine" night \\ o\'clock',
    agents=(HEAD.agents[0], *(AgentRow(1 + i, name, name, "Python") for i, name in enumerate(ODD_NAMES))),
)


def make_run(folder: Path, head: RunHead = HEAD) -> None:
    chunks = chunks_of(deal_codes(), (400, 300, 1000))
    if head.record != "none":
        chunks = [dataclasses.replace(c, hands=hands_of(c, [b"\x01\x42"] * 2 * c.n_deals)[0]) for c in chunks]
    write(folder, [dataclasses.replace(chunks[0], faults=(fault(3, what='said "no",\nthen died'),)), *chunks[1:]], head)


def export(folder: Path, formats: str, replace: bool = False) -> dict[str, int]:
    with open_run(folder) as run:
        files = export_run(run, folder / "export", parse_formats(formats), replace)
    assert [file.path.parent for file in files] == [folder / "export"] * len(files)
    assert sorted(path.name for path in (folder / "export").iterdir()) == sorted(file.path.name for file in files)
    return {file.path.name: file.n_rows for file in files}


def test_parquet_read_back_is_the_codes_of_the_reader(tmp_path: Path) -> None:
    make_run(tmp_path)
    files = export(tmp_path, "parquet")
    assert files == {
        "deals.parquet": 3000, "faults.parquet": 1, "endings.parquet": 333, "pairings.parquet": 3, "agents.parquet": 3
    }  # fmt: skip
    columns = duckdb.read_parquet(str(tmp_path / "export" / "deals.parquet")).fetchnumpy()
    codes = (columns["half_0_points"].astype(int) + 3) * 7 + columns["half_1_points"] + 3
    with open_run(tmp_path) as run:
        block = np.concatenate(list(run.blocks()), axis=1)
    for row, pairing in enumerate((0, 1, 3)):
        assert np.array_equal(columns["deal"][columns["pairing"] == pairing], np.arange(1000))
        assert np.array_equal(codes[columns["pairing"] == pairing], block[row])


def test_csv_and_json_hold_the_same_texts(tmp_path: Path) -> None:
    make_run(tmp_path, dataclasses.replace(ODD, record="hands"))
    assert export(tmp_path, "csv,json")["hands.csv"] == 6000
    for table in ("deals", "hands", "faults", "endings", "pairings", "agents"):
        with (tmp_path / "export" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            from_csv = list(csv.DictReader(file))
        lines = (tmp_path / "export" / f"{table}.json").read_text(encoding="utf-8").splitlines()
        from_json = [{k: "" if v is None else str(v) for k, v in json.loads(line).items()} for line in lines]
        assert from_csv == from_json
    assert {row["name"] for row in from_csv} == {"a", *ODD_NAMES}


def test_the_games_in_pgn_are_the_hands_counted_otherwise(tmp_path: Path) -> None:
    make_run(tmp_path, ODD)
    assert export(tmp_path, "pgn") == {"games.pgn": 6000}
    text = (tmp_path / "export" / "games.pgn").read_text(encoding="utf-8")
    games: Counter[tuple[str, ...]] = Counter()
    rounds = []
    for game in re.split(r"\n\n(?=\[Event)", text.rstrip("\n")):
        tags = {
            tag: re.sub(r"\\(.)", r"\1", value) for tag, value in re.findall(r'\[(\w+) "((?:\\.|[^"\\])*)"\]', game)
        }
        games[tags["White"], tags["Black"], tags["Result"]] += 1
        rounds.append(tags["Round"])
        assert game.endswith(f"]\n\n{tags['Result']}")
    expected: Counter[tuple[str, ...]] = Counter()
    for codes, second in zip(deal_codes(), (*ODD_NAMES, ODD_NAMES[0]), strict=True):
        for code in codes.tolist():
            for leads, points in ((True, code // 7 - 3), (False, code % 7 - 3)):
                score = {0: "1/2-1/2", 1: "1-0", -1: "0-1"}[int(np.sign(points if leads else -points))]
                expected[("a", second, score) if leads else (second, "a", score)] += 1
    assert games == expected
    assert rounds[:800] == [f"{deal}.{half}" for deal in range(400) for half in (0, 1)]
    assert text.startswith('[Event "one \\"fine\\" night \\\\ o\'clock"]\n[Round "0.0"]\n[White "a"]\n')


def test_files_that_are_there_are_replaced_only_if_told(tmp_path: Path) -> None:
    make_run(tmp_path)
    export(tmp_path, "csv")
    (tmp_path / "export" / "deals.csv").write_text("mine")
    (tmp_path / "export" / "agents.csv").unlink()
    with pytest.raises(
        UsageError, match=r"has deals\.csv, faults\.csv, endings\.csv, pairings\.csv already: --replace"
    ):
        export(tmp_path, "csv")
    assert (tmp_path / "export" / "deals.csv").read_text() == "mine"
    assert not (tmp_path / "export" / "agents.csv").exists()
    assert export(tmp_path, "csv", replace=True)["deals.csv"] == 3000


def test_a_file_that_cannot_be_written_is_named_and_nothing_of_it_is_left(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    make_run(tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))
    try:
        with open_run(tmp_path) as run, pytest.raises(RunFileError, match=r"deals\.csv cannot be written.*too large"):
            export_run(run, tmp_path / "export", ("csv",), replace=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list((tmp_path / "export").iterdir()) == []


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    make_run(tmp_path)
    (tmp_path / "file").write_text("")
    with open_run(tmp_path) as run, pytest.raises(UsageError, match="cannot be made"):
        export_run(run, tmp_path / "file" / "export", ("csv",), replace=False)


def test_formats_are_read_tolerantly_and_never_guessed() -> None:
    assert parse_formats(" CSV,pgn, csv") == ("csv", "pgn")
    assert parse_formats(",".join(FORMATS)) == FORMATS
    for text in ("", "csv,,pgn", "parket"):
        with pytest.raises(UsageError, match="the formats are csv, parquet, json, pgn"):
            parse_formats(text)

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from harness.report.report import write_report
from tests.helpers.runs import made_up_run, summarise

RUN = made_up_run({"random": -1.0, "easy": 0.0, "normal": 0.3}, 300)


def test_a_report_is_a_folder_of_files_that_agree(tmp_path: Path) -> None:
    files = write_report(RUN, tmp_path / "new" / "report")
    assert sorted(path.name for path in files.folder.iterdir()) == [
        "faults.csv",
        "pairings.csv",
        "ratings.csv",
        "report.txt",
        "summary.json",
    ]
    summary = json.loads(files.summary_json.read_text(encoding="utf-8"))
    assert summary == files.summary == summarise(RUN) | {"stop": None}
    assert files.report_txt.read_text(encoding="utf-8").startswith(files.text)

    with files.ratings_csv.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == [agent["name"] for agent in summary["agents"]]
    for row, agent in zip(rows, summary["agents"], strict=True):
        assert float(row["elo"]) == agent["elo"]["value"]
        assert float(row["game_points_rating_low"]) == agent["game_points_rating"]["low"]
        assert int(row["hands"]) == 1200
        assert float(row["matches_won_high"]) == agent["matches_won"]["high"]
        assert (int(row["rank_best"]), int(row["rank_worst"])) == (agent["ranks"]["best"], agent["ranks"]["worst"])

    with files.pairings_csv.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["first"], row["second"]) for row in rows] == [
        ("random", "easy"),
        ("random", "normal"),
        ("easy", "normal"),
    ]
    for estimate in ("hands_won", "matches_won", "match_elo"):
        assert float(rows[2][f"{estimate}_high"]) == summary["pairings"][2][estimate]["high"]


def test_a_missing_number_is_an_empty_cell_with_its_reason(tmp_path: Path) -> None:
    files = write_report(made_up_run({"easy": 0.0, "normal": 0.3}, 0), tmp_path)
    with files.ratings_csv.open(encoding="utf-8", newline="") as file:
        row = next(csv.DictReader(file))
    assert row["elo"] == row["elo_low"] == ""
    assert row["elo_note"] == "played no hands"


def test_a_report_is_made_again_in_place(tmp_path: Path) -> None:
    first = write_report(RUN, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    write_report(RUN, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert first.folder == tmp_path


@pytest.mark.parametrize(
    "module", ["harness.report.tables", "harness.report.report", "harness.report.summary", "harness.stats.pairs"]
)
def test_importing_a_report_does_not_load_the_slow_libraries(module: str) -> None:
    probe = f"import sys, {module}; print([m for m in ('matplotlib', 'scipy', 'numba', 'pandas') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_making_a_report_without_figures_does_not_load_scipy_stats_nor_matplotlib(tmp_path: Path) -> None:
    probe = (
        "import sys; from pathlib import Path; from harness.report.report import write_report; "
        "from tests.helpers.runs import made_up_run; "
        f"write_report(made_up_run({{'a': 0.0, 'b': 0.1}}, 20), Path({str(tmp_path)!r})); "
        "print('scipy.stats' in sys.modules, 'matplotlib' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout == "False False\n"

from pathlib import Path

import pytest

from harness.errors import UsageError
from harness.run.config import build_config
from harness.run.folder import default_folder, prepare_folder


def test_the_folder_is_named_after_agents_or_config_and_the_digest() -> None:
    config = build_config({"agents": ["normal", "easy:slip=0.3"]})
    assert default_folder(config) == Path("results") / f"normal-vs-easy-slip=0.3-{config.digest()[:8]}"
    named = build_config({"agents": ["normal", "easy"], "name": "first"})
    assert default_folder(named) == Path("results") / f"first-{named.digest()[:8]}"


@pytest.mark.parametrize("agent", ["../../etc/bot.py:Bot", "/tmp/bot.py:Bot", "x" * 300])
def test_no_agent_leads_out_of_the_results(agent: str) -> None:
    folder = default_folder(build_config({"agents": [agent, "random"]}))
    assert folder.parent == Path("results")
    assert len(folder.name) < 100
    assert not folder.name.startswith(".")


def test_a_new_or_empty_folder_is_taken(tmp_path: Path) -> None:
    prepare_folder(tmp_path / "deep" / "down", replace=False)
    prepare_folder(tmp_path / "deep" / "down", replace=False)
    assert list((tmp_path / "deep" / "down").iterdir()) == []


def test_a_run_is_replaced_only_when_asked(tmp_path: Path) -> None:
    (tmp_path / "report").mkdir()
    for name in ("run.duckdb", "run.log", "report/summary.json"):
        (tmp_path / name).write_text("old")
    with pytest.raises(UsageError, match="--replace"):
        prepare_folder(tmp_path, replace=False)
    assert (tmp_path / "report" / "summary.json").read_text() == "old"
    prepare_folder(tmp_path, replace=True)
    assert list(tmp_path.iterdir()) == []


def test_what_is_left_of_a_run_that_never_began_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "run.log").write_text("old")
    with pytest.raises(UsageError, match=r"run\.log"):
        prepare_folder(tmp_path, replace=False)
    prepare_folder(tmp_path, replace=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("with_run", [True, False])
def test_files_of_others_are_never_deleted(tmp_path: Path, with_run: bool) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    if with_run:
        (tmp_path / "run.duckdb").write_text("old")
    for replace in (True, False):
        with pytest.raises(UsageError, match=r"thesis\.txt"):
            prepare_folder(tmp_path, replace=replace)
    assert (tmp_path / "thesis.txt").read_text() == "mine"


def test_a_place_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(UsageError, match="is a file"):
            prepare_folder(folder, replace=True)

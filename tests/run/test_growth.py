"""A run that grows is the run that it would have been: the same deals, and only what is missing is played."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.agent_api.registry import load_agent
from harness.errors import FaultsError, UsageError
from harness.run.so_far import read_so_far
from harness.run.sources import source_of
from harness.store.reader import open_run
from tests.helpers.command import call
from tests.helpers.figures import draw_nothing
from tests.helpers.small_runs import go_on, play, result


@pytest.mark.parametrize(
    ("growth", "whole"),
    [
        ({"agents": ["example"]}, {"agents": ["random", "easy", "example"], "deals": 80}),
        ({"deals": 130}, {"agents": ["random", "easy"], "deals": 130}),
        (
            {"agents": ["example", "normal"], "deals": 200},
            {"agents": ["random", "easy", "example", "normal"], "deals": 200},
        ),
    ],
    ids=["an agent", "deals", "both"],
)
@pytest.mark.parametrize("form", ["round-robin", "gauntlet", "ladder"])
def test_a_grown_run_is_the_whole_run(tmp_path: Path, growth: dict[str, Any], whole: dict[str, Any], form: str) -> None:
    play(tmp_path / "grown", ["random", "easy"], 80, format=form)
    go_on(tmp_path / "grown", n_workers=2, **growth)
    play(tmp_path / "whole", **whole, format=form)
    assert result(tmp_path / "grown") == result(tmp_path / "whole")
    with open_run(tmp_path / "grown") as grown, open_run(tmp_path / "whole") as other:
        assert grown.config_digest == other.config_digest
        assert grown.agents == other.agents
        assert len(grown.sessions) == 2


def test_what_has_been_played_is_not_played_again(tmp_path: Path) -> None:
    play(tmp_path, ["random", "easy"], 80)
    before = read_so_far(tmp_path)
    go_on(tmp_path, agents=["normal"])
    with open_run(tmp_path) as run:
        assert sum(run.done.values()) == 240
    assert before.done == {0: 80}
    after = read_so_far(tmp_path)
    go_on(tmp_path, agents=["random", "normal"])
    assert read_so_far(tmp_path) == after


def test_growth_with_recorded_actions_records_the_new_hands(tmp_path: Path) -> None:
    play(tmp_path, ["random", "easy"], 10, record="actions")
    go_on(tmp_path, deals=20)
    with open_run(tmp_path) as run:
        assert all(run.hand_actions(0, deal, half) for deal in range(20) for half in (0, 1))
        assert run.hand_actions(0, 20, 0) is None


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"deals": 5}, "deals = 5: the run has 10, and a run can only grow"),
        ({"seed": 2}, "seed cannot change: the run has 1, given was 2"),
        ({"rules": "schnapsen"}, "rules cannot change: the run has sixtysix, given was schnapsen"),
        ({"format": "gauntlet"}, "format cannot change: the run has round-robin, given was gauntlet"),
        ({"record": "hands"}, "record cannot change: the run has none, given was hands"),
        ({"limits": {"move_seconds": 3}}, "limits cannot change: the run has move_seconds 10"),
    ],
)
def test_a_run_cannot_become_another_one(tmp_path: Path, settings: dict[str, Any], said: str) -> None:
    play(tmp_path, ["random", "easy"], 10)
    before = result(tmp_path)
    with pytest.raises(FaultsError, match="cannot grow like this") as caught:
        go_on(tmp_path, **settings)
    assert any(fault.startswith(said) for fault in caught.value.faults)
    assert result(tmp_path) == before


def test_a_limit_that_is_given_again_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    play(tmp_path, ["random", "easy"], 10, limits={"move_seconds": 3, "memory_mb": 512})
    go_on(tmp_path, deals=20, limits={"move_seconds": 3})
    assert read_so_far(tmp_path).done == {0: 20}


def test_a_device_that_a_command_names_is_no_source() -> None:
    """Reading /dev/zero to its end would fill the memory."""
    program = load_agent("cmd:cat /dev/zero")
    assert source_of(program) == source_of(load_agent("cmd:cat"))


def test_a_run_of_other_sources_is_not_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(tmp_path, ["random", "easy"], 10)
    monkeypatch.setattr("harness.run.sources.source_digest", lambda: "other")
    with pytest.raises(UsageError, match="was played by other compiled sources"):
        go_on(tmp_path, deals=20)


def test_a_run_remembers_that_an_agent_was_changed_in_the_middle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_nothing(monkeypatch)
    bot, folder = tmp_path / "bot.py", str(tmp_path / "run")
    bot.write_text("class Bot:\n    def choose(self, view):\n        return view.legal[0]\n")
    play(Path(folder), [f"{bot}:Bot", "random"], 10)
    go_on(Path(folder), deals=20)
    with open_run(Path(folder)) as run:
        assert run.changed_agents == ()
    bot.write_text(bot.read_text() + "# another one\n")
    go_on(Path(folder), deals=30)
    with open_run(Path(folder)) as run:
        assert run.changed_agents == (f"{bot}:Bot",)
    _, out, err = call(capsys, "report", folder, "--json")
    assert json.loads(out)["changed_agents"] == [f"{bot}:Bot"]
    assert "was changed in the middle of the run" in err


def test_resume_of_a_complete_run_needs_no_agent_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("class Bot:\n    def choose(self, view):\n        return view.legal[0]\n")
    play(tmp_path / "run", [f"{bot}:Bot", "random"], 10)
    bot.unlink()
    status, out, err = call(capsys, "resume", str(tmp_path / "run"))
    assert status == 0, err
    assert "the run is complete" in err
    assert out.replace("\n", "").startswith(f"{bot}:Bot")
    with open_run(tmp_path / "run") as run:
        assert len(run.sessions) == 1


def test_resume_of_a_complete_run_changes_nothing(tmp_path: Path) -> None:
    play(tmp_path, ["random", "easy"], 10)
    before = result(tmp_path)
    go_on(tmp_path)
    assert result(tmp_path) == before

"""Runs of whole matches: the result depends on the config alone, and what goes with hands only is refused."""

from pathlib import Path

import numpy as np
import pytest

from harness.agent_api.registry import load_agent
from harness.errors import FaultsError
from harness.game.rules import Rules
from harness.play.pairing import PairingPlayer
from harness.run.config import build_config, stored_config
from harness.store.reader import open_run
from tests.helpers.small_runs import go_on, play, result

AGENTS = ["random", "normal", "example"]
ODD = "tests.helpers.odd_agents"


@pytest.mark.parametrize(
    ("n_workers", "method", "chunk_deals"),
    [(2, "fork", None), (1, "fork", 1000), (2, "fork", 7), (4, "fork", 1), (2, "spawn", 10)],
)
def test_the_result_depends_on_the_config_alone(
    tmp_path: Path, n_workers: int, method: str, chunk_deals: int | None
) -> None:
    play(tmp_path / "one", AGENTS, 25, play="matches")
    play(tmp_path / "other", AGENTS, 25, n_workers, method, chunk_deals, play="matches")
    assert result(tmp_path / "one") == result(tmp_path / "other")
    assert result(tmp_path / "one").complete


def test_a_run_is_what_its_pairings_play(tmp_path: Path) -> None:
    play(tmp_path, ["random", "easy", "normal"], 60, n_workers=2, chunk_deals=16, seed=5, play="matches")
    agents = [load_agent(name) for name in ("random", "easy", "normal")]
    expected = [
        PairingPlayer(Rules(), agents[i], agents[j], 5, number, match_play=True).play(0, 60)
        for number, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)])
    ]
    digest, _, endings, _, codes, _ = result(tmp_path)
    assert digest == sum(played.digest for played in expected) % 2**64
    assert codes == [played.codes.tolist() for played in expected]
    assert not np.frombuffer(endings, np.int64).any()


def test_a_run_that_goes_on_is_the_run_that_never_stopped(tmp_path: Path) -> None:
    play(tmp_path / "whole", AGENTS, 20, play="matches")
    play(tmp_path / "grown", AGENTS[:2], 7, play="matches")
    go_on(tmp_path / "grown", chunk_deals=3, agents=AGENTS, deals=20)
    assert result(tmp_path / "grown") == result(tmp_path / "whole")


def test_a_run_stays_one_of_hands_or_of_matches(tmp_path: Path) -> None:
    play(tmp_path, ["random", "easy"], 5)
    with pytest.raises(FaultsError, match="play cannot change: the run has hands, given was matches"):
        go_on(tmp_path, play="matches")


def test_the_config_says_what_is_played(tmp_path: Path) -> None:
    hands, matches = (build_config({"agents": ["random", "easy"], "play": what}) for what in ("hands", "matches"))
    assert hands == build_config({"agents": ["random", "easy"]})
    assert hands.digest() != matches.digest()
    assert stored_config(matches.title, matches.content(), "none") == matches
    play(tmp_path, ["random", "easy"], 5, play="matches")
    with open_run(tmp_path) as run:
        assert run.config["play"] == "matches"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"play": "games"}, 'play = "games": must be "hands" or "matches"'),
        (
            {"play": "matches", "record": "actions"},
            'record = "actions": single hands of matches are not kept; leave it out, or play hands instead of matches',
        ),
        (
            {"play": "matches", "stop": {"kind": "until", "scale": "points", "half_width": 0.1}},
            "stop: a run of matches plays all its deals; leave it out, or play hands instead of matches",
        ),
    ],
)
def test_what_cannot_be_is_refused(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(FaultsError) as caught:
        build_config({"agents": ["random", "easy"], **settings})
    assert list(caught.value.faults) == [sentence]


def test_faults_cost_matches(tmp_path: Path) -> None:
    """An agent that crashes now and then loses those matches, and no others, with any workers."""
    play(tmp_path / "one", ["tests.helpers.bots:Moody", "random"], 10, play="matches")
    play(tmp_path / "two", ["tests.helpers.bots:Moody", "random"], 10, 2, chunk_deals=3, play="matches")
    assert result(tmp_path / "one") == result(tmp_path / "two")
    moody = load_agent("tests.helpers.bots:Moody")
    alone = PairingPlayer(Rules(), moody, load_agent("random"), 1, 0, match_play=True).play(0, 10)
    assert 0 < len(alone.faults) == np.sum(result(tmp_path / "one").faults)

"""A run that a rule ends early is a function of its config, as every run is."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.errors import FaultsError, InterruptedRunError
from harness.game.rules import Rules
from harness.play.codes import N_CODES
from harness.report.stopping import ending_of
from harness.run.config import build_config
from harness.run.interrupt import Interrupt
from harness.run.stop import match_scale
from harness.stats.codes import GAME_POINTS
from harness.stats.scales import POINTS, WINS
from harness.stats.sequence import confidence_sequence
from harness.stats.sequential import Design, Sprt
from harness.store.reader import open_run
from tests.helpers.small_runs import go_on, play, result

SPRT = {"kind": "sprt", "scale": "points", "h0": 0.42, "h1": 0.52, "block": 100}
UNTIL = {"kind": "until", "scale": "points", "half_width": 0.2, "block": 50}
AGENTS = ["normal", "easy"]


def whole_codes(folder: Path, deals: int) -> Any:
    play(folder, AGENTS, deals)
    with open_run(folder) as run:
        return np.concatenate(list(run.blocks()), axis=1)[0]


@pytest.mark.parametrize("rule", [SPRT, UNTIL], ids=["sprt", "until"])
def test_the_end_is_that_of_the_rule_looked_at_deal_by_deal(tmp_path: Path, rule: dict[str, Any]) -> None:
    """On the codes of a run without a rule; the run with the rule is its beginning."""
    codes = whole_codes(tmp_path / "whole", 3000)
    test = Sprt(Design(POINTS, 0.42, 0.52, 0.05, 0.05, 100, 20_000))
    end = 0
    for n in range(50, 3001, 50):
        counts = np.bincount(codes[:n], minlength=N_CODES)
        if rule is SPRT:
            if n % 100 == 0 and test.update(counts).is_over:
                end = n
                break
        else:
            width = confidence_sequence(POINTS, counts, 0.95).half_width
            if width is not None and width <= 0.2:
                end = n
                break
    assert end % rule["block"] == 0
    assert 100 < end < 2900
    play(tmp_path / "stopped", AGENTS, 20_000, stop=rule)
    with open_run(tmp_path / "stopped") as run:
        assert (run.stopped, run.complete, run.done) == (end, True, {0: end})
        assert np.array_equal(np.concatenate(list(run.blocks()), axis=1)[0], codes[:end])
    play(tmp_path / "first", AGENTS, end)
    stopped, first = result(tmp_path / "stopped"), result(tmp_path / "first")
    assert (stopped.digest, stopped.endings) == (first.digest, first.endings)


def test_workers_and_chunks_do_not_move_the_end(tmp_path: Path) -> None:
    play(tmp_path / "one", AGENTS, 20_000, stop=SPRT)
    for name, settings in {
        "two": {"n_workers": 2, "chunk_deals": 7},
        "large": {"n_workers": 2, "chunk_deals": 10_000},
        "recorded": {"record": "actions", "chunk_deals": 333},
    }.items():
        play(tmp_path / name, AGENTS, 20_000, stop=SPRT, **settings)  # type: ignore[arg-type]
        assert result(tmp_path / name) == result(tmp_path / "one")
    with open_run(tmp_path / "recorded") as run:
        assert run.stopped is not None
        assert run.hand_actions(0, run.stopped - 1, 1)
        assert run.hand_actions(0, run.stopped, 0) is None


def test_match_elo_is_what_game_points_are_worth_in_a_match_of_equals() -> None:
    """Under a target of one game point every hand is a match: its scale is that of the hands won."""
    counts = np.bincount([(r1 + 3) * 7 + r2 + 3 for r1 in (-2, 1, 3) for r2 in (-1, 2)], minlength=N_CODES)
    to_one = Rules().with_fields({"match.target": 1})
    decided = (GAME_POINTS != 0).all(axis=0)  # a hand that nobody wins only changes who leads the next one
    assert match_scale(to_one, counts).values[decided] == pytest.approx(WINS.values[decided])
    seven = match_scale(Rules(), counts).values.reshape(7, 7)
    assert np.all(np.diff(seven, axis=0) > 0), "more game points are worth more"
    assert seven[3, 3] == pytest.approx(0.5)
    assert seven + seven[::-1, ::-1].T == pytest.approx(np.ones((7, 7))), "what one side gains the other loses"


def test_a_test_on_matches_finds_the_better_one(tmp_path: Path) -> None:
    rule = {"kind": "sprt", "scale": "match", "h0": 0.0, "h1": 30.0, "block": 100}
    play(tmp_path / "one", AGENTS, 20_000, stop=rule)
    play(tmp_path / "two", AGENTS, 20_000, n_workers=2, chunk_deals=33, stop=rule)
    assert result(tmp_path / "one") == result(tmp_path / "two")
    with open_run(tmp_path / "one") as run:
        ending = ending_of(run)
    assert ending is not None
    assert "normal is better than easy: at least 30 match Elo among equals rather than at most 0" in ending.words
    assert ending.look is not None
    assert ending.look.verdict == "H1"


@pytest.mark.parametrize("after", [1, 3, 6])
def test_an_interrupted_run_ends_where_it_would_have(
    tmp_path: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(tmp_path / "whole", AGENTS, 20_000, stop=SPRT)
    looks = iter(range(10**9))
    with monkeypatch.context() as patch:
        patch.setattr(Interrupt, "is_set", property(lambda self: next(looks) > after))
        with pytest.raises(InterruptedRunError):
            play(tmp_path / "broken", AGENTS, 20_000, stop=SPRT, chunk_deals=40)
    with open_run(tmp_path / "broken") as run:
        assert not run.complete
    go_on(tmp_path / "broken", chunk_deals=70)
    assert result(tmp_path / "broken") == result(tmp_path / "whole")
    go_on(tmp_path / "broken")
    assert result(tmp_path / "broken") == result(tmp_path / "whole")


def test_a_run_that_dies_between_its_last_deal_and_its_end_is_not_played_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(tmp_path / "whole", AGENTS, 20_000, stop=SPRT)
    with monkeypatch.context() as patch:
        patch.setattr("harness.store.writer.RunWriter.stop", lambda self, n_deals: None)
        play(tmp_path / "broken", AGENTS, 20_000, stop=SPRT)
    with open_run(tmp_path / "broken") as run:
        assert not run.complete
    go_on(tmp_path / "broken")
    assert result(tmp_path / "broken") == result(tmp_path / "whole")


def test_a_test_without_verdict_ends_with_the_last_deal(tmp_path: Path) -> None:
    play(tmp_path, ["normal", "normal"], 150, stop={**SPRT, "h0": 0.0, "h1": 0.001})
    with open_run(tmp_path) as run:
        assert (run.stopped, run.complete, run.done) == (150, True, {0: 150})


@pytest.mark.parametrize(
    ("stop", "said"),
    [
        (3, "stop = 3: must be a table"),
        ({"kind": "sprt"}, "stop needs scale"),
        (
            {**SPRT, "scale": "point"},
            'stop.scale = point: must be one of points, elo, nelo, match; did you mean "points"?',
        ),
        ({**SPRT, "h2": 1}, 'stop has no "h2"'),
        ({**SPRT, "alpha": 0.99}, "stop: risks are above 0 and together below 1"),
        ({**SPRT, "h1": -1.0}, "stop: h0 is below h1"),
        ({**SPRT, "block": 2.5}, "stop.block = 2.5: must be a whole number"),
        ({**UNTIL, "half_width": 0.0}, "stop: half_width = 0"),
        ({**UNTIL, "scale": "nelo"}, "stop.scale = nelo: must be one of points, elo"),
    ],
)
def test_a_rule_that_cannot_be_is_refused(stop: object, said: str) -> None:
    with pytest.raises(FaultsError) as caught:
        build_config({"agents": AGENTS, "stop": stop})
    assert caught.value.faults[0].startswith(said)


def test_a_rule_is_for_two_agents_and_stays(tmp_path: Path) -> None:
    with pytest.raises(FaultsError, match="stop is for two agents"):
        build_config({"agents": [*AGENTS, "random"], "stop": SPRT})
    play(tmp_path, AGENTS, 500, stop=SPRT)
    with pytest.raises(FaultsError, match="the run ends by a rule of its own"):
        go_on(tmp_path, deals=30_000)

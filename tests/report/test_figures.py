import struct
from pathlib import Path

import numpy as np
import pytest

from harness.report.analysis import analyse
from harness.report.drawing.save import save
from harness.report.figures.kinds import Intervals
from harness.report.figures.ratings import ratings_figure
from tests.helpers.deals import code
from tests.helpers.runs import MadeUpRun, endings_of, made_up_run


def figure_with_a_perfect_agent() -> Intervals:
    run = made_up_run({"weak": 0.0, "easy": 0.1, "strong": 0.0}, 100)
    block = run.block.copy()
    block[1:] = code(-1, -2)
    return ratings_figure(analyse(MadeUpRun(run.agents, block, run.pairings, endings_of(block))))


def test_the_data_are_the_ratings_in_their_order_with_units_n_and_level() -> None:
    analysis = analyse(made_up_run({"random": -1.0, "easy": 0.0, "normal": 0.3}, 500))
    figure = ratings_figure(analysis)
    assert figure.labels == ("normal", "easy", "random")
    points, elo, ranks = figure.panels
    assert points.axis == "game points a hand, against the mean of the rated"
    assert elo.axis == "Elo, from hands won, against the mean of the rated"
    for agent, in_points, in_elo in zip(analysis.agents, points.marks, elo.marks, strict=True):
        for mark, estimate in ((in_points, agent.game_points_rating), (in_elo, agent.elo)):
            assert (mark.value, mark.low, mark.high) == (estimate.value, estimate.low, estimate.high)
    assert [(mark.low, mark.high) for mark in ranks.marks] == [
        (agent.ranks.best, agent.ranks.worst) for agent in analysis.agents
    ]
    assert "n = 500 deals" in figure.caption
    assert "95 % intervals" in figure.caption
    assert figure.title == "Ratings of 3 agents: 3 pairings, 3,000 hands"


def test_an_agent_without_a_rating_is_a_text_not_a_number() -> None:
    figure = figure_with_a_perfect_agent()
    mark = figure.panels[1].marks[figure.labels.index("strong")]
    assert mark.value is None
    assert mark.text == "won every hand"


def test_the_anchor_is_named_on_the_axis() -> None:
    run = made_up_run({"random": -1.0, "easy": 0.0, "normal": 0.3}, 100, anchor="random")
    figure = ratings_figure(analyse(run))
    assert figure.panels[0].axis == "game points a hand, against random"
    assert figure.panels[1].marks[2].text == "anchor"


@pytest.mark.parametrize("n_agents", [2, 3, 20])
def test_the_drawing_grows_with_the_agents_and_shows_every_one(n_agents: int, tmp_path: Path) -> None:
    run = made_up_run({f"agent{k}": 0.05 * k for k in range(n_agents)}, 30)
    png, svg = save([ratings_figure(analyse(run))], tmp_path)["ratings"]
    head = png.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", head[16:24])
    assert width == 1350
    assert height > 150 * 0.3 * n_agents
    assert svg.read_text().count("<!-- agent") >= n_agents


@pytest.mark.parametrize("n_deals", [0, 1])
def test_few_or_no_deals_are_drawn_too(n_deals: int, tmp_path: Path) -> None:
    run = made_up_run({"easy": 0.0, "normal": 0.3}, n_deals)
    for path in save([ratings_figure(analyse(run))], tmp_path)["ratings"]:
        assert path.stat().st_size > 1000


def test_the_same_data_give_the_same_bytes_without_a_date(tmp_path: Path) -> None:
    figure = figure_with_a_perfect_agent()
    first, second = (save([figure], tmp_path / name)["ratings"] for name in ("a", "b"))
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes()
    text = first[1].read_text()
    assert "<dc:date>" not in text
    assert "<!-- won every hand -->" in text


@pytest.mark.parametrize("name", ["a$x^{", "$\\frac$", "50%_#&~", "牌手", "\N{PLAYING CARD ACE OF SPADES}"])
def test_any_name_can_be_drawn_and_nothing_is_said_of_it(
    name: str, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    run = made_up_run({name: 0.0, "easy": 0.3}, 20, name)
    _, svg = save([ratings_figure(analyse(run))], tmp_path)["ratings"]
    assert f"<!-- {name} -->" in svg.read_text(encoding="utf-8").replace("&amp;", "&")
    assert not recwarn.list


def test_drawing_leaves_the_global_style_alone(tmp_path: Path) -> None:
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    save([figure_with_a_perfect_agent()], tmp_path)
    assert dict(mpl.rcParams) == before


def test_marks_are_finite_or_missing() -> None:
    for panel in figure_with_a_perfect_agent().panels:
        for mark in panel.marks:
            assert mark.value is None or np.isfinite(mark.value)

import numpy as np

from harness.report.analysis import analyse
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


def test_the_caption_explains_a_question_mark_where_there_is_one_and_there_alone() -> None:
    run = made_up_run({"easy": 0.0, "same": 0.0}, 100, anchor="easy")
    assert "± ?" not in ratings_figure(analyse(run)).caption
    block = np.full_like(run.block, code(1, -1))
    level = ratings_figure(analyse(MadeUpRun(run.agents, block, run.pairings, endings_of(block))))
    assert level.panels[0].marks[0].text == "+0.00 ± ?"
    assert "95 % intervals, all hands of a deal taken together, none where it says ± ?; of ranks" in level.caption


def test_marks_are_finite_or_missing() -> None:
    for panel in figure_with_a_perfect_agent().panels:
        for mark in panel.marks:
            assert mark.value is None or np.isfinite(mark.value)


def test_the_sentence_about_the_figure_has_every_rating() -> None:
    figure = ratings_figure(analyse(made_up_run({"random": -1.0, "easy": 0.0}, 500, anchor="random")))
    assert (
        figure.alt
        == f"Ratings in game points a hand against random: easy {figure.panels[0].marks[0].text}, random anchor."
    )

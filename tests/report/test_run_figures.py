"""The data of the figures of a run, against numbers that are counted here from the deals themselves."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from harness.agent_api.faults import FAULT_KINDS
from harness.report.analysis import Analysis, analyse
from harness.report.figures.endings import endings_figure
from harness.report.figures.equity import equity_figure
from harness.report.figures.game_points import game_points_figure
from harness.report.figures.head_to_head import head_to_head_figure
from harness.report.figures.kinds import Chart, Curve, Intervals, Mark, Matrix, Scatter, Shares
from harness.report.figures.of_run import run_figures
from harness.report.figures.running import running_figure
from harness.report.figures.seat import MOST_PAIRINGS, seat_figure
from harness.report.figures.speed import speed_figure
from harness.stats import scales
from harness.stats.codes import CodeArray, FloatArray, IntArray
from harness.stats.endings import TALLY_SHAPE
from harness.stats.sequence import confidence_sequence
from harness.store.rows import FaultRow
from tests.helpers.deals import code, counts_of
from tests.helpers.runs import MadeUpRun, endings_of, made_up_run, with_faults

TWO = made_up_run({"easy": 0.0, "normal": 0.4}, 400)
"""normal, the second agent, is the better one, so that everything is seen from the second agent."""
THREE = made_up_run({"random": -1.0, "easy": 0.0, "normal": 0.3}, 200)


def points_of_second(run: MadeUpRun, row: int = 0) -> tuple[IntArray, IntArray]:
    """Game points of the second agent of a pairing in both halves, deal by deal."""
    codes = run.block[row].astype(np.int64)
    return -(codes // 7 - 3), -(codes % 7 - 3)


C = TypeVar("C", bound=Chart)


def chart(kind: type[C], found: C | str) -> C:
    assert isinstance(found, kind)
    return found


def value_of(mark: Mark) -> float:
    assert mark.value is not None
    return mark.value


def matches_run(n_agents: int = 2) -> MadeUpRun:
    """A run of matches: the last agent wins three in four, the others are even."""
    rng = np.random.default_rng(5)
    names = [f"agent{k}" for k in range(n_agents)]
    pairings = [(i, j) for j in range(n_agents) for i in range(j)]
    wins = [np.where(rng.random((2, 200)) < (0.25 if j == n_agents - 1 else 0.5), 1, -1) for _, j in pairings]
    block = np.array([code(0, 0) + 7 * first + second for first, second in wins], dtype=np.uint8)
    return MadeUpRun(names, block, pairings, np.zeros((len(pairings), *TALLY_SHAPE), np.int64), play="matches")


def test_head_to_head_is_the_mean_of_both_hands_and_turns_its_sign_across_the_diagonal() -> None:
    figure = chart(Matrix, head_to_head_figure(analyse(THREE)))
    assert figure.rows == figure.columns == ("normal", "easy", "random")
    (grid,) = figure.grids
    of_normal = {"easy": 2, "random": 1}  # rows of the block, in which normal is the second agent
    for column, row in of_normal.items():
        place = figure.columns.index(column)
        halves = points_of_second(THREE, row)
        y = (halves[0] + halves[1]) / 2
        assert grid.values[0][place] == pytest.approx(y.mean())
        assert grid.values[place][0] == pytest.approx(-y.mean())
        low, high = stats.t.interval(0.95, len(y) - 1, y.mean(), stats.sem(y))
        assert grid.strong[0][place] == (low > 0 or high < 0)
        assert grid.texts[0][place] == f"{y.mean():+.2f}\n± {math.ceil(100 * (high - low) / 2) / 100:.2f}"
    assert [grid.values[k][k] for k in range(3)] == [None] * 3
    assert "n = 200 deals a pairing, played twice" in figure.caption
    assert figure.centre == 0


def test_a_large_table_says_how_wide_its_intervals_are_at_most() -> None:
    analysis = analyse(made_up_run({f"agent{k}": 0.1 * k for k in range(9)}, 60))
    figure = chart(Matrix, head_to_head_figure(analysis))
    widest = max(pairing.estimates.game_points.half_width or 0.0 for pairing in analysis.pairings)
    assert f"95 %, ± {math.ceil(100 * widest) / 100:.2f} or less" in figure.caption
    assert figure.columns == tuple(str(k) for k in range(1, 10))
    assert figure.rows[0] == f"{analysis.agents[0].name}  1"


def test_agents_that_have_not_met_have_an_empty_cell_and_the_caption_says_so() -> None:
    block = THREE.block.copy()
    block[0] = 255
    figure = chart(Matrix, head_to_head_figure(analyse(replace(THREE, block=block, endings=endings_of(block)))))
    place = [figure.rows.index(name) for name in ("random", "easy")]
    assert figure.grids[0].values[place[0]][place[1]] is None
    assert "empty cells: have not met" in figure.caption


def test_game_points_of_two_are_counted_by_who_leads_with_wilsons_interval() -> None:
    figure = chart(Shares, game_points_figure(analyse(TWO)))
    assert [series.label for series in figure.series] == ["normal leads", "easy leads"]
    when_easy_leads, when_normal_leads = points_of_second(TWO)
    for series, points in zip(figure.series, (when_normal_leads, when_easy_leads), strict=True):
        for value, mark in zip(range(-3, 4), series.marks, strict=True):
            n = int((points == value).sum())
            low, high = proportion_confint(n, 400, 0.05, "wilson")
            assert (mark.value, mark.low, mark.high) == pytest.approx((n / 4, 100 * low, 100 * high))
    assert "n = 400 hands that each of them leads" in figure.caption


def test_game_points_of_many_are_those_of_all_their_hands() -> None:
    figure = chart(Shares, game_points_figure(analyse(THREE)))
    assert [series.label for series in figure.series] == ["normal", "easy", "random"]
    of_normal = np.concatenate([points for row in (1, 2) for points in points_of_second(THREE, row)])
    for value, mark in zip(range(-3, 4), figure.series[0].marks, strict=True):
        assert mark.value == pytest.approx(100 * (of_normal == value).mean())
    for series in figure.series:
        assert sum(value_of(mark) for mark in series.marks) == pytest.approx(100)


def test_forfeits_are_among_the_game_points_and_not_among_the_endings() -> None:
    kind = FAULT_KINDS[0]
    run = with_faults(TWO, *(FaultRow(0, deal, 0, 0, kind, "", "") for deal in (3, 5)))
    analysis = analyse(run)
    points, endings = game_points_figure(analysis), endings_figure(run, analysis)
    assert isinstance(points, Shares)
    assert isinstance(endings, Shares)
    assert "2 forfeited hands count as lost by 3" in points.caption
    assert "n = 798 hands" in endings.caption
    assert "2 forfeited hands left out" in endings.caption


def test_endings_of_two_are_by_winner() -> None:
    figure = chart(Shares, endings_figure(TWO, analyse(TWO)))
    assert [series.label for series in figure.series] == ["normal wins", "easy wins", "nobody wins"]
    when_easy_leads, when_normal_leads = points_of_second(TWO)
    # As the made-up run has it: two game points in the first half are a close that was made.
    n_made = int((when_easy_leads == 2).sum())
    assert figure.series[0].marks[figure.categories.index("close made")].value == pytest.approx(100 * n_made / 800)
    drawn = int((when_easy_leads == 0).sum() + (when_normal_leads == 0).sum())
    assert figure.categories[-1] == "nobody won"
    assert figure.series[2].marks[-1].value == pytest.approx(100 * drawn / 800)
    shown = [mark.value for series in figure.series for mark in series.marks if mark.value is not None]
    assert sum(shown) == pytest.approx(100)


def test_endings_of_many_are_of_the_hands_that_an_agent_wins() -> None:
    figure = chart(Shares, endings_figure(THREE, analyse(THREE)))
    assert [series.label for series in figure.series] == ["all agents", "normal", "easy", "random"]
    halves = [points_of_second(THREE, row) for row in (1, 2)]
    won = sum(int((points > 0).sum()) for both in halves for points in both)
    made = sum(int((first == 2).sum()) for first, _ in halves)
    assert figure.series[1].marks[figure.categories.index("close made")].value == pytest.approx(100 * made / won)
    for series in figure.series:
        assert sum(value_of(mark) for mark in series.marks) == pytest.approx(100)


def test_the_seat_advantage_of_two_is_what_the_leader_earns() -> None:
    figure = chart(Intervals, seat_figure(analyse(TWO)))
    assert figure.labels == ("both together", "normal leads", "easy leads")
    when_easy_leads, when_normal_leads = points_of_second(TWO)
    leader: dict[str, FloatArray] = {
        "normal leads": when_normal_leads.astype(np.float64),
        "easy leads": -when_easy_leads.astype(np.float64),
    }
    leader["both together"] = (leader["normal leads"] + leader["easy leads"]) / 2
    for label, mark in zip(figure.labels, figure.panels[0].marks, strict=True):
        y = leader[label]
        low, high = stats.t.interval(0.95, len(y) - 1, y.mean(), stats.sem(y))
        assert (mark.value, mark.low, mark.high) == pytest.approx((y.mean(), low, high))
    won = (1 + np.sign(when_normal_leads)).mean() / 2
    assert figure.panels[1].marks[1].value == pytest.approx(100 * won)
    assert figure.panels[1].reference == 50


def test_of_very_many_pairings_those_of_neighbours_have_a_row() -> None:
    analysis = analyse(made_up_run({f"agent{k}": 0.1 * k for k in range(9)}, 20))
    figure = chart(Intervals, seat_figure(analysis))
    names = [agent.name for agent in analysis.agents]
    assert len(analysis.pairings) > MOST_PAIRINGS
    assert figure.labels == ("between equals", *(f"{a} – {b}" for a, b in pairwise(names)))
    assert figure.panels[0].marks[0].value == analysis.game_points.seat.value
    assert "of 36 pairings those of neighbours" in figure.caption


def test_the_running_estimate_is_that_of_the_first_deals_at_every_look() -> None:
    figure = chart(Curve, running_figure(TWO, analyse(TWO)))
    (line,) = figure.lines
    halves = points_of_second(TWO)
    y = (halves[0] + halves[1]) / 2
    for k, n in enumerate(int(x) for x in line.x):
        sequence = confidence_sequence(scales.POINTS, counts_of(TWO.block[:, :n])[0])
        assert line.y[k] == pytest.approx(y[:n].mean())
        assert (-line.high[k], -line.low[k]) == pytest.approx((sequence.low, sequence.high))
    assert line.x[-1] == 400
    low, high = stats.t.interval(0.95, 399, y.mean(), stats.sem(y))
    assert line.final is not None
    assert (line.final.low, line.final.high) == pytest.approx((low, high))


def test_the_running_estimate_does_not_know_how_deals_are_stored() -> None:
    analysis = analyse(TWO)
    assert running_figure(replace(TWO, block_size=7), analysis) == running_figure(TWO, analysis)


def test_a_few_deals_make_no_running_estimate() -> None:
    run = made_up_run({"easy": 0.0, "normal": 0.3}, 19)
    assert running_figure(run, analyse(run)) == (
        "Running estimate: the two best agents have played fewer than 20 deals."
    )


def without_draws() -> MadeUpRun:
    """easy against normal, where somebody wins every hand."""
    rng = np.random.default_rng(9)
    first, second = (rng.choice([-2, -1, 1], 100, p=p) for p in ([0.4, 0.4, 0.2], [0.3, 0.3, 0.4]))
    block = (code(0, 0) + 7 * first + second).astype(np.uint8)[np.newaxis]
    return MadeUpRun(["easy", "normal"], block, [(0, 1)], endings_of(block))


def test_at_the_last_point_of_both_a_match_is_the_next_hand() -> None:
    run = without_draws()
    figure = chart(Matrix, equity_figure(analyse(run)))
    when_easy_leads, when_normal_leads = (float((points > 0).mean()) for points in points_of_second(run))
    normal_leads, easy_leads = figure.grids
    assert normal_leads.title == "normal leads the next hand"
    assert easy_leads.title == "easy leads the next hand"
    assert normal_leads.values[6][6] == pytest.approx(100 * when_normal_leads)
    assert easy_leads.values[6][6] == pytest.approx(100 * when_easy_leads)
    # Rows are the better agent's points: with 6 to 0 it nearly has the match, with 0 to 6 it nearly has lost it.
    assert (
        value_at(normal_leads.values, 6, 0) > value_at(normal_leads.values, 0, 0) > value_at(normal_leads.values, 0, 6)
    )
    assert normal_leads.texts[6][6] == f"{100 * when_normal_leads:.0f}"
    share = analyse(run).pairings[0].equity.matches_won.value
    assert share is not None
    both = (value_at(normal_leads.values, 0, 0) + value_at(easy_leads.values, 0, 0)) / 2
    assert both == pytest.approx(100 * (1 - share))


def test_a_chance_that_is_not_certain_is_not_written_as_if_it_were() -> None:
    figure = chart(Matrix, equity_figure(analyse(made_up_run({"easy": 0.0, "normal": 2.0}, 200))))
    for grid in figure.grids:
        assert 99.5 < value_at(grid.values, 6, 0) < 100
        assert grid.texts[6][0] == "> 99"


def value_at(values: tuple[tuple[float | None, ...], ...], row: int, column: int) -> float:
    value = values[row][column]
    assert value is not None
    return value


def test_strength_against_time_splits_the_time_of_the_pairings() -> None:
    times: FloatArray = np.array([1e-3, 2e-3, 5e-2])
    hands = 2 * THREE.block.shape[1]
    # In a made-up run the first agent of a pairing makes seven moves a hand, the second nine.
    run = replace(THREE, played_seconds=np.array([hands * (7 * times[i] + 9 * times[j]) for i, j in THREE.pairings]))
    analysis = analyse(run)
    figure = chart(Scatter, speed_figure(run, analysis))
    assert figure.x_axis == "milliseconds a move"
    assert [point.label for point in figure.points] == ["normal", "easy", "random"]
    assert [point.x for point in figure.points] == pytest.approx([50, 2, 1])
    assert [point.y.value for point in figure.points] == [a.game_points_rating.value for a in analysis.agents]
    assert "depends on the machine" in figure.caption


def test_what_was_played_in_a_moment_is_not_timed() -> None:
    run = replace(THREE, played_seconds=np.array([0.04, 0.02, 0.03]))
    assert speed_figure(run, analyse(run)) == (
        "Strength against time: no pairing has taken 0.05 s, and of less starting is a good part."
    )


def test_an_agent_too_fast_to_be_told_is_named_and_not_drawn() -> None:
    run = replace(THREE, played_seconds=np.array([1.0, 1.0, 3.0]))
    figure = chart(Scatter, speed_figure(run, analyse(run)))
    assert [point.label for point in figure.points] == ["normal", "easy"]
    assert "too fast beside its opponents to be told: random" in figure.caption


def names(run: MadeUpRun) -> tuple[list[str], list[str]]:
    charts, missing = run_figures(run, analyse(run))
    for one in charts:
        assert one.title
        assert one.alt.endswith(".")
        assert "95 %" in one.caption
    return [one.name for one in charts], [sentence.partition(":")[0] for sentence in missing]


def test_a_run_has_its_figures_in_order_and_says_which_are_missing() -> None:
    every = ["ratings", "head-to-head", "running", "game-points", "endings", "seat", "match-equity", "speed"]
    assert names(THREE) == (every, [])
    of_two = [name for name in every if name not in ("head-to-head", "speed")]
    assert names(TWO) == (of_two, ["Head to head", "Strength against time"])
    assert names(matches_run(3)) == (
        ["ratings", "head-to-head", "running", "seat", "speed"],
        ["Game points of the hands", "How the hands end", "Match equity by score"],
    )


@pytest.mark.parametrize("n_deals", [1, 2])
def test_a_run_of_one_or_two_deals_has_figures_without_numbers_that_nobody_has(n_deals: int) -> None:
    for run in (made_up_run({"a": 0.0, "b": 0.2}, n_deals), made_up_run({"a": 0.0, "b": 0.2, "c": 0.4}, n_deals)):
        for mark in marks_of(run):
            for number in (mark.value, mark.low, mark.high):
                assert number is None or np.isfinite(number)


def marks_of(run: MadeUpRun) -> Iterator[Mark]:
    for one in run_figures(run, analyse(run))[0]:
        if isinstance(one, Intervals):
            yield from (mark for panel in one.panels for mark in panel.marks)
        if isinstance(one, Shares):
            yield from (mark for series in one.series for mark in series.marks)
        if isinstance(one, Scatter):
            yield from (point.y for point in one.points)


def test_a_run_without_deals_or_with_one_agent_has_no_figures() -> None:
    nothing: CodeArray = np.zeros((0, 0), np.uint8)
    alone = MadeUpRun(["easy"], nothing, [], np.zeros((0, *TALLY_SHAPE), np.int64))
    for run in (made_up_run({"easy": 0.0, "normal": 0.3}, 0), alone):
        assert run_figures(run, analyse(run)) == ([], ["There are no figures, as no deals have been played."])


def test_matches_are_shown_as_shares_of_matches_won() -> None:
    run = matches_run()
    analysis: Analysis = analyse(run)
    won = np.concatenate(points_of_second(run)) > 0
    curve, seat = chart(Curve, running_figure(run, analysis)), chart(Intervals, seat_figure(analysis))
    assert curve.lines[0].y[-1] == pytest.approx(100 * won.mean())
    assert curve.reference == 50
    assert curve.x_axis == "pairs of matches played"
    assert [panel.axis for panel in seat.panels] == ["matches won by who leads the first hand, in %"]


def test_pairings_that_have_played_differently_many_deals_are_said_to_have() -> None:
    block = THREE.block.copy()
    block[2, 150:] = 255
    charts, _ = run_figures(run := replace(THREE, block=block, endings=endings_of(block)), analyse(run))
    ratings = next(one for one in charts if one.name == "ratings")
    assert ratings.caption.startswith("n = 150 to 200 deals, played twice by each pairing")

"""Tables of colours that are too wide for texts: what is below their centre is told apart without its colour."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from harness.report.analysis import analyse
from harness.report.drawing.matrix import draw_matrix
from harness.report.figures.equity import equity_figure
from harness.report.figures.head_to_head import head_to_head_figure
from harness.report.figures.kinds import Matrix
from tests.helpers.runs import made_up_run


def head_to_head(n_agents: int) -> Matrix:
    figure = head_to_head_figure(analyse(made_up_run({f"agent{k}": 0.05 * k for k in range(n_agents)}, 20)))
    assert isinstance(figure, Matrix)
    return figure


@pytest.mark.parametrize(("n_agents", "is_hatched"), [(26, False), (27, True)])
def test_cells_below_the_centre_are_hatched_where_there_is_no_room_for_numbers(n_agents: int, is_hatched: bool) -> None:
    chart = head_to_head(n_agents)
    axes, bar = draw_matrix(chart).axes
    n_negative = sum(value is not None and value < 0 for row in chart.grids[0].values for value in row)
    hatched: list[np.ma.MaskedArray[Any, Any]] = [
        np.ma.asarray(area.get_array()) for area in axes.collections if area.get_hatch()
    ]
    assert [int(values.count()) for values in hatched] == ([n_negative] if is_hatched else [])
    assert [patch.get_hatch() is not None for patch in bar.patches] == ([True] if is_hatched else [])
    assert bool(axes.texts) != is_hatched


def test_the_caption_says_what_colours_alone_tell_and_where_the_numbers_are() -> None:
    wide, narrow = head_to_head(27).caption, head_to_head(26).caption
    assert wide.endswith("; colours alone, hatched below 0: the numbers are in pairings.csv")
    assert "bold" not in wide
    assert "bold" in narrow
    assert "colours alone" not in narrow


def test_scores_of_a_long_match_are_shown_by_colours_alone() -> None:
    run = made_up_run({"easy": 0.0, "normal": 0.4}, 200)
    run = replace(run, rules={**run.rules, "match.target": 30})
    figure = equity_figure(analyse(run))
    assert isinstance(figure, Matrix)
    assert figure.caption.endswith("; colours alone, hatched below 50")

"""The running estimate says of the number at its end what is drawn of it."""

from dataclasses import replace

import numpy as np

from harness.report.analysis import analyse
from harness.report.figures.kinds import Curve
from harness.report.figures.running import running_figure
from tests.helpers.deals import code
from tests.helpers.runs import MadeUpRun, endings_of, made_up_run


def test_too_few_matches_are_said_to_be_too_few_matches() -> None:
    run = replace(made_up_run({"easy": 0.0, "normal": 0.4}, 5), play="matches")
    assert running_figure(run, analyse(run)) == (
        "Running estimate: the two best agents have played fewer than 20 pairs of matches."
    )


def figure_of(run: MadeUpRun) -> Curve:
    figure = running_figure(run, analyse(run))
    assert isinstance(figure, Curve)
    return figure


def test_where_the_last_number_has_an_interval_the_caption_explains_its_bar() -> None:
    figure = figure_of(made_up_run({"easy": 0.0, "normal": 0.4}, 100))
    assert figure.caption.endswith("; bar: 95 % interval for the last number alone")
    assert figure.lines[0].final is not None
    assert figure.lines[0].final.low is not None


def test_where_it_has_none_the_caption_says_why_and_speaks_of_no_bar() -> None:
    # Both halves of each deal come out alike, as where an agent without luck plays itself.
    block = np.array([[code(1, -1), code(-2, 2)] * 20], dtype=np.uint8)
    figure = figure_of(MadeUpRun(["easy", "easy#2"], block, [(0, 1)], endings_of(block)))
    assert figure.lines[0].final is not None
    assert figure.lines[0].final.low is None
    assert "bar:" not in figure.caption
    assert "the last number alone has no interval: every deal came to the same total" in figure.caption

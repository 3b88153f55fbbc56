import re
import struct
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

from harness.report.analysis import analyse
from harness.report.drawing.intervals import draw_intervals
from harness.report.drawing.save import save
from harness.report.drawing.style import STYLE
from harness.report.figures.kinds import Chart, Groups, Intervals, Mark, Panel, Point, Scatter, Series
from harness.report.figures.of_run import run_figures
from harness.report.figures.ratings import ratings_figure
from tests.helpers.runs import made_up_run

NAMES = ("a$x^{", "$\\frac$", "50%_#&~", "牌手", "\N{PLAYING CARD ACE OF SPADES}")


def charts() -> list[Chart]:
    """All figures of a run of agents with odd names, and one of groups: every kind there is."""
    run = made_up_run({name: 0.2 * k for k, name in enumerate(NAMES)}, 40)
    run = replace(run, played_seconds=np.array([2.0**i + 2.0**j for i, j in run.pairings]))
    found, missing = run_figures(run, analyse(run))
    assert not missing
    series = tuple(
        Series(name, tuple(Mark(50.0 + k + g, 49.0 + k + g, None if g else 52.0 + k, "") for g in range(3)))
        for k, name in enumerate(NAMES)
    )
    groups = Groups(
        name="groups",
        title="Hands won by variant",
        caption="bars: 95 % intervals",
        alt="Made up.",
        axis="%",
        group_axis="variant",
        groups=("x", "y", "z"),
        series=series,
    )
    return [*found, groups]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    return save(charts(), tmp_path_factory.mktemp("figures") / "made")


def test_every_figure_is_a_png_and_an_svg_that_bear_its_name(drawn: dict[str, tuple[Path, Path]]) -> None:
    assert list(drawn) == [chart.name for chart in charts()]
    for name, (png, svg) in drawn.items():
        assert (png.name, svg.name) == (f"{name}.png", f"{name}.svg")
        assert png.read_bytes().startswith(b"\x89PNG")
        assert svg.read_text(encoding="utf-8").startswith("<?xml")


def test_any_name_can_be_drawn(drawn: dict[str, tuple[Path, Path]]) -> None:
    for figure in ("ratings", "head-to-head", "game-points", "endings", "speed", "groups"):
        text = drawn[figure][1].read_text(encoding="utf-8").replace("&amp;", "&")
        for name in NAMES:
            assert re.search(f"<!-- .*{re.escape(name)}.* -->", text), (figure, name)


def test_what_a_chart_says_stands_in_its_picture(drawn: dict[str, tuple[Path, Path]]) -> None:
    for chart in charts():
        text = drawn[chart.name][1].read_text(encoding="utf-8").replace("&amp;", "&")
        written = " ".join(re.findall(r"<!-- (.*?) -->", text, re.DOTALL))
        assert " ".join(chart.title.split()) in " ".join(written.split())
        assert " ".join(chart.caption.split()) in " ".join(written.split())


def test_the_same_data_give_the_same_bytes_without_a_date(
    drawn: dict[str, tuple[Path, Path]], tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    for name, paths in save(charts()[1:8:2], tmp_path).items():
        for one, other in zip(paths, drawn[name], strict=True):
            assert one.read_bytes() == other.read_bytes()
        assert "<dc:date>" not in paths[1].read_text(encoding="utf-8")
    assert not recwarn.list


def test_agents_that_are_equally_fast_and_good_are_drawn_without_a_warning(
    tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    chart = Scatter(
        name="speed",
        title="Strength against time",
        caption="time: of one worker",
        alt="Both are alike.",
        x_axis="milliseconds a move",
        y_axis="game points a hand",
        points=tuple(Point(name, 5.0, Mark(0.0, None, None, "+0.00 ± ?")) for name in ("easy", "normal")),
        log_x=True,
    )
    save([chart], tmp_path)
    assert not recwarn.list


@pytest.mark.parametrize("n_agents", [2, 20])
def test_the_drawing_grows_with_the_agents_and_shows_every_one(n_agents: int, tmp_path: Path) -> None:
    run = made_up_run({f"agent{k}": 0.05 * k for k in range(n_agents)}, 30)
    png, svg = save([ratings_figure(analyse(run))], tmp_path)["ratings"]
    _, height = struct.unpack(">II", png.read_bytes()[16:24])
    assert height > 150 * 0.3 * n_agents
    assert svg.read_text().count("<!-- agent") >= n_agents


@pytest.mark.parametrize("n_panels", [1, 3, 4, 5, 6])
def test_there_are_as_many_panels_as_the_data_have(n_panels: int, tmp_path: Path) -> None:
    marks = (Mark(0.1, 0.0, 0.2, "+0.10 ± 0.10"),) * 2
    panels = tuple(Panel(f"change, agent {number}", marks) for number in range(n_panels))
    chart = Intervals(
        name="rule-effects",
        title="What the rules change",
        caption="n = 10",
        alt="Alike.",
        labels=("a", "b"),
        panels=panels,
    )
    _, svg = save([chart], tmp_path)["rule-effects"]
    assert svg.read_text().count('<g id="axes_') == n_panels


@pytest.mark.parametrize("label", ["bicycle", "exchange.after_trick=true"])
@pytest.mark.parametrize(("low", "high"), [(-0.69, 0.34), (-0.33, 0.1), (-0.033, 0.01), (-390.0, 210.0)])
def test_numbers_below_narrow_panels_do_not_touch(label: str, low: float, high: float) -> None:
    panels = tuple(Panel("change", (Mark(0.0, low, high, "+0.00 ± 0.12"),)) for _ in range(3))
    chart = Intervals(
        name="rule-effects",
        title="What the rules change",
        caption="n = 10",
        alt="Alike.",
        labels=(label,),
        panels=panels,
        same_scale=True,
    )
    with mpl.rc_context(dict(STYLE)):
        figure = draw_intervals(chart)
        figure.draw_without_rendering()
    for axes in figure.axes:
        left, right = axes.get_xlim()
        ticks = zip(axes.get_xticks(), axes.get_xticklabels(), strict=True)
        boxes = [text.get_window_extent() for at, text in ticks if left <= at <= right]
        assert len(boxes) >= 2
        assert all(one.x1 < other.x0 for one, other in pairwise(boxes))


def test_drawing_leaves_the_global_style_alone(tmp_path: Path) -> None:
    before = dict(mpl.rcParams)
    save([ratings_figure(analyse(made_up_run({"easy": 0.0, "normal": 0.3}, 1)))], tmp_path)
    assert dict(mpl.rcParams) == before

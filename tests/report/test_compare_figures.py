"""Figures of comparisons: what they show is what the statistics say, in the units of their axes."""

from pathlib import Path

import numpy as np
import pytest

from harness.game.presets import preset, preset_names
from harness.report.compare_analysis import ComparedRules
from harness.report.compare_summary import comparison_summary
from harness.report.drawing.save import save
from harness.report.figures.by_variant import MOST_SERIES, ONLY_MIRRORS
from harness.report.figures.kinds import Chart, Groups, Intervals, Matrix, Shares
from harness.report.figures.of_comparison import FIGURES, comparison_figures
from harness.stats.codes import GAME_POINTS, RESULTS
from tests.helpers.comparisons import compare_blocks, made_up_comparison
from tests.helpers.deals import code, random_block, round_robin

LEVELS = {"easy": 0.0, "normal": 0.3, "hard": 0.5, "crazy": 0.6}
VARIANTS = ("sixtysix", "bicycle", "schnapsen")


@pytest.fixture(scope="module")
def levels() -> ComparedRules:
    return made_up_comparison(LEVELS, VARIANTS)


def charts_of(compared: ComparedRules) -> dict[str, Chart]:
    return {chart.name: chart for chart in comparison_figures(compared)[0]}


def test_win_rates_are_shares_of_the_hands_against_all_the_others(levels: ComparedRules) -> None:
    chart = charts_of(levels)["win-rates"]
    assert isinstance(chart, Groups)
    assert chart.groups == VARIANTS
    assert [series.label for series in chart.series] == ["crazy", "hard", "normal", "easy"]
    pairings = round_robin(4)
    block = random_block(np.random.default_rng(5), list(LEVELS.values()), pairings, 300)
    won = [
        RESULTS[:, codes] if first == 3 else -RESULTS[:, codes]
        for codes, (first, second) in zip(block, pairings, strict=True)
        if 3 in (first, second)
    ]
    by_deal = (np.concatenate(won).mean(axis=0) + 1) / 2
    mark = chart.series[0].marks[0]
    assert mark.value == pytest.approx(100 * by_deal.mean())
    assert mark.low is not None and mark.high is not None
    half_width = 1.9679 * by_deal.std(ddof=1) / np.sqrt(300)  # Student's t of 299 degrees of freedom
    assert (mark.high - mark.low) / 2 == pytest.approx(100 * half_width, rel=1e-3)
    assert "n = 300 deals" in chart.caption
    assert "6 pairings" in chart.caption
    assert "95 %" in chart.caption
    assert (chart.axis, chart.reference) == ("hands won, in %, against all the others", 50)


def test_of_two_agents_the_better_one_is_shown_against_the_other() -> None:
    compared = made_up_comparison({"easy": 0.0, "normal": 0.4}, VARIANTS)
    charts = charts_of(compared)
    won, effects = charts["win-rates"], charts["rule-effects"]
    assert isinstance(won, Groups)
    assert isinstance(effects, Intervals)
    (series,) = won.series
    assert (series.label, won.axis) == ("normal", "hands won, in %, normal against easy")
    for mark, line in zip(series.marks, compared.pairings[0].lines, strict=True):
        share = line.estimates.hands_won.value  # easy's, the first agent's
        assert share is not None
        assert mark.value == pytest.approx(100 * (1 - share))
    assert [panel.axis for panel in effects.panels] == [
        "change of game points a hand, normal against easy",
        "change of game points a hand of seat 0, which leads",
    ]


def test_the_forest_has_every_pairing_seen_from_who_is_ahead_with_stars_after_holm(levels: ComparedRules) -> None:
    chart = charts_of(levels)["rule-effects"]
    assert isinstance(chart, Intervals)
    assert chart.labels == VARIANTS[1:]
    assert len(chart.panels) == len(levels.pairings) == 6
    for panel, pairing in zip(chart.panels, levels.pairings, strict=True):
        assert panel.axis.endswith(f"{pairing.second} against {pairing.first}")  # the later one is the stronger one
        for mark, line in zip(panel.marks, pairing.lines[1:], strict=True):
            assert line.change is not None
            change = line.change.difference("game points")
            assert change.difference.value is not None and change.difference.high is not None
            assert change.adjusted_p is not None
            assert (mark.value, mark.low) == (-change.difference.value, -change.difference.high)
            assert mark.text.endswith("*") == (change.adjusted_p < 0.05)
    assert any(mark.text.endswith("*") for panel in chart.panels for mark in panel.marks)
    assert "after Holm over all rule sets and pairings" in chart.caption


def test_endings_are_shares_of_all_hands_and_come_to_the_whole(levels: ComparedRules) -> None:
    chart = charts_of(levels)["endings"]
    assert isinstance(chart, Shares)
    assert "nobody won" in chart.categories
    for series, endings in zip(chart.series, levels.endings, strict=True):
        values = [mark.value or 0.0 for mark in series.marks]
        assert sum(values) == pytest.approx(100)
        assert values[0] == 100 * (endings.by_ending[0].value or 0.0)
    assert "n = 3,600 hands of 6 pairings" in chart.caption


def test_the_summary_has_the_numbers_of_the_figures(levels: ComparedRules) -> None:
    summary = comparison_summary(levels, {}, [{}, {}, {}])
    charts = charts_of(levels)
    won, points, endings = charts["win-rates"], charts["points"], charts["endings"]
    assert isinstance(won, Groups)
    assert isinstance(points, Groups)
    assert isinstance(endings, Shares)
    by_name = {agent["name"]: agent["rule_sets"] for agent in summary["agents"]}
    for shares, series in zip(won.series, points.series, strict=True):
        for k, told in enumerate(by_name[series.label]):
            assert (told["name"], series.marks[k].low) == (VARIANTS[k], told["game_points"]["low"])
            assert shares.marks[k].value == 100 * told["hands_won"]["value"]
    told = summary["rule_sets"][1]
    assert told["hands"] == 3600
    assert endings.series[1].marks[0].value == 100 * told["endings"]["declared"]["value"]


def test_many_agents_have_tables_of_colours() -> None:
    agents = {f"agent{k}": 0.3 * k for k in range(MOST_SERIES + 1)}
    compared = made_up_comparison(agents, VARIANTS, 60)
    charts = charts_of(compared)
    won, effects = charts["win-rates"], charts["rule-effects"]
    assert isinstance(won, Matrix)
    assert isinstance(effects, Matrix)
    assert won.rows == effects.rows == tuple(reversed(agents))
    last = compared.agents[-1]
    shares = [line.hands_won.value for line in last.lines]
    assert won.grids[0].values[0] == tuple(100 * share for share in shares if share is not None)
    for value, text, line in zip(effects.grids[0].values[0], effects.grids[0].texts[0], last.lines[1:], strict=True):
        assert line.change is not None and line.change.adjusted_p is not None
        assert value == line.change.difference.value
        assert text.endswith("*") == (line.change.adjusted_p < 0.05)


def test_a_number_of_a_table_that_rounds_to_zero_has_no_minus() -> None:
    n_agents = MOST_SERIES + 1
    block = np.full((len(round_robin(n_agents)), 100), code(1, -1), np.uint8)
    block[0, 0] = code(-1, -1)
    rules = [preset(name).rules for name in VARIANTS[:2]]
    names = [f"agent{k}" for k in range(n_agents)]
    points = charts_of(compare_blocks(VARIANTS[:2], rules, names, [block, block]))["points"]
    assert isinstance(points, Matrix)
    assert points.grids[0].values[-1][0] == pytest.approx(-2 / (200 * MOST_SERIES))
    assert {text for row in points.grids[0].texts for text in row} == {"+0.00"}


def test_a_table_with_more_rule_sets_than_agents_stands_upright() -> None:
    names = tuple(f"sixtysix{k}" for k in range(26))
    pairings = round_robin(4)
    blocks = [random_block(np.random.default_rng(k), list(LEVELS.values()), pairings, 20) for k in range(len(names))]
    compared = compare_blocks(names, [preset("sixtysix").rules] * len(names), tuple(LEVELS), blocks)
    won = charts_of(compared)["win-rates"]
    assert isinstance(won, Matrix)
    assert won.rows == names
    assert set(won.columns) == set(LEVELS)
    assert won.column_axis == "agent"
    share = compared.agents[list(LEVELS).index(won.columns[1])].lines[7].hands_won.value
    assert share is not None
    assert won.grids[0].values[7][1] == 100 * share


def test_five_agents_have_a_forest_by_agent_whose_changes_come_to_nothing_together() -> None:
    compared = made_up_comparison({f"agent{k}": 0.1 * k for k in range(5)}, VARIANTS, 60)
    chart = charts_of(compared)["rule-effects"]
    assert isinstance(chart, Intervals)
    assert len(chart.panels) == 5
    for row in range(len(chart.labels)):
        assert sum(panel.marks[row].value or 0.0 for panel in chart.panels) == pytest.approx(0, abs=1e-9)


def test_an_agent_against_itself_has_no_win_rates_and_a_sentence_says_why() -> None:
    block = random_block(np.random.default_rng(3), [0.0, 0.0], round_robin(2), 60)
    rules = [preset(name).rules for name in VARIANTS[:2]]
    other = random_block(np.random.default_rng(4), [0.0, 0.0], round_robin(2), 60)
    compared = compare_blocks(VARIANTS[:2], rules, ("normal", "normal#2"), [block, other], ("normal", "normal"))
    charts, missing = comparison_figures(compared)
    assert [chart.name for chart in charts] == ["rule-effects", "endings"]
    assert missing == [ONLY_MIRRORS]
    effects = charts[0]
    assert isinstance(effects, Intervals)
    (panel,) = effects.panels
    assert panel.axis == "change of game points a hand of seat 0, which leads"
    seat = [(GAME_POINTS[0] - GAME_POINTS[1])[codes[0]].mean() / 2 for codes in (block, other)]
    assert panel.marks[0].value == pytest.approx(seat[1] - seat[0])


def compare_copies(*texts: str) -> ComparedRules:
    """Compare two rule sets with several copies of the same agents."""
    names = tuple(f"{text}#{k}" for k, text in enumerate(texts))
    strengths = [float(len(text)) / 10 for text in texts]
    blocks = [random_block(np.random.default_rng(k), strengths, round_robin(len(texts)), 40) for k in (3, 4)]
    return compare_blocks(VARIANTS[:2], [preset(name).rules for name in VARIANTS[:2]], names, blocks, texts)


def test_mirrors_alone_have_a_panel_each_with_their_names_and_the_caption_has_those_that_are_too_many() -> None:
    three, five = (charts_of(compare_copies(*["easy"] * n))["rule-effects"] for n in (3, 5))
    assert isinstance(three, Intervals)
    assert isinstance(five, Intervals)
    lead = "change of game points a hand of seat 0, which leads"
    pairs = [f"easy#{i} against easy#{j}" for i, j in round_robin(5)]
    assert [panel.axis for panel in three.panels] == [f"{lead}, {pair}" for pair in pairs[:3]]
    assert "Without a panel" not in three.caption
    assert [panel.axis for panel in five.panels] == [f"{lead}, {pair}" for pair in pairs[:6]]
    assert five.caption.endswith(f"Without a panel, in comparison.csv: {', '.join(pairs[6:])}.")


def test_a_mirror_beside_other_pairings_is_named_as_without_a_panel() -> None:
    effects = charts_of(compare_copies("easy", "easy", "normal"))["rule-effects"]
    assert isinstance(effects, Intervals)
    assert len(effects.panels) == 2
    assert effects.caption.endswith("Without a panel, in comparison.csv: easy#0 against easy#1.")


def test_a_table_too_wide_for_texts_says_that_colours_alone_tell_and_speaks_of_no_stars(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("harness.report.figures.kinds.MOST_TEXTS", 1)
    charts = charts_of(made_up_comparison({f"agent{k}": 0.3 * k for k in range(MOST_SERIES + 1)}, VARIANTS, 60))
    for name, centre in (("win-rates", 50), ("points", 0), ("rule-effects", 0)):
        chart = charts[name]
        assert isinstance(chart, Matrix)
        assert not chart.has_texts
        assert chart.caption.endswith(f" Colours alone, hatched below {centre}: the numbers are in comparison.csv.")
        assert "after Holm" not in chart.caption


def test_a_rule_set_that_changes_no_deal_says_so_instead_of_an_interval() -> None:
    block = np.full((1, 40), code(1, -1), np.uint8)
    block[0, ::3] = code(2, -1)
    rules = [preset(name).rules for name in VARIANTS[:2]]
    chart = charts_of(compare_blocks(VARIANTS[:2], rules, ("easy", "normal"), [block, block]))["rule-effects"]
    assert isinstance(chart, Intervals)
    assert {panel.marks[0].text for panel in chart.panels} == {"the same in every deal"}
    assert "No change is proved" in chart.caption


def test_every_figure_can_be_drawn_for_all_presets_and_long_names(levels: ComparedRules, tmp_path: Path) -> None:
    rules = [*(preset(name).rules for name in preset_names()), preset("sixtysix").rules]
    names = (*preset_names(), f"{preset_names()[0]} declare.false_trickless=3")
    blocks = [random_block(np.random.default_rng(k), [0.0, 0.3], round_robin(2), 40) for k in range(len(names))]
    charts, missing = comparison_figures(compare_blocks(names, rules, ("easy", "normal"), blocks))
    assert missing == []
    files = save(charts, tmp_path)
    assert tuple(files) == FIGURES
    for png, svg in files.values():
        assert png.stat().st_size > 5000
        assert "<!-- declare.false_trickless=3 -->" in svg.read_text(encoding="utf-8")
    won = charts_of(levels)["win-rates"]
    ((_, svg),) = save([won], tmp_path / "levels").values()
    assert isinstance(won, Groups)
    for series in won.series:
        assert f"<!-- {series.label} -->" in svg.read_text(encoding="utf-8")

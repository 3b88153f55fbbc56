import dataclasses
import math
import re

import numpy as np
import pytest

from harness.core.records import ENDINGS
from harness.game.rules import Rules
from harness.play.codes import NOT_PLAYED
from harness.report.analysis import analyse
from harness.report.lines import why_missing
from harness.report.report import full_text
from harness.report.tables import report_text
from harness.report.verdicts import verdict
from harness.report.words import write_share
from harness.stats.codes import CodeArray
from harness.stats.equity import match_equity
from harness.stats.estimate import Estimate
from harness.stats.pairs import pair_estimates
from tests.helpers.deals import code
from tests.helpers.runs import MadeUpRun, endings_of, made_up_run

LONG = "module.of.somebody:Bot:depth=12,worlds=4000,a_long_parameter=0.125"


def run_of(names: list[str], pairings: list[tuple[int, int]], block: CodeArray, anchor: str | None = None) -> MadeUpRun:
    return MadeUpRun(names, block, pairings, endings_of(block), anchor)


def test_two_agents_begin_with_the_verdict_from_the_winners_side() -> None:
    analysis = analyse(made_up_run({"easy": 0.0, "normal": 0.4}, 2000))
    points = analysis.pairings[0].estimates.game_points
    assert points.value is not None
    assert points.half_width is not None
    assert (
        report_text(analysis)
        .replace("\n", " ")
        .startswith(
            f"normal beats easy by +{-points.value:.3f} ± {math.ceil(1000 * points.half_width) / 1000} game points a "
            "hand (95 %, 2,000 deals played twice)."
        )
    )


def test_agents_that_are_not_told_apart_are_said_to_be() -> None:
    analysis = analyse(made_up_run({"easy": 0.0, "same": 0.0}, 200))
    assert re.match(
        r"\w+ and \w+ are not told apart: \+0\.\d\d ± 0\.\d\d game points", verdict(analysis, analysis.pairings[0])
    )


def test_the_figures_of_two_agents_are_those_of_the_statistics() -> None:
    analysis = analyse(made_up_run({"easy": 0.0, "normal": 0.4}, 2000))
    seen = analysis.pairings[0].seen_from(1)
    lines = {line[:23].strip(): line[23:] for line in report_text(analysis).splitlines()[::-1]}
    won, elo = seen.hands_won, seen.elo
    assert won.value is not None
    assert won.low is not None
    assert won.high is not None
    assert elo.value is not None
    assert lines["hands won"].split() == [
        f"{100 * won.value:.1f}", "±", str(math.ceil(500 * (won.high - won.low)) / 10), "%",
        f"{100 * won.low:.1f}", "to", f"{100 * won.high:.1f}", "%",
    ]  # fmt: skip
    assert lines["Elo, from hands won"].split()[0] == f"{elo.value:+.1f}"
    matches = match_equity(analysis.pairings[0].counts[::-1], Rules())
    assert lines["matches won"].split()[0] == f"{100 * value_of(matches.matches_won):.1f}"
    assert lines["match Elo"].split()[0] == f"{value_of(matches.elo):+.0f}"
    drawn = analysis.pairings[0].endings.drawn.value
    assert drawn is not None
    assert lines["nobody won"].split()[0] == f"{100 * drawn:.1f}"


def test_the_foot_of_the_endings_says_what_stands_behind_their_signs() -> None:
    for names in (["easy", "normal"], ["easy", "normal", "random"]):
        text = report_text(analyse(made_up_run(dict.fromkeys(names, 0.0), 50)))
        assert "intervals: 95 %, ± half their length, with one observation a deal" in " ".join(text.split())


def test_how_hands_end_follows_the_winner_into_its_column() -> None:
    # easy, the first agent, always loses one hand by a declaration and wins nothing.
    block = np.full((1, 100), code(-1, 0), dtype=np.uint8)
    text = report_text(analyse(run_of(["easy", "normal"], [(0, 1)], block)))
    head = next(line for line in text.splitlines() if line.startswith("How the hands end"))
    assert head.index("normal wins") < head.index("easy wins")
    row = next(line for line in text.splitlines() if line.startswith("  declared"))
    assert re.fullmatch(r"  declared +50\.0 ± \S+ % +< \S+ %", row)


@pytest.mark.parametrize(("n_agents", "n_deals"), [(2, 50), (3, 400), (4, 1), (20, 20)])
def test_every_line_fits_80_columns_also_with_long_names(n_agents: int, n_deals: int) -> None:
    names = [f"{LONG}{k}" if k % 3 == 1 else f"agent{k}" for k in range(n_agents)]
    analysis = analyse(made_up_run({name: 0.1 * k for k, name in enumerate(names)}, n_deals, anchor=names[1]))
    for line in full_text(analysis).splitlines():
        assert len(line) <= 80, line
        assert line == line.rstrip()


def test_the_ranking_of_three_is_by_game_points_with_all_scales() -> None:
    analysis = analyse(made_up_run({"random": -1.0, "easy": 0.0, "normal": 0.3}, 500))
    lines = report_text(analysis).splitlines()
    start, of_elo = (
        next(k for k, line in enumerate(lines) if line.startswith("  # agent") and scale in line)
        for scale in ("matches won", "Elo")
    )
    assert [line.split()[:2] for line in lines[start + 1 : start + 4]] == [
        ["1", "normal"],
        ["2", "easy"],
        ["3", "random"],
    ]
    for rank, agent in enumerate(analysis.agents, start=1):
        line, elo_line = lines[start + rank], lines[of_elo + rank]
        assert agent.game_points_rating.value is not None
        assert agent.hands_won.value is not None
        assert agent.matches_won.value is not None
        assert agent.elo.value is not None
        assert f"{agent.game_points_rating.value:+.3f} ± " in line
        assert f"{100 * agent.hands_won.value:.1f} ± " in line
        matches_decimals = 2 if agent.name == "random" else 1  # wins hardly any, and is the better known
        assert f"{100 * agent.matches_won.value:.{matches_decimals}f} ± " in line
        assert line.split()[-1] == str(rank)
        assert elo_line.split()[:2] == [str(rank), agent.name]
        assert f"{agent.elo.value:+.0f} ± " in elo_line
        assert elo_line.endswith("2,000")


def test_agents_that_are_not_told_apart_share_their_ranks() -> None:
    text = report_text(analyse(made_up_run({"a": 0.0, "b": 0.0, "c": 2.0}, 100)))
    ranks = [re.split(r"  +", line.strip())[-1] for line in text.splitlines() if re.match(r"  \d [abc] .*%", line)]
    assert ranks == ["1", "2 to 3", "2 to 3"]


def test_each_pairing_is_on_the_other_scales_from_its_better_agent() -> None:
    run = made_up_run({"random": -1.0, "easy": 0.0, "normal": 0.3}, 500)
    table = report_text(analyse(run)).partition("Each pairing")[2].splitlines()
    assert re.split(r"  +", table[0].strip()) == ["hands won", "Elo", "matches won", "match Elo"]
    assert [line.split("  ")[1].strip() for line in table[1:4]] == ["1 against 2", "1 against 3", "2 against 3"]
    # normal against easy is the third pairing, easy first: seen from normal the counts stand the other way round.
    equity, pair = match_equity(run.counts[2][::-1], Rules()), pair_estimates(run.counts[2][::-1])
    cells = re.split(r"  +", table[1].strip())[1:]
    for cell, value in zip(
        cells,
        (100 * value_of(pair.hands_won), value_of(pair.elo), 100 * value_of(equity.matches_won), value_of(equity.elo)),
        strict=True,
    ):
        number, _, _ = cell.partition(" ")
        assert float(number) == pytest.approx(value, abs=0.5 * 10.0 ** -len(number.partition(".")[2]))


def value_of(estimate: Estimate) -> float:
    assert estimate.value is not None
    return estimate.value


def test_more_pairings_than_a_table_should_have_are_left_to_the_files() -> None:
    text = report_text(analyse(made_up_run({f"agent{k}": 0.05 * k for k in range(9)}, 20)))
    assert "match Elo of each of the 36 pairings are in pairings.csv" in " ".join(text.split())
    assert "Each pairing" not in text


def test_matches_go_to_the_target_of_the_rules() -> None:
    for target, words in ((1, "1 game point"), (11, "11 game points")):
        rules = Rules().with_fields({"match.target": target})
        for agents in ({"easy": 0.0, "normal": 0.4}, {"a": 0.0, "easy": 0.0, "normal": 0.4}):
            run = dataclasses.replace(made_up_run(agents, 100), rules=rules.flat())
            assert f"to {words}" in " ".join(report_text(analyse(run)).split())
    only = analyse(dataclasses.replace(made_up_run({"a": 0.0, "b": 0.4}, 100), rules=rules.flat())).pairings[0]
    assert only.equity.matches_won == match_equity(only.counts, rules).matches_won


@pytest.mark.parametrize(("value", "low", "high", "written"), [
    (0.5, 0.4, 0.6, "50.0 ± 10.0 %"), (0.99, 0.98, 0.995, "99.00 ± 0.75 %"),
    (1e-5, 1e-6, 1e-4, "< 0.01 %"), (1e-5, 1e-6, 0.00021, "< 0.03 %"), (0.99999, 0.9998, 0.999999, "> 99.98 %"),
    (0.0, 0.0, 0.00123, "< 0.13 %"), (1.0, 0.99877, 1.0, "> 99.87 %"),
    (0.0, None, None, "0.0 ± ? %"), (1.0, None, None, "100.0 ± ? %"), (None, None, None, "-"),
])  # fmt: skip
def test_a_share_near_none_or_all_is_bounded_not_rounded(
    value: float | None, low: float | None, high: float | None, written: str
) -> None:
    assert write_share(Estimate(value, low, high, 100)) == written


def test_the_head_to_head_is_antisymmetric_and_by_rank() -> None:
    analysis = analyse(made_up_run({"random": -1.0, "easy": 0.0, "normal": 0.3}, 500))
    text = report_text(analysis).partition("Head to head\n")[2]
    cells = [re.findall(r"[+-]\d\.\d\d|(?<= )-(?= |$)", line[23:]) for line in text.splitlines()[1:4]]
    pairing = next(p for p in analysis.pairings if {p.first, p.second} == {1, 2})
    points = pairing.seen_from(2).game_points.value
    assert points is not None
    assert cells[0][1] == f"{points:+.2f}"
    assert cells[1][0] == f"{-points:+.2f}"
    assert [cells[k][k] for k in range(3)] == ["-", "-", "-"]


def test_twenty_agents_have_all_their_head_to_heads() -> None:
    text = report_text(analyse(made_up_run({f"agent{k}": 0.05 * k for k in range(20)}, 20)))
    for rank in range(1, 21):
        assert len(re.findall(rf"against {rank}\b", text)) == 1


def test_an_anchor_is_named_in_words_not_given_an_interval() -> None:
    text = report_text(analyse(made_up_run({"random": -1.0, "easy": 0.0, "normal": 0.3}, 500, anchor="random")))
    assert re.search(r"random +anchor +\d.*%", text)
    assert re.search(r"random +anchor +2,000", text)
    assert "Game points a hand are against random" in text
    assert "Elo is from hands won, against random." in text


def test_agents_without_a_rating_are_named_with_the_reason() -> None:
    run = made_up_run({"weak": 0.0, "easy": 0.1, "strong": 0.0}, 100, anchor="strong")
    block = run.block.copy()
    block[1:] = code(-1, -2)
    text = full_text(analyse(run_of(list(run.agents), list(run.pairings), block, "strong")))
    assert re.search(r"strong +anchor +100\.0 ± \? % +100\.0 ± \? % +1", text)
    assert re.search(r"strong +- +400", text)
    assert "match Elo: it would win every match" in text
    assert "strong: Elo: won every hand." in text
    assert "the anchor strong has no rating" in text.replace("\n    ", " ")
    assert "Game points a hand are against strong;" in text
    assert "Elo is from hands won, against the mean of the rated agents" in text


def test_reasons_name_whom_they_hold_for_and_on_which_scales() -> None:
    none, some = Estimate(None, None, None, 0, note="lost"), Estimate(0.5, 0.4, 0.6, 10)
    flat = Estimate(0.5, None, None, 10, note="level")
    estimates = [("a", "x", flat), ("b", "x", flat), ("a", "y", flat), ("b", "y", flat), ("a", "z", some)]
    assert why_missing([*estimates, ("b", "z", flat), ("c", "x", none)]) == ["a, b: x, y; b: z: level.", "c: x: lost."]


def test_a_pairing_that_has_not_met_is_a_dash() -> None:
    run = made_up_run({"a": 0.0, "b": 0.1, "c": 0.0}, 100)
    block = run.block.copy()
    block[1] = NOT_PLAYED
    text = report_text(analyse(run_of(list(run.agents), list(run.pairings), block)))
    rows = text.partition("Head to head\n")[2].splitlines()[1:4]
    assert sorted(len(re.findall(" -(?= |$)", row)) for row in rows) == [1, 2, 2]


@pytest.mark.parametrize("names", [["alone"], ["easy", "normal"], ["a", "b", "c"]])
def test_no_deals_are_said_in_words(names: list[str]) -> None:
    run = made_up_run(dict.fromkeys(names, 0.0), 0)
    assert full_text(analyse(run)) == "No deals have been played, so there is nothing to report.\n"


def test_one_deal_has_no_interval_and_says_so() -> None:
    text = full_text(analyse(made_up_run({"easy": 0.0, "normal": 0.4}, 1)))
    assert "no interval" in text
    assert "± ?" in text
    assert "Only 1 deal was played" in text


def test_agents_with_equal_points_are_level_and_nobody_leads() -> None:
    block = np.array([[code(1, -1), code(2, -2), code(-1, 1)] * 20] * 3, dtype=np.uint8)
    text = report_text(analyse(run_of(["a", "b", "c"], [(0, 1), (0, 2), (1, 2)], block)))
    assert text.startswith("a and b are level: ")
    assert "leads" not in text.partition("\n\n")[0]


def test_an_incomplete_run_says_so() -> None:
    run = dataclasses.replace(made_up_run({"easy": 0.0, "normal": 0.4}, 100), complete=False)
    assert "The run is not complete" in full_text(analyse(run))


def test_the_text_says_where_pairings_have_played_differently_many_deals() -> None:
    run = made_up_run({"easy": 0.0, "normal": 0.4, "hard": 0.6}, 200)
    block = run.block.copy()
    block[2, 150:] = NOT_PLAYED
    analysis = analyse(dataclasses.replace(run, block=block, endings=endings_of(block)))
    assert "150 to 200 deals, played twice by each pairing;" in report_text(analysis).replace("\n", " ")


def test_scales_that_disagree_are_pointed_out() -> None:
    # easy wins two thirds of the hands, normal wins three points each time.
    block = np.array([[code(1, 1), code(1, -3), code(-3, 1)] * 300], dtype=np.uint8)
    text = full_text(analyse(run_of(["easy", "normal"], [(0, 1)], block)))
    assert "normal earns more game points than easy, but wins fewer hands" in text.replace("\n    ", " ")
    assert "matches to 7:" not in text
    # To one point every hand is a match, and points beyond it are worth nothing.
    short = dataclasses.replace(
        run_of(["easy", "normal"], [(0, 1)], block), rules=Rules().with_fields({"match.target": 1}).flat()
    )
    text = full_text(analyse(short)).replace("\n    ", " ")
    assert "normal earns more game points than easy, but would win fewer matches to 1" in text


def test_every_ending_has_a_row() -> None:
    run = made_up_run({"a": 0.0, "b": 0.1, "c": 0.0}, 100)
    tally = run.endings.copy()
    tally[:, 0, 0, : len(ENDINGS) - 1, 1] += 1
    text = report_text(analyse(dataclasses.replace(run, endings=tally)))
    for how in ("declared", "close made", "close failed", "overtaken", "ran out", "nobody won"):
        assert f"\n  {how} " in text
    assert "false declaration" not in text

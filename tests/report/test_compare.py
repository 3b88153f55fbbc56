"""Comparisons of rule sets from made-up deals, against plain sums over those deals."""

import csv
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from harness.game.presets import preset
from harness.game.rules import Rules
from harness.report.compare_analysis import ComparedRules
from harness.report.compare_summary import comparison_summary, table_rows
from harness.report.compare_tables import comparison_text, p_text
from harness.report.compare_words import verdict
from harness.report.report import summary_text, write_rows
from harness.stats.codes import GAME_POINTS, CodeArray
from harness.stats.equity import hand_odds, match_table
from tests.helpers.comparisons import compare_blocks
from tests.helpers.deals import code, counts_of, random_block, round_robin

N_DEALS = 400
SIXTYSIX, BICYCLE = preset("sixtysix").rules, preset("bicycle").rules


def blocks() -> list[CodeArray]:
    """Codes of a pairing under three rule sets: the second is like the first but for some deals, the third alike."""
    random = np.random.default_rng(7)
    results = np.array([-3, -2, -1, 0, 1, 2, 3])
    hands = random.choice(results, (2, N_DEALS), p=[0.02, 0.13, 0.3, 0.01, 0.3, 0.19, 0.05])
    others = np.where(random.random((2, N_DEALS)) < 0.2, random.choice(results, (2, N_DEALS)), hands)
    first, second = ((7 * (h[0] + 3) + h[1] + 3).astype(np.uint8)[np.newaxis] for h in (hands, others))
    return [first, second, first.copy()]


def compared(names: tuple[str, ...] = ("sixtysix", "bicycle", "sixtysix match.target=11")) -> ComparedRules:
    rules: list[Rules] = [SIXTYSIX, BICYCLE, SIXTYSIX.with_fields({"match.target": 11})]
    return compare_blocks(names, rules, ("easy", "normal"), blocks())


def test_a_difference_is_the_mean_over_common_deals_with_its_error() -> None:
    first, second, _ = (GAME_POINTS[:, block[0]].mean(axis=0) for block in blocks())
    apart = second - first
    line = compared().pairings[0].lines[1]
    assert line.change is not None
    change = line.change.difference("game points")
    reach = stats.t.ppf(0.975, N_DEALS - 1) * apart.std(ddof=1) / math.sqrt(N_DEALS)
    assert change.difference.value == pytest.approx(apart.mean())
    assert change.difference.high == pytest.approx(apart.mean() + reach)
    assert change.p == pytest.approx(stats.ttest_rel(second, first).pvalue)
    assert change.adjusted_p == pytest.approx(change.p)  # the third rule set has no p-value, so it is no family of two
    assert line.change.changed.value == (blocks()[0] != blocks()[1]).mean()


def test_equal_deals_are_no_change_at_all() -> None:
    change = compared().pairings[0].lines[2].change
    assert change is not None
    assert change.changed.value == 0
    assert change.difference("game points").difference.value == 0
    assert change.difference("game points").p is None


def test_the_difference_in_matches_won_has_the_error_that_leaving_out_deals_gives() -> None:
    first, second, _ = (block[0] for block in blocks())

    def apart(kept: np.ndarray) -> float:
        one, other = (match_table(rules, hand_odds(counts_of(codes[np.newaxis, kept])[0])).win_probability
                      for rules, codes in ((SIXTYSIX, first), (BICYCLE, second)))  # fmt: skip
        return other - one

    line = compared().pairings[0].lines[1]
    assert line.change is not None
    change = line.change.difference("matches won")
    everything = np.ones(N_DEALS, dtype=bool)
    left_out = []
    for deal in range(N_DEALS):
        kept = everything.copy()
        kept[deal] = False
        left_out.append(apart(kept))
    jackknife = math.sqrt((N_DEALS - 1) * np.var(left_out))
    assert change.difference.value == pytest.approx(apart(everything), abs=1e-9)
    assert change.difference.error == pytest.approx(jackknife, rel=0.02)


def test_the_text_fits_80_columns_and_says_what_changes() -> None:
    long = "sixtysix declare.false_trickless=3"
    text = comparison_text(compared(("sixtysix", "bicycle", long)))
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "Not a single deal comes out otherwise under declare.false_trickless=3." in text
    assert "\ndeclare.false_trickless=3\n      " in text
    assert "(7 or 11 game points)" in text
    assert "nines" not in text


def test_the_text_has_what_each_agent_wins_against_the_others_the_best_one_first() -> None:
    pairings = round_robin(3)
    codes = [random_block(np.random.default_rng(seed), [0.0, 0.4, 0.2], pairings, 200) for seed in (1, 2)]
    text = comparison_text(compare_blocks(("sixtysix", "bicycle"), [SIXTYSIX, BICYCLE], ("a", "b", "c"), codes))
    tables, _, about = text.partition("Each agent against all the others\n")[2].partition("An average")
    assert "after Holm over all other rule sets and agents." in about.partition("\n\n")[0].replace("\n", " ")
    assert re.findall(r"^(\w) ", tables, re.MULTILINE) == ["b", "c", "a"]
    shares = [float(share) for share in re.findall(r"([\d.]+) ± [\d.]+ %", tables)]
    expected = []
    for agent in (1, 2, 0):
        for block in codes:
            mine = [
                np.sign(GAME_POINTS[:, block[row]]) * (1 if pair[0] == agent else -1)
                for row, pair in enumerate(pairings)
                if agent in pair
            ]
            expected.append(50 + 50 * np.mean(mine))
    assert shares == pytest.approx(expected, abs=0.051)


def test_what_is_not_proved_says_whose_game_points_it_is_about() -> None:
    blocks = [random_block(np.random.default_rng(k), [0.5, 0.0], [(0, 1)], 40) for k in (1, 2)]
    few = compare_blocks(("sixtysix", "bicycle"), (SIXTYSIX, BICYCLE), ("normal", "easy"), blocks)
    unproved = [sentence for sentence in verdict(few, few.pairings[0]) if sentence.startswith("No change")]
    assert [sentence.partition(" is proved under bicycle (")[0] for sentence in unproved] == [
        "No change of normal's game points a hand",
        "No change of seat 0's game points a hand",
    ]


def test_who_is_better_is_told_with_what_it_earns_itself() -> None:
    rules = [SIXTYSIX, BICYCLE]
    block = np.full((1, 40), code(-1, -1), np.uint8)
    block[0, ::4] = code(1, -1)
    verdict = comparison_text(compare_blocks(("sixtysix", "bicycle"), rules, ("easy", "normal"), [block, block]))
    assert verdict.startswith("normal beats easy under both rule sets: by +0.75 ± ")


def test_columns_of_few_deals_stay_apart() -> None:
    few = [block[:, :40] for block in blocks()[:2]]
    text = comparison_text(compare_blocks(("sixtysix", "bicycle"), [SIXTYSIX, BICYCLE], ("easy", "normal"), few))
    (base,) = re.findall(r"^Hands worth.*\nsixtysix +(.*)$", text, re.MULTILINE)
    assert len(re.split(r"(?<=\d) +(?=[-\d])", base)) == 4
    assert max(len(line) for line in text.splitlines()) <= 80


def test_p_values_are_written_in_five_characters() -> None:
    assert [p_text(p) for p in (None, 0.0001, 0.0314, 0.5, 0.9999)] == ["-", "<.001", ".031", ".500", "1"]


def test_the_summary_and_the_table_have_what_the_analysis_has(tmp_path: Path) -> None:
    analysis = compared()
    summary = json.loads(summary_text(comparison_summary(analysis, {"agents": ["easy", "normal"]}, [{}, {}, {}])))
    assert summary["rule_sets"][2]["differs_from_base_in"] == {"match.target": 11}
    told = summary["pairings"][0]["rule_sets"][1]["against_base"]["differences"]["game points"]["difference"]
    write_rows(tmp_path / "table.csv", list(table_rows(analysis)))
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["rule_set"] for row in rows] == ["sixtysix", "bicycle", "sixtysix match.target=11"]
    assert float(rows[1]["game_points_difference"]) == told["value"]
    assert rows[0]["game_points_difference"] == ""
    assert None not in rows[0]

"""The page of a comparison holds the numbers of its summary."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.game.presets import preset
from harness.report.compare_analysis import ComparedRules
from harness.report.compare_summary import comparison_summary
from harness.report.compare_words import ONLY_MIRRORS_MET, comparison_verdict
from harness.report.page.comparison_page import comparison_page
from tests.helpers.comparisons import compare_blocks, made_up_comparison
from tests.helpers.deals import random_block, round_robin
from tests.helpers.pages import NASTY, SVG, Page, Table, chart

SETS = ("sixtysix", "bicycle", "schnapsen")
TWO = made_up_comparison({"easy": 0.0, "normal": 0.4}, SETS)
THREE = made_up_comparison({"easy": 0.0, NASTY: 0.4, "hard": 0.5}, SETS)


def summarise(compared: ComparedRules) -> dict[str, Any]:
    agents = [agent.name for agent in compared.agents]
    common = {"agents": agents, "deals": compared.n_deals, "seed": 7, "limits": {}}
    about = [{"folder": name, "digest": f"{k:016x}"} for k, name in enumerate(compared.names)]
    left_out = {"left_out": ["american has not been played yet"], "versions": {"sixtysix": "0.1.0"}, "machine": {}}
    return comparison_summary(compared, common, about) | left_out


def page_of(compared: ComparedRules) -> Page:
    pictures = [chart("points")], ["No figure of x."], {"points": SVG}
    text = comparison_page(compared, summarise(compared), *pictures, Path("results/an evening"))
    return Page(text)


def values(table: Table, head: str) -> list[float | None]:
    return [None if value is None else float(value) for _, value in table.column(head)]


@pytest.mark.parametrize(("compared", "start"), [(TWO, "easy against normal"), (THREE, "3 pairings")])
def test_pairings_and_seats_are_those_of_the_summary(compared: ComparedRules, start: str) -> None:
    page, summary = page_of(compared), summarise(compared)
    lines = [line for pairing in summary["pairings"] for line in pairing["rule_sets"]]
    table, seats = (table for table in page.tables if table.caption.startswith(start))
    assert [text for text, _ in table.column("rules")] == [line["name"] for line in lines]
    assert values(table, "game points a hand") == [line["game_points"]["value"] for line in lines]
    assert values(table, "matches won") == [line["matches_won"]["value"] for line in lines]
    assert values(seats, "hands won by seat 0") == [line["seat_0_hands_won"]["value"] for line in lines]
    for k, line in enumerate(lines):
        against = line["against_base"]
        if against is None:
            assert table.column("against the base")[k] == ("base", None)
            continue
        change = against["differences"]["game points"]
        assert values(table, "against the base")[k] == change["difference"]["value"]
        assert values(table, "p")[k] == change["p_holm"]
        assert values(table, "other deals")[k] == against["deals_changed"]["value"]
        seat = against["differences"]["seat game points"]["difference"]["value"]
        assert values(seats, "against the base")[k] == seat


def test_two_agents_begin_with_their_verdict() -> None:
    page, (pairing,) = page_of(TWO), summarise(TWO)["pairings"]
    for sentence in pairing["verdict"]:
        assert sentence in page.texts
    assert "Left out: american has not been played yet." in page.texts


def test_of_three_agents_the_verdict_is_that_of_the_summary() -> None:
    page = page_of(THREE)
    short, *by_rule_set = summarise(THREE)["verdict"]
    assert short.startswith("hard leads under all 3 rule sets; ")
    assert [sentence.partition(":")[0] for sentence in by_rule_set] == [f"Under {name}" for name in SETS]
    for sentence in (short, *by_rule_set):
        assert sentence in page.texts


def test_each_agent_has_its_share_of_hands_under_each_rule_set() -> None:
    page = page_of(THREE)
    agents = page.table("3 agents")
    for agent in THREE.agents:
        shown = [
            value
            for (text, _), value in zip(agents.column("agent"), values(agents, "hands won"), strict=True)
            if text == agent.name
        ]
        assert shown == [line.hands_won.value for line in agent.lines]


def test_of_agents_that_met_themselves_only_none_is_better() -> None:
    agents = ("normal", "normal#2", "normal#3")
    blocks = [random_block(np.random.default_rng(k), [0.0] * 3, round_robin(3), 40) for k in range(2)]
    rules = [preset(name).rules for name in SETS[:2]]
    compared = compare_blocks(SETS[:2], rules, agents, blocks, ("normal",) * 3)
    assert comparison_verdict(compared) == [ONLY_MIRRORS_MET]


def test_endings_are_of_all_hands_of_a_rule_set() -> None:
    table = page_of(THREE).table("How the hands")
    assert values(table, "declared") == [endings.by_ending[0].value for endings in THREE.endings]
    assert values(table, "hands") == [1800, 1800, 1800]


def test_forfeited_hands_are_counted_and_told() -> None:
    (pairing,) = TWO.pairings
    lines = tuple(replace(line, n_forfeits=3 * k) for k, line in enumerate(pairing.lines))
    page = page_of(replace(TWO, pairings=(replace(pairing, lines=lines),)))
    assert values(page.table("easy against normal"), "hands forfeited") == [0, 3, 6]
    assert any(text.startswith("9 hands forfeited by faults") for text in page.texts)
    assert "hands forfeited" not in page_of(TWO).table("easy against normal").heads


def test_the_rule_sets_and_the_commands_are_there() -> None:
    page = page_of(THREE)
    rules = page.table("3 rule sets")
    assert "nines=false" in rules.column("differs from the base in")[2][0]
    assert rules.column("digest")[1][0] == "0000000000000001"
    assert page.commands[0].startswith("sixtysix compare easy '<b>")
    assert "sixtysix report 'results/an evening/sixtysix'" in page.commands
    assert len(page.table("All fields").texts) == len(preset("sixtysix").rules.flat())
    assert not any(tag == "b" for tag, _ in page.elements)
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))

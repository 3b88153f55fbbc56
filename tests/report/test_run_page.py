"""The page of a run holds the numbers of its summary, whatever the run."""

import re
from dataclasses import replace
from operator import itemgetter
from typing import Any

import numpy as np
import pytest

from harness.core.records import ENDINGS
from harness.game.presets import preset
from harness.report.analysis import analyse
from harness.report.report import full_text
from harness.report.verdicts import run_verdict
from harness.store.rows import FaultRow
from tests.helpers.deals import code, random_block
from tests.helpers.pages import NASTY, Page, Table, page_of
from tests.helpers.runs import MadeUpRun, endings_of, made_up_run, summarise, with_faults

RUN = made_up_run({"random": -1.0, "easy": 0.0, "normal": 0.3}, 300)


def is_shown(cell: tuple[str, str | None], estimate: dict[str, Any], factor: float = 1.0) -> None:
    """Check a cell against an estimate of the summary: its value in whole, its text as far as it has digits."""
    text, value = cell
    assert value is not None
    assert float(value) == pytest.approx(estimate["value"], rel=1e-12, abs=1e-12)
    if text == "anchor":
        assert value == "0.0"
        return
    size, half = re.fullmatch(r"([-+]?[\d.,]+) ± ([\d.,]+)(?: %)?", text).groups()  # type: ignore[union-attr]
    step = 0.5 * 10 ** -len(size.partition(".")[2]) * 1.0001
    assert float(size.replace(",", "")) == pytest.approx(factor * estimate["value"], abs=step)
    half_width = factor * (estimate["high"] - estimate["low"]) / 2
    assert 0 <= float(half.replace(",", "")) - half_width + 1e-9 <= 2 * step  # rounded up


def test_the_page_of_a_ladder_says_first_whether_every_step_is_a_step() -> None:
    pairings = [(0, 1), (1, 2)]
    for strengths, words in (
        ([0.0, 0.3, 0.6], "Every step is a step (99.9 % each, on game points): a < b < c."),
        ([0.0, 0.3, 0.3], "The ladder is not monotone (99.9 % each, on game points): c is not proved to be better"),
        ([0.0, 0.3, 0.0], "The ladder is not monotone (99.9 % each, on game points): c is weaker than b"),
    ):
        block = random_block(np.random.default_rng(1), strengths, pairings, 2000)
        run = MadeUpRun(["a", "b", "c"], block, pairings, endings_of(block), format="ladder")
        shown = " ".join(Page(page_of(run)).texts)
        assert shown.index(words) < shown.index(run_verdict(analyse(run)))
        assert "step" not in " ".join(Page(page_of(replace(run, complete=False))).texts).partition("Ratings")[0]


def turned(estimate: dict[str, Any]) -> dict[str, Any]:
    """Let an estimate be that of the other side."""
    return {"value": -estimate["value"], "low": -estimate["high"], "high": -estimate["low"]}


def test_ratings_are_those_of_the_summary() -> None:
    for run in (RUN, replace(RUN, anchor="random")):
        ratings, summary = Page(page_of(run)).table("Ratings of 3 agents"), summarise(run)
        assert [text for text, _ in ratings.column("agent")] == [agent["name"] for agent in summary["agents"]]
        for k, agent in enumerate(summary["agents"]):
            assert ratings.column("#")[k] == (str(agent["rank"]), str(agent["rank"]))
            assert ratings.column("ranks")[k][1] == str(agent["ranks"]["best"])
            assert ratings.column("hands")[k][1] == str(agent["hands"])
            is_shown(ratings.column("game points a hand")[k], agent["game_points_rating"])
            is_shown(ratings.column("average game points")[k], agent["game_points"])
            is_shown(ratings.column("hands won")[k], agent["hands_won"], 100)
            is_shown(ratings.column("Elo")[k], agent["elo"])
            assert float(ratings.column("matches won")[k][1] or "") == agent["matches_won"]["value"]


def test_pairings_are_those_of_the_summary_from_the_better_agents_side() -> None:
    table, summary = Page(page_of(RUN)).table("3 pairings"), summarise(RUN)
    rank = {agent["name"]: agent["rank"] for agent in summary["agents"]}
    assert len(table.texts) == 3
    for k, (name, _) in enumerate(table.column("agent")):
        other = table.column("against")[k][0]
        assert rank[name] < rank[other]
        pairing = next(p for p in summary["pairings"] if {p["first"], p["second"]} == {name, other})
        for head, key in {"game points a hand": "game_points", "Elo": "elo", "match Elo": "match_elo"}.items():
            value = pairing[key] if pairing["first"] == name else turned(pairing[key])
            is_shown(table.column(head)[k], value)
        assert table.column("deals")[k][1] == "300"


def test_endings_and_seats_are_those_of_the_summary() -> None:
    page, summary = Page(page_of(RUN)), summarise(RUN)
    endings = page.table("How the hands end")
    shown = {
        {"nobody won": "drawn"}.get(text, text.replace(" ", "-")): k
        for k, (text, _) in enumerate(endings.column("how"))
    }
    by_ending = summary["endings"]["by_ending"]
    assert set(shown) == {how for how in ENDINGS if by_ending[how]["value"]}
    for how, k in shown.items():
        is_shown(endings.column("all")[k], by_ending[how], 100)
    seats = page.table("Seat 0")
    names = list(zip(*(map(itemgetter(0), seats.column(head)) for head in ("agent", "against")), strict=True))
    assert names == [("normal", "easy"), ("normal", "random"), ("easy", "random")]  # by rank
    for k, pair in enumerate(names):
        (pairing,) = [p for p in summary["pairings"] if {p["first"], p["second"]} == set(pair)]
        is_shown(seats.column("game points of seat 0")[k], pairing["seat_0_game_points"])
        is_shown(seats.column("hands won by seat 0")[k], pairing["seat_0_hands_won"], 100)


def test_the_page_of_two_agents_says_how_each_of_them_wins() -> None:
    run = made_up_run({"easy": 0.0, "normal": 0.4}, 500)
    page, summary = Page(page_of(run)), summarise(run)
    table = page.table("How each wins")
    (pairing,) = summary["pairings"]
    assert table.heads == ["how", "normal wins", "easy wins"]
    for k, (text, _) in enumerate(table.column("how")):
        if text.replace(" ", "-") in ENDINGS:
            share = pairing["endings"]["second_won"]["by_ending"][text.replace(" ", "-")]["value"]
            assert float(table.column("normal wins")[k][1] or "") == share
    assert run_verdict(analyse(run)) in page.texts


def test_checks_versions_machine_and_digest_are_those_of_the_summary() -> None:
    summary, page = summarise(RUN), Page(page_of(RUN))
    checks = page.table("Checks of the harness")
    assert [text for text, _ in checks.column("what was found")] == [c["found"] for c in summary["self_checks"]]
    shown = " ".join(page.texts)
    for value in (summary["digest"], summary["config_digest"], summary["versions"]["sixtysix"]):
        assert value in shown


def test_rules_that_differ_from_the_default_preset_are_listed() -> None:
    rules = preset("schnapsen").rules.with_fields({"match.target": 11})
    page = Page(page_of(replace(RUN, rules=rules.flat())))
    table: Table = page.table("What differs from preset sixtysix")
    rows = {texts[0]: texts[1:3] for texts in table.texts}
    assert rows["match.target"] == ["11", "7"]
    assert rows["nines"] == ["false", "true"]
    assert len(page.table("All fields").texts) == len(rules.flat())


def test_names_of_agents_cannot_break_the_page() -> None:
    run = made_up_run({NASTY: 0.0, "normal": 0.3, "easy": 0.1}, 200)
    row = FaultRow(0, 3, 1, 0, "crash", f"raised {NASTY}", f"Traceback {NASTY}")
    page = Page(page_of(with_faults(run, row)))
    assert not any(tag == "b" for tag, _ in page.elements)
    assert sum(text == NASTY for text, _ in page.table("Ratings").column("agent")) == 1
    assert any(f"it raised {NASTY}" in text for text in page.texts)
    assert f"Traceback {NASTY}" in page.commands
    assert page.table("Hands forfeited").texts == [[NASTY, "crashed", "1", "800"]]


def test_every_number_that_is_missing_has_its_reason() -> None:
    page = Page(page_of(made_up_run({"easy": 0.0, "normal": 0.3}, 1)))
    text = " ".join(page.texts)
    assert "one deal has no spread to compute an interval from" in text
    assert "Only 1 deal was played" in text


def test_one_reason_is_said_once_for_all_numbers_of_a_table() -> None:
    # Both halves of each deal come out alike, as where an agent without luck plays itself.
    block = np.array([[code(1, -1), code(-2, 2)] * 20], dtype=np.uint8)
    page = Page(page_of(MadeUpRun(["easy", "easy#2"], block, [(0, 1)], endings_of(block))))
    _, *reasons = [text for text in page.texts if "no spread" in text]  # the first one is the verdict
    assert reasons == [
        "easy against easy#2: game points, hands won, Elo, matches won, match Elo: every deal came to the same total, "
        "so there is no spread to compute an interval from.",
        "easy, easy#2: game points a hand, hands won, Elo, matches won: every deal came to the same total, so there is "
        "no spread to compute an interval from.",
    ]


def test_an_empty_and_an_unfinished_run_have_a_page() -> None:
    empty = made_up_run({"easy": 0.0, "normal": 0.3}, 0)
    page = Page(page_of(replace(empty, complete=False), figures=(), missing=["There are no figures."]))
    assert "No deals have been played, so there is nothing to report." in page.texts
    assert "There are no figures." in page.texts
    assert "sixtysix resume results/an-evening" in page.commands
    assert not any(command.startswith("sixtysix show") for command in page.commands)

    page = Page(page_of(replace(RUN, complete=False, seconds=None)))
    assert "sixtysix resume results/an-evening" in page.commands
    assert "1,800 hands, not complete" in page.texts


def test_a_run_of_matches_speaks_of_matches() -> None:
    run = made_up_run({"easy": 0.0, "normal": 0.3, "hard": 0.4}, 200)
    page = Page(page_of(replace(run, play="matches")))
    assert "net wins a match" in page.table("Ratings").heads
    assert "matches won" in page.table("3 pairings").heads
    assert "matches won by its leader" in page.table("The leader of the first hand").heads
    assert not any(table.caption.startswith("How the hands end") for table in page.tables)


@pytest.mark.parametrize(("play", "n_deals", "reason"), [
    ("hands", 20, "won every hand"), ("matches", 20, "won every match"),
    ("hands", 1, "one deal has no spread"), ("matches", 1, "one pair of matches has no spread"),
])  # fmt: skip
def test_reasons_are_in_the_words_of_what_was_played(play: str, n_deals: int, reason: str) -> None:
    block = np.full((1, n_deals), code(1, 1), dtype=np.uint8)
    run = MadeUpRun(["easy", "normal"], block, [(0, 1)], endings_of(block), play=play)
    analysis = analyse(run)
    shown = " ".join([*Page(page_of(run)).texts, " ".join(full_text(analysis).split())])
    assert reason in shown
    assert ("deal" in analysis.game_points.seat.note) == (play == "hands")
    assert ("every hand" in shown or "one deal" in shown) == (play == "hands")


def test_who_lost_every_match_has_lost_it_to_one_that_won_every_match() -> None:
    block = np.full((1, 20), code(1, 1), dtype=np.uint8)
    (pairing,) = analyse(MadeUpRun(["easy", "normal"], block, [(0, 1)], endings_of(block), play="matches")).pairings
    notes = [pairing.matches_seen_from(agent).elo.note for agent in (0, 1)]
    assert notes == ["won every match", "lost every match"]


def test_figures_stand_in_their_sections_with_their_words() -> None:
    page = page_of(RUN, figures=("ratings", "something-new"))
    parsed = Page(page)
    labels = [attributes.get("aria-label") for tag, attributes in parsed.elements if tag == "svg"]
    assert labels == ["alt of ratings", "alt of something-new"]
    assert "caption of something-new" in parsed.texts
    assert page.index('id="ratings"') < page.index('id="figure-ratings"') < page.index('id="pairings"')


def test_the_same_run_gives_the_same_page() -> None:
    assert page_of(RUN) == page_of(RUN)


def test_each_id_comes_once_and_each_link_leads_somewhere() -> None:
    page = Page(page_of(RUN, figures=("ratings", "endings")))
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [attributes["href"] or "" for tag, attributes in page.elements if tag == "a"]
    assert {link.removeprefix("#") for link in links} <= set(ids)


@pytest.mark.parametrize("n_agents", [2, 20])
def test_tables_are_whole(n_agents: int) -> None:
    run: MadeUpRun = made_up_run({f"agent{k}": 0.02 * k for k in range(n_agents)}, 20)
    for table in Page(page_of(run)).tables:
        assert {len(row) for row in table.texts} == {len(table.heads)}

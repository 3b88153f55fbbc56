import dataclasses
import json
from typing import Any

import pytest

from harness.core.records import ENDINGS
from harness.game.rules import Rules
from harness.report.report import summary_text
from harness.report.summary import SCHEMA
from harness.stats.averages import average_a_hand
from harness.stats.codes import GAME_POINTS
from harness.stats.endings import ending_shares, pooled_endings
from harness.stats.equity import match_equity
from harness.stats.pairs import pair_estimates
from tests.helpers.deals import moments_of
from tests.helpers.runs import made_up_run, summarise

RUN = made_up_run({"random": -1.0, "easy": 0.0, "normal": 0.3}, 500, anchor="random")


def test_the_head_says_what_was_run() -> None:
    summary = summarise(RUN)
    assert summary["schema"] == SCHEMA == 1
    assert summary["digest"] == "ffffffffffffedcc"
    assert (summary["name"], summary["config_digest"]) == (RUN.name, RUN.config_digest)
    assert summary["config"] == RUN.config
    assert "seed" not in summary  # it stands in the config
    assert (summary["deals"], summary["hands"]) == (500, 3 * 500 * 2)
    assert (summary["versions"], summary["machine"], summary["seconds"]) == (RUN.versions, RUN.machine, 12.5)
    assert summary["elo_against"] == summary["game_points_against"] == "random"


def test_a_digest_that_was_stored_with_a_sign_is_the_same() -> None:
    signed = dataclasses.replace(RUN, digest=RUN.digest - 2**64)
    assert summarise(signed)["digest"] == "ffffffffffffedcc"


def test_pairings_are_those_of_the_statistics_in_the_order_of_the_run() -> None:
    summary = summarise(RUN)
    assert [(p["first"], p["second"]) for p in summary["pairings"]] == [
        ("random", "easy"),
        ("random", "normal"),
        ("easy", "normal"),
    ]
    for pairing, counts, tally in zip(summary["pairings"], RUN.counts, RUN.endings, strict=True):
        estimates, endings = pair_estimates(counts), ending_shares(tally)
        assert pairing["game_points"]["value"] == estimates.game_points.value
        assert pairing["elo"]["low"] == estimates.elo.low
        assert pairing["hands_won"]["high"] == estimates.hands_won.high
        equity = match_equity(counts, Rules())
        for key, matches in (("matches_won", equity.matches_won), ("match_elo", equity.elo)):
            assert (pairing[key]["value"], pairing[key]["low"], pairing[key]["high"]) == (
                matches.value,
                matches.low,
                matches.high,
            )
        assert equity.table is not None
        assert pairing["hands_a_match"] == equity.table.hands_a_match
        assert pairing["seat_0_game_points"]["value"] == estimates.seat_game_points.value
        assert pairing["endings"]["drawn"]["value"] == endings.drawn.value
        assert pairing["endings"]["second_won"]["by_ending"]["ran-out"]["value"] == endings.by_ending[1][4].value
        assert pairing["endings"]["first_won"]["by_game_points"]["2"]["value"] == endings.by_points[0][1].value
        assert pairing["forfeits"] == 0


def test_the_endings_of_all_pairings_are_those_of_the_table() -> None:
    endings, pooled = summarise(RUN)["endings"], pooled_endings(RUN.endings)
    assert endings["by_game_points"].keys() == set(ENDINGS) - {"drawn"}
    for how, name in enumerate(ENDINGS):
        assert endings["by_ending"][name]["value"] == pooled.by_ending[how].value
        for points in (1, 2, 3) if name != "drawn" else ():
            shown = endings["by_game_points"][name][str(points)]
            share = pooled.by_points[how][points - 1]
            assert (shown["value"], shown["low"], shown["high"]) == (share.value, share.low, share.high)
            hands = RUN.endings.sum(axis=(0, 1, 2))[how, points]
            assert shown["value"] == pytest.approx(hands / endings["hands"])


def test_agents_are_ranked_by_game_points_with_rating_and_plain_mean() -> None:
    agents = summarise(RUN)["agents"]
    assert [a["name"] for a in agents] == ["normal", "easy", "random"]
    assert [a["rank"] for a in agents] == [1, 2, 3]
    moments = moments_of(RUN.block, 3, RUN.pairings, [True] * 3, GAME_POINTS)
    assert agents[0]["game_points"]["value"] == average_a_hand(moments, 2).value
    # In a complete round robin of three, least squares are the sum of an agent's means over three.
    means = [(p["first"], p["second"], p["game_points"]["value"]) for p in summarise(RUN)["pairings"]]
    centred = {n: sum(v * ((a == n) - (b == n)) for a, b, v in means) / 3 for n in RUN.agents}
    assert agents[0]["game_points_rating"]["value"] == pytest.approx(centred["normal"] - centred["random"])
    assert agents[2]["elo"] == {"value": 0.0, "low": None, "high": None, "n_deals": 500, "note": "the reference itself"}


def test_agents_have_the_share_of_their_matches_and_an_interval_of_ranks() -> None:
    summary = summarise(RUN)
    assert summary["match_target"] == 7
    assert [agent["ranks"] for agent in summary["agents"]] == [
        {"best": rank, "worst": rank, "note": ""} for rank in (1, 2, 3)
    ]
    won = {(p["first"], p["second"]): p["matches_won"]["value"] for p in summary["pairings"]}
    share = {agent["name"]: agent["matches_won"] for agent in summary["agents"]}
    # Every pairing has played as many deals, so that an agent's share is the plain mean.
    assert share["random"]["value"] == pytest.approx((won["random", "easy"] + won["random", "normal"]) / 2)
    assert share["easy"]["value"] == pytest.approx((1 - won["random", "easy"] + won["easy", "normal"]) / 2)
    assert sum(estimate["value"] for estimate in share.values()) == pytest.approx(1.5)
    for estimate in share.values():
        assert estimate["low"] < estimate["value"] < estimate["high"]
        assert estimate["n_deals"] == 500


def test_matches_follow_target_dealer_and_carry_of_the_rules_of_the_run() -> None:
    rules = Rules().with_fields({"match.target": 3, "match.dealer": "winner", "unscored.carry": False})
    pairing = summarise(dataclasses.replace(RUN, rules=rules.flat()))["pairings"][2]
    expected = match_equity(RUN.counts[2], rules)
    assert pairing["match_elo"]["value"] == expected.elo.value
    assert pairing["match_elo"]["value"] != match_equity(RUN.counts[2], Rules()).elo.value


def test_differences_of_all_agents_agree_with_their_ratings() -> None:
    summary = summarise(RUN)
    elo = {a["name"]: a["elo"]["value"] for a in summary["agents"]}
    assert [(d["first"], d["second"]) for d in summary["differences"]] == [
        ("normal", "easy"),
        ("normal", "random"),
        ("easy", "random"),
    ]
    for difference in summary["differences"]:
        expected = elo[difference["first"]] - elo[difference["second"]]
        assert difference["elo"]["value"] == pytest.approx(expected)
        assert difference["elo"]["low"] < expected < difference["elo"]["high"]


@pytest.mark.parametrize("n_deals", [0, 1, 2, 500])
def test_it_is_plain_json_without_made_up_numbers(n_deals: int) -> None:
    run = made_up_run({"random": -1.0, "easy": 0.0, "normal": 0.3}, n_deals)
    summary = summarise(run)
    assert json.loads(summary_text(summary)) == summary
    for agent in summary["agents"]:
        assert (agent["elo"]["value"] is None) <= bool(agent["elo"]["note"])


def without_times(summary: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in summary.items() if key not in ("seconds", "machine")}


def test_it_does_not_depend_on_blocks_times_or_machine() -> None:
    other = dataclasses.replace(RUN, block_size=7, seconds=99.0, machine={"cores": 64})
    assert without_times(summarise(other)) == without_times(summarise(RUN))

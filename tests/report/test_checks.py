import dataclasses

import numpy as np

from harness.report.advice import advice
from harness.report.analysis import analyse
from harness.report.checks import self_checks
from harness.stats.self_checks import (
    BOOKS_ADVICE,
    MIRROR_ADVICE,
    WORKERS_ADVICE,
    books_check,
    mirror_check,
    workers_check,
)
from tests.helpers.deals import counts_of
from tests.helpers.runs import MadeUpRun, made_up_run, summarise


def parted(run: MadeUpRun, shift: int = 0) -> MadeUpRun:
    """Let two workers play the halves of a run; what the second one says is `shift` codes off."""
    half = run.block.shape[1] // 2
    second = np.roll(counts_of(run.block[:, half:]), shift, axis=1)
    return dataclasses.replace(run, by_worker=np.stack([counts_of(run.block[:, :half]), second]))


def test_one_worker_and_different_agents_leave_the_books() -> None:
    run = made_up_run({"easy": 0.0, "normal": 0.3}, 300)
    assert self_checks(run) == (
        books_check(run.counts, run.endings, np.zeros((1, 2), np.int64), ["easy against normal"]),
    )


def test_workers_are_compared() -> None:
    run = parted(made_up_run({"random": -1.0, "easy": 0.0, "normal": 0.3}, 600))
    assert self_checks(run)[1] == workers_check(run.worker_counts)
    assert analyse(run).checks == self_checks(run)
    assert all(verdict.passed for verdict in self_checks(run))


def test_agents_of_one_text_are_mirrors_whatever_they_are_called() -> None:
    strengths = {"easy": 0.0, "normal": 0.0, "normal#2": 0.0}
    run = dataclasses.replace(made_up_run(strengths, 300), texts=["easy", "normal", "normal"])
    mirrors = self_checks(run)[1:]
    assert [verdict.name for verdict in mirrors] == ["normal against normal#2"]
    expected = mirror_check(run.counts[2], "normal").verdict
    assert (mirrors[0].p, mirrors[0].found) == (expected.p, expected.found)
    assert mirrors[0].passed


def test_a_check_that_fails_is_the_first_advice() -> None:
    run = made_up_run({"normal": 0.0, "normal#2": 0.6}, 2000)
    mirror = dataclasses.replace(run, texts=["normal", "normal"], complete=False)
    told = advice(analyse(mirror))
    assert told[0].startswith("The check of normal against normal#2 has failed (-0.")
    assert told[0].endswith(f"{MIRROR_ADVICE}.")
    assert told[1].startswith("The run is not complete")
    assert not any("check of" in sentence for sentence in advice(analyse(run)))
    assert WORKERS_ADVICE in advice(analyse(parted(run, shift=3)))[0]
    assert BOOKS_ADVICE in advice(analyse(dataclasses.replace(run, endings=run.endings + 1)))[0]


def test_the_summary_has_a_line_for_each_check_passed_or_failed() -> None:
    run = parted(made_up_run({"easy": 0.0, "normal": 0.3}, 600), shift=3)
    checks = summarise(run)["self_checks"]
    assert [(check["check"], check["passed"]) for check in checks] == [
        ("codes, endings and faults", True),
        ("2 workers against one another", False),
    ]
    for check, verdict in zip(checks, self_checks(run), strict=True):
        assert (check["p"], check["found"], check["advice"]) == (verdict.p, verdict.found, verdict.advice)


def test_no_deals_fail_no_check() -> None:
    run = dataclasses.replace(made_up_run({"normal": 0.0, "normal#2": 0.0}, 0), texts=["normal", "normal"])
    assert all(verdict.passed for verdict in self_checks(run))
    assert not [sentence for sentence in advice(analyse(run)) if "check" in sentence]

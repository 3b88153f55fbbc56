"""How a run of two agents came to its end, if a rule of its own has ended it: in words and as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.game.rules import Rules
from harness.play.codes import N_CODES
from harness.report.results import RunResults
from harness.report.words import ELO, POINTS, level_text
from harness.run.stop import MATCH, SCALES, SprtRule, StopRule, UntilRule, match_scale, parse_stop
from harness.stats.after_stop import after_stop
from harness.stats.estimate import Estimate
from harness.stats.scales import POINTS as POINTS_SCALE
from harness.stats.scales import Scale
from harness.stats.sequence import confidence_sequence
from harness.stats.sequential import Look, Verdict, words
from harness.texts import count

BIASED = "an estimate that was watched until it stopped is biased; this interval holds at all times together"

FIXED = "intervals are those of a run whose length was fixed before."


@dataclass(frozen=True)
class Ending:
    """The end of a run by its rule.

    ``estimate`` is honest although the run was stopped by what it showed: for a test the corrected estimate, else
    the plain one with the interval of a confidence sequence. ``words`` says all that in sentences.
    """

    rule: StopRule
    look: Look | None
    estimate: Estimate
    words: str

    def summary(self) -> dict[str, Any]:
        """Put it into plain values."""
        estimate = self.estimate
        plain: dict[str, Any] = {
            "kind": self.rule.kind,
            "scale": self.rule.scale,
            "estimate": {
                "value": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
                "n_deals": estimate.n,
                "note": estimate.note or (BIASED if isinstance(self.rule, UntilRule) else ""),
            },
            "words": self.words,
        }
        if self.look is not None:
            plain |= {
                "verdict": self.look.verdict.value,
                "llr": self.look.llr,
                "bounds": [self.look.low, self.look.high],
            }
        return plain


def ending_of(run: RunResults) -> Ending | None:
    """Tell how a run came to its end; None where it has no rule, or has played no deals."""
    most = run.config["deals"]
    rule = parse_stop(run.config.get("stop"), most)
    if rule is None or not run.counts.sum():
        return None
    first, second = run.agents
    return _test(run, rule, first, second) if isinstance(rule, SprtRule) else _until(run, rule, first, second)


def _test(run: RunResults, rule: SprtRule, first: str, second: str) -> Ending:
    design = rule.design(run.config["deals"], _match_scale(run, rule))
    counts = run.counts[0]
    tallies = design.scale.tallies(counts)
    llr, (low, high) = float(design.scale.llr(tallies, rule.h0, rule.h1)), design.bounds
    verdict = Verdict.NONE
    if run.complete:
        verdict = Verdict.H0 if llr <= low else Verdict.H1 if llr >= high else Verdict.NONE
    look = Look(int(counts.sum()), llr, low, high, verdict, run.complete)
    sentence = f"{words(design, look, first, second)}."
    if not run.complete:
        return Ending(
            rule,
            look,
            Estimate(None, None, None, look.n_deals, 0.95, "the test is not over"),
            f"{sentence} All {FIXED}",
        )
    estimate = after_stop(design, counts)
    return Ending(
        rule,
        look,
        estimate,
        f"{sentence} Corrected for the stop, the lead of {first} is {_told(design.scale, estimate)}. All other {FIXED}",
    )


def _match_scale(run: RunResults, rule: SprtRule) -> Scale | None:
    if rule.scale != MATCH:
        return None
    first_block = next(iter(run.blocks()))[0][: rule.block]
    counts = np.bincount(first_block, minlength=N_CODES).astype(np.int64)
    return match_scale(Rules().with_fields(run.config["rules"]), counts)


def _until(run: RunResults, rule: UntilRule, first: str, second: str) -> Ending:
    estimate = confidence_sequence(SCALES[rule.scale], run.counts[0], rule.level)
    short = estimate.half_width is not None and estimate.half_width <= rule.half_width
    reached = "It is as short as was wanted" if short else "It is not yet as short as was wanted"
    unit = SCALES[rule.scale].unit
    return Ending(
        rule,
        None,
        estimate,
        f"The lead of {first} over {second} is {_told(SCALES[rule.scale], estimate)}: an interval that may be watched "
        f"and stopped at any time. {reached}, ± {rule.half_width:g} {unit}. All other {FIXED}",
    )


def _told(scale: Scale, estimate: Estimate) -> str:
    words = POINTS if scale is POINTS_SCALE else ELO
    if estimate.value is None:
        return f"an amount that cannot be said ({estimate.note})"
    interval = f"{words.ends(estimate)}, {level_text(estimate.level)}"
    return f"{words.write(estimate)} {scale.unit} ({interval}, {count(estimate.n, 'deal')})"

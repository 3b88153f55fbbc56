"""The estimate of a pairing as the deals went by, with the interval that may be watched at any time."""

from typing import Final

import numpy as np

from harness.play.codes import N_CODES, NOT_PLAYED
from harness.report.analysis import Analysis
from harness.report.figures.kinds import LABEL_WIDTH, Curve, Line, mark
from harness.report.figures.leading import Leading, leading_pairing
from harness.report.results import RunResults
from harness.report.words import POINTS, SHARE, level_text
from harness.stats import scales
from harness.stats.codes import RESULTS, FloatArray, IntArray
from harness.stats.estimate import Estimate
from harness.stats.sequence import confidence_sequence
from harness.store.rows import RunFigure
from harness.texts import shorten

_LOOKS: Final = 60
"""Numbers of deals at which the estimate is drawn, evenly on the logarithmic axis."""
_FIRST: Final = 10
_MATCHES: Final = scales.Scale("matches won", "of the matches", (RESULTS.sum(axis=0) + 2) / 4, 0.5, "mean")


def running_figure(run: RunResults, analysis: Analysis) -> Curve | str:
    """Collect the running estimate of the pairing of the two best agents; or say why there is nothing to show."""
    leading, unit, level = leading_pairing(analysis), analysis.unit, level_text(analysis.level)
    if leading is None or leading.pairing.estimates.n_deals < 2 * _FIRST:
        return f"Running estimate: the two best agents have played fewer than {unit.count_pairs(2 * _FIRST)}."
    scale, written = (_MATCHES, SHARE) if unit.is_match else (scales.POINTS, POINTS)
    better, other = (shorten(analysis.name(n), LABEL_WIDTH) for n in (leading.better, leading.other))
    looks = looks_at(leading.pairing.estimates.n_deals)
    found = [confidence_sequence(scale, counts, analysis.level) for counts in counts_after(run, leading, looks)]
    seen = leading.pairing.seen_from(leading.better)
    final = seen.hands_won if unit.is_match else seen.game_points
    what = "matches won, in %" if unit.is_match else "game points a hand"
    end = found[-1]
    return Curve(
        name=RunFigure.RUNNING,
        title=f"Running estimate: {better} against {other}",
        x_axis=f"{unit.pairs} played",
        y_axis=f"{what} of {shorten(better, 16)}",
        lines=(
            Line(
                label=better,
                x=tuple(float(n) for n in looks),
                y=_numbers(found, "value", written.factor),
                low=_numbers(found, "low", written.factor),
                high=_numbers(found, "high", written.factor),
                final=mark(final, written),
            ),
        ),
        log_x=True,
        reference=50.0 if unit.is_match else 0.0,
        caption=(
            f"n = {unit.count_pairs(end.n)}; band: {level} confidence sequence, which holds the truth at all numbers "
            f"of {unit.pairs} at once, and so may be watched; {_about_bar(final, level)}"
        ),
        alt=(
            f"After {unit.count_pairs(end.n)} {analysis.name(leading.better)} has {written.write(final)} "
            f"{'of the matches' if unit.is_match else 'game points a hand'} against {analysis.name(leading.other)}; "
            f"the interval that may be watched at any time is {written.ends(end)}."
        ),
    )


def _about_bar(final: Estimate, level: str) -> str:
    """Say what the bar at the end is, or why there is none."""
    if final.half_width is None:
        return f"the last number alone has no interval: {final.note}"
    return f"bar: {level} interval for the last number alone"


def looks_at(n_deals: int) -> IntArray:
    """Give the numbers of deals at which the estimate is drawn, the last one `n_deals`."""
    return np.unique(np.geomspace(min(_FIRST, n_deals), n_deals, _LOOKS).round().astype(np.int64))


def counts_after(run: RunResults, leading: Leading, looks: IntArray) -> IntArray:
    """Count the deal codes of the pairing after each of these numbers of deals, as its better agent sees them.

    Returns
    -------
    Shape (n_looks, 49).

    """
    counts = np.zeros((len(looks), N_CODES), dtype=np.int64)
    n_before = 0
    for block in run.blocks():
        codes = block[leading.row]
        codes = codes[codes != NOT_PLAYED]
        # Each deal counts from the first look that is not before it; sums along the looks do the rest.
        look = np.searchsorted(looks, np.arange(n_before + 1, n_before + len(codes) + 1))
        counts += np.bincount(look * N_CODES + codes, minlength=counts.size).reshape(counts.shape)
        n_before += len(codes)
    counts = counts.cumsum(axis=0)
    return counts.reshape(-1, 7, 7)[:, ::-1, ::-1].reshape(-1, N_CODES) if leading.is_second else counts


def _numbers(found: list[Estimate], name: str, factor: float) -> tuple[float, ...]:
    numbers: FloatArray = np.array([factor * getattr(one, name) for one in found])
    return tuple(numbers.tolist())

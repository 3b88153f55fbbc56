"""Generalised likelihood ratios of a discrete distribution: of its mean, or of its mean in standard deviations.

All functions take one table or many: the last axis is the value, the axes before it are worked on at once.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from harness.stats.codes import FloatArray, IntArray

UNSEEN: Final = 1e-3
"""What a possible value that has not come yet counts, in deals."""
_NEWTON_STEPS: Final = 40
_STEPS: Final = 120
_ROUNDS: Final = 200
_CLOSE: Final = 1e-13


def llr_of_mean(counts: IntArray | FloatArray, values: FloatArray, s0: float, s1: float) -> FloatArray:
    """Generalised log likelihood ratio of mean s1 against mean s0.

    LLR = N sum phat_i log(p_i(s1) / p_i(s0)), p_i(s) = phat_i / (1 + theta (a_i - s)) the likeliest distribution of
    mean s (van den Bergh, MLE_multinomial, proposition 1.1; fishtest's LLRcalc.py).

    Parameters
    ----------
    counts
        How often each value came, shape (..., k).
    values
        The values that are possible, shape (k,), each once. A value that never came counts 1e-3 deals, as in
        fishtest: it keeps the ratio finite when all deals came to the same, as the likelihood of the mean then
        rests on values that are possible and have not come. No deals at all have the ratio 0.
    s0, s1
        Means strictly between the smallest and the largest value.

    Returns
    -------
    Ratios, shape (...,).

    Raises
    ------
    ValueError
        If a mean is not between the values.
    """
    for s in (s0, s1):
        if not values.min() < s < values.max():
            raise ValueError(f"a mean of {s:g} is not between the values {values.min():g} and {values.max():g}")
    weights = _with_unseen(counts)
    pdf = weights / weights.sum(axis=-1, keepdims=True)
    return _ratio(counts, weights, *(tilt(pdf, values - s)[1] for s in (s0, s1)))


def llr_of_t_value(
    counts: IntArray | FloatArray, values: FloatArray, reference: float, t0: float, t1: float
) -> FloatArray:
    """Generalised log likelihood ratio of (mean - reference) / sd = t1 against t0.

    As `llr_of_mean`, the likeliest distribution being found by fishtest's iteration (van den Bergh,
    normalized_elo_practical, section 4.1): with the mean mu and sd sigma of the last round, tilt by
    d_i = a_i - reference - t sigma (1 + ((mu - a_i) / sigma)^2) / 2.

    Raises
    ------
    ArithmeticError
        If the iteration does not settle, which takes a t-value that no distribution near the data has.
    """
    weights = _with_unseen(counts)
    pdf = weights / weights.sum(axis=-1, keepdims=True)
    return _ratio(counts, weights, *(_t_value_divisors(pdf, values, reference, t) for t in (t0, t1)))


def tilt(pdf: FloatArray, d: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Find the likeliest distribution with sum p_i d_i = 0, which is pdf_i / D_i with D_i = 1 + theta d_i.

    theta lies between -1 / max d and -1 / min d, where one D_i would be 0. So D is written as a mean of these two
    extremes with weights 1 - q and q, and the logit of q is solved for: nothing is lost to rounding when theta is
    within 1e-11 of an end, as it is when all deals came to the same. Newton's steps, halving when one leaves the
    bracket.

    Parameters
    ----------
    pdf
        Probabilities, all above 0, shape (..., k).
    d
        Must have values on both sides of 0; shape (..., k) or (k,).

    Returns
    -------
    The distribution and the divisors D, shape (..., k) both.
    """
    d = np.broadcast_to(d, pdf.shape)
    above, below = d.max(axis=-1, keepdims=True), -d.min(axis=-1, keepdims=True)
    if not ((above > 0).all() and (below > 0).all()):
        raise ArithmeticError("the values to tilt by must lie on both sides of 0")
    left, right = (above - d) / above, (d + below) / below
    slope = d * d * (1 / above + 1 / below)
    ends = [np.take_along_axis(pdf, k(d, axis=-1)[..., np.newaxis], -1) for k in (np.argmax, np.argmin)]
    # No probability exceeds 1: that of the largest d gives the least q, that of the smallest the most.
    low = _logit(ends[0] * below / (above + below))
    high = -_logit(ends[1] * above / (above + below))
    u = np.clip(np.log(below / above), low, high)
    for step in range(_STEPS):
        q, rest = _expit(u), _expit(-u)
        divisors = rest * left + q * right
        excess = (pdf * d / divisors).sum(axis=-1, keepdims=True)
        low, high = np.where(excess >= 0, u, low), np.where(excess <= 0, u, high)
        new = u + excess / ((pdf * slope / divisors**2).sum(axis=-1, keepdims=True) * q * rest)
        inside = (new > low) & (new < high) & (step < _NEWTON_STEPS)
        new = np.where(inside | (low == high), np.clip(new, low, high), (low + high) / 2)
        moved, u = np.abs(new - u).max(initial=0.0), new
        if moved < _CLOSE:
            break
    divisors = _expit(-u) * left + _expit(u) * right
    return pdf / divisors, divisors


def _t_value_divisors(pdf: FloatArray, values: FloatArray, reference: float, t: float) -> FloatArray:
    current, divisors = np.full_like(pdf, 1 / len(values)), np.ones_like(pdf)
    for _ in range(_ROUNDS):
        mean = (current @ values)[..., np.newaxis]
        sd = np.sqrt((current * (values - mean) ** 2).sum(axis=-1, keepdims=True))
        new, divisors = tilt(pdf, values - reference - t * sd * (1 + ((mean - values) / sd) ** 2) / 2)
        moved, current = np.abs(new - current).max(initial=0.0), new
        if moved < 1e-12:
            return divisors
    raise ArithmeticError(f"the likeliest distribution with the t-value {t:g} was not found in {_ROUNDS} rounds")


def _ratio(
    counts: IntArray | FloatArray, weights: FloatArray, divisors0: FloatArray, divisors1: FloatArray
) -> FloatArray:
    ratio: FloatArray = (weights * np.log(divisors0 / divisors1)).sum(axis=-1)
    return np.where(counts.sum(axis=-1) > 0, ratio, 0.0)


def _with_unseen(counts: IntArray | FloatArray) -> FloatArray:
    return np.where(counts == 0, UNSEEN, counts).astype(np.float64)


def _expit(u: FloatArray) -> FloatArray:
    return 1 / (1 + np.exp(-u))


def _logit(q: FloatArray) -> FloatArray:
    return np.log(q) - np.log1p(-q)

"""The fit of strengths and a seat term to the hands of many pairings: design, link, Newton steps.

Sources: Hunter 2004 (Bradley-Terry).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from harness.stats.codes import BoolArray, FloatArray, PairingTable

MAX_STEPS = 200
"""Newton steps after which a fit is given up; a dozen are usual."""


class Design:
    """The rows (pairing, half) of a fit: which strengths enter with which sign, and the hands of each."""

    def __init__(self, table: PairingTable, used: BoolArray, rated: BoolArray, with_seat: bool):
        self.used = used
        self.counts = table.counts[used]
        self.n_hands = np.repeat(self.counts.sum(axis=1), 2).astype(np.float64)
        pairs = [pair for pair, use in zip(table.pairings, used, strict=True) if use]
        signs = np.zeros((len(pairs), len(rated)))
        for row, (i, j) in enumerate(pairs):
            signs[row, i], signs[row, j] = 1.0, -1.0
        seat = np.tile([1.0, -1.0], len(pairs))[:, np.newaxis]
        self.rows = np.hstack([np.repeat(signs, 2, axis=0), seat])
        self.free = np.append(rated, with_seat)
        self.n_parameters = int(self.free.sum()) - 1

    def rows_by_pairing(self) -> FloatArray:
        """Rows of all pairings of the table, 0 for the unused, over the free parameters: (n_pairings, 2, n_free)."""
        rows = np.zeros((len(self.used), 2, int(self.free.sum())))
        rows[self.used] = self.rows[:, self.free].reshape(-1, 2, rows.shape[2])
        return rows

    def information(self, weights: FloatArray) -> FloatArray:
        """Sum of weight times row times row, over the free parameters."""
        rows = self.rows[:, self.free]
        information: FloatArray = rows.T @ (weights[:, np.newaxis] * rows)
        return information

    def inverse(self, information: FloatArray) -> FloatArray:
        """Pseudo-inverse of the information: only differences of strengths are known, their mean is 0."""
        level = np.ones(len(information))
        if self.free[-1]:
            level[-1] = 0.0
        level /= math.sqrt(level.sum())
        weight = float(np.trace(information)) / len(information)
        shift = np.outer(level, level)
        return np.linalg.inv(information + weight * shift) - shift / weight


Link: TypeAlias = Callable[[FloatArray], tuple[FloatArray, FloatArray, FloatArray]]


def logistic(x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Potential, expected result less a half, and its slope, at log odds x."""
    expected = np.tanh(x / 2) / 2
    return np.logaddexp(x / 2, -x / 2), expected, 0.25 - expected**2


def linear(x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Potential, expected game points, and their slope, at a difference of x game points."""
    return x * x / 2, x, np.ones_like(x)


@dataclass(frozen=True)
class Fit:
    """Where the maximum is.

    ``strengths`` has an entry for each agent and one for seat 0; ``expected`` and ``slopes``, shape (n_pairings
    used, 2), are the expected result of a hand and how fast it grows with the difference of strengths; ``inverse``
    is the inverse of the information over the free parameters.
    """

    strengths: FloatArray
    expected: FloatArray
    slopes: FloatArray
    inverse: FloatArray


def maximise(design: Design, targets: FloatArray, link: Link) -> Fit:
    """Maximise sum(target * x - hands * potential(x)) by Newton steps, halved where they would overshoot.

    Raises
    ------
    ArithmeticError
        If the steps do not converge, which a pool in which the maximum exists should never cause.
    """
    strengths = np.zeros(len(design.free))
    if not design.used.any():
        return Fit(strengths, np.zeros((0, 2)), np.zeros((0, 2)), np.zeros((0, 0)))
    wanted, n_hands = targets.ravel(), design.n_hands

    def height(at: FloatArray) -> float:
        x = design.rows @ at
        return float(wanted @ x - n_hands @ link(x)[0])

    for _ in range(MAX_STEPS):
        _, expected, slope = link(design.rows @ strengths)
        gradient = (design.rows.T @ (wanted - n_hands * expected))[design.free]
        inverse = design.inverse(design.information(n_hands * slope))
        if np.abs(gradient).max() <= 1e-11 * n_hands.sum():
            return Fit(strengths, expected.reshape(-1, 2), slope.reshape(-1, 2), inverse)
        step = np.zeros_like(strengths)
        step[design.free] = inverse @ gradient
        before = height(strengths)
        while height(strengths + step) < before - 1e-12 * abs(before):
            step /= 2
        strengths = strengths + step
    raise ArithmeticError(f"the fit of {design.n_parameters} parameters did not converge in {MAX_STEPS} steps")

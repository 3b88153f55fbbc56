"""How fast this machine plays: agents against themselves, workers beside each other, and a reference loop."""

import multiprocessing
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from harness.agent_api.registry import LoadedAgent
from harness.game.rules import Rules
from harness.log import TerminalHandler
from harness.play.bench_kernel import REFERENCE_STEPS, reference_loop
from harness.play.pairing import PairingPlayer
from harness.run.manner import start_method
from harness.run.relay import relayed_to
from harness.run.schedule import MOST_DEALS, schedule
from harness.run.supervise import Crew
from harness.run.workers import Job

REPEATS = 7
_REPEAT_SECONDS = 0.25
_CREW_SECONDS = 1.5
_SEED = 1

Twins: TypeAlias = tuple[LoadedAgent, LoadedAgent]
"""The same agent, built twice: one for each side."""


@dataclass(frozen=True)
class Rates:
    """Something a second, measured several times."""

    rates: tuple[float, ...]

    @property
    def median(self) -> float:
        """Return the rate in the middle."""
        return statistics.median(self.rates)

    @property
    def slowest(self) -> float:
        """Return the lowest rate."""
        return min(self.rates)

    @property
    def fastest(self) -> float:
        """Return the highest rate."""
        return max(self.rates)


def measure_reference(repeats: int = REPEATS, n_steps: int = REFERENCE_STEPS) -> Rates:
    """Measure the steps a second of the reference loop."""
    rng = np.ones(1, np.uint64)
    reference_loop(rng, 1)
    return Rates(tuple(n_steps / _seconds(lambda: reference_loop(rng, n_steps)) for _ in range(repeats)))


def measure_agent(twins: Twins, rules: Rules, repeats: int = REPEATS, seconds: float = _REPEAT_SECONDS) -> Rates:
    """Measure the hands a second of an agent against itself on one core, with views, digest and tallies.

    Parameters
    ----------
    twins, rules
        Who plays, and by which rules.
    repeats
        How many rates are measured.
    seconds
        About how long each of them takes.

    """
    player = PairingPlayer(rules, *twins, _SEED, 0)
    n_deals = _deals_in(player, seconds)
    return Rates(tuple(2 * n_deals / _seconds_for(player, i * n_deals, n_deals) for i in range(repeats)))


def measure_moves(
    twins: Twins, rules: Rules, repeats: int = REPEATS, seconds: float = _REPEAT_SECONDS
) -> tuple[Rates, float]:
    """Measure the decisions a second of an agent against itself on one core, and count those of a hand.

    Forced decisions are decisions, and the time is that of the whole hand: dealing, views and scores are in it.

    Parameters
    ----------
    twins, rules, repeats, seconds
        As for `measure_agent`.

    Returns
    -------
    The rates, and the mean number of decisions a hand.

    """
    player = PairingPlayer(rules, *twins, _SEED, 0)
    n_deals = _deals_in(player, seconds)
    rates, n_actions = [], 0
    for i in range(repeats):
        start = time.perf_counter()
        hands = player.play(i * n_deals, n_deals).hands
        taken = time.perf_counter() - start
        n_actions += int(hands["n_actions"].sum(dtype=np.int64))
        rates.append(int(hands["n_actions"].sum(dtype=np.int64)) / taken)
    return Rates(tuple(rates)), n_actions / (2 * n_deals * repeats)


def _deals_in(player: PairingPlayer, seconds: float) -> int:
    """Find how many deals take about so many seconds."""
    n_deals = 1
    while (taken := _seconds_for(player, 0, n_deals)) < seconds / 4:
        n_deals *= 2 if taken > seconds / 64 else 8
    return max(1, round(n_deals * seconds / taken))


def _seconds_for(player: PairingPlayer, first_deal: int, n_deals: int) -> float:
    return _seconds(lambda: player.play(first_deal, n_deals))


def measure_crew(
    twins: Twins,
    rules: Rules,
    n_workers: Sequence[int],
    hands_a_second: float,
    repeats: int = 3,
    seconds: float = _CREW_SECONDS,
) -> dict[int, Rates]:
    """Measure the hands a second of several numbers of workers, taken in turn, from the first chunk to the last.

    Parameters
    ----------
    twins, rules
        Who plays against itself, and by which rules.
    n_workers
        How many workers, one number after the other.
    hands_a_second
        About how fast one of them is, to choose the length of the play.
    repeats
        How many rates are measured of each.
    seconds
        About how long each of them takes.

    """
    size = MOST_DEALS // 8 if twins[0].is_compiled else 8  # so that the workers end together
    rates: dict[int, list[float]] = {n: [] for n in n_workers}
    for _ in range(repeats):
        for n in rates:
            n_deals = max(4, round(hands_a_second * seconds * n / 2 / size)) * size
            rates[n].append(2 * n_deals / _crew_seconds(twins, rules, n, n_deals, size))
    return {n: Rates(tuple(values)) for n, values in rates.items()}


def _crew_seconds(twins: Twins, rules: Rules, n_workers: int, n_deals: int, size: int) -> float:
    context = multiprocessing.get_context(start_method())
    job = Job(rules, _SEED, (twins[0].name, twins[1].name), {0: (0, 1)})
    with (
        relayed_to(context, TerminalHandler()) as worker_log,
        Crew(context, n_workers, job, twins, worker_log) as crew,
    ):
        for _ in crew.play(schedule(size * n_workers, {0: size}), _ignore):
            pass  # every worker has started and played once
        return _seconds(lambda: sum(1 for _ in crew.play(schedule(n_deals, {0: size}), _ignore)))


def _ignore() -> None:
    pass


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start

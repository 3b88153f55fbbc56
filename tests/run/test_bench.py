import numpy as np
import pytest

from harness.agent_api.registry import load_agent
from harness.game.rules import Rules
from harness.play.bench_kernel import reference_loop
from harness.run.bench import Rates, measure_agent, measure_crew, measure_reference

WORD = 2**64 - 1


def splitmix64(state: int) -> int:
    """Output function of SplitMix64 as its authors print it."""
    z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
    return z ^ (z >> 31)


def test_the_reference_loop_takes_splitmix_steps() -> None:
    state, word = 1, 0
    for _ in range(1000):
        state = ((state ^ word) + 0x9E3779B97F4A7C15) & WORD
        word = splitmix64(state)
    assert int(reference_loop(np.ones(1, np.uint64), 1000)) == word


def test_one_step_is_the_first_output_of_the_published_generator() -> None:
    # The first output for seed 1234567 on rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64.
    assert int(reference_loop(np.array([1234567], np.uint64), 1)) == 6457827717110365317


def test_a_rate_is_a_median_with_its_spread() -> None:
    rates = Rates((3.0, 1.0, 2.0, 9.0, 2.5))
    assert (rates.median, rates.slowest, rates.fastest) == (2.5, 1.0, 9.0)


def test_everything_can_be_measured() -> None:
    random = load_agent("random"), load_agent("random")
    assert len(measure_reference(repeats=2, n_steps=1000).rates) == 2
    for agent in (random, (load_agent("example"), load_agent("example"))):
        rates = measure_agent(agent, Rules(), repeats=2, seconds=0.01)
        assert len(rates.rates) == 2
        assert rates.slowest > 0
    crews = measure_crew(random, Rules(), (1, 2), hands_a_second=1.0, repeats=1)
    assert crews.keys() == {1, 2}
    assert crews[2].median == pytest.approx(crews[2].fastest)

"""What a report needs to know of a run; the reader of a run's database fits it."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from harness.stats.codes import CodeArray, FloatArray, IntArray
from harness.store.rows import FaultRow, PairingRow


class RunResults(Protocol):
    """A run that has been played, in whole or in part.

    Attributes
    ----------
    folder
        Where the run is.
    name, config_digest
        What the run is called, and the SHA-256 of its config.
    config, versions, machine
        Plain values, as they go into the summary; of the config, the agents' texts and the rules with all their
        fields are read.
    seconds
        Time that the hands took, None while the run is not complete.
    agents
        Names of the agents, each a different one.
    pairings
        First and second agent of each pairing, as places in `agents`.
    pairing_rows
        The same with the pairings' numbers.
    counts
        How often each deal code came, int64[n_pairings, 49].
    endings
        How the hands ended, int64[n_pairings, 2, 2, 7, 4]: half, winning side, how, game points.
    faults
        Hands of `counts` that were forfeited, int64[n_pairings, 2, len(FAULT_KINDS)]: side, kind.
    worker_counts
        The same codes by the worker that played them, int64[n_workers, n_pairings, 49].
    pairing_seconds
        How long the workers have played each pairing, all together, float64[n_pairings].
    pairing_moves
        Actions that the first and the second agent of each pairing were asked for in that time, int64[n_pairings, 2].
    changed_agents
        Names of the agents whose source was not the same in all sessions of the run.
    digest
        Sum of the hashes of all hands modulo 2**64.
    complete
        Whether every deal of the config has been played.
    anchor
        Name of the agent that ratings are against; None for the mean of the rated agents.

    """

    @property
    def folder(self) -> Path: ...

    @property
    def name(self) -> str: ...

    @property
    def config_digest(self) -> str: ...

    @property
    def config(self) -> Mapping[str, Any]: ...

    @property
    def versions(self) -> Mapping[str, Any]: ...

    @property
    def machine(self) -> Mapping[str, Any]: ...

    @property
    def seconds(self) -> float | None: ...

    @property
    def agents(self) -> Sequence[str]: ...

    @property
    def pairings(self) -> Sequence[tuple[int, int]]: ...

    @property
    def pairing_rows(self) -> Sequence[PairingRow]: ...

    @property
    def counts(self) -> IntArray: ...

    @property
    def endings(self) -> IntArray: ...

    @property
    def faults(self) -> IntArray: ...

    @property
    def worker_counts(self) -> IntArray: ...

    @property
    def pairing_seconds(self) -> FloatArray: ...

    @property
    def pairing_moves(self) -> IntArray: ...

    @property
    def changed_agents(self) -> Sequence[str]: ...

    @property
    def digest(self) -> int: ...

    @property
    def complete(self) -> bool: ...

    @property
    def anchor(self) -> str | None: ...

    def fault_rows(self, limit: int) -> Sequence[FaultRow]:
        """Give the first of the faults, `limit` at most; some may be of deals that are still to be played."""
        ...

    def blocks(self) -> Iterator[CodeArray]:
        """Give all deals, a block at a time: uint8[n_pairings, n_deals], 255 where a pairing has not played.

        Each column is one pack, and each pack comes once.
        """
        ...

"""Runs in a database that nobody has played: any agents, any results."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from harness.run.config import RunConfig
from harness.store.rows import AgentRow, ChunkRow, FaultRow, PairingRow, RunHead, SessionRow
from harness.store.writer import RunWriter
from tests.helpers.deals import code
from tests.helpers.runs import endings_of, forfeited


def store_run(
    folder: Path,
    config: RunConfig,
    done: Mapping[int, int] | None = None,
    faults: Sequence[FaultRow] = (),
    lost: Sequence[FaultRow] = (),
) -> None:
    """Write a run in which the first agent wins the first half of each deal and the second agent the other half.

    Parameters
    ----------
    folder
        The run's folder, which is made.
    config
        Of the run.
    done
        Deals that pairings, by their numbers, have played; all where it does not say.
    faults
        Hands that were forfeited.
    lost
        Faults of deals that have not been played yet.

    """
    folder.mkdir(parents=True)
    (folder / "run.log").write_text("")
    head = RunHead(
        name=config.title,
        config=config.content(),
        config_digest=config.digest(),
        record="none",
        agents=tuple(
            AgentRow(number, name, text, "Python")
            for number, (name, text) in enumerate(zip(config.agent_names, config.agents, strict=True))
        ),
        pairings=tuple(PairingRow(p.number, p.first, p.second) for p in config.pairings),
    )
    with RunWriter.create(folder, head) as writer:
        writer.begin_session(SessionRow({"sixtysix": "0.1.0"}, {"cores": 2}))
        for number, pairing in enumerate(config.pairings):
            n_deals = (done or {}).get(pairing.number, config.deals)
            if n_deals:
                rows = tuple(row for row in faults if row.pairing == pairing.number)
                writer.add(_chunk(number, pairing.number, n_deals, rows), elapsed=1.0)
        for fault in lost:
            writer.add_faults([fault])


def _chunk(number: int, pairing: int, n_deals: int, faults: tuple[FaultRow, ...]) -> ChunkRow:
    block = np.full((1, n_deals), code(1, -1), np.uint8)
    endings = endings_of(block)
    for fault in faults:
        forfeited(block[0], endings[0], fault)
    return ChunkRow(
        number=number,
        pairing=pairing,
        first_deal=0,
        n_deals=n_deals,
        codes=block.tobytes(),
        endings=endings.astype("<i8").tobytes(),
        digest=0x1234,
        worker=0,
        seconds=0.5,
        moves=(14 * n_deals, 16 * n_deals),
        faults=faults,
    )

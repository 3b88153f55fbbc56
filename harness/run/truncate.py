"""The first deals of a chunk, where a run ends within it."""

from dataclasses import replace

import numpy as np

from harness.play.codes import HAND_DTYPE
from harness.play.pairing import Played
from harness.store.rows import ChunkRow


def first_deals(chunk: ChunkRow, n_deals: int, record: str) -> ChunkRow:
    """Return a chunk that has only its first deals.

    Parameters
    ----------
    chunk
        The chunk, with its hands.
    n_deals
        How many deals are kept.
    record
        What is kept of the hands, as in `harness.store.rows.RunHead`.

    """
    if n_deals == chunk.n_deals:
        return replace(chunk, hands=b"" if record == "none" else chunk.hands)
    hands = np.frombuffer(chunk.hands, HAND_DTYPE)[: 2 * n_deals]
    played = Played(hands, np.zeros((0, 0), np.int8))
    return replace(
        chunk,
        n_deals=n_deals,
        codes=chunk.codes[:n_deals],
        endings=played.endings.astype("<i8").tobytes(),
        digest=played.digest,
        faults=tuple(fault for fault in chunk.faults if fault.deal < chunk.first_deal + n_deals),
        hands=b"" if record == "none" else hands.tobytes(),
        actions=chunk.actions[: int(hands["n_actions"].sum(dtype=np.int64))],
    )

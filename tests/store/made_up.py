"""Made-up runs for the tests of the store."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from harness.play.codes import HAND_DTYPE
from harness.store.rows import AgentRow, ChunkRow, FaultRow, PairingRow, RunHead, SessionRow
from harness.store.writer import RunWriter

N_DEALS = 1000
NUMBERS = (0, 1, 3)
HEAD = RunHead(
    name="a test",
    config={"deals": N_DEALS, "anchor": "b", "rules": {"nines": True}},
    config_digest="ab" * 32,
    record="none",
    agents=(
        AgentRow(0, "a", "a:x=1", "compiled", "12" * 32),
        AgentRow(1, "b", "b", "Python"),
        AgentRow(2, "c", "cmd:c", "program"),
    ),
    pairings=(PairingRow(0, 0, 1), PairingRow(1, 0, 2), PairingRow(3, 0, 1)),
)
SESSION = SessionRow({"sixtysix": "0.1.0"}, {"cores": 2, "system": "here"})


def deal_codes() -> npt.NDArray[np.uint8]:
    return np.random.default_rng(1).integers(0, 49, (len(NUMBERS), N_DEALS)).astype(np.uint8)


def chunks_of(codes: npt.NDArray[np.uint8], sizes: tuple[int, ...]) -> list[ChunkRow]:
    """Cut codes into chunks of one size for each pairing; the endings and digests tell the chunks apart."""
    chunks: list[ChunkRow] = []
    for row, size in enumerate(sizes):
        for first_deal in range(0, codes.shape[1], size):
            part = codes[row, first_deal : first_deal + size]
            chunks.append(
                ChunkRow(
                    number=len(chunks),
                    pairing=NUMBERS[row],
                    first_deal=first_deal,
                    n_deals=len(part),
                    codes=part.tobytes(),
                    endings=(np.arange(112, dtype="<i8") * (row + 1)).tobytes(),
                    digest=2**62 + len(chunks),
                    worker=0,
                    seconds=0.5,
                    moves=(3 * len(part), 5 * len(part)),
                )
            )
    return chunks


def write(folder: Path, chunks: Sequence[ChunkRow], head: RunHead = HEAD) -> None:
    """Write a run of one session in which every chunk takes a quarter of a second."""
    folder.mkdir(exist_ok=True)
    with RunWriter.create(folder, head) as writer:
        writer.begin_session(SESSION)
        for number, chunk in enumerate(chunks):
            writer.add(chunk, elapsed=0.25 * (number + 1))


def fault(deal: int, half: int = 0, side: int = 0, pairing: int = 0, what: str = "crashed") -> FaultRow:
    return FaultRow(pairing, deal, half, side, "crash", what, f"Traceback of {deal}")


def hands_of(chunk: ChunkRow, histories: Sequence[bytes]) -> tuple[bytes, bytes]:
    """Return hands whose points are those of a chunk's codes, and their actions."""
    hands = np.zeros(2 * chunk.n_deals, HAND_DTYPE)
    codes = np.frombuffer(chunk.codes, np.uint8).astype(np.int64)
    hands["points"][0::2], hands["points"][1::2] = codes // 7 - 3, codes % 7 - 3
    hands["hash"] = 2**64 - 1
    hands["how"] = np.arange(len(hands)) % 8
    hands["trick_points"] = np.arange(2 * len(hands)).reshape(-1, 2) % 256
    hands["tricks"] = np.arange(2 * len(hands)).reshape(-1, 2) % 12
    hands["closer"] = np.arange(len(hands)) % 3 - 1
    hands["n_actions"] = [len(history) for history in histories]
    return hands.tobytes(), b"".join(histories)

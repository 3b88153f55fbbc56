"""The views tell the same as the numbers behind them."""

import dataclasses
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from harness.core.records import ENDINGS
from harness.game.hand import Hand
from harness.game.rules import Rules
from harness.store.rows import RUN_FILE, ChunkRow
from tests.store.made_up import HEAD, chunks_of, deal_codes, fault, hands_of, write

N = 60
NAMES = {0: ("a", "b"), 1: ("a", "c"), 3: ("a", "b")}


def played_histories(n: int) -> list[bytes]:
    """Play hands to their end with whatever legal action comes; the seats are told by the hand itself."""
    generator = np.random.default_rng(5)
    histories = []
    for number in range(n):
        hand = Hand.of_deal(Rules(), 1, number // 2)
        history = []
        while not hand.over:
            seat = hand.to_move
            action = int(generator.choice(sorted(hand.legal_actions())))
            history.append(action | seat << 6)
            hand.do(action)
        histories.append(bytes(history))
    return histories


HISTORIES = [b"", *played_histories(2 * N - 1)]


def recorded_chunks() -> list[ChunkRow]:
    chunks = chunks_of(deal_codes()[:, :N], (N, N, N))
    for number, chunk in enumerate(chunks):
        hands, actions = hands_of(chunk, HISTORIES)
        rows = tuple(fault(deal, half=1, side=1, pairing=chunk.pairing) for deal in (2, 5))
        chunks[number] = dataclasses.replace(chunk, hands=hands, actions=actions, faults=rows)
    return chunks


@pytest.fixture
def database(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    write(tmp_path, recorded_chunks(), dataclasses.replace(HEAD, record="actions"))
    with duckdb.connect(tmp_path / RUN_FILE, read_only=True) as connection:
        yield connection


def rows_of(database: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    result = database.execute(query)
    names = [column[0] for column in result.description or ()]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def test_a_deal_is_a_row_with_both_names_and_both_halves(database: duckdb.DuckDBPyConnection) -> None:
    expected = [
        (number, *NAMES[number], deal, int(code) // 7 - 3, int(code) % 7 - 3)
        for number, codes in zip(NAMES, deal_codes()[:, :N], strict=True)
        for deal, code in enumerate(codes)
    ]
    assert [tuple(row.values()) for row in rows_of(database, "FROM deals ORDER BY pairing, deal")] == expected


def test_every_code_and_every_two_neighbours_are_read_from_text(tmp_path: Path) -> None:
    """Some bytes are line ends or NUL, some pairs of them one line end, as text."""
    codes = np.array([(a, b) for a in range(49) for b in range(49)], np.uint8).reshape(1, -1)
    write(tmp_path, chunks_of(codes, (4802,)))
    with duckdb.connect(tmp_path / RUN_FILE, read_only=True) as database:
        rows = database.execute("SELECT deal, (half_0_points + 3) * 7 + half_1_points + 3 FROM deals").fetchall()
    assert rows == list(enumerate(codes[0].tolist()))


def test_endings_are_the_tallies_in_words(database: duckdb.DuckDBPyConnection) -> None:
    expected: Counter[tuple[Any, ...]] = Counter()
    for row, (number, names) in enumerate(NAMES.items()):
        tally = np.arange(112).reshape(2, 2, 7, 4) * (row + 1)
        for half, side, how, points in np.ndindex(tally.shape):
            winner = names[side] if points else None
            if tally[half, side, how, points]:
                cell = (number, *names, half, winner, ENDINGS[how], points)
                expected[cell] += int(tally[half, side, how, points])
    read: Counter[tuple[Any, ...]] = Counter()
    for row_read in database.execute("FROM endings").fetchall():
        read[row_read[:-1]] += row_read[-1]
    assert read == expected


def test_recorded_hands_have_names_for_sides(database: duckdb.DuckDBPyConnection) -> None:
    rows = rows_of(database, "FROM hand_results ORDER BY pairing, deal, half")
    assert len(rows) == 3 * 2 * N
    for at, row in enumerate(rows):
        names = NAMES[row["pairing"]]
        hand = at % (2 * N)
        code = int(deal_codes()[list(NAMES).index(row["pairing"]), hand // 2])
        points = (code // 7 - 3, code % 7 - 3)[hand % 2]
        assert (row["deal"], row["half"], row["leader"]) == (hand // 2, hand % 2, names[hand % 2])
        assert row["winner"] == (None if points == 0 else names[points < 0])
        assert row["game_points"] == abs(points)
        assert row["how"] == [*ENDINGS, "forfeit"][hand % 8]
        assert row["closer"] == [None, *names][hand % 3]
        assert (row["first_trick_points"], row["second_tricks"]) == (2 * hand % 256, (2 * hand + 1) % 12)


def test_actions_are_told_as_the_hand_at_the_checked_door_understands_them(
    database: duckdb.DuckDBPyConnection,
) -> None:
    rows = database.execute(
        "SELECT deal, half, seat, agent, action, number FROM actions WHERE pairing = 1 ORDER BY deal, half, number"
    ).fetchall()
    assert len(rows) == sum(map(len, HISTORIES))
    query = "SELECT deal, half, actions FROM hand_results WHERE pairing = 1"
    texts = {(deal, half): text for deal, half, text in database.execute(query).fetchall()}
    assert texts[0, 0] == ""
    for number in range(1, 2 * N):
        told = [row for row in rows if row[:2] == (number // 2, number % 2)]
        assert texts[number // 2, number % 2] == ", ".join(f"{row[2]} {row[4]}" for row in told)
        hand = Hand.of_deal(Rules(), 1, (number - 1) // 2)
        for at, (_, half, seat, agent, action, place) in enumerate(told):
            assert (seat, place) == (hand.to_move, at)
            assert agent == ("a" if seat == half else "c")
            hand.do(action)
        assert hand.over


def test_forfeits_name_the_agent(database: duckdb.DuckDBPyConnection) -> None:
    rows = [
        (row["pairing"], row["agent"], row["deal"], row["half"])
        for row in rows_of(database, "FROM forfeits ORDER BY pairing, deal")
    ]
    assert rows == [(number, NAMES[number][1], deal, 1) for number in NAMES for deal in (2, 5)]


def test_the_views_work_in_a_database_that_is_attached_to_another(tmp_path: Path) -> None:
    write(tmp_path, recorded_chunks()[:1])
    with duckdb.connect() as database:
        database.execute(f"ATTACH '{tmp_path / RUN_FILE}' AS night (READ_ONLY)")
        assert database.execute("SELECT deals FROM night.results").fetchall() == [(N,)]

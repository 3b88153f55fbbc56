"""The page on the tables says what the tables are."""

import re
from pathlib import Path

import duckdb
import numpy as np
import pytest

from harness.store.schema import SCHEMA_VERSION, TABLES
from harness.store.views import VIEWS
from tests.store.made_up import chunks_of, deal_codes, write

PAGE = (Path(__file__).parents[2] / "results" / "README.md").read_text(encoding="utf-8")


def documented() -> dict[str, list[tuple[str, str]]]:
    """Return the columns and their types by table, as the page has them."""
    tables = {}
    for part in PAGE.split("\n**`")[1:]:
        columns = []
        for names, types in re.findall(r"^\| (`[^|]+) \| ([A-Z0-9\[\], ]*) \|", part, re.MULTILINE):
            words = re.findall(r"`(\w+)`", names)
            kinds = types.split(", ") if types.strip() else []
            columns += [(word, kinds[min(i, len(kinds) - 1)]) for i, word in enumerate(words)]
        tables[part.partition("`")[0]] = columns
    return tables


def examples() -> list[str]:
    return re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_every_table_view_and_column_is_documented_with_its_type() -> None:
    with duckdb.connect() as database:
        for statement in (*TABLES, *VIEWS):
            database.execute(statement)
        rows = database.execute("SELECT table_name, column_name, data_type FROM information_schema.columns").fetchall()
    built: dict[str, list[tuple[str, str]]] = {}
    for table, column, kind in rows:
        built.setdefault(table, []).append((column, kind))
    assert documented() == built
    assert f"(schema version {SCHEMA_VERSION})" in PAGE


def test_the_examples_of_the_page_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = deal_codes()
    write(tmp_path, chunks_of(codes, (300, 300, 300)))
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for example in examples():
        exec(example, names)
    expected = [((code // 7 - 3) + (code % 7 - 3)) / 2 for code in codes[0].tolist()]
    assert np.array_equal(np.asarray(names["points"]), expected)


def test_the_questions_of_the_page_are_answered_rightly(tmp_path: Path) -> None:
    codes = deal_codes()
    write(tmp_path, chunks_of(codes, (1000, 1000, 1000)))
    questions = re.findall(r'run\.sql\("(.*)"\)', "\n".join(examples()))
    with duckdb.connect(str(tmp_path / "run.duckdb"), read_only=True) as database:
        results, endings, first_deals, aces = (database.sql(question).fetchall() for question in questions)
    half_0, half_1 = codes.astype(int) // 7 - 3, codes.astype(int) % 7 - 3
    for row, (number, first, second) in enumerate([(0, "a", "b"), (1, "a", "c"), (3, "a", "b")]):
        both = np.concatenate([half_0[row], half_1[row]])
        won, lost, drawn = (int(n.sum()) for n in (both > 0, both < 0, both == 0))
        (line,) = (line for line in results if line[0] == number)
        assert line == (number, first, second, 1000, won, lost, drawn, pytest.approx(both.mean()))
    assert first_deals == [(deal, half_0[0, deal] + half_1[0, deal]) for deal in range(5)]
    assert sum(hands for _, _, hands in endings) == sum(range(112)) * 6
    assert aces == []

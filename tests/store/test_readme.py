"""The page on the tables says what the tables are."""

import re
from pathlib import Path

import duckdb
import numpy as np
import pytest

from harness.store.schema import SCHEMA_VERSION, TABLES
from tests.store.made_up import chunks_of, deal_codes, write

PAGE = (Path(__file__).parents[2] / "results" / "README.md").read_text(encoding="utf-8")


def documented() -> dict[str, list[tuple[str, str]]]:
    """Return the columns and their types by table, as the page has them."""
    tables = {}
    for part in PAGE.split("\n**`")[1:]:
        columns = []
        for names, types in re.findall(r"^\| (`[^|]+) \| ([A-Z, ]*) \|", part, re.MULTILINE):
            words = re.findall(r"`(\w+)`", names)
            kinds = types.split(", ") if types.strip() else []
            columns += [(word, kinds[min(i, len(kinds) - 1)]) for i, word in enumerate(words)]
        tables[part.partition("`")[0]] = columns
    return tables


def test_every_table_and_column_is_documented_with_its_type() -> None:
    with duckdb.connect() as database:
        for table in TABLES:
            database.execute(table)
        rows = database.execute("SELECT table_name, column_name, data_type FROM information_schema.columns").fetchall()
    built: dict[str, list[tuple[str, str]]] = {}
    for table, column, kind in rows:
        built.setdefault(table, []).append((column, kind))
    assert documented() == built
    assert f"(schema version {SCHEMA_VERSION})" in PAGE


def test_the_example_of_the_page_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = deal_codes()
    write(tmp_path, chunks_of(codes, (300, 300, 300)))
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, object] = {}
    exec(example, names)
    expected = [((code // 7 - 3) + (code % 7 - 3)) / 2 for code in codes[0].tolist()]
    assert np.array_equal(np.asarray(names["points"]), expected)

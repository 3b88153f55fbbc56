"""Three annotated hands of each preset: they play as written, and every step says which rule it obeys."""

import re
from pathlib import Path

import pytest

from harness.core.records import ENDINGS
from harness.game.presets import load_rules
from harness.game.rules import FIELDS, value_text
from harness.game.transcript import read_transcript, write_transcript
from tests.helpers.reference_presets import PRESETS

FOLDER = Path(__file__).parents[1] / "data" / "annotated"
FILES = sorted(FOLDER.glob("*/*.txt"))
STEP = re.compile(r"^([01] [A-Z]|result )")
SENTENCE = re.compile(r'text 00[0134][^"|]*"[^"]{8,}"')
FIELD = re.compile(r"\b([a-z_]+(?:\.[a-z_]+)?) = ([\w-]+)")


def steps(text: str) -> list[tuple[str, str]]:
    """The lines of play and their comments."""
    parts = [line.partition("#") for line in text.splitlines() if STEP.match(line)]
    return [(line.strip(), comment.strip()) for line, _, comment in parts]


def test_three_hands_of_every_preset() -> None:
    assert {path.parent.name for path in FILES} == set(PRESETS)
    for name in PRESETS:
        assert len(list((FOLDER / name).glob("*.txt"))) == 3


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_plays_as_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    hand = read_transcript(text)
    hand.check()
    assert hand.over
    assert hand.rules == load_rules(path.parent.name)
    written = steps(write_transcript(hand))
    assert [line for line, _ in steps(text)] == [line for line, _ in written]
    for (line, comment), (_, told) in zip(steps(text), written, strict=True):
        assert comment.startswith(told), line


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_step_names_its_rule(path: Path) -> None:
    fields = load_rules(path.parent.name).flat()
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ")
    for line, comment in steps(text):
        named = FIELD.findall(re.sub(r'"[^"]*"', "", comment))
        assert SENTENCE.search(comment) or named, line
        for name, value in named:
            assert name in FIELDS, line
            assert value == value_text(fields[name]), line


def test_all_endings_are_shown() -> None:
    endings = {read_transcript(path.read_text(encoding="utf-8")).how for path in FILES}
    assert endings == set(ENDINGS)

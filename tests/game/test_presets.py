"""The preset files against an independently written table, and rules files of users."""

import re
import tomllib
from importlib import import_module, resources
from itertools import pairwise
from pathlib import Path

import pytest

from harness.errors import ExitStatus, FaultsError, UsageError
from harness.game.presets import (
    differences,
    load_preset,
    load_rules,
    preset,
    preset_names,
    rules_digest,
    rules_text,
)
from harness.game.rules import FIELDS, Rules
from tests.helpers.reference_presets import PRESETS


def preset_text(name: str) -> str:
    return (resources.files("configs.rules") / f"{name}.toml").read_text(encoding="utf-8")


def test_all_presets_are_there() -> None:
    assert preset_names()[0] == "sixtysix"
    assert sorted(preset_names()) == sorted(PRESETS)
    assert len(preset_names()) == 12


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("name", PRESETS)
def test_preset_field_by_field(name: str, field: str) -> None:
    assert load_rules(name).flat()[field] == PRESETS[name][field]


@pytest.mark.parametrize("name", PRESETS)
def test_preset_says_what_it_is(name: str) -> None:
    assert preset(name).name == name
    assert 20 < len(preset(name).about) < 80


@pytest.mark.parametrize("name", PRESETS)
def test_every_line_has_its_sentence(name: str) -> None:
    """Each field of a preset file stands under a comment that says where it comes from."""
    lines = [line for line in preset_text(name).splitlines() if not re.match(r"(about|base) = |$", line)]
    assert lines[0].startswith("# ")
    for before, line in pairwise(lines):
        if re.match(r"[a-z_]+ = ", line):
            assert before.startswith("# "), line


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "sixtysix"])
def test_preset_repeats_nothing_of_its_base(name: str) -> None:
    content = tomllib.loads(preset_text(name))
    base = load_rules(content["base"])
    n_fields = sum(len(v) if isinstance(v, dict) else 1 for k, v in content.items() if k not in ("about", "base"))
    assert n_fields == len(differences(base, load_rules(name)))


def test_default_preset_writes_every_field_out() -> None:
    content = tomllib.loads(preset_text("sixtysix"))
    n_fields = sum(len(value) if isinstance(value, dict) else 1 for value in content.values())
    assert n_fields == 1 + len(FIELDS)  # and `about`


def test_readme_tells_every_field_and_preset() -> None:
    readme = (resources.files("configs.rules") / "README.md").read_text(encoding="utf-8")
    for word in (*FIELDS, *preset_names()):
        assert f"`{word}`" in readme, word


def test_readme_names_functions_that_exist() -> None:
    readme = (resources.files("configs.rules") / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"`(deal|legal|apply|score|view)\.(\w+)`", readme)
    assert len(named) > 20
    for module, function in named:
        assert hasattr(import_module(f"harness.core.{module}"), function), f"{module}.{function}"


def test_unknown_preset() -> None:
    with pytest.raises(UsageError, match='did you mean "schnapsen"') as caught:
        load_rules("schnapsn")
    assert caught.value.status == ExitStatus.USAGE
    assert "rules list" in str(caught.value)
    with pytest.raises(UsageError, match='no rule preset ""'):
        load_rules("")
    with pytest.raises(UsageError, match="no rule preset"):
        preset("three-handed")


def test_rules_file(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text('about = "ours"\nbase = "american"\nnines = false\n[close]\ngraded = "closing"\n')
    loaded = load_preset(str(path))
    assert (loaded.name, loaded.about, loaded.base) == (str(path), "ours", "american")
    assert loaded.rules.flat() == PRESETS["american"] | {"nines": False, "close.graded": "closing"}
    assert load_rules(str(path)) == loaded.rules


def test_rules_file_starts_from_sixtysix(tmp_path: Path) -> None:
    path = tmp_path / "plain.toml"
    path.write_text("[match]\ntarget = 3\n")
    assert load_rules(str(path)).flat() == PRESETS["sixtysix"] | {"match.target": 3}
    path.write_text("")
    assert load_rules(str(path)) == Rules()


def test_rules_file_faults_at_once(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(
        'about = 3\nbase = "amercan"\nnines = 1\ntalon = true\n'
        '[close]\nfaled = 2\nfailed = 7\n[exchange]\nturn = "Any"\n[wings]\nleft = 1\n'
    )
    with pytest.raises(FaultsError) as caught:
        load_rules(str(path))
    told = str(caught.value)
    assert caught.value.status == ExitStatus.USAGE
    assert str(path) in told
    for words in (
        "about = 3", 'did you mean "american"', "nines = 1", '"talon"', 'did you mean "close.failed"',
        "close.failed = 7", 'exchange.turn = "Any"', '"wings"',
    ):  # fmt: skip
        assert words in told
    assert len(caught.value.faults) == 8


def test_rules_file_that_cannot_be_played(tmp_path: Path) -> None:
    path = tmp_path / "never.toml"
    path.write_text("nines = false\n[close]\nmin_stock = 12\n")
    with pytest.raises(FaultsError, match=r"close\.min_stock = 12 with nines = false"):
        load_rules(str(path))


def test_rules_file_that_is_no_rules_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"missing\.toml cannot be read: No such file"):
        load_rules(str(tmp_path / "missing.toml"))
    path = tmp_path / "broken.toml"
    path.write_text("nines = = true")
    with pytest.raises(UsageError, match="is not TOML"):
        load_rules(str(path))
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="not text in UTF-8"):
        load_rules(str(path))
    with pytest.raises(UsageError, match="cannot be read"):
        (tmp_path / "folder.toml").mkdir()
        load_rules(str(tmp_path / "folder.toml"))


def test_differences() -> None:
    assert differences(load_rules("american"), load_rules("last-trick")) == {"undeclared": ("nobody", "last-trick")}
    assert differences(Rules(), Rules()) == {}


def test_rules_as_text_and_back() -> None:
    for name in preset_names():
        assert rules_text(load_rules(name)) == name
    changed = load_rules("bicycle").with_fields({"match.target": 3, "strict.head": True, "undeclared": "nobody"})
    assert rules_text(changed) == "bicycle strict.head=true undeclared=nobody match.target=3"
    assert load_rules(rules_text(changed)) == changed
    with pytest.raises(UsageError, match=r"close\.failed = 5"):
        load_rules("sixtysix close.failed=5")


def test_digest_tells_rules_apart() -> None:
    digests = {rules_digest(load_rules(name)) for name in preset_names()}
    assert len(digests) == 12
    assert rules_digest(load_rules("american").with_fields({"nines": False})) == rules_digest(load_rules("twenty-card"))
    assert re.fullmatch("[0-9a-f]{12}", rules_digest(Rules()))


def test_digest_of_the_default_is_pinned() -> None:
    """A run's rules are recognised by it later: it may change only together with the fields themselves."""
    assert rules_digest(Rules()) == "8c7f322d0069"

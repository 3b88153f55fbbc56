"""Agents are found by name, module or file and built with typed parameters; what is wrong is told in a sentence."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from harness.agent_api import registry
from harness.agent_api.registry import installed_agents, installed_names, load_agent
from harness.errors import ExitStatus, UsageError
from harness.game.presets import load_rules
from harness.play.pairing import PairingPlayer

BUILT_IN = {
    "crazy": "compiled",
    "easy": "compiled",
    "example": "Python",
    "hard": "compiled",
    "normal": "compiled",
    "random": "compiled",
}

BOTS = '''
from dataclasses import dataclass

from harness.agent_api.compiled import Compiled, policy
from harness.core.bits import highest
from harness.core.cards import PACK_MASK


@dataclass
class Bot:
    """Plays its lowest legal action.

    More about it.
    """

    depth: int = 3
    greed: float = 0.5
    bold: bool = False
    style: str = "calm"

    def __post_init__(self):
        if self.depth > 9:
            raise ValueError(f"depth = {self.depth}: must be at most 9")

    def choose(self, view):
        return view.legal[0]


class Child(Bot):
    """Inherits its constructor."""


class Plain:
    def __init__(self, depth=3):
        self.depth = depth

    def choose(self, view):
        return view.legal[0]


class Needy:
    def __init__(self, depth: int):
        self.depth = depth

    def choose(self, view):
        return view.legal[0]


class Broken:
    def __init__(self):
        self.weights = {}["opening"]

    def choose(self, view):
        return view.legal[0]


class Neither:
    def chose(self, view):
        return view.legal[0]


@policy
def choose_highest(view, rules, params, rng, scratch):
    cards = view.legal & PACK_MASK
    return highest(cards) if cards else highest(view.legal)


@dataclass(frozen=True)
class Fast(Compiled):
    policy = staticmethod(choose_highest)


not_a_class = Bot()
'''


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with bots in it, which is the current one."""
    (tmp_path / "my_bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "my_bots", raising=False)
    return tmp_path


def message(text: str) -> str:
    """What is told of a wrong agent."""
    with pytest.raises(UsageError) as caught:
        load_agent(text)
    assert caught.value.status == ExitStatus.USAGE
    return str(caught.value)


# ---------------------------------------------------------------------------------------- what there is


def test_the_built_in_agents_are_installed() -> None:
    assert BUILT_IN.keys() <= set(installed_names())
    assert installed_names() == sorted(installed_names())
    infos = {info.name: info for info in installed_agents()}
    assert list(infos) == installed_names()
    for name, kind in BUILT_IN.items():
        assert infos[name].kind == kind
        assert infos[name].source == "sixtysix"
        assert infos[name].about.endswith(".")
    assert infos["random"].parameters == {}
    assert infos["example"].parameters == {"greed": 10}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("random", "Random"),
        ("agents.random:Random", "Random"),
        ("my_bots.py:Bot", "Bot"),
        ("my_bots:Bot", "Bot"),
        ("./my_bots.py:Fast", "Fast"),
    ],
)
def test_by_name_module_and_file(bots: Path, text: str, kind: str) -> None:
    agent = load_agent(text)
    assert (agent.name, type(agent.agent).__name__) == (text, kind)
    assert agent.is_compiled == (kind != "Bot")


def test_an_absolute_path(bots: Path) -> None:
    text = f"{bots}/my_bots.py:Bot:depth=4"
    assert load_agent(text).agent.depth == 4


def test_agents_of_a_file_play(bots: Path) -> None:
    agents = load_agent("my_bots.py:Bot"), load_agent("my_bots.py:Fast")
    for first, second in (agents, agents[::-1]):
        assert PairingPlayer(load_rules("sixtysix"), first, second, 1, 0).play(0, 3).endings.sum() == 6


@pytest.mark.parametrize("target", ["my_bots.py:Bot", "my_bots.py:Child"])
def test_parameters_have_their_types(bots: Path, target: str) -> None:
    agent = load_agent(f"{target}:style=wild,greed=1e-1,depth=7,bold=True")
    assert agent.name == f"{target}:bold=True,depth=7,greed=1e-1,style=wild"
    values = vars(agent.agent)
    assert values == {"depth": 7, "greed": 0.1, "bold": True, "style": "wild"}
    assert [type(value) for value in values.values()] == [int, float, bool, str]


def test_two_sides_of_a_mirror_match_are_two_objects() -> None:
    assert load_agent("example").agent is not load_agent("example").agent


# ------------------------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rnadom", '"sixtysix agents list" shows what is installed; did you mean "random"?'),
        ("quite-else", 'there is no agent "quite-else"; "sixtysix agents list" shows what is installed'),
        ("my_bots.py", '"my_bots.py" names a file but no class: write my_bots.py:CLASS'),
        ("my_bots.py:Bott", 'there is no class "Bott" in my_bots.py; did you mean "Bot"?'),
        ("agents.random:Rand", 'there is no class "Rand" in agents.random; did you mean "Random"?'),
        ("other.py:Bot", '"other.py:Bot": there is no file other.py'),
        ("other:Bot", '"other:Bot": there is no module other here or among the installed ones'),
        ("agents.other:Bot", "there is no module agents.other here or among the installed ones"),
        ("my_bots.py:Neither", "is not an agent: an agent is a class with either a method choose(view) or a compiled"),
        ("my_bots.py:not_a_class", "is not an agent: an agent is a class with"),
        ("my_bots.py:Broken", "cannot be built: KeyError: 'opening' (my_bots.py, line 51)"),
    ],
)
def test_wrong_targets(bots: Path, text: str, said: str) -> None:
    assert said in message(text)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ("dept=3", ['has no parameter "dept"', "depth, greed, bold, style", 'did you mean "depth"?']),
        ("depth=x", ["depth=x of my_bots.py:Bot: must be a whole number"]),
        ("depth=2.5", ["must be a whole number"]),
        ("greed=much", ["greed=much of my_bots.py:Bot: must be a number"]),
        ("bold=maybe", ["bold=maybe of my_bots.py:Bot: must be true or false"]),
        ("depth=x,greed=y,slip=1", ["depth=x", "greed=y", '"slip"']),
        ("depth=10", ["the agent my_bots.py:Bot:depth=10 cannot be built: depth = 10: must be at most 9"]),
    ],
)
def test_wrong_parameters(bots: Path, parameters: str, said: list[str]) -> None:
    text = message(f"my_bots.py:Bot:{parameters}")
    assert [words for words in said if words not in text] == []


def test_parameters_that_are_not_there() -> None:
    assert 'random has no parameter "slip"; it has no parameters' in message("random:slip=1")


def test_a_parameter_that_is_needed(bots: Path) -> None:
    assert "needs the parameter depth: write my_bots.py:Needy:depth=VALUE" in message("my_bots.py:Needy")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("def choose(:", "broken.py cannot be imported: SyntaxError: invalid syntax (broken.py, line 1)"),
        ("\nimport not_there_xyz", "ModuleNotFoundError: No module named 'not_there_xyz' (broken.py, line 2)"),
        ("\n\n1 / 0", "broken.py cannot be imported: ZeroDivisionError: division by zero (broken.py, line 3)"),
    ],
)
def test_broken_files(bots: Path, content: str, said: str) -> None:
    (bots / "broken.py").write_text(content)
    assert said in message("broken.py:Bot")
    (bots / "broken.py").write_text(BOTS)
    assert load_agent("broken.py:Bot").agent.depth == 3, "once mended it can be loaded"


def test_a_broken_installed_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("lost", "not_there_xyz:Bot", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda **_: [entry])
    assert 'the installed agent "lost" cannot be imported: ModuleNotFoundError' in message("lost")


def test_one_name_in_two_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [EntryPoint("twin", f"package_{i}:Bot", registry.GROUP) for i in (1, 2)]
    monkeypatch.setattr(registry, "entry_points", lambda **_: entries)
    assert 'several installed packages bring an agent "twin"' in message("twin")


def test_a_parameter_without_annotation_has_the_type_of_its_default(bots: Path) -> None:
    assert load_agent("my_bots.py:Plain:depth=4").agent.depth == 4


def test_an_optional_number_is_a_number(bots: Path) -> None:
    (bots / "optional.py").write_text(BOTS.replace("depth: int)", "depth: int | None)"))
    assert load_agent("optional.py:Needy:depth=4").agent.depth == 4


def test_annotations_that_only_a_type_checker_can_resolve(bots: Path) -> None:
    text = "from __future__ import annotations\n" + BOTS.replace("depth: int):", "depth: Unknown):")
    (bots / "lazy.py").write_text(text)
    try:
        load_agent("lazy.py:Needy:depth=4")
    except UsageError as error:
        assert "Unknown" in str(error)


def test_a_file_that_exits(bots: Path) -> None:
    (bots / "exits.py").write_text("import sys\nsys.exit(0)\n")
    assert "exits.py cannot be imported: SystemExit" in message("exits.py:Bot")


def test_a_file_may_import_its_neighbour(bots: Path) -> None:
    (bots / "deeper").mkdir()
    (bots / "deeper" / "neighbour_of_bot.py").write_text("BEST = 3\n")
    (bots / "deeper" / "importing.py").write_text("from neighbour_of_bot import BEST\n" + BOTS)
    assert load_agent("deeper/importing.py:Bot").agent.depth == 3


@pytest.mark.parametrize("value", ["inf", "nan"])
def test_a_number_is_finite(bots: Path, value: str) -> None:
    assert "must be a finite number" in message(f"my_bots.py:Bot:greed={value}")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("class Bot:\n    policy = staticmethod(lambda *words: 0)\n", "is not compiled: decorate it"),
        (
            "from agents.random import choose_random\nclass Bot:\n    policy = staticmethod(choose_random)\n",
            "does not keep the contract of compiled agents",
        ),
        (
            "from dataclasses import dataclass\nfrom agents.random import Random\n"
            "@dataclass(frozen=True)\nclass Bot(Random):\n    word: str = 'much'\n",
            "does not keep the contract of compiled agents",
        ),
    ],
)
def test_compiled_agents_that_do_not_keep_the_contract(bots: Path, content: str, said: str) -> None:
    (bots / "half.py").write_text(content)
    assert said in message("half.py:Bot")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "from dataclasses import dataclass\nfrom harness.agent_api.compiled import Compiled\n"
            "from harness.core.kernel import kernel\n@kernel\ndef choose(view, rules, params):\n    return 0\n"
            "@dataclass(frozen=True)\nclass Bot(Compiled):\n    policy = staticmethod(choose)\n",
            "does not keep the contract of compiled agents",
        ),
        (
            "from agents.random import Random\nclass Bot(Random):\n    n_scratch = 1 << 60\n",
            "n_scratch is not from 0 to",
        ),
    ],
)
def test_policies_of_another_shape(bots: Path, content: str, said: str) -> None:
    (bots / "shape.py").write_text(content)
    assert said in message("shape.py:Bot")


def test_no_place_in_the_standard_library_is_blamed(bots: Path) -> None:
    (bots / "relative.py").write_text("import importlib\nimportlib.import_module('.x')\n")
    assert "__init__.py" not in message("relative.py:Bot")
    assert "(relative.py, line 2)" in message("relative.py:Bot")

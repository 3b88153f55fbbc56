"""Outside programs that behave: the protocol page, the examples in three languages, finding a program, its lifetime."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import psutil
import pytest

from harness.agent_api import outside
from harness.agent_api.contract import HandInfo
from harness.agent_api.faults import FaultKind, MisbehaviourError
from harness.agent_api.limits import Limits
from harness.agent_api.outside import OutsideAgent
from harness.agent_api.outside_messages import hand_message, hello_message, move_message, read_action
from harness.agent_api.outside_program import MOST_LINE, Program
from harness.agent_api.registry import load_agent
from harness.agent_api.seat_view import SeatView
from harness.core.cards import N_ACTION_CODES
from harness.core.records import ENDINGS
from harness.errors import ExitStatus, UsageError
from harness.game.notation import action_text, is_action
from harness.game.presets import load_rules, preset_names
from harness.play.table import Table
from tests.helpers.both import walk
from tests.helpers.engine import CoreHand
from tests.helpers.reference import ReferenceHand
from tests.helpers.reference_presets import PRESETS
from tests.helpers.worlds import view_of

TOP = Path(__file__).parents[2]
EXAMPLES = TOP / "configs/examples"
PAGE = (TOP / "agents/PROTOCOL.md").read_text(encoding="utf-8")
PYTHON = f"cmd:{shlex.join([sys.executable, str(EXAMPLES / 'example_bot.py')])}"
ON_PAGE = "cmd:python3 configs/examples/example_bot.py"


@pytest.fixture
def agents() -> Iterator[list[Any]]:
    """Agents to be closed in the end."""
    made: list[Any] = []
    yield made
    for agent in made:
        agent.close()


def sections() -> dict[str, tuple[set[str], dict[str, Any]]]:
    """The page's messages: for each the fields in its table, and its example."""
    found = {}
    for section in re.split(r"^#+ ", PAGE, flags=re.MULTILINE)[1:]:
        example = re.search(r"```json\n(.*)\n```", section)
        if example:
            cells = re.findall(r"^\| (`[^|]*) \|", section, flags=re.MULTILINE)
            fields = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
            found[section.partition("\n")[0]] = fields, json.loads(example[1])
    return found


# -------------------------------------------------------------------------------------------- the page


@pytest.fixture(scope="module")
def spoken() -> list[dict[str, Any]]:
    """All that the example bot and the harness say to each other in the second half of deal 0 against `example`."""
    lines: list[bytes] = []

    class Overheard(Program):
        def send(self, line: bytes, deadline: float) -> None:
            lines.append(line)
            super().send(line, deadline)

        def receive(self, deadline: float) -> bytes:
            lines.append(super().receive(deadline))
            return lines[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outside, "Program", Overheard)
        patch.chdir(TOP)
        if shutil.which("python3") is None:
            pytest.skip("there is no python3 in PATH")
        agent = load_agent(ON_PAGE)
        assert Table(load_rules("sixtysix"), (agent, load_agent("example")), 1).play(0, 1) is None
        agent.agent.close()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("name", ["hello", "hand", "move", "result", "quit", "ready", "the action"])
def test_the_examples_on_the_page_are_what_is_said(spoken: list[dict[str, Any]], name: str) -> None:
    _, example = sections()[name]
    assert example in spoken


@pytest.mark.parametrize("name", ["hello", "hand", "move", "result", "quit", "the action"])
def test_the_page_tells_every_field(name: str) -> None:
    fields, example = sections()[name]
    told = fields - set(vars(Limits())) - {"protocol"} if name == "hello" else fields
    assert told | {"type"} == set(example) - {"protocol"} | {"type"}


def test_a_hand_is_said_in_the_order_of_the_page(spoken: list[dict[str, Any]]) -> None:
    kinds = "".join({"hello": "H", "ready": "R", "hand": "h", "move": "m", "result": "r", "quit": "q"}.get(
        message.get("type", "action"), "a") for message in spoken)  # fmt: skip
    assert re.fullmatch(r"HRh(ma)+rq", kinds)


def test_the_page_tells_every_kind_of_fault_and_every_limit() -> None:
    told = set(re.findall(r"^\| `([a-z-]+)` \|", PAGE.partition("## Limits and faults")[2], flags=re.MULTILINE))
    assert told == set(FaultKind) - {FaultKind.CRASH}
    assert all(f"`{limit}`" in PAGE for limit in vars(Limits()))
    assert f"{MOST_LINE:,}" in PAGE
    assert all(f"`{how}`" in PAGE for how in ENDINGS)
    limits = Limits()
    assert f"`move_seconds`, {limits.move_seconds:g} if" in PAGE
    assert f"`hand_seconds` together, {limits.hand_seconds:g} if" in PAGE
    assert f"(2^20 bytes each), {limits.memory_mb:g} if" in PAGE


# ---------------------------------------------------------------------------------------- the messages


def cards_of(message: dict[str, Any], *names: str) -> set[str]:
    return {card for name in names for card in message[name]}


@pytest.mark.parametrize("preset", preset_names())
def test_every_field_of_a_move_against_the_reference(preset: str) -> None:
    rng = Random(f"messages {preset}")
    for _ in range(5):
        for _, core, reference, history in walk(PRESETS[preset], rng):
            if not reference.over:
                check_move(core, reference, history)


def check_move(core: CoreHand, reference: ReferenceHand, history: list[tuple[int, str]]) -> None:
    me = reference.to_move
    other = 1 - me
    line = move_message(SeatView(view_of(core, me).view("int64").tolist()))
    assert line.endswith(b"}\n")
    assert line.isascii()
    message = json.loads(line)
    assert len(set(message["legal"])) == len(message["legal"])
    assert set(message["legal"]) == reference.legal()
    assert cards_of(message, "hand") == reference.hands[me]
    assert cards_of(message, "known") == reference.known[other]
    assert cards_of(message, "shown") == reference.known[me]
    assert cards_of(message, "gone") == {*reference.won[0], *reference.won[1]}
    assert cards_of(message, "unseen") == (reference.hands[other] - reference.known[other]) | {*reference.stock[:-1]}
    assert (message["led"], message["trump"]) == (reference.led, reference.trump)
    assert message["turned_up"] == (reference.stock[-1] if reference.stock else None)
    assert message["n_stock"] == len(reference.stock)
    assert message["is_open"] is (bool(reference.stock) and reference.closer is None)
    assert message["closer"] == (None if reference.closer is None else int(reference.closer != me))
    assert (message["seat"], message["leader"]) == (me, int(reference.leader != me))
    for name in ("points", "pending", "tricks"):
        pair = getattr(reference, name)
        assert message[name] == [pair[me], pair[other]]
    assert message["history"] == [list(entry) for entry in history]
    announced = history[-1][1] if history and reference.led is None else history[-2][1] if len(history) > 1 else ""
    if announced.startswith("MELD"):
        assert message["announced"] == announced[-1]


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_the_seed_fits_into_a_double(seed: int) -> None:
    message = json.loads(hand_message(HandInfo(load_rules("sixtysix"), 1, (3, 4), 2), seed))
    assert message == {"type": "hand", "seat": 1, "seed": seed // 2**11, "score": [3, 4], "carry": 2}
    assert int(float(message["seed"])) == message["seed"]


def test_rules_and_limits_are_told_in_whole() -> None:
    rules, limits = load_rules("bicycle"), Limits(1.5, 2, 3, 256)
    message = json.loads(hello_message("cmd:x", rules, limits))
    assert message["rules"] == rules.flat()
    assert message["limits"] == {"move_seconds": 1.5, "hand_seconds": 2, "start_seconds": 3, "memory_mb": 256}


@pytest.mark.parametrize("action", [number for number in range(N_ACTION_CODES) if is_action(number)])
def test_every_action_is_read_back(action: int) -> None:
    assert read_action(json.dumps({"action": action_text(action), "why": [1]}).encode()) == action


@pytest.mark.parametrize("text", ["TD", "10D", "♦10", "play ten of diamonds", " PLAY TD "])
def test_other_ways_to_write_an_action_are_read(text: str) -> None:
    assert read_action(json.dumps({"action": text}).encode()) == 3 * 8 + 4
    assert read_action(json.dumps({"action": text}, ensure_ascii=False).encode() + b"\r") == 3 * 8 + 4


@pytest.mark.parametrize(
    "line", [b"", b"\xff\xfe{", b"9" * 5000, b"null", b'{"action": null}', b'{"action": ""}', b"NaN"]
)
def test_nonsense_is_told_as_such(line: bytes) -> None:
    with pytest.raises(MisbehaviourError) as caught:
        read_action(line)
    assert caught.value.kind is FaultKind.NONSENSE
    assert caught.value.what.startswith('sent "')
    assert caught.value.what.isprintable()
    assert len(caught.value.what) < 200


# ---------------------------------------------------------------------------------------- the examples


def command_of(language: str, folder: Path) -> str:
    """The example bot in a language; skips the test where the language is missing."""
    needed = {"perl": "perl", "c": "cc"}[language]
    program = shutil.which(needed)
    if program is None:
        pytest.skip(f"there is no {needed} in PATH")
    if language == "c":
        bot = folder / "example bot"
        subprocess.run([program, "-O2", "-o", bot, EXAMPLES / "example_bot.c"], check=True)
        return f"cmd:{shlex.quote(str(bot))}"
    return f"cmd:{shlex.join([program, str(EXAMPLES / 'example_bot.pl')])}"


def played(command: str, preset: str, n_deals: int, agents: list[Any]) -> list[tuple[list[int], int]]:
    """Actions and game points of some deals against `normal`."""
    one, other = load_agent(command), load_agent("normal")
    agents.append(one.agent)
    table = Table(load_rules(preset), (one, other), 5)
    hands = []
    for deal in range(n_deals):
        for half in (0, 1):
            assert table.play(deal, half) is None
            hands.append((table.actions(), table.game_points(half)))
    return hands


@pytest.mark.parametrize("language", ["perl", "c"])
@pytest.mark.parametrize("preset", ["sixtysix", "schnapsen-vu", "bicycle"])
def test_the_examples_play_the_same_in_every_language(
    language: str, preset: str, tmp_path: Path, agents: list[Any]
) -> None:
    assert played(command_of(language, tmp_path), preset, 10, agents) == played(PYTHON, preset, 10, agents)


@pytest.mark.parametrize("preset", preset_names())
def test_the_example_acts_legally_under_every_preset_and_better_than_at_random(preset: str, agents: list[Any]) -> None:
    """In 120 hands of a fixed seed."""
    one = load_agent(PYTHON)
    agents.append(one.agent)
    table = Table(load_rules(preset), (one, load_agent("random")), 6)
    points = 0
    for hand in range(120):
        assert table.play(*divmod(hand, 2)) is None
        points += table.game_points(hand % 2)
    assert points > 0


# ------------------------------------------------------------------------------------ finding a program


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cmd:./my-bot", "there is no program {}/my-bot"),
        ("cmd:bots/", "there is no program {}/bots"),
        ("cmd:./plain.py --level 3", '{}/plain.py is not executable; "chmod +x ./plain.py" makes it so, or name the'),
        ("cmd:plain.py", 'there is no program "plain.py" in PATH ({}/path); write cmd:./plain.py for the file'),
        ("cmd:no-such-bot", 'there is no program "no-such-bot" in PATH ({}/path)'),
        ("cmd:'no such bot' x", 'there is no program "no such bot" in PATH'),
    ],
)
def test_a_program_that_cannot_be_found_is_told(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    (tmp_path / "bots").mkdir()
    (tmp_path / "plain.py").write_text("")
    with pytest.raises(UsageError) as caught:
        load_agent(text)
    assert caught.value.status == ExitStatus.USAGE
    assert f'"{text}": {said.replace("{}", str(tmp_path))}' in str(caught.value)


def test_a_file_that_the_system_cannot_run_does_not_start(tmp_path: Path, agents: list[Any]) -> None:
    bot = tmp_path / "bot"
    bot.write_text("neither a script nor a program")
    bot.chmod(0o755)
    agent = load_agent(f"cmd:{bot}").agent
    agents.append(agent)
    with pytest.raises(MisbehaviourError) as caught:
        agent.start_hand(HandInfo(load_rules("sixtysix"), 0), 1)
    assert caught.value.kind is FaultKind.START
    assert "cannot be run: Exec format error" in caught.value.what


def test_where_there_are_no_pipes_to_wait_for_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "name", "nt")
    with pytest.raises(UsageError, match="outside programs can play on Linux and macOS only"):
        load_agent("cmd:python3")


# ----------------------------------------------------------------------------------------- its lifetime


def test_a_program_is_an_agent_of_its_own_kind() -> None:
    agent = load_agent(f" {PYTHON} ")
    assert (agent.name, agent.kind, agent.is_compiled) == (PYTHON, "program", False)
    assert load_agent("random").kind == "compiled"
    assert load_agent("example").kind == "Python"


def n_children() -> int:
    return len(psutil.Process().children())


def test_one_process_plays_all_hands_and_each_side_of_a_mirror_match_has_its_own(agents: list[Any]) -> None:
    before = n_children()
    pair = load_agent(PYTHON), load_agent(PYTHON)
    agents += [one.agent for one in pair]
    assert n_children() == before, "nothing is started before the first hand"
    table = Table(load_rules("sixtysix"), pair, 1)
    for deal in range(3):
        assert table.play(deal, 0) is None
        assert n_children() == before + 2
    for agent in agents:
        agent.close()
    assert n_children() == before


def test_other_rules_or_limits_are_told_to_a_new_process(agents: list[Any]) -> None:
    loaded = load_agent(PYTHON)
    agents.append(agent := loaded.agent)
    assert isinstance(agent, OutsideAgent)
    numbers = []
    for preset, limits in (
        ("sixtysix", Limits()),
        ("sixtysix", Limits()),
        ("bicycle", Limits()),
        ("bicycle", Limits(9)),
    ):
        agent.limits = limits
        assert Table(load_rules(preset), (loaded, load_agent("random")), 1).play(0, 0) is None
        numbers.append(psutil.Process().children()[-1].pid)
    first, second, third, fourth = numbers
    assert first == second
    assert len({second, third, fourth}) == 3


def test_a_forked_copy_starts_a_program_of_its_own(agents: list[Any]) -> None:
    loaded = load_agent(PYTHON)
    agents.append(loaded.agent)
    table = Table(load_rules("sixtysix"), (loaded, load_agent("random")), 1)
    assert table.play(0, 0) is None
    number = os.fork()
    if number == 0:
        fault = table.play(1, 0)
        loaded.agent.close()
        os._exit(0 if fault is None else 1)
    assert os.waitpid(number, 0)[1] == 0
    assert table.play(1, 0) is None, "the program of the parent goes on"

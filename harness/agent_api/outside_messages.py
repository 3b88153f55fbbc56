"""Protocol 1 of outside programs, one JSON object a line; agents/PROTOCOL.md tells each message with all its fields."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from harness.agent_api.contract import HandInfo, HandResult
from harness.agent_api.faults import FaultKind, MisbehaviourError
from harness.agent_api.limits import Limits
from harness.agent_api.seat_view import SeatView
from harness.core.cards import ALL_CARDS, N_ACTION_CODES, N_SUITS
from harness.errors import UsageError
from harness.game.notation import action_text, card_text, is_action, parse_action, suit_text
from harness.game.rules import Rules

PROTOCOL: Final = 1
_SEED_BITS = 53
"""What JavaScript and awk can count to."""
_MOST_QUOTED = 100
_ACTION_JSON: Final = {number: f'"{action_text(number)}"' for number in range(N_ACTION_CODES) if is_action(number)}
_CARD_JSON: Final = {card: f'"{card_text(card)}"' for card in ALL_CARDS}
_SUIT_JSON: Final = tuple(f'"{suit_text(suit)}"' for suit in range(N_SUITS))
_ENTRY_JSON: Final = {(seat, action): f"[{seat},{text}]" for action, text in _ACTION_JSON.items() for seat in (0, 1)}
_TRUTH_JSON: Final = ("false", "true")
_ACTIONS: Final = {text.strip('"'): number for number, text in _ACTION_JSON.items()}
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def hello_message(name: str, rules: Rules, limits: Limits) -> bytes:
    """Greet a program that has just been started: who it is here, the rules and its limits."""
    return _line("hello", protocol=PROTOCOL, name=name, rules=rules.flat(), limits=asdict(limits))


def hand_message(info: HandInfo, seed: int) -> bytes:
    """Begin a hand; of the agent's 64 bits of luck it gets the upper 53."""
    return _line("hand", seat=info.seat, seed=seed >> (64 - _SEED_BITS), score=info.score, carry=info.carry)


def move_message(view: SeatView) -> bytes:
    """Ask for an action: everything that the view has, and the legal actions.

    The line is put together here and not by `json`, which would take three times as long, for every decision.
    """
    announced, closer = view.announced, view.closer
    return (
        f'{{"type":"move","legal":{_list(_ACTION_JSON, view.legal)},"hand":{_list(_CARD_JSON, view.hand)},'
        f'"led":{_card(view.led)},"announced":{"null" if announced is None else _SUIT_JSON[announced]},'
        f'"trump":{_SUIT_JSON[view.trump]},"turned_up":{_card(view.turned_up)},"n_stock":{view.n_stock},'
        f'"is_open":{_TRUTH_JSON[view.is_open]},"unseen":{_list(_CARD_JSON, view.unseen)},'
        f'"known":{_list(_CARD_JSON, view.known)},"shown":{_list(_CARD_JSON, view.shown)},'
        f'"gone":{_list(_CARD_JSON, view.gone)},"points":{_pair(view.points)},"pending":{_pair(view.pending)},'
        f'"tricks":{_pair(view.tricks)},"closer":{"null" if closer is None else closer},'
        f'"closed_points":{view.closed_points},"closed_tricks":{view.closed_tricks},"leader":{view.leader},'
        f'"lead_open":{_TRUTH_JSON[view.lead_open]},"seat":{view.seat},"score":{_pair(view.score)},'
        f'"target":{view.target},"carry":{view.carry},'
        f'"history":[{",".join([_ENTRY_JSON[entry] for entry in view.history])}]}}\n'
    ).encode()


def result_message(result: HandResult) -> bytes:
    """Tell how the hand ended."""
    return _line("result", game_points=result.game_points, how=result.how)


def quit_message() -> bytes:
    """Send the program home."""
    return _line("quit")


def read_ready(line: bytes) -> str:
    """Read the answer to hello and return the program's name, with its version where it tells one.

    Raises
    ------
    MisbehaviourError
        START for another protocol, NONSENSE for everything that is no such answer.

    """
    answer = _object(line)
    if answer.get("type") != "ready":
        raise _nonsense(line, 'which is no answer to hello: {"type": "ready", …}')
    protocol = answer.get("protocol")
    if type(protocol) is not int:
        raise _nonsense(line, "which does not say its protocol as a whole number")
    if protocol != PROTOCOL:
        raise MisbehaviourError(FaultKind.START, f"speaks protocol {protocol}, not {PROTOCOL}")
    name, version = answer.get("name"), answer.get("version", "")
    if not isinstance(name, str) or not name.strip() or not isinstance(version, str):
        raise _nonsense(line, "in which the name, or the version if there is one, is not a text")
    return f"{name} {version}".strip()


def read_action(line: bytes) -> int:
    """Read the answer to a move: an action, legal or not, as the notation reads it.

    Raises
    ------
    MisbehaviourError
        NONSENSE.

    """
    text = _object(line).get("action")
    if not isinstance(text, str):
        raise _nonsense(line, 'which has no text "action"')
    if text in _ACTIONS:
        return _ACTIONS[text]
    try:
        return parse_action(text)
    except UsageError as error:
        raise _nonsense(line, "which names no action") from error


def quoted(line: bytes) -> str:
    """Quote what a program wrote: its beginning, in printable characters."""
    text = line[: 4 * _MOST_QUOTED].decode(errors="replace").strip()
    short = text if len(text) <= _MOST_QUOTED and len(line) <= 4 * _MOST_QUOTED else f"{text[:_MOST_QUOTED]}…"
    return '"' + "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in short) + '"'


def _nonsense(line: bytes, why: str) -> MisbehaviourError:
    return MisbehaviourError(FaultKind.NONSENSE, f"sent {quoted(line)}, {why}")


def _object(line: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(line.decode())
    except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, or nested without end
        raise _nonsense(line, "which is not JSON") from error
    if not isinstance(answer, dict):
        raise _nonsense(line, "which is not a JSON object")
    return answer


def _line(kind: str, **fields: object) -> bytes:
    return _encode({"type": kind, **fields}).encode() + b"\n"


def _list(texts: Mapping[int, str], numbers: Sequence[int]) -> str:
    return f"[{','.join([texts[number] for number in numbers])}]"


def _card(card: int | None) -> str:
    return "null" if card is None else _CARD_JSON[card]


def _pair(pair: tuple[int, int]) -> str:
    return f"[{pair[0]},{pair[1]}]"

"""A position and what its actions are worth, as text and as numbers for a program."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from harness.agent_api.judging import Judgement
from harness.core.bits import members, popcount
from harness.game.notation import action_text, card_text, cards_text, suit_text
from harness.game.position import ME, Position
from harness.game.presets import rules_text
from harness.report.words import number, wrap
from harness.search.analysis import ActionValue, Analysis
from harness.texts import count

_CLOSE_NOTE: Final = (
    "This is double dummy, as if both sides knew all cards: it flatters the side that closes by 0.04 to 0.14."
)
_UNITS: Final = "Game points for the side to move, without the carry, with best play of both sides from then on"
_TIED: Final = 1e-9


def position_text(position: Position, name: str) -> str:
    """Tell in a few lines what a position is; `name` is that of its file."""
    known, n_unknown = cards_text(position.theirs), position.n_theirs - popcount(position.theirs)
    if (whole := position.other_hand) is not None:
        known, n_unknown = cards_text(whole), 0
    theirs = f"{known or '-'}{f' and {n_unknown} unknown' if known and n_unknown else ''}"
    if not known:
        theirs = f"{n_unknown} unknown"
    rules = f"{rules_text(position.rules)}, trumps {suit_text(position.trump, 'long')}"
    lines = [
        wrap(f"{name}: {position.about}" if position.about else name),
        wrap(f"{rules}; {_whose_move(position)}; {_stock(position)}"),
        f"your hand  {cards_text(position.hand)}",
        f"theirs     {theirs}",
        wrap(", ".join(_standing(position))),
    ]
    return "\n".join(lines)


def _whose_move(position: Position) -> str:
    if position.led is not None:
        return f"you reply to {card_text(position.led)}"
    return "your lead"


def _stock(position: Position) -> str:
    if not position.n_stock:
        return "the stock is used up"
    closer = "" if position.closer is None else f", closed by {'you' if position.closer == ME else 'them'}"
    turned_up = "" if position.turned_up is None else f", {card_text(position.turned_up)} under it"
    return f"{count(position.n_stock, 'card')} in the stock{turned_up}{closer}"


def _standing(position: Position) -> Iterator[str]:
    for name in ("points", "pending", "tricks", "score"):
        mine, theirs = getattr(position, name)
        if mine or theirs or name in ("points", "tricks"):
            yield f"{name} {mine} : {theirs}"
    if position.carry:
        yield f"carry {position.carry}"


def analysis_text(analysis: Analysis, seed: int) -> str:
    """Write the values of all actions by the solver, best first."""
    if analysis.is_exact:
        rows = [("action", "value", "", "")]
        rows += [(action_text(one.action), number(one.value, 0), "", "") for one in analysis.actions]
    else:
        rows = [("action", "value", "behind", "won")]
        rows += [_row(one, analysis.is_sampled) for one in analysis.actions]
    marks = ["", *("best" if analysis.best - one.value < _TIED else "" for one in analysis.actions)]
    return "\n".join([*_aligned(rows, marks), *_how(analysis, seed)])


def _row(one: ActionValue, is_sampled: bool) -> tuple[str, str, str, str]:
    value, behind = number(one.value, 3), f"{one.behind:.3f}"
    if is_sampled:
        value, behind = f"{value} ± {one.error:.3f}", f"{behind} ± {one.behind_error:.3f}"
    if one.behind == one.behind_error == 0:
        behind = "-"
    return action_text(one.action), value, behind, f"{one.won:.1%}"


def _aligned(rows: Sequence[tuple[str, ...]], marks: Sequence[str]) -> list[str]:
    """Line up rows: the first column to the left, numbers to the right, and a word after some of them."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row, mark in zip(rows, marks, strict=True):
        cells = [f"{row[0]:<{widths[0]}}"]
        cells += [f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True) if width]
        lines.append("  ".join([*cells, mark]).rstrip())
    return lines


def _how(analysis: Analysis, seed: int) -> list[str]:
    """Say what the numbers of an analysis are."""
    if analysis.is_exact:
        return [wrap(f"{_UNITS}; all cards are known: exact.")]
    if not analysis.is_sampled:
        what = f"mean over all {count(analysis.n_possible, 'possible world')}"
    else:
        worlds = f"{analysis.n_worlds:,} of {_big(analysis.n_possible)} possible worlds, drawn with seed {seed}"
        what = f"mean over {worlds}, ± one standard error"
    return [wrap(f"{_UNITS}; {what}. {_CLOSE_NOTE}")]


def _big(number: int) -> str:
    return f"{number:,}" if number < 10**9 else f"{number:.1e}"


def judgement_text(judgement: Judgement, legal: Sequence[int], agent: str, seed: int) -> str:
    """Write what an agent thinks of all legal actions, best first, and what it chooses."""
    ranked = _ranked(judgement, legal)
    rows = [("action", "value"), *((action_text(action), _judged(judgement, action)) for action in ranked)]
    what = (
        f"Game points that {agent} expects, as far as they help to win the match, ± one standard error of its own "
        f"sampling with seed {seed}; none where it has looked at every world, or all that it drew agree."
    )
    marks = ["", *("its choice" if action == judgement.choice else "" for action in ranked)]
    return "\n".join([*_aligned(rows, marks), wrap(what)])


def _judged(judgement: Judgement, action: int) -> str:
    value, error = float(judgement.values[action]), float(judgement.errors[action])
    if value != value:
        return "not judged"
    size = number(value, 3)
    return f"{size} ± {error:.3f}" if error >= 0.0005 else f"{size}{' ' * len(' ± 0.000')}"


def _ranked(judgement: Judgement, legal: Sequence[int]) -> list[int]:
    def key(action: int) -> tuple[bool, float, int]:
        value = float(judgement.values[action])
        return value != value, -value if value == value else 0.0, action

    return sorted(legal, key=key)


def analysis_summary(analysis: Analysis, seed: int) -> dict[str, Any]:
    """Return the numbers of an analysis for a program."""
    return {
        "method": "exact" if analysis.is_exact else "double dummy",
        "worlds": analysis.n_worlds,
        "possible_worlds": analysis.n_possible,
        "sampled": analysis.is_sampled,
        "seed": seed if analysis.is_sampled else None,
        "actions": [
            {
                "action": action_text(one.action),
                "value": one.value,
                "error": one.error,
                "behind": one.behind,
                "behind_error": one.behind_error,
                "won": one.won,
                "best": analysis.best - one.value < _TIED,
            }
            for one in analysis.actions
        ],
    }


def judgement_summary(judgement: Judgement, legal: Sequence[int], agent: str, seed: int) -> dict[str, Any]:
    """Return what an agent thinks for a program; null where it has not judged."""

    def number(value: float) -> float | None:
        return None if value != value else float(value)

    return {
        "method": "agent",
        "agent": agent,
        "seed": seed,
        "choice": action_text(judgement.choice),
        "actions": [
            {
                "action": action_text(action),
                "value": number(judgement.values[action]),
                "error": number(judgement.errors[action]),
            }
            for action in _ranked(judgement, legal)
        ],
    }


def position_summary(position: Position, name: str) -> dict[str, Any]:
    """Return a position for a program."""
    return {
        "position": name,
        "about": position.about,
        "rules": rules_text(position.rules),
        "hand": [card_text(card) for card in members(position.hand)],
    }

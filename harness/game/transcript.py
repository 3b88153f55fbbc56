"""A hand as text, for people to read and for `read_transcript` to play again.

::

    transcript 1 rules-version 1
    rules american nines=false
    seed 7 deal 123
    score 0 0
    carry 0

    0 PLAY KH
    1 PLAY AH     # seat 1 takes the trick, 0 : 15; draws QS, then 9C
    ...
    result 1 2 declared

Instead of ``seed … deal …`` there may be ``pack`` and its 24 cards. An action line holds the seat and the action; a
forfeit is ``0 FORFEIT``. The result line holds the winning seat (``-`` if nobody has won), its game points and the
ending. Everything after ``#`` is commentary.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from harness.core.cards import CLOSE, DECLARE, DRAW, EXCHANGE, MELD
from harness.errors import FaultsError, IllegalActionError, UsageError, faults_of
from harness.game.hand import Hand, Result
from harness.game.notation import action_text, card_text, cards_text, parse_cards, suit_text
from harness.game.presets import rules_from_text, rules_text
from harness.game.rules import RULES_VERSION

TRANSCRIPT_VERSION: Final = 1
_FIRST_LINE: Final = f"transcript {TRANSCRIPT_VERSION} rules-version {RULES_VERSION}"
_FORFEIT: Final = "FORFEIT"


def write_transcript(hand: Hand, names: tuple[str, str] | None = None) -> str:
    """Write a hand, finished or not, as text; `names` are those of seat 0 and seat 1 for the commentary."""
    again = hand.restarted()
    lines = [*_header(again, names), ""]
    for seat, action in hand.history:
        lines.append(_with_comment(f"{seat} {action_text(action)}", _do_and_tell(again, action)))
    if hand.forfeited_by is not None:
        lines.append(_with_comment(f"{hand.forfeited_by} {_FORFEIT}", "scores as a false declaration"))
    if hand.result is not None:
        lines.append(_with_comment(_result_line(hand.result), _tell_result(hand)))
    return "\n".join(lines) + "\n"


def _header(hand: Hand, names: tuple[str, str] | None) -> Iterator[str]:
    yield _FIRST_LINE
    yield f"rules {rules_text(hand.rules)}"
    yield f"pack {cards_text(hand.pack)}" if hand.seed is None else f"seed {hand.seed} deal {hand.deal}"
    yield f"score {hand.score[0]} {hand.score[1]}"
    yield f"carry {hand.carry}"
    for seat, role in enumerate(("leads", "dealt")):
        who = f"seat {seat} ({names[seat]})" if names else f"seat {seat}"
        yield f"# {who} {role} and holds {cards_text(sum(1 << card for card in hand.hands[seat]))}"
    yield f"# trumps are {suit_text(hand.trump, 'long')}; the stock is {cards_text(hand.stock)}, the last turned up"


def _with_comment(line: str, comment: str) -> str:
    return f"{line:<12}  # {comment}" if comment else line


def _do_and_tell(hand: Hand, action: int) -> str:
    """Carry out an action and say what it did."""
    seat, led, before, stock = hand.to_move, hand.led, hand.points, hand.stock
    turned_up, pending = hand.turned_up, hand.pending
    hand.do(action)
    if action < MELD:
        if led is not None:
            return _tell_trick(hand, stock)
        if hand.points != before or hand.pending != pending:
            return _tell_marriage(hand, seat, before)
        return ""
    if action < EXCHANGE:
        return _tell_marriage(hand, seat, before)
    if action == EXCHANGE and turned_up is not None:
        return f"seat {seat} takes up {card_text(turned_up)}"
    if action == CLOSE:
        return f"{len(stock)} cards stay in the stock; strict play"
    if action == DECLARE:
        return f"seat {seat} claims 66 and has {before[seat]}"
    return _tell_draw(hand, stock) if action == DRAW else ""


def _tell_trick(hand: Hand, stock: tuple[int, ...]) -> str:
    told = f"seat {hand.leader} takes the trick, {hand.points[0]} : {hand.points[1]}"
    return f"{told}; {_tell_draw(hand, stock)}" if len(hand.stock) < len(stock) else told


def _tell_draw(hand: Hand, stock: tuple[int, ...]) -> str:
    return f"seat {hand.leader} draws {card_text(stock[0])}, then seat {1 - hand.leader} {card_text(stock[1])}"


def _tell_marriage(hand: Hand, seat: int, before: tuple[int, int]) -> str:
    if gained := hand.points[seat] - before[seat]:
        return f"a marriage: {gained} points, {hand.points[0]} : {hand.points[1]}"
    return f"a marriage: {hand.pending[seat]} points wait for a trick"


def _result_line(result: Result) -> str:
    winner = "-" if result.winner is None else str(result.winner)
    return f"result {winner} {result.game_points} {result.how}"


def _tell_result(hand: Hand) -> str:
    points = f"points {hand.points[0]} : {hand.points[1]}, tricks {hand.tricks[0]} : {hand.tricks[1]}"
    if hand.winner is None:
        return f"nobody wins; {points}"
    return f"seat {hand.winner} wins {hand.game_points}; {points}"


def read_transcript(text: str) -> Hand:
    """Play a transcript again and return its hand.

    Raises
    ------
    FaultsError
        What is wrong, each fault with the number of its line: all faults of the header at once, else the first action
        or result that does not fit.

    """
    lines = [(n, line.partition("#")[0].split()) for n, line in enumerate(text.splitlines(), start=1)]
    lines = [(n, words) for n, words in lines if words]
    n_header = next((i for i, (_, words) in enumerate(lines) if words[0] not in _HEADER), len(lines))
    hand = _read_header(lines[:n_header])
    said = False
    for n, words in lines[n_header:]:
        try:
            said = _follow(hand, words, said)
        except UsageError as error:
            raise _cannot([f"line {n}: {fault}" for fault in faults_of(error)]) from error
        except IllegalActionError as error:
            raise _cannot([f"line {n}: {error}"]) from error
    if hand.result is not None and not said:
        raise _cannot([f"the hand is over, but the last line is missing: {_result_line(hand.result)}"])
    return hand


def _cannot(faults: Sequence[str]) -> FaultsError:
    return FaultsError("this transcript cannot be played again:", faults)


def _follow(hand: Hand, words: list[str], said: bool) -> bool:
    """Carry out one line of the play; say whether it was the result, after which none may follow."""
    line = " ".join(words)
    if said:
        raise UsageError(f'"{line}" stands after the result')
    if words[0] == "result":
        if hand.result is None:
            raise UsageError(f'"{line}" stands here, but the hand is not over')
        if line != _result_line(hand.result):
            raise UsageError(f'"{line}" is not how the hand ended: {_result_line(hand.result)}')
        return True
    if words[0] not in ("0", "1") or len(words) == 1:
        raise UsageError(f'"{line}" is no line of a transcript: it needs a seat, 0 or 1, and an action, or a result')
    seat = int(words[0])
    if words[1:] == [_FORFEIT]:
        hand.forfeit(seat)
        return False
    if seat != hand.to_move and not hand.over:
        raise UsageError(f'"{line}": seat {hand.to_move} is to move')
    hand.do(" ".join(words[1:]))
    return False


def _read_header(lines: list[tuple[int, list[str]]]) -> Hand:
    faults: list[str] = []
    values: dict[str, Any] = {}
    for n, (name, *words) in lines:
        try:
            if name in values:
                raise UsageError(f"{name} is there twice")
            values[name] = _HEADER[name](words)
        except UsageError as error:
            values[name] = None
            faults += [f"line {n}: {fault}" for fault in faults_of(error)]
    faults += [
        f"the line {name} is missing" for name in ("transcript", "rules", "score", "carry") if name not in values
    ]
    if ("seed" in values) == ("pack" in values):
        faults.append("either a line seed … deal … or a line pack must be there")
    if faults:
        raise _cannot(faults)
    try:
        if "pack" in values:
            return Hand(values["rules"], values["pack"], values["score"], values["carry"])
        seed, deal = values["seed"]
        return Hand.of_deal(values["rules"], seed, deal, values["score"], values["carry"])
    except UsageError as error:
        raise _cannot(faults_of(error)) from error


def _read_versions(words: list[str]) -> None:
    if " ".join(["transcript", *words]) != _FIRST_LINE:
        raise UsageError(f'the first line is "{_FIRST_LINE}" in this version of sixtysix; others cannot be read')


def _read_numbers(words: list[str], n: int) -> tuple[int, ...]:
    if len(words) != n or not all(word.isascii() and word.isdecimal() and len(word) < 20 for word in words):
        raise UsageError(f'"{" ".join(words)}": {n} whole number{"s" * (n > 1)} expected')
    return tuple(int(word) for word in words)


def _read_deal(words: list[str]) -> tuple[int, ...]:
    if len(words) != 3 or words[1] != "deal":
        raise UsageError('write "seed 7 deal 123"')
    return _read_numbers([words[0], words[2]], 2)


_HEADER: dict[str, Callable[[list[str]], Any]] = {
    "transcript": _read_versions,
    "rules": lambda words: rules_from_text(" ".join(words)),
    "seed": _read_deal,
    "pack": lambda words: parse_cards(" ".join(words)),
    "score": lambda words: _read_numbers(words, 2),
    "carry": lambda words: _read_numbers(words, 1)[0],
}
"""The lines before the play, by their first word, and what reads the rest of each."""

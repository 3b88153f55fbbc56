#!/usr/bin/env python3
"""Lets the bots of the PyPI package ``schnapsen`` play here, under the preset ``schnapsen-vu``.

The package pins old libraries, so it gets an environment of its own; this file needs nothing else and imports nothing
of sixtysix::

    python3 -m venv ~/schnapsen-vu && ~/schnapsen-vu/bin/pip install schnapsen==0.0.5
    sixtysix pit "cmd:$HOME/schnapsen-vu/bin/python configs/examples/schnapsen_vu.py bully" normal --rules schnapsen-vu

At every decision the hand so far is played again by the package's own engine, which checks each action on the way. The
other side's hidden cards and the stock lie there in some order that fits all that has been seen; bots that need more
than one such order shuffle them themselves. What the package then shows to its bot is compared with what this program
was shown: hand, points, cards won, stock, cards known and unseen, legal actions. A difference ends the program.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable, Sequence
from typing import Any

from schnapsen.bots import AlphaBetaBot, BullyBot, MiniMaxBot, RandBot, RdeepBot
from schnapsen.bots.example_bot import ExampleBot
from schnapsen.deck import Card, Rank, Suit
from schnapsen.game import (
    Bot,
    BotState,
    FollowerPerspective,
    GamePhase,
    GameState,
    Hand,
    LeaderPerspective,
    Marriage,
    RegularMove,
    SchnapsenGamePlayEngine,
    Talon,
    TrumpExchange,
)

Message = dict[str, Any]
RANKS = {"J": Rank.JACK, "Q": Rank.QUEEN, "K": Rank.KING, "T": Rank.TEN, "A": Rank.ACE}
SUITS = {"S": Suit.SPADES, "H": Suit.HEARTS, "C": Suit.CLUBS, "D": Suit.DIAMONDS}
CARDS = {rank + suit: Card.get_card(RANKS[rank], SUITS[suit]) for suit in SUITS for rank in RANKS}
CODES = {card: code for code, card in CARDS.items()}
N_HAND, N_TALON = 5, 10
LATE = 99
RULES = {
    "nines": False,
    "exchange.after_trick": False,
    "exchange.turn": "lead",
    "exchange.min_stock": 2,
    "exchange.first_lead": True,
    "marriage.stock": "any",
    "marriage.counts": "next-trick",
    "marriage.automatic": False,
    "marriage.lead": "king",
    "marriage.first_lead": True,
    "close.allowed": False,
    "strict.head": True,
    "strict.trump": True,
    "declare.automatic": True,
    "last_trick.bonus": 0,
    "undeclared": "last-trick",
}
"""The rules of the package, in the fields of ours; the fields about closing do not matter where nobody can."""


class Scripted(Bot):  # type: ignore[misc]
    """Plays the moves that were played."""

    def __init__(self, moves: list[Any]):
        super().__init__("scripted")
        self.moves = iter(moves)

    def get_move(self, perspective: Any, leader_move: Any) -> Any:
        """Return the next move."""
        return next(self.moves)


class Endgame(Bot):  # type: ignore[misc]
    """One bot while there is a stock, another one after that."""

    def __init__(self, first: Any, second: Any):
        super().__init__("endgame")
        self.first, self.second = first, second

    def get_move(self, perspective: Any, leader_move: Any) -> Any:
        """Ask the bot whose phase it is."""
        bot = self.second if perspective.get_phase() == GamePhase.TWO else self.first
        return bot.get_move(perspective, leader_move)


class Replay:
    """One hand as the package has it, played again from each message.

    Parameters
    ----------
    seat
        This program's seat.

    """

    def __init__(self, seat: int):
        self.engine = SchnapsenGamePlayEngine()
        self.seat = seat
        self.first_trump = ""
        self.held_since: dict[str, int] = {}

    def perspective(self, view: Message) -> tuple[Any, Any]:
        """Return what the package's bot sees at this decision, and the move that it has to reply to."""
        moves = moves_of(view)
        cards = [(seat, move) for seat, move in moves if not move.is_trump_exchange()]
        n_tricks = len(cards) // 2
        self._remember(view, n_tricks)
        leaders = [seat for seat, _ in cards[::2]]
        if len(cards) % 2 == 0:
            leaders.append(self.seat)
        led = moves[-1][1] if len(cards) % 2 else None
        before = moves[:-1] if led else moves
        bots = [Scripted([move for seat, move in before if seat == mine]) for mine in (0, 1)]
        n_steps = n_tricks + len(moves) - len(cards)  # an exchange is a trick of its own there
        state, _ = self.engine.play_at_most_n_tricks(self._deal(view, moves, leaders), bots[0], bots[1], n_steps)
        if led:
            return FollowerPerspective(state, self.engine, led), led
        return LeaderPerspective(state, self.engine), None

    def _remember(self, view: Message, trick: int) -> None:
        """Note since when each of the own cards is held, and the card that was turned up in the beginning."""
        for card in view["hand"]:
            self.held_since.setdefault(card, trick)
        if self.first_trump:
            return
        self.first_trump = view["turned_up"]
        if view["history"][:1] == [[1 - self.seat, "EXCHANGE"]]:  # then they hold it, or have just led it
            theirs = [card for card in view["known"] if card[1] == view["trump"]]
            self.first_trump = min(theirs, key=lambda card: "ATKQ".index(card[0]), default=view["led"])

    def _deal(self, view: Message, moves: list[tuple[int, Any]], leaders: list[int]) -> GameState:
        """Return a deal from which the moves lead to what the view has; the hidden cards lie in some order."""
        n_tricks = len(leaders) - 1
        exchanger = next((seat for seat, move in moves if move.is_trump_exchange()), None)
        bottom = self.first_trump if exchanger is None else f"J{view['trump']}"
        last_drawer = 1 - leaders[N_TALON // 2] if n_tricks >= N_TALON // 2 else None
        came = {} if last_drawer is None else {last_drawer: bottom}  # besides the cards dealt and drawn face down
        if exchanger is not None:
            came[exchanger] = self.first_trump
        held = [self._theirs(view, moves)] * 2
        held[self.seat] = self.held_since
        hidden, hands = list(view["unseen"]), []
        for seat, since in enumerate(held):
            cards = sorted((card for card in since if card != came.get(seat)), key=since.__getitem__)
            n_cards = N_HAND + min(n_tricks, N_TALON // 2) - (seat == last_drawer)
            hands.append(cards + [hidden.pop() for _ in range(n_cards - len(cards))])
        states = [BotState(Scripted([]), Hand([CARDS[card] for card in hand[:N_HAND]])) for hand in hands]
        drawn = [iter(hand[N_HAND:]) for hand in hands]
        talon = []
        for winner in leaders[1 : N_TALON // 2 + 1]:
            talon += [card for seat in (winner, 1 - winner) if (card := next(drawn[seat], None))]
        talon += [*hidden, self.first_trump]
        return GameState(states[0], states[1], Talon([CARDS[card] for card in talon]), None)

    def _theirs(self, view: Message, moves: list[tuple[int, Any]]) -> dict[str, int]:
        """Return cards that the other side is known to have had, each with the trick for which it had to have it."""
        theirs: dict[str, int] = {}
        n_cards = 0
        for seat, move in moves:
            if seat != self.seat:
                theirs.update((CODES[card], n_cards // 2) for card in move.cards if CODES[card] not in theirs)
            n_cards += not move.is_trump_exchange()
        return {**dict.fromkeys(view["known"], LATE), **theirs}


def moves_of(view: Message) -> list[tuple[int, Any]]:
    """Return the moves of a hand as (seat, the package's move); a marriage and its king are one move there."""
    moves: list[tuple[int, Any]] = []
    suit = ""
    for seat, action in view["history"]:
        kind, _, what = action.partition(" ")
        if kind == "MELD":
            suit = what
        elif kind == "EXCHANGE":
            moves.append((seat, TrumpExchange(CARDS[f"J{view['trump']}"])))
        else:
            moves.append((seat, marriage(suit) if suit else RegularMove(CARDS[what])))
            suit = ""
    return moves


def marriage(suit: str) -> Marriage:
    """Return the announcement of a suit."""
    return Marriage(CARDS[f"Q{suit}"], CARDS[f"K{suit}"])


def action_of(move: Any) -> str:
    """Write a move of the package as an action."""
    if move.is_trump_exchange():
        return "EXCHANGE"
    if move.is_marriage():
        return f"MELD {CODES[move.king_card][1]}"
    return f"PLAY {CODES[move.card]}"


def check(view: Message, perspective: Any, led: Any) -> None:
    """Compare what the package shows with what we were shown."""
    codes: Callable[[Any], list[str]] = lambda cards: sorted(CODES[card] for card in cards)  # noqa: E731
    mine, theirs = perspective.get_my_score(), perspective.get_opponent_score()
    announced = 40 if view["announced"] == view["trump"] else 20
    known = {*codes(perspective.get_known_cards_of_opponent_hand()), *(codes(led.cards) if led else ())}
    in_hand = [] if view["n_stock"] else view["unseen"]  # once the stock is used up, all the rest
    trump = perspective.get_trump_card()
    pairs = {
        "legal": (sorted(map(action_of, perspective.valid_moves())), sorted(view["legal"])),
        "hand": (codes(perspective.get_hand()), sorted(view["hand"])),
        "points": ([mine.direct_points, theirs.direct_points], view["points"]),
        "pending": (  # there a marriage is only pending once it is replied to
            [mine.pending_points, theirs.pending_points + (announced if led and led.is_marriage() else 0)],
            view["pending"],
        ),
        "trump": (perspective.get_trump_suit(), SUITS[view["trump"]]),
        "turned_up": (trump and CODES[trump], view["turned_up"]),
        "n_stock": (perspective.get_talon_size(), view["n_stock"]),
        "gone": (codes([*perspective.get_won_cards(), *perspective.get_opponent_won_cards()]), sorted(view["gone"])),
        "known": (sorted(known), sorted([*view["known"], *in_hand, *([view["led"]] if led else [])])),
    }
    for name, (packages, ours) in pairs.items():
        if packages != ours:
            sys.exit(f"{name}: the package has {packages}, the message {ours}")


def build(options: argparse.Namespace, luck: random.Random) -> Any:
    """Return the package's bot that the options name."""
    bots: dict[str, Callable[[], Any]] = {
        "rand": lambda: RandBot(luck),
        "bully": lambda: BullyBot(luck),
        "rdeep": lambda: RdeepBot(options.samples, options.depth, luck),
        "example": ExampleBot,
    }
    ends: dict[str, Callable[[], Any]] = {"alphabeta": AlphaBetaBot, "minimax": MiniMaxBot}
    bot = bots[options.bot]()
    return Endgame(bot, ends[options.endgame]()) if options.endgame else bot


def play(options: argparse.Namespace, say: Callable[[Message], None]) -> None:
    """Answer messages until there are none, or one says quit."""
    replay: Replay
    bot: Any
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            wrong = [f"{name} = {value}" for name, value in RULES.items() if message["rules"][name] != value]
            if wrong:
                sys.exit(f"play under the preset schnapsen-vu; the package's rules are {', '.join(wrong)}")
            say({"type": "ready", "protocol": 1, "name": f"{options.bot} of schnapsen", "version": "0.0.5"})
        elif message["type"] == "hand":
            replay, bot = Replay(message["seat"]), build(options, random.Random(message["seed"]))
        elif message["type"] == "move":
            if message["history"] and message["history"][-1][1].startswith("MELD"):
                say({"action": message["legal"][0]})  # the king of the marriage, which the bot has chosen already
                continue
            perspective, led = replay.perspective(message)
            check(message, perspective, led)
            say({"action": action_of(bot.get_move(perspective, led))})
        elif message["type"] == "quit":
            return


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and play."""
    parser = argparse.ArgumentParser(description="A bot of the package schnapsen, over protocol 1 of sixtysix.")
    parser.add_argument("bot", choices=("rand", "bully", "rdeep", "example"))
    parser.add_argument("--samples", type=int, default=16, help="rdeep: arrangements of the hidden cards a move")
    parser.add_argument("--depth", type=int, default=4, help="rdeep: tricks that each of them is played on")
    parser.add_argument("--endgame", choices=("alphabeta", "minimax"), help="who plays once the stock is used up")
    options = parser.parse_args(arguments)
    answers, sys.stdout = sys.stdout, sys.stderr  # some bots print
    play(options, lambda answer: print(json.dumps(answer), file=answers, flush=True))


if __name__ == "__main__":
    main()

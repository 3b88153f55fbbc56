"""The position before one action of a hand that was played, for a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.errors import UsageError
from harness.game.notation import cards_text
from harness.game.position import Position
from harness.game.position_text import write_position
from harness.paths import shown, why
from harness.play.match_table import TableHand
from harness.run.config import RunConfig
from harness.run.replay import hand_after
from harness.texts import count, printable


@dataclass(frozen=True)
class Snapshot:
    """What is wanted of a hand.

    Attributes
    ----------
    path
        The file to write.
    at
        Number of the action before which the position is taken, from 1.
    hand
        Number of the hand in a match, from 1.
    with_all_cards
        Whether the order of the stock, and with it the other hand, is written, too.

    """

    path: Path
    at: int
    hand: int = 1
    with_all_cards: bool = False

    def check(self) -> None:
        """Refuse a file that is there already, and numbers that no hand has, before anything is played."""
        if self.at < 1:
            raise UsageError(f"at = {self.at}: must be a whole number from 1")
        if self.hand < 1:
            raise UsageError(f"hand = {self.hand}: must be a whole number from 1")
        if self.path.exists() or self.path.is_symlink():
            raise UsageError(f"{shown(self.path)} is there already: choose another name with --position")

    def write(self, config: RunConfig, names: tuple[str, str], hands: Sequence[TableHand], source: str) -> None:
        """Write the position.

        Parameters
        ----------
        config
            The config that the hands were played by.
        names
            Names of side 0 and side 1.
        hands
            The hands.
        source
            What they are part of, as in ``deal 3, half 1, seed 7``.

        Raises
        ------
        UsageError
            There is no such hand, or none of its actions has that number; or the file cannot be written.

        """
        text = self._text(config, names, hands, source)
        try:
            with self.path.open("x", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise UsageError(f"{shown(self.path)} cannot be written: {why(error)}") from error

    def _text(self, config: RunConfig, names: tuple[str, str], hands: Sequence[TableHand], source: str) -> str:
        if self.hand > len(hands):
            raise UsageError(f"hand = {self.hand}: there {_are(len(hands), 'hand')}")
        played = hands[self.hand - 1]
        hand = hand_after(config, played, self.at - 1)
        if self.at > len(played.actions) + 1 or hand.over:
            raise UsageError(f"at = {self.at}: there {_are(len(played.actions), 'action')} in this hand")
        mover = names[hand.to_move ^ played.leader]
        other = names[1 - hand.to_move ^ played.leader]
        where = f"{source}, hand {self.hand}" if config.plays_matches else source
        remarks = [printable(f"{mover} is to move, against {other}; before action {self.at} of {where}")]
        if self.with_all_cards:
            theirs = cards_text(sum(1 << card for card in hand.hands[1 - hand.to_move]))
            remarks.append(f"the other hand is {theirs}, which follows from the stock")
        return write_position(Position.of_hand(hand, self.with_all_cards), remarks)


def _are(n: int, thing: str) -> str:
    return f"{'is' if n == 1 else 'are'} {count(n, thing)}"

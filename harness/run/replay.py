"""A hand or a whole match of two agents, played once more to be looked at."""

from collections.abc import Sequence

from harness.agent_api.registry import LoadedAgent
from harness.game.hand import Hand
from harness.game.transcript import write_transcript
from harness.play.fault import Fault
from harness.play.match_table import MatchTable, TableHand
from harness.play.table import Table
from harness.run.clean_stdout import clean_stdout
from harness.run.config import RunConfig


def replay(
    config: RunConfig, agents: tuple[LoadedAgent, LoadedAgent], deal: int, half: int
) -> tuple[list[TableHand], Fault | None]:
    """Play a hand, or a match if the config says so; returns its hands, and the fault that has ended it.

    Parameters
    ----------
    config
        Its rules and seed count; the agents may be others.
    agents
        Side 0 and side 1.
    deal, half
        Which hand or match; in half h side h leads first.

    """
    with clean_stdout():
        if config.plays_matches:
            match_table = MatchTable(config.rules, agents, config.seed)
            fault = match_table.play(deal, half)
            return match_table.hands, fault
        table = Table(config.rules, agents, config.seed)
        fault = table.play(deal, half)
        return [TableHand(deal, half, actions=table.actions())], fault


def hand_after(config: RunConfig, played: TableHand, n_actions: int) -> Hand:
    """Return a hand as it stood after so many of its actions."""
    hand = Hand.of_deal(config.rules, config.seed, played.deal, played.score, played.carry)
    for action in played.actions[:n_actions]:
        hand.do(action)
    return hand


def hands_text(config: RunConfig, names: tuple[str, str], hands: Sequence[TableHand]) -> str:
    """Write hands as transcripts one after another; those of a match are numbered.

    Parameters
    ----------
    config
        Its rules and seed count.
    names
        Names of side 0 and side 1.
    hands
        The hands.

    """
    texts = []
    for number, played in enumerate(hands, start=1):
        hand = hand_after(config, played, len(played.actions))
        by_seat = names[::-1] if played.leader else names
        title = f"# hand {number} of the match\n" if config.plays_matches else ""
        texts.append(title + write_transcript(hand, (by_seat[0], by_seat[1])))
    return "\n".join(texts)

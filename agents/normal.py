"""`normal`: counts the cards, trumps aces and tens, keeps marriages, closes when it can see 66."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from agents.closing import should_close
from agents.counting import chance_of_any, out_there
from agents.judgement import lead_worth, open_lead, open_reply, strict_lead, strict_reply
from agents.sense import best_first, free_gain, is_strict
from harness.agent_api.compiled import Compiled, parameter, policy
from harness.core.bits import lowest
from harness.core.cards import CLOSE, DRAW, suit_cards
from harness.core.kernel import kernel
from harness.core.records import DRAW_OR_CLOSE, RulesRecord, View


@kernel
def best_card(v: View, r: RulesRecord, params: Any, cards: int) -> int:
    """Return that of `cards`, at least two, which is judged best; the lowest of equals."""
    strict = is_strict(v)
    trumps = chance_of_any(v, out_there(v) & suit_cards(v.trump)) if v.led < 0 else 0.0
    lead = 0.0 if strict else lead_worth(v, r, params)
    best = -1
    best_worth = -np.inf
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if v.led >= 0:
            worth = strict_reply(v, params, card) if strict else open_reply(v, r, params, card, lead)
        elif strict:
            worth = strict_lead(v, r, params, card, trumps)
        else:
            worth = open_lead(v, r, params, card, trumps, lead)
        if worth > best_worth:
            best_worth = worth
            best = card
    return best


@kernel
def play_normal(v: View, r: RulesRecord, params: Any, rng: Any) -> int:
    """Take what is free, close when 66 is in sight, else play the card that is judged best.

    The whole of `normal` for kernels that play hands out by it; `params` is any array of its parameters. It needs no
    luck, and leaves the stream `rng` where it is.
    """
    action = free_gain(v)
    if action >= 0:
        return action
    if (v.legal >> CLOSE) & 1 and should_close(v, r, params):
        return CLOSE
    if v.phase == DRAW_OR_CLOSE:
        return DRAW
    cards = best_first(v, r, True)
    return best_card(v, r, params, cards) if cards & (cards - 1) else lowest(cards)


@policy
def choose_normal(view: View, rules: RulesRecord, params: Any, rng: Any, scratch: Any) -> int:
    """Choose what `play_normal` does."""
    return play_normal(view, rules, params, rng)


@dataclass(frozen=True)
class Normal(Compiled):
    """Counts the cards played, trumps aces and tens, keeps its marriages and closes when it can see 66.

    It looks one card ahead: every card is judged by the chance that the other hand, dealt at random from the cards
    not seen, takes the trick, and by what the card is worth keeping. Its weights, in trick points unless told
    otherwise, were tuned by an evolution strategy over duplicate deals of seven presets, one set for all.

    Over `easy` it wins 0.55 game points a hand under `sixtysix` and 0.63 under `schnapsen`, 200,000 deals each: match
    Elo 314 and 349.

    Parameters
    ----------
    close_at
        Points in sight at which a close is as likely made as broken: those counted, and a cautious count of tricks
        from the top.
    close_soft
        Share of the hoped-for points of its other cards that counts as in sight.
    close_trumps
        Points more in sight for each trump that it holds beyond what the other hand is likely to hold.
    close_spread
        Points in sight that take the chance from even to three in four (times 1.1).
    open_chance
        Chance to win a hand that is kept open, at its start.
    open_late
        How much of that chance is gone when 66 points have been counted on both sides together.
    keep_trump
        What a trump is worth keeping for.
    trump_points
        The same for each of its own points.
    keep_ace, keep_ten
        What an ace of a side suit, or a ten that nothing beats any more, and any other ten are worth keeping for.
    keep_low
        Share of its own points that a lower card of a side suit is worth keeping for.
    keep_marriage
        Share of its value that half of a held marriage is worth.
    keep_half
        The same where the partner has not been seen yet.
    keep_exchange
        What the trump that can still be exchanged is worth beyond the others.
    thrown
        Points that the other side adds to a trick that it does not take, open stock.
    bring_home
        Points more that it takes with a low lead into a suit whose ten is not gone.
    lead_marriage
        What the next lead is worth if it can announce a plain marriage; twice that for trumps.
    last_draw
        What drawing the turned-up trump, which goes to the loser of the last open trick, is worth more than the lead.
    half_way
        What reaching 33 is worth to either side.
    danger
        What reaching 66 is worth to either side, in tricks that decide it.
    strict_trick
        Points beyond the card led that a trick is worth in strict play.
    strict_pull
        What it is worth to pull a trump with one that cannot be beaten.
    strict_force
        What it is worth to make the other hand trump a suit that it lacks.
    strict_trump
        What a trump is worth keeping for as a reply in strict play.
    """

    policy: ClassVar[Any] = staticmethod(choose_normal)
    close_at: float = parameter(63.1, 33, 200)
    close_soft: float = parameter(0.78, 0, 2)
    close_trumps: float = parameter(2.1, 0, 30)
    close_spread: float = parameter(5.1, 0.1, 50)
    open_chance: float = parameter(0.67, 0, 1)
    open_late: float = parameter(0.08, 0, 1)
    keep_trump: float = parameter(11.6, 0, 100)
    trump_points: float = parameter(1.52, 0, 10)
    keep_ace: float = parameter(4.8, 0, 100)
    keep_ten: float = parameter(1.71, 0, 100)
    keep_low: float = parameter(0.46, 0, 10)
    keep_marriage: float = parameter(0.51, 0, 10)
    keep_half: float = parameter(0.23, 0, 10)
    keep_exchange: float = parameter(13.6, 0, 100)
    thrown: float = parameter(4.7, 0, 30)
    bring_home: float = parameter(2.36, 0, 30)
    lead_marriage: float = parameter(8.0, 0, 100)
    last_draw: float = parameter(6.7, 0, 30)
    half_way: float = parameter(6.8, 0, 30)
    danger: float = parameter(21.2, 0, 100)
    strict_trick: float = parameter(10.5, 0, 50)
    strict_pull: float = parameter(7.7, 0, 50)
    strict_force: float = parameter(19.8, 0, 50)
    strict_trump: float = parameter(5.3, 0, 50)


DEFAULTS: Final = np.array(Normal().params())
"""The default parameters as numbers, float64, in the order of the fields: what rollouts by `play_normal` are given."""

"""Strict play as a few whole numbers: the two hands, a standing, a code of the rules. The strict search walks on these.

A node is a lead in strict play, seen by its leader. Its *standing* packs the points, the marriage points that wait, who
has a trick, who has closed, the card points left in both hands and, at the root of a search only, what has already
happened on this lead. The *code* packs the rules that strict play depends on, with what a close has fixed. The
functions repeat for these numbers what `harness.core` does with a State; the tests hold the two together.
"""

from typing import Final

from harness.core.bits import highest, popcount
from harness.core.cards import CARD_POINTS, MARRIAGE_MASK, OUT, QUEENS_MASK, SUIT_MASK, marriage_value
from harness.core.kernel import kernel
from harness.core.records import (
    COUNTS_AFTER_TRICK,
    COUNTS_AT_ONCE,
    FRESH,
    GRADED_AT_CLOSING,
    LAST_TRICK,
    LEAD_KING,
    MOST_POINTS,
    REPLY,
    SOLE_66,
    STOCK_ANY,
    RulesRecord,
    State,
)
from harness.core.score import failed_close, grade

GOES_ON: Final = 99
"""Stands for "the hand is not over"; no result is that large."""
NOBODY_CLOSED, LEADER_CLOSED, FOLLOWER_CLOSED = range(3)

# Places of the parts of a standing: eight bits each for points, waiting points and card points, few for the rest.
_THEIRS: Final = 8
_WAITING: Final = 16
_THEIRS_WAITING: Final = 24
_TAKEN: Final = 32  # whether the leader has a trick; one bit above: whether the follower has
_CLOSER: Final = 34
_REST: Final = 36
_SUIT: Final = 44  # of the marriage just announced by MELD, plus 1
_WAS_OPEN: Final = 47  # the stock was open when this lead began
_LATE: Final = 48  # MELD is not legal any more
_LED: Final = 49  # the card just led, plus 1
_BEGUN: Final = _SUIT  # everything from here on is 0 but at the root

# Places of the parts of a code.
_HEAD: Final = 2
_MUST_TRUMP: Final = 3
_ANY_STOCK: Final = 4
_FIRST_LEAD: Final = 5
_COUNTS: Final = 6
_AUTOMATIC: Final = 8
_KING_LEADS: Final = 9
_SAYS_ITSELF: Final = 10
_UNDECLARED: Final = 11
_BONUS: Final = 13
_FALSE: Final = 17
_FALSE_TRICKLESS: Final = 19
_MADE: Final = 21  # 0: graded by what the loser has at the end
_FAILED: Final = 23
_OVERTAKEN: Final = 25


@kernel
def points_in(cards: int) -> int:
    """Card points of a set of cards."""
    tens_and_aces = popcount(cards & 0x30303030)
    return 10 * tens_and_aces + popcount(cards & 0x20202020) + _small_points(cards)


@kernel
def _small_points(cards: int) -> int:
    pictures = popcount(cards & 0x0E0E0E0E)
    return 2 * pictures + popcount(cards & 0x0C0C0C0C) + popcount(cards & 0x08080808)


@kernel
def code_of(s: State, r: RulesRecord) -> int:
    """Pack the rules that strict play depends on, and what the close of `s`, if there is one, has fixed."""
    code = s.trump | r.strict_head << _HEAD | r.strict_trump << _MUST_TRUMP
    code |= (r.marriage_stock == STOCK_ANY) << _ANY_STOCK | r.marriage_first_lead << _FIRST_LEAD
    code |= r.marriage_counts << _COUNTS | r.marriage_automatic << _AUTOMATIC
    code |= (r.marriage_lead == LEAD_KING) << _KING_LEADS | r.declare_automatic << _SAYS_ITSELF
    code |= r.undeclared << _UNDECLARED | r.last_trick_bonus << _BONUS
    code |= r.declare_false_penalty << _FALSE | r.declare_false_trickless << _FALSE_TRICKLESS
    if s.closer >= 0:
        if r.close_graded == GRADED_AT_CLOSING:
            code |= grade(s.closed_points, s.closed_tricks) << _MADE
        code |= failed_close(s, r) << _FAILED
        code |= (r.close_overtaken if s.closed_tricks else r.close_overtaken_trickless) << _OVERTAKEN
    return int(code)


@kernel
def standing_of(s: State) -> int:
    """Pack the standing of a State in strict play, as its leader sees it, with what has happened on this lead."""
    me = 1 - s.to_move if s.phase == REPLY else s.to_move
    them = 1 - me
    standing = s.points[me] | s.points[them] << _THEIRS
    standing |= s.pending[me] << _WAITING | s.pending[them] << _THEIRS_WAITING
    standing |= (s.tricks[me] > 0) << _TAKEN | (s.tricks[them] > 0) << _TAKEN + 1
    cards = s.hand[0] | s.hand[1]
    if s.closer >= 0:
        standing |= (LEADER_CLOSED if s.closer == me else FOLLOWER_CLOSED) << _CLOSER
    if s.phase == REPLY:
        cards |= 1 << s.led
        standing |= (s.led + 1) << _LED
    else:
        standing |= (s.meld_suit + 1) << _SUIT | s.lead_open << _WAS_OPEN | (s.lead_stage != FRESH) << _LATE
    return int(standing | points_in(cards) << _REST)


@kernel
def taken_by(standing: int) -> int:
    """Who has a trick: 1 the leader, 2 the follower, 3 both, 0 nobody."""
    return standing >> _TAKEN & 3


@kernel
def replies(theirs: int, card: int, code: int) -> int:
    """Cards that the follower may play on `card`."""
    follow = theirs & SUIT_MASK << (card & ~7)
    if follow:
        higher = follow & -(2 << card)
        return higher if higher and code >> _HEAD & 1 else follow
    trumps = theirs & SUIT_MASK << ((code & 3) << 3)
    return trumps if trumps and code >> _MUST_TRUMP & 1 else theirs


@kernel
def leads(mine: int, standing: int, code: int) -> int:
    """Leads as a set: bit `card` a card, bit ``32 + card`` the same card with its marriage announced.

    A card is not led plainly where it may be announced: more points are never worse, but where they end the hand by
    themselves and the follower's close might have failed at a higher price.
    """
    if standing >> _LED:
        return 1 << ((standing >> _LED) - 1)
    suit = standing >> _SUIT & 7
    if suit:
        both = MARRIAGE_MASK << ((suit - 1) << 3)
        return both & ~(both >> 1) if code >> _KING_LEADS & 1 else both
    open_enough = code >> _ANY_STOCK & 1 or standing >> _WAS_OPEN & 1
    queens = mine & mine >> 1 & QUEENS_MASK
    if not queens or not open_enough or not (code >> _FIRST_LEAD & 1 or taken_by(standing)):
        return mine
    announced = queens << 1 if code >> _KING_LEADS & 1 else queens | queens << 1
    if code >> _AUTOMATIC & 1:
        return mine & ~announced | announced << 32
    if standing >> _LATE & 1:
        return mine
    if standing >> _CLOSER & 3 == FOLLOWER_CLOSED and code >> _SAYS_ITSELF & 1:
        return mine | announced << 32
    return mine & ~announced | announced << 32


@kernel
def announce(standing: int, card: int, code: int) -> int:
    """The standing once the marriage of `card` is announced: its points are counted or wait for a trick."""
    value = marriage_value(card >> 3, code & 3)
    counts = code >> _COUNTS & 3
    at_once = counts == COUNTS_AT_ONCE or (counts == COUNTS_AFTER_TRICK and standing >> _TAKEN & 1 != 0)
    return standing + (value if at_once else value << _WAITING)


@kernel
def out_at(standing: int, code: int) -> int:
    """What the leader gets by saying 66 at this standing or having it said for him; 0 if he cannot."""
    if standing & 255 < OUT or not (code >> _SAYS_ITSELF & 1 or standing >> _TAKEN & 1):
        return 0
    return _going_out(standing, code)


@kernel
def may_say_so(code: int) -> bool:
    """Say whether a marriage may win at once: no DECLARE comes between a card that announces itself and the reply."""
    return code >> _SAYS_ITSELF & 1 != 0 or not code >> _AUTOMATIC & 1


@kernel
def out_is_best(standing: int, code: int) -> bool:
    """Say whether a leader with 66 does best to go out: his opponent's points only grow, but his close may yet fail."""
    return code >> _SAYS_ITSELF & 1 != 0 or standing >> _CLOSER & 3 != FOLLOWER_CLOSED


@kernel
def _going_out(standing: int, code: int) -> int:
    closer = standing >> _CLOSER & 3
    if closer == FOLLOWER_CLOSED:
        return code >> _OVERTAKEN & 3
    if closer == LEADER_CLOSED and code >> _MADE & 3:
        return code >> _MADE & 3
    return grade(standing >> _THEIRS & 255, standing >> _TAKEN + 1 & 1)


@kernel
def after_trick(standing: int, trick_points: int, won: bool) -> int:
    """The standing that the winner of a trick leads from; `won` says whether that is its leader."""
    standing &= (1 << _BEGUN) - 1
    if not won:
        standing = turned(standing)
    waiting = standing >> _WAITING & 255
    standing += trick_points + waiting - (waiting << _WAITING) - (trick_points << _REST)
    return standing | 1 << _TAKEN


@kernel
def turned(standing: int) -> int:
    """The standing as the other side sees it."""
    low, high = 0x00FF00FF, 0xFF00FF00
    closer = standing >> _CLOSER & 3
    closer = (closer >> 1 | closer << 1) & 3
    taken = taken_by(standing)
    taken = (taken >> 1 | taken << 1) & 3
    upper = standing >> _REST << _REST
    return upper | (standing & low) << 8 | (standing & high) >> 8 | taken << _TAKEN | closer << _CLOSER


@kernel
def end_of(mine: int, standing: int, code: int) -> int:
    """What the winner of the last trick gets if the hand is over with it, else `GOES_ON`."""
    if mine == 0:
        return _played_out(standing, code)
    if code >> _SAYS_ITSELF & 1 and standing & 255 >= OUT:
        return _going_out(standing, code)
    return GOES_ON


@kernel
def _played_out(standing: int, code: int) -> int:
    """What the winner of the last trick gets once all cards are played."""
    closer = standing >> _CLOSER & 3
    if closer == LEADER_CLOSED:
        return _going_out(standing, code) if standing & 255 >= OUT else -(code >> _FAILED & 3)
    if closer == FOLLOWER_CLOSED:
        return -_going_out(turned(standing), code) if standing >> _THEIRS & 255 >= OUT else code >> _FAILED & 3
    return _ran_out(standing & 255, standing >> _THEIRS & 255, standing, code)


@kernel
def _ran_out(mine: int, theirs: int, standing: int, code: int) -> int:
    bonus, undeclared = code >> _BONUS & 15, code >> _UNDECLARED & 3
    they_took = standing >> _TAKEN + 1 & 1
    if mine + (0 if undeclared == MOST_POINTS else bonus) >= OUT:
        return grade(theirs, they_took)
    mine += bonus
    if undeclared == MOST_POINTS:
        if mine == theirs:
            return 0
        return grade(theirs, they_took) if mine > theirs else -grade(mine, 1)
    if undeclared == LAST_TRICK:
        return 1
    return -grade(mine, 1) if undeclared == SOLE_66 and theirs >= OUT else 0


@kernel
def limits(mine: int, theirs: int, standing: int, code: int) -> tuple[int, int]:
    """The least and the most that the leader can get; what saying 66 now gives him, rightly or not, is in the least."""
    on_lead = standing >> _LED == 0
    out = out_at(standing, code) if on_lead else 0
    if out and out_is_best(standing, code):
        return out, out
    closer = standing >> _CLOSER & 3
    if closer == LEADER_CLOSED:
        least, most = _limits_of_closer(mine, theirs, standing, code)
    elif closer == FOLLOWER_CLOSED:
        least, most = _limits_of_closer(theirs, mine, turned(standing), code)
        least, most = -most, -least
    else:
        least, most = _limits_unclosed(mine, theirs, standing, code)
    if out:
        least = max(least, out)
    elif on_lead and not code >> _SAYS_ITSELF & 1 and standing >> _TAKEN & 1:
        least = max(least, -_false_price(standing, code))
    return least, most


@kernel
def _false_price(standing: int, code: int) -> int:
    they_took = standing >> _TAKEN + 1 & 1
    price = code >> (_FALSE if they_took else _FALSE_TRICKLESS) & 3
    return max(price, code >> _FAILED & 3) if standing >> _CLOSER & 3 == LEADER_CLOSED else price


@kernel
def _reach(cards: int, points: int, standing: int, code: int) -> int:
    """No fewer points than a side with `points`, counted and waiting, can come to have."""
    reach = points + (standing >> _REST & 255)
    if code >> _ANY_STOCK & 1 or standing >> _BEGUN:
        queens = cards & cards >> 1 & QUEENS_MASK
        reach += 20 * popcount(queens) + 20 * popcount(queens & QUEENS_MASK & SUIT_MASK << ((code & 3) << 3))
    return reach


@kernel
def _limits_of_closer(mine: int, theirs: int, standing: int, code: int) -> tuple[int, int]:
    failed, overtaken = code >> _FAILED & 3, code >> _OVERTAKEN & 3
    least, most = -max(failed, overtaken), _going_out(standing, code)
    their_points = (standing >> _THEIRS & 255) + (standing >> _THEIRS_WAITING & 255)
    if their_points < OUT and _reach(theirs, their_points, standing, code) < OUT:
        least = -failed
    my_points = (standing & 255) + (standing >> _WAITING & 255)
    if my_points < OUT and _reach(mine, my_points, standing, code) < OUT:
        most = max(least, -min(failed, overtaken))
    return least, most


@kernel
def _limits_unclosed(mine: int, theirs: int, standing: int, code: int) -> tuple[int, int]:
    most = grade(standing >> _THEIRS & 255, standing >> _TAKEN + 1 & 1)
    least = -grade(standing & 255, standing >> _TAKEN & 1)
    if code >> _UNDECLARED & 3 != MOST_POINTS:
        flat = 1 if code >> _UNDECLARED & 3 == LAST_TRICK else 0
        bonus = code >> _BONUS & 15
        if _reach(mine, (standing & 255) + (standing >> _WAITING & 255), standing, code) + bonus < OUT:
            most = flat
        if (
            _reach(theirs, (standing >> _THEIRS & 255) + (standing >> _THEIRS_WAITING & 255), standing, code) + bonus
            < OUT
        ):
            least = -flat
    return least, most


@kernel
def sure_leads(mine: int, theirs: int, code: int) -> int:
    """Those of my cards that win the trick whatever is played on them."""
    trump = code & 3
    ruffs = theirs & SUIT_MASK << (trump << 3)
    sure = 0
    for suit in range(4):
        against = theirs & SUIT_MASK << (suit << 3)
        if against:
            sure |= mine & SUIT_MASK << (suit << 3) & -(2 << highest(against))
        elif suit == trump or not ruffs:
            sure |= mine & SUIT_MASK << (suit << 3)
    return sure


@kernel
def trick_points(card: int, reply: int) -> int:
    """Card points of a trick."""
    points: int = CARD_POINTS[card] + CARD_POINTS[reply]
    return points

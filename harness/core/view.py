"""What a seat may know: the only thing an agent is ever shown."""

from harness.core.cards import NINES_MASK, PACK_MASK
from harness.core.kernel import kernel
from harness.core.legal import legal_mask
from harness.core.records import RulesRecord, State, View


@kernel
def clear_view(v: View) -> None:
    """Make a view ready for the first decision of a hand: of the last one, often of the same pack, nothing stays."""
    v.n_history = 0
    for i in range(len(v.history)):
        v.history[i] = 0


@kernel
def fill_view(s: State, r: RulesRecord, seat: int, v: View) -> None:
    """Fill `v` with what `seat` may know of the hand; `v` must be cleared once a hand, its history is appended to.

    Reads the hidden cards only to leave them out: no field depends on how the unseen cards are spread.
    """
    other = 1 - seat
    v.hand = s.hand[seat]
    v.legal = legal_mask(s, r) if s.to_move == seat else 0
    v.known = s.known[other]
    v.shown = s.known[seat]
    v.gone = s.gone
    v.trump = s.trump
    v.turned_up = s.turned_up
    v.n_stock = s.n_stock
    v.led = s.led
    v.phase = s.phase
    v.lead_open = s.lead_open
    v.meld_suit = s.meld_suit
    v.closer = s.closer if s.closer < 0 else s.closer ^ seat
    v.closed_points = s.closed_points
    v.closed_tricks = s.closed_tricks
    v.seat = seat
    v.leader = s.leader ^ seat
    v.target = r.match_target
    v.carry = s.carry
    v.points[0] = s.points[seat]
    v.points[1] = s.points[other]
    v.pending[0] = s.pending[seat]
    v.pending[1] = s.pending[other]
    v.tricks[0] = s.tricks[seat]
    v.tricks[1] = s.tricks[other]
    v.score[0] = s.score[seat]
    v.score[1] = s.score[other]
    placed = v.hand | v.known | v.gone
    if s.led >= 0:
        placed |= 1 << s.led
    if s.turned_up >= 0:
        placed |= 1 << s.turned_up
    pack = PACK_MASK if r.nines else PACK_MASK & ~NINES_MASK
    v.unseen = pack & ~placed
    first_new = min(max(v.n_history, 0), s.n_history)  # an agent may have written anything into its view
    for i in range(first_new, s.n_history):
        v.history[i] = s.history[i]
    v.n_history = s.n_history

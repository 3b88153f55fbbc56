"""Sixty-Six and Schnapsen for two, in plain Python: the slow, independent reference of the test-suite.

Written from the specification of the rules and the four texts that it cites (000, 001, 003, 004), and from
nothing else, so that the compiled engine can be checked against a second reading of the same sentences.
Quotations in the docstrings are from the specification unless a text is named. Where its words leave a doubt, a
comment that begins ``# reading:`` says what was chosen.

Cards are named rank then suit (``"AS"``, ``"TD"``, ``"9C"``).  Actions are strings: ``"PLAY AS"``,
``"MELD S"``, ``"EXCHANGE"``, ``"CLOSE"``, ``"DECLARE"``, ``"DRAW"``.  Seat 0, the non-dealer, leads first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

RANKS = "9JQKTA"
"""Lowest first: "Rank order A 10 K Q J 9"."""
SUITS = "SHCD"
VALUE = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
OUT = 66
"""The card points at which a side may go out."""
SCHNEIDER = 33
"""A loser with fewer counted points pays double."""


def number(rules: Mapping[str, object], field: str) -> int:
    """A field that holds a figure."""
    value = rules[field]
    if not isinstance(value, int):
        raise TypeError(f"{field} must be a number, not {value!r}")
    return value


class ReferenceHand:
    """One hand, as "a sequence of decisions"."""

    rules: Mapping[str, object]
    hands: list[set[str]]
    stock: list[str]
    trump: str
    points: list[int]
    pending: list[int]
    tricks: list[int]
    won: list[list[str]]
    leader: int
    to_move: int
    led: str | None
    closer: int | None
    known: list[set[str]]
    over: bool
    winner: int | None
    game_points: int
    how: str

    def __init__(self, rules: Mapping[str, object], pack: Sequence[str], carry: int = 0) -> None:
        """Deal: "24 cards in packets 3+3 (non-dealer first), then the turn-up; 20 cards in packets 3,
        turn-up, 2. The rest, in pack order, is the stock, next card on top".
        """
        if rules["nines"]:
            p = list(pack)
            self._set_out(rules, p[0:3] + p[6:9], p[3:6] + p[9:12], p[13:] + p[12:13], carry)
        else:  # "the same order with the nines left out"
            p = [card for card in pack if card[0] != "9"]
            self._set_out(rules, p[0:3] + p[7:9], p[3:6] + p[9:11], p[11:] + p[6:7], carry)

    @classmethod
    def from_cards(
        cls,
        rules: Mapping[str, object],
        hand0: Iterable[str],
        hand1: Iterable[str],
        stock: Iterable[str],
        carry: int = 0,
    ) -> ReferenceHand:
        """A hand with these cards; the stock in draw order, the turned-up card last."""
        hand = cls.__new__(cls)
        hand._set_out(rules, hand0, hand1, stock, carry)
        return hand

    def _set_out(
        self,
        rules: Mapping[str, object],
        hand0: Iterable[str],
        hand1: Iterable[str],
        stock: Iterable[str],
        carry: int,
    ) -> None:
        self.rules = rules
        self.hands = [set(hand0), set(hand1)]
        self.stock = list(stock)
        self.trump = self.stock[-1][1]
        self.points = [0, 0]
        self.pending = [0, 0]
        self.tricks = [0, 0]
        self.won = [[], []]
        self.leader = self.to_move = 0  # "Non-dealer leads."
        self.led = None
        self.closer = None
        self.known = [set(), set()]
        self.over = False
        self.winner = None
        self.game_points = 0
        self.how = ""
        self._carry = carry
        self._at_close = (0, 0)
        """Points and tricks of the closer's opponent at the moment of CLOSE."""
        self._begin_lead()

    # ------------------------------------------------------------------------------- the legal actions

    def legal(self) -> set[str]:
        """The legal actions of the side to move; none once the hand is over.

        "Order on a lead: EXCHANGE, MELD, CLOSE, each at most once and only in this order (none is legal after
        a later one), then PLAY. After MELD only DECLARE, CLOSE and the king or queen that ``marriage.lead``
        allows."
        """
        if self.over:
            return set()
        if self._before_draw:  # "the trick winner chooses CLOSE or DRAW, nothing else"
            # reading: "nothing else" includes DECLARE; it becomes legal on the lead that follows.
            return {"CLOSE", "DRAW"}
        actions = {f"PLAY {card}" for card in self._playable()}
        if self._may_exchange():
            actions.add("EXCHANGE")
        if self.led is None:
            if not (self.rules["marriage.automatic"] or self._melded or self._closed_on_lead):
                actions |= {f"MELD {suit}" for suit in SUITS if self._may_announce(suit)}
            if self._may_close():
                actions.add("CLOSE")
            if not self.rules["declare.automatic"] and self.tricks[self.to_move]:
                actions.add("DECLARE")  # "at any point of your lead once your side has a trick"
        return actions

    def _playable(self) -> set[str]:
        """Cards that may be played: "Stock open: any card"; a reply in "Strict play (stock empty or closed):
        follow suit; head the trick in that suit if you can; without the suit, trump; only then any card."
        """
        hand = self.hands[self.to_move]
        if self.led is None:
            return {rank + self._melded for rank in self._marriage_leads()} if self._melded else set(hand)
        if self.stock and self.closer is None:
            return set(hand)
        led = self.led
        suit = {card for card in hand if card[1] == led[1]}
        if suit:
            higher = {card for card in suit if self._beats(card, led)}
            return higher if higher and self.rules["strict.head"] else suit
        trumps = {card for card in hand if card[1] == self.trump}
        return trumps if trumps and self.rules["strict.trump"] else set(hand)

    def _may_exchange(self) -> bool:
        """Exchange: "swap the lowest trump (nine; in a 20-card deck the jack) for the turned-up card", first
        of all on a lead; with ``exchange.turn`` any "also as follower, before replying", "stock still open".
        """
        # reading: "(Foster: reply with the card just taken up)" allows that reply, it does not demand it.
        on_turn = not self._melded if self.led is None else self.rules["exchange.turn"] == "any"
        return (
            on_turn
            and self.closer is None
            and self._lowest_trump() in self.hands[self.to_move]
            and len(self.stock) >= number(self.rules, "exchange.min_stock")
            and (self.tricks[self.to_move] > 0 or not self.rules["exchange.after_trick"])
            and self._allowed_now("exchange.first_lead")  # reading: it bars the follower's first reply too
        )

    def _may_announce(self, suit: str) -> bool:
        """Whether the leader may declare this marriage: king and queen in hand, and with ``marriage.stock``
        open "stock not empty and not closed when the lead began: the closing lead counts, nobody's later lead
        does".
        """
        return (
            {"K" + suit, "Q" + suit} <= self.hands[self.leader]
            and (self._lead_began_open or self.rules["marriage.stock"] == "any")
            and self._allowed_now("marriage.first_lead")
        )

    def _may_close(self) -> bool:
        """Close: "When it is your lead and at least two cards remain in the stock" (000)."""
        return bool(
            self.rules["close.allowed"]
            and self.closer is None
            and len(self.stock) >= number(self.rules, "close.min_stock")
            and self._allowed_now("close.first_lead")
        )

    def _allowed_now(self, field: str) -> bool:
        """The three ``first_lead`` fields: false bars the action until the first trick has been taken."""
        return bool(self.rules[field]) or sum(self.tricks) > 0

    def _marriage_leads(self) -> str:
        """Which card of a marriage may be led to it: ``marriage.lead``."""
        return "K" if self.rules["marriage.lead"] == "king" else "KQ"

    def _lowest_trump(self) -> str:
        return ("9" if self.rules["nines"] else "J") + self.trump

    def _beats(self, reply: str, led: str) -> bool:
        """Take a trick: the higher card of the suit led, "unless a trump is played" (004)."""
        if reply[1] == led[1]:
            return RANKS.index(reply[0]) > RANKS.index(led[0])
        return reply[1] == self.trump

    # ------------------------------------------------------------------------------- carrying them out

    def apply(self, action: str) -> None:
        """Carry out one decision: "An illegal action is refused"."""
        if action not in self.legal():
            raise ValueError(f"illegal action {action!r}")
        match action.split():
            case ["PLAY", card]:
                self._play(card)
            case ["MELD", suit]:
                self._melded = suit
                self._announce(suit)
            case ["EXCHANGE"]:
                self._exchange()
            case ["CLOSE"]:
                self._close()
            case ["DECLARE"]:
                self._declare()
            case ["DRAW"]:
                self._draw()
                self._begin_lead()

    def _begin_lead(self) -> None:
        self._before_draw = False
        self._melded = ""
        """The suit melded on this lead."""
        self._closed_on_lead = False
        self._lead_began_open = self.closer is None and bool(self.stock)

    def _exchange(self) -> None:
        """Exchange; the other player knows "an exchanged card in hand"."""
        hand = self.hands[self.to_move]
        hand.remove(self._lowest_trump())
        hand.add(self.stock[-1])
        self.known[self.to_move].add(self.stock[-1])
        self.stock[-1] = self._lowest_trump()

    def _announce(self, suit: str) -> None:
        """Show a marriage, known from now on.  ``marriage.counts``: "after-trick: at once if the melder has a
        trick, else with his first; at-once: always; next-trick: with his next trick, even if he has some".
        """
        seat, counts = self.leader, self.rules["marriage.counts"]
        worth = 40 if suit == self.trump else 20
        if counts == "at-once" or (counts == "after-trick" and self.tricks[seat]):
            self.points[seat] += worth
        else:
            self.pending[seat] += worth
        self.known[seat] |= {"K" + suit, "Q" + suit} & self.hands[seat]
        if self._goes_out_automatically(seat):  # "at MELD (no card is led)"
            self._go_out(seat)

    def _close(self) -> None:
        """Close on a lead, or before the draw: "neither side draws, both hold one card fewer, the winner
        leads; this is the closing lead: MELD still legal, EXCHANGE not".
        """
        other = 1 - self.to_move
        # reading: his counted points; pending ones "count for nothing, neither for 66 nor 33".
        self._at_close = (self.points[other], self.tricks[other])
        if self._before_draw:
            self._begin_lead()
        else:
            self._closed_on_lead = True
        self.closer = self.to_move

    def _declare(self) -> None:
        """Declare: "a correct declarer wins whatever the other holds".  A false declaration "ends the hand
        for the other side, also after a close. From the closer it costs the dearer of this and his failed
        close; from his opponent the closer gets this figure, not a graded win."
        """
        seat, other = self.to_move, 1 - self.to_move
        if self.points[seat] >= OUT:
            self._go_out(seat)
            return
        field = "declare.false_penalty" if self.tricks[other] else "declare.false_trickless"
        penalty = number(self.rules, field)
        if seat == self.closer:
            penalty = max(penalty, self._close_costs("close.failed"))
        self._finish(other, penalty, "false-declaration")

    def _play(self, card: str) -> None:
        """Lead or reply.  With ``marriage.automatic`` the "PLAY of a king or queen whose partner you hold
        declares it wherever MELD would be legal, also after CLOSE on that lead".
        """
        seat, led = self.to_move, self.led
        announces = (
            led is None
            and self.rules["marriage.automatic"]
            and card[0] in self._marriage_leads()
            and self._may_announce(card[1])
        )
        self.hands[seat].remove(card)
        self.known[seat].discard(card)
        if led is not None:
            self._take_trick(led, card)
            return
        self.led = card
        self.to_move = 1 - seat
        if announces:  # "when the king or queen is led (before the reply)"
            # reading: with the card led the lead is over, so that an announcement by PLAY leaves no room for
            # DECLARE until the side's next lead, should ``declare.automatic`` be false.
            self._announce(card[1])

    def _take_trick(self, led: str, reply: str) -> None:
        """The winner takes the trick and the pending marriage points, goes out, draws first and leads."""
        taker = 1 - self.leader if self._beats(reply, led) else self.leader
        self.led = None
        self.leader = self.to_move = taker
        self.won[taker] += [led, reply]
        self.tricks[taker] += 1
        self.points[taker] += VALUE[led[0]] + VALUE[reply[0]] + self.pending[taker]
        self.pending[taker] = 0
        if not any(self.hands):
            self._settle(taker)
        elif self._goes_out_automatically(taker):  # "as a trick is taken (before the draw)"
            self._go_out(taker)
        elif self._may_close_before_draw():
            self._before_draw = True
        else:
            self._draw()
            self._begin_lead()

    def _may_close_before_draw(self) -> bool:
        """``close.before_draw``: "if the stock left after the draw would be at least ``close.min_stock``, the
        trick winner chooses CLOSE or DRAW"; "otherwise he draws without a decision".
        """
        return bool(
            self.rules["close.before_draw"]
            and self.rules["close.allowed"]
            and self.closer is None
            and len(self.stock) - 2 >= number(self.rules, "close.min_stock")
        )

    def _draw(self) -> None:
        """Draw: "the trick winner draws first"; whoever draws the last card is known to hold it."""
        if self.closer is not None or not self.stock:
            return
        for seat in (self.leader, 1 - self.leader):
            card = self.stock.pop(0)
            self.hands[seat].add(card)
            if not self.stock:
                self.known[seat].add(card)

    # ----------------------------------------------------------------------------- the end of the hand

    def _settle(self, taker: int) -> None:
        """All cards are played and nobody has gone out: the sentences "A closed hand played to its end" and
        "Last trick, stock not closed", then the field ``undeclared``.
        """
        other = 1 - taker
        if self.closer is not None:  # "settled by the closer's points alone [...] No bonus."
            # reading: this comes before "the hand ends when counted points reach 66": an opponent who reaches
            # 66 on the very last trick is paid for a failed close, not for an overtaken one.
            if self.points[self.closer] >= OUT:
                self._go_out(self.closer)
            else:
                self._finish(1 - self.closer, self._close_costs("close.failed"), "close-failed")
            return
        bonus, undeclared = number(self.rules, "last_trick.bonus"), self.rules["undeclared"]
        if undeclared != "most-points":
            self.points[taker] += bonus
        if self.points[taker] >= OUT:  # "its winner is taken to have declared if he has 66"
            # reading: under sole-66 and nobody too, whether or not the other side holds an undeclared 66.
            self._go_out(taker)
        elif undeclared == "most-points":
            self.points[taker] += bonus
            if self.points[taker] == self.points[other]:  # "equal totals at any height are a tie"
                self._finish(None, 0, "drawn")
            else:
                better = taker if self.points[taker] > self.points[other] else other
                # reading: the loser's counted points include the bonus, for the 33 as well.
                self._finish(better, self._graded(better), "ran-out")
        elif undeclared == "last-trick":  # "the last trick wins, flat 1"
            self._finish(taker, 1, "ran-out")
        elif undeclared == "sole-66" and self.points[other] >= OUT:  # "the only side with 66, graded"
            self._finish(other, self._graded(other), "ran-out")
        else:  # "else nobody"
            self._finish(None, 0, "drawn")

    def _goes_out_automatically(self, seat: int) -> bool:
        """``declare.automatic``: "the hand ends when counted points reach 66"."""
        return bool(self.rules["declare.automatic"]) and self.points[seat] >= OUT

    def _go_out(self, seat: int) -> None:
        """This side has 66 and has declared it, or is taken to have."""
        if self.closer is None:
            self._finish(seat, self._graded(seat), "declared")
        elif self.closer == seat:
            self._finish(seat, self._graded(seat), "close-made")
        else:
            self._finish(seat, self._close_costs("close.overtaken"), "overtaken")

    def _graded(self, winner: int) -> int:
        """Grade a win: "3 if the loser has no trick (whatever he melded), else 2 if he has fewer than 33
        counted points, else 1. ``close.graded = closing`` takes both at the moment of CLOSE."
        """
        points, tricks = self.points[1 - winner], self.tricks[1 - winner]
        if self.closer is not None and self.rules["close.graded"] == "closing":
            points, tricks = self._at_close
        if not tricks:
            return 3
        return 2 if points < SCHNEIDER else 1

    def _close_costs(self, field: str) -> int:
        """Price of a close gone wrong: "*trickless* there always means: no trick at the moment of CLOSE"."""
        return number(self.rules, field if self._at_close[1] else field + "_trickless")

    def _finish(self, winner: int | None, game_points: int, how: str) -> None:
        """End the hand: "The carry is added to whatever the hand pays"; "unscored is 0"."""
        self.over = True
        self.winner = winner
        self.game_points = 0 if winner is None else game_points + self._carry
        self.how = how


class ReferenceMatch:
    """The score of a match and what passes from one hand to the next."""

    def __init__(self, rules: Mapping[str, object], first_dealer: int) -> None:
        self.rules = rules
        self.score = [0, 0]
        self.dealer = first_dealer
        self.carry = 0
        self.winner: int | None = None

    def finish_hand(self, winner: int | None, game_points: int) -> None:
        """Score a hand (its game points include the carry) and pass the deal.

        "``unscored.same_dealer`` true, the same dealer deals again; false, the other one, whatever
        ``match.dealer`` says.  The carry adds up and dies with the match."
        """
        if self.winner is not None:
            raise ValueError("the match is over")
        if winner is None:
            self.carry += 1 if self.rules["unscored.carry"] else 0
            if not self.rules["unscored.same_dealer"]:
                self.dealer = 1 - self.dealer
            return
        self.carry = 0
        self.score[winner] += game_points
        if self.score[winner] >= number(self.rules, "match.target"):
            self.winner = winner
        self.dealer = winner if self.rules["match.dealer"] == "winner" else 1 - self.dealer

"""Every check of the suite fails for an agent that breaks what it asks for, and for no agent that keeps it."""

import shlex
import signal
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from random import Random

import numpy as np
import pytest

from harness.core.bits import members
from harness.core.cards import NINES_MASK, PACK_MASK
from harness.core.kernel import numba_config
from harness.game.presets import load_rules
from harness.game.transcript import read_transcript
from harness.play.conformance import patience
from harness.play.conformance.subject import Stage, Subject
from harness.play.conformance.suite import CHECKS, HAND_CHECKS, Findings, check_agent, check_class, check_play
from harness.play.conformance.verdict import Outcome, Verdict
from harness.play.conformance.worlds import hide_again
from tests.helpers.both import walk
from tests.helpers.command import REPOSITORY, call
from tests.helpers.reference_presets import PRESETS

HELPERS = REPOSITORY / "tests" / "helpers"
READS_ANYWHERE = not (numba_config.DISABLE_JIT or numba_config.BOUNDSCHECK)
"""Whether an index out of range reads what lies there."""
SOUND = ("broken_agents.py:Sound", "broken_agents.py:CleanScratch", "bots.py:First")
BROKEN = (
    ("builds", "broken_agents.py:Doubler", "depth is 6 and 12, built from its own attributes"),
    ("builds", "broken_agents.py:Clamper", "depth is -1 and 0, a parameter's default beside what is kept of it"),
    ("builds", "broken_agents.py:Forgetful", "it keeps no attribute depth"),
    ("builds", "broken_agents.py:Numbered", "two of it look different: Numbered("),
    ("builds", "broken_agents.py:OnlyOne", "it could be built once, but not again: "),
    ("documented", "broken_agents.py:Undescribed", "the class Undescribed has no docstring"),
    ("documented", "broken_agents.py:Generated", "the class Generated has no docstring"),
    ("documented", "broken_agents.py:HalfDocumented", "the docstring does not tell of width"),
    ("hooks", "broken_agents.py:Misspelt", "its method start_hands is never called; did you mean start_hand?"),
    ("hooks", "broken_agents.py:Narrow", "inform cannot be called: too many positional arguments"),
    ("bounds", "broken_agents.py:Unchecked", "depth = 0 is outside its bounds, and not refused"),
    ("bounds", "broken_agents.py:BadDefault", "depth = 7 by default, which is not from 1 to 5"),
    ("bounds", "broken_agents.py:StricterThanItSays", "depth = 5 is one of its bounds, but refused: "),
    ("bounds", "broken_agents.py:CrashesAtABound", "with depth = 0, one of its bounds, it crashed: ZeroDivisionError"),
    (
        "legal",
        "odd_agents.py:Illegal",
        "returned 63, which is no action (deal 0, first half, decision 1",
    ),
    ("legal", "odd_agents.py:Crasher", "crashed: ZeroDivisionError: an agent that divides by zero"),
    (
        "legal",
        "bots.py:Wrong",
        "crashed: ValueError: no idea in a policy (deal 0, first half, decision 3",
    ),
    ("legal", "bots.py:Scribbler:revokes=1", "chose PLAY "),
    ("quiet", "odd_agents.py:Printer", "it printed 'hello from an agent'"),
    ("same-seed", "broken_agents.py:Unseeded", "it chose "),
    ("memory", "broken_agents.py:Counter", "it chose "),
    ("hidden-cards", "broken_agents.py:Peeker", "it chose "),
    (
        "hidden-cards" if READS_ANYWHERE else "legal",
        "broken_agents.py:Overreader",
        "it chose " if READS_ANYWHERE else "crashed: IndexError",
    ),
    ("read-only", "bots.py:Scribbler", "it writes into its view or its rules (deal 0, first half"),
    ("read-only", "broken_agents.py:ParameterWriter", "it writes into its parameters"),
    ("scratch", "broken_agents.py:DirtyScratch", "it chose "),
    (
        "match",
        "broken_agents.py:MatchPoint",
        "at a score of 6 to 0 with 0 carried over, it crashed: Zero",
    ),
    (
        "match",
        "broken_agents.py:CarryBlind",
        "at a score of 0 to 6 with 1 carried over, it crashed: Ass",
    ),
)
"""The check that fails, the agent, and the beginning of what is said."""
BROKEN_ABROAD = (
    ("broken_agents.py:HomeBody", "in a new process it plays differently"),
    ("broken_agents.py:DiesAbroad", "in a new process it ended the process (exit status 7)"),
    ("broken_agents.py:NotAbroad", "in a new process it cannot be built: "),
)
ALSO = {
    "bots.py:Wrong": {"documented"},
    "bots.py:Scribbler": {"documented"},
    "bots.py:Scribbler:revokes=1": {"documented", "read-only"},
    "odd_agents.py:Illegal": {"documented"},
    "odd_agents.py:Crasher": {"documented"},
    "broken_agents.py:Narrow": {"legal"},
    "broken_agents.py:OnlyOne": {check.name for check in HAND_CHECKS},
}
"""What else an agent must fail for its fault, or fails as an agent of other tests, whose parameters nobody tells."""


@cache
def verdicts(agent: str) -> dict[str, Verdict]:
    """What all checks in this process find."""
    subject, rules = Subject(f"{HELPERS}/{agent}"), load_rules("sixtysix")
    found = [*check_class(subject, rules), *check_play(Stage(subject, rules, 12))]
    return {verdict.check: verdict for verdict in found}


@cache
def findings(agent: str) -> Findings:
    return check_agent(f"{HELPERS}/{agent}", [load_rules("sixtysix")], 4)


def failures(found: Iterable[Verdict]) -> set[str]:
    return {verdict.check for verdict in found if verdict.is_failure}


@pytest.mark.parametrize("agent", SOUND)
def test_a_sound_agent_fails_no_check(agent: str) -> None:
    found = findings(agent)
    assert found.passed, [verdict for verdict in found.verdicts if verdict.is_failure]
    assert [verdict.check for verdict in found.verdicts] == [check.name for check in CHECKS]


@pytest.mark.parametrize(("check", "agent", "words"), BROKEN, ids=[agent for _, agent, _ in BROKEN])
def test_a_broken_agent_fails_the_check_for_it(check: str, agent: str, words: str) -> None:
    failure = verdicts(agent)[check]
    assert failure.outcome is Outcome.FAIL
    assert failure.note.startswith(words)
    assert failure.hint
    assert failures(verdicts(agent).values()) - ALSO.get(agent, set()) == {check}


@pytest.mark.parametrize(("agent", "words"), BROKEN_ABROAD)
def test_an_agent_that_needs_its_first_process_fails_in_another(agent: str, words: str) -> None:
    assert failures(findings(agent).verdicts) == {"new-process"}
    assert findings(agent).verdicts[-2].note.startswith(words)


def test_every_check_in_this_process_is_seen_to_fail() -> None:
    assert {check for check, _, _ in BROKEN} == {check.name for check in CHECKS} - {"speed", "new-process"}


def test_every_check_says_what_an_agent_should_do() -> None:
    assert all(check.about.endswith(".") and len(check.about) > 20 for check in CHECKS)
    assert len({check.about for check in CHECKS}) == len(CHECKS)


# ------------------------------------------------------------------------------------- where it went wrong


PLACED = [pair[:2] for pair in BROKEN if pair[0] in ("legal", "same-seed", "memory", "hidden-cards", "scratch")]


@pytest.mark.parametrize(("check", "agent"), PLACED)
def test_the_place_of_a_failure_is_the_decision_that_was_wrong(check: str, agent: str) -> None:
    """The hand so far reads back; its seat to move is the agent's, as often asked before as the place says."""
    place = verdicts(agent)[check].place
    assert place is not None
    hand = read_transcript(place.hand)
    assert (hand.seed, hand.deal, hand.over) == (place.seed, place.deal, False)
    decided = [seat for seat, _ in hand.history].count(place.half)
    assert hand.to_move == place.half
    assert place.decision == decided + 1


def test_the_command_of_a_failure_shows_that_hand(capsys: pytest.CaptureFixture[str]) -> None:
    place = verdicts("bots.py:Wrong")["legal"].place
    assert place is not None
    status, out, err = call(capsys, *shlex.split(place.command)[1:])
    assert (status, out) == (3, place.hand)
    assert "crashed: ValueError: no idea in a policy" in err


def test_in_a_match_the_place_is_told_by_the_hand_alone() -> None:
    place = verdicts("broken_agents.py:CarryBlind")["match"].place
    assert place is not None and place.command == ""
    hand = read_transcript(place.hand)
    assert (sorted(hand.score), hand.carry) == ([0, 6], 1)


def test_a_crash_is_told_with_its_traceback() -> None:
    assert "raise ZeroDivisionError" in verdicts("odd_agents.py:Crasher")["legal"].story


def test_a_failure_names_all_rules_under_which_it_shows() -> None:
    found = check_agent(f"{HELPERS}/broken_agents.py:CarryBlind", [load_rules(name) for name in RULES], 4)
    failure = next(verdict for verdict in found.verdicts if verdict.is_failure)
    assert failure.check == "match"
    assert failure.rules == tuple(name for name in RULES if load_rules(name).unscored.carry)
    assert failure.note.startswith(f"under {failure.rules[0]}, ")


RULES = ("schnapsen", "sixtysix", "bicycle")


# -------------------------------------------------------------------------------- what cannot be told is skipped


def test_what_an_unseeded_agent_remembers_cannot_be_told() -> None:
    found = verdicts("broken_agents.py:Unseeded")
    assert {found[check].outcome for check in ("memory", "hidden-cards")} == {Outcome.SKIP}


def test_an_agent_that_ends_no_hand_is_not_judged_by_its_hands() -> None:
    found = verdicts("odd_agents.py:Illegal")
    assert {found[check].outcome for check in ("memory", "same-seed", "match")} == {Outcome.SKIP}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the limit needs a timer of the system")
def test_an_agent_that_hangs_is_told_and_not_asked_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "MOVE_SECONDS", 0.2)
    before = signal.getsignal(signal.SIGALRM)
    found = check_agent(f"{HELPERS}/broken_agents.py:Endless", [load_rules(name) for name in RULES], 8)
    assert failures(found.verdicts) == {"legal"}
    (legal,) = [verdict for verdict in found.verdicts if verdict.is_failure]
    assert "did not answer within 0.2 s" in legal.note
    assert legal.rules == RULES[:1]
    assert signal.getsignal(signal.SIGALRM) is before


@pytest.mark.parametrize(
    ("agent", "skipped"),
    [
        ("broken_agents.py:Sound", {"bounds", "read-only", "scratch"}),
        ("bots.py:First", {"bounds", "hooks", "scratch"}),
        ("broken_agents.py:CleanScratch", {"bounds", "hooks"}),
    ],
)
def test_what_does_not_apply_is_skipped(agent: str, skipped: set[str]) -> None:
    assert {check for check, found in verdicts(agent).items() if found.outcome is Outcome.SKIP} == skipped


def test_a_slow_agent_plays_fewer_hands() -> None:
    found = check_agent(f"{HELPERS}/odd_agents.py:Sleeper:seconds=0.02", [load_rules("sixtysix")])
    assert 2 <= found.n_hands <= 6


# ------------------------------------------------------------------------------------------ other worlds


def seats(preset: str) -> Iterator[tuple[object, int]]:
    rng = Random(f"other worlds {preset}")
    for _ in range(10):
        for _, core, _, _ in walk(PRESETS[preset], rng):
            yield from ((core, seat) for seat in (0, 1))


@pytest.mark.parametrize("preset", PRESETS)
def test_another_world_has_the_same_cards_in_other_places(preset: str) -> None:
    """What is known stays, every card is in one place, and each card that may be in the other hand gets there."""
    stream, moved = np.full(1, 5, np.uint64), Counter[bool]()
    pack = PACK_MASK if PRESETS[preset]["nines"] else PACK_MASK & ~NINES_MASK
    for core, seat in seats(preset):
        before = core.records.copy()  # type: ignore[attr-defined]
        state = core.state  # type: ignore[attr-defined]
        hide_again(state, seat, stream)
        other, top, n_stock = 1 - seat, int(state.stock_top), int(state.n_stock)
        stock = sum(1 << int(card) for card in state.stock[top : top + n_stock])
        led = 1 << int(state.led) if state.led >= 0 else 0
        assert int(state.hand[0]) + int(state.hand[1]) + stock + led + int(state.gone) == pack
        assert len(members(int(state.hand[other]))) == len(members(int(before[0].hand[other])))
        assert state.known[other] & ~state.hand[other] == 0
        assert n_stock == 0 or state.stock[top + n_stock - 1] == before[0].turned_up
        moved[bool(state.hand[other] != before[0].hand[other])] += 1
        same = [name for name in before.dtype.names if name not in ("hand", "stock")]
        assert all(before[name].tobytes() == core.records[name].tobytes() for name in same)  # type: ignore[attr-defined]
        core.records[0] = before[0]  # type: ignore[attr-defined]
    assert moved[True] > moved[False] > 0


def test_each_hidden_card_is_as_likely_as_the_others_to_be_in_the_other_hand() -> None:
    _, core, _, _ = next(walk(PRESETS["sixtysix"], Random(1)))
    stream, n = np.full(1, 6, np.uint64), 3000
    counts = Counter[int]()
    for _ in range(n):
        hide_again(core.state, 0, stream)
        counts.update(members(int(core.state.hand[1])))
    share, n_unseen = 6 / 17, 17
    deviation = (n * share * (1 - share)) ** 0.5
    assert len(counts) == n_unseen
    assert all(abs(count - n * share) < 5 * deviation for count in counts.values())

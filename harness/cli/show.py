"""``sixtysix show``: one hand, card by card."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.options import (
    MatchPlay,
    Quiet,
    RuleChanges,
    RulesName,
    Seed,
    examples,
    given,
    play_of,
    whole_number,
)
from harness.cli.output import adviser, show, unbroken
from harness.errors import AgentFaultError, UsageError, did_you_mean
from harness.paths import is_file
from harness.store.rows import RUN_FILE

if TYPE_CHECKING:
    from harness.run.snapshot import Snapshot

EXAMPLES = examples(
    "sixtysix show results/normal-vs-easy-1a2b3c4d --deal 123 --half 1",
    "sixtysix show results/first-1a2b3c4d normal easy --deal 123",
    "sixtysix show normal easy --seed 7 --deal 123 --rules schnapsen",
    "sixtysix show normal easy --seed 7 --deal 123 --at 9 --position before-9.toml",
)


def show_hand(
    context: typer.Context,
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN [A B] | A B",
            show_default=False,
            help="The folder of a run, with the two agents of a pairing if it has several; or any two agents.",
        ),
    ],
    deal: Annotated[
        int, typer.Option("--deal", metavar="N", parser=whole_number, help="Number of the deal, from 0.")
    ] = 0,
    half: Annotated[
        int,
        typer.Option(
            "--half", metavar="0|1", parser=whole_number, help="0: the first agent leads; 1: the second one does."
        ),
    ] = 0,
    position: Annotated[
        Path | None,
        typer.Option(
            "--position",
            metavar="FILE",
            show_default=False,
            help="Write what the side to move knows before the action --at to this file, for analyze.",
        ),
    ] = None,
    at: Annotated[
        int | None,
        typer.Option(
            "--at",
            metavar="N",
            parser=whole_number,
            show_default=False,
            help="Number of that action, from 1; with --position.",
        ),
    ] = None,
    hand: Annotated[
        int,
        typer.Option("--hand", metavar="N", parser=whole_number, help="Number of its hand in a match, from 1."),
    ] = 1,
    all_cards: Annotated[
        bool, typer.Option("--all-cards", help="Write into the file where the hidden cards lie, too.")
    ] = False,
    match_play: MatchPlay = False,
    rules: RulesName = None,
    rule: RuleChanges = None,
    seed: Seed = None,
    quiet: Quiet = False,
) -> None:
    """Print one hand card by card, or all hands of a match.

    A hand of a run is printed as it was recorded, or else played again. Two agents without a run play the hand now;
    only then --match-play, --rules, --rule and --seed matter.
    """
    if half not in (0, 1):
        raise UsageError(f"half = {half}: must be 0 or 1")
    if deal < 0:
        raise UsageError(f"deal = {deal}: must be a whole number from 0")
    snapshot = _snapshot(position, at, hand, all_cards)
    if len(what) == 2:
        settings = given(rules=rules, seed=seed, play=play_of(match_play))
        _show_of_agents(what, deal, half, settings, rule or [], quiet, snapshot)
        return
    if len(what) > 3:
        raise UsageError(f"{len(what)} names: give the folder of a run with or without two agents, or two agents")
    for option in ("match_play", "rules", "rule", "seed"):
        source = context.get_parameter_source(option)
        if source is not None and source.name == "COMMANDLINE":
            raise UsageError(f"--{option.replace('_', '-')} is for two agents without a run: a run has its own")
    _show_of_run(Path(what[0]), what[1:], deal, half, quiet, snapshot)


def _snapshot(position: Path | None, at: int | None, hand: int, all_cards: bool) -> "Snapshot | None":
    """Return the position that is wanted, if one is."""
    if position is None or at is None:
        if position is not None or at is not None or hand != 1 or all_cards:
            raise UsageError(
                "a position needs both --position FILE and --at N; --hand and --all-cards are for it alone"
            )
        return None
    from harness.run.snapshot import Snapshot

    snapshot = Snapshot(position, at, hand, all_cards)
    snapshot.check()
    return snapshot


def _show_of_run(
    folder: Path, names: list[str], deal: int, half: int, quiet: bool, snapshot: "Snapshot | None"
) -> None:
    """Print a hand of a run; agents are loaded only if it has to be played again."""
    from harness.run.folder import reopened_folder
    from harness.run.stored_hand import play_again, read_hand

    if not is_file(folder / RUN_FILE):
        raise UsageError(_no_run(folder))
    with reopened_folder(folder, only_reads=True):
        from harness.store.reader import open_run

        with open_run(folder) as run:
            stored = read_hand(run, names, deal, half)
    tell, what = adviser(quiet), "match" if stored.config.plays_matches else "hand"
    hands = stored.recorded()
    if stored.actions is None and stored.is_playable:
        hands = play_again(stored, tell)
        tell(f"note: the actions of this {what} are not recorded: it was played again")
    elif stored.actions is None:
        tell(f"note: the actions of this {what} are not recorded, and it is not played again because of how it ended")
    if snapshot is not None:  # before the hand is printed, which need not have the action
        source = f"deal {deal}, half {half}, of {stored.config.title}"
        snapshot.write(stored.config, stored.names, hands, source)
        tell(_written(snapshot))
    show(stored.transcript(hands))


def _written(snapshot: "Snapshot") -> str:
    return f"the position before action {snapshot.at} is in {unbroken(str(snapshot.path))}"


def _no_run(folder: Path) -> str:
    """Say what is wrong with a folder, and which one may be meant."""
    problem = "is not the folder of a run" if folder.is_dir() else "is not there"
    runs = [str(path.parent) for path in sorted(folder.parent.glob(f"*/{RUN_FILE}"))]
    runs += [str(path.parent) for path in sorted(Path().glob(f"results/*/{RUN_FILE}"))]
    hint = did_you_mean(str(folder), runs)
    return f"the folder {folder} {problem}{hint}: give the folder of a run, as it was printed, or two agents A B"


def _show_of_agents(
    names: list[str],
    deal: int,
    half: int,
    settings: dict[str, object],
    rule: list[str],
    quiet: bool,
    snapshot: "Snapshot | None",
) -> None:
    """Play a hand between two agents and print it, up to a fault if there is one."""
    from harness.run.agents import load_agents
    from harness.run.config import build_config

    try:
        config = build_config({"agents": names, **settings}, rule)
        one, other = load_agents(config.agents, adviser(quiet))
    except UsageError as error:
        if is_file(Path(names[0]) / RUN_FILE):
            error.add_note(f"{names[0]} is a run: give both agents of a pairing after it, or none if it has only one")
        raise

    from harness.run.replay import hands_text, replay

    hands, fault = replay(config, (one, other), deal, half)
    first, second = config.agent_names
    if snapshot is not None:
        snapshot.write(config, (first, second), hands, f"deal {deal}, half {half}, seed {config.seed}")
        adviser(quiet)(_written(snapshot))
    show(hands_text(config, (first, second), hands))
    if fault is not None:
        sentence = fault.sentence(one.name, other.name, config.seed, config.rules, match_play=config.plays_matches)
        raise AgentFaultError(sentence)

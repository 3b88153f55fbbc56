"""``--plot`` and ``--open``: figures and a page where they are asked for, and never old ones beside new numbers."""

import json
import sys
import webbrowser
from pathlib import Path

import pytest

from harness.run.config import build_config
from harness.store.rows import DRAWN_FILES, FaultRow, RunFigure
from tests.helpers.command import call
from tests.helpers.figures import draw_nothing
from tests.helpers.stored_runs import store_run

pytestmark = pytest.mark.usefixtures("empty_folder")
PIT = ("pit", "random", "easy", "--deals", "20", "--out", "run")
REPORT = Path("run") / "report"
PAGE = REPORT / "report.html"


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are empty."""
    draw_nothing(monkeypatch)


class Browser:
    """A browser that notes what it is to open, and prints something as some do."""

    def __init__(self, opens: bool) -> None:
        self.opens, self.opened = opens, [""]

    def open(self, address: str) -> bool:
        print("Opening in existing browser session.")
        self.opened.append(address)
        return self.opens


def succeed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str]:
    status, out, err = call(capsys, *arguments)
    assert status == 0, err
    return out, err


def drawn() -> set[str]:
    return {name for name in DRAWN_FILES if (REPORT / name).exists()}


@pytest.mark.usefixtures("undrawn")
def test_a_plain_run_draws_nothing_and_says_how_to_draw(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "harness.report.drawing.save", None)
    out, err = succeed(capsys, *PIT)
    assert "page" not in out
    assert err.splitlines()[-1] == "note: sixtysix report run draws the figures and the page"
    assert drawn() == set()


@pytest.mark.usefixtures("undrawn")
def test_pictures_are_drawn_kept_while_they_are_true_and_deleted_when_they_are_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out, err = succeed(capsys, *PIT, "--plot")
    assert out.splitlines()[-3:-1] == ["report  run/report", "page    run/report/report.html"]
    assert "draws the figures" not in err
    assert PAGE.read_text(encoding="utf-8").count("<svg") == len(list((REPORT / "figures").glob("*.svg"))) > 4
    before = {name: (REPORT / name).read_bytes() for name in drawn()}
    assert before.keys() >= {"report.html", "figures/ratings.png", "figures/ratings.svg"}
    assert {path.name.partition(".")[0] for path in (REPORT / "figures").iterdir()} <= set(RunFigure)
    assert "page    run/report/report.html" in succeed(capsys, "resume", "run")[0]
    assert {name: (REPORT / name).read_bytes() for name in drawn()} == before
    (REPORT / "ratings.png").write_bytes(b"of an earlier version")
    _, err = succeed(capsys, "tournament", "--into", "run", "--deals", "30")
    assert err.splitlines()[-1] == "note: sixtysix report run draws the figures and the page"
    assert drawn() == set()
    assert not (REPORT / "figures").exists()


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    "command",
    [
        PIT,
        (*PIT, "--match-play"),
        (*PIT, "--until", "2gp"),
        ("sprt", "random", "easy", "--deals", "40", "--block", "20", "--out", "run"),
        ("tournament", "random", "easy", "example", "--deals", "20", "--out", "run"),
        ("ladder", "random", "easy", "--deals", "20", "--out", "run"),
        ("pit", "easy", "easy", "--deals", "20", "--out", "run"),
    ],
    ids=" ".join,
)
def test_every_command_that_plays_a_run_can_draw_it(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mirror match, whole matches and runs that end themselves among them."""
    monkeypatch.setattr("harness.run.bench.measure_moves.__defaults__", (1, 0.01))
    printed = json.loads(succeed(capsys, *command, "--plot", "--json")[0])
    assert "report.html" in drawn()
    name = "ladder.json" if command[0] == "ladder" else "summary.json"
    assert printed == json.loads((REPORT / name).read_text(encoding="utf-8"))


@pytest.mark.usefixtures("undrawn")
def test_json_is_the_summary_with_figures_or_without(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = succeed(capsys, *PIT, "--plot", "--json")
    assert out == (REPORT / "summary.json").read_text(encoding="utf-8")
    assert out == succeed(capsys, "resume", "run", "--json")[0] == succeed(capsys, "report", "run", "--json")[0]
    assert "report.html" in drawn()


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("command", [PIT, ("report", "run")], ids=lambda command: command[0])
def test_open_draws_the_page_and_opens_it(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Browser(opens=True)
    monkeypatch.setattr(webbrowser, "get", lambda: browser)
    if command != PIT:
        store_run(Path("run"), build_config({"agents": ["random", "easy"], "deals": 20}))
    out, err = succeed(capsys, *command, "--open", "--json")
    assert browser.opened == ["", PAGE.absolute().as_uri()]
    assert json.loads(out)["complete"] is True, "what the browser prints is no result"
    assert "browser session" in err
    assert "no browser" not in err


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("is_there", [True, False])
def test_without_a_browser_it_says_where_the_page_is_and_the_status_stays(
    is_there: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def get() -> Browser:
        if is_there:
            return Browser(opens=False)
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "get", get)
    _, err = succeed(capsys, *PIT, "--open")
    assert err.splitlines()[-1] == "note: no browser can be opened here; the page is run/report/report.html"
    assert PAGE.is_file()


@pytest.mark.usefixtures("undrawn")
def test_a_run_that_has_played_nothing_has_a_page_without_figures(capsys: pytest.CaptureFixture[str]) -> None:
    store_run(Path("run"), build_config({"agents": ["gone.module:Agent", "random"], "deals": 40}), {0: 0})
    succeed(capsys, "report", "run")
    assert drawn() == {"report.html"}
    page = PAGE.read_text(encoding="utf-8")
    for words in (
        "No deals have been played, so there is nothing to report.",
        "There are no figures, as no deals have been played.",
        "sixtysix resume run",
    ):
        assert words in page


@pytest.mark.usefixtures("undrawn")
def test_an_unfinished_run_says_on_its_page_how_far_it_is_and_how_it_goes_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    store_run(Path("run"), build_config({"agents": ["random", "easy", "normal"], "deals": 40}), {0: 25, 1: 0, 2: 0})
    succeed(capsys, "report", "run")
    page = PAGE.read_text(encoding="utf-8")
    assert "The run is not complete: 50 of 240 hands have been played" in page
    assert "sixtysix resume run goes on with it." in page


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("agents", [("random", "easy"), ("random", "easy", "normal")])
def test_a_run_with_only_forfeits_has_a_report(agents: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    config = build_config({"agents": agents, "deals": 3})
    faults = [
        FaultRow(pairing.number, deal, half, 0, "crash", "crashed: ZeroDivisionError")
        for pairing in config.pairings
        for deal in range(3)
        for half in (0, 1)
    ]
    store_run(Path("run"), config, faults=faults)
    out, _ = succeed(capsys, "report", "run")
    assert "All hands were forfeited, so none ended otherwise." in out
    assert "figures/ratings.svg" in drawn()
    assert "figures/endings.svg" not in drawn()
    assert "All hands were forfeited" in PAGE.read_text(encoding="utf-8")

import logging
from pathlib import Path

import pytest

from harness.log import LogFile, log_names, logging_to


@pytest.fixture
def log() -> logging.Logger:
    """A logger that nobody has switched off, as some libraries do with all that exist."""
    logger = logging.getLogger(__name__)
    logger.disabled = False
    return logger


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_costs_the_log_and_never_the_run(log: logging.Logger, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ZeroDivisionError), logging_to(LogFile(Path("/dev/full"))):
        log.info("one")
        log.info("two")
        raise ZeroDivisionError
    assert capsys.readouterr().err == (
        "warning: /dev/full cannot be written (No space left on device): the log is incomplete\n"
    )


def test_the_log_takes_any_text(log: logging.Logger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])  # pytest's own cannot pass such a text on
    with logging_to(LogFile(tmp_path / "log")):
        log.info("♠ and %s", "\udcff")
    assert (tmp_path / "log").read_text(encoding="utf-8").endswith("tests.test_log: ♠ and ?\n")


def test_a_log_without_end_keeps_its_last_parts_and_takes_no_more_room(log: logging.Logger, tmp_path: Path) -> None:
    with logging_to(LogFile(tmp_path / "run.log", most_bytes=1_000)):
        for number in range(1_000):
            log.info("record %d", number)
    assert {path.name for path in tmp_path.iterdir()} == set(log_names("run.log"))
    assert all(path.stat().st_size <= 1_000 for path in tmp_path.iterdir())
    kept = "".join((tmp_path / name).read_text() for name in reversed(log_names("run.log"))).splitlines()
    first = 1_000 - len(kept)
    assert [line.rsplit(maxsplit=1)[1] for line in kept] == [str(number) for number in range(first, 1_000)]


def test_a_record_that_is_far_too_long_is_cut(log: logging.Logger, tmp_path: Path) -> None:
    with logging_to(LogFile(tmp_path / "log")):
        log.info("x" * 10_000_000)
    text = (tmp_path / "log").read_text(encoding="utf-8")
    assert 100_000 < len(text) < 101_000
    assert "characters)" in text


def test_a_log_that_cannot_be_put_aside_is_told_once_and_goes_on(
    log: logging.Logger, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "log.1" / "not empty").mkdir(parents=True)
    with logging_to(LogFile(tmp_path / "log", most_bytes=200)):
        for _ in range(20):
            log.info("a record")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"warning: {tmp_path / 'log'} cannot be written (")

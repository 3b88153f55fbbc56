import logging
from pathlib import Path

import pytest

from harness.log import LogFile, logging_to


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


def test_the_log_takes_any_text(log: logging.Logger, tmp_path: Path) -> None:
    with logging_to(LogFile(tmp_path / "log")):
        log.info("♠ and %s", "\udcff")
    assert (tmp_path / "log").read_text(encoding="utf-8").endswith("tests.test_log: ♠ and ?\n")

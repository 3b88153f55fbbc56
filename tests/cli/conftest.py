from pathlib import Path

import pytest

from harness.play.warm import warm_up


@pytest.fixture(autouse=True, scope="session")
def compiled() -> None:
    """Compile before any command runs, so that none of them says that it does."""
    warm_up(lambda text: None)


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test stands in an empty folder, with an environment that sets nothing."""
    monkeypatch.chdir(tmp_path)
    for name in ("RULES", "DEALS", "SEED", "ANCHOR", "FORMAT", "WORKERS", "OUT", "QUIET"):
        monkeypatch.delenv(f"SIXTYSIX_{name}", raising=False)
    return tmp_path

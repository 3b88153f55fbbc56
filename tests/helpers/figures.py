"""Reports whose figures are not drawn, for tests that look at something else: drawing takes seconds."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from harness.report.figures.kinds import Chart

EMPTY = '<svg xmlns="http://www.w3.org/2000/svg" width="1pt" height="1pt" viewBox="0 0 1 1"/>'


def draw_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every figure be an empty picture."""

    def save(charts: Iterable[Chart], folder: Path) -> dict[str, tuple[Path, Path]]:
        folder.mkdir(parents=True, exist_ok=True)
        paths = {chart.name: (folder / f"{chart.name}.png", folder / f"{chart.name}.svg") for chart in charts}
        for png, svg in paths.values():
            png.write_bytes(b"")
            svg.write_text(EMPTY)
        return paths

    monkeypatch.setattr("harness.report.drawing.save.save", save)

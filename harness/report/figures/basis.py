"""What the numbers of a figure rest on, in words."""

from harness.report.analysis import Analysis


def basis(analysis: Analysis) -> str:
    """Write ``n = 1,000 deals, played twice by each pairing``."""
    return f"n = {analysis.played}{'' if analysis.unit.is_match else ', played twice'} by each pairing"

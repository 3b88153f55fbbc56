"""What the numbers of a figure rest on, in words."""

from harness.report.analysis import Analysis


def basis(analysis: Analysis) -> str:
    """Write ``n = 1,000 deals, played twice by each pairing``; where not all pairings have played as many, from to."""
    unit = analysis.unit
    n_deals = sorted(pairing.estimates.n_deals for pairing in analysis.pairings)
    least, most = (n_deals[0], n_deals[-1]) if n_deals else (0, 0)
    n = unit.count_pairs(most) if least == most else f"{least:,} to {unit.count_pairs(most)}"
    return f"n = {n}{'' if unit.is_match else ', played twice'} by each pairing"

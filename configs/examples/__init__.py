"""Outside programs: three to start from, and one that lets the bots of another package play here."""

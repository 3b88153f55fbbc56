"""Pure statistics on tallies: pairs, endings, moments by deal, pools, ratings."""

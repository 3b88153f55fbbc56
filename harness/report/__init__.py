"""Reports of a run: summary, tables, figure data apart from drawing."""

"""Runs: config, schedule, workers, progress."""

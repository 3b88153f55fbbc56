"""Positions to analyse, one TOML file each; README.md has the keys."""

"""Presets of rules and configs of tournaments, as package data."""

"""Hands, and many hands, between given agents."""

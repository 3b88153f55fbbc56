"""The conformance suite of agents, which ``sixtysix agents check`` runs."""

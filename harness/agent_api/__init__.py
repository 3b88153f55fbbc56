"""The agent contract, agent specs and the registry."""

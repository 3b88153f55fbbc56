"""What an agent may take: time and memory."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Limits of one agent; whoever goes over one forfeits the hand.

    Attributes
    ----------
    move_seconds
        Time for one decision.
    hand_seconds
        Time for all decisions of one hand together.
    start_seconds
        Time for an outside program until it is ready.
    memory_mb
        Memory that the agents of a worker may take beyond what it begins with, or all that a program takes, in units
        of 2^20 bytes.

    """

    move_seconds: float = 10
    hand_seconds: float = 60
    start_seconds: float = 10
    memory_mb: float = 2048

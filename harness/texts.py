"""Small pieces of text that tables, progress and messages have in common."""


def count(n: int, thing: str) -> str:
    """Write ``1 deal``, ``10,000 deals``."""
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def shorten(name: str, width: int) -> str:
    """Cut the middle out of a name that is too long for its place."""
    if len(name) <= width:
        return name
    head = width // 2
    return name[:head] + "…" + name[len(name) - (width - 1 - head) :]


def printable(text: str) -> str:
    """Return what an agent may have had a hand in without anything that would change a terminal."""
    return "".join(c if c.isprintable() else " " for c in text)

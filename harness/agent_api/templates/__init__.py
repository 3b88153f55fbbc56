"""Working bots that ``sixtysix agents new`` copies under another name; all three play by the same simple rule."""

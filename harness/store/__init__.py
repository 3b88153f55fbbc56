"""The database of a run: tables, writer, reader."""

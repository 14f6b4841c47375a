"""Search providers, by name in the table of names.py."""

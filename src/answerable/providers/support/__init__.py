"""Support checkers."""

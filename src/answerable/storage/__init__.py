"""Conversations, turns, pages and the run log, on SQLAlchemy."""

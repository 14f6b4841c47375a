"""Measuring answers: the miniature web, the scripted model, the summary."""

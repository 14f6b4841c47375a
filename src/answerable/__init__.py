"""Answerable: answers whose every citation was checked against the page it came from."""

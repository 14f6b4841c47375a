"""What holds for all tests."""

from __future__ import annotations

from tests.fakes.databases import address, database, empty_address, postgres

from answerable.config import keep_quiet

keep_quiet()  # many tests use a part without the engine that would say it

__all__ = ["address", "database", "empty_address", "postgres"]  # one server of them for all tests

"""What the tests of the store share: every database that it must work on."""

from __future__ import annotations

from tests.fakes.databases import address, database, empty_address, postgres

__all__ = ["address", "database", "empty_address", "postgres"]

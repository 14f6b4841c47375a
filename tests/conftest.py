"""What holds for all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from tests.fakes.databases import address, database, empty_address, postgres

from answerable.config import keep_quiet

# A slow machine makes its examples slowly: that says nothing of what is tested.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
keep_quiet()  # many tests use a part without the engine that would say it

__all__ = ["address", "database", "empty_address", "postgres"]  # one server of them for all tests

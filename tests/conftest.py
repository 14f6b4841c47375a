"""What holds for all tests."""

from __future__ import annotations

from answerable.config import keep_quiet

keep_quiet()  # many tests use a part without the engine that would say it

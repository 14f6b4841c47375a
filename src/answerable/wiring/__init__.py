"""Settings -> Engine: the one place where parts meet."""

from __future__ import annotations

from answerable.wiring.engine import Engine, verify
from answerable.wiring.install import COLLECTION, VERSION, About, set_collection
from answerable.wiring.making import support_checker

__all__ = ["COLLECTION", "VERSION", "About", "Engine", "set_collection", "support_checker", "verify"]

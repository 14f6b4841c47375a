"""Answerable: answers whose every citation was checked against the page it came from."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from answerable.text.finalize import finalize_citations
    from answerable.wiring import Engine, verify

__all__ = ["Engine", "finalize_citations", "verify"]

# Loaded when first used, so that `import answerable` stays quick.
HOMES = {
    "Engine": "answerable.wiring",
    "finalize_citations": "answerable.text.finalize",
    "verify": "answerable.wiring",
}


def __getattr__(name: str) -> Any:
    if name in HOMES:
        return getattr(import_module(HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

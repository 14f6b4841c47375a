"""What this install is: its version, its built-in collection, and what the start page says of it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

from answerable.config import Settings, data_folder

try:
    VERSION = version("answerable")
except PackageNotFoundError:  # run from a source tree that was never installed
    VERSION = "0"
COLLECTION = Path(str(files("answerable"))) / "collection" / "web"
REMOVED = "collection-removed"  # a file in the data folder


@dataclass(frozen=True, slots=True)
class About:
    """What the start page says of this engine."""

    version: str
    providers: tuple[str, ...]
    model: str | None
    collection_only: bool
    collection_hosts: frozenset[str]
    examples: tuple[str, ...]


def set_collection(settings: Settings, present: bool) -> None:
    """Removes the built-in collection from what is answered from, or brings it back."""
    marker = data_folder(settings) / REMOVED
    marker.unlink(missing_ok=True)
    if not present:
        marker.touch()

"""What this install is: its version, its built-in collection, and what the start page says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

from answerable.answering.examining import LOCAL
from answerable.config import Settings, data_folder, environment_name
from answerable.errors import SearchError
from answerable.providers.llm.names import VENDORS
from answerable.providers.search.names import MAY_USE, NEEDS, PROVIDERS, chosen_names
from answerable.text.worded import Worded

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


@dataclass(frozen=True, slots=True)
class Choice:
    """A search provider or vendor of models: whether it is in use, the names of what it cannot be without and of what
    helps it, and whether the first are set."""

    name: str
    ready: bool
    needs: tuple[str, ...]
    helps: tuple[str, ...] = ()
    possible: bool = True


@dataclass(frozen=True, slots=True)
class Setup:
    """What is set, without any key. `models`: what each is for, and its name."""

    version: str
    folder: str
    database: str
    searches: tuple[Choice, ...]
    vendors: tuple[Choice, ...]
    models: tuple[tuple[str, str], ...]
    local: tuple[str, ...] = LOCAL


def setup_of(settings: Settings, folder: Path) -> Setup:
    chosen = chosen_names(settings.search, lambda name: getattr(settings, name))
    searches = [
        Choice(
            name,
            name in chosen,
            tuple(map(environment_name, NEEDS.get(name, {}).values())),
            tuple(map(environment_name, MAY_USE.get(name, {}).values())),
            all(getattr(settings, need) for need in NEEDS.get(name, {}).values()),
        )
        for name in PROVIDERS
        if name != "own"
    ]
    keys = sorted({vendor.variable: name for name, vendor in reversed(VENDORS.items()) if vendor.variable}.items())
    models = {"writer": settings.model, "small": settings.model_small, "judge": settings.judge}
    return Setup(
        version=VERSION,
        folder=str(folder),
        database=settings.database.partition(":")[0] or "sqlite",
        searches=tuple(searches),
        vendors=tuple(Choice(name, bool(settings.secret(variable)), (variable,)) for variable, name in keys),
        models=tuple((use, name) for use, name in {**models, "reranker": settings.reranker}.items() if name),
    )


def without_web(resting: Sequence[SearchError], *, collection: bool) -> Worded:
    """What is wrong with the web (nothing rests: none is set up), and what is searched instead."""
    instead = "Answers come from the built-in collection." if collection else "Only your own pages are searched."
    code = f"instead_{'collection' if collection else 'own'}"
    if not resting:
        return Worded(f"No web search is set up. {instead}", f"web_none {code}")
    told = "; ".join(failure.message for failure in resting)
    return Worded(f"The web cannot be searched now ({told}). {instead}", f"web_resting {code}")


def set_collection(settings: Settings, present: bool) -> None:
    """Removes the built-in collection from what is answered from, or brings it back."""
    marker = data_folder(settings) / REMOVED
    marker.unlink(missing_ok=True)
    if not present:
        marker.touch()

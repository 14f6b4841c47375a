"""Parts of an engine tried out: all of them, or one alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from answerable.answering.examining import SEARCH, Finding, examine, examine_one
from answerable.errors import SettingsError, Unusable
from answerable.protocols import Parts, PassageIndex
from answerable.providers.search.names import PROVIDERS
from answerable.providers.search.remembering import Remembering


async def tried(
    parts: Parts, own: PassageIndex, make: Callable[[str], Remembering], part: str | None = None
) -> list[Finding]:
    """`make` gives a search provider that remembers nothing and does not rest, so that it is really asked: also one
    that is not in use, if its needs are set. Of `part`, nothing else is asked. Raises NotFound, Unusable."""
    name = part.removeprefix(SEARCH) if part and part.startswith(SEARCH) else ""
    wanted = [one.name for one in parts.searchers] if part is None else [name]
    fresh = {one: _made(make, one) for one in wanted if one in PROVIDERS and one != "own"}
    try:
        beside = tuple(one for one in parts.searchers if one.name not in fresh)
        tested = replace(parts, searchers=(*fresh.values(), *beside))
        return [await examine_one(tested, own, part)] if part is not None else await examine(tested, own)
    finally:
        for provider in fresh.values():
            await provider.aclose()


def _made(make: Callable[[str], Remembering], name: str) -> Remembering:
    try:
        return make(name)
    except SettingsError as fault:
        raise Unusable(fault.message, hint="Set what it needs and start again.") from None

"""Cited pages read again: which citations still hold, which pages changed, which are gone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from answerable.errors import BadRequest, ReadError
from answerable.protocols import Conversation, SupportChecker
from answerable.schemas import CONVERSATION, TURN
from answerable.text.passages import split_passages
from answerable.types import Citation, Page, Turn

Fate = Literal["holds", "moved", "changed", "gone", "unread"]
_TURNS: TypeAdapter[tuple[Turn, ...]] = TypeAdapter(tuple[Turn, ...])
GONE = frozenset({"not_found", "bad_url"})


@dataclass(frozen=True, slots=True)
class Recheck:
    """`holds`: the quote stands as it was. `moved`: other words of the page support the sentence now. `changed`: the
    page no longer supports it. `gone`: no such page. `unread`: it could not be read now, for the cause in `detail`."""

    turn_id: str
    n: int
    url: str
    sentence: str
    fate: Fate
    detail: str = ""


Read = Callable[[str], Awaitable[Page]]  # an address, asked of its host again; raises ReadError


async def recheck(turns: Sequence[Turn], read: Read, support: SupportChecker) -> list[Recheck]:
    """One finding a citation, in the order they are shown; each page is read once."""
    urls = dict.fromkeys(citation.url for turn in turns for citation in turn.citations)
    pages = dict(zip(urls, await asyncio.gather(*(_read(url, read) for url in urls)), strict=True))
    return [
        await _finding(turn, citation, pages[citation.url], support) for turn in turns for citation in turn.citations
    ]


async def _read(url: str, read: Read) -> Page | ReadError:
    try:
        return await read(url)
    except ReadError as failure:
        return failure


async def _finding(turn: Turn, citation: Citation, page: Page | ReadError, support: SupportChecker) -> Recheck:
    spoken = next((one for one in turn.sentences if one.index == citation.sentence), None)
    sentence = spoken.text if spoken else ""
    if isinstance(page, ReadError):
        fate: Fate = "gone" if page.cause in GONE or page.http_status == 410 else "unread"
        return Recheck(turn.turn_id, citation.n, citation.url, sentence, fate, page.cause)
    if _folded(citation.quote) in _folded(page.text):
        return Recheck(turn.turn_id, citation.n, citation.url, sentence, "holds")
    claim = sentence
    for number in spoken.numbers if spoken else ():
        claim = claim.replace(f"[{number}]", "")
    found = await support.check(claim, split_passages(page))
    if found.verdict in ("supported", "partly"):
        quote = found.quotes[0].text if found.quotes else ""
        return Recheck(turn.turn_id, citation.n, citation.url, sentence, "moved", quote)
    return Recheck(turn.turn_id, citation.n, citation.url, sentence, "changed", found.reason)


def exported_turns(data: bytes, name: str) -> tuple[Turn, ...]:
    """The turns of an exported conversation, of one answer, or of a list of answers. Raises BadRequest."""
    for adapter in (CONVERSATION, TURN, _TURNS):
        try:
            found = adapter.validate_json(data)
        except ValidationError:
            continue
        if isinstance(found, Turn):
            return (found,)
        return found.turns if isinstance(found, Conversation) else found
    raise BadRequest(
        f"{name} holds neither a conversation nor an answer", hint="Give a file with the JSON of either, as exported."
    )


def _folded(text: str) -> str:
    return " ".join(text.split())

"""Each part of an engine tried out, with what was found and the cure for what does not work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from answerable.errors import AnswerableError, NotFound
from answerable.protocols import (
    LLM,
    ConversationStore,
    Message,
    PageCache,
    Parts,
    PassageIndex,
    Reranker,
    SearchProvider,
)
from answerable.types import Focus, Passage

SECONDS = 10.0  # for one part
SEARCH, MODEL = "search: ", "model: "  # stand before the name of a provider or model
LOCAL = ("page store", "embedder", "reranker", "support checker", "own index")  # parts that every engine has
QUERY = "Eiffel Tower height"
FOCUSES: tuple[Focus, ...] = ("web", "news", "academic", "own")


@dataclass(frozen=True, slots=True)
class Finding:
    part: str
    ok: bool
    detail: str
    cure: str = ""
    needed: bool = True  # without it no question can be answered


@dataclass(frozen=True, slots=True)
class Readiness:
    """`warm`: models and pages are loaded, so that a question waits for none of them; `database`: it answers."""

    warm: bool
    database: bool


def succeeded(task: asyncio.Task[None] | None) -> bool:
    return task is not None and task.done() and not task.cancelled() and task.exception() is None


async def answers(store: ConversationStore) -> bool:
    """Whether the database answers a question for what is not there."""
    try:
        async with asyncio.timeout(SECONDS):
            await store.turn("none")
    except NotFound:
        return True
    except (AnswerableError, TimeoutError):
        return False
    return True


Probe = Callable[[], Awaitable[str]]  # what was found; raises when the part does not work


async def examine(parts: Parts, own: PassageIndex) -> list[Finding]:
    """All parts at once, each within its own time."""
    return list(await asyncio.gather(*(_finding(*probe) for probe in _probes(parts, own))))


async def examine_one(parts: Parts, own: PassageIndex, part: str) -> Finding:
    """The part that a finding of `examine` names; no other is touched. Raises NotFound."""
    probes = _probes(parts, own)
    found = next((probe for probe in probes if probe[0] == part), None)
    if found is None:
        known = ", ".join(name for name, _, _ in probes)
        raise NotFound(f"there is no part {part!r}", hint=f"Parts that can be tested: {known}.")
    return await _finding(*found)


def _probes(parts: Parts, own: PassageIndex) -> list[tuple[str, bool, Probe]]:
    return [
        ("page store", True, lambda: _page_store(parts.pages)),
        ("embedder", True, lambda: _embedder(parts)),
        ("reranker", True, lambda: _reranker(parts.reranker)),
        *([("reranker by choice", False, lambda: _reranker(parts.careful))] if parts.careful else []),
        ("support checker", True, lambda: _support(parts)),
        ("own index", True, lambda: _index(own)),
        *[(f"{SEARCH}{one.name}", False, lambda one=one: _search(one)) for one in parts.searchers],
        *[
            (f"{MODEL}{llm.name}", False, lambda llm=llm: _model(llm))
            for llm in dict.fromkeys((parts.writer_model, parts.small_model, parts.judge))
            if llm is not None
        ],
    ]


async def _finding(part: str, needed: bool, probe: Probe) -> Finding:
    try:
        async with asyncio.timeout(SECONDS):
            return Finding(part, True, await probe(), needed=needed)
    except TimeoutError:
        return Finding(
            part, False, f"no answer within {SECONDS:g} s", "Try again; if it stays silent, set another.", needed
        )
    except AnswerableError as fault:
        return Finding(part, False, fault.message, fault.hint, needed)


async def _page_store(pages: PageCache) -> str:
    try:
        await pages.page("none")
    except AnswerableError as fault:
        if fault.code != "not_found":
            raise
    return "can be read"


async def _embedder(parts: Parts) -> str:
    vectors = await parts.embedder.embed([QUERY])
    return f"{vectors.shape[1]} dimensions"


async def _reranker(reranker: Reranker | None) -> str:
    if reranker is None:
        return "none"
    right, wrong = await reranker.score(QUERY, ["The Eiffel Tower is 330 metres tall.", "Bees make honey."])
    return f"tells right ({right:.2f}) from wrong ({wrong:.2f})"


async def _support(parts: Parts) -> str:
    text = "The Eiffel Tower is 330 metres tall."
    passage = Passage("s", "p", 0, len(text), text)
    right = await parts.support.check("The Eiffel Tower is 330 metres tall.", [passage])
    wrong = await parts.support.check("The Eiffel Tower is 300 metres tall.", [passage])
    return f"330 m is {right.verdict}, 300 m is {wrong.verdict}"


async def _index(index: PassageIndex) -> str:
    return f"{await index.count()} pages"


async def _search(provider: SearchProvider) -> str:
    """Asked for what it is there for: a provider of news for news."""
    focus: Focus = next((one for one in FOCUSES if one in provider.focuses), "web")
    results = await provider.search(QUERY, limit=3, freshness="evergreen", focus=focus, locale="en")
    return "1 result" if len(results) == 1 else f"{len(results)} results"


async def _model(llm: LLM) -> str:
    pieces = llm.stream([Message("user", "Say OK.")], timeout=SECONDS, max_tokens=16)
    text = "".join([piece.text async for piece in pieces])
    return f"answered {text.strip()[:40]!r}"

"""All search queries to all chosen providers at once, under one deadline; what they found becomes one list."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from answerable.errors import SearchError
from answerable.events import Emit, Progress, ignore
from answerable.protocols import Limits, SearchProvider, SearchResults
from answerable.text.analysis import tokens
from answerable.text.urls import canonical_url, host_of, without_tracking
from answerable.types import Focus, Freshness, Note, SearchResult

_RANK_CONSTANT = 60  # of reciprocal rank fusion; the value of the paper that proposed it
_SHINGLE = 3
_COPY_SHINGLES = 8  # shorter snippets are alike by chance
_COPY_SHARE = 0.8
_GRACE = 0.2  # seconds a cancelled call has to let go

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """`answered` is False when every provider failed, which is not the same as finding nothing."""

    results: tuple[SearchResult, ...] = ()
    notes: tuple[Note, ...] = ()
    answered: bool = False
    used_fallback: bool = False


@dataclass(frozen=True, slots=True)
class _Call:
    """One search query at one provider, and how it ended."""

    provider: SearchProvider
    query: str
    results: Sequence[SearchResult] = ()
    failure: SearchError | None = None


async def search_all(
    queries: Sequence[str],
    searchers: Sequence[SearchProvider],
    *,
    freshness: Freshness,
    focus: Focus,
    locale: str,
    limits: Limits,
    emit: Emit = ignore,
) -> Found:
    """Never raises for a provider: one that fails or is late costs only itself and is named in `notes`.

    Fallback providers are asked only with focus `own`, or when no web provider answered.
    """
    queries = tuple(dict.fromkeys(query.strip() for query in queries if query.strip()))
    search = _Search(queries, freshness, focus, locale, limits, emit)
    first = [one for one in searchers if one.scope == "own" or (one.scope == "fallback") == (focus == "own")]
    calls = await search.ask(first)
    web_answered = any(call.provider.scope == "web" and call.failure is None for call in calls)
    fallback = [one for one in searchers if one.scope == "fallback" and one not in first]
    if fallback and not web_answered:
        calls += await search.ask(fallback)
    return Found(
        results=tuple(
            demote_copies(fuse([_named(call) for call in calls if call.failure is None])[: limits.candidates])
        ),
        notes=tuple(_notes(calls)),
        answered=any(call.failure is None for call in calls),
        used_fallback=any(call.provider.scope == "fallback" and call.results for call in calls),
    )


@dataclass(frozen=True, slots=True)
class _Search:
    queries: tuple[str, ...]
    freshness: Freshness
    focus: Focus
    locale: str
    limits: Limits
    emit: Emit

    async def ask(self, providers: Sequence[SearchProvider]) -> list[_Call]:
        """Whatever has arrived when all are done or the time is up, in the order of providers and queries."""
        begun = [_Call(provider, query) for provider in providers for query in self.queries]
        if not begun:
            return []
        tasks = [asyncio.create_task(self._one(call)) for call in begun]
        try:
            arriving = asyncio.as_completed(tasks, timeout=self.limits.search_timeout)
            for finished, next_one in enumerate(arriving, 1):
                call = await next_one
                self.emit(Progress("searching", _progress(call), done=finished, total=len(tasks)))
        except TimeoutError:
            pass  # the calls that are not done become notes below
        finally:
            pending = [task for task in tasks if not task.done()]
            for task in pending:
                task.cancel()
            if pending:
                await asyncio.wait(pending, timeout=_GRACE)
        return [
            task.result() if task.done() and not task.cancelled() else self._late(call)
            for task, call in zip(tasks, begun, strict=True)
        ]

    async def _one(self, call: _Call) -> _Call:
        try:
            results = await call.provider.search(
                call.query,
                limit=self.limits.results_per_query,
                freshness=self.freshness,
                focus=self.focus,
                locale=self.locale,
            )
        except SearchError as failure:
            return replace(call, failure=failure)
        except Exception:
            logger.exception("search provider %s failed in a way it does not know", call.provider.name)
            hint = "The log of the server has the details."
            return replace(call, failure=SearchError(call.provider.name, "malformed", "failed unexpectedly", hint=hint))
        return replace(call, results=results)

    def _late(self, call: _Call) -> _Call:
        late = SearchError(
            call.provider.name,
            "timeout",
            f"did not answer within {self.limits.search_timeout:g} s",
            hint="Raise the search time-out, or leave this provider out.",
        )
        return replace(call, failure=late)


def fuse(lists: Iterable[Sequence[SearchResult]]) -> list[SearchResult]:
    """Ranked lists as one, by reciprocal rank; the same page is one entry with its best title and longest snippet."""
    found: dict[str, list[SearchResult]] = {}
    scores: dict[str, float] = {}
    for ranked in lists:
        seen: set[str] = set()
        for result in ranked:
            key = canonical_url(result.url)
            found.setdefault(key, []).append(result)
            if key not in seen:
                seen.add(key)
                scores[key] = scores.get(key, 0.0) + 1 / (_RANK_CONSTANT + len(seen))
    merged = [_merged(same, scores[key]) for key, same in found.items()]
    return sorted(merged, key=lambda result: -result.score)  # stable: of equals, the first provider's goes first


def demote_copies(results: Sequence[SearchResult]) -> list[SearchResult]:
    """Syndicated copies of a text go behind all that is independent; the best placed of them stays where it is."""
    independent: list[SearchResult] = []
    copies: list[SearchResult] = []
    kept: list[set[tuple[str, ...]]] = []
    for result in results:
        shingles = _shingles(result.text or result.snippet)
        if any(_is_copy(shingles, other) for other in kept):
            copies.append(result)
        else:
            independent.append(result)
            kept.append(shingles)
    return independent + copies


def _shingles(text: str) -> set[tuple[str, ...]]:
    words = tokens(text[:2000])
    return {tuple(words[start : start + _SHINGLE]) for start in range(len(words) - _SHINGLE + 1)}


def _is_copy(one: set[tuple[str, ...]], other: set[tuple[str, ...]]) -> bool:
    smaller = min(len(one), len(other))
    return smaller >= _COPY_SHINGLES and len(one & other) >= _COPY_SHARE * smaller


def _merged(same: Sequence[SearchResult], score: float) -> SearchResult:
    return SearchResult(
        url=_best_url([without_tracking(result.url) for result in same]),
        title=max((result.title for result in same), key=_title_value) or host_of(same[0].url),
        snippet=max((result.snippet for result in same), key=len),
        providers=tuple(dict.fromkeys(name for result in same for name in result.providers)),
        published=_first_date(result.published for result in same),
        score=score,
        text=next((result.text for result in same if result.text), None),
    )


def _best_url(urls: Sequence[str]) -> str:
    return next((url for url in urls if url.startswith("https://")), urls[0])


def _title_value(title: str) -> tuple[bool, int]:
    """A cut title is worth less than a whole one, a long one more than a short one."""
    return bool(title) and not title.endswith(("…", "...")), min(len(title), 120)


def _first_date(dates: Iterable[datetime | None]) -> datetime | None:
    return next((date for date in dates if date), None)


def _named(call: _Call) -> list[SearchResult]:
    return [replace(result, providers=result.providers or (call.provider.name,)) for result in call.results]


def _progress(call: _Call) -> str:
    if call.failure is not None:
        return f"{call.provider.name} failed"
    number = len(call.results)
    return f"{call.provider.name}: {number} {'result' if number == 1 else 'results'}"


def _notes(calls: Sequence[_Call]) -> list[Note]:
    """One note a provider that failed, however many queries it failed; one a warning."""
    notes: dict[str, Note] = {}
    for call in calls:
        name = call.provider.name
        if call.failure is not None and f"failed {name}" not in notes:
            own = [other for other in calls if other.provider is call.provider]
            lost = sum(other.failure is not None for other in own)
            notes[f"failed {name}"] = Note(
                "provider_failed", _told(call.failure, lost, len(own)), about=name, cause=call.failure.cause
            )
        if isinstance(call.results, SearchResults):
            for warning in call.results.warnings:
                notes[warning] = Note("provider_warning", f"{name}: {warning}")
    return list(notes.values())


def _told(failure: SearchError, lost: int, asked: int) -> str:
    part = f" ({lost} of {asked} queries)" if lost < asked else ""
    return f"{failure.message.rstrip('.')}{part}. {failure.hint}".strip()

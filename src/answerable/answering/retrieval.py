"""All search queries to all chosen providers at once, under one deadline; what they found becomes one list."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime

from answerable.errors import SearchError
from answerable.events import Emit, Progress, ignore
from answerable.protocols import Background, Limits, SearchProvider, SearchResults
from answerable.text.copies import clusters
from answerable.text.domains import Domains
from answerable.text.urls import canonical_url, host_of, without_tracking
from answerable.types import Focus, Freshness, Note, SearchResult

_RANK_CONSTANT = 60  # of reciprocal rank fusion; the value of the paper that proposed it
_GRACE = 0.2  # seconds a cancelled call has to let go
_RESOLVERS = {"doi.org", "dx.doi.org"}
SETTLE = 0.5  # seconds for the slower providers, once a provider of the whole web has answered with enough

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """`answered` is False when every provider failed, which is not the same as finding nothing.

    `silent` names the providers that did not answer in time; it is no use to wait for them again in this turn.
    """

    results: tuple[SearchResult, ...] = ()
    notes: tuple[Note, ...] = ()
    answered: bool = False
    used_fallback: bool = False
    silent: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Call:
    """One search query at one provider, and how it ended."""

    provider: SearchProvider
    query: str
    results: Sequence[SearchResult] = ()
    failure: SearchError | None = None
    hurried: bool = False  # it was slower than others, and may be quick the next time


async def search_all(
    queries: Sequence[str],
    searchers: Sequence[SearchProvider],
    *,
    freshness: Freshness,
    focus: Focus,
    locale: str,
    limits: Limits,
    emit: Emit = ignore,
    domains: tuple[str, ...] = (),
    silent: Collection[str] = (),
    background: Background | None = None,
) -> Found:
    """Never raises for a provider: one that fails or is late costs only itself and is named in `notes`.

    Fallback providers are asked only with focus `own`, or when no web provider answered. Those named in `silent` are
    left out. With `background`, a search that is no longer waited for goes on there, into the provider's memory.
    """
    queries = tuple(dict.fromkeys(query.strip() for query in queries if query.strip()))
    search = _Search(queries, freshness, focus, locale, limits, emit, Domains.of(domains), background)
    able = [one for one in searchers if one.name not in silent]
    web = serving(able, focus)
    first = [one for one in able if one.scope == "own" or one in web or (one.scope == "fallback" and focus == "own")]
    calls = await search.ask(first)
    web_answered = any(call.provider.scope == "web" and call.failure is None for call in calls)
    fallback = [one for one in able if one.scope == "fallback" and one not in first]
    if fallback and not web_answered:
        calls += await search.ask(fallback)
    fused = fuse([search.permitted(_named(call)) for call in calls if call.failure is None])
    return Found(
        results=tuple(demote_copies(fused[: limits.candidates])),
        notes=(*_elsewhere(web, focus), *search.outside(calls, fused), *_notes(calls)),
        answered=any(_says_something(call, focus) for call in calls),
        used_fallback=any(call.provider.scope == "fallback" and call.results for call in calls),
        silent=_silent(calls),
    )


def serving(searchers: Sequence[SearchProvider], focus: Focus) -> list[SearchProvider]:
    """The web providers for a focus; where none serves it, those of the web at large."""
    if focus == "own":
        return []
    web = [one for one in searchers if one.scope == "web"]
    return [one for one in web if focus in one.focuses] or [one for one in web if "web" in one.focuses]


@dataclass(frozen=True, slots=True)
class _Search:
    queries: tuple[str, ...]
    freshness: Freshness
    focus: Focus
    locale: str
    limits: Limits
    emit: Emit
    domains: Domains = field(default_factory=Domains)
    background: Background | None = None

    async def ask(self, providers: Sequence[SearchProvider]) -> list[_Call]:
        """Whatever has arrived when all are done or the time is up, in the order of providers and queries."""
        begun = [_Call(provider, query) for provider in providers for query in self.queries]
        if not begun:
            return []
        clock = asyncio.get_running_loop().time
        began = clock()
        tasks = [asyncio.create_task(self._one(call)) for call in begun]
        settled = False
        try:
            settled = await self._wait(tasks, began)
            waited = clock() - began
        finally:
            late = [task for task in tasks if not task.done()]
            if settled and self.background is not None:
                for task in late:
                    self.background(_let_end(task))
            else:
                for task in late:
                    task.cancel()
                if late:
                    await asyncio.wait(late, timeout=_GRACE)
        return [
            task.result() if task not in late and not task.cancelled() else self._late(call, waited, settled)
            for task, call in zip(tasks, begun, strict=True)
        ]

    async def _wait(self, tasks: Sequence[asyncio.Task[_Call]], began: float) -> bool:
        """Until all are done, the time is up or, then True, the slow ones have had their chance beside enough."""
        clock = asyncio.get_running_loop().time
        pending, ended = set(tasks), began + self.limits.search_timeout
        done_calls: list[_Call] = []
        until = ended
        while pending and (left := until - clock()) > 0:
            done, pending = await asyncio.wait(pending, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            for task in sorted(done, key=tasks.index):
                done_calls.append(task.result())
                detail = _progress(done_calls[-1])
                self.emit(Progress("searching", detail, done=len(done_calls), total=len(tasks)))
            if until == ended and self._enough(done_calls):
                until = min(ended, clock() + SETTLE)
        return bool(pending) and until < ended

    def _enough(self, done: Sequence[_Call]) -> bool:
        """A provider of the whole web answered every query, and there is as much as will be read."""
        answered: dict[str, int] = {}
        for call in done:
            if call.failure is None and call.provider.scope == "web" and not call.provider.partial:
                answered[call.provider.name] = answered.get(call.provider.name, 0) + 1
        if max(answered.values(), default=0) < len(self.queries):
            return False
        pages = {canonical_url(result.url) for call in done for result in self.permitted(call.results)}
        return len(pages) >= min(self.limits.pages, self.limits.results_per_query * len(self.queries))

    async def _one(self, call: _Call) -> _Call:
        try:
            results = await call.provider.search(
                call.query,
                limit=self.limits.results_per_query,
                freshness=self.freshness,
                focus=self.focus,
                locale=self.locale,
                domains=self.domains.entries,
            )
        except SearchError as failure:
            return replace(call, failure=failure)
        except Exception:
            logger.exception("search provider %s failed in a way it does not know", call.provider.name)
            hint = "The log of the server has the details."
            return replace(call, failure=SearchError(call.provider.name, "malformed", "failed unexpectedly", hint=hint))
        return replace(call, results=results)

    def _late(self, call: _Call, waited: float, settled: bool) -> _Call:
        name = call.provider.name
        if settled:
            told = f"had not answered after {waited:.1f} s, when others had, and was not waited for"
            return replace(call, failure=SearchError(name, "timeout", told), hurried=True)
        hint = "Raise the search time-out, or leave this provider out."
        told = f"did not answer within {self.limits.search_timeout:g} s"
        return replace(call, failure=SearchError(name, "timeout", told, hint=hint))

    def permitted(self, results: Sequence[SearchResult]) -> list[SearchResult]:
        return [result for result in results if self.domains.permits(result.url)]

    def outside(self, calls: Sequence[_Call], kept: Sequence[SearchResult]) -> list[Note]:
        """Why nothing is left, when something was found."""
        if kept or not any(call.results for call in calls):
            return []
        return [Note("outside_domains", "What was found lies outside the sites that were chosen.")]


async def _let_end(task: asyncio.Task[_Call]) -> None:
    with suppress(asyncio.CancelledError):
        await task


def _says_something(call: _Call, focus: Focus) -> bool:
    """An empty index of one's own does not speak for a web that could not be asked."""
    return call.failure is None and (call.provider.scope == "web" or focus == "own" or bool(call.results))


def _silent(calls: Sequence[_Call]) -> frozenset[str]:
    """Providers of which no call was answered and one had all the time there is."""
    late = {
        call.provider.name
        for call in calls
        if call.failure is not None and call.failure.cause == "timeout" and not call.hurried
    }
    return frozenset(late - {call.provider.name for call in calls if call.failure is None})


def _elsewhere(web: Sequence[SearchProvider], focus: Focus) -> list[Note]:
    if not web or any(focus in one.focuses for one in web):
        return []
    return [
        Note("focus_unserved", f"No search provider for {focus} is set up; the web at large was searched.", about=focus)
    ]


def fuse(lists: Iterable[Sequence[SearchResult]]) -> list[SearchResult]:
    """Ranked lists as one, by reciprocal rank; the same page is one entry with its best title and longest snippet.

    A scholarly work under several addresses is one entry too: its DOI says so.
    """
    lists = [list(ranked) for ranked in lists]
    works = {canonical_url(one.url): one.doi for ranked in lists for one in ranked if one.doi}
    found: dict[str, list[SearchResult]] = {}
    scores: dict[str, float] = {}
    for ranked in lists:
        seen: set[str] = set()
        for result in ranked:
            key = works.get(canonical_url(result.url)) or canonical_url(result.url)
            found.setdefault(key, []).append(result)
            if key not in seen:
                seen.add(key)
                scores[key] = scores.get(key, 0.0) + 1 / (_RANK_CONSTANT + len(seen))
    merged = [_merged(same, scores[key]) for key, same in found.items()]
    return sorted(merged, key=lambda result: -result.score)  # stable: of equals, the first provider's goes first


def demote_copies(results: Sequence[SearchResult]) -> list[SearchResult]:
    """Syndicated copies of a text go behind all that is independent; the best placed of them stays where it is."""
    found = clusters([result.text or result.snippet for result in results])
    copies = sorted(position for first, *others in found for position in others)
    return [results[first] for first, *_ in found] + [results[position] for position in copies]


def _merged(same: Sequence[SearchResult], score: float) -> SearchResult:
    return SearchResult(
        url=_best_url([without_tracking(result.url) for result in same]),
        title=max((result.title for result in same), key=_title_value) or host_of(same[0].url),
        snippet=max((result.snippet for result in same), key=len),
        providers=tuple(dict.fromkeys(name for result in same for name in result.providers)),
        published=_first_date(result.published for result in same),
        score=score,
        text=next((result.text for result in same if result.text), None),
        page=next((result.page for result in same if result.page), None),
        authors=max((result.authors for result in same), key=len),
        year=next((result.year for result in same if result.year), None),
        venue=next((result.venue for result in same if result.venue), ""),
        doi=next((result.doi for result in same if result.doi), ""),
    )


def _best_url(urls: Sequence[str]) -> str:
    """Of the encrypted ones the first that is no mere redirect to a publisher, who may want to be paid."""
    secure = [url for url in urls if url.startswith("https://")]
    return next((url for url in secure if host_of(url) not in _RESOLVERS), (secure or urls)[0])


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
                notes[warning] = Note("provider_warning", f"{name}: {warning}", about=name)
    return list(notes.values())


def _told(failure: SearchError, lost: int, asked: int) -> str:
    part = f" ({lost} of {asked} queries)" if lost < asked else ""
    return f"{failure.message.rstrip('.')}{part}. {failure.hint}".strip()

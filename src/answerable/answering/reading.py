"""Pages of search results, read side by side within the stage's budget; one that fails costs only itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from answerable.errors import ReadError
from answerable.events import Emit, Progress, SourcesFound
from answerable.protocols import Background, Limits, Reader
from answerable.text.domains import Domains
from answerable.text.passages import given_page, snippet_page
from answerable.text.sitenames import shown_site_name
from answerable.text.urls import canonical_url, host_of
from answerable.types import Cut, Freshness, Note, Page, SearchResult, Source

SETTLE = 1.0  # seconds without a page, after which the slow rest is not waited for
_MIN_SETTLE = 0.5  # a page of an ordinary host, with its certificate and robots.txt, takes about this long
_MIN_PAGES = 3  # fewer are no ground to stop waiting
# A snippet of these would lend words to an address that nobody should be sent to.
_NO_SNIPPET = {"private_address", "bad_url"}


@dataclass(frozen=True, slots=True)
class ReadSoFar:
    """Pages in search order. `late`: how many were still under way; they go on in the background, into the cache."""

    pages: tuple[Page, ...] = ()
    notes: tuple[Note, ...] = ()
    late: int = 0


@dataclass(slots=True)
class _Reading:
    """What has come of each result, by its place in the search order."""

    results: Sequence[SearchResult]
    emit: Emit
    earlier: Sequence[Page]
    domains: Domains = field(default_factory=Domains)
    pages: dict[int, Page] = field(default_factory=dict)
    notes: dict[int, Note] = field(default_factory=dict)
    finished: int = 0

    def take(self, place: int, page: Page) -> None:
        """A page that redirects led to a site that is shut out is dropped, and its snippet with it."""
        result = self.results[place]
        if not self.domains.permits(page.url):
            self.notes[place] = Note(
                "page_skipped",
                f"{result.url}: it leads to {page.site}, which is shut out",
                about=result.url,
                cause="shut_out",
            )
            self._tell(f"Skipped {result.url}: its site is shut out", result.url, "shut_out")
            return
        self.pages[place] = _with_work(page, result)
        beginning = ", its beginning only" if page.cut else ""
        self._tell(f"Read {page.title or page.url}{beginning}", result.url, cut=page.cut)
        self.emit(SourcesFound(tuple(map(source_of, distinct((*self.earlier, *self.in_order()))))))

    def skip(self, place: int, failure: ReadError) -> None:
        url = self.results[place].url
        self.notes[place] = Note("page_skipped", f"{url}: {_in_words(failure)}", about=url, cause=failure.cause)
        page = None if failure.cause in _NO_SNIPPET else snippet_page(self.results[place])
        if page is not None:
            self.pages[place] = _with_work(page, self.results[place])
        self._tell(f"Skipped {url}: {failure.cause.replace('_', ' ')}", url, failure.cause)

    def _tell(self, detail: str, page: str, cause: str | None = None, cut: Cut | None = None) -> None:
        self.finished += 1
        many = len(self.results)
        self.emit(Progress("reading", detail, done=self.finished, total=many, page=page, cause=cause, cut=cut))

    def in_order(self) -> list[Page]:
        return [self.pages[place] for place in sorted(self.pages)]


async def read_results(
    results: Sequence[SearchResult],
    reader: Reader,
    *,
    limits: Limits,
    background: Background,
    emit: Emit,
    earlier: Sequence[Page] = (),
    freshness: Freshness = "evergreen",
    settle: float = SETTLE,
    domains: Domains | None = None,
) -> ReadSoFar:
    """What could be read of the first `limits.pages` results before the deadline, or before the rest proved slow.

    A page that failed or is late is stood in for by the provider's snippet, marked so. `earlier` are the pages of
    earlier rounds, which the sources told of go on to hold. `domains`: where a page may be, whatever its result said.
    """
    reading = _Reading(results[: limits.pages], emit, earlier, domains or Domains())
    if not reading.results:
        return ReadSoFar()
    urls = tuple(result.url for result in reading.results)
    emit(Progress("reading", _counted(len(urls)), pages=urls, done=0, total=len(urls)))
    tasks: dict[asyncio.Task[Page], int] = {}
    for place, result in enumerate(reading.results):
        given = given_page(result)
        if given is not None:
            reading.take(place, given)
        else:
            tasks[asyncio.create_task(reader.read(result, freshness=freshness))] = place
    try:
        await _until_enough(tasks, reading, limits.read_timeout, settle)
    except BaseException:  # cancelled, or a fault of ours: nothing is left running
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
    late = [task for task in tasks if not task.done()]
    for task in late:
        _hand_over(task, tasks[task], reading, background)
    notes = tuple(reading.notes[place] for place in sorted(reading.notes))
    return ReadSoFar(distinct(reading.in_order()), notes, len(late))


async def _until_enough(tasks: dict[asyncio.Task[Page], int], reading: _Reading, timeout: float, settle: float) -> None:
    clock = asyncio.get_running_loop().time
    began, pending = clock(), set(tasks)
    latest = began
    while pending and (left := began + timeout - clock()) > 0:
        if _may_stop(reading):
            quiet = min(settle, max(_MIN_SETTLE, 1.5 * (latest - began)))
            left = min(left, latest + quiet - clock())
        done, pending = await asyncio.wait(pending, timeout=max(0, left), return_when=asyncio.FIRST_COMPLETED)
        if not done:
            return
        latest = clock()
        for task in sorted(done, key=tasks.__getitem__):
            try:
                reading.take(tasks[task], task.result())
            except ReadError as failure:
                reading.skip(tasks[task], failure)


def _may_stop(reading: _Reading) -> bool:
    """Whether the rest is a minority that can be done without; pages from the cache alone must not decide that."""
    read = sum(page.read_as == "page" for page in reading.pages.values())
    return read >= _MIN_PAGES and 2 * reading.finished >= len(reading.results)


def _hand_over(task: asyncio.Task[Page], place: int, reading: _Reading, background: Background) -> None:
    background(_finish(task))
    reading.skip(place, ReadError(reading.results[place].url, "timeout", "still being read; not waited for"))


async def _finish(task: asyncio.Task[Page]) -> None:
    """Lets a late page reach the cache; its failure concerns nobody any more."""
    with suppress(ReadError):
        await task


def source_of(page: Page) -> Source:
    return Source(
        page.page_id,
        page.url,
        page.title,
        page.site,
        page.published,
        page.read_as,
        authors=page.authors,
        year=page.year,
        venue=page.venue,
        fetched=page.checked or page.fetched,
        cut=page.cut,
        site_name=shown_site_name(page.site_name, page.url),
    )


def _with_work(page: Page, result: SearchResult) -> Page:
    """What the provider told of a scholarly work, which its page seldom says in a way that can be read."""
    if not (result.authors or result.year or result.venue):
        return page
    return replace(page, authors=result.authors, year=result.year, venue=result.venue)


def distinct(pages: Iterable[Page]) -> tuple[Page, ...]:
    """Each page once, where it stands first. Two addresses of one host are one page when their pages call the same
    address their own and hold the same words; either alone is no proof, since shops call their front page the address
    of every page, and a canonical address on another host proves nothing at all."""
    kept: dict[object, Page] = {}
    seen: set[str] = set()
    for page in pages:
        if page.page_id not in seen:
            seen.add(page.page_id)
            kept.setdefault(_identity(page), page)
    return tuple(kept.values())


def _identity(page: Page) -> object:
    own = page.canonical or page.url
    if page.read_as == "snippet" or not page.text.strip() or host_of(own) != host_of(page.url):
        return page.page_id
    return (canonical_url(own), " ".join(page.text.split()))


def _in_words(failure: ReadError) -> str:
    cause = failure.cause.replace("_", " ")
    if failure.http_status is not None:
        cause += f" {failure.http_status}"
    return cause if failure.message in {"", failure.cause.replace("_", " ")} else f"{cause} ({failure.message})"


def _counted(number: int) -> str:
    return f"Reading {number} page{'' if number == 1 else 's'}"

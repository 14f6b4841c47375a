"""Search without an answer: plan, search, read, rank. For those who write themselves from what was found."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain, zip_longest
from typing import Literal

from answerable.answering.budget import Stopwatch
from answerable.answering.gathering import Gathered, gather, rank_gathered
from answerable.answering.planning import plan_question
from answerable.answering.ranking import age_of
from answerable.errors import BadRequest
from answerable.events import Emit, Progress, ignore
from answerable.protocols import Limits, Parts
from answerable.schemas import QUESTION_CHARS
from answerable.text.cleaning import storable
from answerable.text.urls import canonical_url, host_of
from answerable.types import Cut, Evidence, Freshness, Note, Page, Passage, Plan, Question, ReadAs, SearchResult

Recency = Literal["hour", "day", "week", "month", "year"]
MOST_RESULTS = 20
PASSAGES_EACH = 3  # of one page
WITHIN: dict[Recency, timedelta] = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}
MOST_QUERIES = 5


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """The words of a page that bear on the query. `score`: 0 to 1, of the reranker; `headings`: outermost first."""

    text: str
    score: float
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page that was found. `passages`: best first, none when nothing of it bears on the query; `snippet`: the
    provider's own extract, or the best passage where it gave none; `date`: published, `last_updated`: changed since."""

    title: str
    url: str
    snippet: str
    date: datetime | None
    last_updated: datetime | None
    read_as: ReadAs
    passages: tuple[FoundPassage, ...] = ()
    cut: Cut | None = None  # why only its beginning was read


@dataclass(frozen=True, slots=True)
class Searched:
    """Best first. `queries`: what the providers were asked; `notes`: providers and pages that failed."""

    results: tuple[FoundPage, ...]
    queries: tuple[str, ...]
    notes: tuple[Note, ...] = ()


def search_queries(query: str | Sequence[str]) -> list[str]:
    """One query or a few, cleaned. Raises BadRequest for none, too many, or one that is empty or too long."""
    given = [query] if isinstance(query, str) else list(query)
    queries = [" ".join(storable(one).split()) for one in given]
    if not queries or not all(queries):
        raise BadRequest("the query is empty", hint="Write what to search for.")
    if len(queries) > MOST_QUERIES:
        raise BadRequest(f"{len(queries)} queries are too many at once", hint=f"Send at most {MOST_QUERIES}.")
    if longest := next((one for one in queries if len(one) > QUESTION_CHARS), ""):
        raise BadRequest(f"the query has {len(longest):,} characters; {QUESTION_CHARS:,} can be searched for")
    return queries


def fresh_enough(recency: Recency | None) -> Freshness | None:
    """How a search provider is told of it; None: the plan decides."""
    if recency is None:
        return None
    return "live" if recency in {"hour", "day"} else "recent"


async def search_and_read(
    questions: Sequence[Question],
    parts: Parts,
    *,
    max_results: int = 10,
    recency: Recency | None = None,
    emit: Emit = ignore,
) -> Searched:
    """One round of the pipeline a question, without writing; of several, the best of each come first.

    With `recency`, pages of a known date before it are left out, and those of unknown date come last.
    """
    limited = replace(parts, limits=_limits(parts.limits, max_results))
    async with asyncio.TaskGroup() as group:
        rounds = [group.create_task(_one(question, limited, recency, emit)) for question in questions]
    found = [task.result() for task in rounds]
    once: dict[str, FoundPage] = {}
    for page in chain.from_iterable(zip_longest(*(one.results for one in found))):
        if page is not None:
            once.setdefault(canonical_url(page.url), page)
    return Searched(
        tuple(once.values())[:max_results],
        tuple(dict.fromkeys(query for one in found for query in one.queries)),
        tuple(dict.fromkeys(note for one in found for note in one.notes)),
    )


async def _one(question: Question, parts: Parts, recency: Recency | None, emit: Emit) -> Searched:
    watch = Stopwatch()
    plan = await _plan(question, parts)
    gathered = await gather(plan.queries, plan, question, parts, Gathered(), emit, watch)
    emit(Progress("ranking", f"Ranking {len(gathered.passages)} passages"))
    ranked, gathered = await rank_gathered(plan, gathered, parts, question.now)
    pages = _in_order(ranked.evidence, gathered.pages)
    if recency is not None:
        pages = _recent(pages, question.now, WITHIN[recency])
    given = {canonical_url(result.url): result for result in gathered.results}
    found = [_found(page, ranked.evidence, given.get(canonical_url(page.url))) for page in pages]
    return Searched(tuple(found), gathered.asked, gathered.notes)


async def _plan(question: Question, parts: Parts) -> Plan:
    """Greetings are searched for too: whoever calls a search wants one."""
    plan = (await plan_question(question, parts.small_model, parts.limits)).plan
    return plan if plan.queries else replace(plan, kind="lookup", queries=(plan.standalone_question,))


def _limits(limits: Limits, results: int) -> Limits:
    """As many pages as were asked for, and their best passages."""
    return replace(
        limits,
        results_per_query=max(limits.results_per_query, results),
        pages=max(limits.pages, results),
        candidates=max(limits.candidates, results),
        passages=PASSAGES_EACH * results,
        passages_per_site=PASSAGES_EACH * results,
        evidence_chars=max(limits.evidence_chars, 3_000 * results),
        context_tokens=0,
    )


def _in_order(evidence: Evidence, pages: Sequence[Page]) -> list[Page]:
    """Those with a passage on the subject by their best one, then the others as they were found."""
    held = {page.page_id for page in evidence.pages}
    return [*evidence.pages, *(page for page in pages if page.page_id not in held)]


def _recent(pages: Sequence[Page], now: datetime, within: timedelta) -> list[Page]:
    ages = [(page, age_of(page, now)) for page in pages]
    return [page for page, age in ages if age is not None and age <= within] + [p for p, age in ages if age is None]


def _found(page: Page, evidence: Evidence, result: SearchResult | None) -> FoundPage:
    own = [
        FoundPassage(_words(passage), round(score, 4), passage.headings)
        for passage, score in zip(evidence.passages, evidence.scores, strict=True)
        if passage.page_id == page.page_id
    ][:PASSAGES_EACH]
    snippet = (result.snippet if result else "") or (own[0].text if own else "")
    published = page.published or (result.published if result else None)
    title = page.title or (result.title if result else "") or host_of(page.url)
    return FoundPage(title, page.url, snippet, published, page.modified, page.read_as, tuple(own), page.cut)


def _words(passage: Passage) -> str:
    return f"{passage.context}\n{passage.text}" if passage.context else passage.text

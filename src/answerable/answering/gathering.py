"""One round: search, read, cut into passages. What is gathered only grows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from answerable.answering.budget import Stopwatch
from answerable.answering.ranking import Ranked, rank_passages
from answerable.answering.reading import read_results
from answerable.answering.retrieval import search_all
from answerable.answering.sites import Tastes
from answerable.events import Emit, Progress
from answerable.protocols import Limits, Parts
from answerable.text.analysis import index_tokens
from answerable.text.domains import Domains
from answerable.text.instructions import instructs
from answerable.text.passages import best_part, passage_id_of
from answerable.text.sentences import split_sentences
from answerable.text.urls import canonical_url
from answerable.types import Note, Page, Passage, Plan, Question, SearchResult


@dataclass(frozen=True, slots=True)
class Gathered:
    """All that was searched and read in this turn."""

    asked: tuple[str, ...] = ()
    results: tuple[SearchResult, ...] = ()
    pages: tuple[Page, ...] = ()
    passages: tuple[Passage, ...] = ()
    notes: tuple[Note, ...] = ()
    answered: bool = False  # a provider answered, if only with nothing
    silent: frozenset[str] = frozenset()  # providers that did not answer in time

    @property
    def by_id(self) -> dict[str, Page]:
        return {page.page_id: page for page in self.pages}

    def noting(self, notes: Iterable[Note]) -> Gathered:
        return replace(self, notes=_once((*self.notes, *notes)))


async def gather(
    queries: Sequence[str], plan: Plan, question: Question, parts: Parts, so_far: Gathered, emit: Emit, watch: Stopwatch
) -> Gathered:
    """`so_far` and what these queries bring. Failures are notes; `watch` learns how long each stage took."""
    limits = parts.limits
    emit(Progress("searching", _counted("Searching", len(queries), "query", "queries"), queries=tuple(queries)))
    with watch("searching"):
        found = await search_all(
            queries,
            parts.searchers,
            freshness=plan.freshness,
            focus=question.focus,
            locale=plan.language,
            limits=limits,
            emit=emit,
            domains=question.domains,
            silent=so_far.silent,
            background=parts.background,
        )
    known = {canonical_url(result.url) for result in so_far.results}
    new = [result for result in found.results if canonical_url(result.url) not in known]
    with watch("reading"):
        read = await read_results(
            new,
            parts.reader,
            limits=limits,
            background=parts.background,
            emit=emit,
            earlier=so_far.pages,
            domains=Domains.of(question.domains),
            freshness=plan.freshness,
        )
    held = {page.page_id for page in so_far.pages}
    pages = tuple(page for page in read.pages if page.page_id not in held)
    with watch("reading"):
        passages, flagged = await asyncio.to_thread(_passages_of, pages, plan, limits)
    return Gathered(
        asked=(*so_far.asked, *queries),
        results=(*so_far.results, *new),
        pages=(*so_far.pages, *pages),
        passages=(*so_far.passages, *passages),
        notes=_once((*so_far.notes, *found.notes, *read.notes, *map(_instructing, flagged))),
        answered=so_far.answered or found.answered,
        silent=so_far.silent | found.silent,
    )


async def rank_gathered(plan: Plan, gathered: Gathered, parts: Parts, now: datetime) -> tuple[Ranked, Gathered]:
    """The evidence in what was gathered, and the same with notes of what failed on the way."""
    ranked = await rank_passages(
        plan.standalone_question,
        gathered.passages,
        gathered.by_id,
        embedder=parts.embedder,
        reranker=parts.reranker,
        plan=plan,
        limits=parts.limits,
        floor=parts.ranking_floor,
        now=now,
        careful=parts.careful,
        tastes=Tastes(parts.prefer_sites, parts.avoid_sites),
    )
    return ranked, gathered.noting(ranked.notes)


def _passages_of(pages: Iterable[Page], plan: Plan, limits: Limits) -> tuple[list[Passage], list[Page]]:
    """Passages of the best part of each page, and the pages that spoke to a model."""
    passages: list[Passage] = []
    flagged: list[Page] = []
    words = index_tokens(plan.standalone_question)
    for page in pages:
        kept, tried = without_instructions(best_part(page, words, limits.page_chars))
        passages += kept
        if tried or page.instructs:
            flagged.append(page)
    return passages, flagged


def without_instructions(passages: Sequence[Passage]) -> tuple[list[Passage], bool]:
    """Passages without the sentences that speak to a model; what stands around them is kept, span for span."""
    kept: list[Passage] = []
    tried = False
    for passage in passages:
        if not instructs(passage.text):
            kept.append(passage)
            continue
        tried = True
        kept += _around(
            passage, [span for span in split_sentences(passage.text) if instructs(passage.text[slice(*span)])]
        )
    return kept, tried


def _around(passage: Passage, spans: Sequence[tuple[int, int]]) -> list[Passage]:
    if not spans:  # it instructs only as a whole, over a sentence's end: none of it can be trusted
        return []
    starts, ends = [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(passage.text)]
    return [
        part
        for start, end in zip(starts, ends, strict=True)
        if len((part := _part(passage, start, end)).text) >= 40 and not instructs(part.text)
    ]


def _part(passage: Passage, start: int, end: int) -> Passage:
    text = passage.text[start:end]
    start += len(text) - len(text.lstrip())
    text = text.strip()
    first, last = passage.start + start, passage.start + start + len(text)
    id = passage_id_of(passage.passage_id, text, passage.text.count(text, 0, start))
    return replace(passage, passage_id=id, start=first, end=last, text=text)


def _instructing(page: Page) -> Note:
    where = page.title or page.url
    return Note(
        "source_instructs",
        f"{where} ({page.site}) holds text that tries to instruct a model; that text was left out",
        about=page.url,
    )


def _once(notes: Iterable[Note]) -> tuple[Note, ...]:
    return tuple(dict.fromkeys(notes))


def _counted(verb: str, number: int, one: str, many: str) -> str:
    return f"{verb} {number} {one if number == 1 else many}"

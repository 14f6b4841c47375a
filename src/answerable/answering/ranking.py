"""From all passages read to the few that the writer sees: wide net, careful look, then a fair selection."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from answerable.answering.budget import Stopwatch
from answerable.answering.releases import lists_releases
from answerable.answering.sites import NO_TASTES, Tastes, is_sought, quality
from answerable.errors import RerankError
from answerable.protocols import Embedder, Limits, Reranker, Vectors
from answerable.text.analysis import index_tokens, tokens
from answerable.text.bm25 import BM25
from answerable.text.copies import Shingles, repeats, shingles
from answerable.text.relevance import question_tokens
from answerable.types import Evidence, Freshness, Note, Page, Passage, Plan

FLOOR = 0.2  # keeps 97 of 100 passages that answer and 3 of 100 on other subjects: training/fit_reranker.py
SHINGLE = 4  # words; passages of one subject share more in a row than pages of different hosts

# Where newness matters, passages are compared by the logarithm of their age in these units: for a `live` question an
# hour is far from a day, for a `recent` one a day is near to a week.
UNIT: dict[Freshness, timedelta] = {"live": timedelta(hours=12), "recent": timedelta(days=14)}
AT_STAKE: dict[Freshness, float] = {"live": 0.5, "recent": 0.4}  # what the oldest passage loses
SPAN = 4.0  # doublings of age that make the whole difference, when the candidates lie no further apart
UNSEEN_TOKENS = 2_000  # of the writer's context: instructions, question, and room for the answer
HEAD_TOKENS = 40  # title, site and date above a source
OLDEST = datetime(1990, 1, 1, tzinfo=UTC)  # no page of the web is older; such dates are defaults of broken clocks
AHEAD = timedelta(days=1)  # a date without a zone may lie a day ahead; anything later is an error or a trick


@dataclass(frozen=True, slots=True)
class Ranked:
    """`best` is the top score of all candidates, also when it lies below the floor; `timings` in ms a step."""

    evidence: Evidence
    best: float
    timings: dict[str, float]
    notes: tuple[Note, ...] = ()


@runtime_checkable
class Ordering(Protocol):
    """A reranker that, having scored texts one by one, can put them in a better order by looking at them together."""

    async def order(self, question: str, texts: Sequence[str], scores: Sequence[float]) -> list[float]: ...


@dataclass(frozen=True, slots=True)
class Scored:
    passage: Passage
    page: Page
    score: float  # of the reranker, a chance: the floor holds for it
    relevance: float | None = None  # what the order rests on, where it is not the score
    order: float = 0.0  # what the passages are sorted by: the score with newness and source quality


async def rank_passages(
    question: str,
    passages: Sequence[Passage],
    pages: Mapping[str, Page],
    *,
    embedder: Embedder,
    reranker: Reranker,
    plan: Plan,
    limits: Limits,
    now: datetime,
    floor: float = FLOOR,
    careful: Reranker | None = None,
    tastes: Tastes = NO_TASTES,
) -> Ranked:
    """The evidence for the reader's standalone question. The order in which passages came makes no difference.

    `careful` orders what `reranker` lets through; when it fails, a note says so and `reranker` orders it.
    """
    watch = Stopwatch()
    known = in_fixed_order(passages)
    if not known:
        return Ranked(Evidence(), 0.0, {})
    texts = [ranking_text(passage, pages[passage.page_id]) for passage in known]

    with watch("wide net"):
        likely = await wide_net(question, texts, embedder, limits.candidates)
        sought = {i for i, passage in enumerate(known) if passage.start == 0 and _is_kept(pages[passage.page_id], plan)}
        likely += sorted(sought - set(likely))
    with watch("careful look"):
        candidates = [texts[i] for i in likely]
        (relevance, notes), scores = await asyncio.gather(
            _by_choice(careful, question, candidates), reranker.score(question, candidates)
        )
        if careful is None and isinstance(reranker, Ordering):
            relevance = await reranker.order(question, candidates, scores)
    with watch("selection"):
        scored = [
            Scored(known[i], pages[known[i].page_id], score, chosen)
            for i, score, chosen in zip(likely, scores, relevance, strict=True)
            if score >= floor or i in sought
        ]
        evidence = await asyncio.to_thread(select, weighed(scored, plan, now, tastes), limits)
    return Ranked(evidence, max(scores), dict(watch.timings), notes)


def _is_kept(page: Page, plan: Plan) -> bool:
    """Whether its beginning is evidence however few of the question's words it holds."""
    return is_sought(page, plan) or lists_releases(page, plan.standalone_question)


async def _by_choice(
    careful: Reranker | None, question: str, texts: Sequence[str]
) -> tuple[Sequence[float | None], tuple[Note, ...]]:
    """Scores of the reranker that was chosen, none when there is none or it failed."""
    nothing = [None] * len(texts)
    if careful is None:
        return nothing, ()
    try:
        return await careful.score(question, texts), ()
    except RerankError as failure:
        told = f"{failure.message}. The local reranker put the passages in order."
        return nothing, (Note("reranker_failed", told, about=failure.reranker),)


def in_fixed_order(passages: Sequence[Passage]) -> list[Passage]:
    """Each passage once. Vectors and ties then never depend on the order of arrival."""
    once = {passage.passage_id: passage for passage in passages}
    return sorted(once.values(), key=lambda passage: (passage.page_id, passage.start, passage.end))


def ranking_text(passage: Passage, page: Page) -> str:
    """A passage as search models see it: with the title, headings and table header without which it says less."""
    above = dict.fromkeys(part.strip() for part in (page.title, *passage.headings) if part.strip())
    lines = [" · ".join(part[:150] for part in above if not passage.text.startswith(part))]
    lines += [passage.context[:300], passage.text[:4_000]]
    return "\n".join(line for line in lines if line)


async def wide_net(question: str, texts: Sequence[str], embedder: Embedder, limit: int) -> list[int]:
    """Positions of the likeliest texts by words and by meaning; of all, when they are few."""
    if len(texts) <= limit:
        return list(range(len(texts)))
    async with asyncio.TaskGroup() as group:
        by_words = group.create_task(asyncio.to_thread(word_scores, question, texts))
        by_meaning = group.create_task(embedder.embed([question, *texts]))
    fused = (normalised(by_words.result()) + normalised(likeness(by_meaning.result()))) / 2
    return [int(i) for i in np.argsort(-fused, kind="stable")[:limit]]


def word_scores(question: str, texts: Sequence[str]) -> NDArray[np.float64]:
    return BM25([index_tokens(text) for text in texts]).scores(question_tokens(question))


def likeness(vectors: Vectors) -> NDArray[np.float64]:
    """Cosine of every row to the first one, which is left out."""
    cosines: NDArray[np.float64] = (vectors[1:] @ vectors[0]).astype(np.float64)
    return cosines


def normalised(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Stretched to 0 to 1; all zero when they do not differ. Beats fusing ranks on CLAPNQ: benchmarks/ranking.py."""
    low, high = scores.min(), scores.max()
    stretched: NDArray[np.float64] = (scores - low) / (high - low) if high > low else np.zeros_like(scores)
    return stretched


def weighed(scored: Sequence[Scored], plan: Plan, now: datetime, tastes: Tastes) -> list[Scored]:
    """In the order for the reader. Past the floor all speak of the subject, so the root lets the newer come forward."""
    factors = newness([one.page for one in scored], plan.freshness, now)
    return [
        replace(
            one,
            order=math.sqrt(one.score if one.relevance is None else one.relevance)
            * factor
            * quality(one.page, plan, tastes)
            + (one.passage.start == 0 and lists_releases(one.page, plan.standalone_question)),
        )
        for one, factor in zip(scored, factors, strict=True)
    ]


def newness(pages: Sequence[Page], freshness: Freshness, now: datetime) -> list[float]:
    """A factor a page: 1 for the newest, less for older ones, least for the oldest and for those of unknown date.

    It compares the pages at hand, since what counts as new depends on the subject: an office changes hands in years,
    a score in minutes.
    """
    ages = [age_of(page, now) for page in pages]
    if freshness not in UNIT or not any(age is not None for age in ages):
        return [1.0] * len(pages)
    places = [None if age is None else math.log2(1 + age / UNIT[freshness]) for age in ages]
    dated = [place for place in places if place is not None]
    newest, width = min(dated), max(SPAN, max(dated) - min(dated))
    return [1 - AT_STAKE[freshness] * (1.0 if place is None else (place - newest) / width) for place in places]


def age_of(page: Page, now: datetime) -> timedelta | None:
    """Since it was last changed, as the page says; None when it does not say or says what cannot be."""
    dates = [date if date.tzinfo else date.replace(tzinfo=UTC) for date in (page.published, page.modified) if date]
    now = now if now.tzinfo else now.replace(tzinfo=UTC)
    possible = [date for date in dates if OLDEST <= date <= now + AHEAD]
    return max(timedelta(0), now - max(possible)) if possible else None


def select(scored: Sequence[Scored], limits: Limits) -> Evidence:
    """Best first: not said before, not too many of one site, within the budget of characters."""
    kept = list(within_budget(spread(distinct(best_first(scored)), limits.passages_per_site), limits))
    pages = {one.page.page_id: one.page for one in kept}
    return Evidence(
        pages=tuple(pages.values()),
        passages=tuple(one.passage for one in kept),
        scores=tuple(one.score for one in kept),
    )


def best_first(scored: Sequence[Scored]) -> list[Scored]:
    return sorted(scored, key=lambda one: (-one.order, one.passage.page_id, one.passage.start))


def distinct(scored: Sequence[Scored]) -> Iterator[Scored]:
    """Without passages that repeat a better one. Other figures are another statement, however alike the words."""
    seen: list[tuple[Shingles, frozenset[str]]] = []
    for one in scored:
        words = tokens(one.passage.text)
        own = shingles(words, SHINGLE)
        figures = frozenset(word for word in words if word[0].isdigit())
        if any(figures <= others and repeats(own, shown) for shown, others in seen):
            continue
        seen.append((own, figures))
        yield one


def spread(scored: Iterator[Scored], most: int) -> Iterator[Scored]:
    sites: Counter[str] = Counter()
    for one in scored:
        sites[one.page.site] += 1
        if sites[one.page.site] <= most:
            yield one


def within_budget(scored: Iterator[Scored], limits: Limits) -> Iterator[Scored]:
    """A passage too long for what is left makes room for a shorter one after it."""
    left, places = limits.evidence_chars, limits.passages
    tokens_left = limits.context_tokens - UNSEEN_TOKENS if limits.context_tokens else None
    for one in scored:
        size = len(one.passage.text) + len(one.passage.context)
        cost = tokens_in(one.passage.text) + tokens_in(one.passage.context) + HEAD_TOKENS
        if places and size <= left and (tokens_left is None or cost <= tokens_left):
            left, places = left - size, places - 1
            tokens_left = None if tokens_left is None else tokens_left - cost
            yield one


def tokens_in(text: str) -> int:
    """About how many tokens a model makes of it, rather too many: three bytes of Latin text each, and one a character
    of scripts that the tokenisers know less of."""
    return math.ceil(sum(1 / 3 if character < "\u0370" else 1.0 for character in text))

"""The search for the likely query starts while a model still plans; it is kept when the plan agrees."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Any

from answerable.answering.planning import Planned, plan_by_rules, plan_question
from answerable.answering.retrieval import search_all
from answerable.protocols import Parts
from answerable.text.analysis import content_words, stem
from answerable.types import Plan, Question

AGREES = 0.5  # share of all words of two queries that both have
LET_GO = 0.2  # seconds a cancelled search has


async def plan_beside_search(question: Question, parts: Parts) -> Planned:
    """The plan; what was begun beside it is found again in the memory of the providers, so it costs nothing more.

    A search that the plan does not want is cancelled.
    """
    likely = plan_by_rules(question)
    web = tuple(one for one in parts.searchers if one.scope == "web")
    if parts.small_model is None or not likely.queries or not web or question.focus == "own":
        return await plan_question(question, parts.small_model, parts.limits)
    begun = asyncio.create_task(
        search_all(
            likely.queries[:1],
            web,
            freshness=likely.freshness,
            focus=question.focus,
            locale=likely.language,
            limits=parts.limits,
            domains=question.domains,
        )
    )
    kept = False
    try:
        planned = await plan_question(question, parts.small_model, parts.limits)
        plan = with_likely(planned.plan, likely)
        kept = likely.queries[0] in plan.queries and _same_way(plan, likely)
    finally:
        if not kept:
            begun.cancel()
            await asyncio.wait([begun], timeout=LET_GO)
    if kept:
        parts.background(_ended(begun))
    return replace(planned, plan=plan)


def with_likely(plan: Plan, likely: Plan) -> Plan:
    """The plan with the query that is under way in the place of one of nearly the same words."""
    if not _same_way(plan, likely) or likely.queries[0] in plan.queries:
        return plan
    own = _stems(likely.queries[0], likely.language)
    for place, query in enumerate(plan.queries):
        words = _stems(query, plan.language)
        if len(own & words) >= AGREES * len(own | words):
            return replace(plan, queries=(*plan.queries[:place], likely.queries[0], *plan.queries[place + 1 :]))
    return plan


def _same_way(plan: Plan, likely: Plan) -> bool:
    """Providers are asked with freshness and language, too."""
    return (plan.freshness, plan.language) == (likely.freshness, likely.language)


def _stems(query: str, language: str) -> set[str]:
    return {stem(word, language) for word in content_words(query, language)}


async def _ended(task: asyncio.Task[Any]) -> None:
    with suppress(asyncio.CancelledError):
        await task

"""What may be asked next, by a model within its own budget; nothing when there is none, or when it is late."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime

from answerable.answering.checking import CheckedAnswer
from answerable.answering.prompting import related_messages
from answerable.errors import LLMError
from answerable.protocols import LLM, Limits
from answerable.types import Plan, Usage

MOST = 3
QUESTION_CHARS = 200


@dataclass
class RelatedOut:
    """What a model returns."""

    questions: list[str]


@dataclass(frozen=True, slots=True)
class Related:
    questions: tuple[str, ...] = ()
    usage: Usage = Usage()


async def related_questions(
    plan: Plan, checked: CheckedAnswer, llm: LLM | None, limits: Limits, now: datetime
) -> Related:
    """At most three, each once, none that was just asked. Never raises for the model."""
    if llm is None or not checked.citations:
        return Related()
    titles = list(dict.fromkeys(citation.title for citation in checked.citations))
    messages = related_messages(plan, checked.answer, titles, now)
    try:
        async with asyncio.timeout(limits.suggest_timeout):
            out, usage = await llm.structured(messages, RelatedOut, timeout=limits.suggest_timeout)
    except (LLMError, TimeoutError):
        return Related()
    folded = (" ".join(question.split()) for question in out.questions)
    fitting = [q for q in folded if 0 < len(q) <= QUESTION_CHARS and q != plan.standalone_question]
    return Related(tuple(dict.fromkeys(fitting))[:MOST], usage)

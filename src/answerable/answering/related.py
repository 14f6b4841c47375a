"""What may be asked next: by a model within its own budget, by rules where there is none; nothing when it is late."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from answerable.answering.checking import CheckedAnswer
from answerable.answering.gathering import Gathered
from answerable.answering.prompting import related_messages
from answerable.answering.related_rules import MOST_PASSAGES, Read, by_rules, distinct
from answerable.errors import LLMError
from answerable.protocols import LLM, Limits, Parts
from answerable.text.analysis import content_words, stems
from answerable.text.languages import detect
from answerable.types import Plan, Question, Usage

_log = logging.getLogger(__name__)
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
    question: Question, plan: Plan, checked: CheckedAnswer, gathered: Gathered, parts: Parts
) -> Related:
    """At most three, each once, about what was read, none that was asked before. Never raises for the model."""
    if not checked.citations:
        return Related()
    read = _read(question, plan, checked, gathered)
    try:
        async with asyncio.timeout(parts.limits.suggest_timeout):
            if parts.small_model is not None:
                try:
                    return await _by_model(question, plan, read, parts.small_model, parts.limits)
                except LLMError as fault:
                    if fault.cause == "timeout":
                        return Related()
            return Related(await asyncio.to_thread(by_rules, read, MOST))
    except TimeoutError:
        return Related()
    except Exception:  # noqa: BLE001  # the answer is whole: whatever goes wrong here must not cost it
        _log.exception("related questions failed")
        return Related()


def _read(question: Question, plan: Plan, checked: CheckedAnswer, gathered: Gathered) -> Read:
    """The cited pages in the order of their numbers; their passages, then those of the other pages that were read."""
    place = {page_id: n for n, page_id in enumerate(checked.numbers)}
    passages = sorted(gathered.passages, key=lambda p: (place.get(p.page_id, len(place)), p.page_id, p.start))
    before = [text for past in question.history for text in (past.standalone_question, past.question)]
    return Read(
        asked=(plan.standalone_question, question.text, *before),
        language=plan.language,
        answer=checked.answer,
        pages=tuple(gathered.by_id[page_id] for page_id in checked.numbers),
        passages=tuple(passages[:MOST_PASSAGES]),
    )


async def _by_model(question: Question, plan: Plan, read: Read, llm: LLM, limits: Limits) -> Related:
    titles = list(dict.fromkeys(page.title for page in read.pages))
    messages = related_messages(plan, read.answer, titles, question.now)
    out, usage = await llm.structured(messages, RelatedOut, timeout=limits.suggest_timeout)
    folded = (" ".join(text.split()) for text in out.questions)
    fitting = [text for text in folded if 0 < len(text) <= QUESTION_CHARS and _grounded(text, read)]
    return Related(distinct(fitting, read.asked, read.language, MOST), usage)


def _grounded(question: str, read: Read) -> bool:
    """Shares a word with what was read; in another language than the pages, words cannot tell."""
    text = " ".join([read.answer, *(page.title for page in read.pages), *(p.text for p in read.passages)])
    language = detect(question)
    if detect(text) != language:
        return True
    known = set(stems(text, language))
    return any(stem in known for word in content_words(question, language) for stem in stems(word, language))

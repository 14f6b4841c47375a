"""From a question to a plan: standalone question, search queries, freshness, kind. Rules first; a model refines.

The rules take well under a millisecond, so a plan always exists; a small model has its own time-out and is never waited
for beyond it. No constraint enters that the reader did not ask for.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from answerable.answering.asked import as_asked, invents
from answerable.answering.compound import asked_parts
from answerable.answering.followups import standalone_question
from answerable.answering.parts import compared, compares, one_of
from answerable.answering.prompting import followup_messages, plan_messages
from answerable.errors import LLMError
from answerable.protocols import LLM, Limits
from answerable.text.analysis import content_words, fold, stems
from answerable.text.casing import with_capitals
from answerable.text.languages import detect
from answerable.types import Freshness, Kind, Note, PastTurn, Plan, Question, Usage

MAX_QUERIES = 4


_CHAT = re.compile(
    "^"
    + one_of("""hi|hello|hey|hiya|good (?:morning|evening|afternoon|night)|thanks?(?: you)?(?: (?:so|very) much)?|thx|
        ty|cheers|ok(?:ay)?|great|cool|nice|bye|goodbye|see you|hallo|guten (?:tag|morgen|abend)|danke(?: sch[oö]n)?|
        tsch[uü]ss|bonjour|salut|merci(?: beaucoup)?|au revoir|hola|buenos d[ií]as|(?:muchas )?gracias|adi[oó]s|ciao|
        grazie|ol[aá]|obrigad[oa]|привет|спасибо|こんにちは|ありがとう(?:ございます)?|你好|谢谢|謝謝|नमस्ते|धन्यवाद|مرحبا|شكرا""")
    + "$"
)
_LIVE = re.compile(
    r"\b"
    + one_of("""right now|at the moment|today|tonight|live (?:score|result|update)s?|weather|breaking|
        this (?:morning|hour)|heute|gerade|aujourd['’]hui|en ce moment|hoy|ahora mismo|oggi|hoje|vandaag|
        сегодня|сейчас""")
    + r"\b|今日|今天|现在|現在|आज|अभी|اليوم|الآن",
    re.IGNORECASE,
)
_RECENT = re.compile(
    r"\b"
    + one_of(r"""latest|newest|recent(?:ly)?|current(?:ly)?|now(?:adays)?|new|news|yesterday|so far|up to date|still|
        this (?:week|month|season|year)|last (?:night|week|month)|next|upcoming|aktuell\w*|neu(?:e[sr]?|este\w*)|
        gestern|zuletzt|jetzt|diese woche|derni[eè]re?s?|actuel\w*|r[eé]cent\w*|hier|cette semaine|últim[oa]s?|
        actual\w*|reciente\w*|ayer|esta semana|ultim[oi]|attual\w*|recente\w*|ieri|ontem|gisteren|последн\w*|вчера|
        недавн\w*""")
    + r"\b|最新|最近|昨日|昨天|नवीनतम|أحدث",
    re.IGNORECASE,
)
_OPINION = re.compile(r"\b(?:best|should (?:i|we)|recommend|worth it|which .* to (?:buy|choose)|do you think)\b", re.I)
_NAVIGATIONAL = re.compile(r"\b(?:official (?:site|website|page)|home ?page|website of|log ?in|download page)\b", re.I)
_SENSITIVE = re.compile(
    r"\b"
    + one_of(r"""dose|dosage|symptoms?|disease|medicines?|drugs?|tablets?|vaccin\w*|pregnan\w*|cancer|blood pressure|
        side effects?|treatment|overdose|fever|allerg\w*|invest\w*|mortgage|pension|tax(?:es)?|interest rate|loans?|
        insurance|legal|lawsuit|illegal|contract|visa|custody|divorce""")
    + r"\b",
    re.IGNORECASE,
)


@dataclass
class StandaloneOut:
    """What a model returns for a follow-up."""

    question: str


@dataclass
class PlanOut:
    """What a model returns for a plan."""

    queries: list[str]
    freshness: Freshness = "evergreen"
    kind: Kind = "lookup"


@dataclass(frozen=True, slots=True)
class Planned:
    plan: Plan
    usage: Usage = Usage()
    notes: tuple[Note, ...] = ()


async def plan_question(question: Question, llm: LLM | None, limits: Limits) -> Planned:
    """Never raises for a model that fails: its plan is the rules' with a note."""
    by_rules, usage = plan_by_rules(question), Usage()
    if llm is None or by_rules.kind == "chat":
        return Planned(by_rules)
    try:
        async with asyncio.timeout(limits.plan_timeout):
            if question.history:
                by_rules, usage = await _rewritten(question, by_rules, llm, limits)
            return await _plan_by_model(question, by_rules, usage, llm, limits)
    except (LLMError, TimeoutError) as fault:
        why = fault.message if isinstance(fault, LLMError) else f"no plan within {limits.plan_timeout:g} s"
        return Planned(by_rules, usage, (Note("plan_by_rules", f"The plan was made by rules: {why}"),))


def plan_by_rules(question: Question) -> Plan:
    """A plan from the words alone. Pure."""
    text = " ".join(question.text.split())
    if is_chat(text):
        return Plan(text, (), kind="chat", language=detect(text), freshness=question.freshness or "evergreen")
    return _plan_for(standalone_question(_as_told(text, question.history), question.history), question)


def _as_told(text: str, history: Sequence[PastTurn]) -> str:
    """With the capitals of names that the conversation has."""
    if not history or not detect(text).startswith("en"):
        return text
    told = (said for turn in history for said in (turn.standalone_question, turn.summary, *turn.sources))
    return with_capitals(text, told)


def is_chat(text: str) -> bool:
    """A greeting or thanks: nothing to look up."""
    return bool(_CHAT.match(fold(text).strip(" .!?,…~")))


def _plan_for(standalone: str, question: Question) -> Plan:
    parts, sides = asked_parts(standalone), compared(standalone)
    kind, sensitive = _kind(standalone, parts), bool(_SENSITIVE.search(standalone))
    freshness: Freshness = (
        "live" if _LIVE.search(standalone) else "recent" if _RECENT.search(standalone) else "evergreen"
    )
    queries = (standalone, *(part for part in parts if part != standalone), *sides)
    return Plan(
        standalone_question=standalone,
        queries=distinct_queries(queries),
        freshness=question.freshness or freshness,
        kind=kind,
        language=detect(question.text if len(question.text) > 12 else standalone),
        sensitive=sensitive,
        size=size_for(kind, sensitive=sensitive),
    )


def _kind(text: str, parts: Sequence[str]) -> Kind:
    if compares(text):
        return "comparison"
    if len(parts) > 1:
        return "multi_step"
    if _NAVIGATIONAL.search(text):
        return "navigational"
    return "opinion" if _OPINION.search(text) else "lookup"


def distinct_queries(queries: Sequence[str]) -> tuple[str, ...]:
    """At most four, without those of the same words as an earlier one."""
    kept: dict[frozenset[str], str] = {}
    for query in queries:
        words = frozenset(content_words(query, detect(query))) or frozenset({fold(query)})
        kept.setdefault(words, " ".join(query.split()))
    return tuple(query for query in kept.values() if query)[:MAX_QUERIES]


async def _rewritten(question: Question, by_rules: Plan, llm: LLM, limits: Limits) -> tuple[Plan, Usage]:
    """The plan of the rules for the question as the model says it alone, unless that has what nobody said."""
    messages = followup_messages(question.text, question.history, question.now)
    rewritten, used = await llm.structured(messages, StandaloneOut, timeout=limits.plan_timeout)
    standalone = " ".join(rewritten.question.split())[:1000]
    said = _said(question)
    if not standalone or invents(standalone, said) or not _about(standalone, " ".join(said)):
        return by_rules, used
    return _plan_for(standalone, question), used


async def _plan_by_model(question: Question, by_rules: Plan, usage: Usage, llm: LLM, limits: Limits) -> Planned:
    standalone = by_rules.standalone_question
    out, used = await llm.structured(plan_messages(standalone, question.now), PlanOut, timeout=limits.plan_timeout)
    fresh = {out.freshness, by_rules.freshness} != {"evergreen"}
    asked = (as_asked(query, standalone, question.now, fresh=fresh) for query in out.queries if _may_be_query(query))
    queries = distinct_queries([query for query in asked if query])
    if not any(_about(query, standalone) for query in queries):
        note = Note(
            "plan_by_rules", "The plan was made by rules: the model's search queries had nothing of the question"
        )
        return Planned(by_rules, usage + used, (note,))
    kind = out.kind if out.kind != "chat" else by_rules.kind
    plan = replace(
        by_rules,
        queries=in_its_language(queries, standalone),
        freshness=question.freshness or out.freshness,
        kind=kind,
        size=size_for(kind, sensitive=by_rules.sensitive),
        made_by="model",
    )
    return Planned(plan, usage + used)


def size_for(kind: Kind, *, sensitive: bool) -> Literal["small", "large"]:
    """Which model is to write: a plain fact is within the power of a small one."""
    return "small" if kind in {"lookup", "navigational", "chat"} and not sensitive else "large"


def in_its_language(queries: Sequence[str], question: str) -> tuple[str, ...]:
    """With the question itself where a model searches in other languages only: what is local is told in its own."""
    language = detect(question)
    if any(detect(query) == language for query in queries):
        return tuple(queries)
    return distinct_queries([question, *queries])


def _said(question: Question) -> list[str]:
    """All that a follow-up may refer to."""
    past = [(turn.question, turn.standalone_question, turn.summary, *turn.sources) for turn in question.history]
    return [question.text, *(text for turn in past for text in turn)]


def _may_be_query(text: str) -> bool:
    """Not a piece of broken JSON, and no longer than any search takes."""
    return 0 < len(text.strip()) <= 300 and not re.search(r"[{}]", text)


def _about(query: str, question: str) -> bool:
    """Shares a word with the question; "I cannot help with that" does not. Other languages are let through."""
    if detect(query) != detect(question):
        return True
    language = detect(question)
    return bool(
        {*stems(query, language)} & {s for word in content_words(question, language) for s in stems(word, language)}
    )

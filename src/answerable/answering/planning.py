"""From a question to a plan: standalone question, search queries, freshness, kind. Rules first; a model refines.

The rules take well under a millisecond, so a plan always exists; a small model has its own time-out and is never waited
for beyond it. No constraint enters that the reader did not ask for.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from answerable.answering.followups import standalone_question
from answerable.answering.prompting import followup_messages, plan_messages
from answerable.errors import LLMError
from answerable.protocols import LLM, Limits
from answerable.text.analysis import content_words, fold, stems
from answerable.text.languages import detect
from answerable.types import Freshness, Kind, Note, Plan, Question, Usage

MAX_QUERIES = 4


def _one_of(table: str) -> str:
    """An alternation from a table laid out over lines."""
    return "(?:" + "|".join(" ".join(part.split()) for part in table.split("|")) + ")"


_CHAT = re.compile(
    "^"
    + _one_of("""hi|hello|hey|hiya|good (?:morning|evening|afternoon|night)|thanks?(?: you)?(?: (?:so|very) much)?|thx|
        ty|cheers|ok(?:ay)?|great|cool|nice|bye|goodbye|see you|hallo|guten (?:tag|morgen|abend)|danke(?: sch[oö]n)?|
        tsch[uü]ss|bonjour|salut|merci(?: beaucoup)?|au revoir|hola|buenos d[ií]as|(?:muchas )?gracias|adi[oó]s|ciao|
        grazie|ol[aá]|obrigad[oa]|привет|спасибо|こんにちは|ありがとう(?:ございます)?|你好|谢谢|謝謝|नमस्ते|धन्यवाद|مرحبا|شكرا""")
    + "$"
)
_LIVE = re.compile(
    r"\b"
    + _one_of("""right now|at the moment|today|tonight|live (?:score|result|update)s?|weather|breaking|
        this (?:morning|hour)|heute|gerade|aujourd['’]hui|en ce moment|hoy|ahora mismo|oggi|hoje|vandaag|
        сегодня|сейчас""")
    + r"\b|今日|今天|现在|現在|आज|अभी|اليوم|الآن",
    re.IGNORECASE,
)
_RECENT = re.compile(
    r"\b"
    + _one_of(r"""latest|newest|recent(?:ly)?|current(?:ly)?|now(?:adays)?|new|news|yesterday|so far|up to date|still|
        this (?:week|month|season|year)|last (?:night|week|month)|next|upcoming|aktuell\w*|neu(?:e[sr]?|este\w*)|
        gestern|zuletzt|jetzt|diese woche|derni[eè]re?s?|actuel\w*|r[eé]cent\w*|hier|cette semaine|últim[oa]s?|
        actual\w*|reciente\w*|ayer|esta semana|ultim[oi]|attual\w*|recente\w*|ieri|ontem|gisteren|последн\w*|вчера|
        недавн\w*""")
    + r"\b|最新|最近|昨日|昨天|नवीनतम|أحدث",
    re.IGNORECASE,
)
_COMPARISON = re.compile(
    r"\b"
    + _one_of(r"""vs\.?|versus|compared? (?:to|with)|difference between|better than|
        which (?:is|are|was|were|has|have|one)\b.*\bor|(?:taller|higher|longer|older|bigger|larger|deeper|faster|
        heavier|cheaper|hotter|colder|more \w+)\b.*\bor|unterschied zwischen|différence entre|diferencia entre""")
    + r"\b",
    re.IGNORECASE,
)
_OPINION = re.compile(r"\b(?:best|should (?:i|we)|recommend|worth it|which .* to (?:buy|choose)|do you think)\b", re.I)
_NAVIGATIONAL = re.compile(r"\b(?:official (?:site|website|page)|home ?page|website of|log ?in|download page)\b", re.I)
_SENSITIVE = re.compile(
    r"\b"
    + _one_of(r"""dose|dosage|symptoms?|disease|medicines?|drugs?|tablets?|vaccin\w*|pregnan\w*|cancer|blood pressure|
        side effects?|treatment|overdose|fever|allerg\w*|invest\w*|mortgage|pension|tax(?:es)?|interest rate|loans?|
        insurance|legal|lawsuit|illegal|contract|visa|custody|divorce""")
    + r"\b",
    re.IGNORECASE,
)
_NEXT_PART = re.compile(
    r"(?<=[?？])\s+|[,;]?\s+(?:and|und|et|y|e)\s+(?=(?:who|what|when|where|why|which|how|wer|was|wann|wo|warum|wie|qui|quand|"
    r"où|comment|combien|quién|qué|cuándo|dónde|cómo|cuánt[oa]s?|chi|quando|dove|come|quanto)\b)",
    re.IGNORECASE,
)
_ALTERNATIVES = re.compile(
    r"\b(?:difference between|between|compare|which (?:is|was|are|were|has|have)[^,:?]*[,:])\s+(?P<a>[^,?]+?)\s+"
    r"(?:and|or|vs\.?|versus|with|to)\s+(?P<b>[^,?]+?)\s*\??$|"
    r"\b(?:is|was|are|were)\s+(?P<a2>[^,?]+?)\s+(?:\w+er|more \w+|less \w+)\s+than\s+(?P<b2>[^,?]+?)\s*\??$",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


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
    by_rules = plan_by_rules(question)
    if llm is None or by_rules.kind == "chat":
        return Planned(by_rules)
    try:
        async with asyncio.timeout(limits.plan_timeout):
            return await _plan_by_model(question, by_rules, llm, limits)
    except (LLMError, TimeoutError) as fault:
        why = fault.message if isinstance(fault, LLMError) else f"no plan within {limits.plan_timeout:g} s"
        return Planned(by_rules, notes=(Note("plan_by_rules", f"The plan was made by rules: {why}"),))


def plan_by_rules(question: Question) -> Plan:
    """A plan from the words alone. Pure."""
    text = " ".join(question.text.split())
    if is_chat(text):
        return Plan(text, (), kind="chat", language=detect(text), freshness=question.freshness or "evergreen")
    return _plan_for(standalone_question(text, question.history), question)


def is_chat(text: str) -> bool:
    """A greeting or thanks: nothing to look up."""
    return bool(_CHAT.match(fold(text).strip(" .!?,…~")))


def asked_parts(question: str) -> tuple[str, ...]:
    """The parts that each need an answer: "who built it and when did it open" has two, a comparison one a side."""
    parts = [part.strip(" ,;") for part in _NEXT_PART.split(question) if len(part.strip(" ,;?")) > 3]
    if len(parts) < 2:
        return (question,)
    return tuple(_with_topic(part, parts[0]) for part in parts[:MAX_QUERIES])


def compared(question: str) -> tuple[str, ...]:
    """The two things a comparison names; empty for other questions."""
    if found := _ALTERNATIVES.search(question):
        sides = (found["a"] or found["a2"], found["b"] or found["b2"])
        return tuple(side.strip() for side in sides)
    if _COMPARISON.search(question) and (
        pair := re.search(r"[,:]\s*([^,:?]+?)\s+(?:or|vs\.?)\s+([^,?]+?)\s*\??$", question)
    ):
        return pair[1].strip(), pair[2].strip()
    return ()


def _plan_for(standalone: str, question: Question) -> Plan:
    parts, sides = asked_parts(standalone), compared(standalone)
    kind = _kind(standalone, parts)
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
        sensitive=bool(_SENSITIVE.search(standalone)),
        size="large" if kind in {"comparison", "multi_step"} else "small",
    )


def _kind(text: str, parts: Sequence[str]) -> Kind:
    if _COMPARISON.search(text) or compared(text):
        return "comparison"
    if len(parts) > 1:
        return "multi_step"
    if _NAVIGATIONAL.search(text):
        return "navigational"
    return "opinion" if _OPINION.search(text) else "lookup"


def _with_topic(part: str, first: str) -> str:
    """A later part borrows the words of the first when it has nothing of its own to find."""
    if part == first or len(content_words(part, detect(part))) > 2:
        return part if part != first else first
    topic = " ".join(
        word for word in first.rstrip("?").split() if fold(word) in set(content_words(first, detect(first)))
    )
    return f"{part.rstrip('?')} {topic}?"


def distinct_queries(queries: Sequence[str]) -> tuple[str, ...]:
    """At most four, without those of the same words as an earlier one."""
    kept: dict[frozenset[str], str] = {}
    for query in queries:
        words = frozenset(content_words(query, detect(query))) or frozenset({fold(query)})
        kept.setdefault(words, " ".join(query.split()))
    return tuple(query for query in kept.values() if query)[:MAX_QUERIES]


async def _plan_by_model(question: Question, by_rules: Plan, llm: LLM, limits: Limits) -> Planned:
    usage, standalone = Usage(), by_rules.standalone_question
    if question.history:
        messages = followup_messages(question.text, question.history, question.now)
        rewritten, used = await llm.structured(messages, StandaloneOut, timeout=limits.plan_timeout)
        usage += used
        standalone = " ".join(rewritten.question.split())[:1000] or standalone
        by_rules = _plan_for(standalone, question)
    out, used = await llm.structured(plan_messages(standalone, question.now), PlanOut, timeout=limits.plan_timeout)
    queries = distinct_queries(
        [without_strange_years(query, standalone, question.now.year) for query in out.queries if _may_be_query(query)]
    )
    if not any(_about(query, standalone) for query in queries):
        note = Note(
            "plan_by_rules", "The plan was made by rules: the model's search queries had nothing of the question"
        )
        return Planned(by_rules, usage + used, (note,))
    plan = replace(
        by_rules,
        queries=queries,
        freshness=question.freshness or out.freshness,
        kind=out.kind if out.kind != "chat" else by_rules.kind,
        made_by="model",
    )
    return Planned(plan, usage + used)


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


def without_strange_years(query: str, question: str, this_year: int) -> str:
    """A model's year of training has no place in a query; the reader's own years, and this one, have."""
    asked = {*_YEAR.findall(question), str(this_year)}
    return " ".join(_YEAR.sub(lambda year: year[0] if year[0] in asked else "", query).split())

"""Which sentences make the answer: one that answers, then only what adds to the same answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from answerable.answering.another import KINDS_FIRST, speaks_of_another
from answerable.answering.candidates import Candidate, figures_of, stems_of
from answerable.answering.compound import asked_parts
from answerable.answering.differing import differing
from answerable.answering.parts import compared, names_of, of_side
from answerable.answering.rivals import PART
from answerable.answering.sides import other_side, told_of_others
from answerable.answering.values import denies, values_of
from answerable.answering.weighing import (
    FACTS,
    NAME,
    PERSONAL,
    Wanted,
    contrary,
    explains,
    gives,
    spoken,
    turns_of,
)
from answerable.text.answertypes import holds
from answerable.text.pointing import POINTING
from answerable.types import Plan

Ranked = Sequence[tuple[Candidate, float]]

NEAR = 3.2  # how far below the lead's score another sentence of an explanation may lie: a fifth of the chance
CLOSE = 1.0  # the same for a lookup that names no kind of answer
AGREEING = 3.0  # the same for another source that gives the same value
ON_SUBJECT = 0.3  # the share of the question that an added sentence must hold
BRIDGED = 4.0  # the same for what is said of a thing that the lead names
OVERTAKING = 4.0  # the same for what a newer source gives
IN_PROSE = 3.0  # the same for a sentence that gives what a row gives
DOUBTED = 0.7  # chance of the likeliest below which the next is shown as well…
AS_LIKELY = 0.2  # …if it has this share of that chance
OF_PAGE, OF_OTHERS = 0.05, 0.5  # the same for parts of an explanation, of the page of the lead and of others
ANSWERING = 0.5  # chance from which a model that read it takes it for an answer
SAME = 0.7  # shared stems from which two sentences say the same
MOST = 4  # sentences of an explanation
TOLD_NEXT = 600  # characters after a fact within which its cause is told
_NAMES = re.compile(r"[A-ZÀ-ÞА-Я][\w’'-]*(?: (?:of )?(?:[A-ZÀ-ÞА-Я][\w’'-]*|\d+))*")
_AND = {"de": "und|oder", "fr": "et|ou", "es": "y|e|o|u", "it": "e|ed|o", "pt": "e|ou", "nl": "en|of", "ru": "и|или"}
_TELLING = {"of", "by", "with", "from", "between", "in", "for", "to", "von", "de", "entre", "zwischen", "di", "van"}
_COORDINATED = re.compile(
    r"\b(?:and|und|et|y|e|en|и) (?:(?:for|in|of|to|für|in|pour|para|per) )?(?:an?|the|eine?[nmr]?|une?|una?|il|la|el) "
    r"|\b(?:each|both|respectively|beide|jeweils|chacun|cada un[oa])\b",
    re.IGNORECASE,
)
_NESTED = re.compile(
    r"\b(?:that|who|which|whose|where)\b(?!\W*$)|\bnamed after\b|\b(?:the|a) "
    r"(?!(?:numb|ord|pow|lay|col|bord|corn|weath|wat|riv|tow|cent)[a-z]+ )[a-z]+(?:er|or|ist|man|woman) of\b"
    r"|\b(?:the|a) (?:wife|husband|capital|river|mother|father|son|daughter|student|parliament|currency|inventor) of\b"
)


@dataclass(frozen=True, slots=True)
class Selection:
    """`opening` answers; `other` gives another value for the same thing; `rest` adds to the opening."""

    opening: tuple[Candidate, ...]
    other: Candidate | None = None
    rest: tuple[Candidate, ...] = ()


def parts_of(plan: Plan) -> tuple[tuple[str, str], ...]:
    """What needs an answer of its own: a question and, for a side of a comparison, the side's name."""
    question = plan.standalone_question
    if len(sides := compared(question)) > 1:
        return tuple((of_side(question, s) or _without(question, [o for o in sides if o != s]), s) for s in sides)
    if len(sides := _pair(question, plan.language)) > 1:
        return tuple((_without(question, [o for o in sides if o != s]), s) for s in sides)
    parts = asked_parts(question)
    if len(parts) == 1 and plan.kind in {"comparison", "multi_step"} and plan.made_by == "model":
        parts = tuple(query for query in plan.queries if query != question) or parts
    return tuple((part, "") for part in parts)


def _pair(question: str, language: str) -> tuple[str, ...]:
    """Names set side by side ("How high are K2 and Mount Everest?"), but not those that tell one thing apart ("the
    crew of Armstrong and Aldrin")."""
    joint = _AND.get(language.split("-")[0], "and|or|vs\\.?")
    pattern = rf"(\w+) (?:the )?({_NAMES.pattern}) (?:{joint}) (?:\w{{1,3}} )?({_NAMES.pattern})"
    pair = re.search(pattern, question)
    return (pair[2], pair[3]) if pair and pair[1] not in _TELLING else ()


def _without(question: str, names: Sequence[str]) -> str:
    for name in names:
        question = question.replace(name, " ")
    return question


def select(ranked: Ranked, wanted: Wanted) -> Selection:
    """For a question with one part. `ranked` is not empty."""
    lead = ranked[0][0]
    if second := beyond(lead, ranked, wanted):
        return Selection((lead, second))
    if lead.likely is not None:
        return _likeliest(lead, ranked, wanted)
    lead = _in_prose(_newest(lead, ranked, wanted), ranked, wanted)
    if other := other_side(lead, ranked, wanted):
        return Selection((lead,), other)
    if explains(wanted):
        return Selection((), None, tuple(_explanation(lead, ranked, wanted)))
    return Selection((lead,), None, tuple(_support(lead, ranked, wanted)))


def _likeliest(lead: Candidate, ranked: Ranked, wanted: Wanted) -> Selection:
    """Of sentences whose chances beside each other are known: the likeliest with, where it explains, the next likely of
    its page; where it is not sure, the one that may be meant as well; else another source for the same."""
    if other := told_of_others(lead, ranked, wanted) or differing(lead, ranked, wanted):
        return Selection((lead,), other)
    if explains(wanted):
        return Selection((), None, tuple(_likely_parts(lead, ranked, wanted)))
    if more := _of_the_rest(lead, ranked, wanted):
        return Selection((lead,), None, (more,))
    sure = lead.likely or 0.0
    if sure < DOUBTED:
        for c, _ in ranked[1:]:
            if (c.likely or 0.0) < AS_LIKELY * sure:
                break
            if not alike(c, lead) and not wanted.overtaken(c.number, lead.number) and _may_be_meant(c, lead, wanted):
                whole = c.number == lead.number and not lead.is_row  # told in the order of the page
                return Selection((), None, (lead, c)) if whole else Selection((lead,), None, (c,))
    return Selection((lead,), None, tuple(_support(lead, ranked, wanted)))


def _may_be_meant(c: Candidate, lead: Candidate, wanted: Wanted) -> bool:
    """Whether nothing says that it speaks of another thing than is asked for: a half, a replica, one's own story, the
    row beside the one that is named."""
    asked = wanted.question.casefold()
    if c.is_row and lead.is_row and (c.number, c.header) == (lead.number, lead.header):
        label, named = stems_of(c.cells[0], wanted.language), stems_of(lead.cells[0], wanted.language)
        if named <= wanted.weights.keys() and not (label <= wanted.weights.keys() and label - named):
            return False
    if wanted.names <= lead.words | lead.around and not wanted.names <= c.words | c.around | c.near:
        return False
    turned = turns_of(c.text, wanted.question) or contrary(c.text, wanted.question)
    part = any(word.casefold() not in asked for word in PART.findall(c.text))
    return not (turned or part or PERSONAL.search(c.text) or speaks_of_another(c, wanted))


def _likely_parts(lead: Candidate, ranked: Ranked, wanted: Wanted) -> list[Candidate]:
    chosen, sure = [lead], lead.likely or 0.0
    for c, _ in ranked[1:]:
        if len(chosen) == MOST or (c.likely or 0.0) < OF_PAGE * sure:
            break
        if any(c is other or alike(c, other) for other in chosen) or wanted.overtaken(c.number, lead.number):
            continue
        if c.number == lead.number or (c.likely or 0.0) >= OF_OTHERS * sure:
            chosen.append(c)
    return chosen


def about(ranked: Ranked, name: str, language: str) -> Ranked:
    """Those that speak of the name."""
    stems = stems_of(names_of(name), language)
    stems = (stems - stems_of(" ".join(KINDS_FIRST), language)) or stems
    found = [(c, score) for c, score in ranked if stems <= c.words | c.around]
    if found and found[0][0].likely is not None:
        return found  # the model that read them knows how they speak of it
    direct = [(c, score + 0.8 * (stems <= c.words)) for c, score in found]
    return sorted(direct, key=lambda pair: -pair[1])


def alike(one: Candidate, other: Candidate) -> bool:
    """Whether they say the same."""
    if one.is_row and other.is_row:
        return one.cells == other.cells
    smaller = min(len(one.words), len(other.words)) or 1
    return len(one.words & other.words) / smaller >= SAME + 0.15 * (figures_of(one.text) != figures_of(other.text))


def _newest(lead: Candidate, ranked: Ranked, wanted: Wanted) -> Candidate:
    """Where answers do not last: what the newest source says of the same thing, though it says it in fewer of the
    question's words."""
    values, best = values_of(lead, wanted), lead
    exact = {"number", "date"} & set(wanted.kinds)
    for c, score in ranked if exact else ():
        newer = wanted.overtaken(best.number, c.number) and score >= ranked[0][1] - OVERTAKING
        if not newer or not all(gives(c, wanted, kind) for kind in wanted.kinds) or values_of(c, wanted) & values:
            continue
        told = (lead.words & wanted.weights.keys()) - stems_of(f"{lead.above} {c.above}", wanted.language)
        if told and told <= c.words and not turns_of(c.text, wanted.question):
            best = c
    return best


def _in_prose(lead: Candidate, ranked: Ranked, wanted: Wanted) -> Candidate:
    """A sentence that gives what a row gives, when one is nearly as good: it reads better."""
    if not lead.is_row:
        return lead
    values, least = values_of(lead, wanted), 0.6 * wanted.coverage(lead, around=1.0)
    for c, score in ranked:
        near = not c.is_row and score > ranked[0][1] - IN_PROSE
        if (
            near
            and values
            and values <= values_of(c, wanted)
            and not denies(c, values)
            and wanted.coverage(c, around=1.0) >= least
        ):
            return c
    return lead


def beyond(lead: Candidate, ranked: Ranked, wanted: Wanted) -> Candidate | None:
    """The sentence that says what was asked of a thing that the lead only names ("The Rhône flows through it")."""
    missing = {word: w for word, w in wanted.weights.items() if word not in lead.words}
    bridge = _bridge(lead, wanted)
    if not missing or not bridge or not wanted.kinds or lead.is_row:
        return None
    unanswered = not all(gives(lead, wanted, kind) for kind in wanted.kinds) or bool(
        wanted.measure and not wanted.measure.search(spoken(lead))
    )
    total = sum(wanted.weights.values())
    best, most = None, 0.0
    for c, score in ranked:
        if score < ranked[0][1] - BRIDGED:
            break
        if c is lead or alike(c, lead) or not bridge & (c.words | c.around):
            continue
        if not all(gives(c, wanted, kind) for kind in wanted.kinds):
            continue
        if wanted.measure and not wanted.measure.search(spoken(c)):
            continue
        gained = sum(w for word, w in missing.items() if word in c.words)
        direct = bool(bridge & c.words) or bool(POINTING.match(c.text) and bridge & stems_of(c.before, wanted.language))
        value = score + gained / total + 2.0 * direct
        if (gained or unanswered) and (unanswered or nested(wanted)) and (best is None or value > most):
            best, most = c, value
    return best


def nested(wanted: Wanted) -> bool:
    """Whether the question describes a thing instead of naming it ("the man who built…", "the designer of…")."""
    return bool(_NESTED.search(wanted.question.partition(" ")[2]))


def _bridge(lead: Candidate, wanted: Wanted) -> frozenset[str]:
    known = wanted.question.casefold()
    names = [name for name in NAME.findall(lead.text) if name.casefold() not in known]
    if lead.text[:1].isupper() and (first := re.match(r"(?:The |A |An )?([A-ZÀ-ÞА-Я][\w’'-]+)", lead.text)):
        names += [first[1]] if first[1].casefold() not in known else []
    return stems_of(" ".join(names), wanted.language)


def _support(lead: Candidate, ranked: Ranked, wanted: Wanted) -> list[Candidate]:
    """Another source that gives the same value; for a question that names no kind of answer, what is as good."""
    top, values = ranked[0][1], values_of(lead, wanted)
    if FACTS & set(wanted.kinds) or wanted.measure:
        if more := _of_the_rest(lead, ranked, wanted):
            return [more]
        for c, score in ranked:
            if c.number == lead.number or score < top - AGREEING or wanted.coverage(c) < ON_SUBJECT or c.is_row:
                continue
            if values and values <= values_of(c, wanted) and not wanted.overtaken(c.number, lead.number):
                return [c] if not alike(c, lead) else []
        return []
    near = [c for c, score in ranked[1:] if score >= top - CLOSE and not alike(c, lead) and not c.is_row]
    if "yes_no" in wanted.kinds:
        others = [c for c, score in ranked[1:] if c.number != lead.number and score >= top - 1.5 and not alike(c, lead)]
        return [c for c in others or near if not wanted.overtaken(c.number, lead.number)][:1]
    as_much = [c for c in near if wanted.coverage(c) >= 0.9 * wanted.coverage(lead) and not lead.is_row]
    return [c for c in as_much if not wanted.overtaken(c.number, lead.number)][:1]


def _of_the_rest(lead: Candidate, ranked: Ranked, wanted: Wanted) -> Candidate | None:
    """For "how long are a marathon and a half marathon", or with a name that the lead does not speak of: the sentence
    that gives the other value."""
    unnamed = wanted.names - lead.words - lead.around
    if not unnamed and not (_COORDINATED.search(wanted.question) and values_of(lead, wanted)):
        return None
    for c, score in ranked:
        near = score >= ranked[0][1] - AGREEING or (lead.likely is not None and (c.chance or 0.0) >= ANSWERING)
        if c is lead or not near or not all(gives(c, wanted, k) for k in wanted.kinds):
            continue
        if wanted.overtaken(c.number, lead.number) or (wanted.measure and not wanted.measure.search(spoken(c))):
            continue
        if (unnamed and not unnamed & c.words) or values_of(c, wanted) & values_of(lead, wanted):
            continue
        return c
    return None


def _explanation(lead: Candidate, ranked: Ranked, wanted: Wanted) -> list[Candidate]:
    """The lead with the next best, in the order of the page."""
    chosen, top = [lead], ranked[0][1]
    for c, score in ranked:
        if len(chosen) == MOST or score < top - NEAR:
            break
        if any(c is other or alike(c, other) for other in chosen) or c.is_row:
            continue
        if wanted.overtaken(c.number, lead.number):
            continue
        if wanted.coverage(c) >= ON_SUBJECT and (c.number == lead.number or score >= top - CLOSE):
            chosen.append(c)
    if (
        "reason" in wanted.kinds
        and not wanted.language.startswith("en")
        and not any(holds(c.text, "reason") for c in chosen)
    ):
        chosen += [c for c in _after(lead, ranked) if not any(c is other for other in chosen)]
    return chosen


def _after(lead: Candidate, ranked: Ranked) -> list[Candidate]:
    """What the page says next: a cause that no word marks is mostly told there."""
    later = [c for c, _ in ranked if c.number == lead.number and c.start > lead.start and not c.is_row]
    return sorted((c for c in later if c.start - lead.start < TOLD_NEXT), key=lambda c: c.start)[:2]


def joined(selections: Sequence[Selection]) -> Selection:
    """One answer of several parts: what opens each, once."""
    chosen: list[Candidate] = []
    for selection in selections:
        for c in selection.opening or selection.rest[:2]:
            if not any(c is other or alike(c, other) for other in chosen):
                chosen.append(c)
    others = [selection.other for selection in selections if selection.other]
    return replace(Selection(tuple(chosen[:5])), other=others[0] if len(selections) == 1 and others else None)

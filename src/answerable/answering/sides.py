"""The other side of a question: what another source answers that cannot be true together with the lead.

Two sources differ when the best that each says to the question is of one kind and cannot both be true. None is the safe
answer: who is told of a quarrel that is none trusts the next one less.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise, product

from answerable.answering.candidates import Candidate, figures_of, stems_of
from answerable.answering.leading import of_another, tells_of_person
from answerable.answering.rivals import OUTDATED, PART, independent, rival, told_beside
from answerable.answering.values import (
    apart,
    date_in,
    dates_apart,
    denies,
    figures_in,
    main_clause,
    names_in,
    says_no,
    share_a_name,
    some_agree,
    values_of,
    years_in,
)
from answerable.answering.weighing import ASKING, FACTS, PERSONAL, Wanted, contrary, gives, spoken, turns_of
from answerable.text.analysis import content_words, stem
from answerable.text.kin import kin_of
from answerable.text.opposites import CASE, turned_to
from answerable.text.pointing import POINTING
from answerable.text.sentences import split_sentences
from answerable.text.statements import agree, same_thing, statements_of

Ranked = Sequence[tuple[Candidate, float]]

LIKE_SIZE = 6.0  # how many times as much a rival figure may be…
AT_MOST = 10.0  # …and one that a model is sure of
ON_TOPIC = 0.3  # prior of a passage that is about the thing asked
ALL_OF_IT = 0.6  # …and of one that speaks of nothing else
CERTAIN = 0.9  # chances of a rival: it answers in whatever words,
ANSWERS = 0.5  # it answers,
PERHAPS = 0.3  # it may,
HARDLY = 0.12  # it does if all else says so
SAME_DAYS = timedelta(days=3)  # within these a source is not newer, but another
_NAMES = re.compile(r"(?<=[a-z] )[A-ZÀ-ÞА-Я][\w’'-]*(?: [A-ZÀ-ÞА-Я][\w’'-]*)*")
_ROW_NAME = re.compile(r"[A-ZÀ-ÞА-Я][\w’'-]{2,} [A-ZÀ-ÞА-Я][\w’'-]+|(?<=\w )[A-ZÀ-ÞА-Я][\w’'-]{2,}")
_LASTING = re.compile(r"\b(?:was|were|did|had)\b|^who \w+ed\b", re.IGNORECASE)  # what has happened does not change
_OTHERS = re.compile(  # a sentence about what somebody else says
    r"\b(?:say|says|said|tells?|told|claim(?:s|ed)?|maintains?|hold|holds|call for|credits?|credited|nam(?:e|es|ed)"
    r"|according|attribut\w+|awards?|points? to|figures?|books|others?|most|some|older|earlier|print\w*|gave|gives?"
    r"|argu\w+|disput\w+|not|than|before|but|number|left (?:these|it|them) out)\b",
    re.IGNORECASE,
)
_GROWS = re.compile(
    r"\b(?:population|inhabitants|residents|citizens|people live|live in|members|employees|staff|workers|users"
    r"|customers|students|pupils|subscribers|followers|stations|branches|shops)\b",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"\bhow many ([a-z-]+)(?: ([a-z-]+))?\b", re.IGNORECASE)
_ABOUT = re.compile(r"\b(?:is|are|was|were) (?:the )?([A-ZÀ-ÞА-Я][\w’'-]*(?: [A-ZÀ-ÞА-Я0-9][\w’'-]*)*)")
_LASTS = re.compile(r"\blast(?=\W*$| (?:for|in)\b)")
AGO = re.compile(
    r"\b(?:years?|months?|weeks?|days?|summers?|winters?|decades?|centur\w+) earlier\b"
)  # tells no other time
_IN_ALL = re.compile(r"\bhow many [\w -]+\b(?:ha(?:s|ve)\b|have\W*$|are (?:there|in)\b|belong|exist)", re.IGNORECASE)
_HAS = re.compile(
    r"\b(?:ha(?:s|ve|d)|there (?:is|are|were)|consists?|holds?|contains?|counts?|counted|found|in all|total|altogether"
    r"|employs?|numbers?|numbered|made up|comprises?|belong\w*|includes?)\b",
    re.IGNORECASE,
)
_PERSONS = re.compile(  # after a count of people; what is counted in any other word with an s is no people
    r"(?!\w+s$)|(?:people|men|women|children|kids|fans|guests|victims|souls|friends|fatalities|casualties|deaths|lives)$"
    r"|\w+(?:er|or|ist|ent|ant|ian|ee)s$",
    re.IGNORECASE,
)
_PEOPLE = re.compile(r"(?:people|persons?|men|women|children)$", re.IGNORECASE)


def other_side(lead: Candidate, ranked: Ranked, wanted: Wanted) -> Candidate | None:
    """The best sentence of another source that gives another answer to the same question, where no model has read
    them; else `differing.differing` tells."""
    return told_of_others(lead, ranked, wanted) or rival(lead, ranked, wanted)


def told_of_others(lead: Candidate, ranked: Ranked, wanted: Wanted) -> Candidate | None:
    """What the page of the lead tells of others who say something else; in their own words where they are at hand."""
    beside = told_beside(lead, ranked, wanted)
    return (_elsewhere(beside, lead, ranked, wanted) or beside) if beside else None


def _chance(c: Candidate) -> float:
    return c.chance or 0.0


def quarrels(c: Candidate, lead: Candidate, ranked: Ranked, wanted: Wanted) -> bool:
    """Whether an independent source gives another answer with it, and does not give the lead's as well."""
    return (
        _chance(c) >= HARDLY
        and (c.prior >= ON_TOPIC or _chance(c) >= (ANSWERS if c.is_row else CERTAIN))  # of a page on much else
        and independent(c, lead, wanted)
        and on_subject(c, lead, wanted)
        and cannot_both(c, lead, wanted)
        and answers(c, lead, wanted)
        and of_its_time(c, lead, wanted)
        and not any(agrees(other, c, lead, wanted) for other, _ in ranked if other.number == c.number)
    )


def answers(c: Candidate, lead: Candidate, wanted: Wanted) -> bool:
    """Whether it answers the question: by the model alone, or by the model and its words."""
    if _chance(c) >= CERTAIN:
        return True
    of_it = known(c, lead, wanted) or bool(_asked_of(wanted) & c.words)
    if _chance(c) >= PERHAPS:
        return of_it
    return of_it and c.prior >= ALL_OF_IT


def _asked_of(wanted: Wanted) -> frozenset[str]:
    """Words for what is asked of the thing: "crowd" where somebody asks how many watched."""
    asked = stems_of(wanted.question, wanted.language) - wanted.names
    if not wanted.language.startswith("en"):
        return asked
    counted = _HOW_MANY.search(wanted.question)
    return kin_of(asked - stems_of(counted[1] if counted else "", wanted.language) or asked)


def of_its_time(c: Candidate, lead: Candidate, wanted: Wanted) -> bool:
    """Whether it is not the past of what the lead says. Of the same days, a newer source only says something else."""
    if _LASTING.search(wanted.question):
        return True
    grows = bool(_GROWS.search(wanted.question))
    if grows and not years_in(c) & years_in(lead) and years_in(c) | years_in(lead):
        return False
    one, other = wanted.dates[c.number - 1], wanted.dates[lead.number - 1]
    if one is None or other is None:
        return not wanted.overtaken(c.number, lead.number)
    if other - one < SAME_DAYS:
        return True
    return not wanted.overtaken(c.number, lead.number) and not (grows and other - one > OUTDATED)


def on_subject(c: Candidate, lead: Candidate, wanted: Wanted) -> bool:
    """Whether it speaks of what is asked, as a statement of its source, and of all the names that are asked about."""
    return not astray(c, lead, wanted) and not wanted.names - c.words - c.around - c.near


def astray(c: Candidate, lead: Candidate, wanted: Wanted) -> bool:
    """Whether it speaks of other numbers or a namesake, turns to another thing or time, or is somebody's own story."""
    text = f"{c.before} {spoken(c)}" if POINTING.match(c.text) else spoken(c)
    known = f"{wanted.question} {lead.text} {lead.above}".casefold()
    asked = _LASTS.sub("", wanted.question)
    if ASKING.search(text) or PERSONAL.search(text) or turns_of(AGO.sub("", text), known) or contrary(text, asked):
        return True
    if _inside(text, lead.text, wanted) or _of_another_kind(c, lead, wanted):
        return True
    if turned_to(text, f"{wanted.question} {lead.text}", CASE):
        return True
    if any(word.casefold() not in known for word in PART.findall(text)) or _namesake(c, lead, wanted):
        return True
    if _others_row(c, wanted):
        return True
    figures = figures_of(f"{text} {c.above} {c.before}") | {word for word in c.near if word[0].isdigit()}
    held = (any(f"{own}.".startswith(f"{figure}.") for own in figures) for figure in wanted.figures)  # 5.2 is 5.2.0
    return not all(held)


def _namesake(c: Candidate, lead: Candidate, wanted: Wanted) -> bool:
    """Whether its page is about something that bears the name of what is asked: its hotel, its replica."""
    if not wanted.names or len(wanted.names & c.words) * 2 >= len(wanted.names):
        return False
    title = c.above.partition(" > ")[0]
    known = f"{wanted.question} {lead.above}".casefold()
    turned = turns_of(title, known) or any(word.casefold() not in known for word in PART.findall(title))
    if turned or any(
        not set(re.findall(r"\w+", longer[0].casefold())) <= set(re.findall(r"\w+", known))
        for name in _NAMES.findall(wanted.question)
        for longer in re.finditer(rf"(?:[A-Z]\w+ )?{re.escape(name)}(?: [A-Z]\w+)?", title)
    ):
        return True
    return of_another(c, lead, wanted) and c.prior < ALL_OF_IT


def _inside(text: str, lead: str, wanted: Wanted) -> bool:
    """Whether what is asked about is only where something else is: a wreck "in Lake Ansel"."""
    asked = _ABOUT.search(wanted.question)
    if asked is None:
        return False
    within = re.compile(rf"\b(?:in|at|near|on|from|inside|beside|behind|outside) (?:the )?{re.escape(asked[1])}\b")
    return bool(within.search(text)) and not within.search(lead)


def _of_another_kind(c: Candidate, lead: Candidate, wanted: Wanted) -> bool:
    """Whether it speaks of a weekly ticket where the question and the lead speak of a day ticket."""
    asked = content_words(wanted.question, "en")
    pairs = [pair for pair in pairwise(asked) if " ".join(pair) in lead.text.casefold()]
    said = [pair for pair in pairwise(content_words(c.text, "en")) if " ".join(pair) in c.text.casefold()]
    held = {stem(word, "en") for word in content_words(c.text, "en")}
    return any(noun == after and not kin_of({stem(kind, "en")}) & held for kind, noun in pairs for _, after in said)


def _others_row(c: Candidate, wanted: Wanted) -> bool:
    """Whether it is the row of another thing: its first cell holds only a part of the asked name, or another one."""
    if not c.is_row:
        return False
    label = stems_of(c.cells[0], wanted.language)
    if label & wanted.names:
        return not wanted.names <= label
    return any(name.casefold() not in wanted.question.casefold() for name in _ROW_NAME.findall(c.cells[0]))


def cannot_both(c: Candidate, lead: Candidate, wanted: Wanted) -> bool:
    kinds = set(wanted.kinds)
    if "yes_no" in kinds:
        return says_no(c, wanted) != says_no(lead, wanted)
    if not all(gives(c, wanted, kind) for kind in wanted.kinds):
        return False
    if "number" in kinds or (not kinds & FACTS and _chance(c) >= ANSWERS):
        times = apart(figures_in(lead, wanted), figures_in(c, wanted))
        return times is not None and times <= (AT_MOST if _chance(c) >= ANSWERS else LIKE_SIZE) and _counts(c, wanted)
    if "date" in kinds:
        return dates_apart(c, lead)
    return bool(kinds & {"person", "place"}) and _names_apart(c, lead, wanted)


def _counts(c: Candidate, wanted: Wanted) -> bool:
    """Whether a count is one of what is asked for: not of votes where somebody asks for members."""
    asked = _HOW_MANY.search(wanted.question)
    if asked is None or not wanted.language.startswith("en"):
        return True
    if _IN_ALL.search(wanted.question) and not _HAS.search(c.text) and not c.is_row:
        return False
    noun = kin_of(stems_of(f"{asked[1]} {asked[2] or ''}", wanted.language))
    told = [f.quantity.of for f in figures_in(c, wanted) if not f.quantity.dimension]
    if _PEOPLE.match(asked[1]):
        return any(_PERSONS.match(of) for of in told)
    counted = [stems_of(of, wanted.language) for of in told]
    return _chance(c) >= CERTAIN or any(of & noun for of in counted) or not any(counted)


def _names_apart(c: Candidate, lead: Candidate, wanted: Wanted) -> bool:
    """Other names are another answer where one source knows of the other's, or a model is sure of who did just that."""
    ones, others = names_in(c, wanted), names_in(lead, wanted)
    if not ones or not others or share_a_name(ones, others) or not tells_of_person(c, wanted):
        return False
    did = stems_of(wanted.question, wanted.language) - stems_of(f"{lead.above} {c.above}", wanted.language)
    done = stems_of(main_clause(c, wanted), wanted.language)
    return known(c, lead, wanted) or ("person" in wanted.kinds and _chance(c) >= CERTAIN and bool(did & done))


def _state_apart(c: Candidate, lead: Candidate) -> bool:
    """Whether their words say of one thing what cannot both be true."""
    pairs = product(statements_of(lead.text, around=lead.above), statements_of(c.text, around=c.above))
    return not c.is_row and any(same_thing(one, other) and not agree(one, other) for one, other in pairs)


def agrees(other: Candidate, c: Candidate, lead: Candidate, wanted: Wanted) -> bool:
    """Whether the source of `c` says in the other sentence what the lead says, and not only that others say so."""
    if _chance(other) < min(_chance(c), ANSWERS) or (other.is_row and not c.is_row) or _OTHERS.search(other.text):
        return False
    if {"person", "place"} & set(wanted.kinds):
        return share_a_name(names_in(other, wanted), names_in(lead, wanted))
    if "date" in wanted.kinds:
        return bool(years_in(other) & years_in(lead))
    return "yes_no" not in wanted.kinds and some_agree(figures_in(other, wanted), figures_in(lead, wanted))


def known(c: Candidate, lead: Candidate, wanted: Wanted) -> bool:
    """Whether the lead's page speaks of what the other says, or the other's of what the lead says."""
    pages = wanted.pages[lead.number - 1].text, wanted.pages[c.number - 1].text
    return any(_speaks_of(page, one, wanted) for page, one in zip(pages, (c, lead), strict=True))


def _speaks_of(text: str, c: Candidate, wanted: Wanted) -> bool:
    named = bool({"person", "place"} & set(wanted.kinds)) and "number" not in wanted.kinds
    if named:
        known = wanted.question.casefold()
        said = [word for name in names_in(c, wanted) for word in name.split() if word.casefold() not in known]
    elif "date" in wanted.kinds:
        said = [str(day.year)] if (day := date_in(c)) else []
    else:
        said = [f.quantity.text for f in figures_in(c, wanted) if f.high >= 10 or f.quantity.dimension]
    patterns = [re.compile(rf"(?<![\w.,]){re.escape(one)}(?![\w]|[.,]\d)", re.IGNORECASE) for one in said]
    if not any(pattern.search(text) for pattern in patterns):
        return False
    sentences = [text[start:end] for start, end in split_sentences(text)]
    return any(_OTHERS.search(s) for s in sentences if any(pattern.search(s) for pattern in patterns))


def _elsewhere(beside: Candidate, lead: Candidate, ranked: Ranked, wanted: Wanted) -> Candidate | None:
    """Who says himself what the lead's page tells of others."""
    values = frozenset(value for value in values_of(beside, wanted) - values_of(lead, wanted) if len(value) > 2)
    found = [
        c
        for c, _ in ranked
        if values & values_of(c, wanted)
        and not denies(c, values)
        and independent(c, lead, wanted)
        and (c.prior >= ON_TOPIC or _chance(c) >= (ANSWERS if c.is_row else CERTAIN))  # of a page on much else
        and not ASKING.search(c.text)
    ]
    return max(found, key=_chance, default=None)

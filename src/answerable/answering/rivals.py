"""Another value for the same thing, by words alone: where no model read the sentences, and where a page tells itself of
a quarrel. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

from answerable.answering.candidates import Candidate
from answerable.answering.sites import site_or_address
from answerable.answering.values import denies, values_of
from answerable.answering.weighing import ASKING, FACTS, PERSONAL, Wanted, contrary, turns_of

Ranked = Sequence[tuple[Candidate, float]]

RIVAL = 2.4  # how far below the lead's score what another source says may lie
BESIDE = 3  # sentences around the lead in which a page tells what others say
LIKE_SIZE = 3.0  # how many times as much a rival figure may be
SURE = 0.5  # coverage from which a lead is about the thing asked, so that another figure is a quarrel
OUTDATED = timedelta(days=900)  # older by this, a source with other figures is no side but the past
_NUMBERED = re.compile(
    r"\b(?!(?:In|On|At|By|Since|From|To|About|Only|Some|January|February|March|April|May|June|July|August|September"
    r"|October|November|December)\b)[A-Z][a-z]+ \d+\b"  # "Apollo 11" is not "Apollo 17"
)
_INNER_NAME = re.compile(r"(?<=[\w,;] )[A-ZÀ-ÞА-Я][\w’'-]+")
PART = re.compile(r"\b(?:half|quarter|mini|second|third|double|halb\w*|demi|medi[oa]|полу\w+)\b", re.IGNORECASE)
QUARREL = re.compile(
    r"\b(?:disput\w+|contest(?:ed|s)?|argu(?:e|ed|es|ing)|differs?|disagree\w*|doubts?|estimates?|estimated|claims?|claimed"
    r"|(?:more|fewer|less|higher|lower) .{0,60}\bthan .{0,40}\b(?:say|says|said|claims?))\b",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"\b(?:say|says|said|announced|claim(?:s|ed)?|report(?:s|ed)?|estimate[sd]?|put|older|others?|figures?|argued|counted"
    r"|repeated)\b",
    re.IGNORECASE,
)


def rival(lead: Candidate, ranked: Ranked, wanted: Wanted) -> Candidate | None:
    values = values_of(lead, wanted)
    figures = bool({"number", "date"} & set(wanted.kinds))
    if not FACTS & set(wanted.kinds) or not values or wanted.coverage(lead) < SURE:
        return None
    for c, score in ranked:
        if not independent(c, lead, wanted) or c.is_row or score < ranked[0][1] - RIVAL or ASKING.search(c.text):
            continue
        others = values_of(c, wanted)
        quarrels = others - values and (not others & values or denies(c, values))
        if not quarrels or wanted.coverage(c, around=1.0) < 0.7 * wanted.coverage(lead, around=1.0):
            continue
        if not figures and (lead.is_row or lead.words & wanted.weights.keys() - c.words):
            continue  # other names are another answer only where everything else is the same
        if _same_thing(c, lead, wanted) and not wanted.overtaken(c.number, lead.number):
            return c
    return None


def told_beside(lead: Candidate, ranked: Ranked, wanted: Wanted) -> Candidate | None:
    """What others say, when the page of the lead tells of a quarrel about its figure in the sentences around."""
    values = values_of(lead, wanted)
    if "number" not in wanted.kinds or not values or not (QUARREL.search(lead.text) or QUARREL.search(lead.before)):
        return None
    for c, _ in ranked:
        beside = c.number == lead.number and c.above == lead.above and 0 < abs(c.place - lead.place) <= BESIDE
        if not beside or c.is_row or not _SAID.search(c.text):
            continue
        others = values_of(c, wanted)
        if not others & values and any(_of_a_size(one, other) for one in values for other in others):
            return c
    return None


def _of_a_size(one: str, other: str) -> bool:
    """Whether two figures may be counts of one thing, and big enough to be told apart from years and small numbers."""
    try:
        low, high = sorted((float(one), float(other)))
    except ValueError:
        return False
    return low > 10 and high / low < LIKE_SIZE and not (1500 < low <= high < 2100)


def _same_thing(candidate: Candidate, lead: Candidate, wanted: Wanted) -> bool:
    """Whether both speak of one thing at one time: same names, same measure, neither long before the other."""
    if set(_NUMBERED.findall(candidate.text)) != set(_NUMBERED.findall(lead.text)):
        return False
    known = f"{wanted.question} {lead.text} {lead.above}".casefold()
    if turns_of(candidate.text, known) or contrary(candidate.text, known) or PERSONAL.search(candidate.text):
        return False
    if any(word.casefold() not in known for word in PART.findall(candidate.text)):
        return False
    others = [name for name in _INNER_NAME.findall(candidate.text) if name.casefold() not in known]
    if len(others) > 2 and not wanted.names & candidate.words:
        return False
    if wanted.names - candidate.words - candidate.around:
        return False
    if wanted.measure and not wanted.measure.search(candidate.text):
        return False
    if long_before(candidate, lead, wanted):
        return False
    asked = [word for word in wanted.weights if word in lead.words | lead.around]
    lacking = [word for word in asked if word not in candidate.words | candidate.around]
    return len(lacking) <= (1 if len(asked) > 4 else 0)


def long_before(candidate: Candidate, lead: Candidate, wanted: Wanted) -> bool:
    one, other = wanted.dates[candidate.number - 1], wanted.dates[lead.number - 1]
    return bool(one and other and abs(one - other) > OUTDATED)


def independent(candidate: Candidate, lead: Candidate, wanted: Wanted) -> bool:
    """Whether it is of another site than the lead: two pages of one site are two states of it."""
    one, other = (site_or_address(wanted.pages[c.number - 1].url) for c in (candidate, lead))
    return one != other

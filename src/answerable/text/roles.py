"""Who holds an office or a record, where a sentence says it plainly. English only; the past and the denied are out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from answerable.text.analysis import content_of_folded, fold, stem

PERSON = r"(?P<who>(?:[A-Z][\w’'.-]+ ){1,3}[A-Z][\w’'-]+)"
OFFICE = (
    r"(?P<office>(?i:head|director|leader|manager|boss|chief executive(?: officer)?|ceo|president|chair|chairman|"
    r"chairwoman|chairperson|mayor|prime minister|minister|chancellor|governor|king|queen|pope|coach|captain|principal|"
    r"rector|owner|editor))"
)
VERB = r"(?P<verb>runs|leads|heads|directs|chairs|manages|owns)"
HAS_DONE = r"(?P<verb>run|led|headed|directed|chaired|managed|owned)"
ASKED = re.compile(
    rf"(?i:who(?:'s| is| are)?)\s+(?:(?i:currently|now)\s+)?"
    rf"(?:{VERB}|(?i:the\s+)?(?i:current\s+|present\s+)?{OFFICE})\b(?P<rest>[^?]*)"
)
PAST = re.compile(
    r"\b(?:former|formerly|ex-|until|was|were|had|resigned|retired|stepped down|late|not|no longer|predecessor)\b", re.I
)
NEW = r"(?:the )?(?:current |new )?"
CHOSEN = re.compile(rf"{PERSON} (?:was|has been) (?:elected|appointed|named|made) {NEW}{OFFICE}\b")
HOLDS = (
    re.compile(rf"{PERSON} (?:now |currently )?{VERB}\b"),
    re.compile(rf"{PERSON} has {HAS_DONE}\b"),
    re.compile(rf"{PERSON} (?:has been|is|became) {NEW}{OFFICE}\b"),
    re.compile(rf"{PERSON} (?:took over|took charge of|succeeded)\b"),
    CHOSEN,
    re.compile(rf"(?:The )?(?:[Cc]urrent |[Nn]ew )?{OFFICE} of (?:the )?[^:.]{{2,60}}?(?:: | is (?:now )?){PERSON}"),
)
GENERAL = frozenset(
    {"head", "director", "leader", "manager", "boss", "chief executive", "chief executive officer", "ceo"}
)
LEADING = frozenset(
    {"runs", "leads", "heads", "directs", "chairs", "manages", "run", "led", "headed", "directed", "chaired", "managed"}
)


RECORD = re.compile(
    r"(?P<holder>(?:The )?[^.;:]{2,80}?)(?:,[^,]{2,60},)? (?:is|remains) (?:still |now )?"
    r"(?P<record>the (?:\w+ ){0,2}(?:[a-z]{2,}est|first|only|most \w+|least \w+) [^,;:]{6,120}?)[.!]?$"
)


@dataclass(frozen=True, slots=True)
class Office:
    """What a question asks the holder of: `office` is "head" for whoever runs it; `names` tell which one."""

    office: str
    names: frozenset[str]


def asked_office(question: str) -> Office | None:
    """None when the question does not ask who holds an office of something with a name."""
    found = ASKED.match(question.strip())
    if found is None:
        return None
    names = frozenset(re.findall(r"\b[A-Z][\w’'-]+", found["rest"]))
    return Office(_class(found["office"] or found["verb"]), names) if names else None


def holder_in(sentence: str, asked: Office) -> str | None:
    """The person who holds the office by this sentence; None when it does not plainly say so."""
    sentence = sentence.strip()
    if not all(name in sentence for name in asked.names):
        return None
    for pattern in HOLDS:
        if (found := pattern.match(sentence)) is None:
            continue
        said = found.groupdict()
        word = said.get("office") or said.get("verb")
        past = PAST.search(sentence[found.end() :] if pattern is CHOSEN else sentence)
        return None if past or (word and _class(word) != asked.office) else found["who"]
    return None


def _class(word: str) -> str:
    word = word.lower()
    return "owner" if word in {"owns", "owned"} else "head" if word in GENERAL | LEADING else word


def record_in(sentence: str) -> tuple[str, frozenset[str]] | None:
    """Who or what is "the oldest ship afloat in Wennick Bay", and the stems of that; None for what names no place or
    field: "the best of all" says too little to be compared."""
    found = RECORD.match(sentence.strip())
    if (
        found is None
        or not re.search(r"\b(?!It\b|This\b|The\b|That\b|Its\b|A\b)[A-Z]", found["holder"])
        or not re.search(r" [A-Z]", found["record"])
    ):
        return None
    if re.search(r"\b(?:not|one of|among|perhaps|probably|possibly|second|third)\b", sentence):
        return None
    words = content_of_folded(fold(found["record"]), "en")
    return found["holder"].removeprefix("The "), frozenset(stem(word, "en") for word in words)


def same_person(one: str, other: str) -> bool:
    """Whether two names may be one person's: the last word is the same, or one holds the other."""
    first, second = one.split(), other.split()
    return first[-1] == second[-1] or set(first) <= set(second) or set(second) <= set(first)

"""Things that a question describes and does not name: "the river that flows through Lake Geneva". English. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from answerable.text.analysis import content_words

ThingKind = Literal["person", "place", "thing"]


def _one_of(words: str) -> str:
    return "(?:" + "|".join(words.split()) + ")"


_PERSON_ROLE = _one_of(
    """designer engineer architect builder author writer inventor discoverer (?:co-)?founder owner director composer
    painter sculptor creator maker editor publisher producer leader head captain commander king queen president chair
    chairman chairwoman mayor governor minister chancellor boss ceo manager coach curator keeper warden winner champion
    successor predecessor wife husband widow widower spouse mother father son daughter brother sister cousin uncle aunt
    student pupil teacher tutor mentor assassin translator illustrator narrator hero heroine explorer pioneer"""
)
_PLACE_ROLE = _one_of("capital birthplace hometown home[ ]town seat county[ ]town headquarters")
_THING_ROLE = _one_of("currency sequel prequel")
_PEOPLE = _one_of(
    """man woman person boy girl scientist engineer architect artist painter writer author poet composer inventor
    explorer physicist chemist astronomer mathematician singer actor actress politician president king queen sailor
    priest monk nun doctor teacher student brother sister"""
)
_PLACES = _one_of("place town city village country island state street region county valley port")
_STUFF = _one_of("metal element substance material gas liquid mineral alloy fuel chemical wood stone fibre fiber")
_NO_HEADS = _one_of(  # "the year in which", "the part that": nothing that has a name
    """year day date time month week century decade moment hour evening morning night season way reason number amount
    price cost fee fare part side kind sort type case thing point rate value size height length depth weight age
    temperature figure name word words people men women children fact one ones end start beginning top bottom
    rest"""
)
_POINTS = re.compile(
    r"\b(?:its?|he|she|him|his|hers?|they|them|their|this(?! (?:year|month|week|winter|summer|spring|autumn|season))"
    r"|that one|these|those|I|my|you|your|we|our)\b"
)
_FUNCTION = _one_of(
    """of in on at to for from by with and or but the an? is was are were be been has had have do does did that which
    who whom whose where when what how why than as into through after before under over between near not it"""
)
_NAME = r"(?:[A-ZÀ-ÖØ-Þ][\w’'&.-]*|\d[\w.-]*)"
_NAMES = rf"{_NAME}(?:(?: (?:of|the|de|von|van|del|da|and|&))* {_NAME})*"
_NOUN = rf"(?!{_FUNCTION}\b)[a-z][\w’'-]*"
_HEAD = rf"(?P<head>(?:(?:{_NAME}|{_NOUN}) ){{0,2}}?{_NOUN})"
_LEADING = r"(?:on|in|at|from|through|to|into|by|after|for|with|of|under|over|across|near) "
_DONE = (
    r"(?:(?!need|speed|seed|feed|breed|weed|shed|bed|red|hundred)[a-z]{2,}ed|found|built|made|won|written|drawn|born|sung|led|run|sunk"
    r"|lost|shot|held|known|bought|sold|cut|laid|dug|spun|woven|taken|given|seen|begun)"
)
_DID = rf"(?:{_DONE}|came|comes|wrote|drew|grew|began|lived|lives|sang|took|gave|saw|flew|left|ruled|sank)"
_RELATIVE = re.compile(
    rf"\b[Tt]he {_HEAD},? (?P<with>{_LEADING})?(?P<pronoun>that|who|whom|which|where) (?P<rest>[^?]+)"
)
_WHOSE = re.compile(rf"\b[Tt]he {_HEAD},? whose (?P<rest>[^?]+)")
_CONTACT = re.compile(
    rf"\b[Tt]he (?P<head>{_NOUN}) (?P<rest>(?:{_NAMES} (?:was |is |had )?{_DID}"
    rf"|the {_NAMES}(?: {_NOUN})? (?:(?:was|is|had|has|were|are) )?(?!of\b)[a-z]{{3,}}(?:s|ed|en)?)\b[^?]*)"
)
_APART = re.compile(  # "the club have whose manager is Ida": the verb of the question stands within
    rf"\b(?:do|does|did|can|could|will|would) the {_HEAD} (?P<verb>have|carry|cost|weigh|hold|need|use|offer|sell"
    r"|charge|contain|measure|reach|take|get|open|close|start|end|play|earn|run|stay|last|go|come|live|lie|stand|seat"
    r"|belong|pay) "
    r"(?P<pronoun>that|who|which|whose|where) (?P<rest>[^?]+)"
)
_POINTED = re.compile(  # "which ship goes to Orra, and how fast is it"
    r"^(?P<first>(?:which|what|who)\b(?!['’]s| is (?:it|the (?:price|cost|name))\b)[^,?]{8,}?),? and "
    r"(?P<then>(?:what|how|when|where|who|which|why|is|does|did|was|can)\b[^?]*?"
    r"(?<![\w’'])(?P<points>its|it|he|she|his|her|they|their|that one)(?![\w’'])[^?]*)",
    re.IGNORECASE,
)
_FIRST_NOUN = re.compile(rf"^(?:which|what) (?P<head>(?!{_FUNCTION}\b)[a-z][\w’'-]*)(?: {_NOUN})*? (?!of\b)", re.I)
_OWN = {"its": "’s", "his": "’s", "her": "’s", "their": "’s"}
_PARTICIPLE = re.compile(
    rf"\b[Tt]he {_HEAD} (?P<rest>{_DONE} (?:by|in|after|for|from|at|on|near|of|with) (?:the )?[^?]+)"
)
_ROLE = re.compile(
    rf"\b[Tt]he (?P<head>(?:(?!{_FUNCTION}\b)[\w-]+ ){{0,2}}?(?:{_PERSON_ROLE}|{_PLACE_ROLE}|{_THING_ROLE}))"
    r" (?:of|for) (?P<rest>[^?]+)"
)
_OWNED = re.compile(
    rf"(?<![\w’'])(?P<rest>(?:the )?{_NAME}(?: {_NAME})*)['’]s? "
    rf"(?P<head>(?:{_NOUN} )?(?:{_PERSON_ROLE}|{_PLACE_ROLE}|{_THING_ROLE}))\b"
)
_SUPERLATIVE = re.compile(
    rf"\b[Tt]he (?P<head>(?:(?!{_one_of('west east best worst latest rest interest forest test')}\b)\w{{3,}}est"
    rf"|most [a-z]+|(?:first|last) (?=man|woman|person|president|king|queen)) ?{_NOUN}(?: {_NOUN})?)"
    r" (?P<rest>(?:in|on|of|at|to|ever|from|around) [^?]+)"
)
_MADE_OF = re.compile(rf"\b[Tt]he (?P<head>{_STUFF}) (?:of|in|inside) (?P<rest>[^?]+)")
_ASKS_WHAT_IT_IS = re.compile(r"^(?:\w+, )?(?:what|which|who)(?:['’]s| is| was| are| were) $", re.IGNORECASE)
_PASSIVE = re.compile(  # "when was the bridge opened by": what stands behind the bridge is asked of it
    r"\b(?:when|where|why|how|who|what|whom|year|day|date|month|century) (?:is|was|were|are|has|had|did) $",
    re.IGNORECASE,
)
_MAIN_VERB = re.compile(
    r"(?:is|are|was|were|has|have|had|does|do|did|can|could|will|would|may|might|must|should|"
    r"(?:die|live|melt|boil|freeze|weigh|cost|open|close|stand|lie|meet|flow|say|end|begin|start|come|go|rise|run"
    r"|join|measure|win|write|build|make|become|earn|play|study|spend|get|hold|reach|retire|work|move|marry|leave|grow|empt"
    r"|produce|sell|belong|serve|teach|receive|name|call|use|need|take|give|lead|found|invent|discover|paint|design)"
    r"(?:s|es|ed|d|y|ies)?|died|lay|stood|met|said|began|came|went|rose|ran|won|wrote|built|made|became|spent|got|held"
    r"|left|grew|sold|taught|took|gave|led|born|buried|located|situated|found|known|worth|old|tall|long)$"
)
_AUXILIARY = re.compile(r"is|are|was|were|has|have|had|will|would|can|could|may|might|must|to|be|been")
_BETWEEN = re.compile(
    r"(?:of|in|on|at|to|for|by|with|from|through|near|and|into|the|an?|still|already|now|ever|today)$"
)
_STOP = re.compile(
    r"[,;:?()]| (?:when|while|because|if) | and (?=(?:in |on |at |for |to )?(?:which|what|who|how|where|why)\b)"
)
_ASKED_OF = re.compile(r"\b(?:do|does|did|can|could|will|would) [Tt]he (?:[\w’'-]+ ){1,4}$", re.IGNORECASE)
_NO_MORE = re.compile(r" (?:at|in|on|now|today|called|named|these|right|currently|as)\b|\W*$")


@dataclass(frozen=True, slots=True)
class Described:
    """`question[start:end]` describes a thing; `asks` is the question that its name answers."""

    start: int
    end: int
    words: str
    asks: str
    head: str  # what it is called in general: "river"
    kind: ThingKind
    topmost: bool = False  # "the highest …": the next below is another
    after: str = ""  # what stands behind its name: the verb that parted the description, "’s" for "its"
    told: str = ""  # the part of the question that tells of it, where another only points to it

    @property
    def stuff(self) -> bool:
        """What things are made of, which has no capital."""
        return bool(re.fullmatch(_STUFF, self.head))

    def named(self, question: str, name: str) -> str:
        """The question with the name in the place of the description."""
        return f"{question[: self.start]}{name}{self.after}{question[self.end :]}"


def described(question: str) -> Described | None:
    """The innermost thing that stands in the way of an answer: not the one that is itself asked for."""
    question = " ".join(question.split())
    found = [thing for thing in _all(question) if thing and _in_the_way(thing, question)]
    pointed = _POINTED.match(question)
    return max(
        found, key=lambda thing: (thing.start, thing.end), default=_pointed(question, pointed) if pointed else None
    )


def _in_the_way(thing: Described, question: str) -> bool:
    """It tells of something, and its name is not all that is asked."""
    before, after = question[: thing.start], question[thing.end :]
    asked_itself = _ASKS_WHAT_IT_IS.match(before) and _NO_MORE.match(_STOP.split(after)[0])
    return not asked_itself and not _POINTS.search(thing.words) and bool(content_words(before + after, "en"))


def _all(question: str) -> Iterator[Described | None]:
    for pattern, make in (
        (_APART, _apart),
        (_RELATIVE, _relative),
        (_WHOSE, _whose),
        (_CONTACT, _contact),
        (_PARTICIPLE, _participle),
        (_ROLE, _role),
        (_SUPERLATIVE, _superlative),
        (_MADE_OF, _made_of),
    ):
        at = 0
        while found := pattern.search(question, at):
            yield make(question, found)
            at = found.start() + 4
    for found in _OWNED.finditer(question):
        words = found[0]
        kind = _kind_of_role(found["head"])
        yield Described(*found.span(), words, f"{_who(kind)} {words}?", found["head"], kind)


def _whose(question: str, found: re.Match[str]) -> Described | None:
    end = found.start("rest") + _until(question, found.start("rest"), own_subject=True, clause=True)
    clause = question[found.start("rest") : end]
    kind = _kind_of(found["head"])
    asks = f"Whose {clause}?" if kind == "person" else f"Which {found['head']}’s {clause}?"
    return _thing(question, found, end, asks, kind, least=2)


def _apart(question: str, found: re.Match[str]) -> Described | None:
    """With the verb put behind the name: "do the club have whose …" as "do X have"."""
    head, pronoun, rest = found["head"], found["pronoun"].lower(), _STOP.split(found["rest"])[0].rstrip("?！!. ")
    end, kind = found.start("rest") + len(rest), _kind_of(head, pronoun)
    asked = {"whose": f"Which {head}’s {rest}?", "where": f"Which {head} is where {rest}?"}
    asks = asked.get(pronoun, f"Who {rest}?" if kind == "person" else f"Which {head} {rest}?")
    start = found.start("head") - len("the ")
    if not _may_be_named(head, rest, 2):
        return None
    return Described(start, end, question[start:end], asks, head.split()[-1], kind, after=f" {found['verb']}")


def _pointed(question: str, found: re.Match[str]) -> Described | None:
    """What the first part asks for, which the second calls "it"."""
    first, points = found["first"], found["points"].lower()
    noun = _FIRST_NOUN.match(first)
    if not noun and not first.lower().startswith("who "):
        return None
    kind = _kind_of(noun["head"]) if noun else "person"
    person = points in {"he", "she", "his", "her"}
    head = noun["head"] if noun else "person"
    if person != (kind == "person") or re.fullmatch(_NO_HEADS, head) or len(content_words(first, "en")) < 2:
        return None
    start, end = found.span("points")
    after = _OWN.get(points, "") if re.match(r" [a-z]", question[end:]) else ""  # "met her" is no "her house"
    return Described(start, end, question[start:end], f"{first}?", head, kind, after=after, told=first)


def _relative(question: str, found: re.Match[str]) -> Described | None:
    head, rest = found["head"], found["rest"]
    own_subject = bool(re.match(rf"(?:the |an? )?(?:{_NOUN} ){{0,2}}?{_NAME}", rest)) and found["pronoun"] != "who"
    own_subject = own_subject or (found["pronoun"] == "where" and not re.search(_NAME, rest))
    end = found.start("rest") + _until(question, found.start("rest"), own_subject=own_subject, clause=True)
    clause, kind = question[found.start("rest") : end], _kind_of(head, found["pronoun"])
    leading = (found["with"] or ("in " if found["pronoun"] == "where" else "")).strip()
    asks = f"Who {clause}?" if kind == "person" and not leading else f"Which {head} {clause} {leading}".rstrip() + "?"
    return _thing(question, found, end, asks, kind, least=2)


def _contact(question: str, found: re.Match[str]) -> Described | None:
    if _PASSIVE.search(question[: found.start()]):
        return None
    end = found.start("rest") + _until(question, found.start("rest"), own_subject=True)
    if found["rest"].startswith("the "):
        end = found.start("rest") + len(_STOP.split(found["rest"])[0].rstrip("?！!. "))
    clause, kind = question[found.start("rest") : end], _kind_of(found["head"])
    if origin := re.match(r"(.+?) (?:came|comes|was|is)( born)?(?: (?:from|in))?$", clause):
        asks = f"Where was {origin[1]} born?" if origin[2] else f"Where did {origin[1]} come from?"
    else:
        asks = f"Which {found['head']} {clause}?"
    return _thing(question, found, end, asks, kind)


def _participle(question: str, found: re.Match[str]) -> Described | None:
    if _PASSIVE.search(question[: found.start()]):
        return None
    end = found.start("rest") + _until(question, found.start("rest"))
    kind, clause = _kind_of(found["head"]), question[found.start("rest") : end]
    asks = f"Who was {clause}?" if kind == "person" else f"Which {found['head']} was {clause}?"
    return _thing(question, found, end, asks, kind)


def _role(question: str, found: re.Match[str]) -> Described | None:
    end = found.start("rest") + _until(question, found.start("rest"))
    kind = _kind_of_role(found["head"])
    words = question[found.start() + 4 : end]
    return _thing(question, found, end, f"{_who(kind)} the {words}?", kind)


def _superlative(question: str, found: re.Match[str]) -> Described | None:
    end = found.start("rest") + _until(question, found.start("rest"))
    head, words = found["head"].split()[-1], question[found.start() + 4 : end]
    if re.fullmatch(_NO_HEADS, head) or head.endswith("s"):
        return None
    kind = _kind_of(head)
    asks = f"{_who(kind)} the {words}?"
    return Described(found.start(), end, question[found.start() : end], asks, head, kind, topmost=True)


def _made_of(question: str, found: re.Match[str]) -> Described | None:
    end = found.start("rest") + _until(question, found.start("rest"))
    of = question[found.start("rest") : end]
    verb = "are" if of.endswith("s") else "is"
    words = question[found.start() : end]
    if len(content_words(of, "en")) < 2:
        return None
    return Described(found.start(), end, words, f"Which {found['head']} {verb} {of} made of?", found["head"], "thing")


def _thing(
    question: str, found: re.Match[str], end: int, asks: str, kind: ThingKind, least: int = 99
) -> Described | None:
    """None when it is no one thing, or told neither by anything with a name nor by `least` words."""
    if not _may_be_named(found["head"], question[found.start("rest") : end], least):
        return None
    return Described(found.start(), end, question[found.start() : end], asks, found["head"].split()[-1], kind)


def _may_be_named(head: str, told: str, least: int) -> bool:
    last = head.split()[-1]
    many = last.endswith("s") and not last.endswith(("ss", "us", "is"))
    if re.fullmatch(_NO_HEADS, last) or many:
        return False
    known = re.fullmatch(_STUFF, last) or re.search(_NAME, told)
    return bool(known) or len(content_words(told, "en")) >= least


def _until(question: str, start: int, *, own_subject: bool = False, clause: bool = False) -> int:
    """The length of what describes, from there on: up to the main verb of the question, where that stands behind it.

    A clause with a subject of its own has its own verb first ("that Clyde Tombaugh found").
    """
    rest = question[start:].rstrip("?！!. ")
    if stop := _STOP.search(rest):
        rest = rest[: stop.start()]
    words = rest.split()
    named = next((n for n, word in enumerate(words) if _capital(word)), len(words))
    if named == len(words) and clause:
        own = _own_verb(words, own_subject=own_subject) + own_subject
        verbs = (n for n, word in enumerate(words) if n > own and _MAIN_VERB.fullmatch(word))
        return len(" ".join(words[: next(verbs, len(words))]))
    while named < len(words) and _capital(words[named]):
        named += 1
    if own_subject:
        named += 2 if words[named : named + 1] and words[named] in {"was", "is", "were", "had", "has"} else 1
    end = min(named, len(words))
    while end < len(words) and not _ends(words[end:], own_subject=own_subject):
        end += 1
    if end == len(words) > 1 and not own_subject and _ASKED_OF.search(question[:start]) and not _capital(words[-1]):
        end -= 1  # "did the man who designed the Eiffel Tower retire"
    return len(" ".join(words[:end]))


def _own_verb(words: Sequence[str], *, own_subject: bool) -> int:
    """Where the verb of a clause without names stands, or, where that comes first, what follows it."""
    if own_subject:
        return next((n for n, word in enumerate(words) if _MAIN_VERB.fullmatch(word)), len(words))
    after = 1
    while after < len(words) and (_AUXILIARY.fullmatch(words[after - 1]) or words[after] in {"to", "be", "been"}):
        after += 1
    return after


def _ends(words: Sequence[str], *, own_subject: bool) -> bool:
    """Whether the description ends before these."""
    if _BETWEEN.fullmatch(words[0]):
        return not own_subject and not any(map(_capital, words[1:3]))
    return bool(_MAIN_VERB.fullmatch(words[0])) or (len(words[0]) > 4 and words[0].endswith("ed"))


def _capital(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit()


def _kind_of(head: str, pronoun: str = "") -> ThingKind:
    last = head.split()[-1]
    if pronoun in {"who", "whom"} or re.fullmatch(_PEOPLE, last):
        return "person"
    return "place" if re.fullmatch(_PLACES, last) else "thing"


def _kind_of_role(head: str) -> ThingKind:
    if re.search(rf"{_PERSON_ROLE}$", head):
        return "person"
    return "place" if re.search(rf"{_PLACE_ROLE}$", head) else "thing"


def _who(kind: ThingKind) -> str:
    return "Who was" if kind == "person" else "What is"

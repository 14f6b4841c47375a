"""Things that a question describes and does not name: "the river that flows through Lake Geneva". English. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from answerable.text.analysis import content_words

ThingKind = Literal["person", "place", "thing"]
LONGEST = 400  # characters of a question that is looked at


def _one_of(words: str) -> str:
    return "(?:" + "|".join(words.split()) + ")"


_PERSON_ROLE = _one_of(
    """designer engineer architect builder author writer inventor discoverer (?:co-)?founder owner director composer
    painter sculptor creator maker editor publisher producer leader head captain commander king queen president chair
    chairman chairwoman mayor governor minister chancellor boss ceo manager coach curator keeper warden winner champion
    successor predecessor wife husband widow widower spouse mother father son daughter brother sister cousin uncle aunt
    student pupil teacher tutor mentor assassin translator illustrator narrator hero heroine explorer pioneer
    (?:great-)?grand(?:father|mother|son|daughter|parent) nephew niece chef cook baker holder landlord landlady skipper
    pilot driver rider judge principal rector dean abbot bishop librarian secretary treasurer ranger gardener
    conductor maintainer speaker organist trainer choreographer
    inspector breeder organiser host presenter restorer surveyor player scorer goalkeeper striker"""
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
    rest most least"""
)
_DATED = _one_of("year season vintage")  # what has a number for its name
_OWN_CLAUSE = re.compile(r"\b(?:who|whom|where|that|which|whose)\b.+?\b(?:his|hers?|their|its)\b")
_POINTS = re.compile(
    r"\b(?:its?|he|she|him|his|hers?|they|them|their|this(?! (?:year|month|week|winter|summer|spring|autumn|season))"
    r"|that one|these|those|I|my|we|our)\b"
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
_PLACED = rf"(?P<placed>(?: (?:in|on|at|near|from|of) (?:the )?{_NAMES})?)"
_RELATIVE = re.compile(
    rf"\b[Tt]he {_HEAD}{_PLACED},? (?P<with>{_LEADING})?(?P<pronoun>that|who|whom|which|where) (?P<rest>[^?]+)"
)
_WHOSE = re.compile(rf"\b[Tt]he {_HEAD},? whose (?P<rest>[^?]+)")
_CONTACT = re.compile(
    rf"\b[Tt]he (?P<head>{_NOUN}) (?P<rest>(?:{_NAMES} (?:was |is |had )?{_DID}"
    rf"|the {_NAMES}(?: {_NOUN})? (?:(?:was|is|had|has|were|are) )?(?!of\b)[a-z]{{3,}}(?:s|ed|en)?)\b[^?]*)"
)
_APART = re.compile(  # "the club have whose manager is Ida": the verb of the question stands within
    rf"\b(?:do|does|did|can|could|will|would) the {_HEAD} (?P<verb>have|carry|cost|weigh|hold|need|use|offer|sell"
    r"|charge|contain|measure|reach|take|get|open|close|start|end|play|earn|run|stay|last|go|come|live|lie|stand|seat"
    r"|belong|pay|begin|win|die|measure|sink|rise|fall|look|sell|leave|cover|receive|serve|move) "
    r"(?P<pronoun>that|who|which|whose|where) (?P<rest>[^?]+)"
)
_POINTED = re.compile(  # "which ship goes to Orra, and how fast is it"
    r"^(?P<first>(?:which|what|who)\b(?!['’]s| is (?:it|the (?:price|cost|name))\b)[^,?]{8,}?),? and "
    r"(?P<then>(?:what|how|when|where|who|which|why|is|does|did|was|can)\b[^?]*?"
    r"(?<![\w’'])(?P<points>its|it|he|she|his|her|they|their|that one|(?:that|this) [a-z]+)(?![\w’'])[^?]*)",
    re.IGNORECASE,
)
_FIRST_NOUN = re.compile(rf"^(?:[Ww]hich|[Ww]hat) (?:{_NAME} )*(?P<head>{_NOUN})(?: {_NOUN})*? (?!of\b(?! {_NAME}))")
_MOST = re.compile(rf"\b[Tt]he {_HEAD} with (?P<rest>the (?:most|fewest|least|\w{{3,}}est) [^?]+)")
_YEAR = re.compile(
    r"\b(?P<of>[Tt]he (?:same )?(?P<head>year|season|vintage) (?P<how>of|when|that|in which)) (?P<rest>[^?]+)"
)
_THAT_YEAR = re.compile(r"\b(?:in )?(?:that|the same) (?:year|season|vintage)\b")
_ANY = frozenset(f"{this} {kind}" for this in ("that", "this") for kind in ("sort", "kind", "variety", "type", "model"))
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
    r"(?: of the (?:season|year|match|month|week|show|day))?"
)
_SUPERLATIVE = re.compile(
    rf"(?<!with )\b[Tt]he (?P<head>"
    rf"(?:(?!{_one_of('west east best worst latest rest interest forest test')}\b)\w{{3,}}est"
    rf"|most [a-z]+|(?:first|last) (?=(?:[\w’'-]+ ){{0,3}}?(?:{_PEOPLE}|{_PERSON_ROLE})\b)) ?(?:{_NAME} ){{0,3}}{_NOUN}"
    rf"(?: {_NOUN})?)"
    r" (?P<rest>(?:in|on|of|at|to|ever|from|around) [^?]+)"
)
_OWN_SUPERLATIVE = re.compile(
    rf"(?<![\w’'])(?P<rest>(?:the )?(?:{_NAMES}|{_NOUN}))['’]s? (?P<head>\w{{3,}}est {_NOUN}(?: {_NOUN})?)\b"
)
_MADE_OF = re.compile(rf"\b[Tt]he (?P<head>{_STUFF}) (?:of|in|inside) (?P<rest>[^?]+)")
_ASKS_WHAT_IT_IS = re.compile(r"^(?:\w+, )?(?:what|which|who)(?:['’]s| is| was| are| were) $", re.IGNORECASE)
_PASSIVE = re.compile(  # "when was the bridge opened by": what stands behind the bridge is asked of it
    r"\b(?:when|where|why|how|who|what|whom|year|day|date|month|century) (?:is|was|were|are|has|had|did) $",
    re.IGNORECASE,
)
_MAY = re.compile(r"\b(?:in|of|since|until|by|from|early|late|mid|last|this|next) (?=may\b)")  # the month
_MAIN_VERB = re.compile(
    r"(?:is|are|was|were|has|have|had|does|do|did|can|could|will|would|may|might|must|should|"
    r"(?:die|live|melt|boil|freeze|weigh|cost|open|close|stand|lie|meet|flow|say|end|begin|start|come|go|rise|run"
    r"|join|measure|win|write|build|make|become|earn|play|study|spend|get|hold|reach|retire|work|move|marry|leave|grow|empt"
    r"|produce|sell|belong|serve|teach|receive|name|call|use|need|take|give|lead|found|invent|discover|paint|design)"
    r"(?:s|es|ed|d|y|ies)?|died|lay|stood|met|said|began|came|went|rose|ran|won|wrote|built|made|became|spent|got|held"
    r"|left|grew|sold|taught|took|gave|led|born|buried|located|situated|found|known|worth|old|tall|long)$"
)
_ACTS = re.compile(rf"{_DID}|(?!{_FUNCTION}$)[a-z]{{3,}}(?<!s)s")  # a verb behind its subject
_AUXILIARY = re.compile(r"is|are|was|were|has|have|had|will|would|can|could|may|might|must|to|be|been")
_BETWEEN = re.compile(
    r"(?:of|in|on|at|to|for|by|with|from|through|near|and|into|the|an?|still|already|now|ever|today)$"
)
_STOP = re.compile(
    r"[,;:?()]| (?:when|while|because|if) | and (?=(?:in |on |at |for |to )?(?:which|what|who|how|where|when|why)\b)"
)
_ASKED_OF = re.compile(r"\b(?:do|does|did|can|could|will|would) [Tt]he (?:[\w’'-]+ ){1,4}$", re.IGNORECASE)
_BEFORE_OR_AFTER = re.compile(r" (?:do|have|be|go|come) (?:before|after|later|next|first|earlier|now)\b")
_ASKED_OF_SO_FAR = re.compile(r"\b(?:do|does|did|can|could|will|would) [Tt]he (?:[\w’'-]+ ){1,4}(?:of|for) $")
_BASE = re.compile(  # the verb of a question with "does" or "did", behind the one it is asked of
    r"\b(?:go|get|make|take|come|see|know|give|find|think|tell|become|leave|put|bring|begin|keep|hold|write|meet|run|pay"
    r"|speak|lead|read|grow|lose|fall|send|build|draw|break|spend|rise|drive|buy|wear|choose|win|cost|teach|sell|live"
    r"|study|look|learn|create|own|carry|offer|open|close|start|stop|use|need|want|like|call|move|happen|include|follow"
    r"|add|serve|die|wait|stay|reach|pass|return|produce|receive|join|save|weigh|measure|charge|recommend|earn|manage"
    r"|retire|marry|discover|invent|reign|rule|sail|fly|travel|belong|contain|seat|melt|boil|freeze|do|have|say)\b"
)
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
        rest = question[self.end :]
        if re.fullmatch(_DATED, self.head):
            rest = _THAT_YEAR.sub(f"in {name}", rest)
        return f"{question[: self.start]}{name}{self.after}{rest}"


def described(question: str) -> Described | None:
    """The innermost thing that stands in the way of an answer: not the one that is itself asked for. None in what is
    too long for one question."""
    question = " ".join(question.split())
    if len(question) > LONGEST:
        return None
    found = [thing for thing in _all(question) if thing and _in_the_way(thing, question)]
    pointed = _POINTED.match(question)
    return max(
        found, key=lambda thing: (thing.start, thing.end), default=_pointed(question, pointed) if pointed else None
    )


def _in_the_way(thing: Described, question: str) -> bool:
    """It tells of something, and its name is not all that is asked."""
    before, after = question[: thing.start], question[thing.end :]
    asked_itself = _ASKS_WHAT_IT_IS.match(before) and _NO_MORE.match(_STOP.split(after)[0])
    points = _POINTS.search(_OWN_CLAUSE.sub("", thing.words))  # "the chef who runs her own place" tells whose
    asks = content_words(before + after, "en") or _BEFORE_OR_AFTER.match(after)
    return not asked_itself and not points and bool(asks)


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
        (_YEAR, _year),
        (_MOST, _most),
    ):
        at = 0
        while found := pattern.search(question, at):
            yield make(question, found)
            at = found.start() + 4
    for found in _OWN_SUPERLATIVE.finditer(question):
        head = found["head"].split()[1]
        kind = _kind_of(head)
        yield Described(*found.span(), found[0], f"{_who(kind)} {found[0]}?", head, kind, topmost=True)
    for found in _OWNED.finditer(question):
        words = found[0]
        kind = _kind_of_role(found["head"])
        yield Described(*found.span(), words, f"{_who(kind)} {words}?", found["head"], kind)


def _whose(question: str, found: re.Match[str]) -> Described | None:
    end = found.start("rest") + _until(question, found.start("rest"), own_subject=True, clause=True)
    clause = question[found.start("rest") : end]
    kind = _kind_of(found["head"])
    asks = f"Whose {clause}?" if kind == "person" else f"Which {found['head']}’s {clause}?"
    return _thing(question, found, end, asks, kind, least=1)


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
    if points.startswith(("that ", "this ")) and points not in {f"that {head}", f"this {head}", "that one", *_ANY}:
        return None
    if person != (kind == "person") or re.fullmatch(_NO_HEADS, head) or len(content_words(first, "en")) < 2:
        return None
    start, end = found.span("points")
    after = _OWN.get(points, "") if re.match(r" [a-z]", question[end:]) else ""  # "met her" is no "her house"
    return Described(start, end, question[start:end], f"{first}?", head, kind, after=after, told=first)


def _relative(question: str, found: re.Match[str]) -> Described | None:
    head, rest = found["head"], found["rest"]
    own_subject = bool(re.match(rf"(?:(?:the |an? )(?:{_NOUN} ){{0,2}}?)?{_NAME}", rest)) and found["pronoun"] != "who"
    own_subject = own_subject or (found["pronoun"] == "where" and not re.search(_NAME, rest))
    end = found.start("rest") + _until(question, found.start("rest"), own_subject=own_subject, clause=True)
    clause, kind = question[found.start("rest") : end], _kind_of(head, found["pronoun"])
    leading = (found["with"] or ("in " if found["pronoun"] == "where" else "")).strip()
    which = f"Which {head}{found['placed']} {clause} {leading}".rstrip() + "?"
    asks = f"Who {clause}?" if kind == "person" and not leading and not found["placed"] else which
    apart = "," in question[found.end("head") : found.start("rest")]  # "in the year it opened, who was king"
    return _thing(question, found, end, asks, kind, least=2 if apart else 1)


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
    return _thing(question, found, end, f"{_who(kind)} the {words}?", kind, least=2)


def _most(question: str, found: re.Match[str]) -> Described | None:
    end = found.start("rest") + _until(question, found.start("rest"))
    asks = f"Which {found['head']} has {question[found.start('rest') : end]}?"
    return _thing(question, found, end, asks, _kind_of(found["head"]), least=1)


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


def _year(question: str, found: re.Match[str]) -> Described | None:
    clause = found["how"] != "of"
    end = found.start("rest") + _until(question, found.start("rest"), own_subject=clause, clause=clause)
    rest = question[found.start("rest") : end]
    if not content_words(rest, "en"):
        return None
    asks = f"In which {found['head']} {'' if clause else 'was '}{rest}?"
    return Described(found.start(), end, question[found.start() : end], asks, found["head"], "thing")


def _thing(
    question: str, found: re.Match[str], end: int, asks: str, kind: ThingKind, least: int = 99
) -> Described | None:
    """None when it is no one thing, or told neither by anything with a name nor by `least` words."""
    if not _may_be_named(found["head"], question[found.start("rest") : end], least):
        return None
    return Described(found.start(), end, question[found.start() : end], asks, found["head"].split()[-1], kind)


def _may_be_named(head: str, told: str, least: int) -> bool:
    last = head.split()[-1]
    many = last.endswith("s") and not last.endswith(("ss", "us", "is", "lens", "series", "species"))
    if re.fullmatch(_NO_HEADS, last) or many:
        return False
    known = re.fullmatch(_STUFF, last) or re.search(_NAME, told)
    return bool(known) or len(content_words(told, "en")) >= least


def _until(question: str, start: int, *, own_subject: bool = False, clause: bool = False) -> int:
    """The length of what describes, from there on: up to the main verb of the question, where that stands behind it.

    A clause with a subject of its own has its own verb first ("that Clyde Tombaugh found").
    """
    rest = question[start:].rstrip("?！!. ")
    verbs = [found for found in _BASE.finditer(rest) if found.start()] if not clause else []
    cut = bool(verbs) and bool(_ASKED_OF_SO_FAR.search(question[:start]))
    rest = rest[: verbs[-1].start()].rstrip() if cut else rest
    if stop := _STOP.search(rest):
        rest = rest[: stop.start()]
    words = rest.split()
    named = next((n for n, word in enumerate(words) if _capital(word)), len(words))
    if named == len(words) and clause:
        own = _own_verb(words, own_subject=own_subject) + own_subject
        main = (n for n, word in enumerate(words) if n > own and _MAIN_VERB.fullmatch(word))
        return len(" ".join(words[: next(main, len(words))]))
    while named < len(words) and _capital(words[named]):
        named += 1
    if own_subject:
        named = _after_verb(words, named)
    end = min(named, len(words))
    while end < len(words) and not _ends(words[end:], own_subject=own_subject):
        end += 1
    if (
        end == len(words) > 1
        and not cut
        and not own_subject
        and _ASKED_OF.search(question[:start])
        and not _capital(words[-1])
    ):
        end -= 1  # "did the man who designed the Eiffel Tower retire"
    return len(" ".join(words[:end]))


def _after_verb(words: Sequence[str], named: int) -> int:
    """Behind the verb of a clause whose subject ends at `named`: "Uradd" of "Uradd the bird keeper served"."""
    for n in range(named, min(named + 5, len(words))):
        if words[n] in {"was", "is", "were", "are", "had", "has", "have"}:
            return n + 2
        if _ACTS.fullmatch(words[n]):
            return n + 1
    return named + 1


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
    if words[0] in {"last", "first", "next", "most"} and words[1:2]:  # "last visited"
        return bool(_MAIN_VERB.fullmatch(words[1]) or words[1].endswith("ed"))
    return bool(_MAIN_VERB.fullmatch(words[0])) or (len(words[0]) > 4 and words[0].endswith("ed"))


def _capital(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit()


def _kind_of(head: str, pronoun: str = "") -> ThingKind:
    last = head.split()[-1]
    people = _PEOPLE if pronoun in {"that", "which"} else f"{_PEOPLE}|{_PERSON_ROLE}"  # a driver is a program, too
    if pronoun in {"who", "whom"} or re.fullmatch(people, last):
        return "person"
    return "place" if re.fullmatch(_PLACES, last) else "thing"


def _kind_of_role(head: str) -> ThingKind:
    if re.search(rf"{_PERSON_ROLE}$", head):
        return "person"
    return "place" if re.search(rf"{_PLACE_ROLE}$", head) else "thing"


def _who(kind: ThingKind) -> str:
    return "Who was" if kind == "person" else "What is"

"""Which sentences may open an answer: those that give the asked kind of thing, of the asked thing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answerable.answering.another import without_others
from answerable.answering.candidates import Candidate, stems_of
from answerable.answering.elsewhere import of_the_thing, told_as_asked
from answerable.answering.tongues import may_lead
from answerable.answering.weighing import NAME, NEXT_TO, PERSONAL, Wanted, gives, sought_columns, spoken
from answerable.text.answertypes import asked_for, holds, measures

_PAST = re.compile(  # only these are sure to be answered with a date: "when should I water" is not
    r"\bwhen (?:was|were|did)\b|\bwh(?:at|ich) year\b|\bwann (?:wurden?|war)\b|\bquand (?:a|fut|ont)\b|\bcuándo fue\b",
    re.IGNORECASE,
)
_AT_AN_AGE = re.compile(r"\bhow old (?:was|were) .*\b(?:when|at)\b|\bat what age\b", re.IGNORECASE)
_PEOPLED = re.compile(r"\bpopulation\b|\binhabitants\b|\bhow many people live\b", re.IGNORECASE)
_PEOPLE = re.compile(
    r"\b(?:population|inhabitants?|people|residents?|citizens?|souls|persons|islanders|lives?|living|home to)\b",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"\bhow many ([a-z-]+)\b", re.IGNORECASE)
_SUPERLATIVE = re.compile(r"\bthe (\w{3,}est)\b", re.IGNORECASE)
_FOR_WHAT = re.compile(
    r"\bfor (?:an?|one|each|the|every) ([^?,]+?)(?= (?:on|in|at|of|to|from|with|per|by|under|over)\b|\?|,|$)",
    re.IGNORECASE,
)
_NO_SUPERLATIVE = frozenset({"forest", "west", "interest", "harvest", "contest", "guest", "test", "request", "rest"})
_LIKE = (
    {"highest", "tallest"},
    {"largest", "biggest", "greatest"},
    {"smallest", "least"},
    {"newest", "latest", "current"},
)
_ATTRIBUTE = re.compile(
    r"^what(?:'s| is| was| are| were) the ((?:[a-z][\w-]* ){0,2}[a-z][\w-]*) (?:of|for) ", re.IGNORECASE
)
_PLAIN_NAMES = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Mon|Tues|Wednes|Thurs"
    r"|Fri|Satur|Sun)(?:day)?$|\w+(?:ish|ese|ican)$|(?:French|Greek|Dutch|German)$"
)
_PERSON = re.compile(r"(?<![\w’'-])[A-ZÀ-Þ][\w’'-]+(?: (?:[A-ZÀ-Þ]\.|de|von|van|al|[A-ZÀ-Þ][\w’'-]+))*")
_NOBODY = re.compile(r"\b(?:in|at|near|to|from|through|into|(?<!by )the) $|\b(?:in|at|near|from) the $", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:The|An?|In|On|At|When|After|Its?|This) ")
_THING = re.compile(
    r"\b(?:Mount|Mons|Mountains?|Lake|River|Sea|Ocean|Island|Bay|Cape|Tower|Bridge|Building|Monument|Palace|Castle|Hotel"
    r"|Museum|Church|Street|Square|Park|Station|Airport|Valley|City|Town)\b"
)
_ANYONE = frozenset({"person", "man", "woman", "peopl"})
_HAPPENED = "build built construct construction erect complete finish open"  # what a thing's date may be told with
_LIVED = re.compile(r"\b(?:(?:was|were|is) )?(?:born|buried|raised|educated|died|studied|grew up|lived|married)\b")
_WHOSE_LIFE = re.compile(  # the name before "who", or the one that opens the sentence
    r"(?P<who>[A-ZÀ-Þ][\w’'-]+(?: [A-ZÀ-Þ][\w’'-]+)+)(?: ?\([^()]*\))?(?:,? (?:who|whose [^,]*,)|, [^,]*,)? $"
)
SILENT = 0.03  # chance below which a model that read a sentence sees no answer in it
CLEARLY = 2.0  # how far a sentence must lie above others of its kind to stand out
NEAR = 3.0  # how far below the first that gives a date one may lie that says of what
_HEADS = re.compile(r"[:|·–—]| - ")
_KIN = (
    "design build built architect engineer sketch draw drew plan create make made construct invent lay out",
    "build built construct erect complete finish open raise architect engineer make made",
    "write wrote author publish compose poem novel play book",
    "paint make made artist",  # not `draw`: a match may end in one
    "found establish start begin create set up",
    "discover find found detect isolate notice identify see",
    "invent develop create make made patent design build idea inventor",
    "lead head run director chief boss ceo president chair manager charge head minister mayor",
    "own buy bought belong owner",
    "win won winner champion beat victory title gold first",
)


def fit_to_lead(ranked: Sequence[tuple[Candidate, float]], wanted: Wanted) -> list[tuple[Candidate, float]]:
    """Without those above the first that may lead, by what their words say; empty when none may."""
    return _fit(without_others(ranked, wanted), wanted)


def open_to_lead(chosen: Sequence[tuple[Candidate, float]], wanted: Wanted) -> list[tuple[Candidate, float]]:
    """Of those whose chances beside each other are known, without what is surely of another thing or life, or gives no
    cause where one is asked for; empty where the model that read them sees no answer in any."""
    if all((c.chance or 0.0) < SILENT for c, _ in chosen):
        return []
    own = of_the_thing(chosen, wanted)
    return [(c, score) for c, score in own if told_as_asked(c, wanted) and not _of_another_life(c, wanted)]


def _fit(ranked: Sequence[tuple[Candidate, float]], wanted: Wanted) -> list[tuple[Candidate, float]]:
    clear = _clear(ranked, wanted)
    fit = [_may_lead(c, wanted, c is clear) for c, _ in ranked]
    own = any(ok and on_own_page(c, wanted) for ok, (c, _) in zip(fit, ranked, strict=True))
    kept = [i for i, (c, _) in enumerate(ranked) if fit[i] and not (own and _of_another(c, wanted))]
    if not kept:
        return []
    first = kept[0]
    if _PAST.search(wanted.question) and (done := _happened(wanted)):
        near = (i for i in kept if done & ranked[i][0].words and ranked[i][1] > ranked[first][1] - NEAR)
        first = next(near, first)
    return list(ranked[first:])


def on_own_page(candidate: Candidate, wanted: Wanted) -> bool:
    """Whether a part of the page's title is the asked name and nothing else: there "it" and "the tower" are the thing
    asked; "The half-size Eiffel Tower of Las Vegas" is another."""
    title = candidate.above.partition(" > ")[0]
    return bool(wanted.names) and any(stems_of(part, wanted.language) == wanted.names for part in _HEADS.split(title))


def _of_another(candidate: Candidate, wanted: Wanted) -> bool:
    """Whether it speaks of a namesake: on another page, without the asked name, with another one or in passing."""
    if on_own_page(candidate, wanted) or wanted.names <= candidate.words:
        return False
    return bool(NAME.search(spoken(candidate)) or PERSONAL.search(candidate.text)) or candidate.is_row


def _clear(ranked: Sequence[tuple[Candidate, float]], wanted: Wanted) -> Candidate | None:
    """The one that names a person, near the top, with no other such near it: then its meaning is trusted beyond its
    words ("took the helm" for the boss)."""
    named = [(c, score) for c, score in ranked if _told_of_person(c, wanted, True)][:2]
    if not named or named[0][1] < ranked[0][1] - CLEARLY:
        return None
    return named[0][0] if len(named) == 1 or named[0][1] > named[1][1] + CLEARLY else None


def _may_lead(c: Candidate, wanted: Wanted, clear: bool) -> bool:
    asked = wanted.question
    if any(f[1].casefold() in asked.casefold() for f in NEXT_TO.finditer(spoken(c))) and not NEXT_TO.search(asked):
        return False
    if not _dated(c, wanted) or not _counted(c, wanted) or not told_as_asked(c, wanted) or _of_another_life(c, wanted):
        return False
    if not wanted.language.startswith("en"):
        return may_lead(c, wanted.question, wanted.kinds, wanted.language)  # the words below are English
    if not topmost(c, wanted) or not _of_attribute(c, wanted) or not _for_that(c, wanted):
        return False
    return _told_of_person(c, wanted, clear) and _decides(c, wanted)


def marks_against(c: Candidate, wanted: Wanted) -> dict[str, float]:
    """What speaks against its opening the answer, each 0 or 1."""
    found = {
        "no_date": not _dated(c, wanted),
        "no_count": not _counted(c, wanted),
        "other_life": _of_another_life(c, wanted),
        "not_topmost": not topmost(c, wanted),
        "no_attribute": not _of_attribute(c, wanted),
        "not_for_that": not _for_that(c, wanted),
        "no_person": not _told_of_person(c, wanted, False),
        "undecided": not _decides(c, wanted),
        "of_another": _of_another(c, wanted),
    }
    return {name: float(against) for name, against in found.items()}


def _of_another_life(c: Candidate, wanted: Wanted) -> bool:
    """Whether it says of somebody else that they were born, lived or died ("her pupil Tom Reed, who was born in…")."""
    lived = _LIVED.search(c.text) if wanted.names and _LIVED.search(wanted.question) else None
    who = _WHOSE_LIFE.search(c.text[: lived.start()]) if lived else None
    return who is not None and not stems_of(who["who"], wanted.language) & wanted.names


def _dated(c: Candidate, wanted: Wanted) -> bool:
    return not _PAST.search(wanted.question) or gives(c, wanted, "date")


def _counted(c: Candidate, wanted: Wanted) -> bool:
    """A population is told in people, a height in metres: by the words of the sentence or the row's columns."""
    if "number" not in asked_for(wanted.question):
        return True
    text = spoken(c)
    if _PEOPLED.search(wanted.question):
        return holds(text, "number") and bool(_PEOPLE.search(f"{text} {c.above}" if c.is_row else text))
    if c.is_row and any(
        holds(c.cells[i], "number") and not _named(c.header[i], wanted) for i in sought_columns(c, wanted)
    ):
        return True
    if (counted := _HOW_MANY.search(wanted.question)) and wanted.language.startswith("en"):
        noun = frozenset[str]() if _PEOPLE.match(counted[1]) else stems_of(counted[1], wanted.language) - _ANYONE
        return not noun or bool(noun & (c.words | c.around)) or bool(wanted.measure and wanted.measure.search(text))
    unit = measures(wanted.question)
    if wanted.measure is not None and _AT_AN_AGE.search(wanted.question):
        return bool(wanted.measure.search(text)) or "age" in c.words
    return unit is None or wanted.measure is None or bool(unit.search(text)) or c.is_row or holds(text, "number")


def _named(column: str, wanted: Wanted) -> bool:
    """Whether the column is called after a name of the question: it says whose the figures are, not what of."""
    return bool(stems_of(column, wanted.language) & wanted.names)


def topmost(c: Candidate, wanted: Wanted) -> bool:
    """For "the highest", what is called so, in a sentence or around a row, or by a word for the same."""
    if not _superlative(wanted.question):
        return True
    here = c.words | c.around
    told = called_so(wanted.question, f"{spoken(c)} {c.above} {c.before}")
    return told and (not wanted.names or bool(wanted.names & here))


def called_so(question: str, text: str) -> bool:
    """Whether the text has the question's superlative, or one that means the same."""
    asked = _superlative(question)
    same = next((words for words in _LIKE if asked in words), {asked})
    same = same | {f"{word[:-3]}er" for word in same if word.endswith("est")}  # "none is higher"
    return bool(same & set(re.findall(r"\w+", text.casefold())))


def _superlative(question: str) -> str:
    found = _SUPERLATIVE.search(question)
    return found[1].lower() if found and found[1].lower() not in _NO_SUPERLATIVE else ""


def _of_attribute(c: Candidate, wanted: Wanted) -> bool:
    """For "what is the X of Y": X is named by the sentence or by what stands around it; by a row with all its words."""
    found = _ATTRIBUTE.match(wanted.question)
    if not found or wanted.measure:
        return True
    stems, here = stems_of(found[1], wanted.language), c.words | c.around
    of = stems_of(wanted.question[found.end() :], wanted.language)
    if of and not of & here:
        return False
    if c.is_row and len(stems) > 1 and sought_columns(c, wanted):
        return stems <= here
    return not stems or bool(stems & here)


def _for_that(c: Candidate, wanted: Wanted) -> bool:
    """For "the fare for a motorcycle": what is said of motorcycles, not the adult's."""
    found = _FOR_WHAT.search(wanted.question) if "number" in wanted.kinds else None
    asked = stems_of(found[1], wanted.language) - _ANYONE if found else frozenset[str]()
    return not asked or bool(asked & (c.words | c.around))


def tells_of_person(c: Candidate, wanted: Wanted) -> bool:
    """Whether it answers who did it, where that is asked."""
    return _told_of_person(c, wanted, False)


def of_another(c: Candidate, lead: Candidate, wanted: Wanted) -> bool:
    """Whether the lead stands on the page of the thing asked and the other speaks of a namesake."""
    return on_own_page(lead, wanted) and _of_another(c, wanted)


def _told_of_person(c: Candidate, wanted: Wanted, clear: bool) -> bool:
    """For "who did it": another name than those of the question, and what was done, in a word for it or, where it is
    `clear`ly the best, in whatever words."""
    if "person" not in wanted.kinds or not wanted.question.casefold().startswith("who "):
        return True
    known = wanted.question.casefold()
    text = spoken(c)
    named = any(
        not _NOBODY.search(text[: f.start()])
        and not _ARTICLE.match(f[0])
        and not _THING.search(f[0])
        and any(word.casefold() not in known and not _PLAIN_NAMES.match(word) for word in f[0].split())
        and (" " in f[0] or f.start() > 0)
        for f in _PERSON.finditer(text)
    )
    done = _done(wanted) - _ANYONE
    kin = frozenset[str]().union(*(words for words in map(_stems, _KIN) if words & done)) | done
    here = c.words | c.around
    return (
        named
        and (clear or not done or bool(kin & (here if c.is_row else c.words)))
        and (not wanted.names or bool(wanted.names & here))
    )


def _done(wanted: Wanted) -> frozenset[str]:
    return stems_of(wanted.question, wanted.language) - stems_of(
        " ".join(NAME.findall(wanted.question)), wanted.language
    )


def _happened(wanted: Wanted) -> frozenset[str]:
    done = _done(wanted)
    return done | _stems(_HAPPENED) if done & _stems(_HAPPENED) else done


def _stems(words: str) -> frozenset[str]:
    return stems_of(words, "en")


def _decides(c: Candidate, wanted: Wanted) -> bool:
    """For "is coffee bad for you": more than its subject."""
    asked = stems_of(wanted.question, wanted.language)
    if wanted.kinds != ("yes_no",) or len(asked) < 2:
        return True
    here = c.words | c.around
    return len(asked & here) > 1 and (not wanted.names or bool(wanted.names & here))

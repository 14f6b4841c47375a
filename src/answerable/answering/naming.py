"""What a question describes is called by its name, where the evidence tells it: then it can be searched for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from answerable.answering.candidates import Candidate, candidates_of, stems_of, tells_of
from answerable.answering.leading import topmost
from answerable.answering.tabled import name_of, topmost_row
from answerable.answering.weighing import NEXT_TO, Judges, Wanted, contrary, wanted_of, weigh
from answerable.answering.widening import passage_of, with_passage
from answerable.text.analysis import content_words
from answerable.text.described import Described, described
from answerable.types import Evidence, Page, Passage, Plan

NEARLY = 0.15  # how far below the likeliest sentence another may still tell the name
SURE = 0.7  # chance from which a sentence is taken at its word
LEADING = 0.55  # the same for the one that comes first by all other signs, too
LASTING = 1.0  # what newness may add before the newest source decides, not the likeliest
READ, ADDED = 12, 3  # passages with the name that are looked at, and that are taken in
LONGEST = 60  # characters of a name
_CAPITAL = r"[A-ZÀ-ÖØ-Þ][\w’'.-]*[\w’']"
_NAME = re.compile(
    rf"(?<![\w’'-]){_CAPITAL}(?:(?: (?:of|de|von|van|der|del|da|du|la|al|&))? (?:{_CAPITAL}|[A-Z]\.|\d+))*"
)
_NO_NAME = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs"
    r"|Fri|Satur|Sun)day)(?: \d+)*$|\w+[’']s?$|\w+(?:ish|ese)$"
)
_MADE_OF = re.compile(
    r"\b(?:made|consists?|built|formed|drawn|spun|cut) (?:up )?(?:of|from) (?:pure )?"
    r"([a-z]{3,}(?: [a-z]{3,})?)(?=[,.;)]|$| (?:and|or|which|that|in|with|by)\b)"
)
_PLACED = re.compile(r"\b(?:in|at|near|to|from|into|through|on|for|of)(?: the)? $")
_ACTED = re.compile(r"\bby (?:the )?(?:[a-z]+ ){0,3}$")
_IN_A_PLACE = re.compile(r"\b(?:in|at|near|from|of|to) (?:the )?(?:[a-z]+ ){0,3}$")
_ABOUT_ITSELF = re.compile(  # its name stands before it or over the page
    r"(?:It|Its|He|She|His|Her|They|Their)\b"
    r"|(?:From|At|In|On|For|After|Before|With|When|Since|By|Until|To|As)\b[^.;]{0,60}? (?:it|he|she|they) [a-z]"
)
_NO_PERSON = re.compile(
    r"\b(?:Mount|Mons|Mountains?|Lake|River|Sea|Ocean|Island|Bay|Cape|Tower|Bridge|Viaduct|Light|Lighthouse|Building"
    r"|Monument|Palace|Castle|Hotel|Museum|Church|Street|Square|Park|Station|Airport|Valley|City|Town|Theatre|University"
    r"|College|School|Institute|Polytechnic|Observatory|Medal|Prize|Company|Ltd|Inc|Society|Trust|Council|Railway)\b"
)
_ENDS = frozenset({".", "!", "?", ":", "…"})
_HEADS = re.compile(r"\s*[:|·–—,(]\s*| - ")


@dataclass(frozen=True, slots=True)
class _Mention:
    name: str
    before: str  # what stands before it in its sentence


@dataclass(frozen=True, slots=True)
class Named:
    """`passage` holds, from `start` on in its page, the sentence that tells the name."""

    thing: Described
    name: str
    passage: Passage
    start: int

    @property
    def bare(self) -> str:
        return self.name.removeprefix("the ")

    @property
    def reason(self) -> str:
        return f"{self.thing.words} is {self.name}"

    def told_by(self, candidate: Candidate, evidence: Evidence) -> bool:
        """Whether that is the sentence."""
        page = evidence.pages[candidate.number - 1]
        return (page.page_id, candidate.start) == (self.passage.page_id, self.start)


async def named_thing(plan: Plan, evidence: Evidence, judges: Judges) -> Named | None:
    """The name of what the question describes; None when it describes nothing, or nothing tells it for sure. English
    only, and only with a model that tells which sentence answers."""
    thing = described(plan.standalone_question) if plan.language.startswith("en") else None
    candidates = candidates_of(evidence, plan.language) if thing and judges.answers else []
    if not thing or not candidates:
        return None
    wanted = wanted_of(thing.asks, plan, evidence, candidates)
    told = _telling([c for c, _ in await weigh(candidates, wanted, judges)], wanted)
    question = plan.standalone_question
    for name_in in (_stuff_in, _name_in) if thing.stuff else (_name_in,):
        for candidate in told:
            if not _of_another(candidate, thing, wanted) and (name := name_in(candidate, thing, question, evidence)):
                return Named(thing, name, passage_of(candidate, evidence), candidate.start)
    row = topmost_row(thing, candidates, evidence, plan.language) if thing.topmost else None
    return Named(thing, name_of(row), passage_of(row, evidence), row.start) if row and name_of(row) else None


def _telling(ranked: Sequence[Candidate], wanted: Wanted) -> list[Candidate]:
    """Those that are sure to tell, the likeliest first; where answers do not last, in the order of all signs."""
    least = max((c.chance or 0.0 for c in ranked), default=0.0) - NEARLY
    told = [c for n, c in enumerate(ranked) if (c.chance or 0.0) >= max(least, SURE if n else LEADING)]
    return told if wanted.newest > LASTING else sorted(told, key=lambda c: -(c.chance or 0.0))


def with_name(plan: Plan, named: Named) -> Plan:
    """The plan for the question that says the name."""
    question = named.thing.named(plan.standalone_question, named.name)
    return replace(plan, standalone_question=question, queries=(question, named.bare))


def as_described(plan: Plan, named: Iterable[Named]) -> Plan:
    """The plan whose question says what each name stands for: a model sees what it rests on."""
    question = plan.standalone_question
    for one in named:
        question = question.replace(one.name, f"{one.name} ({one.thing.words})", 1)
    return replace(plan, standalone_question=question)


def holding(evidence: Evidence, named: Iterable[Named], pages: Mapping[str, Page]) -> Evidence:
    """The evidence with the sentences that tell the names."""
    for one in named:
        if not any(p.page_id == one.passage.page_id and p.start <= one.start < p.end for p in evidence.passages):
            evidence = with_passage(evidence, one.passage, pages)
    return evidence


async def with_what_tells_of(
    named: Named,
    plan: Plan,
    evidence: Evidence,
    everything: Sequence[Passage],
    pages: Mapping[str, Page],
    judges: Judges,
) -> Evidence:
    """The evidence with passages that have the name and answer: a row of a long table comes near no question."""
    held = {passage.passage_id for passage in evidence.passages}
    inside = re.compile(rf"(?<!\w){re.escape(named.bare)}(?!\w)", re.IGNORECASE)
    others = [p for p in everything if p.passage_id not in held and inside.search(p.text)][:READ]
    apart = Evidence(tuple({p.page_id: pages[p.page_id] for p in others}.values()), tuple(others), (0.0,) * len(others))
    own = [c for c in candidates_of(apart, plan.language) if inside.search(c.text) or inside.search(c.above)]
    question, telling = plan.standalone_question, list[Passage]()
    name, asked = stems_of(named.bare, plan.language), stems_of(question, plan.language)
    for c, _ in await weigh(own, wanted_of(question, plan, apart, own), judges):
        if (c.chance or 0.0) >= SURE or (c.is_row and tells_of(c, name, asked)):
            telling.append(passage_of(c, apart))
    for passage in list(dict.fromkeys(telling))[:ADDED]:
        evidence = with_passage(evidence, passage, pages)
    return evidence


def _of_another(candidate: Candidate, thing: Described, wanted: Wanted) -> bool:
    """Whether it speaks of the next best, of the opposite, or of nothing that was the most."""
    if NEXT_TO.search(candidate.text) or contrary(candidate.text, wanted.question):
        return True
    return thing.topmost and not topmost(candidate, wanted)


def _stuff_in(candidate: Candidate, thing: Described, question: str, evidence: Evidence) -> str:
    found = _MADE_OF.search(candidate.text)
    return found[1] if found and not _known(found[1], question) else ""


def _name_in(candidate: Candidate, thing: Described, question: str, evidence: Evidence) -> str:
    """What the sentence, the row or else its page calls the thing; "" when that is not sure."""
    names = list(_mentions(candidate, question, evidence))
    if thing.kind == "person":
        found = _person(names)
    elif thing.kind == "place":
        found = next((one.name for one in names if _IN_A_PLACE.search(one.before)), "") or _first(names)
    else:
        found = "" if _ABOUT_ITSELF.match(candidate.text) else _first(names)
    if not found and (not names or thing.kind == "thing"):
        found = _title(candidate, thing, question, evidence)
    with_article = re.search(rf"\b[Tt]he {re.escape(found)}\b", candidate.text) if found else None
    return (f"the {found}" if with_article else found) if len(found) <= LONGEST else ""


def _mentions(candidate: Candidate, question: str, evidence: Evidence) -> Iterator[_Mention]:
    """The names that the question does not hold. A row whose value does ("Known for | Harrow Bridge") tells of its
    page."""
    texts = candidate.cells[1:] if candidate.is_row else (candidate.text,)
    if candidate.is_row and any(_known(found[0], question) for text in texts for found in _NAME.finditer(text)):
        return
    for text in texts:
        for found in _NAME.finditer(text):
            name = _bare(found[0])
            opens = not candidate.is_row and (not found.start() or text[: found.start()].rstrip()[-1:] in _ENDS)
            if not content_words(name) or _known(name, question) or _NO_NAME.match(name):
                continue
            if opens and name == found[0] and " " not in name and not _said_inside(name, evidence):
                continue  # a word that only opens its sentence
            yield _Mention(name, text[: found.start()])


def _known(name: str, question: str) -> bool:
    return set(content_words(name)) <= set(content_words(question))


def _bare(name: str) -> str:
    """Without the article or the like that opens the sentence."""
    first, _, rest = name.partition(" ")
    return rest if rest and not content_words(first) else name


def _said_inside(name: str, evidence: Evidence) -> bool:
    """Whether it has its capital inside a sentence, too."""
    inside = re.compile(rf"[\w,;] {re.escape(name)}\b")
    return any(inside.search(p.text) for p in evidence.passages)


def _first(names: Sequence[_Mention]) -> str:
    return names[0].name if names else ""


def _person(names: Sequence[_Mention]) -> str:
    """Who did it, before whoever else is named."""
    people = [one for one in names if not _PLACED.search(one.before) and not _NO_PERSON.search(one.name)]
    acting = [one for one in people if _ACTED.search(one.before)]
    return _first(acting or [one for one in people if " " in one.name])


def _title(candidate: Candidate, thing: Described, question: str, evidence: Evidence) -> str:
    """The head of the page's title, where it is a name that the page itself uses and the question does not."""
    page = evidence.pages[candidate.number - 1]
    name = _HEADS.split(page.title.strip())[0]
    words = name.split()
    called = all(_NAME.fullmatch(word) or not content_words(word) for word in words) and 0 < len(words) <= 4
    if not called or _known(name, question) or name.casefold() not in page.text.casefold():
        return ""
    if thing.kind == "person" and (len(words) < 2 or _NO_PERSON.search(name)):
        return ""
    return name

"""What a question describes is called by its name, where the evidence tells it: then it can be searched for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from answerable.answering.candidates import Candidate, candidates_of, stems_of, tells_of
from answerable.answering.choosing import choice_of
from answerable.answering.leading import topmost
from answerable.answering.tabled import name_of, topmost_row
from answerable.answering.weighing import NEXT_TO, Judges, Wanted, contrary, spoken, wanted_of, weigh
from answerable.answering.widening import as_evidence, passage_of, with_passage
from answerable.text.analysis import content_words
from answerable.text.described import Described, described
from answerable.text.measures import UNIT
from answerable.text.numbers import choice
from answerable.types import Evidence, Page, Passage, Plan

PERHAPS = 0.25  # chance from which a sentence may tell the name
NEARLY = 0.15  # how far below the likeliest sentence another may still be taken at its word
SURE = 0.7  # chance from which a sentence is taken at its word
LEADING = 0.55  # the same for the one that comes first by all other signs, too
TOLD, TRIED, SEARCHED = 5, 8, 3  # sentences that may tell; names that are looked at, and searched for
CALLED_SO, FITS, LIKE_IT, BESIDE, ELSE = 1.0, 0.95, 0.9, 0.6, 0.35  # how well a name of it fits the thing
READ, ADDED = 12, 3  # passages with the name that are looked at, and that are taken in
LONGEST = 60  # characters of a name
_CAPITAL = r"[A-ZÀ-ÖØ-Þ][\w’'.-]*[\w’']"
_NUMBER = rf"\d+(?:[.,]\d+)*(?![.,]?\d|\w)(?! ?(?:ms|{choice(UNIT)})(?!\w))"  # "Weir 5.2", not "Weir 31 ms"
_NAME = re.compile(
    rf"(?<![\w’'-]){_CAPITAL}(?:(?: (?:of(?: the)?|the|de|von|van|der|del|da|du|la|al|&))? "
    rf"(?:{_CAPITAL}|[A-Z]\.|{_NUMBER}))*"
)
_CALENDAR = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs"
    r"|Fri|Satur|Sun)day)"
)
_NO_NAME = re.compile(rf"{_CALENDAR}(?: \d+)*$|\w+[’']s?$|\w+(?:ish|ese)$")
_DAY = re.compile(rf"{_CALENDAR} (?=[A-Z])")  # "since 1 October Reto Campfer"
_MADE_OF = re.compile(
    r"\b(?:made|consists?|built|formed|drawn|spun|cut) (?:up )?(?:of|from) (?:pure )?"
    r"([a-z]{3,}(?: [a-z]{3,})?)(?=[,.;)]|$| (?:and|or|which|that|in|with|by)\b)"
)
_OF_SOMEBODY = re.compile(r"(?:He|She|His|Her)\b")  # who was named in the sentence before
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
_NUMBERED = {
    **dict.fromkeys(
        ("version", "release", "update", "firmware", "edition", "build"),
        re.compile(r"(?<![\w.])\d+(?:\.\d+)+(?![\w.]?\d)"),
    ),
    **dict.fromkeys(("year", "season", "vintage"), re.compile(r"(?<![\w.,])(?:1[4-9]|20)\d\d(?![\w,.]?\d)")),
}  # what is called by a number
_WORDS = re.compile(r"\w+")
_AND = re.compile(r"^\W*(?:and )?")
_ENDS = frozenset({".", "!", "?", ":", "…"})
_HEADS = re.compile(r"\s*[:|·–—,(]\s*| - ")


@dataclass(frozen=True, slots=True)
class _Mention:
    name: str
    before: str  # what stands before it in its sentence
    after: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """`passage` holds, from `start` on in its page, the sentence that tells the name."""

    thing: Described
    name: str
    passage: Passage
    start: int
    chance: float = 1.0  # that the sentence tells it, and that the name is the thing's
    certain: bool = True  # taken at its word, whether or not anything more is told of the name

    @property
    def bare(self) -> str:
        return self.name.removeprefix("the ")

    @property
    def called(self) -> tuple[str, ...]:
        """The name, and a person's last name."""
        last = self.bare.split()[-1]
        return (self.bare, last) if self.thing.kind == "person" and len(last) > 3 else (self.bare,)

    def asked_of(self, question: str) -> str:
        """What is asked of the name, without the part of the question that tells of the thing."""
        whole = self.thing.named(question, self.name)
        told = self.thing.told
        return _AND.sub("", whole[len(told) :]) if told and whole.startswith(told) else whole

    def told_by(self, candidate: Candidate, evidence: Evidence) -> bool:
        """Whether that is the sentence."""
        page = evidence.pages[candidate.number - 1]
        return (page.page_id, candidate.start) == (self.passage.page_id, self.start)


def telling(plan: Plan) -> Plan | None:
    """The plan for the question that the name of the thing would answer; None where the question describes nothing."""
    thing = described(plan.standalone_question) if plan.language.startswith("en") else None
    return replace(plan, standalone_question=thing.asks) if thing else None


async def names_for(plan: Plan, evidence: Evidence, judges: Judges) -> tuple[Named, ...]:
    """The names that what the question describes may have, those of the surest sentences first; none when it
    describes nothing, or nothing tells of it. English only, and only with a model that tells which sentence answers."""
    thing = described(plan.standalone_question) if plan.language.startswith("en") else None
    candidates = candidates_of(evidence, plan.language) if thing and judges.answers else []
    if not thing or not candidates:
        return ()
    wanted = wanted_of(thing.asks, plan, evidence, candidates)
    ranked = [c for c, _ in (await choice_of(candidates, wanted, judges)).ranked]
    least = max((c.chance or 0.0 for c in ranked), default=0.0) - NEARLY
    labels = _labels(candidates, evidence, plan.standalone_question)
    told = [
        (c, name, fit)
        for c in _telling(ranked)
        if not _of_another(c, thing, wanted)
        for name, fit in _names_in(c, thing, plan.standalone_question, evidence, labels)
    ]
    like_it = any(fit in {LIKE_IT, CALLED_SO} and (c.chance or 0.0) >= SURE for c, _, fit in told)
    likeliest = max((c.likely or 0.0 for c, _, _ in told), default=0.0) or 1.0
    found: dict[str, Named] = {}
    for c, name, fit in told:
        fits = fit == CALLED_SO or (fit == FITS and not like_it)
        certain = fits and (c.chance or 0.0) >= max(least, LEADING if c is ranked[0] else SURE)
        share = BESIDE if fit == FITS and like_it else fit
        beside = ((c.likely or 0.0) / likeliest) ** 0.5
        one = Named(thing, name, passage_of(c, evidence), c.start, share * beside * (c.chance or 0.0), certain)
        known = found.get(one.bare.casefold())
        if known is None or (one.certain, one.chance) > (known.certain, known.chance):
            found[one.bare.casefold()] = one
    row = topmost_row(thing, candidates, evidence, plan.language) if thing.topmost else None
    if row and (name := name_of(row)):
        found.setdefault(name.casefold(), Named(thing, name, passage_of(row, evidence), row.start, SURE, True))
    first = [one for one in found.values() if one.certain]
    others = sorted((one for one in found.values() if not one.certain), key=lambda one: -one.chance)
    return tuple([*first, *others][:TRIED])


def _telling(ranked: Sequence[Candidate]) -> list[Candidate]:
    """Those that may tell, the likeliest first."""
    return [c for c in ranked if (c.chance or 0.0) >= PERHAPS][:TOLD]


def with_name(plan: Plan, named: Named) -> Plan:
    """The plan for the question that says the name."""
    question = named.thing.named(plan.standalone_question, named.name)
    return replace(plan, standalone_question=question, queries=(question, named.bare))


def queries_for(plan: Plan, names: Sequence[Named]) -> tuple[str, ...]:
    """What is searched for to tell which name it is: the question with the first, and the likeliest by themselves."""
    first = names[0].thing.named(plan.standalone_question, names[0].name)
    return (first, *(one.bare for one in names[:SEARCHED]))


def reason_for(names: Sequence[Named]) -> str:
    """For the note on the round."""
    *others, last = (one.name for one in names[:SEARCHED])
    may = f"{', '.join(others)} or {last}" if others else last
    return f"{names[0].thing.words} {'may be' if others else 'is'} {may}"


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
    apart = as_evidence(others, pages, 0.0)
    own = [c for c in candidates_of(apart, plan.language) if speaks_of(c, inside)]
    question, answering = plan.standalone_question, list[Passage]()
    name, asked = stems_of(named.bare, plan.language), stems_of(question, plan.language)
    for c, _ in await weigh(own, wanted_of(question, plan, apart, own), judges):
        if (c.chance or 0.0) >= SURE or (c.is_row and tells_of(c, name, asked)):
            answering.append(passage_of(c, apart))
    for passage in list(dict.fromkeys(answering))[:ADDED]:
        evidence = with_passage(evidence, passage, pages)
    return evidence


def speaks_of(candidate: Candidate, name: re.Pattern[str]) -> bool:
    """Whether it, its headings or the names of its columns hold the name."""
    return any(name.search(text) for text in (candidate.text, candidate.above, *candidate.header))


def _of_another(candidate: Candidate, thing: Described, wanted: Wanted) -> bool:
    """Whether it speaks of the next best, of the opposite, or of nothing that was the most."""
    if NEXT_TO.search(candidate.text) or contrary(candidate.text, wanted.question):
        return True
    return thing.topmost and not topmost(candidate, wanted)


def _names_in(
    c: Candidate, thing: Described, question: str, evidence: Evidence, labels: Mapping[str, str]
) -> Iterator[tuple[str, float]]:
    """The names that the sentence may give the thing, and how well each fits."""
    if thing.stuff and (stuff := _stuff_in(c, question)):
        yield stuff, FITS
    if numbered := _NUMBERED.get(thing.head.split()[-1]):
        text = f"{spoken(c)} {c.above}"
        for found in dict.fromkeys(numbered.findall(text)):
            before = re.findall(rf"(\w+) v?{re.escape(found)}(?![\w.])", text)
            own = {word.casefold() for word in before} & {word.casefold() for word in question.split()}
            if found not in question:
                yield found, CALLED_SO if own else LIKE_IT  # "Tamsel 3.1.2" for "the Tamsel version that"
        return
    head = stems_of(thing.head, "en")
    if c.is_row and (cell := _cell_called(c, head)) and not _known(cell, question):
        yield cell, CALLED_SO
        return
    if name := _name_in(c, thing, question, evidence):
        yield name, CALLED_SO if head and head <= stems_of(name, "en") else FITS
    for one in _mentions(c, question, evidence):
        if len(one.name) > LONGEST or (thing.kind == "person" and not _may_be_a_person(one.name, evidence)):
            continue
        around = f"{' '.join(one.before.split()[-2:])} {one.name} {' '.join(one.after.split()[:1])}"
        like_it = thing.kind != "person" and bool(head & stems_of(around, "en"))
        person = thing.kind != "person" and (_ACTED.search(one.before) or _is_a_person(one.name, evidence))
        yield one.name, ELSE if person else LIKE_IT if like_it else BESIDE
    if title := _title(c, thing, question, evidence):
        yield title, BESIDE
    if thing.kind == "thing":
        said = f" {' '.join(_WORDS.findall(spoken(c).casefold()))} "
        yield from ((label, BESIDE) for words, label in labels.items() if f" {words} " in said)


def _cell_called(row: Candidate, head: frozenset[str]) -> str:
    """What stands in the column of such things: "Ship"."""
    cells = zip(row.header, row.cells, strict=False)
    return next((cell for header, cell in cells if head & stems_of(header, "en") and len(cell) <= LONGEST), "")


def _may_be_a_person(name: str, evidence: Evidence) -> bool:
    return not _NO_PERSON.search(name) and (
        bool(re.fullmatch(r"[^\d\W][^\d]* [^\d]+", name)) or _is_a_person(name, evidence)
    )


def _is_a_person(name: str, evidence: Evidence) -> bool:
    """By the words that stand beside it somewhere."""
    called = re.escape(name)
    acts = re.compile(
        rf"\b{called},? (?:who|whose|says?|said|told|writes?|wrote)\b|\b{called} was (?:born|married)\b"
        rf"|\b(?:Mr|Mrs|Ms|Dr|Professor|Sir|his|her) {called}\b|\b{called}(?:, | \()\d\d[,)]|\bby {called}\b"
    )
    return any(acts.search(passage.text) for passage in evidence.passages)


def _labels(candidates: Sequence[Candidate], evidence: Evidence, question: str) -> dict[str, str]:
    """What pages and rows are called, by its words: names that have no capital inside a sentence ("ridge cucumber")."""
    called = [_HEADS.split(page.title.strip())[0] for page in evidence.pages]
    called += [c.cells[0] for c in candidates if c.is_row and c.cells]
    found = {" ".join(_WORDS.findall(label.casefold())): label for label in called if len(label) <= LONGEST}
    return {
        w: label
        for w, label in found.items()
        if re.search(r"[^\W\d_]{3}", w) and not _known(label, question) and not _NO_NAME.match(label)
    }


def _stuff_in(candidate: Candidate, question: str) -> str:
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
    if _OF_SOMEBODY.match(candidate.text):
        texts = (candidate.before, candidate.text)
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
            yield _Mention(name, text[: found.start()], text[found.end() :])


def _known(name: str, question: str) -> bool:
    return set(content_words(name)) <= set(content_words(question))


def _bare(name: str) -> str:
    """Without the day before it, and the article or the like that opens the sentence."""
    name = _DAY.sub("", name)
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

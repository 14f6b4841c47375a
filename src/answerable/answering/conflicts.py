"""Sources that give different values for one thing: found among the claims of an answer and all that was read. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from answerable.answering.checking import CheckedAnswer
from answerable.answering.sites import site_or_address
from answerable.text.copies import Shingles, is_copy, page_shingles
from answerable.text.numbers import Quantity, quantities
from answerable.text.phrases import phrase
from answerable.text.roles import asked_office, holder_in, record_in, same_person
from answerable.text.sentences import split_sentences
from answerable.text.statements import POINTING, Statement, agree, same_thing, statements_of
from answerable.types import Conflict, ConflictSide, Page, Passage, Plan, Sentence

MOST_READ = 600  # sentences of the evidence that are looked at
LONGEST = 600  # characters of one; longer ones are lists or no sentences
MOST_CONFLICTS = 5
_MARKERS = re.compile(r"\[\d+\]")
_NUMBER = re.compile(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b")


@dataclass(frozen=True, slots=True)
class _Said:
    """A value that pages give; `sentence` is that of the answer, None for words of a page."""

    value: str
    pages: tuple[str, ...]
    sentence: int | None = None
    statement: Statement | None = None


Alike = Callable[[_Said, _Said], bool]


def find_conflicts(
    plan: Plan, checked: CheckedAnswer, passages: Sequence[Passage] = (), pages: Mapping[str, Page] | None = None
) -> tuple[tuple[Conflict, ...], bool]:
    """The conflicts, and whether the answer's main claim is among them. `pages` by id, of the passages.

    Different units, rounding and ranges that meet are no conflict, nor are other years, parts or places. A source and
    its copies count once, and so does a site.
    """
    known = pages or {}
    cited = {
        c.sentence: tuple(d.page_id for d in checked.citations if d.sentence == c.sentence) for c in checked.citations
    }
    main = min(cited, default=-1)
    sources = _Sources(known, checked)
    claims = [_Said(s.value, cited[index], index, s) for index, s in _of_claims(checked, plan.language, cited)]
    found: list[tuple[int, Conflict]] = []
    told = _told_apart(plan, checked, cited, sources)
    told = told or _roles(plan, checked, cited, passages, sources) or _records(plan, checked, cited, passages, sources)
    if told:
        found.append(told)
    read = list(_of_passages(passages, known, claims, plan.language)) if claims else []
    used: set[int | None] = {main} if told else set()
    for claim in claims:
        if claim.sentence in used or claim.statement is None:
            continue
        same = [other for other in (*claims, *read) if other is not claim and _same(claim, other)]
        conflict = _grouped(_about(plan, checked, claim.sentence, main), [claim, *same], _agree, sources)
        if conflict and not any(_pages(conflict) == _pages(other) for _, other in found):
            found.append((claim.sentence if claim.sentence is not None else -1, conflict))
            used |= {other.sentence for other in same}
    found = found[:MOST_CONFLICTS]
    return tuple(conflict for _, conflict in found), any(index == main for index, _ in found)


def _of_claims(
    checked: CheckedAnswer, language: str, cited: Mapping[int, tuple[str, ...]]
) -> Iterator[tuple[int, Statement]]:
    for sentence in checked.sentences:
        if sentence.index in cited and sentence.verdict in ("supported", "partly") and "|" not in sentence.text:
            for statement in statements_of(_bare(sentence), language):
                yield sentence.index, statement


def _of_passages(
    passages: Iterable[Passage], pages: Mapping[str, Page], claims: Sequence[_Said], language: str
) -> Iterator[_Said]:
    """Statements of what was read, in sentences that may speak of what a claim speaks of."""
    wanted = {word[:5] for claim in claims if claim.statement for word in claim.statement.core if len(word) > 2}
    left = MOST_READ
    for passage in passages:
        if passage.kind != "prose" or passage.page_id not in pages:
            continue
        title = f"{pages[passage.page_id].title} {' '.join(passage.headings)}"
        for start, end in split_sentences(passage.text):
            sentence = passage.text[start:end]
            if len(sentence) > LONGEST:
                continue
            folded = sentence.casefold()
            if not _NUMBER.search(folded) or not (POINTING.match(sentence) or any(word in folded for word in wanted)):
                continue
            left -= 1
            if left < 0:
                return
            for statement in statements_of(sentence, language, title):
                yield _Said(statement.value, (passage.page_id,), None, statement)


def _same(one: _Said, other: _Said) -> bool:
    return one.statement is not None and other.statement is not None and same_thing(one.statement, other.statement)


def _agree(one: _Said, other: _Said) -> bool:
    return one.statement is not None and other.statement is not None and agree(one.statement, other.statement)


def _told_apart(
    plan: Plan, checked: CheckedAnswer, cited: Mapping[int, tuple[str, ...]], sources: _Sources
) -> tuple[int, Conflict] | None:
    """What the writer itself set against each other, in the words that the extractive one has for it."""
    words = phrase("sources_differ", plan.language)
    places = [s.index for s in checked.sentences if s.text.strip() == words]
    found = (_set_apart(plan, checked, place, cited, sources) for place in places)
    return next((conflict for conflict in found if conflict), None)


def _set_apart(
    plan: Plan, checked: CheckedAnswer, place: int, cited: Mapping[int, tuple[str, ...]], sources: _Sources
) -> tuple[int, Conflict] | None:
    """The claims before and after the words at that place."""
    after = next((s for s in checked.sentences[place:] if s.index in cited), None)
    if after is None:
        return None
    others = {_kind(v) for v in _values(after)}
    above = [s for s in reversed(checked.sentences[:place]) if s.index in cited]
    before = next((s for s in above if others & {_kind(v) for v in _values(s)}), above[0] if above else None)
    if before is None:
        return None
    values, told = _values(before), _values(after)
    kind = next((_kind(v) for v in values if _kind(v) in others), None)
    sides = [
        _Said(", ".join(dict.fromkeys(_shown(v) for v in found if _kind(v) == kind)) or _bare(s), cited[s.index])
        for s, found in ((before, values), (after, told))
    ]
    conflict = _grouped(plan.standalone_question, sides, lambda one, other: one.value == other.value, sources)
    return (min(cited), conflict) if conflict else None


def _values(sentence: Sentence) -> list[Quantity]:
    return [q for q in quantities(_bare(sentence)) if q.hard and q.dimension != "month" and not q.is_year]


def _shown(value: Quantity) -> str:
    return f"{value.text.strip()} {value.of}".strip()


def _kind(quantity: Quantity) -> str:
    return quantity.dimension or f"of {quantity.of}"


def _roles(
    plan: Plan,
    checked: CheckedAnswer,
    cited: Mapping[int, tuple[str, ...]],
    passages: Sequence[Passage],
    sources: _Sources,
) -> tuple[int, Conflict] | None:
    """Who holds an office, where the question asks just that."""
    asked = asked_office(plan.standalone_question)
    if asked is None or not cited:
        return None
    said = [
        _Said(who, cited[s.index], s.index)
        for s in checked.sentences
        if s.index in cited and (who := holder_in(_bare(s), asked))
    ]
    if not said or said[0].sentence != min(cited):
        return None
    for passage in passages:
        for start, end in split_sentences(passage.text):
            if who := holder_in(passage.text[start:end], asked):
                said.append(_Said(who, (passage.page_id,)))
    conflict = _grouped(plan.standalone_question, said, lambda one, other: same_person(one.value, other.value), sources)
    return (min(cited), conflict) if conflict else None


def _records(
    plan: Plan,
    checked: CheckedAnswer,
    cited: Mapping[int, tuple[str, ...]],
    passages: Sequence[Passage],
    sources: _Sources,
) -> tuple[int, Conflict] | None:
    """Two that are each "the oldest ship afloat in Wennick Bay", where the answer opens with one."""
    said = [
        (_Said(record[0], cited[s.index], s.index), record[1])
        for s in checked.sentences
        if s.index in cited and (record := record_in(_bare(s)))
    ]
    if not said or said[0][0].sentence != min(cited):
        return None
    for passage in passages:
        for start, end in split_sentences(passage.text):
            if record := record_in(passage.text[start:end]):
                said.append((_Said(record[0], (passage.page_id,)), record[1]))
    rivals = [one for one, what in said if what == said[0][1]]
    conflict = _grouped(
        plan.standalone_question, rivals, lambda one, other: same_person(one.value, other.value), sources
    )
    return (min(cited), conflict) if conflict else None


def _grouped(about: str, said: Sequence[_Said], alike: Alike, sources: _Sources) -> Conflict | None:
    """What agrees makes a side; None with one side, or when one source alone gives them all."""
    sides: list[list[_Said]] = []
    for one in said:
        side = next((side for side in sides if any(alike(one, other) for other in side)), None)
        if side is None:
            sides.append([one])
        else:
            side.append(one)
    pages = [tuple(dict.fromkeys(page for one in side for page in one.pages)) for side in sides]
    first = set(pages[0])
    kept = [(side, held) for side, held in zip(sides[1:], pages[1:], strict=True) if not first & set(held)]
    kept = [(side, held) for side, held in kept if sources.origins(held) - sources.origins(pages[0])]
    if not kept:
        return None
    return Conflict(
        about,
        tuple(
            ConflictSide(side[0].value, held, sources.newest(held), len(sources.origins(held)))
            for side, held in [(sides[0], pages[0]), *kept]
        ),
    )


def _pages(conflict: Conflict) -> set[frozenset[str]]:
    return {frozenset(side.page_ids) for side in conflict.sides}


def _about(plan: Plan, checked: CheckedAnswer, index: int | None, main: int) -> str:
    if index is None or index == main:
        return plan.standalone_question
    return _bare(checked.sentences[index])


def _bare(sentence: Sentence) -> str:
    return " ".join(_MARKERS.sub("", sentence.text).split()).lstrip("-*• ")


class _Sources:
    """Which pages are one source: those of one site, and copies of one text."""

    def __init__(self, pages: Mapping[str, Page], checked: CheckedAnswer) -> None:
        self._dates: dict[str, datetime | None] = {c.page_id: c.published for c in checked.citations}
        self._dates |= {page_id: page.published for page_id, page in pages.items()}
        self._sites = {c.page_id: site_or_address(c.url) for c in checked.citations}
        self._sites |= {page_id: site_or_address(page.url) for page_id, page in pages.items()}
        self._pages = pages
        self._shingles: dict[str, Shingles] = {}

    def origins(self, page_ids: Sequence[str]) -> frozenset[str]:
        """One name for each independent source among all pages: that of the first page it is found on."""
        return frozenset(self._origin(page_id) for page_id in page_ids)

    def _origin(self, page_id: str) -> str:
        site = self._sites.get(page_id, page_id)
        for other in self._pages:
            if other == page_id:
                break
            if self._sites.get(other) == site or is_copy(self._words(page_id), self._words(other)):
                return self._origin(other)
        return page_id if page_id in self._pages else site

    def _words(self, page_id: str) -> Shingles:
        if page_id not in self._shingles:
            page = self._pages.get(page_id)
            self._shingles[page_id] = page_shingles(page.text if page else "")
        return self._shingles[page_id]

    def newest(self, page_ids: Sequence[str]) -> datetime | None:
        dates = [date for page_id in page_ids if (date := self._dates.get(page_id))]
        return max(dates, key=lambda date: date.timestamp(), default=None)

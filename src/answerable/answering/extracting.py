"""The extractive writer: the best sentences of the evidence, verbatim, in good order, each with its marker."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from answerable.answering.belonging import belonging
from answerable.answering.candidates import Candidate, candidates_of, cited, dated_heading, shown, stems_of
from answerable.answering.choosing import choice_of
from answerable.answering.columns import read_aloud, tells
from answerable.answering.compound import asked_parts
from answerable.answering.keywords import in_keywords, told_on
from answerable.answering.leading import fit_to_lead, open_to_lead
from answerable.answering.naming import Named, speaks_of
from answerable.answering.ordering import Compared, order_apart
from answerable.answering.parts import cut
from answerable.answering.releases import newest_release
from answerable.answering.selecting import (
    ANSWERING,
    Ranked,
    Selection,
    about,
    alike,
    beyond,
    joined,
    nested,
    parts_of,
    select,
)
from answerable.answering.sites import is_sought
from answerable.answering.telling_both import Side
from answerable.answering.telling_on import paragraphs, with_context
from answerable.answering.tongues import attuned
from answerable.answering.values import stated
from answerable.answering.weighing import (
    Judges,
    Wanted,
    explains,
    wanted_of,
    weigh_by_words,
)
from answerable.text.answertypes import holds
from answerable.text.phrases import phrase
from answerable.text.pointing import points
from answerable.types import Evidence, Plan

_OF_IT = re.compile(r"\b(?:it|its|they|them|their|he|him|his|she|her)\b", re.IGNORECASE)
_VERSION = re.compile(r"\b(?:version|release|update|firmware|edition|changelog)\b", re.IGNORECASE)
NOBODY = Judges()


@dataclass(frozen=True, slots=True)
class Extract:
    """`missing`: asked parts without a sentence of their own; `sides`: the two that cannot both be true, if any."""

    text: str
    missing: tuple[str, ...] = ()
    sides: tuple[Side, ...] = ()


async def extractive_answer(
    plan: Plan, evidence: Evidence, judges: Judges = NOBODY, now: datetime | None = None
) -> str:
    """Markdown, each quote with its marker `[k]` (source k is `evidence.pages[k - 1]`); "" when no sentence answers."""
    return (await extract(plan, evidence, judges, now)).text


async def extract(
    plan: Plan,
    evidence: Evidence,
    judges: Judges = NOBODY,
    now: datetime | None = None,
    named: Sequence[Named] = (),
) -> Extract:
    """The answer and what it leaves open. The judges see what the words alone do not: that "members" answers "people
    who sit". The sentences that tell the names of what was `named` come first."""
    candidates = candidates_of(evidence, plan.language)
    sought = {number for number, page in enumerate(evidence.pages, start=1) if is_sought(page, plan)}
    candidates = [c for c in candidates if c.number in sought] or candidates
    candidates = attuned(candidates, plan.standalone_question, plan.language, evidence.pages)
    if not candidates:
        return Extract("")
    release = newest_release(candidates, plan.standalone_question, evidence)
    if release is not None:
        wanted = _wanted(plan.standalone_question, "", plan, evidence, candidates, now)
        return Extract(cited(read_aloud(release, wanted) if release.is_row else release.text, release.number))
    told = [c for one in named for c in candidates if one.told_by(c, evidence)]
    ranked: list[tuple[Wanted, Ranked, str]] = []
    for question, side in parts_of(plan):
        wanted = _wanted(question, side, plan, evidence, candidates, now)
        found = (await choice_of(candidates, wanted, judges)).ranked
        ranked.append((wanted, _behind_others(told, found, named), side))
    parts = [await _belonging(wanted, found, candidates, judges) for wanted, found, _ in ranked]
    return _answer(ranked, plan, candidates, told, [c for part in parts for c in part])


async def _belonging(
    wanted: Wanted, found: Ranked, candidates: Sequence[Candidate], judges: Judges
) -> Sequence[Candidate]:
    """What answers together with the likeliest sentence, where an explanation is asked for."""
    if not explains(wanted) or not found or found[0][0].is_row:
        return ()
    return await belonging(found[0][0], candidates, wanted, judges)


def _behind_others(told: Sequence[Candidate], found: Ranked, named: Sequence[Named]) -> Ranked:
    """What tells a name is shown in any case: where another sentence about it answers, that one is the answer."""
    places = {(c.number, c.start) for c in told}
    if not named or not found or (found[0][0].number, found[0][0].start) not in places:
        return found
    others = [(c, score) for c, score in found if (c.number, c.start) not in places]
    name = re.compile(rf"(?<!\w){re.escape(named[-1].bare)}(?!\w)", re.IGNORECASE)
    answer = next((c for c, _ in others if (c.chance or 0.0) >= ANSWERING and speaks_of(c, name)), None)
    return found if answer is None else sorted(others, key=lambda one: one[0] is not answer)


def answer_by_words(plan: Plan, evidence: Evidence) -> str:
    """What `extractive_answer` gives without judges."""
    candidates = candidates_of(evidence, plan.language)
    candidates = attuned(candidates, plan.standalone_question, plan.language, evidence.pages)
    if not candidates:
        return ""
    asked = [(_wanted(question, side, plan, evidence, candidates), side) for question, side in parts_of(plan)]
    return _answer(
        [(wanted, weigh_by_words(candidates, wanted), side) for wanted, side in asked], plan, candidates
    ).text


def _wanted(
    question: str,
    side: str,
    plan: Plan,
    evidence: Evidence,
    candidates: Sequence[Candidate],
    now: datetime | None = None,
) -> Wanted:
    return wanted_of(question, plan, evidence, candidates, now=now, whole=plan.standalone_question if side else None)


def _answer(
    ranked: Sequence[tuple[Wanted, Ranked, str]],
    plan: Plan,
    candidates: Sequence[Candidate],
    told: Sequence[Candidate] = (),
    belongs: Sequence[Candidate] = (),
) -> Extract:
    if apart := order_apart([Compared(side, wanted, found) for wanted, found, side in ranked if side]):
        both = Selection((apart[0],), apart[1])
        return Extract(_written(led_by(told, both), ranked[0][0]), sides=_sides(both, ranked[0][0]))
    selections, missing = list[Selection](), list[str]()
    asked_by: dict[Candidate, tuple[Wanted, ...]] = {}
    for (wanted, found, side), raw in zip(ranked, _as_cut(ranked, plan), strict=True):
        bridged = not side and found and nested(wanted) and beyond(found[0][0], found, wanted)
        about_it = about(found, side, plan.language) if side else found if bridged else _that_may_lead(found, wanted)
        if selections and (row := _same_row(raw, wanted, selections[0])):
            asked_by[row] = (*asked_by.get(row, ()), wanted)
        elif about_it:
            selection = select(about_it, wanted)
            if explains(wanted) and not selection.opening and about_it[0][0].likely is not None:
                lead = about_it[0][0]
                own = [c for c in belongs if (c.number, c.above) == (lead.number, lead.above)]
                selection = with_context(selection, lead, candidates, wanted.pages[lead.number - 1], own)
            selections.append(told_on(selection, found, wanted) if in_keywords(wanted.question) else selection)
            asked_by = dict.fromkeys((*selections[-1].opening, *selections[-1].rest), (wanted,)) | asked_by
        else:
            missing.append(wanted.question)
    if not selections:
        if not ranked[0][2]:
            return Extract("")
        selections = [select(*reversed(ranked[0][:2]))]
    wanted = ranked[0][0]
    text = _written(led_by(told, selections[0] if len(selections) == 1 else joined(selections)), wanted, asked_by)
    if len(ranked) > 1 and not any(side for _, _, side in ranked):
        missing += [w.question for w, _, _ in ranked[1:] if w.question not in missing and _left_open(w, wanted, text)]
    sides = _sides(selections[0], wanted) if len(selections) == 1 else ()
    return Extract(text, tuple(_as_asked(part, plan.standalone_question) for part in missing), sides)


def _as_cut(ranked: Sequence[tuple[Wanted, Ranked, str]], plan: Plan) -> list[str]:
    """The words of each part as they stand in the question; "" where it was not cut there."""
    raw = cut(plan.standalone_question)
    return raw if len(raw) == len(ranked) > 1 else [""] * len(ranked)


def _same_row(raw: str, wanted: Wanted, first: Selection) -> Candidate | None:
    """The row that answered the first part, where a later one asks for more of the same: "and what do they cost"."""
    lead = next(iter((*first.opening, *first.rest)), None)
    if lead is None or not lead.is_row or not _OF_IT.search(raw) or not tells(lead, wanted):
        return None
    return lead


def _that_may_lead(found: Ranked, wanted: Wanted) -> Ranked:
    """Those that may open the answer: by their chances beside each other, where these are known, else by rules."""
    known = bool(found) and found[0][0].likely is not None
    return open_to_lead(found, wanted) if known else fit_to_lead(found, wanted)


def _sides(selection: Selection, wanted: Wanted) -> tuple[Side, ...]:
    if selection.other is None:
        return ()
    pair = (selection.opening[0], selection.other)
    one, other = (stated(c, wanted) for c in pair)
    return tuple(
        Side(c.number, _told(c, wanted), _line(c, set(), wanted), values)
        for c, values in zip(pair, (one - other, other - one), strict=True)
    )


def _told(candidate: Candidate, wanted: Wanted) -> str:
    return read_aloud(candidate, wanted) if candidate.is_row else candidate.text


def led_by(told: Sequence[Candidate], selection: Selection) -> Selection:
    """With the sentences that tell of what the answer speaks before it."""
    shown = [*selection.opening, *([selection.other] if selection.other else [])]
    new = tuple(c for c in told if not any(c is other or alike(c, other) for other in shown))
    if not new:
        return selection
    rest = tuple(c for c in selection.rest if c not in new)
    return replace(selection, opening=(*new, *(selection.opening or rest)), rest=rest if selection.opening else ())


def _left_open(part: Wanted, first: Wanted, text: str) -> bool:
    """Whether a later part that names no kind of answer has none of its own words in the answer."""
    own = stems_of(part.question, part.language) - stems_of(first.question, first.language)
    return not part.kinds and bool(own) and not own & stems_of(text, part.language)


def _as_asked(part: str, question: str) -> str:
    """In the words of the question."""
    return dict(zip(asked_parts(question), cut(question), strict=False)).get(part, part).rstrip("?？ ")


def _written(
    selection: Selection, whole: Wanted, asked_by: Mapping[Candidate, tuple[Wanted, ...]] | None = None
) -> str:
    """A first paragraph with the answer, a second with what supports it, then steps and rows of tables. `asked_by`: the
    parts of the question that each answers."""

    def line(c: Candidate) -> str:
        return _line(c, said, *(asked_by or {}).get(c, (whole,)))

    every = [*selection.opening, *selection.rest, *([selection.other] if selection.other else [])]
    said = {c.text for c in every}
    opening = [line(c) for c in selection.opening]
    if selection.other:
        opening += [phrase("sources_differ", whole.language), line(selection.other)]
    first = every[0].number
    ordered = sorted(selection.rest, key=lambda c: (c.number != first, c.number, c.start))
    told = paragraphs([c for c in ordered if not c.is_row], whole.pages)
    mark = "- " if len(every) > 1 else ""  # one row alone is no list
    rows = [f"{mark}{line(c)}" for c in ordered if c.is_row]
    joint = "" if whole.language.split("-")[0] in {"zh", "ja"} else " "
    texts = [[joint.join(map(line, item)) for item in items] for items in told]
    prose = ["\n".join(f"- {text}" for text in items) if len(items) > 1 else items[0] for items in texts]
    parts = [joint.join(opening), *prose, "\n".join(rows)]
    return "\n\n".join(part for part in parts if part)


def _line(candidate: Candidate, said: set[str], wanted: Wanted, *others: Wanted) -> str:
    """With its marker; after the sentence that a pronoun at its head points to, unless that is said already."""
    if candidate.is_row:
        return cited(read_aloud(candidate, wanted, *others), candidate.number)
    if (under := dated_heading(candidate)) and _asks_for_heading(candidate, wanted):
        return cited(f"{shown(under)}: {candidate.text}", candidate.number)
    if points(candidate.text) and 0 < len(candidate.before) < 300 and candidate.before not in said:
        return f"{cited(candidate.before, candidate.number)} {cited(candidate.text, candidate.number)}"
    return cited(candidate.text, candidate.number)


def _asks_for_heading(candidate: Candidate, wanted: Wanted) -> bool:
    """Whether a day or a version is asked for that only the heading above it tells."""
    asked = "date" in wanted.kinds or _VERSION.search(wanted.question)
    return bool(asked) and not holds(candidate.text, "date")

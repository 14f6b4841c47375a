"""What a page tells before and after the sentence that answers: why and how are seldom told in one. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from answerable.answering.candidates import Candidate
from answerable.answering.selecting import Selection, alike
from answerable.types import Page

AFTER = 3  # sentences that follow the one which answers, in its section
NEAR = 700  # characters from it
MOST = 7  # sentences in all
STEPS = 9  # items of a list that are told whole
A_LIST = 3  # items that are written as a list


def with_context(
    selection: Selection,
    lead: Candidate,
    candidates: Sequence[Candidate],
    page: Page,
    belonging: Sequence[Candidate] = (),
) -> Selection:
    """An explanation with what its section says around the sentence that answers, or with its whole list.
    `candidates`: all that is quotable; `page`: of the lead; `belonging`: what is known to answer with it."""
    if lead.is_row:
        return selection
    own = sorted(
        (c for c in candidates if (c.number, c.above) == (lead.number, lead.above) and not c.is_row),
        key=lambda c: c.start,
    )
    steps = _list_of(lead, own, page)
    around, most = (steps, STEPS) if len(steps) > 1 else ((*belonging, *_beside(lead, own)), MOST)
    told = list(selection.rest)
    for c in around:
        if len(told) < most and not any(_same(c, o) or alike(c, o) for o in told):
            told.append(c)
    return replace(selection, rest=tuple(told))


def _beside(lead: Candidate, own: Sequence[Candidate]) -> list[Candidate]:
    at = next((i for i, c in enumerate(own) if _same(c, lead)), 0)
    before = own[at - 1 : at] if at and not lead.first else []
    return [c for c in (*own[at + 1 : at + 1 + AFTER], *before) if abs(c.start - lead.start) <= NEAR]


def _list_of(lead: Candidate, own: Sequence[Candidate], page: Page) -> list[Candidate]:
    """The items of its list in their order, from the lead on where there are too many; none where it is in no list."""
    at = next((i for i, b in enumerate(page.blocks) if b.start <= lead.start < b.end and b.kind == "list_item"), None)
    if at is None:
        return []
    first = last = at
    while first and page.blocks[first - 1].kind == "list_item":
        first -= 1
    while last + 1 < len(page.blocks) and page.blocks[last + 1].kind == "list_item":
        last += 1
    items = [c for c in own if page.blocks[first].start <= c.start < page.blocks[last].end]
    return items if len(items) <= STEPS else [c for c in items if c.start >= lead.start]


def paragraphs(sentences: Sequence[Candidate], pages: Sequence[Page]) -> list[list[list[Candidate]]]:
    """In their order: prose as one run of sentences, a list as its items. Where these are fewer than `A_LIST` all is
    prose."""
    runs: list[tuple[bool, list[list[Candidate]]]] = []
    for c in sentences:
        listed = _is_listed(c, pages[c.number - 1])
        if not runs or runs[-1][0] != listed:
            runs.append((listed, [[c]]))
        elif listed and c.first:
            runs[-1][1].append([c])
        else:
            runs[-1][1][-1].append(c)
    if max((len(items) for listed, items in runs if listed), default=0) < A_LIST:
        return [[list(sentences)]] if sentences else []
    return [items for _, items in runs]


def _is_listed(c: Candidate, page: Page) -> bool:
    return any(block.kind == "list_item" and block.start <= c.start < block.end for block in page.blocks)


def _same(one: Candidate, other: Candidate) -> bool:
    """The same words of a page."""
    return (one.number, one.start) == (other.number, other.start)

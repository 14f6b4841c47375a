"""Words for a search rather than a question: what more of a passage is told."""

from __future__ import annotations

from dataclasses import replace

from answerable.answering.candidates import Candidate
from answerable.answering.selecting import Ranked, Selection
from answerable.answering.topics import STARTS_A_QUESTION
from answerable.answering.weighing import Wanted

TOLD_ON = 3  # sentences that follow the one which opens the answer
NEAR = 1_000  # characters from it
ELSEWHERE = 2  # sentences of the same section that hold more of the keywords…
SECTION = 2_500  # …so many characters from it
ENOUGH = 0.2  # share of the keywords that such a sentence holds, new ones counting in full and others by half


def in_keywords(question: str) -> bool:
    """Words for a search rather than a question: nothing in them tells which sentence of a passage is wanted."""
    return not question.rstrip().endswith(("?", "？", "؟")) and not STARTS_A_QUESTION.match(question)


def told_on(selection: Selection, ranked: Ranked, wanted: Wanted) -> Selection:
    """With what the paragraph says after the sentence that opens the answer, and with what the section says of the
    keywords that these do not hold."""
    if not selection.opening or selection.opening[0].is_row:
        return selection
    lead = selection.opening[-1]
    after = sorted((c for c, _ in ranked if c.number == lead.number and c.start > lead.start), key=lambda c: c.start)
    following: list[Candidate] = []
    for c in after:
        if c.first or c.is_row or len(following) == TOLD_ON or c.start - lead.start > NEAR:
            break
        following.append(c)
    told = [lead, *following]
    held = frozenset().union(*(c.words for c in told))
    total = sum(wanted.weights.values()) or 1.0

    def brings(candidate: Candidate) -> float:
        held_too = (w if word not in held else w / 2 for word, w in wanted.weights.items() if word in candidate.words)
        return sum(held_too) / total

    own = [c for c, _ in ranked if c.number == lead.number and c.above == lead.above and c not in told]
    beside = [c for c in own if abs(c.start - lead.start) <= SECTION]
    more = sorted((c for c in beside if not c.is_row and brings(c) >= ENOUGH), key=lambda c: -brings(c))[:ELSEWHERE]
    more.sort(key=lambda c: c.start)
    rest = tuple(c for c in selection.rest if c not in following and c not in more)
    return replace(selection, opening=(*selection.opening, *following), rest=(*more, *rest))

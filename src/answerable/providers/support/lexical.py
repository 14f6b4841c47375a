"""Support by words, numbers and negations: no model, the same in every language that has words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from answerable.text.claims import bare_claim
from answerable.text.rows import row_said
from answerable.text.similarity import Match, Stated, best_match, read_claim
from answerable.text.worded import NOT_SAID
from answerable.types import Passage, Quote, Support, Verdict

# Macro-F1 on the GenSearch part of attributionbench-dev: .742 at .62, .757 at .70, .730 at .80; no model was trained.
SUPPORTED = 0.68
PARTLY = 0.5
ADDS = 0.12  # share of the claim that a page must add to what others hold, to count as a joint source
MOST_JOINT = 5  # pages that are read together
CONTEXT_BREAK = "\n"


@dataclass(frozen=True, slots=True)
class Candidate:
    passage: Passage
    match: Match


class LexicalSupport:
    """A `SupportChecker`. A claim may come as "stem or header, line break, claim"; the first part counts little."""

    def __init__(self, *, supported: float = SUPPORTED, partly: float = PARTLY) -> None:
        self._supported, self._partly = supported, partly

    async def check(self, claim: str, passages: Sequence[Passage]) -> Support:
        context, _, text = claim.strip().rpartition(CONTEXT_BREAK)
        text = bare_claim(text)
        if row := of_rows(text, passages):
            return row
        stated = read_claim(text, context)
        pages = best_of_each_page(stated, passages)
        if not pages:
            return Support(0.0, "unsupported", "nothing of the source was read")
        alone = [found for found in pages if found.match.score >= self._supported]
        if alone:
            return finding(alone[0].match.score, "supported", "", alone)
        joint = best_joint(stated, pages)
        if joint is not None and joint[0] >= self._supported:
            return finding(joint[0], "supported", "only these sources together say so", joint[1])
        best = pages[0].match
        if best.score >= self._partly and not best.contradiction:
            return finding(best.score, "partly", best.reason, [f for f in pages if f.match.score >= self._partly])
        return Support(best.score, "unsupported", best.reason or NOT_SAID)


def of_rows(claim: str, passages: Sequence[Passage]) -> Support | None:
    """The finding on a claim that reads a row of a table aloud, cell by cell; None of any other claim."""
    rows = [(passage, row) for passage in passages if (row := row_said(claim, passage.text, passage.context))]
    agreeing = [(passage, row) for passage, row in rows if not row.difference]
    if not rows:
        return None
    if not agreeing:
        return Support(0.0, "unsupported", rows[0][1].difference)
    of_page = {passage.page_id: (passage, row) for passage, row in reversed(agreeing)}
    quotes = (
        Quote(p.passage_id, p.page_id, p.start + row.start, p.start + row.end, p.text[row.start : row.end])
        for p, row in reversed(of_page.values())
    )
    return Support(1.0, "supported", "", tuple(quotes))


def best_of_each_page(stated: Stated, passages: Sequence[Passage]) -> list[Candidate]:
    """The best passage of each page, best page first."""
    best: dict[str, Candidate] = {}
    for passage in passages:
        match = best_match(stated, passage.text, around(passage))
        held = best.get(passage.page_id)
        if held is None or rank(match) > rank(held.match):
            best[passage.page_id] = Candidate(passage, match)
    return sorted(best.values(), key=lambda found: rank(found.match), reverse=True)


def rank(match: Match) -> tuple[float, int]:
    return match.score, len(match.covered)


def around(passage: Passage) -> str:
    return "\n".join((*passage.headings, passage.context))


def best_joint(stated: Stated, pages: Sequence[Candidate]) -> tuple[float, list[Candidate]] | None:
    """Whether pages that do not support the claim alone do so together, and which of them are needed."""
    pages = pages[:MOST_JOINT]
    if len(pages) < 2:
        return None
    quotes = {found.passage.page_id: quote_text(found) for found in pages}
    kept = list(pages)
    whole = joint_score(stated, [quotes[found.passage.page_id] for found in kept])
    for found in reversed(pages):
        others = [other for other in kept if other is not found]
        if len(others) < 2:
            break
        score = joint_score(stated, [quotes[other.passage.page_id] for other in others])
        if score >= whole - ADDS:
            kept, whole = others, score
    if len(kept) == 2 and any(whole - found.match.score < ADDS for found in kept):
        return None
    return whole, kept


def joint_score(stated: Stated, quotes: Sequence[str]) -> float:
    """The quotes read as one text; a full stop keeps their sentences apart."""
    return best_match(stated, "\n\n".join(quotes)).score


def quote_text(found: Candidate) -> str:
    return found.passage.text[found.match.start : found.match.end]


def finding(score: float, verdict: Verdict, reason: str, found: Sequence[Candidate]) -> Support:
    return Support(round(min(score, 1.0), 4), verdict, reason, tuple(quote_of(candidate) for candidate in found))


def quote_of(found: Candidate) -> Quote:
    passage, match = found.passage, found.match
    start, end = passage.start + match.start, passage.start + match.end
    return Quote(passage.passage_id, passage.page_id, start, end, passage.text[match.start : match.end])

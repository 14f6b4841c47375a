"""What was read and not taken for evidence, looked at sentence by sentence.

The ranking knows passages by what they are about. A row of a long table, or one line of a page that speaks of much
else, answers all the same: whatever holds most of the question's words is read by the model that tells which sentence
answers, and the passages of those that may are added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from answerable.answering.candidates import Candidate, candidates_of
from answerable.answering.compound import asked_parts
from answerable.answering.weighing import Judges, Wanted, preselected, reading_text, wanted_of, weigh_by_words
from answerable.protocols import Limits, Reranker
from answerable.text.asking import lists_keywords
from answerable.types import Evidence, Page, Passage, Plan

READ = 12  # sentences: some 40 ms
ADDED = 3  # passages a part of the question
LIKELY = 0.2  # chance from which a sentence may answer


async def widened(
    plan: Plan,
    evidence: Evidence,
    everything: Sequence[Passage],
    pages: Mapping[str, Page],
    judges: Judges,
    limits: Limits,
) -> Evidence:
    """The evidence with a few more passages of `everything`, as far as its budget goes. As it is without a
    model that reads sentences, and in languages that it does not know."""
    if judges.answers is None or not plan.language.startswith("en"):
        return evidence
    parts = asked_parts(plan.standalone_question)
    for part in parts:
        if not lists_keywords(part, plan.language):
            found = await _likely_in(part, plan, evidence, everything, pages, judges.answers, READ // len(parts))
            for passage in found:
                if sum(len(p.text) for p in (*evidence.passages, passage)) <= limits.evidence_chars:
                    evidence = with_passage(evidence, passage, pages)
    return evidence


async def _likely_in(
    part: str,
    plan: Plan,
    evidence: Evidence,
    everything: Sequence[Passage],
    pages: Mapping[str, Page],
    answers: Reranker,
    most: int,
) -> list[Passage]:
    """The passages beside the evidence with a sentence that may answer, likeliest first."""
    held = {passage.passage_id for passage in evidence.passages}
    others = tuple(passage for passage in everything if passage.passage_id not in held)
    apart = as_evidence(others, pages, 0.0)
    candidates = candidates_of(apart, plan.language)
    told = await read_likest(candidates, wanted_of(part, plan, apart, candidates), answers, most)
    told.sort(key=lambda pair: -pair[1])
    return list(dict.fromkeys(passage_of(c, apart) for c, chance in told if chance >= LIKELY))[:ADDED]


async def read_likest(
    candidates: Sequence[Candidate], wanted: Wanted, answers: Reranker, most: int
) -> list[tuple[Candidate, float]]:
    """Those that hold most of the question, each with the chance that it answers."""
    likest = preselected(weigh_by_words(candidates, wanted), most)
    chances = await answers.score(wanted.question, [reading_text(c) for c in likest]) if likest else []
    return list(zip(likest, chances, strict=True))


def as_evidence(passages: Sequence[Passage], pages: Mapping[str, Page], score: float | None = None) -> Evidence:
    """All of them with their pages, in their order; each with the score, where one is given."""
    held = tuple({p.page_id: pages[p.page_id] for p in passages}.values())
    return Evidence(held, tuple(passages), () if score is None else (score,) * len(passages))


def with_passage(evidence: Evidence, passage: Passage, pages: Mapping[str, Page]) -> Evidence:
    """Behind the others, with the lowest score."""
    page, low = pages[passage.page_id], min(evidence.scores, default=0.0)
    held = evidence.pages if page in evidence.pages else (*evidence.pages, page)
    return Evidence(held, (*evidence.passages, passage), (*evidence.scores, low))


def passage_of(candidate: Candidate, evidence: Evidence) -> Passage:
    """The passage of the evidence that holds it."""
    page_id = evidence.pages[candidate.number - 1].page_id
    return next(p for p in evidence.passages if p.page_id == page_id and p.start <= candidate.start < p.end)

"""The parts of a question that each need an answer, each as a question that stands alone. Pure."""

from __future__ import annotations

from answerable.answering.followups import standalone_question
from answerable.answering.parts import cut
from answerable.text.analysis import content_words, fold
from answerable.text.languages import detect
from answerable.types import PastTurn


def asked_parts(question: str) -> tuple[str, ...]:
    """ "Who built it and when did it open" has two; what a later one points to, the first names."""
    parts = cut(question)
    if len(parts) < 2:
        return (question,)
    return parts[0], *(_alone(part, parts[0]) for part in parts[1:])


def _alone(part: str, first: str) -> str:
    """A later part says what it speaks of as a follow-up would; else, with nothing of its own to find, it borrows the
    words of the first."""
    alone = standalone_question(part, (PastTurn(first, first, ""),))
    if fold(alone) != fold(part) or len(content_words(part, detect(part))) > 2:
        return alone
    said = set(content_words(first, detect(first)))
    topic = " ".join(word for word in first.rstrip("?").split() if fold(word) in said)
    return f"{part.rstrip('?')} {topic}?"

"""The parts of a question that each need an answer, and the things that it compares."""

from __future__ import annotations

import re

from answerable.text.analysis import content_words, fold
from answerable.text.languages import detect

MOST_PARTS = 4


def one_of(table: str) -> str:
    """An alternation from a table laid out over lines."""
    return "(?:" + "|".join(" ".join(part.split()) for part in table.split("|")) + ")"


_COMPARISON = re.compile(
    r"\b"
    + one_of(r"""vs\.?|versus|compared? (?:to|with)|difference between|better than|
        which (?:is|are|was|were|has|have|one)\b.*\bor|(?:taller|higher|longer|older|bigger|larger|deeper|faster|
        heavier|cheaper|hotter|colder|more \w+)\b.*\bor|unterschied zwischen|différence entre|diferencia entre""")
    + r"\b",
    re.IGNORECASE,
)
_NEXT_PART = re.compile(
    r"(?<=[?？])\s+|[,;]?\s+(?:and|und|et|y|e)\s+(?=(?:(?:in|on|at|from|to|for|by|with|of|since|until)\s+(?:which|what|whom|whose)(?:\s+\w+){3}|who|what|when|where|why|which|how|wer|was|wann|wo|warum|wie|qui|quand|"
    r"où|comment|combien|quién|qué|cuándo|dónde|cómo|cuánt[oa]s?|chi|quando|dove|come|quanto)\b)",
    re.IGNORECASE,
)
_ALTERNATIVES = re.compile(
    r"\b(?:difference between|between|compare|which (?:is|was|are|were|has|have)[^,:?]*[,:])\s+(?P<a>[^,?]+?)\s+"
    r"(?:and|or|vs\.?|versus|with|to)\s+(?P<b>[^,?]+?)\s*\??$|"
    r"\b(?:is|was|are|were)\s+(?P<a2>[^,?]+?)\s+(?:\w+er|more \w+|less \w+)\s+than\s+(?P<b2>[^,?]+?)\s*\??$",
    re.IGNORECASE,
)


def asked_parts(question: str) -> tuple[str, ...]:
    """The parts that each need an answer: "who built it and when did it open" has two, a comparison one a side."""
    parts = [part.strip(" ,;") for part in _NEXT_PART.split(question) if len(part.strip(" ,;?")) > 3]
    if len(parts) < 2:
        return (question,)
    return tuple(_with_topic(part, parts[0]) for part in parts[:MOST_PARTS])


def compares(question: str) -> bool:
    return bool(_COMPARISON.search(question) or compared(question))


def compared(question: str) -> tuple[str, ...]:
    """The two things a comparison names; empty for other questions."""
    if found := _ALTERNATIVES.search(question):
        sides = (found["a"] or found["a2"], found["b"] or found["b2"])
        return tuple(side.strip() for side in sides)
    if _COMPARISON.search(question) and (
        pair := re.search(r"[,:]\s*([^,:?]+?)\s+(?:or|vs\.?)\s+([^,?]+?)\s*\??$", question)
    ):
        return pair[1].strip(), pair[2].strip()
    return ()


def _with_topic(part: str, first: str) -> str:
    """A later part borrows the words of the first when it has nothing of its own to find."""
    if part == first or len(content_words(part, detect(part))) > 2:
        return part if part != first else first
    topic = " ".join(
        word for word in first.rstrip("?").split() if fold(word) in set(content_words(first, detect(first)))
    )
    return f"{part.rstrip('?')} {topic}?"

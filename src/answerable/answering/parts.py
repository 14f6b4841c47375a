"""The parts of a question that each need an answer, and the things that it compares."""

from __future__ import annotations

import re

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
_TAIL = re.compile(  # "…, and in which years?": asked of both
    r"(?:,\s*|\s+)and\s+(?:(?:in|by|on|at)\s+)?(?:which|what(?:['’]s)?|how|when|where)\b[^?]*\?*\s*$", re.IGNORECASE
)
_SAME_AGAIN = re.compile(
    r"(?:that|those|the ones?)(?=\s+(?:of|in|on|at|through|from|by|for|to|with|near)\b)", re.IGNORECASE
)
_BEFORE = re.compile(r"^(.*?)(?=\s+(?:of|in|on|at|through|from|by|for|to|with|near)\b)", re.IGNORECASE)
_SPAN = re.compile(
    r"\bhow (?:many|much) (?:years?|days?|months?|weeks?|time|centuries)\b.*\b(?:between|lie|apart)\b", re.IGNORECASE
)
_ORDER = re.compile(
    r"^(?:which|who|what)\b(?:\s+(?P<noun>(?!(?:is|was|were|has|had)\b)\w+))?\s+(?P<be>is|was|were|has|had)?\s*(?:been\s+)?"
    r"(?P<done>\w+)?\s*(?:the\s+)?(?P<order>first|earlier|earliest|later|last|before the other)\b",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"^(?:which|who|what)\b.*?\b(?P<have>has|have|had|contains?|holds?|needs?|uses?|costs?)\s+"
    r"(?:more|less|fewer|the most|the least)\s+(?P<what>[^,:?]+?)\s*[,:]",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"^(?:which|who|what)\b.*?\b(?P<does>weigh|cost|measure|last)s?\s+(?:the\s+)?(?:more|less|most|least)\b",
    re.IGNORECASE,
)
_MEASURED = re.compile(r"^(?:which\b.*?\b)?(?P<be>is|are|was|were)\b", re.IGNORECASE)
_MEASURED_BY = re.compile(
    r"\b(tall|high|long|deep|wide|big|larg|heav|fast|cheap|expensiv|hot|cold|warm)(?:g?er|ier|est|iest)\b"
    r"|\b(?:more|less) (expensive)\b",
    re.IGNORECASE,
)
_SINGLE = {"larg": "large", "heav": "heavy", "expensiv": "expensive", "cheap": "expensive", "cold": "warm"}


def measured_by(question: str) -> str:
    """The word for what is compared: "long" for "longer"; "" for other comparisons."""
    found = _MEASURED_BY.search(question)
    word = (found[1] or found[2]).lower() if found else ""
    return _SINGLE.get(word, word)


def of_side(question: str, side: str) -> str:
    """What a comparison asks of one of its things: "When was K2 climbed?"; "" when its form is not known."""
    if _SPAN.search(question):
        return f"When was {side}?"
    if found := _ORDER.match(question):
        done = found["done"] or ("" if found["be"] else found["noun"]) or ""
        order = "first " if found["order"].lower() == "first" and done else ""
        return f"When {found['be'] or 'was'} {side} {order}{done}".rstrip() + "?"
    if found := _MORE.match(question):
        return f"How much {found['what']} {found['have']} {side}?"
    if found := _LESS.match(question):
        return f"How much does {side} {found['does']}?"
    if (found := _MEASURED.search(question)) and (kind := measured_by(question)):
        return f"How {kind} {found['be'].lower()} {side}?"
    return ""


def cut(question: str) -> list[str]:
    """At "and what" and the like, as the words stand: "who built it", "when did it open"."""
    return [part.strip(" ,;") for part in _NEXT_PART.split(question) if len(part.strip(" ,;?")) > 3][:MOST_PARTS]


def compares(question: str) -> bool:
    return bool(_COMPARISON.search(question) or compared(question))


def compared(question: str) -> tuple[str, ...]:
    """The two things a comparison names; empty for other questions."""
    sides = _sides(question)
    if not sides and (tail := _TAIL.search(question)):
        sides = _sides(question[: tail.start()])
    return sides and (sides[0], _said_again(sides[1], sides[0]))


def _sides(question: str) -> tuple[str, ...]:
    if found := _ALTERNATIVES.search(question):
        sides = (found["a"] or found["a2"], found["b"] or found["b2"])
        return tuple(side.strip() for side in sides)
    if (_COMPARISON.search(question) or of_side(f"{question},", "it")) and (
        pair := re.search(r"[,:]\s*([^,:?]+?)\s+(?:or|vs\.?)\s+([^,?]+?)\s*\??$", question)
    ):
        return pair[1].strip(), pair[2].strip()
    return ()


def names_of(side: str) -> str:
    """What tells a side from the other: its names and figures, where it has any."""
    return " ".join(re.findall(r"\b(?:[A-ZÀ-ÞА-Я]|\d)[\w’'-]*", side)) or side


def _said_again(side: str, first: str) -> str:
    """ "That of Panama" beside "the opening of Suez" is the opening of Panama."""
    again, head = _SAME_AGAIN.match(side), _BEFORE.match(first)
    return f"{head[1]}{side[again.end() :]}" if again and head else side

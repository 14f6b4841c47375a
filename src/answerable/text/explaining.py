"""Questions that are answered by telling (why, how, what to do, what differs) rather than by naming a fact. Pure."""

from __future__ import annotations

import re

_OPENS = re.compile(
    r"^(?:so |and |but )?(?:why|how (?!many|much|old|tall|long|far|big|large|high|deep|heavy|fast|often|wide)"
    r"|what (?:does|do|did|happens|happened|makes|made|causes|caused|can|should|must|shall) |describe|explain|tell me"
    r"|what(?: i|['’]?)s wrong with |warum|wieso|weshalb|was (?:ist|sind) "
    r"|wie (?!viel|lang|hoch|alt|groß|schwer|oft)|pourquoi|comment|qu'est-ce|por qué|cómo|qué es|perch[eé]|come |cos"
    r"|por que|como |waarom|hoe (?!veel|lang|hoog|oud)"
    r"|почему|зачем|как |что такое)|为什么|為什麼|怎么|如何|なぜ|どうして|どうやって|とは|क्यों|कैसे|لماذا|كيف",
    re.IGNORECASE,
)
_ENDS = re.compile(  # "my bin was not emptied, what do I do", "it makes me feel sick how do i stop the rocking"
    r"\bwhat (?:can|should|must|shall|do|to) (?:i|we|you|one|do)\b"
    r"|\bhow (?:(?:do|can|should|must|could|would) (?:i|we|you|one)|to)\b",
    re.IGNORECASE,
)
_WHATEVER = re.compile(  # "why do web sockets drop after 55 seconds" asks for no number
    r"^(?:so |and |but )?why\b|\bdifferences? between\b|\bhow (?:do|does|did) .+ work\b|\bhow come\b"
    r"|\bwhere (?:do|does|did) .+\bnames? .*\bfrom\b|\bwhere (?:do|does|did) .+ get .*\bnames?\b",
    re.IGNORECASE,
)


def asks_to_explain(question: str) -> bool:
    """Of a question whose words ask for no fact."""
    return bool(_OPENS.search(question) or _ENDS.search(question) or always_explains(question))


def always_explains(question: str) -> bool:
    """Also where its words seem to ask for a number, a place or a person."""
    return bool(_WHATEVER.search(question))

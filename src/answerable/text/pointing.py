"""Whether a sentence speaks of what the sentence before it named. Pure."""

from __future__ import annotations

import re

POINTING = re.compile(
    r"(?:it|its|he|she|his|her|they|their|this|that|these|those|such|but|however|also|there|here|then|and"
    r"|er|sie|es|dies\w*|jene\w*|sein\w*|ihre?\w*|il|elle|ils|elles|ce|cette|ces|cela|son|sa|ses|este|esta|esto|él|ella|su|sus"
    r"|questo|questa|esso|essa|suo|sua|ele|ela|isto|dit|deze|hij|zij|hun|он|она|оно|они|это|эта|этот|его|её|их)\b"
    r"|[它他她这該该其]|それ|これ|その|この|彼|यह|वह|इस|उस|ये|هذا|هذه|هو |هي |ذلك",
    re.IGNORECASE,
)
_LATER = re.compile(  # "Today it is …", "The first leaves …"
    r"(?:(?:Today|Now|Later|Soon|Here|Once|Still|Originally|Initially|Afterwards|Currently|Finally|At first|Since then"
    r"|(?:In|Since|By|From|Until) (?:[A-Z]\w+ )?\d{4}),? )(?:it|he|she|they)\b"
    r"|The (?:first|last|second|third|others?|former|latter|next|rest)(?: one| two)? (?:is|was|are|were|has|had|leaves?"
    r"|goes|runs?|starts?|opens?|closes?|departs?|arrives?|ends?|begins?|costs?|came|left|opened|weighs?|measures?)\b"
)


def points(text: str) -> bool:
    """Whether its subject stands in the sentence before."""
    return bool(POINTING.match(text) or _LATER.match(text))

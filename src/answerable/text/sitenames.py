"""What a page calls its site, shown only where the site's address says so too."""

from __future__ import annotations

import re
import unicodedata

from answerable.text.analysis import without_accents
from answerable.text.cleaning import shortened
from answerable.text.urls import host_of, is_ip, site_of

_CHARS = 60
_WORD = re.compile(r"[^\W_]+")
_HOSTLIKE = re.compile(r"[^\s.]\.[^\W\d_]{2,}(?![^\W_])")
_LEAST = 3  # letters of an address that can bear a name out
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
# Words that any site may add to its name, and that bear nothing out.
_ANYBODYS = {
    "the", "a", "an", "and", "of", "for", "der", "die", "das", "und", "le", "la", "les", "l", "de", "du", "des",
    "et", "el", "los", "las", "y", "o", "os", "as", "e", "il", "i", "gli", "news", "online", "magazine", "zeitung",
    "newspaper", "journal", "magazin", "encyclopedia", "official", "website", "web", "site", "home", "homepage",
    "blog", "com", "org", "net", "inc", "ltd", "gmbh", "group",
}  # fmt: skip


def shown_site_name(name: str, url: str) -> str:
    """The name, where the site's own label in its address is made of the name's words, all but those that any site may
    use; else "". So no page can show itself under a name that its address does not carry: `bbc.co.uk` may be "BBC
    News", no other site may."""
    if any(unicodedata.category(char) in {"Cc", "Cf", "Co", "Cn"} for char in name):
        return ""
    name = shortened(name, _CHARS)
    site = site_of(url)
    if not name or not site or is_ip(host_of(url)) or _HOSTLIKE.search(name):
        return ""
    label = "".join(_WORD.findall(site.partition(".")[0].casefold()))
    lower = name.casefold()
    spellings = {lower, without_accents(lower), lower.translate(_GERMAN)}
    return name if any(_bears_out(label, _WORD.findall(spelling)) for spelling in spellings) else ""


def _bears_out(label: str, words: list[str]) -> bool:
    own = sum(len(word) for word in words if word not in _ANYBODYS)
    if len(label) < _LEAST or own < _LEAST:
        return False
    spans = (words[first:last] for first in range(len(words)) for last in range(first + 1, len(words) + 1))
    return any(
        "".join(span) == label and sum(len(word) for word in span if word not in _ANYBODYS) == own for span in spans
    )

"""How old the person is whom a question is about, and whom a price or a rule is for: "6 bis 17 Jahre", "under 12"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from answerable.text.analysis import fold

OLDEST = 120
_WORDS = (  # by value, from two on
    "zwei deux dos due dois twee two|drei trois tres tre três drie three|vier quatre cuatro quattro quatro four"
    "|fünf cinq cinco cinque vijf five|sechs six seis sei zes|sieben sept siete sette sete zeven seven"
    "|acht huit ocho otto oito eight|neun neuf nueve nove negen nine|zehn dix diez dieci dez tien ten"
    "|elf onze once undici eleven|zwölf douze doce dodici doze twaalf twelve"
    "|dreizehn treize trece tredici treze dertien"
    "|vierzehn quatorze catorce quattordici catorze veertien|fünfzehn quinze quince quindici vijftien"
    "|sechzehn seize dieciséis sedici dezesseis zestien"
)
_VALUE = {word: str(value) for value, words in enumerate(_WORDS.split("|"), start=2) for word in words.split()}
_SPELLED = re.compile(rf"(?<![^\W\d_])(?:{'|'.join(sorted(_VALUE, key=len, reverse=True))})(?![^\W\d_])")
_TENS = {"десяти": "10", "двенадцати": "12", "восьми": "8", "семи": "7", "шести": "6", "пяти": "5"}
_GLUED = re.compile(rf"({'|'.join((*sorted(_VALUE, key=len, reverse=True), *_TENS))})[- ]?(?=jähr|jarig|летн)")
_YEARS = r"(?:jahren?|jahre|ans|años|anni|anos|jaar|jr|лет|года?|साल|वर्ष|years?)(?![^\W\d_])"
_ASKED = re.compile(
    rf"(\d{{1,3}})[- ]?(?:jähr|jarig|летн|year[- ]old|वर्षीय)|(\d{{1,3}}) {_YEARS} (?:alt|old|oud)|(?:aged|age)"
    rf" (\d{{1,3}})\b"
)
_SOMEBODY = re.compile(  # "diez años" is an age only with one of these
    r"kind|sohn|tochter|enfant|fils|fille|niñ|hij[oa]|bambin|ragazz|figli|criança|filh|menin|zoon|dochter|ребен"
    r"|ребён|дет"
    r"|сын|доч|vater|mutter|oma|opa|père|mère|grand|padre|madre|abuel|nonn|pai|mãe|avó|avô|vader|moeder|отц|мам"
    r"|бабуш|дедуш"
    r"|बच्च|बेट|माँ|पिता|दाद|नान|child|kid|son|daughter|person"
)
_YEARS_OLD = re.compile(rf"(?:mit|de|di|of|van|im alter von|de edad)? ?(\d{{1,3}}) {_YEARS}")
_AND = r"(?:-|bis|à|a|ai|aos|al|e|et|y|tot|t/m|до|से|to|and)"
_SPAN = re.compile(rf"(\d{{1,2}})(?: {_YEARS})? ?{_AND} ?(?:los |les |i |)?(\d{{1,3}})\b(?= ?{_YEARS}|-jähr| ?j\b)")
_UNDER = re.compile(
    r"(?:unter|bis(?: zu)?(?: einschließlich)?|moins de|jusqu'à|menores? de|hasta(?: los)?|sotto i|fino a(?:i)?"
    r"|até(?: aos)?"
    r"|onder(?: de)?|jonger dan|tot(?: en met)?|t/m|до|младше|under|below|up to|younger than)"
    rf" (\d{{1,3}})\b(?= ?{_YEARS}|$| ?[|,.;)])"
)
_UNDER_HINDI = re.compile(rf"(\d{{1,3}}) {_YEARS} (?:से कम|तक|से छोटे)")
_FROM = re.compile(
    r"(?:ab|über|à partir de|dès|plus de|a partir de(?: los)?|mayores de|desde los|dai|sopra i|oltre i|maiores"
    r" de|vanaf|boven de"
    rf"|ouder dan|от|старше|over|from) (\d{{1,3}})\b(?= ?{_YEARS}|$| ?[|,.;)])"
)
_AND_OVER = re.compile(
    rf"(\d{{1,3}})(?: {_YEARS})? (?:und älter|et plus|o más|y más|e oltre|ou mais|e mais|en ouder|and over)"
)
_INCLUDED = ("bis", "jusqu", "hasta", "fino", "até", "tot", "t/m", "up to")


@lru_cache(maxsize=256)
def age_asked(question: str) -> int | None:
    """The age of the person whom the question is about; None when it tells none."""
    asked = _figures(question)
    found = _ASKED.search(asked)
    if not found and _SOMEBODY.search(asked):
        found = _YEARS_OLD.search(asked)
    age = next((int(group) for group in found.groups() if group), OLDEST) if found else OLDEST
    return age if age < OLDEST else None


def age_fits(text: str, age: int) -> bool | None:
    """Whether the text is about people of that age; None when it tells no ages."""
    spans = list(_spans(_figures(text)))
    return any(low <= age <= high for low, high in spans) if spans else None


def _spans(text: str) -> Iterator[tuple[int, int]]:
    yield from ((int(m[1]), int(m[2])) for m in _SPAN.finditer(text))
    rest = _SPAN.sub(" ", text)
    for found in _UNDER.finditer(rest):
        yield 0, int(found[1]) - (not found[0].startswith(_INCLUDED))
    yield from ((0, int(m[1]) - 1) for m in _UNDER_HINDI.finditer(rest))
    yield from ((int(m[1]), OLDEST) for m in (*_FROM.finditer(rest), *_AND_OVER.finditer(rest)))


def _figures(text: str) -> str:
    """Folded, with small numbers in figures."""
    folded = _GLUED.sub(lambda m: (_VALUE | _TENS)[m[1]], fold(text))
    return _SPELLED.sub(lambda m: _VALUE[m[0]], folded)


def is_number(word: str) -> bool:
    """Whether a word is a small number, in figures or spelled out."""
    return word.isdecimal() or fold(word) in _VALUE

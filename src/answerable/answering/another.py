"""Whether a sentence or row speaks of another thing of the same kind than the one asked about: the Panama Canal for
the Suez Canal, the Dry 20 for the Dry 12, Saturdays for Sundays. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from answerable.answering.candidates import Candidate, stems_of
from answerable.answering.weighing import FACTS, Wanted, gives
from answerable.text.opposites import ORDER
from answerable.text.seasons import in_season, months_in
from answerable.text.weekdays import weekdays_in

_WORD = r"[A-ZÀ-ÞА-Я][\w’'-]*"
_RUN = re.compile(rf"{_WORD}(?: {_WORD})*")
_SUBJECT = re.compile(
    rf"^(?:(?:The|A|An|Our|Der|Die|Das|La|Le|Les|El|Il) )?(?P<run>{_WORD}(?: {_WORD})*)(?: (?P<head>[a-zà-ÿ]+))?"
)
_NUMBERED = re.compile(rf"(?P<name>{_WORD}) (?P<number>\d{{1,3}})\b(?![.,:]\d)")
_ARTICLES = frozenset({"The", "A", "An", "Our", "Der", "Die", "Das", "La", "Le", "Les", "El", "Il"})
_JOURNEY = re.compile(rf"\b[Ff]rom (?:the )?(?P<start>{_WORD}(?: {_WORD})*) to (?:the )?(?P<end>{_WORD}(?: {_WORD})*)")
_ARRIVES = re.compile(r"\b(?:arriv\w*|reach\w*|get(?:s|ting)? (?:in|to)|how long)\b", re.IGNORECASE)
_PRICE = re.compile(r"\b(?:how much (?:is|are|does|do)|costs?|price|fee|fare|charge)\b", re.IGNORECASE)
_CHARGES = re.compile(
    r"\b(?:replac\w+|lost|stolen|deposit|penalt\w+|surcharge|fined?|damaged|late|refund\w*)\b", re.IGNORECASE
)
_SIZE = re.compile(r"\bhow (deep|high|tall|wide|long|heavy)\b(?P<is> (?:is|are|was|were)\b)?", re.IGNORECASE)
_HIGH = frozenset(["tall", "height", "high", "above", "rises", "stands", "elevation", "altitude"])
_SIZES = {  # words that tell each
    "deep": frozenset(["deep", "depth", "below", "beneath", "under", "underground", "down"]),
    "high": _HIGH,
    "tall": _HIGH,
    "wide": frozenset(["wide", "width", "broad", "across", "breadth", "span"]),
    "long": frozenset(["length", "long"]),
    "heavy": frozenset(["weight", "mass", "heavy"]),
}
_ACROSS = ("deep", "high", "wide")  # sizes that a sentence may tell in place of each other,
_APART = frozenset(["apart", "between", "space", "spacing"])  # or a distance
_OF_A_SIZE = frozenset("depth height elevation altitude width breadth length weight area".split())  # noqa: SIM905
_MIDDLING = re.compile(r"\b(?:mean|average|median|typical|typically|minimum|least|shallowest)\b", re.IGNORECASE)
KINDS_FIRST = frozenset(
    {"Lake", "Mount", "Mont", "River", "Port", "Cape", "Fort", "Castle", "Saint", "St", "Loch", "Isle"}
)


def without_others(ranked: Sequence[tuple[Candidate, float]], wanted: Wanted) -> Sequence[tuple[Candidate, float]]:
    """Without what speaks of another thing, where something answers of the thing itself."""
    ranked = _of_dimension(ranked, wanted)
    own = [(c, score) for c, score in ranked if not speaks_of_another(c, wanted)]
    if len(own) == len(ranked) or not any(_answers(c, wanted) for c, _ in own):
        return ranked
    return own


def _of_dimension(ranked: Sequence[tuple[Candidate, float]], wanted: Wanted) -> Sequence[tuple[Candidate, float]]:
    """For "how deep" without the distance "between" two, where a depth is told."""
    found = _SIZE.search(wanted.question)
    own = _SIZES[found[1].lower()] if found else frozenset[str]()
    if own not in map(_SIZES.get, _ACROSS) or wanted.measure is None:
        return ranked
    others = _APART.union(*(_SIZES[name] for name in _ACROSS)) - own
    if not any(_told(c) & own and wanted.measure.search(c.text) and _answers(c, wanted) for c, _ in ranked):
        return ranked
    return [(c, score) for c, score in ranked if c.is_row or _told(c) & own or not _told(c) & others]


def _told(c: Candidate) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", c.text.casefold()))


def speaks_of_another(c: Candidate, wanted: Wanted) -> bool:
    return (
        _of_another_name(c, wanted)
        or _of_another_number(c, wanted)
        or _of_another_sort(c, wanted)
        or _of_another_time(c, wanted)
        or _of_another_stop(c, wanted)
        or _of_another_charge(c, wanted)
        or _of_another_measure(c, wanted)
    )


def _answers(c: Candidate, wanted: Wanted) -> bool:
    return wanted.names <= c.words | c.around and all(gives(c, wanted, kind) for kind in wanted.kinds)


def _of_another_name(c: Candidate, wanted: Wanted) -> bool:
    """ "The Panama Canal is …" where the Suez Canal is asked about: the same kind word, another name before it."""
    found = _SUBJECT.match(c.text)
    if not found or c.is_row:
        return False
    told = [word for word in found["run"].split() if word not in _ARTICLES]
    if found["head"] and len(told) == 1 and not told[0].endswith(("’s", "'s")):
        told.append(found["head"])
    for words in _named(wanted.question):
        kind, own = _kind_of(words, wanted.language)
        other_kind, other = _kind_of(told, wanted.language)
        if own and other and kind and kind == other_kind and not own & other and not own & c.words:
            return True
    return False


def _named(question: str) -> list[list[str]]:
    """The names of several words in the question, each with a plain noun behind a single one: "Halden viaduct"."""
    named = []
    for run in _RUN.finditer(question):
        words = [word for word in run[0].split() if word not in _ARTICLES]
        if run.start() == 0:
            words = words[1:]
        after = re.match(r" ([a-zà-ÿ]{4,})\b", question[run.end() :])
        if len(words) == 1 and after:
            words.append(after[1])
        if len(words) > 1:
            named.append(words)
    return named


def _kind_of(words: Sequence[str], language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of what it is (a canal) and of what it is called."""
    if len(words) < 2:
        return frozenset(), frozenset()
    at = 0 if words[0] in KINDS_FIRST else len(words) - 1
    called = " ".join(word for i, word in enumerate(words) if i != at)
    return stems_of(words[at], language), stems_of(called, language)


def _of_another_number(c: Candidate, wanted: Wanted) -> bool:
    """The Dry 20 for the Dry 12: in the sentence, else in the title of its page."""
    asked = {(found["name"].casefold(), found["number"]) for found in _NUMBERED.finditer(wanted.question)}
    names = {name for name, _ in asked}
    for text in (c.text if not c.is_row else c.cells[0], c.above):
        told = {(f["name"].casefold(), f["number"]) for f in _NUMBERED.finditer(text) if f["name"].casefold() in names}
        if told:
            return not told & asked
    return False


def _of_another_sort(c: Candidate, wanted: Wanted) -> bool:
    """ "The Easy Saver account" for "the one-year fixed account"."""
    found = _SUBJECT.match(c.text)
    if not found or not found["head"] or c.is_row or found["run"] in _ARTICLES:
        return False
    if " " not in found["run"] and found.start("run") == 0:
        return False  # "Brown the butter" begins a sentence, no name
    asked = re.search(rf"(?:\b(?:the|an?)|['’]s) ((?:[a-z][\w-]* ){{1,3}}){found['head']}\b", wanted.question)
    own = stems_of(asked[1], wanted.language) if asked else frozenset[str]()
    return len(own) > 1 and 2 * len(own & c.words) < len(own)


def _of_another_time(c: Candidate, wanted: Wanted) -> bool:
    """The Saturday table for Sundays, the last train for the first."""
    if not FACTS & set(wanted.kinds):
        return False
    days = weekdays_in(wanted.question)
    told = weekdays_in(c.text) or weekdays_in(c.caption)
    if days and told and not days & told:
        return True
    season = months_in(wanted.question)
    if season and in_season(season, months_in(c.text if not c.is_row else c.cells[0]) or months_in(c.caption)) is False:
        return True
    return not c.is_row and any(_turned(c.text, wanted, word, others) for word, others in ORDER.items())


def _turned(text: str, wanted: Wanted, word: str, others: Collection[str]) -> bool:
    """ "The last train" for "the first train", and not "the last keeper"."""
    asked = re.search(rf"\b{word} (\w+)", wanted.question, re.IGNORECASE)
    if not asked or re.search(rf"\b{word}\b", text, re.IGNORECASE):
        return False
    told = (found[1] for other in others for found in re.finditer(rf"\b{other} (\w+)", text, re.IGNORECASE))
    of = stems_of(asked[1], wanted.language)
    return bool(of) and any(stems_of(noun, wanted.language) == of for noun in told)


def _of_another_stop(c: Candidate, wanted: Wanted) -> bool:
    """The row of where a journey ends, when it is asked when one leaves."""
    found = _JOURNEY.search(wanted.question)
    if not found or not c.is_row or "date" not in wanted.kinds or _ARRIVES.search(wanted.question):
        return False
    start, end, stop = (stems_of(text, wanted.language) for text in (found["start"], found["end"], c.cells[0]))
    return end <= stop and not start & stop


def _of_another_charge(c: Candidate, wanted: Wanted) -> bool:
    """What a lost one costs, or a penalty, for the plain price."""
    told = {word.casefold() for word in _CHARGES.findall(c.text)} if _PRICE.search(wanted.question) else set()
    return bool(told) and not any(word in wanted.question.casefold() for word in told)


def _of_another_measure(c: Candidate, wanted: Wanted) -> bool:
    """The mean depth for "how deep is it", which without a word for the mean asks for the greatest; a row of its
    length."""
    asked = _SIZE.search(wanted.question)
    if not asked or not asked["is"]:
        return False
    text = c.cells[0] if c.is_row and len(c.cells) == 2 else c.text
    if _MIDDLING.search(text) and not _MIDDLING.search(wanted.question):
        return True
    told = set(re.findall(r"[a-z]+", text.casefold())) & _OF_A_SIZE if text is not c.text else set()
    return bool(told) and not told & _SIZES[asked[1].lower()]

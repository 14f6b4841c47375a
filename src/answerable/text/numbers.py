"""Numbers in a text with their units, scales and formats, and whether those of a claim are in its evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from answerable.text.analysis import fold
from answerable.text.measures import (
    ABOUT,
    MONTH,
    SCALE,
    SHORT_MONTH,
    SHORT_SCALE,
    UNIT,
    WORD_VALUE,
)
from answerable.text.stopwords import STOP_WORDS
from answerable.text.worded import differs, lacks


def choice(words: dict[str, object] | dict[str, float] | dict[str, int] | dict[str, tuple[str, float]]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


NOT_IN_WORD = r"(?![^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])"  # scripts without spaces may follow at once
DIGITS = r"\d{1,3}(?:[ ']\d{3})+(?!\d)|\d+(?:[.,]\d+)*"
FOUND = re.compile(
    rf"(?P<iso>(?<!\d)\d{{4}}-\d\d?-\d\d?(?!\d))|(?P<date>(?<!\d)\d\d?[./]\d\d?[./](?:19|20)\d\d(?!\d))|"
    r"(?P<clock>(?<![\d:])\d\d?:\d\d(?![\d:]))|"
    rf"(?<![a-z_\d^])(?P<currency>us\$|usd ?|eur ?|gbp ?|chf ?|[$€£¥₹₩])? ?(?P<sign>(?<![\d\w])-)?(?P<number>{DIGITS})"
    rf"(?: (?P<fraction>\d)/(?P<over>\d))?(?P<ordinal>(?:st|nd|rd|th|s)\b)?"
    rf"(?:[ -]?(?P<scale>{choice(SCALE)})\.?{NOT_IN_WORD}|(?P<short>(?:k|m|bn?|tn?){NOT_IN_WORD}))?"
    rf"(?:[ -]?(?P<unit>{choice(UNIT)}){NOT_IN_WORD})?|"
    rf"\b(?P<month>{choice(MONTH)}|{choice(SHORT_MONTH)})\b|"
    rf"\b(?P<word>{choice(WORD_VALUE)})(?:[ -](?P<ones>one|two|three|four|five|six|seven|eight|nine)\b)?"
    rf"(?:[ -](?P<wordscale>hundred|{choice(SCALE)})\b)?(?:[ -](?P<wordunit>{choice(UNIT)}){NOT_IN_WORD})?\b"
)
CENTURY = re.compile(r"(?<!\d)(1\d|20)\d\d[-/]$")
COUNTED = re.compile(r"[ -]([^\W\d_]{3,})")
BEFORE_YEAR = re.compile(
    rf"\b(?:in|since|until|till|by|from|during|after|before|early|late|im|seit|bis|ab|en|depuis|desde|nel|dal|"
    rf"{choice(MONTH)}|{choice(SHORT_MONTH)})[., ]{{1,2}}$"
)
JOINING = frozenset().union(*STOP_WORDS.values())
CONVERTED = 0.03  # a conversion may be rounded this much ("12 km", "about 7.5 miles")
ABOUT_TOLERANCE = 0.06  # what "about" allows
ROUNDED = 0.02  # what rounding to fewer digits allows, unless said to be about
SMALL_WORD = 3  # "two" and "three" are often a writer's own count


@dataclass(frozen=True, slots=True)
class Quantity:
    """`values`: what the digits can mean (16.181 is a fraction or a thousand), in the unit's own size."""

    text: str
    start: int
    end: int
    values: tuple[float, ...]
    dimension: str = ""  # "" when no unit is known; "month", "clock"
    size: float = 1.0
    quantum: float = 1.0  # the last digit that was given
    about: bool = False
    hard: bool = True  # must be in the evidence
    of: str = ""  # what is counted, where no unit is: "workers"

    @property
    def is_year(self) -> bool:
        if self.dimension or "," in self.text or "." in self.text:
            return False  # "1,665" is no year
        return any(1000 <= value <= 2100 and value == int(value) for value in self.values)


def quantities(text: str) -> list[Quantity]:
    """The numbers of a text, in order."""
    return list(quantities_of_folded(fold(text)))


@lru_cache(maxsize=4096)
def quantities_of_folded(text: str) -> tuple[Quantity, ...]:
    found: list[Quantity] = []
    for match in FOUND.finditer(text):
        kind = match.lastgroup
        if match["iso"] or match["date"]:
            found += of_date(match)
        elif match["clock"]:
            hour, minute = match["clock"].split(":")
            found.append(Quantity(match[0], match.start(), match.end(), (int(hour) * 60 + int(minute),), "clock"))
        elif match["month"]:
            found += of_month(match, text)
        elif match["word"]:
            found += of_words(match, text)
        elif kind:
            found.append(of_digits(match, text))
    return tuple(found)


def of_digits(match: re.Match[str], text: str) -> Quantity:
    values, decimals = readings(match["number"])
    scale = SCALE.get(match["scale"] or "", 1.0)
    unit = match["unit"]
    currency = UNIT[match["currency"].strip()] if match["currency"] else None
    if match["short"]:
        money = currency is not None
        if money or match["short"] in {"k", "bn", "tn"}:
            scale = SHORT_SCALE[match["short"]]
        else:
            unit = match["short"] if match["short"] in UNIT else unit
    if match["fraction"] and int(match["over"]):
        values = tuple(value + int(match["fraction"]) / int(match["over"]) for value in values)
        decimals = 2
    sign, mark = (-1.0, "-") if match["sign"] else (1.0, "")
    dimension, size = currency or (UNIT[unit] if unit else ("", 1.0))
    start = match.start("currency") if match["currency"] else match.start("number")
    about = is_about(text, start)
    shown = mark + text[start : match.end()].strip()
    if century := CENTURY.search(text[: match.start("number")]):  # 2018-19 ends in 2019
        values = tuple(
            dict.fromkeys((*values, *(int(century[1]) * 100 + v for v in values if v < 100 and not decimals)))
        )
    return Quantity(
        shown,
        start,
        match.end(),
        tuple(sign * value * scale for value in values),
        dimension,
        size,
        scale * 10**-decimals,
        about,
        of="" if dimension else counted(text, match.end()) or dated(match, text),
    )


def dated(match: re.Match[str], text: str) -> str:
    """A bare "1885" after "in" or a month is a year and measures nothing."""
    year = re.fullmatch(r"1\d\d\d|20\d\d", match["number"]) and not match["scale"] and not match["short"]
    return (
        "year" if year and BEFORE_YEAR.search(text, max(0, match.start("number") - 12), match.start("number")) else ""
    )


def counted(text: str, end: int) -> str:
    """The thing that a bare number counts: the word right after it, when it carries meaning."""
    following = COUNTED.match(text, end)
    return following[1] if following and following[1] not in JOINING else ""


def readings(number: str) -> tuple[tuple[float, ...], int]:
    """What digits with separators can mean, likeliest first, and how many decimals were given."""
    bare = number.replace(" ", "").replace("'", "")
    marks = re.findall(r"[.,]", bare)
    parts = re.split(r"[.,]", bare)
    if not marks:
        return (float(bare),), 0
    last = marks[-1]
    grouped = all(len(part) in (2, 3) for part in parts[1:]) and len(parts[-1]) == 3 and 1 <= len(parts[0]) <= 3
    whole = float("".join(parts))
    if len(set(marks)) == 2:  # 1.234,5 or 1,234.5
        head, tail = bare.rsplit(last, 1)
        return (float(re.sub(r"[.,]", "", head) + "." + tail),), len(tail)
    if len(marks) > 1:
        return ((whole,), 0) if grouped else ((float(parts[0]), *(float(part) for part in parts[1:])), 0)
    decimal = float(".".join(parts))
    if not grouped or parts[0].startswith("0"):
        return (decimal,), len(parts[1])
    if last == "," or not int(parts[1]):  # "16,181" against a continental "16.181" meets in the whole number
        return (whole,), 0
    return (decimal, whole), 3


def of_date(match: re.Match[str]) -> list[Quantity]:
    parts = [int(part) for part in re.split(r"[-./]", match[0])]
    year, month, day = parts if match["iso"] else reversed(parts)

    def part(value: int, dimension: str = "") -> Quantity:
        return Quantity(match[0], match.start(), match.end(), (float(value),), dimension)

    if "/" in match[0] or not 1 <= month <= 12:  # 3/4/2020: which is the month depends on the country
        return [part(year), Quantity(match[0], match.start(), match.end(), (float(day), float(month)))]
    return [part(year), part(month, "month"), part(day)]


def of_month(match: re.Match[str], text: str) -> list[Quantity]:
    name = match["month"]
    near = re.search(r"\d\W{0,3}$", text[: match.start()]) or re.match(r"\.?,?\s?\d", text[match.end() :])
    if (name in {"may", "march", "mars", "mai", "august", "maio"} or name in SHORT_MONTH) and not near:
        return []  # a word of another meaning as well
    number = MONTH.get(name) or SHORT_MONTH[name]
    return [Quantity(name, match.start(), match.end(), (float(number),), "month")]


def of_words(match: re.Match[str], text: str) -> list[Quantity]:
    value = float(WORD_VALUE[match["word"]])
    if match["ones"]:
        value += WORD_VALUE[match["ones"]]
    scale = match["wordscale"]
    if scale:
        value *= 100 if scale == "hundred" else SCALE[scale]
    dimension, size = UNIT[match["wordunit"]] if match["wordunit"] else ("", 1.0)
    if value == 1 or (match["word"] in {"hundred", "dozen"} and not scale):
        return []
    hard = value > SMALL_WORD or bool(dimension)
    return [
        Quantity(
            match[0],
            match.start(),
            match.end(),
            (value,),
            dimension,
            size,
            1.0,
            is_about(text, match.start()),
            hard,
            "" if dimension else counted(text, match.end()),
        )
    ]


def is_about(text: str, start: int) -> bool:
    before = text[max(0, start - 24) : start].rstrip()
    if before.endswith(("~", "≈", "約", "约", "大约", "약")):
        return True
    word = re.search(r"([^\W\d_]+)\.?$", before)
    return word is not None and word[1] in ABOUT


def matches(claim: Quantity, source: Quantity) -> bool:
    """Whether a source's number bears out that of a claim."""
    if (claim.dimension and source.of) or (source.dimension and claim.of):
        return False  # 300 metres are not 300 workers
    special = {"month", "clock"}
    if claim.dimension != source.dimension and (claim.dimension in special or source.dimension in special):
        return False
    if claim.dimension and source.dimension:
        if {claim.dimension, source.dimension} == {"celsius", "fahrenheit"}:
            return any(near(c, s, CONVERTED) for c in in_celsius(claim) for s in in_celsius(source))
        if claim.dimension != source.dimension:
            return False
        if claim.size != source.size:
            tolerance = ABOUT_TOLERANCE if claim.about else CONVERTED
            return any(near(c * claim.size, s * source.size, tolerance) for c in claim.values for s in source.values)
    rounded = len(source.values) == 1  # of 16.181 nobody knows whether it may be rounded to 16
    return any(same_value(claim, c, s, rounded=rounded) for c in claim.values for s in source.values)


def in_celsius(quantity: Quantity) -> list[float]:
    if quantity.dimension == "celsius":
        return list(quantity.values)
    return [(value - 32) / 1.8 for value in quantity.values]


def near(claim: float, source: float, tolerance: float) -> bool:
    return abs(claim - source) <= tolerance * max(abs(claim), abs(source))


def same_value(claim: Quantity, stated: float, source: float, *, rounded: bool) -> bool:
    if near(stated, source, 1e-9):
        return True
    if claim.about and not claim.is_year and near(stated, source, ABOUT_TOLERANCE):
        return True
    if not rounded or (float(source).is_integer() and claim.quantum <= 1):
        return False
    return abs(stated - source) <= claim.quantum / 2 and near(stated, source, ROUNDED)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A number of a claim that its evidence lacks; `instead` is what the evidence says of the same kind."""

    stated: Quantity
    instead: str = ""
    said: str = ""  # what the claim says, when that is more than the number

    @property
    def reason(self) -> str:
        said = shown(self.said or self.stated.text)
        if self.instead:
            return differs(shown(self.instead), said)
        return lacks(said)


def shown(text: str) -> str:
    return text.replace("°c", "°C").replace("°f", "°F")


def unmatched(claim: Sequence[Quantity], source: Sequence[Quantity]) -> list[Mismatch]:
    """The numbers of a claim that are not in the source; a pair such as 9-3 also keeps its order."""
    missing = [
        Mismatch(stated, alternative(stated, source))
        for stated in claim
        if not any(matches(stated, said) for said in source)
    ]
    turned = [
        Mismatch(first, f"{second.text}-{first.text}", f"{first.text}-{second.text}")
        for first, second in pairs(claim)
        if in_order(source, second, first) and not in_order(source, first, second)
    ]
    return missing + turned


def alternative(stated: Quantity, source: Sequence[Quantity]) -> str:
    """What the source says of the same kind, when that is one thing."""
    if stated.dimension:
        said = [other for other in source if other.dimension == stated.dimension]
    else:
        said = [other for other in source if not other.dimension and other.is_year == stated.is_year]
    different = list(dict.fromkeys(other.text for other in said))
    return different[0] if len(different) == 1 else ""


def pairs(found: Sequence[Quantity]) -> list[tuple[Quantity, Quantity]]:
    """Numbers that stand as 9-3 or 9 to 3."""
    return [
        (first, second)
        for first, second in zip(found, found[1:], strict=False)
        if first.end <= second.start and second.start - first.end <= 3 and not first.dimension and not second.dimension
    ]


def in_order(found: Sequence[Quantity], first: Quantity, second: Quantity) -> bool:
    return any(matches(first, a) and matches(second, b) for a, b in pairs(found))

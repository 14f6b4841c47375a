"""Pairs of questions and texts that differ in one thing: the cross-encoder learns what a difference counts."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

NAME = re.compile(r"(?<![.?!:>–-] )(?<!^)\b([A-Z][\w'’-]+(?: (?:of |the |von |van |de )?[A-Z][\w'’-]+)*)")
YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
FROM_ELSEWHERE = 0.3  # share of the names that are not of the same pages
YEARS = 0.3  # share of the exchanges of years, where names could be exchanged as well
APART = (-3, -2, -1, 1, 2, 3)  # years between one and its twin


@dataclass(frozen=True)
class Twins:
    """`text` answers `question` and `other_text` `other_question`; crosswise they do not."""

    question: str
    text: str
    other_question: str
    other_text: str


def written(path: Path) -> Iterator[Twins]:
    """Those that were written: another property, condition, thing, time, role."""
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        told = json.loads(line)
        yield Twins(told["q"], told["t"], told["q2"], told["t2"])


def exchanged(answers: Sequence[tuple[str, str, Sequence[str]]], most: int) -> list[Twins]:
    """Questions with the text that answers and the texts of their pages; in the twin a name or a year is another."""
    everywhere = sorted({name for _, _, texts in answers for text in texts for name in NAME.findall(text)})
    found = list[Twins]()
    for question, text, texts in random.sample(answers, len(answers)):
        names = sorted({name for one in texts for name in NAME.findall(one)})
        if len(found) < most and (twins := _with_another(question, text, names, everywhere)):
            found.append(twins)
    return found


def _with_another(question: str, text: str, names: Sequence[str], everywhere: Sequence[str]) -> Twins | None:
    said = [name for name in set(NAME.findall(text)) if re.search(_whole(name), question, re.IGNORECASE)]
    years = [year for year in YEAR.findall(question) if year in text]
    if years and (not said or random.random() < YEARS):
        year = random.choice(years)
        other = str(int(year) + random.choice(APART))
        known = other in text or other in question
        return None if known else Twins(question, text, question.replace(year, other), text.replace(year, other))
    if not said:
        return None
    name = max(sorted(said), key=len)
    like = _like(name, names, text)
    if not like or random.random() < FROM_ELSEWHERE:
        like = _like(name, random.sample(everywhere, min(40, len(everywhere))), text)
    if not like:
        return None
    other = random.choice(like)
    twins = Twins(question, text, _replaced(question, name, other), _replaced(text, name, other))
    return twins if twins.other_question != question and twins.other_text != text else None


def _like(name: str, names: Sequence[str], text: str) -> list[str]:
    return [other for other in names if len(other.split()) == len(name.split()) and other not in text]


def _whole(name: str) -> str:
    return rf"(?<!\w){re.escape(name)}(?!\w)"


def _replaced(text: str, name: str, other: str) -> str:
    """Without capitals where the text has none."""
    return re.sub(_whole(name), lambda m: other.lower() if m.group().islower() else other, text, flags=re.IGNORECASE)

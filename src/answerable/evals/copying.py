"""The eval's scripted model: copies sentences of the numbered evidence in its prompt, and plants known faults."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from answerable.answering.extracting import answer_by_words
from answerable.answering.planning import plan_by_rules
from answerable.evals.scripted import Reply, says
from answerable.text.passages import page_id_of, passage_id_of
from answerable.types import Block, BlockKind, Evidence, Page, Passage, Question, Turn

Kind = Literal["wrong_number", "wrong_source", "invented"]
Fate = Literal["caught", "flagged", "survived", "not_shown"]

_SOURCE = re.compile(
    r"^<<<SOURCE (?P<number>\d+) (?P<mark>\S+)>>>\nTitle: (?P<title>[^\n]*)\nSite: (?P<site>[^\n]*)\n"
    r"Date: (?P<date>[^\n]*)\nRead as: [^\n]*\n(?:In this source: [^\n]*\n)?"
    r"(?P<text>.*?)\n?^<<<END (?P=number) (?P=mark)>>>$",
    re.MULTILINE | re.DOTALL,
)
_PATH = re.compile(r"^\(.*\)\n", re.MULTILINE)  # the headings above a passage
_TODAY = re.compile(r"Today is (\d{4}-\d\d-\d\d)")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_LINE = re.compile(r"[^\n]+")
_QUESTION = re.compile(r"^Question: (.*)$", re.MULTILINE)
_CLAIM = re.compile(r"(?P<text>\S.*?) \[(?P<number>\d+)\](?P<stop>[.!?。！？।؟…]?)", re.DOTALL)
_MARKER = re.compile(r"\s*\[\d+\]")
_FIGURE = re.compile(r"\d+")
_SHARE = 0.2  # of the claims get a fault
_INVENTED = (
    "It was sold to a private owner in {year} for {sum} million euros.",
    "A second one was opened by the same people in {year}, {sum} kilometres further north.",
    "Since {year} it has been closed on {sum} days of each year for repairs.",
)


@dataclass(frozen=True, slots=True)
class Fault:
    """A claim that no source supports as cited. `title` and `site` are those of the source it was given."""

    question: str
    kind: Kind
    text: str  # the sentence, without its marker
    title: str
    site: str


@dataclass(frozen=True, slots=True)
class _Source:
    number: int
    title: str
    site: str
    text: str
    published: datetime | None = None


class CopyingModel:
    """Answers requests of the wire: `ScriptedLLM(answer=CopyingModel(seed=7))`.

    It sees nothing but the prompt. Which claims get a fault depends on the seed and the claim alone, so the order of
    the questions does not matter. What is not streamed (plans, related questions) gets no usable answer: rules decide.
    """

    def __init__(self, *, seed: int = 0, share: float = _SHARE, split: int = 12) -> None:
        self._seed, self._share, self._split = seed, share, split
        self.faults: list[Fault] = []
        self.claims = 0

    def __call__(self, body: Mapping[str, Any]) -> Reply:
        if not body.get("stream"):
            return says("I cannot say.")
        prompt = "\n".join(
            str(message.get("content") or "") for message in body["messages"] if message["role"] == "user"
        )
        question = found[1] if (found := _QUESTION.search(prompt)) else ""
        sources = [_source(found) for found in _SOURCE.finditer(prompt)]
        copied = answer_by_words(plan_by_rules(Question(question, _today(body))), _evidence(sources))
        answer = "".join(self._perhaps_spoilt(part, question, sources) for part in _parts(copied))
        return says(answer or "The sources do not say.", split=self._split)

    def _perhaps_spoilt(self, part: str | re.Match[str], question: str, sources: list[_Source]) -> str:
        if isinstance(part, str):
            return part
        self.claims += 1
        chance = random.Random(f"{self._seed}:{question}:{part['text']}")
        source = next(s for s in sources if s.number == int(part["number"]))
        if chance.random() >= self._share:
            return part[0]
        fault = _fault(chance, part["text"], source, sources, question)
        if fault is None:
            return part[0]
        self.faults.append(fault[0])
        return f"{fault[0].text} [{fault[1]}]{part['stop']}"


def fate_of(fault: Fault, turn: Turn) -> Fate:
    """What became of it: its marker gone, kept with the verdict `partly`, kept as supported, or never shown."""
    wanted = _plain(fault.text)
    shown = next((s for s in turn.sentences if wanted in _plain(_MARKER.sub("", s.text))), None)
    if shown is None:
        return "not_shown"
    cited = [c for c in turn.citations if c.sentence == shown.index]
    if fault.kind == "wrong_source":
        cited = [c for c in cited if (c.title, c.site) == (fault.title, fault.site)]
    if not cited:
        return "caught"
    return "survived" if any(c.verdict == "supported" for c in cited) else "flagged"


def _fault(
    chance: random.Random, text: str, source: _Source, sources: list[_Source], question: str
) -> tuple[Fault, int] | None:
    """One of the kinds that can be made of this claim, with the number it is given."""
    kinds: list[Kind] = ["wrong_number", "wrong_source", "invented"]
    chance.shuffle(kinds)
    for kind in kinds:
        spoilt, given = text, source
        if kind == "wrong_number":
            spoilt = _other_figure(chance, text, source)
        elif kind == "wrong_source":
            others = [s for s in sources if s.number != source.number and not _says(s, text)]
            given = chance.choice(others) if others else source
        else:
            line = chance.choice(_INVENTED).format(year=chance.randint(1901, 1999), sum=chance.randint(11, 89))
            spoilt = line.rstrip(".")
        if spoilt != text or given is not source:
            return Fault(question, kind, spoilt, given.title, given.site), given.number
    return None


def _other_figure(chance: random.Random, text: str, source: _Source) -> str:
    """One figure of the text changed: every other time to one that its source gives to something else, which is the
    harder fault to see, else to any other of the same length."""
    figures = list(_FIGURE.finditer(text))
    if not figures:
        return text
    figure = chance.choice(figures)
    elsewhere = sorted({*_FIGURE.findall(source.text)} - {*_FIGURE.findall(text)})
    if elsewhere and chance.random() < 0.5:
        return f"{text[: figure.start()]}{chance.choice(elsewhere)}{text[figure.end() :]}"
    first = chance.choice([d for d in "123456789" if d != figure[0][0]])
    return f"{text[: figure.start()]}{first}{figure[0][1:]}{text[figure.end() :]}"


def _says(source: _Source, text: str) -> bool:
    """Whether most words of the text are in the source, so that citing it would be no fault."""
    words = set(re.findall(r"\w+", text.casefold()))
    held = set(re.findall(r"\w+", source.text.casefold()))
    return len(words & held) > 0.6 * len(words)


def _parts(copied: str) -> Iterator[str | re.Match[str]]:
    """Claims with their markers, and what stands between them."""
    at = 0
    for claim in _CLAIM.finditer(copied):
        yield copied[at : claim.start()]
        yield claim
        at = claim.end()
    yield copied[at:]


def _source(found: re.Match[str]) -> _Source:
    text = _PATH.sub("", found["text"]).strip()
    day = _DATE.search(found["date"])
    published = datetime.fromisoformat(day[0]).replace(tzinfo=UTC) if day else None
    return _Source(int(found["number"]), found["title"], found["site"], text, published)


def _today(body: Mapping[str, Any]) -> datetime:
    told = _TODAY.search(str(body["messages"][0].get("content") or ""))
    return datetime.fromisoformat(told[1] if told else "2000-01-01").replace(tzinfo=UTC)


def _blocks(text: str) -> tuple[Block, ...]:
    """Lines as paragraphs, neighbouring lines with bars as tables."""
    blocks: list[Block] = []
    for line in _LINE.finditer(text):
        kind: BlockKind = "table" if " | " in line[0] else "paragraph"
        if blocks and kind == "table" == blocks[-1].kind and blocks[-1].end + 1 == line.start():
            blocks[-1] = Block(kind, blocks[-1].start, line.end())
        else:
            blocks.append(Block(kind, line.start(), line.end()))
    return tuple(blocks)


def _evidence(sources: list[_Source]) -> Evidence:
    """The sources as evidence whose numbers are theirs; one that the prompt left out is an empty page."""
    by_number = {source.number: source for source in sources}
    pages, passages = [], []
    for number in range(1, max(by_number, default=0) + 1):
        source = by_number.get(number, _Source(number, "", "", ""))
        url = f"prompt:{number}"
        id = page_id_of(url, source.text)
        page = Page(id, url, source.title, source.site, source.text, _blocks(source.text), published=source.published)
        pages.append(page)
        if source.text:
            size = len(source.text)
            passages.append(Passage(passage_id_of(url, source.text), id, 0, size, source.text))
    return Evidence(tuple(pages), tuple(passages), tuple(0.5 for _ in passages))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))

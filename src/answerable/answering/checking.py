"""Checks an answer sentence by sentence while it streams: text in, events out, numbers final."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from answerable.answering.fold import count_support
from answerable.answering.telling_both import Told
from answerable.events import Delta, Emit, SentenceChecked
from answerable.protocols import SupportChecker
from answerable.text.citing import Check, CitingMachine, Ended, Found, Release, Sources, Steps
from answerable.text.leaves import link_to, page_label
from answerable.text.urls import canonical_url
from answerable.text.worded import NOTHING_READ, coded
from answerable.types import Citation, Evidence, Passage, Quote, Sentence, Support, SupportCounts


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """One check: claim `sentence`, what it was held against, what was found, and how long it took."""

    sentence: int
    claim: str  # with the stem or header it is read with, on a line before it
    passages: tuple[Passage, ...]
    support: Support
    seconds: float


OnCheck = Callable[[ClaimCheck], None]


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """`numbers[n - 1]` is the page shown as `[n]`."""

    answer: str
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    numbers: tuple[str, ...]
    support: SupportCounts


class AnswerChecker:
    """Feed the writer's text, then `finish`. Deltas joined are the answer; a sentence's event follows its last delta.

    A call that is cancelled while a claim is being checked leaves that sentence open: `close_block` or `finish` checks
    it again.
    """

    def __init__(
        self, evidence: Evidence, support: SupportChecker, emit: Emit, on_check: OnCheck = lambda check: None
    ) -> None:
        self._evidence, self._support, self._emit, self._on_check = evidence, support, emit, on_check
        self._passages: dict[str, list[Passage]] = {}
        for passage in evidence.passages:
            self._passages.setdefault(passage.page_id, []).append(passage)
        addresses = {canonical_url(page.url): k for k, page in enumerate(evidence.pages, start=1)}
        self._machine = CitingMachine(
            Sources(
                len(evidence.pages),
                lambda k: evidence.pages[k - 1].page_id if 1 <= k <= len(evidence.pages) else None,
                lambda address: addresses.get(canonical_url(address)),
            )
        )
        self._sentences: list[Sentence] = []
        self._citations: list[Citation] = []
        self._found: dict[str, tuple[Quote, Support]] = {}  # of the sentence being checked, by page

    @property
    def answer(self) -> str:
        """What was released so far."""
        return self._machine.answer

    @property
    def claims_seen(self) -> int:
        return sum(1 for sentence in self._sentences if sentence.verdict is not None)

    @property
    def usable_markers(self) -> bool:
        """Whether a marker to a known source survived its check."""
        return bool(self._citations)

    @property
    def told(self) -> tuple[Told, ...]:
        """The sentences whose markers survived."""
        sources = {page.page_id: k for k, page in enumerate(self._evidence.pages, start=1)}
        cited: dict[int, set[int]] = {}
        for citation in self._citations:
            cited.setdefault(citation.sentence, set()).add(sources[citation.page_id])
        return tuple(Told(s.text, frozenset(cited[s.index])) for s in self._sentences if s.index in cited)

    async def feed(self, text: str) -> None:
        """Takes the next piece of the writer's text; emits what may be shown."""
        await self._drive(self._machine.feed(text))

    async def close_block(self) -> None:
        """Ends the open sentence where it stands. What is fed next begins a new block; numbers go on."""
        await self._drive(self._machine.close())

    async def finish(self, *, cut: bool = False) -> CheckedAnswer:
        """Ends the answer. Whether it was `cut` or not, half a marker at its end is never shown."""
        await self._drive(self._machine.close())
        return CheckedAnswer(
            self.answer,
            tuple(self._sentences),
            tuple(self._citations),
            tuple(str(page) for page in self._machine.pages),
            count_support(self._sentences, self._citations),
        )

    async def _drive(self, steps: Steps) -> None:
        text, reply = "", None
        try:
            while True:
                try:
                    step = steps.send(reply)
                except StopIteration:
                    break
                reply = None
                if isinstance(step, Release):
                    text += step.text
                    continue
                text = self._flush(text)
                if isinstance(step, Check):
                    reply = await self._check(step)
                else:
                    self._ended(step)
        finally:
            steps.close()
            self._flush(text)

    def _flush(self, text: str) -> str:
        if text:
            self._emit(Delta(text))
        return ""

    async def _check(self, check: Check) -> Found:
        pages = {k: self._evidence.pages[k - 1].page_id for k in check.numbers}
        passages = [passage for page_id in dict.fromkeys(pages.values()) for passage in self._passages.get(page_id, ())]
        if not passages:
            return Found("unsupported", NOTHING_READ)
        began = time.perf_counter()
        await asyncio.sleep(
            0
        )  # a model that sends a hundred claims at once keeps neither readers nor its deadline waiting
        claim = f"{check.context}\n{check.text}" if check.context else check.text
        support = await self._support.check(claim, passages)
        waited = time.perf_counter() - began
        self._on_check(ClaimCheck(len(self._sentences), claim, tuple(passages), support, waited))
        if support.verdict not in {"supported", "partly"}:
            return Found("unsupported", support.reason)
        for quote in support.quotes:
            self._found.setdefault(quote.page_id, (quote, support))
        quoted = {quote.page_id for quote in support.quotes}
        return Found(support.verdict, support.reason, tuple(k for k, page_id in pages.items() if page_id in quoted))

    def _ended(self, ended: Ended) -> None:
        sentence = ended.sentence
        found, self._found = self._found, {}
        citations = tuple(self._citation(n, k, sentence, found) for n, k in ended.cited)
        self._sentences.append(sentence)
        self._citations.extend(citations)
        self._emit(
            SentenceChecked(
                sentence.index,
                sentence.text,
                sentence.start,
                sentence.end,
                sentence.numbers,
                sentence.verdict,
                sentence.reason,
                citations,
                sentence.unknown,
                sentence.reason_code,
                sentence.reason_values,
            )
        )

    def _citation(self, n: int, k: int, sentence: Sentence, found: dict[str, tuple[Quote, Support]]) -> Citation:
        page = self._evidence.pages[k - 1]
        quote, support = found[page.page_id]
        code, values = coded(support.reason)
        return Citation(
            n=n,
            page_id=page.page_id,
            url=page.url,
            title=page.title,
            site=page.site,
            published=page.published,
            sentence=sentence.index,
            quote=quote.text,
            start=quote.start,
            end=quote.end,
            verdict=support.verdict,
            reason=support.reason,
            read_as=page.read_as,
            link=link_to(page, quote.text, quote.start),
            page_label=page_label(page, quote.start),
            reason_code=code,
            reason_values=values,
        )

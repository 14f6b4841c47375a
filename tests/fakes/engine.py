"""An engine that tells scripted answers: the same methods as the real one, no search, no model, no database."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from urllib.parse import quote

from tests.fakes.fakepages import FakePages
from tests.fakes.history import Droppable, FakeFeedback, FakeHistory
from tests.fakes.owning import FakeOwner
from tests.fakes.pages import PNG
from tests.fakes.tokens import FakeTokens

from answerable.answering.exporting import Exported
from answerable.answering.fold import count_support, fold
from answerable.answering.reading import source_of
from answerable.answering.verifying import Verification, verify_claim
from answerable.errors import NotFound, ReadError
from answerable.events import (
    Delta,
    Done,
    Event,
    Failed,
    Final,
    Notice,
    Progress,
    SentenceChecked,
    SourcesFound,
    Start,
    VerdictChanged,
)
from answerable.protocols import Conversation
from answerable.providers.support.lexical import LexicalSupport
from answerable.telemetry import Telemetry
from answerable.types import (
    Citation,
    Conflict,
    Note,
    Page,
    Plan,
    Sentence,
    Source,
    SourceImage,
    Turn,
    TurnError,
    Usage,
    Verdict,
)

WHEN = datetime(2026, 5, 3, 14, 2, tzinfo=UTC)
Step = Event | threading.Event | float


def page(name: str, title: str, text: str, *, host: str = "towers.example", **more: Any) -> Page:
    return Page(
        page_id=f"page-{name}",
        url=f"https://{host}/{name}",
        title=title,
        site=host,
        text=text,
        published=WHEN - timedelta(days=30),
        fetched=WHEN,
        **more,
    )


@dataclass(frozen=True)
class Said:
    """A sentence of the answer, with its markers in place. `quotes`: number -> (page, words)."""

    text: str
    verdict: Verdict | None = "supported"
    quotes: dict[int, tuple[Page, str]] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True)
class Script:
    """What a run says. Strings are text without a verdict; a threading.Event holds the run until it is set."""

    parts: tuple[str | Said | threading.Event | float, ...] = ()
    pages: tuple[Page, ...] = ()
    queries: tuple[str, ...] = ("eiffel tower height",)
    outcome: Any = "answered"
    notes: tuple[Note, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    related: tuple[str, ...] = ()
    failure: TurnError | None = None
    images: tuple[SourceImage, ...] = ()
    before: threading.Event | float | None = None  # held while searching
    later: tuple[VerdictChanged | threading.Event, ...] = ()  # after the end, by a judge

    def steps(self, base: Turn) -> Iterator[Step]:
        yield Start(base.id, base.conversation_id, base.turn_id, base.attempt, base.created, base.question)
        yield Progress("planning", "Planning")
        yield Progress("searching", f"Searching {len(self.queries)} queries", queries=self.queries)
        if self.before is not None:
            yield self.before
        found = tuple(source_of(p) for p in self.pages)
        yield Progress("reading", "Reading", pages=tuple(p.url for p in self.pages), done=0, total=len(found))
        for done in range(1, len(found) + 1):
            yield SourcesFound(found[:done])
            yield Progress("reading", "Reading", done=done, total=len(found), page=self.pages[done - 1].url)
        yield Progress("ranking", "Ranking")
        if self.parts:
            yield Progress("writing", "Writing")
        yield from self._writing(base, found)
        yield from self.later
        yield Done()

    def _writing(self, base: Turn, found: tuple[Source, ...]) -> Iterator[Step]:
        text, sentences, citations = "", [], []
        for part in self.parts:
            if isinstance(part, threading.Event | float):
                yield part
                continue
            words = part if isinstance(part, str) else part.text
            for start in range(0, len(words), 7):
                yield Delta(words[start : start + 7])
            if isinstance(part, Said):
                made = tuple(_citation(n, p, q, part, len(sentences)) for n, (p, q) in part.quotes.items())
                sentence = Sentence(
                    len(sentences),
                    part.text,
                    len(text),
                    len(text) + len(part.text),
                    tuple(part.quotes),
                    part.verdict,
                    part.reason,
                )
                sentences.append(sentence)
                citations += made
                yield SentenceChecked(
                    sentence.index, part.text, sentence.start, sentence.end, sentence.numbers, part.verdict,
                    part.reason, made,
                )  # fmt: skip
            text += words
        for note in self.notes:
            yield Notice(note.code, note.message)
        turn = self.turn(base, text, tuple(sentences), tuple(citations), found)
        if self.failure:
            yield Failed(
                self.failure.code, self.failure.message, self.failure.stage, self.failure.retryable, self.failure.hint
            )
        else:
            yield Progress("completed", "Done")
            yield Final(turn)

    def turn(
        self,
        base: Turn,
        text: str,
        sentences: tuple[Sentence, ...],
        citations: tuple[Citation, ...],
        found: tuple[Source, ...],
    ) -> Turn:
        numbers = {c.page_id: c.n for c in citations}
        cited = sorted(
            (replace(s, n=numbers[s.page_id]) for s in found if s.page_id in numbers), key=lambda s: s.n or 0
        )
        return replace(
            base,
            state="failed" if self.failure else "done",
            outcome=None if self.failure else self.outcome,
            standalone_question=base.question,
            answer=text,
            sentences=sentences,
            citations=citations,
            sources=tuple(cited),
            also_read=tuple(s for s in found if s.page_id not in numbers),
            support=count_support(sentences, citations),
            conflicts=self.conflicts,
            notes=self.notes,
            as_of=WHEN,
            related_questions=self.related,
            plan=Plan(base.question, self.queries),
            usage=Usage(),
            timings={"planning": 12.0, "searching": 180.0, "reading": 410.0, "ranking": 95.0, "writing": 320.0},
            error=self.failure,
            images=self.images,
        )


def _citation(n: int, p: Page, words: str, said: Said, sentence: int) -> Citation:
    start = p.text.index(words)
    link = f"{p.url}#:~:text={quote(words, safe='')}"
    return Citation(
        n, p.page_id, p.url, p.title, p.site, p.published, sentence, words, start, start + len(words),
        said.verdict or "supported", said.reason, p.read_as, link,
    )  # fmt: skip


@dataclass
class FakeRun:
    id: str
    conversation_id: str
    turn_id: str
    attempt: int
    base: Turn
    script: Script
    owner: str = ""
    events: list[Event] = field(default_factory=list)
    turn: Turn | None = None
    task: asyncio.Task[None] | None = None

    @property
    def over(self) -> bool:
        return bool(self.events) and isinstance(self.events[-1], Done)


class FakeRuns(Droppable):
    """As the real registry, it repeats Done to whoever asks for what comes after it."""

    def __init__(self, scripts: dict[str, Script], default: Script) -> None:
        self.scripts, self.default = scripts, default
        self.runs: dict[str, FakeRun] = {}
        self.asked: list[Any] = []
        self.stopped: list[str] = []
        self.fails_with: Exception | None = None
        self._ids = count(1)
        self._keys: dict[str, FakeRun] = {}
        self._changed = asyncio.Condition()

    async def start(self, ask: Any) -> FakeRun:
        if self.fails_with is not None:
            raise self.fails_with
        if ask.idempotency_key in self._keys:
            return self._keys[ask.idempotency_key]
        if ask.conversation_id is not None and not self.of_conversation(ask.conversation_id):
            raise NotFound(f"There is no conversation {ask.conversation_id!r}.", hint="Leave it out to begin one.")
        self.asked.append(ask)
        k = next(self._ids)
        run = self._begin(f"run-{k}", ask.conversation_id or f"conv-{k}", f"turn-{k}", 1, ask.question, ask.owner)
        if ask.idempotency_key:
            self._keys[ask.idempotency_key] = run
        return run

    def _begin(self, id: str, conversation: str, turn: str, attempt: int, question: str, owner: str = "") -> FakeRun:
        base = Turn(id, conversation, turn, attempt, question, WHEN)
        script = self.scripts.get(question, self.default)
        run = self.runs[id] = FakeRun(id, conversation, turn, attempt, base, script, owner)
        run.task = asyncio.get_running_loop().create_task(self._play(run))
        return run

    async def _play(self, run: FakeRun) -> None:
        for step in run.script.steps(run.base):
            if isinstance(step, float):
                await asyncio.sleep(step)
            elif isinstance(step, threading.Event):
                while not step.is_set():  # noqa: ASYNC110 (set by the test, from another thread)
                    await asyncio.sleep(0.002)
            else:
                await self._append(run, step)

    async def _append(self, run: FakeRun, event: Event) -> None:
        async with self._changed:
            run.events.append(event)
            if isinstance(event, Final):
                run.turn = event.turn
            if isinstance(event, VerdictChanged) and run.turn:
                run.turn = fold(run.turn, [event])
            if isinstance(event, Failed):
                error = TurnError(event.code, event.message, event.stage, event.retryable, event.hint)
                run.turn = replace(self._so_far(run), state="failed", error=error)
            self._changed.notify_all()

    def run(self, run_id: str) -> FakeRun:
        if run_id not in self.runs:
            raise NotFound(f"There is no answer {run_id!r}.", hint="Check the id.")
        return self.runs[run_id]

    def of_conversation(self, id: str) -> list[FakeRun]:
        return [run for run in self.runs.values() if run.conversation_id == id]

    async def events(self, run_id: str, *, after: int, timeout: float) -> list[tuple[int, Event]]:
        run = self.run(run_id)
        if len(run.events) <= after and not run.over and timeout > 0:
            try:
                async with asyncio.timeout(timeout), self._changed:
                    await self._changed.wait_for(lambda: len(run.events) > after)
            except TimeoutError:
                return []
        return [(n, e) for n, e in enumerate(run.events, start=1) if n > after or isinstance(e, Done)]

    async def turn(self, run_id: str, *, owner: str | None = None) -> Turn:
        run = self.run(run_id)
        if owner not in {None, run.owner}:
            raise NotFound(f"There is no answer {run_id!r}.", hint="Check the id.")
        return run.turn or self._so_far(run)

    def _so_far(self, run: FakeRun) -> Turn:
        checked = [e for e in run.events if isinstance(e, SentenceChecked)]
        sentences = tuple(Sentence(e.index, e.text, e.start, e.end, e.numbers, e.verdict, e.reason) for e in checked)
        citations = tuple(c for e in checked for c in e.citations)
        found = [e.sources for e in run.events if isinstance(e, SourcesFound)]
        text = "".join(e.text for e in run.events if isinstance(e, Delta))
        turn = run.script.turn(run.base, text, sentences, citations, found[-1] if found else ())
        return replace(turn, state="running", outcome=None, error=None, timings={}, notes=(), related_questions=())

    async def stop(self, run_id: str) -> Turn:
        run = self.run(run_id)
        if not run.over:
            assert run.task is not None
            run.task.cancel()
            self.stopped.append(run_id)
            await self._append(run, Final(replace(self._so_far(run), state="stopped")))
            await self._append(run, Done())
        return await self.turn(run_id)

    async def retry(self, run_id: str) -> FakeRun:
        old = self.run(run_id)
        attempt = 1 + max(run.attempt for run in self.runs.values() if run.turn_id == old.turn_id)
        id = f"{old.turn_id}-attempt-{attempt}"
        return self._begin(id, old.conversation_id, old.turn_id, attempt, old.base.question, old.owner)

    async def shows(self, page_id: str, *, owner: str | None = None) -> bool:
        own = [run for run in self.runs.values() if owner in {None, run.owner}]
        return any(page.page_id == page_id for run in own for page in run.script.pages)

    async def conversation(self, id: str, *, owner: str | None = None) -> Conversation:
        runs = [run for run in self.of_conversation(id) if owner in {None, run.owner}]
        if not runs:
            raise NotFound(f"There is no conversation {id!r}.", hint="Check the address.")
        latest = {run.turn_id: run for run in runs}
        turns = [await self.turn(run.id) for run in latest.values()]
        return Conversation(id, turns[0].question, WHEN, WHEN, tuple(turns))


@dataclass(frozen=True)
class FakeAbout:
    version: str = "0.0.0"
    providers: tuple[str, ...] = ("own", "searxng", "wikipedia")
    model: str | None = None
    collection_only: bool = False
    collection_hosts: frozenset[str] = frozenset({"atlas.example"})
    examples: tuple[str, ...] = ("How tall is the Eiffel Tower?", "Is the summit of Mont Blanc rising?")


@dataclass(frozen=True)
class FakeReadiness:
    warm: bool = True
    database: bool = True


class FakeEngine(FakePages, FakeOwner):
    """`scripts` maps questions to what is answered; anything else gets `default`."""

    def __init__(
        self,
        scripts: dict[str, Script] | None = None,
        *,
        default: Script | None = None,
        about: FakeAbout | None = None,
        web: str | None = None,
    ) -> None:
        self.runs = FakeRuns(scripts or {}, default or eiffel())
        self.store, self.history, self.feedback = self.runs, FakeHistory(self.runs), FakeFeedback(self.runs)
        self.tokens = FakeTokens()
        self.searched: list[tuple[Any, ...]] = []
        self._about, self._web = about or FakeAbout(), web
        self.ready, self.telemetry = FakeReadiness(), Telemetry()

    def about(self) -> FakeAbout:
        return self._about

    async def readiness(self) -> FakeReadiness:
        return self.ready

    def metrics(self) -> bytes:
        return self.telemetry.text()

    def web_status(self) -> str | None:
        return self._web

    async def export(self, conversation_id: str, *, owner: str | None = None) -> Exported:
        return Exported(await self.runs.conversation(conversation_id, owner=owner))

    async def picture(self, url: str) -> tuple[bytes, str]:
        if "gone" in url:
            raise NotFound(f"there is no picture at {url!r}")
        return PNG, "image/png"

    async def page(self, page_id: str) -> Page:
        scripts = [*self.runs.scripts.values(), self.runs.default]
        for known in (page for script in scripts for page in script.pages):
            if known.page_id == page_id:
                return known
        raise NotFound(f"There is no page {page_id!r}.", hint="Check the id.")

    async def verify(self, claim: str, source: str) -> Verification:
        if source != "http://towers.example/height":
            raise ReadError(source, "not_found", "there is no such page")
        return await self.verify_text(claim, "The tower is 330 metres tall.")

    async def verify_text(self, claim: str, text: str) -> Verification:
        return await verify_claim(claim, Page("text", "", "", "", text), LexicalSupport())

    async def collection_file(self, host: str, path: str) -> tuple[bytes, str]:
        if host == "atlas.example" and path in {"tower", "visits"}:
            return b"<title>Tower</title><script>document.title = 'ran'</script><p>330 m", "text/html; charset=utf-8"
        raise NotFound(f"The collection has no page {host}/{path}.", hint="Check the address.")


TOWER = page(
    "eiffel",
    "Eiffel Tower: height and history",
    "The Eiffel Tower stands on the Champ de Mars in Paris.\n\n"
    "With the digital radio antenna fitted in March 2022 the tower is 330 metres tall. "
    "It was the entrance arch of the 1889 World's Fair.\n\n"
    "About sixty tonnes of paint protect the iron from rust; it is repainted every seven years.",
    site_name="The Towers",
)
VISITS = page(
    "visits",
    "Visitor numbers of Paris monuments",
    "The tower welcomed 6.3 million visitors in 2023, the museum of the Louvre 8.9 million.",
    host="atlas.example",
    cut="size",
)
IRON = page(
    "iron",
    "Puddled iron",
    "The tower's lattice is of puddled iron, which hardly rusts when painted.",
    host="metals.example",
    read_as="snippet",
)
LIFTS = page(
    "lifts", "Lifts and stairs", "Two of the old lifts still run.", host="lifts.example", site_name="The Towers"
)


def eiffel(*, hold: threading.Event | None = None, before: threading.Event | float | None = None) -> Script:
    """Every verdict once; `hold` stops the writing after the second sentence."""
    pause: Sequence[threading.Event] = (hold,) if hold else ()
    return Script(
        parts=(
            Said(
                "The Eiffel Tower is **330 metres** tall since March 2022[1].",
                quotes={
                    1: (TOWER, "With the digital radio antenna fitted in March 2022 the tower is 330 metres tall.")
                },
            ),
            " ",
            Said(
                "It drew 6.3 million visitors in 2023[2].",
                quotes={2: (VISITS, "The tower welcomed 6.3 million visitors in 2023")},
            ),
            *pause,
            "\n\n",
            Said(
                "It opened for the 1889 World's Fair and was meant to stand for twenty years[1].",
                "partly",
                {1: (TOWER, "It was the entrance arch of the 1889 World's Fair.")},
                "The page does not say how long the tower was meant to stand.",
            ),
            " ",
            Said("Painters need eighteen months for one coat.", "unsupported", reason="No page read says this."),
            " ",
            Said("Most visitors come in summer.", "uncited"),
            "\n\n",
            Said(
                "Its lattice is made of puddled iron[3].",
                quotes={3: (IRON, "The tower's lattice is of puddled iron")},
            ),
        ),
        pages=(TOWER, VISITS, IRON, LIFTS),
        queries=("eiffel tower height 2022 antenna", "eiffel tower visitors per year", "eiffel tower material"),
        notes=(
            Note("provider_failed", "brave did not answer within 2 s."),
            Note("page_skipped", "https://slow.example/tower: timeout."),
        ),
        related=("Who designed the Eiffel Tower?", "How often is the Eiffel Tower painted?"),
        before=before,
    )


def nothing_found() -> Script:
    return Script(
        parts=("The pages that were read do not say what the mayor of Atlantis earns.",),
        pages=(LIFTS, VISITS),
        queries=("mayor of Atlantis salary", "Atlantis city council pay"),
        outcome="not_enough_evidence",
    )


def broken() -> Script:
    return Script(
        parts=("The tower is",),
        pages=(TOWER,),
        failure=TurnError(
            "model_failed", "The model stopped answering.", "writing", True, "Try again, or choose another model."
        ),
    )

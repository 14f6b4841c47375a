"""The engine: what an answer needs, opened, handed out and closed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from answerable.answering.background import BackgroundTasks, within
from answerable.answering.conversation import answer_and_save
from answerable.answering.examining import Finding, Readiness, answers, succeeded
from answerable.answering.exporting import Exported, exported, from_json
from answerable.answering.flights import Flights
from answerable.answering.leases import Keeper, Lease
from answerable.answering.rechecking import Recheck, recheck
from answerable.answering.retrieval import serving
from answerable.answering.runs import RunRegistry
from answerable.answering.searching import Recency, Searched, fresh_enough, search_and_read, search_queries
from answerable.answering.verifying import Verification, verify_claim
from answerable.config import Settings, data_folder, environment_name, keep_quiet, load_settings, proxies_of
from answerable.errors import BadRequest, NotFound, SettingsError, Unusable
from answerable.events import Done, Emit, ignore
from answerable.index.collection import Collection
from answerable.index.embedded import EmbeddedIndex
from answerable.protocols import Clock, ConversationSummary, Parts, Reranker, SearchProvider, SupportChecker
from answerable.providers.embedding.static import StaticEmbedder
from answerable.providers.llm.names import key_variable, make_llm
from answerable.providers.llm.pydantic import PydanticLLM
from answerable.providers.reading.fetch import GuardedFetcher
from answerable.providers.reading.images import ImageProxy
from answerable.providers.reading.reader import FILE_BYTES, WebReader
from answerable.providers.reading.workers import ExtractionWorkers
from answerable.providers.reranking.cross_encoder import CrossEncoder
from answerable.providers.reranking.minilm import MiniLMReranker
from answerable.providers.reranking.remote import make_reranker
from answerable.providers.search.names import chosen_names
from answerable.providers.search.own import OwnIndex
from answerable.providers.search.remembering import Remembering
from answerable.providers.support.lexical import LexicalSupport
from answerable.storage.conversations import SqlConversationStore
from answerable.storage.database import Database, open_database
from answerable.storage.feedback import SqlFeedback
from answerable.storage.history import SqlHistory
from answerable.storage.lock import FolderLock
from answerable.storage.pages import SqlPageCache
from answerable.storage.processes import SqlProcesses
from answerable.storage.runlog import SqlRunLog
from answerable.storage.tokens import SqlTokenStore
from answerable.telemetry import Telemetry
from answerable.text.cleaning import storable
from answerable.text.domains import Domains, domain_entries
from answerable.types import Ask, Focus, Freshness, Page, Question, State, Turn, WriterName
from answerable.wiring.install import COLLECTION, REMOVED, VERSION, About, Setup, setup_of, without_web
from answerable.wiring.making import (
    limits_of,
    reader_clock,
    search_provider,
    support_checker,
    value_of,
    working_rerankers,
)
from answerable.wiring.owning import OwnSources
from answerable.wiring.testing import tried

CLOSE_SECONDS = 5.0  # for each part, when the engine closes


class Engine:
    """The answer engine: `async with Engine.from_settings() as engine: turn = await engine.ask("…")`.

    Opening it loads no model and starts no process: the first question does, or `warm_up`.
    """

    folder: Path
    runs: RunRegistry
    store: SqlConversationStore
    history: SqlHistory
    feedback: SqlFeedback
    pages: SqlPageCache
    tokens: SqlTokenStore
    pictures: ImageProxy
    reader: WebReader
    own: EmbeddedIndex
    sources: OwnSources
    collection: Collection | None
    parts: Parts

    def __init__(self, settings: Settings, *, clock: Clock | None = None) -> None:
        keep_quiet()
        self.settings = settings
        self.clock = clock or reader_clock
        self.telemetry = Telemetry()
        self._stack = AsyncExitStack()
        self._warm: asyncio.Task[None] | None = None
        self._checker: asyncio.Task[SupportChecker] | None = None
        self._models: dict[str, PydanticLLM] = {}
        self._flights = Flights()

    @classmethod
    def from_settings(
        cls, settings: Settings | Mapping[str, object] | None = None, *, clock: Clock | None = None
    ) -> Self:
        """`settings`: names and values that beat the environment and the file. Raises SettingsError."""
        return cls(settings if isinstance(settings, Settings) else load_settings(settings), clock=clock)

    async def __aenter__(self) -> Self:
        try:
            await self._open()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def _open(self) -> None:
        settings, stack = self.settings, self._stack
        writer, small = self._model(settings.model), self._model(settings.model_small or settings.model)
        folder = self.folder = data_folder(settings)
        lock = stack.enter_context(FolderLock(folder))
        database = await open_database(settings.database or f"sqlite:///{folder / 'answerable.sqlite'}")
        self._at_close("database", database.close)
        self.store, self.tokens = SqlConversationStore(database), SqlTokenStore(database)
        self.pages = SqlPageCache(database, max_bytes=settings.cache_mb * 1_000_000)
        fetcher = GuardedFetcher(allow_hosts=settings.allow_hosts, proxies=proxies_of(settings))
        self._at_close("fetcher", fetcher.aclose)
        self._value = partial(value_of, settings)
        self._provider = partial(search_provider, settings, fetcher, self.clock)
        self.pictures = ImageProxy(fetcher)
        self.workers = ExtractionWorkers()
        self._at_close("extraction", self.workers.aclose, 3 * CLOSE_SECONDS)
        background = BackgroundTasks()
        self._at_close("background", background.close)
        self.reader = WebReader(
            fetcher,
            cache=self.pages,
            extract=self.workers.extract,
            timeout=settings.read_timeout,
            background=background,
            now=self.clock,
        )
        self.own = EmbeddedIndex(folder / "index")
        self.sources = OwnSources(fetcher, self.reader, self.pages, self.own)
        self.collection = self._collection(folder)
        if self.collection is not None:
            self._at_close("collection", self.collection.close)
        self.parts = Parts(
            searchers=tuple(self._searchers()),
            reader=self.reader,
            embedder=StaticEmbedder(),
            reranker=MiniLMReranker(),
            answers=CrossEncoder(),
            careful=self._careful(),
            support=LexicalSupport(),  # until the learned one is loaded
            background=background,
            pages=self.pages,
            writer_model=writer,
            small_model=small,
            judge=self._model(settings.judge),
            ranking_floor=settings.floor,
            prefer_sites=settings.prefer_sites,
            avoid_sites=settings.avoid_sites,
            limits=limits_of(settings),
        )
        self._at_close("warm-up", self._stop_warming)
        await self._open_runs(database, alone=lock.alone)
        await asyncio.to_thread(lock.share)

    async def _open_runs(self, database: Database, *, alone: bool) -> None:
        settings, log = self.settings, SqlRunLog(database)
        self.history, self.feedback = SqlHistory(database, self.clock), SqlFeedback(database)
        lease = Lease(SqlProcesses(database))
        self._at_close("lease", lease.close)
        await lease.beat()
        self.runs = RunRegistry(
            self._answer,
            self.store,
            log,
            self.clock,
            check=self._check,
            most_at_once=settings.max_runs,
            holder=lease.id,
            grace=settings.grace,
        )
        self.telemetry.runs_from(lambda: self.runs.under_way)
        self._at_close("runs", self.runs.close, settings.grace + 2 * CLOSE_SECONDS)  # which has limits of its own
        # Alone in the folder is alone with its file. Who shares a server is known by their signs of life only.
        await self.runs.recover(*([] if alone and database.is_sqlite else [lease.lives]))
        keeper = Keeper(lease, self.runs, log, self.history, self.clock, settings.keep_days)
        self._at_close("keeper", keeper.start())

    async def ask(
        self,
        question: str,
        *,
        conversation_id: str | None = None,
        focus: Focus = "web",
        freshness: Freshness | None = None,
        model: str | None = None,
        writer: WriterName | None = None,
        domains: Sequence[str] = (),
        emit: Emit = ignore,
    ) -> Turn:
        """The finished turn; a failed one has `error`. Cancelling the call stops the run. Raises BadRequest.

        `domains`: `example.com` for only such sites, `-example.com` for never these.
        """
        sites = _entries(domains)
        run = await self.runs.start(Ask(question, conversation_id, focus, freshness, model, writer, domains=sites))
        seen = 0
        try:
            while True:
                for number, event in await self.runs.events(run.id, after=seen, timeout=60):
                    seen = number
                    emit(event)
                    if isinstance(event, Done):
                        return await self.runs.turn(run.id)
        except asyncio.CancelledError:
            await self.runs.stop(run.id)
            raise

    async def search(
        self,
        query: str | Sequence[str],
        *,
        max_results: int = 10,
        focus: Focus = "web",
        freshness: Freshness | None = None,
        recency: Recency | None = None,
        domains: Sequence[str] = (),
        emit: Emit = ignore,
    ) -> Searched:
        """What was found and read for a query (or several that are asked together), best first; nothing is written.
        `recency` leaves out what is known to be older; `domains` as in `ask`. Raises BadRequest."""
        fresh, now = freshness or fresh_enough(recency), self.clock()
        sites = self._sites(_entries(domains))
        questions = [Question(one, now, focus=focus, freshness=fresh, domains=sites) for one in search_queries(query)]
        await self.warm_up()
        return await search_and_read(questions, self.parts, max_results=max_results, recency=recency, emit=emit)

    async def read(self, target: str) -> Page:
        """What the reader makes of an address or a file. Raises ReadError."""
        if "://" in target:
            return await self.reader.read_url(target, max_bytes=FILE_BYTES)
        return await self.reader.read_file(Path(target))

    async def add(self, target: str) -> Page:
        """Reads an address or a file into the own index. Raises ReadError, StorageError."""
        return await self.sources.keep(await self.read(target))

    async def verify(self, claim: str, source: str) -> Verification:
        """Whether a page supports a claim; `source` is an address or a file. Raises ReadError, BadRequest."""
        return await verify_claim(claim, await self.read(source), await self._support())

    async def verify_text(self, claim: str, text: str) -> Verification:
        """The same, against a text at hand. Raises BadRequest."""
        return await verify_claim(claim, Page("text", "", "", "", storable(text)), await self._support())

    async def recheck(self, turns: Sequence[Turn]) -> list[Recheck]:
        """Reads the cited pages again, from their hosts."""

        async def read(url: str) -> Page:
            return await self.reader.read_url(url, max_bytes=FILE_BYTES, fresh=True)

        return await recheck(turns, read, await self._support())

    async def export(self, conversation_id: str, *, owner: str | None = None) -> Exported:
        """A conversation with all that belongs to it; see answering/exporting.py. Raises NotFound."""
        return await exported(conversation_id, owner, self.store, self.history, self.feedback, self.pages)

    async def bring_in(self, body: bytes, *, owner: str | None = None) -> ConversationSummary:
        """A conversation that was exported as JSON, under new ids. Raises BadRequest, StorageError."""
        found = from_json(body)
        for page in found.pages:
            await self.pages.put(page)
        await self.history.keep(found.title, found.turns, found.feedback, owner=owner)
        return await self.history.summary(found.turns[0].conversation_id)

    async def page(self, page_id: str) -> Page:
        """The text as it was read. Raises NotFound."""
        return await self.pages.page(page_id)

    async def picture(self, url: str) -> tuple[bytes, str]:
        """Bytes and media type of a picture of a page, by the guarded door. Raises NotFound."""
        return await self.pictures.get(url)

    async def collection_file(self, host: str, path: str) -> tuple[bytes, str]:
        """The bytes and content type of a page of the built-in collection. Raises NotFound."""
        if self.collection is None:
            raise NotFound("the built-in collection is not part of this install")
        return await self.collection.file(host, path)

    def begin_warm_up(self) -> asyncio.Task[None]:
        """Starts to load what the first question would otherwise wait for."""
        if self._warm is None or (self._warm.done() and (self._warm.cancelled() or self._warm.exception())):
            self._warm = asyncio.create_task(self._load())
        return self._warm

    async def warm_up(self) -> None:
        """Loads what the first question would otherwise wait for."""
        await asyncio.shield(self.begin_warm_up())

    async def _load(self) -> None:
        ended = await asyncio.gather(
            self.parts.embedder.embed(["warm up"]),
            self._warm_rerankers(),
            self._support(),
            self.workers.warm_up(),
            *([self.collection.ready()] if self.collection else []),
            *(model.warm() for model in self._models.values()),
            return_exceptions=True,  # the first failure must not leave the others running unwatched
        )
        for fault in ended:
            if isinstance(fault, BaseException):
                raise fault

    async def _warm_rerankers(self) -> None:
        reranker, answers = await working_rerankers(self.parts)
        self.parts = replace(self.parts, reranker=reranker, answers=answers)

    async def _support(self) -> SupportChecker:
        if self._checker is None:
            self._checker = asyncio.create_task(support_checker(self.settings))
        checker = await asyncio.shield(self._checker)
        self.parts = replace(self.parts, support=checker)
        return checker

    async def _stop_warming(self) -> None:
        tasks = [task for task in (self._warm, self._checker) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _at_close(self, name: str, close: Callable[[], Awaitable[object]], limit: float = CLOSE_SECONDS) -> None:
        self._stack.push_async_callback(within, limit, name, close)

    async def examine(self, part: str | None = None) -> list[Finding]:
        """Each part tried out, or one alone. Raises NotFound, Unusable."""
        await self.warm_up()
        return await tried(self.parts, self.own, self._provider, part)

    def setup(self) -> Setup:
        return setup_of(self.settings, self.folder)

    def about(self) -> About:
        # Not those that only news or papers are searched at: the page tells of the web.
        names = tuple(one.name for one in self.parts.searchers if one.scope != "web" or "web" in one.focuses)
        return About(
            version=VERSION,
            providers=names,
            model=self.settings.model or None,
            collection_only=not serving(self.parts.searchers, "web"),
            collection_hosts=self.collection.hosts if self.collection else frozenset(),
            examples=self.collection.examples if self.collection else (),
        )

    async def readiness(self) -> Readiness:
        """Whether a question asked now would be answered without delay."""
        return Readiness(warm=succeeded(self._warm), database=await answers(self.store))

    def metrics(self) -> bytes:
        """What was counted since the engine was made, as Prometheus reads it."""
        return self.telemetry.text()

    def web_status(self) -> str | None:
        """A sentence when no web provider answers; None while one may."""
        web = [one for one in self.parts.searchers if one.scope == "web" and "web" in one.focuses]
        resting = [one.resting for one in web if isinstance(one, Remembering) and one.resting]
        return None if len(resting) < len(web) else without_web(resting, collection=self.collection is not None)

    async def _answer(self, turn: Turn, question: Question, emit: Emit, on_cancel: Callable[[], State]) -> Turn:
        question = replace(question, domains=self._sites(question.domains))
        waits: list[float] = []
        ended = await answer_and_save(
            turn,
            question,
            lambda: self._parts_for(question),
            self.store,
            emit,
            on_cancel=on_cancel,
            on_check=lambda check: waits.append(check.seconds),
            flights=self._flights,
        )
        self.telemetry.turn_ended(ended, waits)
        return ended

    def _sites(self, asked: Sequence[str]) -> tuple[str, ...]:
        """What the question and the settings both permit. Raises Unusable when that is nothing."""
        allowed = self.settings.allow_domains
        both = Domains.of(asked).within(Domains(allowed, self.settings.deny_domains))
        if both.nowhere:
            hint = f"They lie outside ANSWERABLE_ALLOW_DOMAINS, which is {', '.join(allowed)}."
            raise Unusable("none of the chosen sites may be searched here", hint=hint)
        return both.entries

    def _check(self, ask: Ask) -> None:
        """Raises Unusable for a model, writer or site that cannot be had, while the caller can still be told."""
        self._sites(ask.domains)
        try:
            self._chosen(ask.model, ask.writer)
        except SettingsError as fault:
            hint = "Set what it needs and start again, or choose another model; the extractive writer needs none."
            raise Unusable(fault.message, hint=hint) from None

    async def _parts_for(self, question: Question) -> Parts:
        """The parts with the model that the question names, and without one where it wants none.

        What a stage would otherwise load in its own budget, at the first question after a start, is waited for here.
        """
        await self.warm_up()
        writer = self._chosen(question.model, question.writer)
        both = writer is not None and not question.model and self.settings.model and self.settings.model_small
        return replace(self.parts, writer_model=writer, quick_model=self.parts.small_model if both else None)

    def _chosen(self, model: str | None, writer: WriterName | None) -> PydanticLLM | None:
        """The model that writes; None where the sources speak. Raises SettingsError."""
        wanted = writer or (self.settings.writer if not model else "model")
        if wanted == "extractive":
            return None
        chosen = self._model(model or self.settings.model)
        if wanted == "model" and chosen is None:
            raise SettingsError(["the writer `model` needs a model: name one, or set ANSWERABLE_MODEL"])
        return chosen

    def _model(self, name: str) -> PydanticLLM | None:
        """Raises SettingsError for a name, key or extra that is missing."""
        if not name:
            return None
        if name not in self._models:
            secret = self.settings.secret(key_variable(name) or "OPENAI_API_KEY")
            model = make_llm(
                name,
                base_url=self.settings.model_url or None,
                api_key=secret,
                on_usage=self.telemetry.tokens_used,
            )
            self._models[name] = model
            self._at_close(name, model.aclose)
        return self._models[name]

    def _collection(self, folder: Path) -> Collection | None:
        if not self.settings.collection or (folder / REMOVED).exists():
            return None
        return Collection(COLLECTION, EmbeddedIndex(), self._collection_page, self.clock())

    async def _collection_page(self, url: str, body: bytes, content_type: str) -> Page:
        page = await self.reader.page_of(url, body, content_type)
        await self.pages.put(page)
        return page

    def _careful(self) -> Reranker | None:
        chosen = make_reranker(self.settings.reranker, self._value, environment_name, clock=self.clock)
        if chosen is not None:
            self._at_close("reranker", chosen.aclose)
        return chosen

    def _searchers(self) -> list[SearchProvider]:
        """As set; `auto`: every provider whose needs are set, else the keyless web. Own pages beside it."""
        searchers: list[SearchProvider] = []
        for name in chosen_names(self.settings.search, self._value):
            provider = self._provider(name)
            self._at_close(name, provider.aclose)
            searchers.append(provider)
        searchers.append(OwnIndex(self.own))
        if self.collection is not None:
            searchers.append(OwnIndex(self.collection, name="built-in collection", scope="fallback"))
        return searchers


def _entries(domains: Sequence[str]) -> tuple[str, ...]:
    try:
        return domain_entries(domains)
    except ValueError as fault:
        raise BadRequest(str(fault)) from None


async def verify(
    claim: str, source: str | Path, *, settings: Settings | Mapping[str, object] | None = None
) -> Verification:
    """Whether an address, a file (a Path) or a text supports a claim. Raises ReadError, BadRequest, SettingsError."""
    async with Engine.from_settings(settings) as engine:
        if isinstance(source, Path) or "://" in source.split(maxsplit=1)[0]:
            return await engine.verify(claim, str(source))
        return await engine.verify_text(claim, source)

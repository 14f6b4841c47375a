"""What the engine asks of its parts. Each protocol has one contract suite under tests/contract."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from answerable.events import Event
from answerable.types import (
    Ask,
    Evidence,
    Fetched,
    Focus,
    Freshness,
    Outcome,
    Page,
    Passage,
    PastTurn,
    SearchResult,
    Spending,
    State,
    Support,
    Token,
    Turn,
    Usage,
    Validators,
)

T = TypeVar("T")
Vectors = NDArray[np.float32]


class SearchResults(list[SearchResult]):
    """Results with what the provider said beside them: parts of its answer that are missing, and why."""

    def __init__(self, results: Iterable[SearchResult] = (), warnings: Sequence[str] = ()) -> None:
        super().__init__(results)
        self.warnings = tuple(warnings)


class SearchProvider(Protocol):
    """`own` providers are searched beside the web; `fallback` ones only when no web provider answered.

    A web provider is asked for the focuses it serves. A `partial` one knows a single site or a few, so that its answer
    alone is no reason to stop waiting for others.
    """

    name: str
    scope: Literal["web", "own", "fallback"]
    focuses: frozenset[Focus]
    partial: bool

    async def search(
        self,
        query: str,
        *,
        limit: int,
        freshness: Freshness,
        focus: Focus,
        locale: str,
        domains: tuple[str, ...] = (),
    ) -> list[SearchResult]:
        """Best first; an empty list means the provider answered with none. Raises SearchError.

        `domains` (entries of text/domains.py) helps a provider that can filter; whoever asks filters again.
        A provider that knows its answer to be incomplete returns `SearchResults` with its warnings.
        """
        ...


class Fetcher(Protocol):
    async def fetch(
        self,
        url: str,
        *,
        timeout: float,
        max_bytes: int = 2_000_000,
        document_bytes: int = 0,
        validators: Validators | None = None,
    ) -> Fetched:
        """`timeout` in seconds for everything, redirects and robots.txt included. Raises ReadError.

        Text of more than `max_bytes` is cut, anything else of that size refused. A PDF or Office file, known by its
        first bytes whatever its label, may have `document_bytes` where those are more.
        With `validators` (from `Fetched.caching` of an earlier fetch) a page that has not changed is not sent again.
        """
        ...


class Reader(Protocol):
    async def read(self, result: SearchResult, *, freshness: Freshness = "evergreen") -> Page:
        """`live`: nothing that its host was not asked for lately. Raises ReadError with its cause."""
        ...


class Embedder(Protocol):
    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text, float32, unit length (a text without known tokens is a zero row)."""
        ...


class Reranker(Protocol):
    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One score from 0 to 1 a text, in the order given; higher answers the question better."""
        ...


class SupportChecker(Protocol):
    async def check(self, claim: str, passages: Sequence[Passage]) -> Support: ...


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a model's answer. The last one has `end` set: complete, or cut by the length limit."""

    text: str = ""
    usage: Usage | None = None
    end: Literal["complete", "length"] | None = None


class LLM(Protocol):
    name: str

    def stream(
        self, messages: Sequence[Message], *, timeout: float, max_tokens: int | None = None
    ) -> AsyncIterator[Piece]:
        """Answer text without thinking, as it arrives; the last piece has `end`. Raises LLMError, mid-stream too."""
        ...

    async def structured(self, messages: Sequence[Message], output: type[T], *, timeout: float) -> tuple[T, Usage]:
        """Raises LLMError; `malformed` after one repair."""
        ...


@dataclass(frozen=True, slots=True)
class IndexHit:
    passage: Passage
    page: Page
    score: float


class PassageIndex(Protocol):
    async def add(self, pages: Sequence[Page]) -> int:
        """Replaces pages of the same address; returns the number of passages written."""
        ...

    async def search(self, query: str, *, limit: int) -> list[IndexHit]: ...

    async def remove(self, urls: Sequence[str]) -> int: ...

    async def count(self) -> int:
        """Pages held."""
        ...


@dataclass(frozen=True, slots=True)
class HeldPage:
    """A page in the cache. Until `fresh_until` it is shown unasked; until `stale_until` while it is asked for anew."""

    page: Page
    checked: datetime  # when its host last said that this is its text
    fresh_until: datetime
    stale_until: datetime
    validators: Validators | None = None


class PageCache(Protocol):
    async def held(self, url: str, *, now: datetime) -> HeldPage | None:
        """The newest version of the page at an address, fresh or not; its `page.checked` is told."""
        ...

    async def hold(self, held: HeldPage) -> None:
        """Keeps a page for its address. Room is made by throwing out what was of no use longest and is not cited."""
        ...

    async def drop(self, url: str) -> None:
        """What was held for an address is no longer found by it."""
        ...

    async def put(self, page: Page) -> None:
        """Keeps what is cited, by its id alone: a snippet, or a page whose host forbids to keep it, is not found by
        its address."""
        ...

    async def page(self, page_id: str) -> Page:
        """The text as it was read, whatever was fetched since. Raises NotFound."""
        ...


@dataclass(frozen=True, slots=True)
class Conversation:
    id: str
    title: str
    created: datetime
    updated: datetime
    turns: tuple[Turn, ...] = ()  # the latest attempt of each, oldest first
    owner: str = ""
    pinned_at: datetime | None = None
    archived: bool = False


class ConversationStore(Protocol):
    """All raise StorageError when the database fails, NotFound for what is not there.

    `owner` narrows what is seen to one owner's; None: everybody's.
    """

    async def begin(self, turn: Turn, ask: Ask | None = None, *, holder: str = "") -> None:
        """Stores a running attempt, what was chosen for it, and the process that works on it.

        Makes the conversation, titled by its first question, when it is new.
        """
        ...

    async def save(self, turn: Turn, evidence: Evidence | None = None, *, if_running: bool = False) -> bool:
        """Stores a finished attempt with its citations, whole or not at all; `evidence` is what its writer saw.

        `if_running`: leaves alone, and returns False for, an attempt that has ended or is gone.
        """
        ...

    async def turn(self, id: str, *, owner: str | None = None) -> Turn: ...

    async def choices(self, id: str) -> Ask:
        """What was chosen with the question of an attempt, and whose it is."""
        ...

    async def conversation(self, id: str, *, owner: str | None = None) -> Conversation: ...

    async def shows(self, page_id: str, *, owner: str | None = None) -> bool:
        """Whether an answer has the page among its sources."""
        ...

    async def history(self, id: str, *, limit: int = 3, before: str | None = None) -> tuple[PastTurn, ...]:
        """The last finished turns (before the turn of that id), oldest first; none for an unknown conversation."""
        ...

    async def running(self) -> dict[str, str]:
        """Attempts that are under way or that a stopped process left so, each with its holder."""
        ...


class TokenStore(Protocol):
    """Who may ask, and what each has used. `hash` is `hash_of(session_of(token))` of text/tokens.py."""

    async def create(self, token: Token, hash: str) -> None: ...

    async def by_hash(self, hash: str) -> Token | None:
        """Also one that was revoked or has expired: the caller judges."""
        ...

    async def all(self) -> list[Token]:
        """Oldest first, the revoked too."""
        ...

    async def revoke(self, id: str, when: datetime) -> Token:
        """From now on it opens nothing. Raises NotFound."""
        ...

    async def used(self, id: str, when: datetime) -> None: ...

    async def spent(self, id: str, day: str) -> Spending:
        """`day`: `2026-03-04`, in UTC."""
        ...

    async def spend(self, id: str, day: str, usage: Usage) -> None:
        """Adds one run and what it used."""
        ...


Sort = Literal["updated", "created", "title"]


@dataclass(frozen=True, slots=True)
class ConversationFilter:
    """Which conversations to list; None: whether or not. In `search` stands whatever was typed; none of it is an
    operator."""

    search: str = ""
    focus: Focus | None = None  # that a turn was asked with
    outcome: Outcome | None = None  # that a turn had
    failed: bool | None = None  # whether a turn failed
    pinned: bool | None = None
    archived: bool | None = False
    sort: Sort = "updated"  # times: newest first; pinned ones: last pinned first


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """A line of the list. `focus`, `state` and `outcome` are those of the last turn."""

    id: str
    title: str
    created: datetime
    updated: datetime
    pinned_at: datetime | None = None
    archived: bool = False
    turns: int = 0
    focus: Focus = "web"
    state: State = "done"
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class ConversationList:
    """A page of the list; `next_cursor` leads to the one after it, None after the last."""

    conversations: tuple[ConversationSummary, ...]
    next_cursor: str | None = None


class History(Protocol):
    """The conversations as a person looks after them. `owner` None: everybody's. Raises StorageError, NotFound."""

    async def list(
        self, wanted: ConversationFilter, *, cursor: str = "", limit: int = 30, owner: str | None = None
    ) -> ConversationList:
        """Each conversation once, whatever changes between two pages; one that moved to the top is not met again.

        Raises BadRequest for a cursor that is not from this list.
        """
        ...

    async def summary(self, id: str, *, owner: str | None = None) -> ConversationSummary: ...

    async def change(
        self,
        id: str,
        *,
        owner: str | None = None,
        title: str | None = None,
        pinned: bool | None = None,
        archived: bool | None = None,
    ) -> ConversationSummary:
        """None leaves as it is. An empty title brings back the automatic one."""
        ...

    async def delete(self, ids: Sequence[str], *, owner: str | None = None) -> tuple[str, ...]:
        """Everything that belongs to them. Returns those that were there."""
        ...

    async def attempts(self, id: str, *, owner: str | None = None) -> tuple[Turn, ...]:
        """All attempts of a conversation, those that were tried again too, in order."""
        ...

    async def keep(
        self, title: str, turns: Sequence[Turn], said: Sequence[Feedback] = (), *, owner: str | None
    ) -> None:
        """A conversation that comes from elsewhere, under ids not in use; the attempt that is shown comes last."""
        ...

    async def prune(self, *, failed_before: datetime) -> int:
        """Drops attempts that failed before then, and what is empty without them. Returns how many attempts."""
        ...

    async def expire(self, *, before: datetime) -> int:
        """Drops conversations that are not pinned and in which nothing happened since. Returns how many."""
        ...


FeedbackKind = Literal["up", "down", "copied", "source_opened", "reformulated"]


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a reader made of an answer. `detail`: the source that was opened, or the question as it was put anew."""

    answer_id: str
    kind: FeedbackKind
    created: datetime
    reason: str = ""  # of `down`
    detail: str = ""


class FeedbackStore(Protocol):
    """`owner` None: everybody's. Raises StorageError, NotFound."""

    async def add(self, feedback: Feedback, *, owner: str | None = None) -> None:
        """`up` and `down` take each other's place; of the others each one counts."""
        ...

    async def withdraw(self, answer_id: str, *, owner: str | None = None) -> None:
        """Takes back `up` or `down`."""
        ...

    async def of_conversation(self, id: str, *, owner: str | None = None) -> tuple[Feedback, ...]: ...

    async def counts(self, *, owner: str | None = None) -> dict[str, int]:
        """By kind."""
        ...


class Processes(Protocol):
    """Who works on runs. A process that lives is heard of; one that is not heard of for a while has died."""

    async def beat(self, id: str) -> dict[str, int]:
        """Says that `id` lives. Returns how often each process has said so."""
        ...

    async def leave(self, ids: Sequence[str]) -> None: ...


class RunLog(Protocol):
    """Events numbered 1, 2, 3… per run, kept before they are shown."""

    async def append(self, run_id: str, events: Sequence[Event]) -> int:
        """Returns the number of the last event. Raises NotFound when the run was deleted."""
        ...

    async def append_all(self, batches: Mapping[str, Sequence[Event]]) -> dict[str, int]:
        """The same for many runs at once; one that was deleted is left out."""
        ...

    async def read(self, run_id: str, *, after: int = 0) -> list[tuple[int, Event]]: ...

    async def forget(self, *, ended_before: datetime) -> int:
        """Drops the events of runs that ended before then, but for the last two: `final` and `done`."""
        ...


# Work that may outlive the turn that began it; its task, for who wants to end it.
Background = Callable[[Coroutine[Any, Any, Any]], asyncio.Task[Any] | None]
Clock = Callable[[], datetime]
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Parts:
    """All the pipeline works with; assembled in wiring, or of fakes in a test."""

    searchers: tuple[SearchProvider, ...]
    reader: Reader
    embedder: Embedder
    reranker: Reranker
    support: SupportChecker
    background: Background
    pages: PageCache
    careful: Reranker | None = None  # puts in order what `reranker`, whose scores are known chances, lets through
    answers: Reranker | None = None  # the chance that an English sentence answers
    writer_model: LLM | None = None
    small_model: LLM | None = None  # plans
    quick_model: LLM | None = None  # writes where the plan says that a small one will do
    judge: LLM | None = None  # reads doubtful claims again, after the answer
    ranking_floor: float = 0.05
    prefer_sites: tuple[str, ...] = ()  # entries of text/domains.py
    avoid_sites: tuple[str, ...] = ()
    limits: Limits = field(default_factory=lambda: Limits())


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes and budgets (seconds) of one turn, from the settings."""

    results_per_query: int = 8
    pages: int = 12
    page_chars: int = 12_000
    candidates: int = 30
    passages: int = 10
    passages_per_site: int = 3
    evidence_chars: int = 14_000
    context_tokens: int = 0  # of the model that writes, its answer included; 0: not known, `evidence_chars` alone holds
    rounds: int = 3
    plan_timeout: float = 1.5
    search_timeout: float = 2.0
    read_timeout: float = 4.0
    answer_timeout: float = 60.0
    suggest_timeout: float = 1.5
    judge_timeout: float = 20.0
    judge_share: float = 0.05

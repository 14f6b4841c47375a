"""What the web needs of an engine: `wiring.Engine` has it, and so has the fake of the tests."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from answerable.answering.examining import Finding
from answerable.answering.exporting import Exported
from answerable.answering.rechecking import Recheck
from answerable.answering.searching import Recency, Searched
from answerable.answering.verifying import Verification
from answerable.events import Event
from answerable.index.crawl import Bounds
from answerable.protocols import Conversation, ConversationSummary, FeedbackStore, History, TokenStore
from answerable.types import Added, Ask, Focus, IndexedPage, Page, Turn


class Run(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def conversation_id(self) -> str: ...
    @property
    def turn_id(self) -> str: ...
    @property
    def attempt(self) -> int: ...


class Runs(Protocol):
    async def start(self, ask: Ask) -> Run:
        """Raises BadRequest, NotFound, Unavailable."""
        ...

    async def events(self, run_id: str, *, after: int, timeout: float) -> list[tuple[int, Event]]:
        """Waits up to `timeout` seconds for events numbered above `after`; none on time-out.

        The last is Done, repeated to whoever asks for what comes after it.
        """
        ...

    async def turn(self, run_id: str) -> Turn:
        """The finished turn, or what its events so far amount to."""
        ...

    async def stop(self, run_id: str) -> Turn: ...

    async def retry(self, run_id: str) -> Run: ...

    async def drop(self, conversation_ids: Collection[str]) -> None:
        """Ends the runs of conversations that were deleted."""
        ...


class Conversations(Protocol):
    """`owner` narrows what is seen to one owner's; None: everybody's."""

    async def conversation(self, id: str, *, owner: str | None = None) -> Conversation: ...

    async def turn(self, id: str, *, owner: str | None = None) -> Turn: ...

    async def shows(self, page_id: str, *, owner: str | None = None) -> bool:
        """Whether an answer of the owner has the page among its sources."""
        ...


class About(Protocol):
    """What the start page says of this engine."""

    @property
    def version(self) -> str: ...
    @property
    def providers(self) -> tuple[str, ...]: ...
    @property
    def model(self) -> str | None: ...
    @property
    def collection_only(self) -> bool: ...
    @property
    def collection_hosts(self) -> frozenset[str]:
        """Hosts of the built-in collection: their pages open on this server and are labelled."""
        ...

    @property
    def examples(self) -> tuple[str, ...]: ...


class Readiness(Protocol):
    @property
    def warm(self) -> bool: ...
    @property
    def database(self) -> bool: ...


class Sources(Protocol):
    """The own index."""

    @property
    def may_change(self) -> bool: ...
    async def listed(self) -> list[IndexedPage]: ...
    async def add_url(self, url: str) -> Added: ...
    async def add_file(self, name: str, body: bytes) -> Added: ...
    async def add_site(self, url: str, bounds: Bounds) -> list[Added]: ...
    async def remove(self, urls: Sequence[str]) -> int: ...


class Choice(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def ready(self) -> bool: ...
    @property
    def needs(self) -> tuple[str, ...]:
        """Names of settings, never their values."""
        ...

    @property
    def helps(self) -> tuple[str, ...]: ...
    @property
    def possible(self) -> bool:
        """Whether all it needs is set."""
        ...


class Setup(Protocol):
    """What is set, without any key."""

    @property
    def version(self) -> str: ...
    @property
    def folder(self) -> str: ...
    @property
    def database(self) -> str: ...
    @property
    def searches(self) -> tuple[Choice, ...]: ...
    @property
    def vendors(self) -> tuple[Choice, ...]: ...
    @property
    def models(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def local(self) -> tuple[str, ...]:
        """Parts on this machine, as they are examined."""
        ...


class AnswerEngine(Protocol):
    @property
    def runs(self) -> Runs: ...
    @property
    def store(self) -> Conversations: ...
    @property
    def history(self) -> History: ...
    @property
    def feedback(self) -> FeedbackStore: ...
    @property
    def tokens(self) -> TokenStore: ...
    @property
    def sources(self) -> Sources: ...

    def setup(self) -> Setup: ...

    async def examine(self, part: str | None = None) -> list[Finding]:
        """Each part tried out, or one alone. Raises NotFound, Unusable."""
        ...

    def about(self) -> About: ...

    def web_status(self) -> str | None:
        """A sentence when no web provider answers."""
        ...

    async def readiness(self) -> Readiness:
        """Whether a question asked now would be answered without delay."""
        ...

    def metrics(self) -> bytes:
        """What was counted since the start, in the text format of Prometheus."""
        ...

    async def search(
        self,
        query: str | Sequence[str],
        *,
        max_results: int = 10,
        focus: Focus = "web",
        recency: Recency | None = None,
        domains: Sequence[str] = (),
    ) -> Searched:
        """Raises BadRequest."""
        ...

    async def read(self, target: str) -> Page:
        """What the reader makes of an address. Raises ReadError."""
        ...

    async def recheck(self, turns: Sequence[Turn]) -> list[Recheck]:
        """Reads the cited pages again."""
        ...

    async def verify(self, claim: str, source: str) -> Verification:
        """Against the page at an address. Raises ReadError, BadRequest."""
        ...

    async def verify_text(self, claim: str, text: str) -> Verification: ...

    async def page(self, page_id: str) -> Page: ...

    async def export(self, conversation_id: str, *, owner: str | None = None) -> Exported:
        """With all that belongs to it. Raises NotFound."""
        ...

    async def bring_in(self, body: bytes, *, owner: str | None = None) -> ConversationSummary:
        """A conversation that was exported as JSON, under new ids. Raises BadRequest."""
        ...

    async def picture(self, url: str) -> tuple[bytes, str]:
        """Bytes and media type of a picture of a page. Raises NotFound."""
        ...

    async def collection_file(self, host: str, path: str) -> tuple[bytes, str]:
        """The bytes and content type of a page of the built-in collection."""
        ...

"""A typed client of the HTTP API: the engine's own words, over the wire. A stream that breaks is taken up again."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from types import TracebackType
from typing import Any, Literal, Self, TypeVar, get_args
from urllib.parse import quote

import httpx2
from pydantic import TypeAdapter, ValidationError

from answerable.answering.rechecking import Recheck
from answerable.answering.searching import FoundPassage, Recency, Searched
from answerable.answering.verifying import Verification
from answerable.errors import (
    AnswerableError,
    BadRequest,
    BudgetSpent,
    Conflict,
    Forbidden,
    NotFound,
    ReadCause,
    ReadError,
    StorageError,
    Unavailable,
    Unusable,
)
from answerable.events import EVENTS, Done, Emit, Event, Final, Start, ignore
from answerable.protocols import Conversation, ConversationList, ConversationSummary
from answerable.schemas import CONVERSATION, PAGE, TURN, Problem, SourcesReply, load_event
from answerable.types import Focus, Freshness, Page, Turn, WriterName

T = TypeVar("T")
TRIES = 8  # in a row without news, before a stream is given up: about half a minute
LONGEST_PAUSE = 8.0
SILENCE = 45.0  # seconds; the server sends a comment every 15
_VERIFICATION: TypeAdapter[Verification] = TypeAdapter(Verification)
_RECHECKS: TypeAdapter[list[Recheck]] = TypeAdapter(list[Recheck])
_PASSAGES: TypeAdapter[tuple[FoundPassage, ...]] = TypeAdapter(tuple[FoundPassage, ...])
_SEARCHED: TypeAdapter[Searched] = TypeAdapter(Searched)
_LIST: TypeAdapter[ConversationList] = TypeAdapter(ConversationList)
_SUMMARY: TypeAdapter[ConversationSummary] = TypeAdapter(ConversationSummary)
_BY_CODE: dict[str, type[AnswerableError]] = {
    kind.code: kind for kind in (NotFound, Conflict, Forbidden, BudgetSpent, Unavailable, StorageError)
}


class Client:
    """`async with Client("http://localhost:8765", token="…") as client: turn = await client.ask("…")`.

    Failures are raised as the engine raises them, with the server's hint; Unavailable when it cannot be reached.
    """

    def __init__(self, address: str, *, token: str | None = None, timeout: float = 60.0) -> None:
        self.address = address.rstrip("/")
        headers = [(b"authorization", f"Bearer {token}".encode())] if token else []
        self._http = httpx2.AsyncClient(
            base_url=f"{self.address}/", headers=headers, timeout=httpx2.Timeout(timeout, connect=10.0), trust_env=False
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._http.aclose()

    # Asking

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
        """The finished turn; a failed one has `error`. Cancelling the call stops the run."""
        choices = {"conversation_id": conversation_id, "focus": focus, "freshness": freshness, "model": model}
        body = {"question": question, **choices, "writer": writer, "domains": list(domains)}
        return await self._turn_of(self._asked("v1/answers", body), emit)

    def stream(self, question: str, **choices: Any) -> AsyncGenerator[Event]:
        """The events of a question as they come, to Done; `choices` as of `ask`. Leaving early does not end the run."""
        return self._asked("v1/answers", {"question": question, **choices})

    async def retry(self, id: str, *, emit: Emit = ignore) -> Turn:
        """Answers the same turn again: a new attempt."""
        return await self._turn_of(self._asked(f"v1/answers/{_part(id)}/retry", {}), emit)

    async def events(self, id: str, *, after: int = 0) -> AsyncGenerator[Event]:
        """The events of a run later than `after`, then live ones, to Done."""
        resumed = self._resumed(id, after)
        try:
            async for _, event in resumed:
                yield event
        finally:
            await resumed.aclose()

    async def stop(self, id: str) -> Turn:
        """What was released stays."""
        return TURN.validate_json(await self._bytes("DELETE", f"v1/answers/{_part(id)}"))

    async def answer(self, id: str) -> Turn:
        return TURN.validate_json(await self._bytes("GET", f"v1/answers/{_part(id)}"))

    async def sources(self, id: str) -> SourcesReply:
        return SourcesReply.model_validate_json(await self._bytes("GET", f"v1/answers/{_part(id)}/sources"))

    async def feedback(self, id: str, kind: str, **details: Any) -> None:
        """`kind`: `up`, `down`, `copied`, `source_opened`, `reformulated`."""
        await self._bytes("POST", f"v1/answers/{_part(id)}/feedback", {"kind": kind, **details})

    # Pages

    async def search(
        self,
        query: str | Sequence[str],
        *,
        max_results: int = 10,
        focus: Focus = "web",
        recency: Recency | None = None,
        domains: Sequence[str] = (),
    ) -> Searched:
        """What was found and read, best first; dates are days."""
        asked = query if isinstance(query, str) else list(query)
        body = {"query": asked, "max_results": max_results, "focus": focus, "search_recency_filter": recency}
        reply = json.loads(await self._bytes("POST", "v1/search", {**body, "search_domain_filter": list(domains)}))
        return _SEARCHED.validate_python(reply)

    async def verify(self, claim: str, source: str) -> Verification:
        """Against the page at an address."""
        return _VERIFICATION.validate_json(await self._bytes("POST", "v1/verify", {"claim": claim, "url": source}))

    async def verify_text(self, claim: str, text: str) -> Verification:
        return _VERIFICATION.validate_json(await self._bytes("POST", "v1/verify", {"claim": claim, "text": text}))

    async def read(self, target: str) -> Page:
        """What the server's reader makes of an address. Raises ReadError."""
        return PAGE.validate_json(await self._bytes("POST", "v1/read", {"url": target}))

    async def page(self, page_id: str) -> Page:
        """The text as it was read for an answer."""
        return PAGE.validate_json(await self._bytes("GET", f"v1/pages/{_part(page_id)}"))

    # Conversations

    async def conversation(self, id: str) -> Conversation:
        return CONVERSATION.validate_json(await self._bytes("GET", f"v1/conversations/{_part(id)}"))

    async def conversations(self, **choices: Any) -> ConversationList:
        """A page of the list; `choices` are the query of `GET /v1/conversations`, such as `search` and `cursor`."""
        given = {name: value for name, value in choices.items() if value is not None}
        return _LIST.validate_json(await self._bytes("GET", "v1/conversations", query=given))

    async def change_conversation(self, id: str, **changes: Any) -> ConversationSummary:
        """Such as `title="…"` or `pinned=True`."""
        return _SUMMARY.validate_json(await self._bytes("PATCH", f"v1/conversations/{_part(id)}", changes))

    async def delete_conversation(self, id: str) -> None:
        await self._bytes("DELETE", f"v1/conversations/{_part(id)}")

    async def export(self, id: str, format: Literal["markdown", "json", "html"] = "markdown") -> str:
        path = f"v1/conversations/{_part(id)}/export"
        return (await self._bytes("GET", path, query={"format": format})).decode("utf-8")

    async def recheck(self, id: str) -> list[Recheck]:
        """The cited pages of a conversation read again."""
        return _RECHECKS.validate_json(await self._bytes("POST", f"v1/conversations/{_part(id)}/recheck", {}))

    # The wire

    async def _turn_of(self, events: AsyncGenerator[Event], emit: Emit) -> Turn:
        run_id, turn = "", None
        try:
            async with aclosing(events):
                async for event in events:
                    emit(event)
                    if isinstance(event, Start):
                        run_id = event.id
                    elif isinstance(event, Final):
                        turn = event.turn
        except asyncio.CancelledError:
            if run_id:
                await asyncio.shield(self.stop(run_id))
            raise
        return turn if turn is not None else await self.answer(run_id)

    async def _asked(self, path: str, body: Mapping[str, Any]) -> AsyncGenerator[Event]:
        """The same key each time, so that a request whose reply was lost is one run and not two."""
        headers = {"idempotency-key": uuid.uuid4().hex} if path == "v1/answers" else {}
        given = {name: value for name, value in body.items() if value not in (None, "", [], ())}
        run_id, seen, failed = "", 0, 0
        while not run_id:
            frames = self._frames("POST", path, {**given, "stream": True}, headers)
            lost: Exception | None = None
            try:
                async for number, event in frames:
                    seen, run_id = number, event.id if isinstance(event, Start) else run_id
                    yield event
                    if isinstance(event, Done):
                        return
            except httpx2.TransportError as fault:
                lost = fault
            finally:
                await frames.aclose()
            failed += 1
            if not run_id and (failed >= TRIES or not headers or isinstance(lost, httpx2.ConnectError)):
                raise self._unreachable(lost)
            await asyncio.sleep(_pause(failed))
        resumed = self._resumed(run_id, seen)
        try:
            async for _, event in resumed:
                yield event
        finally:
            await resumed.aclose()

    async def _resumed(self, run_id: str, after: int) -> AsyncGenerator[tuple[int, Event]]:
        path, failed = f"v1/answers/{_part(run_id)}/events", 0
        while True:
            lost: Exception | None = None
            frames = self._frames("GET", path, None, {"last-event-id": str(after)} if after else {})
            try:
                async for number, event in frames:
                    after, failed = number, 0
                    yield number, event
                    if isinstance(event, Done):
                        return
            except (httpx2.TransportError, Unavailable) as fault:
                lost = fault
            finally:
                await frames.aclose()
            failed += 1
            if failed > TRIES:
                raise lost if isinstance(lost, Unavailable) else self._unreachable(lost)
            await asyncio.sleep(_pause(failed))

    async def _frames(
        self, method: str, path: str, body: Mapping[str, Any] | None, headers: Mapping[str, str]
    ) -> AsyncGenerator[tuple[int, Event]]:
        """Numbered events of one connection, until it ends or breaks. Raises httpx2.TransportError."""
        patience = httpx2.Timeout(SILENCE, connect=10.0)
        wanted = {"accept": "text/event-stream", **headers}
        request = self._http.build_request(method, path, json=body, headers=wanted, timeout=patience)
        reply = await self._http.send(request, stream=True)
        try:
            if reply.status_code >= 400:
                raise error_of(await reply.aread(), reply.status_code)
            number, name = 0, ""
            async for line in reply.aiter_lines():
                field, _, value = line.partition(": ")
                if field == "id":
                    number = int(value)
                elif field == "event":
                    name = value
                elif field == "data" and name in EVENTS:  # another is of a newer server
                    yield number, load_event(name, value)
        finally:
            await reply.aclose()

    async def _bytes(self, method: str, path: str, body: Any = None, query: Mapping[str, Any] | None = None) -> bytes:
        try:
            reply = await self._http.request(method, path, json=body, params=query)
        except httpx2.TransportError as fault:
            raise self._unreachable(fault) from fault
        if reply.status_code >= 400:
            raise error_of(reply.content, reply.status_code)
        return reply.content

    def _unreachable(self, fault: Exception | None) -> Unavailable:
        why = "the stream ended before its end" if fault is None else str(fault) or type(fault).__name__
        return Unavailable(f"the server at {self.address} cannot be reached: {why}", hint="Check that it runs there.")


def error_of(body: bytes, status: int) -> AnswerableError:
    """The error that the server's problem details tell of."""
    try:
        problem = Problem.model_validate_json(body)
    except ValidationError:
        return AnswerableError(f"the server replied with status {status} and no reason", hint="Is this its address?")
    if problem.code == ReadError.code and problem.cause in get_args(ReadCause):
        return ReadError("", problem.cause, problem.detail)  # type: ignore[arg-type]  # one of them, as just seen
    kind = _BY_CODE.get(problem.code)
    if kind is None:
        other = BadRequest if status < 500 else AnswerableError
        kind = Unusable if status == 422 and problem.code == BadRequest.code else other
    return kind(problem.detail, hint=problem.hint)


def _pause(failed: int) -> float:
    """None before the first new try: most connections that break can be made again at once."""
    return float(min(LONGEST_PAUSE, 0.1 * 2**failed)) if failed > 1 else 0.0


def _part(id: str) -> str:
    return quote(id, safe="")

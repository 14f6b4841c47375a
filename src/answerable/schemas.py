"""The API's JSON: requests, events and turns as they go over the wire. The web server and its clients share it."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from answerable.events import EVENTS, Event, Final, Progress, SourcesFound
from answerable.protocols import Conversation, FeedbackKind
from answerable.text.domains import MOST, domain_entries
from answerable.types import Added, Ask, Focus, Freshness, IndexedPage, Page, Source, Token, Turn, WriterName

QUESTION_CHARS = 4000
RecencyName = Literal["hour", "day", "week", "month", "year"]
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

TURN: TypeAdapter[Turn] = TypeAdapter(Turn)
PAGE: TypeAdapter[Page] = TypeAdapter(Page)
TOKEN: TypeAdapter[Token] = TypeAdapter(Token)
ASK: TypeAdapter[Ask] = TypeAdapter(Ask)
_EVENTS: dict[str, TypeAdapter[Any]] = {name: TypeAdapter(kind) for name, kind in EVENTS.items()}
CONVERSATION: TypeAdapter[Conversation] = TypeAdapter(Conversation)


def _question(text: str) -> str:
    """Control characters and outer white space are not part of what was asked."""
    text = _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if not text:
        raise ValueError("the question is empty")
    if len(text) > QUESTION_CHARS:
        raise ValueError(
            f"the question has {len(text):,} characters; {QUESTION_CHARS:,} are the most that can be asked"
        )
    return text


class Request(BaseModel):
    """Unknown fields are refused by name: a misspelt option must not be silently ignored."""

    model_config = ConfigDict(extra="forbid")


class AnswerRequest(Request):
    question: Annotated[str, AfterValidator(_question)] = Field(
        description="What to answer, 1 to 4,000 characters.", examples=["How tall is the Eiffel Tower?"]
    )
    conversation_id: str | None = Field(
        default=None, min_length=1, max_length=100, description="The conversation to go on with; left out, a new one."
    )
    focus: Focus = Field(default="web", description="Where to look: `web`, `news`, `academic`, or `own` pages.")
    freshness: Freshness | None = Field(
        default=None, description="How fresh the pages must be; left out, it is judged."
    )
    model: str | None = Field(
        default=None, min_length=1, max_length=200, description="The model that writes, such as `ollama:qwen3`."
    )
    writer: WriterName | None = Field(
        default=None, description="`extractive`: the sources' own sentences; `model`: written, then checked."
    )
    domains: Annotated[tuple[str, ...], AfterValidator(domain_entries)] = Field(
        default=(),
        max_length=MOST,
        description="Only these sites, such as `example.com`; with a hyphen before it, `-example.com`, never this one.",
    )
    stream: bool | None = Field(default=None, description="`false`: one JSON body instead of an event stream.")


class RetryRequest(Request):
    stream: bool | None = Field(default=None, description="`false`: one JSON body instead of an event stream.")


class VerifyRequest(Request):
    """A claim, and what it is held against: the page at `url`, or `text`."""

    claim: str = Field(min_length=1, max_length=2000, description="A sentence.", examples=["It is 330 m tall."])
    url: str | None = Field(
        default=None,
        min_length=1,
        max_length=2000,
        description="Address of the page; this or `text`.",
        examples=["https://en.wikipedia.org/wiki/Eiffel_Tower"],
    )
    text: str | None = Field(
        default=None, min_length=1, max_length=200_000, description="A text at hand; this or `url`."
    )

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.url is None) == (self.text is None):
            raise ValueError("give either `url` or `text`")
        return self


class SearchRequest(BaseModel):
    """Fields of Perplexity's search that are not named here are taken and ignored, so that its clients can be used."""

    query: (
        Annotated[str, Field(min_length=1, max_length=QUESTION_CHARS)]
        | Annotated[
            list[Annotated[str, Field(min_length=1, max_length=QUESTION_CHARS)]], Field(min_length=1, max_length=5)
        ]
    ) = Field(description="What to search for; up to five queries are searched for together.")
    max_results: int = Field(default=10, ge=1, le=20, description="The most pages that come back.")
    search_recency_filter: RecencyName | None = Field(
        default=None, description="Leaves out pages known to be older: `hour`, `day`, `week`, `month` or `year`."
    )
    search_domain_filter: Annotated[tuple[str, ...], AfterValidator(domain_entries)] | None = Field(
        default=None, max_length=MOST, description="Only these sites; with a hyphen before it, never this one."
    )
    search_mode: Literal["web", "academic", "sec"] | None = Field(
        default=None, description="`academic` looks in scholarly search; the others are the web."
    )
    focus: Focus | None = Field(default=None, description="Where to look, as for answers; beats `search_mode`.")


class ConversationChange(Request):
    """What is left out stays as it is."""

    title: str | None = Field(default=None, max_length=200, description="Its name; empty: the automatic one.")
    pinned: bool | None = Field(default=None, description="Whether it stands on top.")
    archived: bool | None = Field(default=None, description="Whether it is out of the list.")


class BulkDelete(Request):
    ids: Annotated[list[Annotated[str, Field(min_length=1, max_length=200)]], Field(min_length=1, max_length=1000)] = (
        Field(description="Of the conversations to delete.")
    )


class BulkDeleted(BaseModel):
    """Those that were there."""

    deleted: tuple[str, ...]


class IndexRequest(Request):
    """Addresses to read into the own index."""

    urls: list[Annotated[str, Field(min_length=1, max_length=4000)]] = Field(
        min_length=1, max_length=20, description="Web addresses."
    )
    site: bool = Field(default=False, description="Read the pages of the same host that each leads to, too.")
    pages: int = Field(default=20, ge=1, le=200, description="Of a site: the most that are read.")


class IndexReply(BaseModel):
    """What the own index holds."""

    pages: tuple[IndexedPage, ...]


class AddedReply(BaseModel):
    """What was read, and what could not be, in the order given."""

    added: tuple[Added, ...]


class RemovedReply(BaseModel):
    removed: int = Field(description="How many were there.")


class PartReply(BaseModel):
    """A part of the engine; names of settings, never their values."""

    part: str = Field(description="Its name for `POST /v1/parts/test`.")
    used: bool = Field(default=True, description="Whether questions are answered with it.")
    ready: bool = Field(default=True, description="Whether all it cannot be without is set, so that it can be tested.")
    needs: tuple[str, ...] = Field(default=(), description="Settings it cannot be without.")
    helps: tuple[str, ...] = Field(default=(), description="Settings it works better with.")
    uses: tuple[str, ...] = Field(default=(), description="Of a model: what it does.")


class PartsReply(BaseModel):
    parts: tuple[PartReply, ...]


class PartRequest(Request):
    part: str = Field(min_length=1, max_length=300, description="As `GET /v1/parts` names it.")


class FeedbackRequest(Request):
    kind: FeedbackKind | Literal["withdrawn"] = Field(
        description="`up`, `down`, `copied`, `source_opened`, `reformulated`; `withdrawn` takes `up` or `down` back."
    )
    reason: str = Field(default="", max_length=2000, description="Of `down`: what is wrong.")
    detail: str = Field(default="", max_length=4000, description="The id of the page opened, the question put anew.")


class ReadRequest(Request):
    url: str = Field(
        min_length=1,
        max_length=2000,
        description="Address of the page.",
        examples=["https://en.wikipedia.org/wiki/Eiffel_Tower"],
    )


class SourcesReply(BaseModel):
    """The cited pages with their numbers, and the others that were read."""

    sources: tuple[Source, ...]
    also_read: tuple[Source, ...]


class Problem(BaseModel):
    """RFC 9457 problem details. `errors` names the faulty fields of a request."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    hint: str = ""
    cause: str = ""  # of a page that could not be read
    errors: list[dict[str, str]] = []


def dump_event(event: Event) -> str:
    """One line of JSON, for every reader: also those that take U+2028, U+2029 and U+0085 for line ends."""
    line = TURN.dump_json(event.turn) if isinstance(event, Final) else _dump(event)
    text = line.decode("utf-8")
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("\x85", "\\u0085")


def _dump(event: Event) -> bytes:
    exclude: Any = {"sources": {"__all__": {"n"}}} if isinstance(event, SourcesFound) else None
    line: bytes = _EVENTS[event.name].dump_json(event, exclude=exclude, exclude_none=isinstance(event, Progress))
    return line


def load_event(name: str, data: str | bytes) -> Event:
    """Raises KeyError for an unknown name and pydantic's ValidationError for data that does not fit it."""
    if EVENTS[name] is Final:
        return Final(TURN.validate_json(data))
    event: Event = _EVENTS[name].validate_json(data)
    return event

"""The nouns of the engine: few, frozen, typed. Field names are those of the public API."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Focus = Literal["web", "news", "academic", "own"]
Freshness = Literal["live", "recent", "evergreen"]
Kind = Literal["lookup", "comparison", "multi_step", "opinion", "navigational", "chat"]
State = Literal["running", "done", "stopped", "interrupted", "failed"]
Outcome = Literal["answered", "partly_answered", "sources_disagree", "not_enough_evidence"]
Verdict = Literal["supported", "partly", "unsupported", "uncited"]
ReadAs = Literal["page", "snippet"]
Cut = Literal["size", "time", "connection"]  # why only the beginning of a page was read
WriterName = Literal["extractive", "model"]
BlockKind = Literal["heading", "paragraph", "list_item", "table", "code", "quote", "caption"]
PageKind = Literal["html", "pdf", "text", "markdown", "json", "feed", "table", "docx", "xlsx", "pptx"]


@dataclass(frozen=True, slots=True)
class PastTurn:
    """What a plan may know of an earlier turn: at most 300 characters of summary and the names of its sources."""

    question: str
    standalone_question: str
    summary: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What a person asked, with what they chose. `now` carries the reader's time zone."""

    text: str
    now: datetime
    history: tuple[PastTurn, ...] = ()  # oldest first, at most three
    focus: Focus = "web"
    freshness: Freshness | None = None  # None: the plan decides
    model: str | None = None  # None: the one set
    writer: WriterName | None = None  # None: `model` when a model is set, else `extractive`
    domains: tuple[str, ...] = ()  # `example.com`: only such sites; `-example.com`: never these
    owner: str = ""  # whose it is; what is answered for one is not shown to another


@dataclass(frozen=True, slots=True)
class Ask:
    """What comes in by any door: a question and its choices."""

    question: str
    conversation_id: str | None = None  # None: a new one
    focus: Focus = "web"
    freshness: Freshness | None = None
    model: str | None = None
    writer: WriterName | None = None
    idempotency_key: str | None = None  # the same key within 24 h is the same run
    history: tuple[PastTurn, ...] = ()  # of a new conversation that its client keeps itself; oldest first
    owner: str = ""  # whose conversation it is; where no tokens are given out, everybody's
    domains: tuple[str, ...] = ()  # `example.com`: only such sites; `-example.com`: never these


@dataclass(frozen=True, slots=True)
class Plan:
    standalone_question: str
    queries: tuple[str, ...]
    freshness: Freshness = "evergreen"
    kind: Kind = "lookup"
    language: str = "en"  # BCP 47, of the answer
    sensitive: bool = False
    size: Literal["small", "large"] = "small"
    made_by: Literal["rules", "model"] = "rules"


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A hit of one provider; after fusion `providers` names all that found the page."""

    url: str
    title: str
    snippet: str = ""  # plain text, white space folded
    providers: tuple[str, ...] = ()
    published: datetime | None = None
    score: float = 0.0  # fused, higher is better
    text: str | None = None  # the whole text, when the provider hands it over
    page: Page | None = None  # the page itself, from the own index
    authors: tuple[str, ...] = ()  # of a scholarly work, as are the next three
    year: int | None = None
    venue: str = ""  # the journal, conference or archive
    doi: str = ""  # bare and in lower case: 10.1000/xyz


@dataclass(frozen=True, slots=True)
class Validators:
    """What to ask with whether a page has changed (RFC 9110, 13.1); sent to `url`, which gave them, and no other."""

    url: str
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class Caching:
    """What a response says about keeping it (RFC 9111)."""

    max_age: float | None = None  # seconds it stays fresh from its arrival; 0: ask again each time; None: not said
    no_store: bool = False
    validators: Validators | None = None  # for the next fetch


@dataclass(frozen=True, slots=True)
class Fetched:
    """A response as it arrived: `body` is decompressed; `cut` says why it is the beginning only."""

    url: str  # the last address of the redirects
    status: int
    headers: dict[str, str]  # lower-case names
    body: bytes
    cut: Cut | None = None
    not_modified: bool = False  # the page is as it was when it gave the validators; there is no body
    caching: Caching = Caching()


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a page: `page.text[start:end]`. `headings` is the path above it, outermost first."""

    kind: BlockKind
    start: int
    end: int
    headings: tuple[str, ...] = ()
    level: int = 0  # of a heading, 1 to 6
    leaf: int | None = None  # page of a PDF, slide or sheet it stands on, from 1


@dataclass(frozen=True, slots=True)
class Image:
    """A picture or chart of a page, by address and never loaded. `block`: the place of the block it stands by."""

    url: str
    alt: str = ""
    caption: str = ""
    width: int | None = None  # pixels, as the page says
    height: int | None = None
    block: int | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """What was read. `text` is stored as it is and never edited; offsets are code points of it."""

    page_id: str  # `page_id_of(url, text)` in text/passages.py
    url: str
    title: str
    site: str
    text: str
    blocks: tuple[Block, ...] = ()
    published: datetime | None = None
    modified: datetime | None = None
    author: str | None = None
    language: str | None = None
    read_as: ReadAs = "page"
    fetched: datetime | None = None
    kind: PageKind = "html"
    images: tuple[Image, ...] = ()
    checked: datetime | None = None  # when its host last said that this is still its text; None: when fetched
    authors: tuple[str, ...] = ()  # with year and venue: of a scholarly work, as the search provider told them
    year: int | None = None
    venue: str = ""
    instructs: bool = False  # words hidden in it speak to a model; `text` has none of them
    cut: Cut | None = None  # why `text` is its beginning only; None: all of it was read
    site_name: str = ""  # what it calls its site: its own word, which may be a lie
    canonical: str | None = None  # the address it calls its own, on whatever host: a hint, never where it was read


@dataclass(frozen=True, slots=True)
class Passage:
    """A quotable span of a page: `page.text[start:end] == text`."""

    passage_id: str
    page_id: str
    start: int
    end: int
    text: str
    headings: tuple[str, ...] = ()
    kind: Literal["prose", "table", "code"] = "prose"
    context: str = ""  # what a table's later rows need to be understood: its caption and header row


@dataclass(frozen=True, slots=True)
class Quote:
    """The words of a page that support a claim: `page.text[start:end] == text`."""

    passage_id: str
    page_id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Support:
    """What a support checker found: score from 0 to 1, one quote a page at most, best first."""

    score: float
    verdict: Verdict
    reason: str = ""
    quotes: tuple[Quote, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """The passages the writer sees; source number k (from 1) of the prompt is `pages[k - 1]`."""

    pages: tuple[Page, ...] = ()
    passages: tuple[Passage, ...] = ()  # best first
    scores: tuple[float, ...] = ()  # of the reranker, 0 to 1, one a passage

    def page(self, page_id: str) -> Page:
        return next(page for page in self.pages if page.page_id == page_id)


@dataclass(frozen=True, slots=True)
class Citation:
    """A shown `[n]` in sentence `sentence`: the words that support it and where they stand."""

    n: int
    page_id: str
    url: str
    title: str
    site: str
    published: datetime | None
    sentence: int
    quote: str
    start: int
    end: int
    verdict: Verdict
    reason: str
    read_as: ReadAs
    link: str
    page_label: str = ""  # where in a paged document: `p. 7`, `slide 3`, `sheet 2`
    reason_code: str = ""  # what the reason says, for other languages, and the words that fill it
    reason_values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceImage:
    """A picture of the cited page `n` that bears on the answer. Its address is the page's: nothing was loaded."""

    n: int
    page_id: str
    page_url: str
    url: str
    alt: str = ""
    caption: str = ""
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table of the cited page `n` that quoted words stand in: `page.text[start:end] == text`, `cell | cell` a row."""

    n: int
    page_id: str
    page_url: str
    title: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, list item or table row of the answer as shown: `answer[start:end]`. No claim: verdict None."""

    index: int
    text: str
    start: int
    end: int
    numbers: tuple[int, ...] = ()
    verdict: Verdict | None = None
    reason: str = ""
    unknown: int = 0  # numbers the writer gave that no source has; they are not shown
    reason_code: str = ""  # what the reason says, for other languages, and the words that fill it
    reason_values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """A page as the reader sees it. `n` is None until it is cited."""

    page_id: str
    url: str
    title: str
    site: str
    published: datetime | None
    read_as: ReadAs
    n: int | None = None
    authors: tuple[str, ...] = ()  # of a scholarly work, as are year and venue
    year: int | None = None
    venue: str = ""
    fetched: datetime | None = None  # when its host sent it, or last said that it is unchanged
    cut: Cut | None = None  # why only the beginning of the page was read
    site_name: str = ""  # what the page calls its site, where its address bears that out


@dataclass(frozen=True, slots=True)
class Note:
    """Something the reader should know: a failed provider, a skipped page, a source that tried to instruct."""

    code: str
    message: str
    about: str = ""  # the provider or the address that failed
    cause: str = ""  # why, in a word of the lists of causes


@dataclass(frozen=True, slots=True)
class ConflictSide:
    value: str
    page_ids: tuple[str, ...]
    published: datetime | None = None  # of its newest page
    sources: int = 1  # independent ones: a site and copies of a text count once


@dataclass(frozen=True, slots=True)
class Conflict:
    """Sources that give different values for one thing."""

    about: str
    sides: tuple[ConflictSide, ...]


@dataclass(frozen=True, slots=True)
class SupportCounts:
    """Claims by verdict, and the three figures that tell a writer that is going wrong."""

    claims: int = 0
    supported: int = 0
    partly: int = 0
    unsupported: int = 0
    uncited: int = 0
    unknown_markers: int = 0  # numbers the writer gave that no source has
    uncited_share: float = 0.0  # of the claims, from 0 to 1
    sources_used: int = 0  # pages cited at least once


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of all model calls of a turn. `cost`: US dollars, None when the price of one of the calls is not known."""

    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 0
    cost: float | None = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.requests + other.requests,
            None if self.cost is None or other.cost is None else self.cost + other.cost,
        )


@dataclass(frozen=True, slots=True)
class TurnError:
    code: str
    message: str
    stage: str
    retryable: bool
    hint: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One question with its checked answer, in one attempt: the object of `final`, of JSON answers and of the store."""

    id: str
    conversation_id: str
    turn_id: str
    attempt: int
    question: str
    created: datetime
    standalone_question: str = ""
    state: State = "running"
    outcome: Outcome | None = None
    answer: str = ""
    sentences: tuple[Sentence, ...] = ()
    citations: tuple[Citation, ...] = ()
    sources: tuple[Source, ...] = ()
    also_read: tuple[Source, ...] = ()
    support: SupportCounts = field(default_factory=SupportCounts)
    conflicts: tuple[Conflict, ...] = ()
    notes: tuple[Note, ...] = ()
    as_of: datetime | None = None
    related_questions: tuple[str, ...] = ()
    plan: Plan | None = None
    model: str | None = None
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None  # US dollars; None: not known
    timings: dict[str, float] = field(default_factory=dict)  # milliseconds a stage, and `total`
    summary: str = ""  # two sentences, 300 characters at most, for the next plan
    error: TurnError | None = None
    images: tuple[SourceImage, ...] = ()  # at most four, of cited pages
    tables: tuple[SourceTable, ...] = ()  # at most two, of cited pages


@dataclass(frozen=True, slots=True)
class Token:
    """Leave to ask, given out by the admin. What is shown to prove it is kept nowhere."""

    id: str
    owner: str  # whose conversations it opens
    name: str
    created: datetime
    admin: bool = False  # sees what everybody owns
    revoked_at: datetime | None = None
    expires_at: datetime | None = None
    last_used: datetime | None = None  # to the minute
    daily_budget: float | None = None  # US dollars; None: as set for all
    requests_per_minute: int | None = None  # None: as set for all


@dataclass(frozen=True, slots=True)
class Spending:
    """What a token has used on a day. `cost`: US dollars of the calls whose price is known."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class IndexedPage:
    """A page of the own index. `read`: when it was; `passages`: those that can be found."""

    url: str
    title: str
    read: datetime | None = None
    passages: int = 0


@dataclass(frozen=True, slots=True)
class Added:
    """What became of an address or a file that was to be added: its page, or what kept it from being read."""

    target: str
    page: IndexedPage | None = None
    cause: str = ""
    message: str = ""

"""What happens while a question is answered. `Emit` never blocks and never raises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Literal

from answerable.types import Citation, Cut, Source, Turn, Verdict

Stage = Literal["planning", "searching", "reading", "ranking", "checking_evidence", "writing", "saving", "completed"]


@dataclass(frozen=True, slots=True)
class Start:
    name: ClassVar[str] = "start"
    id: str
    conversation_id: str
    turn_id: str
    attempt: int
    created: datetime
    question: str


@dataclass(frozen=True, slots=True)
class Progress:
    name: ClassVar[str] = "progress"
    stage: Stage
    detail: str
    queries: tuple[str, ...] | None = None
    pages: tuple[str, ...] | None = None
    done: int | None = None
    total: int | None = None
    page: str | None = None  # the address of the page whose reading just ended
    cause: str | None = None  # why it could not be read; None when it was
    cut: Cut | None = None  # why only its beginning was read


@dataclass(frozen=True, slots=True)
class SourcesFound:
    """All pages read so far, resent when the list grows; no numbers yet."""

    name: ClassVar[str] = "sources"
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Delta:
    name: ClassVar[str] = "delta"
    text: str


@dataclass(frozen=True, slots=True)
class SentenceChecked:
    """After the last delta of the sentence. `start` and `end` are its place in the answer so far."""

    name: ClassVar[str] = "sentence"
    index: int
    text: str
    start: int
    end: int
    numbers: tuple[int, ...]
    verdict: Verdict | None
    reason: str
    citations: tuple[Citation, ...]
    unknown: int = 0  # numbers the writer gave that no source has; they are not shown
    reason_code: str = ""  # what the reason says, for other languages, and the words that fill it
    reason_values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    name: ClassVar[str] = "notice"
    code: str
    message: str
    about: str = ""  # the provider, model or address that it is about
    cause: str = ""  # why, in a word of the lists of causes


@dataclass(frozen=True, slots=True)
class Final:
    name: ClassVar[str] = "final"
    turn: Turn


@dataclass(frozen=True, slots=True)
class VerdictChanged:
    """A later judge's word on a sentence; numbers shown never change."""

    name: ClassVar[str] = "verdict"
    sentence: int
    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    name: ClassVar[str] = "error"
    code: str
    message: str
    stage: str
    retryable: bool
    hint: str


@dataclass(frozen=True, slots=True)
class Done:
    name: ClassVar[str] = "done"


Event = Start | Progress | SourcesFound | Delta | SentenceChecked | Notice | Final | VerdictChanged | Failed | Done
Emit = Callable[[Event], None]
EVENTS: dict[str, type[Event]] = {
    kind.name: kind
    for kind in (Start, Progress, SourcesFound, Delta, SentenceChecked, Notice, Final, VerdictChanged, Failed, Done)
}


def ignore(event: Event) -> None:
    """An `Emit` for whoever wants only the finished turn."""

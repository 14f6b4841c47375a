"""What goes into extraction and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from answerable.errors import ReadCause
from answerable.types import Block, Cut, Image, PageKind

MAX_CHARS = 1_500_000  # of text kept of one page: a manual on one page; what ranking sees of it is bounded elsewhere
PDF_SECONDS = 3.0  # some 300 full pages
Kind = PageKind | Literal["other"]


@dataclass(frozen=True, slots=True)
class Job:
    """What there is to extract: a body, the address it came from and the one that was asked for."""

    body: bytes
    url: str
    content_type: str
    now: datetime
    asked: str = ""
    patience: float = 1.0  # times the usual limit that it may take
    seconds: float = PDF_SECONDS  # for a PDF, of which what was read by then is used


@dataclass(frozen=True, slots=True)
class Extracted:
    """`cause` is set when the body is no page to read; `text` then is what there was all the same."""

    kind: Kind
    title: str = ""
    text: str = ""
    blocks: tuple[Block, ...] = ()
    published: datetime | None = None
    modified: datetime | None = None
    author: str | None = None
    language: str | None = None
    cause: ReadCause | None = None
    message: str = ""
    images: tuple[Image, ...] = ()
    instructs: bool = False  # words hidden in it speak to a model
    cut: Cut | None = None  # why `text` is its beginning only
    site_name: str = ""
    canonical: str | None = None

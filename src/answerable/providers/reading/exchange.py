"""One request and its response: what is sent, what is kept of the body, faults in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpcore2
import httpx2

from answerable.providers.headers import caching_of
from answerable.providers.reading.connect import Pools
from answerable.providers.reading.decode import is_document, kind_of
from answerable.providers.reading.faults import named
from answerable.providers.reading.guard import Refused, Target
from answerable.providers.reading.unpack import PACKINGS, Unpacker
from answerable.types import Cut, Fetched, Validators

REDIRECTS = {301, 302, 303, 307, 308}
_ACCEPT = "text/html,application/xhtml+xml;q=0.9,text/*;q=0.8,application/json;q=0.7,*/*;q=0.5"
_NO_TIMEOUTS = {"connect": None, "read": None, "write": None, "pool": None}  # one deadline holds for all
# What a page whose host went silent must have sent to be worth judging: a head alone is about this long.
USABLE_BYTES = 4096
# Text packs 3 to 10 times, padded tables up to 100; a bomb some 1,000 times. Small bodies are never judged.
_MAX_RATIO, _RATIO_FROM, _SLICE = 200, 1 << 19, 1 << 11
_MAX_SAID = 8  # a page that says it is so many times larger than what is read of it is not begun
_MAX_COOKIES = 8192  # what servers take; more is a host that plays
_SMALL = 4096  # a redirect's body of this size is read, to keep its connection
_TEXTUAL = re.compile(r"text/|html|xml|json", re.IGNORECASE)
_TELLING = 1024  # bytes that tell a PDF, whose mark stands within them, an Office file and text from each other


@dataclass(slots=True)
class Arrived:
    """What has come of a response so far; outlives the deadline that cuts it."""

    url: str
    status: int
    headers: dict[str, str]
    conditional: bool = False  # it was asked for only if it had changed
    body: bytearray = field(default_factory=bytearray)
    cut: Cut | None = None

    @property
    def usable(self) -> bool:
        return self.status == 200 and len(self.body) >= USABLE_BYTES

    def fetched(self) -> Fetched:
        caching = caching_of(self.url, self.headers, datetime.now(UTC))
        unchanged = self.conditional and self.status == 304
        return Fetched(self.url, self.status, self.headers, bytes(self.body), self.cut, unchanged, caching)


@dataclass(slots=True)
class Call:
    """One `fetch`: its limits, its cookies (kept for its redirects, then forgotten), what has arrived."""

    url: str
    max_bytes: int
    document_bytes: int  # for a PDF or Office file, where those are more
    deadline: float  # by the loop's clock
    robots: bool = True
    validators: Validators | None = None
    truncate: bool = False  # the first `max_bytes` are all that is wanted, of any kind of body
    cookies: httpx2.Cookies = field(default_factory=httpx2.Cookies)
    arrived: Arrived | None = None
    retried: bool = False


class Exchange:
    """Asks a target that has been checked. Raises Refused."""

    def __init__(self, pools: Pools, user_agent: str) -> None:
        self._pools, self._user_agent = pools, user_agent

    async def ask(self, target: Target, call: Call) -> Arrived:
        opened = _Opened()
        try:
            return await self._receive(target, call, opened)
        except (httpcore2.ReadError, httpcore2.WriteError, httpcore2.RemoteProtocolError) as fault:
            # A kept connection may have been closed while nobody looked, which is nobody's fault (RFC 9110, 9.2.2).
            if opened.anew or call.retried or call.arrived is not None:
                raise named(fault, target) from fault
        except _FAULTS as fault:
            raise named(fault, target) from fault
        call.retried = True
        return await self.ask(target, call)

    async def _receive(self, target: Target, call: Call, opened: _Opened) -> Arrived:
        pool, extensions = self._pools.for_target(target), {"timeout": _NO_TIMEOUTS, "trace": opened}
        async with pool.stream("GET", target.url, headers=self._headers(target, call), extensions=extensions) as raw:
            head = httpx2.Response(raw.status, headers=raw.headers, request=httpx2.Request("GET", target.url))
            call.cookies.extract_cookies(head)
            arrived = Arrived(target.url, raw.status, _plain_headers(head.headers), bool(_conditions(target, call)))
            if raw.status in REDIRECTS and "location" in arrived.headers:
                await _drop(raw, arrived)
                return arrived
            call.arrived = arrived
            await _read_body(raw, arrived, call)
            return arrived

    def _headers(self, target: Target, call: Call) -> list[tuple[str, str]]:
        request = httpx2.Request("GET", target.url)
        call.cookies.set_cookie_header(request)
        headers = [("User-Agent", self._user_agent), ("Accept", _ACCEPT), ("Accept-Encoding", ", ".join(PACKINGS))]
        cookies = request.headers.get("cookie", "")
        if cookies and len(cookies) <= _MAX_COOKIES:
            headers.append(("Cookie", cookies))
        return headers + _conditions(target, call)


_FAULTS = (
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.ProxyError,
    httpcore2.TimeoutException,  # only the system's own, before our deadline
    OSError,
)


class _Opened:
    """Whether a request opened its connection or was given one that was kept."""

    def __init__(self) -> None:
        self.anew = False

    async def __call__(self, name: str, info: Mapping[str, Any]) -> None:
        if name == "connection.connect_tcp.started":
            self.anew = True


async def _drop(raw: httpcore2.Response, arrived: Arrived) -> None:
    length = arrived.headers.get("content-length", "")
    if length.isdecimal() and int(length) <= _SMALL:
        async for _ in raw.aiter_stream():
            pass


async def _read_body(raw: httpcore2.Response, arrived: Arrived, call: Call) -> None:
    """Unpacks and keeps the body as it comes, within the call's limits."""
    kind, length = arrived.headers.get("content-type", ""), arrived.headers.get("content-length", "")
    keep = _Keep(arrived, call, int(length) if length.isdecimal() else 0)
    keep.begin(kind)
    unpacker = Unpacker(arrived.headers.get("content-encoding", ""), kind)
    try:
        async with aclosing(raw.aiter_stream()) as chunks:
            async for chunk in chunks:
                for packed in _slices(chunk):
                    keep.packed += len(packed)
                    for piece in unpacker.unpack(packed):
                        if keep.full(piece):
                            return
        for piece in unpacker.finish():
            if keep.full(piece):
                return
    except (httpcore2.ReadError, httpcore2.RemoteProtocolError):
        if not arrived.usable:
            raise
        arrived.cut = "connection"  # in the middle: what came first may still be worth reading
    if not unpacker.whole:
        if not arrived.usable:
            raise Refused("decode", "the packed body breaks off")
        arrived.cut = "connection"


def _slices(chunk: bytes) -> Iterator[bytes]:
    """So small that what a bomb was packed in is told from what has merely arrived behind it."""
    for start in range(0, len(chunk), _SLICE):
        yield chunk[start : start + _SLICE]


class _Keep:
    """What has been unpacked, up to the limits: a label's until the first bytes tell what the body is."""

    def __init__(self, arrived: Arrived, call: Call, said: int) -> None:
        self._arrived, self._call, self._said = arrived, call, said
        self._limit: int | None = None
        self._cut_allowed = True
        self.packed = 0

    def begin(self, label: str) -> None:
        """Raises Refused for a body that says it is larger than anything of its label may be."""
        textual = not label or bool(_TEXTUAL.search(label))
        most = max(self._call.max_bytes * (_MAX_SAID if textual else 1), self._call.document_bytes)
        if self._said > most and not self._call.truncate:
            raise _too_large(self._said, most if most == self._call.document_bytes else self._call.max_bytes)

    def full(self, piece: bytes) -> bool:
        """Keeps a piece; True when that is all that is wanted."""
        body = self._arrived.body
        body += piece
        if len(body) > max(_RATIO_FROM, self.packed * _MAX_RATIO):
            raise Refused("too_large", f"the body unpacks to more than {_MAX_RATIO} times its size")
        if self._limit is None and len(body) >= min(_TELLING, self._call.max_bytes + 1):
            self._limit = self._judged(bytes(body[:_TELLING]))
        if self._limit is None or len(body) <= self._limit:
            return False
        if not self._cut_allowed:
            raise Refused("too_large", f"more than {self._limit:,} bytes")
        del body[self._limit :]
        self._arrived.cut = None if self._call.truncate else "size"
        return True

    def _judged(self, head: bytes) -> int:
        call = self._call
        if call.truncate:
            return call.max_bytes
        document = is_document(head)
        limit = max(call.max_bytes, call.document_bytes) if document else call.max_bytes
        self._cut_allowed = not document and kind_of(head, self._arrived.headers.get("content-type", "")) != "other"
        if self._said > limit and not self._cut_allowed:
            raise _too_large(self._said, limit)
        return limit


def _too_large(said: int, limit: int) -> Refused:
    return Refused("too_large", f"{said:,} bytes; {limit:,} are read at most")


def _conditions(target: Target, call: Call) -> list[tuple[str, str]]:
    held = call.validators
    if held is None or held.url.partition("#")[0] != target.url:
        return []
    said = [("If-None-Match", held.etag), ("If-Modified-Since", held.last_modified)]
    return [(name, value) for name, value in said if value and value.isascii() and value.isprintable()]


def _plain_headers(headers: httpx2.Headers) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}

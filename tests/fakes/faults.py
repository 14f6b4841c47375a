"""Every fault a host can have, as scripts for the hostile server, each with what the fetcher may make of it."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import brotli
from tests.fakes.hostile import HostileServer, Play, Write, answer, page, redirect

TEXT = page("<p>" + "The ferry leaves the north quay at noon. " * 300 + "</p>")
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n"
HINTS = b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n"
PICTURE = b"HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n\r\n"
_BOMB = gzip.compress(bytes(20_000_000))


@dataclass(frozen=True, slots=True)
class Fault:
    """`outcomes`: causes, or `whole` and `part` for what counts as arrived."""

    name: str
    play: Play
    outcomes: frozenset[str]


def _said(*parts: bytes | float, then_stall: bool = False) -> Play:
    """Bytes as they are, with pauses in seconds between them."""

    async def play(write: Write) -> None:
        for part in parts:
            if isinstance(part, float):
                await asyncio.sleep(part)
            else:
                await write(part)
        if then_stall:
            await asyncio.sleep(60)

    return play


def _endlessly(head: bytes, piece: bytes, pause: float) -> Play:
    async def play(write: Write) -> None:
        await write(head)
        while True:
            await write(piece)
            await asyncio.sleep(pause)

    return play


def _chunked(*chunks: bytes) -> bytes:
    lines = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    return HEAD + b"transfer-encoding: chunked\r\n\r\n" + lines


_PACKED: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "raw deflate": ("deflate", lambda body: zlib.compress(body)[2:-4]),
    "br": ("br", lambda body: bytes(brotli.compress(body, quality=4))),
    "gzip called br": ("br", gzip.compress),
    "plain called gzip": ("gzip", bytes),
}

_PLAYS: dict[str, tuple[Play, str]] = {
    "a page": (answer(200, TEXT), "whole"),
    "a page kept alive": (_said(HEAD + b"content-length: %d\r\n\r\n" % len(TEXT) + TEXT), "whole"),
    "silence": (_said(then_stall=True), "timeout"),
    "a slow head": (_endlessly(b"HTTP/1.1 200 OK\r\n", b"x: y\r\n", 0.02), "timeout"),
    "a drip": (_endlessly(HEAD + b"\r\n<p>", b"x", 0.02), "timeout"),
    "a stall after the text": (_said(HEAD + b"\r\n" + TEXT, then_stall=True), "part"),
    "a stall after the head": (_said(HEAD + b"\r\n<html>", then_stall=True), "timeout"),
    "an endless page": (_endlessly(HEAD + b"\r\n", b"<p>more</p>" * 4000, 0), "part"),
    "an endless picture": (
        _endlessly(b"HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n\r\n", bytes(60_000), 0),
        "too_large",
    ),
    "a length of 50 MB": (answer(200, b"", content_length="52428800"), "too_large"),
    "a bomb": (answer(200, _BOMB, content_encoding="gzip"), "too_large"),
    "a bomb in a bomb": (answer(200, gzip.compress(_BOMB), content_encoding="gzip, gzip"), "too_large"),
    "a damaged gzip": (answer(200, gzip.compress(TEXT)[:-8] + bytes(8), content_encoding="gzip"), "decode"),
    "half a gzip": (answer(200, gzip.compress(TEXT)[:60], content_encoding="gzip"), "decode"),
    "an unknown packing": (answer(200, b"\x1f\x9d\x90\x00" * 99, content_encoding="compress"), "decode"),
    "too little of its length": (_said(HEAD + b"content-length: 900000\r\n\r\n<p>half"), "connection"),
    "most of its length": (_said(HEAD + b"content-length: 900000\r\n\r\n" + TEXT), "part"),
    "more than its length": (_said(HEAD + b"content-length: 10\r\n\r\n" + TEXT), "whole"),
    "two lengths": (_said(HEAD + b"content-length: 5\r\ncontent-length: 6\r\n\r\nabcdef"), "connection"),
    "a nonsense length": (_said(HEAD + b"content-length: many\r\n\r\nabcdef"), "connection"),
    "chunks": (_said(_chunked(TEXT[:5000], TEXT[5000:], b"")), "whole"),
    "a broken chunk": (_said(HEAD + b"transfer-encoding: chunked\r\n\r\nzz\r\nabc"), "connection"),
    "a huge chunk size": (_said(HEAD + b"transfer-encoding: chunked\r\n\r\n" + b"f" * 40 + b"\r\nabc"), "connection"),
    "chunks without end": (_said(_chunked(TEXT)), "part"),
    "a reset in the middle": (_said(HEAD + b"content-length: 900000\r\n\r\n" + TEXT[:6000], 0.01), "part"),
    "a hang-up": (_said(), "connection"),
    "no HTTP": (_said(b"220 ftp.example ready\r\n\r\n"), "connection"),
    "binary noise": (_said(bytes(range(256)) * 20), "connection"),
    "a header bomb": (_endlessly(b"HTTP/1.1 200 OK\r\n", b"x-fill: " + b"a" * 4000 + b"\r\n", 0), "connection"),
    "one endless header": (_endlessly(b"HTTP/1.1 200 OK\r\nx: ", b"a" * 9000, 0), "connection"),
    "early hints, then a page": (
        _said(b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n" * 3, HEAD + b"\r\n" + TEXT),
        "whole",
    ),
    "hints without end": (_endlessly(b"", HINTS, 0.01), "timeout"),
    "switched protocols": (_said(b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n"), "connection whole"),
    "a redirect to itself": (redirect("/a-redirect-to-itself"), "too_many_redirects"),
    "a redirect to a private address": (redirect("http://169.254.169.254/latest/"), "private_address"),
    "a redirect to a file": (redirect("file:///etc/passwd"), "bad_url"),
    "a redirect nowhere": (redirect(None), "bad_redirect"),
    "a redirect to a page": (redirect("/a-page"), "whole"),
    "a refresh to a private address": (
        answer(200, b'<meta http-equiv="refresh" content="0;url=http://127.0.0.1:1/">'),
        "private_address",
    ),
    "an error": (answer(500, b"broken"), "whole"),
    "a bomb of cookies": (redirect("/a-page", set_cookie="a=" + "b" * 60_000), "whole"),
    **{name: (answer(200, pack(TEXT), content_encoding=label), "whole") for name, (label, pack) in _PACKED.items()},
}
FAULTS = [Fault(name, play, frozenset(outcome.split())) for name, (play, outcome) in _PLAYS.items()]


def path_of(fault: Fault) -> str:
    return "/" + fault.name.replace(" ", "-")


def install(server: HostileServer) -> None:
    for fault in FAULTS:
        server.routes[path_of(fault)] = fault.play

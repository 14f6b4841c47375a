"""Packed bodies, unpacked piece by piece: what they are is judged by their content, and never more than asked is made.

A label is only a guess to start with. Servers keep `gzip` on what they have unpacked, call gzip `deflate`, and send
raw deflate for zlib's (RFC 9110, 8.4.1, names the last two).
"""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Protocol

import brotli  # type: ignore[import-untyped]

from answerable.providers.reading.guard import Refused

if sys.version_info >= (3, 14):
    from compression.zstd import DecompressionParameter, ZstdDecompressor, ZstdError
else:
    from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdError

PACKINGS = ("gzip", "deflate", "br", "zstd")
_PIECE = 1 << 16  # made at a time; a bomb is noticed after this much more than is wanted
_MAX_LAYERS = 3  # nobody packs more than twice, but bombs
_SNIFFED = 256  # bytes that are waited for before judging; packed ones without a control character are a freak
_UNDECIDED = 1 << 16  # packed bytes that are kept until a first byte has come out, to try another way
_NAMES = {"x-gzip": "gzip", "x-deflate": "deflate", "brotli": "br", "x-br": "br", "zstandard": "zstd"}
_GZIP = (b"\x1f\x8b",)
_ZSTD = (b"\x28\xb5\x2f\xfd", *(bytes((n, 0x2A, 0x4D, 0x18)) for n in range(0x50, 0x60)))
_ZSTD_OPTIONS = {int(DecompressionParameter.window_log_max): 23}  # 8 MB (RFC 9659); a frame could claim 2 GB at once
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_TEXTUAL = re.compile(r"text/|html|xml|json|javascript", re.IGNORECASE)
_FAULTS: tuple[type[Exception], ...] = (zlib.error, brotli.error, ZstdError, EOFError)


class _Decoder(Protocol):
    @property
    def whole(self) -> bool:
        """Whether it could end here."""
        ...

    def pieces(self, data: bytes) -> Iterator[bytes]: ...


class Unpacker:
    """The layers of one body. Raises Refused with cause `decode` for what cannot be unpacked."""

    def __init__(self, encoding: str, content_type: str = "") -> None:
        names = [_NAMES.get(name.strip().lower(), name.strip().lower()) for name in encoding.split(",")]
        names = [name for name in names if name not in {"", "identity", "none", "utf-8", "chunked"}]
        if len(names) > _MAX_LAYERS:
            raise Refused("decode", f"packed {len(names)} times over")
        self._layers = [_Layer(name) for name in reversed(names)]
        if not names and (not content_type or _TEXTUAL.search(content_type)):
            self._layers = [_Layer("")]  # a page that was packed and not labelled

    @property
    def whole(self) -> bool:
        """Whether what has come is all that was packed."""
        return all(layer.whole for layer in self._layers)

    def unpack(self, data: bytes) -> Iterator[bytes]:
        """What comes out of these bytes, in pieces that are only made when they are asked for."""
        return _through(self._layers, (data,))

    def finish(self) -> Iterator[bytes]:
        """What was held back for judging, once nothing more comes."""
        pieces: Iterator[bytes] = iter(())
        for layer in self._layers:
            pieces = chain(layer.unpack(pieces), layer.finish())
        return pieces


def _through(layers: Sequence[_Layer], data: Iterable[bytes]) -> Iterator[bytes]:
    for layer in layers:
        data = layer.unpack(data)
    return iter(data)


class _Layer:
    """One packing: the ways to undo it, likeliest first, until one gives a first byte."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._kept = b""
        self._decoder: _Decoder | None = None
        self._given = False

    @property
    def whole(self) -> bool:
        return self._decoder is None or self._decoder.whole

    def unpack(self, packed: Iterable[bytes]) -> Iterator[bytes]:
        for data in packed:
            if self._given and self._decoder is not None:
                yield from self._checked(self._decoder, data)
                continue
            self._kept += data
            if len(self._kept) >= _SNIFFED:
                yield from self._first(self._kept)

    def finish(self) -> Iterator[bytes]:
        if self._kept:
            yield from self._first(self._kept)

    def _first(self, data: bytes) -> Iterator[bytes]:
        for make in _ways(self._label, data):
            self._decoder = make()
            try:
                for piece in self._decoder.pieces(data):
                    self._given, self._kept = True, b""
                    yield piece
            except _FAULTS as fault:
                if self._given:
                    raise _damaged(fault) from None
                continue
            if self._given or len(data) < _UNDECIDED:  # as yet no byte, as in the middle of a header
                return
        label = f"as {self._label} " if self._label else ""
        raise Refused("decode", f"the body, packed {label}they say, cannot be unpacked")

    def _checked(self, decoder: _Decoder, data: bytes) -> Iterator[bytes]:
        try:
            yield from decoder.pieces(data)
        except _FAULTS as fault:
            raise _damaged(fault) from None


def _damaged(fault: Exception) -> Refused:
    return Refused("decode", f"the packed body is damaged ({fault})")


def _ways(label: str, data: bytes) -> Iterator[Callable[[], _Decoder]]:
    zlib_header = len(data) > 1 and data[0] & 0x0F == 8 and data[0] >> 4 <= 7 and int.from_bytes(data[:2]) % 31 == 0
    if data.startswith(_GZIP):
        yield lambda: _Frames(lambda: _Zlib(zlib.MAX_WBITS | 16), _GZIP)
    elif data.startswith(_ZSTD):
        yield lambda: _Frames(lambda: ZstdDecompressor(options=_ZSTD_OPTIONS), _ZSTD)
    elif label in {"gzip", "deflate"} and zlib_header:
        yield lambda: _Frames(lambda: _Zlib(zlib.MAX_WBITS), ())
    if label == "br":
        yield lambda: _Brotli()
    if not _BINARY.search(data[:2048]) or not label:
        yield lambda: _Plain()
    if label == "deflate":
        yield lambda: _Frames(lambda: _Zlib(-zlib.MAX_WBITS), ())


class _Plain:
    whole = True

    def pieces(self, data: bytes) -> Iterator[bytes]:
        for start in range(0, len(data), _PIECE):
            yield data[start : start + _PIECE]


class _Frames:
    """A packing whose packed parts may follow each other; what follows them and is none is not looked at."""

    def __init__(self, begin: Callable[[], _Frame], starts: tuple[bytes, ...]) -> None:
        self._begin, self._starts = begin, starts
        self._frame = begin()
        self._rest = b""  # after the end of one: the beginning of the next, as far as it has come
        self._ended = False

    @property
    def whole(self) -> bool:
        return self._frame.eof

    def pieces(self, data: bytes) -> Iterator[bytes]:
        while not self._ended:
            if self._frame.eof:
                self._rest += data
                if not any(start.startswith(self._rest[: len(start)]) for start in self._starts):
                    self._ended = True
                if self._ended or len(self._rest) < max(map(len, self._starts)):
                    return
                data, self._rest, self._frame = self._rest, b"", self._begin()
            piece = self._frame.decompress(data, _PIECE)
            data = b""
            if piece:
                yield piece
            if self._frame.eof:
                data = self._frame.unused_data
            elif not piece:
                return


class _Frame(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _Zlib:
    """`zlib`'s own decompressor, keeping what it has not looked at yet, as the others do."""

    def __init__(self, window: int) -> None:
        self._inner = zlib.decompressobj(window)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


class _Brotli:
    def __init__(self) -> None:
        self._inner = brotli.Decompressor()

    @property
    def whole(self) -> bool:
        return bool(self._inner.is_finished())

    def pieces(self, data: bytes) -> Iterator[bytes]:
        while not self.whole:
            piece = self._inner.process(data, output_buffer_limit=_PIECE)
            data = b""
            if not piece:
                return
            yield piece

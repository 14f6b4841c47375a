"""Packed bodies: judged by content, in whatever pieces they come, and never more made than asked for."""

from __future__ import annotations

import gzip
import random
import sys
import tracemalloc
import zlib
from collections.abc import Callable
from contextlib import suppress
from itertools import chain

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.providers.reading.guard import Refused
from answerable.providers.reading.unpack import Unpacker

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TEXT = ("<p>Die Fähre legt um zwölf ab. " * 700).encode()
NOISE = random.Random(7).randbytes(100_000)


def streamed_zstd(body: bytes) -> bytes:
    packer = zstd.ZstdCompressor()
    return packer.compress(body) + packer.flush()


def quick_br(body: bytes) -> bytes:
    return bytes(brotli.compress(body, quality=3))


PACKINGS = [("gzip", gzip.compress), ("deflate", zlib.compress), ("br", quick_br), ("zstd", streamed_zstd)]


def raw_deflate(body: bytes) -> bytes:
    return zlib.compress(body)[2:-4]


def members(body: bytes) -> bytes:
    return gzip.compress(body[:100]) + gzip.compress(body[100:]) + b"\x00 padding"


def frames(body: bytes) -> bytes:
    return zstd.compress(body[:100]) + b"\x50\x2a\x4d\x18\x04\x00\x00\x00skip" + zstd.compress(body[100:])


def unpacked(label: str, packed: bytes, step: int = 1 << 20, content_type: str = "text/html") -> bytes:
    unpacker = Unpacker(label, content_type)
    body = b"".join(p for at in range(0, len(packed), step) for p in unpacker.unpack(packed[at : at + step]))
    body += b"".join(unpacker.finish())
    assert unpacker.whole
    return body


@pytest.mark.parametrize("step", [1, 7, 1000, 1 << 20])
@pytest.mark.parametrize(
    ("label", "pack"),
    [
        ("gzip", gzip.compress),
        ("x-gzip", gzip.compress),
        ("GZIP", members),
        ("deflate", zlib.compress),
        ("deflate", raw_deflate),
        ("br", brotli.compress),
        ("zstd", zstd.compress),
        ("zstd", frames),
        ("gzip, br", lambda body: brotli.compress(gzip.compress(body))),
        ("identity", bytes),
        ("", bytes),
    ],
)
def test_every_packing_in_whatever_pieces(label: str, pack: Callable[[bytes], bytes], step: int) -> None:
    assert unpacked(label, pack(TEXT), step) == TEXT
    if step > 7:
        assert unpacked(label, pack(NOISE), step, "image/png") == NOISE


@pytest.mark.parametrize("step", [1, 1 << 20])
@pytest.mark.parametrize(
    ("label", "pack"),
    [
        ("gzip", bytes),
        ("br", bytes),
        ("zstd", bytes),
        ("deflate", bytes),
        ("compress", bytes),
        ("utf-8", bytes),
        ("gzip", zlib.compress),
        ("deflate", gzip.compress),
        ("br", gzip.compress),
        ("gzip", zstd.compress),
        ("windows-1252", gzip.compress),
        ("", gzip.compress),
        ("", zstd.compress),
    ],
)
def test_a_wrong_label_does_not_hide_what_the_body_is(label: str, pack: Callable[[bytes], bytes], step: int) -> None:
    assert unpacked(label, pack(TEXT), step) == TEXT


def test_a_file_that_is_itself_packed_stays_as_it_is() -> None:
    packed = gzip.compress(TEXT)

    assert unpacked("", packed, content_type="application/gzip") == packed


@pytest.mark.parametrize(
    ("label", "packed"),
    [
        ("gzip", b"\x1f\x8b\x08" + b"nonsense" * 60),
        ("gzip", gzip.compress(TEXT)[:-8] + bytes(8)),
        ("br", NOISE),
        ("zstd", zstd.compress(TEXT)[:40] + b"\xff" * 4000),
        ("deflate", NOISE),
        ("compress", b"\x1f\x9d\x90\x00" * 99),
        ("gzip, gzip, gzip, gzip", gzip.compress(TEXT)),
    ],
)
def test_what_cannot_be_unpacked_is_said(label: str, packed: bytes) -> None:
    with pytest.raises(Refused) as caught:
        unpacked(label, packed)
    assert caught.value.cause == "decode"


@pytest.mark.parametrize(("label", "pack"), PACKINGS)
def test_a_body_that_breaks_off_gives_what_came_and_is_not_whole(label: str, pack: Callable[[bytes], bytes]) -> None:
    unpacker = Unpacker(label)
    packed = pack(NOISE.hex().encode())
    body = b"".join(unpacker.unpack(packed[: len(packed) * 3 // 4])) + b"".join(unpacker.finish())

    assert NOISE.hex().encode().startswith(body)
    assert len(body) > 10_000
    assert not unpacker.whole


@pytest.mark.parametrize(("label", "pack"), PACKINGS)
def test_a_bomb_is_only_unpacked_as_far_as_it_is_looked_at(label: str, pack: Callable[[bytes], bytes]) -> None:
    bomb = pack(bytes(16_000_000))
    unpacker = Unpacker(label)
    pieces = chain(unpacker.unpack(bomb), unpacker.finish())
    tracemalloc.start()
    made = sum(len(next(pieces)) for _ in range(4))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert made <= 4 * (1 << 17)
    assert most < 4_000_000


def test_a_frame_that_wants_more_memory_than_the_web_allows_is_refused() -> None:
    packer = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 27})
    greedy = packer.compress(bytes(100_000)) + packer.flush()
    with pytest.raises(Refused) as caught:
        unpacked("zstd", greedy)
    assert caught.value.cause == "decode"


@given(
    st.sampled_from(["gzip", "deflate", "br", "zstd", "", "x", "gzip, br", ",,"]),
    st.binary(max_size=400) | st.binary(max_size=50).map(lambda tail: gzip.compress(TEXT)[:300] + tail),
    st.integers(1, 300),
)
def test_no_bytes_do_more_than_be_refused(label: str, body: bytes, step: int) -> None:
    unpacker, pieces = Unpacker(label), []
    with suppress(Refused):
        for at in range(0, len(body), step):
            pieces += unpacker.unpack(body[at : at + step])
        pieces += unpacker.finish()
    assert all(pieces)

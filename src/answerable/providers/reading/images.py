"""Pictures of cited pages, fetched for the reader through the one guarded door."""

from __future__ import annotations

from collections import OrderedDict

from answerable.errors import NotFound, ReadError
from answerable.protocols import Fetcher

TIMEOUT = 4.0  # seconds
MOST_BYTES = 3_000_000
KEPT_BYTES = 24_000_000  # of pictures shown lately, in memory
_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


def image_type(body: bytes) -> str | None:
    """The media type by the signature of the WHATWG MIME Sniffing standard, section 6.1; None for all else, so that
    nothing which could hold a script (SVG, HTML) is passed on under the name of a picture."""
    for signature, kind in _SIGNATURES:
        if body.startswith(signature):
            return kind
    if body[:4] == b"RIFF" and body[8:14] == b"WEBPVP":
        return "image/webp"
    if body[4:12] in {b"ftypavif", b"ftypavis"}:
        return "image/avif"
    return None


class ImageProxy:
    """`get(url)` gives the bytes and the media type. Raises NotFound for what is no picture or cannot be had."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._kept: OrderedDict[str, tuple[bytes, str]] = OrderedDict()
        self._size = 0

    async def get(self, url: str) -> tuple[bytes, str]:
        if url in self._kept:
            self._kept.move_to_end(url)
            return self._kept[url]
        try:
            fetched = await self._fetcher.fetch(url, timeout=TIMEOUT, max_bytes=MOST_BYTES)
        except ReadError as failure:
            raise NotFound(f"the picture {url!r} cannot be loaded: {failure.message}") from None
        kind = image_type(fetched.body) if fetched.status == 200 and fetched.cut is None else None
        if kind is None:
            raise NotFound(f"there is no picture at {url!r}")
        self._keep(url, (fetched.body, kind))
        return fetched.body, kind

    def _keep(self, url: str, found: tuple[bytes, str]) -> None:
        if url in self._kept:
            return
        self._kept[url] = found
        self._size += len(found[0])
        while self._size > KEPT_BYTES:
            _, (dropped, _) = self._kept.popitem(last=False)
            self._size -= len(dropped)

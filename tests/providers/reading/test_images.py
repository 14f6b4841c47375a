"""Pictures for the reader: by what they are, within limits, through the guarded door."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from answerable.errors import NotFound, ReadError
from answerable.providers.reading import images
from answerable.providers.reading.images import ImageProxy, image_type
from answerable.types import Cut, Fetched, Validators

PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 20
URL = "https://towers.example/tower.png"


@dataclass
class OneBody:
    """A fetcher that has one answer."""

    answer: Fetched | ReadError
    asked: list[str] = field(default_factory=list)

    async def fetch(
        self,
        url: str,
        *,
        timeout: float,
        max_bytes: int = 0,
        document_bytes: int = 0,
        validators: Validators | None = None,
    ) -> Fetched:
        self.asked.append(url)
        if isinstance(self.answer, ReadError):
            raise self.answer
        return self.answer


def body(content: bytes, *, status: int = 200, cut: Cut | None = None) -> Fetched:
    return Fetched(URL, status, {"content-type": "image/png"}, content, cut)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0rest", "image/jpeg"),
        (b"GIF89a rest", "image/gif"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"),
        (b"\x00\x00\x00\x1cftypavif", "image/avif"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", None),
        (b"<!doctype html><script>alert(1)</script>", None),
        (b"GIF8", None),
        (b"", None),
    ],
)
def test_a_picture_is_known_by_its_first_bytes_not_by_its_label(content: bytes, kind: str | None) -> None:
    assert image_type(content) == kind


async def test_a_picture_is_fetched_once_and_then_kept() -> None:
    fetcher = OneBody(body(PNG))
    proxy = ImageProxy(fetcher)

    assert [await proxy.get(URL), await proxy.get(URL)] == [(PNG, "image/png")] * 2
    assert fetcher.asked == [URL]


@pytest.mark.parametrize(
    "answer",
    [
        body(b"<svg/>"),
        body(PNG, status=404),
        body(PNG, cut="connection"),
        ReadError(URL, "private_address"),
        ReadError(URL, "timeout"),
    ],
)
async def test_what_is_no_whole_picture_is_not_passed_on(answer: Fetched | ReadError) -> None:
    with pytest.raises(NotFound):
        await ImageProxy(OneBody(answer)).get(URL)


async def test_what_is_kept_is_bounded() -> None:
    fetcher = OneBody(body(PNG + b"\x00" * 2_900_000))
    proxy = ImageProxy(fetcher)

    for number in range(12):
        await proxy.get(f"{URL}?{number}")
    await proxy.get(f"{URL}?11")
    await proxy.get(f"{URL}?0")

    assert len(fetcher.asked) == 13  # the newest was kept, the oldest was not
    assert images.KEPT_BYTES < 12 * 2_900_000

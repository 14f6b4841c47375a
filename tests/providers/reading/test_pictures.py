"""Pictures of a page that say something are known by address; what decorates, tracks or stands around is not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from answerable.providers.reading.extract import extract
from answerable.providers.reading.extracted import Extracted, Job
from answerable.types import Image

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
FILLER = "<p>" + "The ferry to Oravia leaves the north quay at noon and carries forty people across. " * 6 + "</p>"
ALT = "The quay at noon"


def read(body: str, around: str = "") -> Extracted:
    page = f"<html><body>{around}<article><h1>Ferries</h1>{FILLER}{body}{FILLER}</article></body></html>"
    return extract(Job(page.encode(), "https://site.example/a/ferries", "text/html", NOW))


def test_a_picture_has_its_caption_its_size_and_the_block_it_stands_by() -> None:
    page = read(
        "<h2>Levels</h2><p>The level rises.</p><figure>"
        "<img src='../img/levels.png' alt='A chart' width=640 height='480px'><figcaption>"
        "Levels at <b>Harrow</b> Point, 1931 to 2022</figcaption></figure>"
    )
    (image,) = page.images

    assert image == Image(
        "https://site.example/img/levels.png", "A chart", "Levels at Harrow Point, 1931 to 2022", 640, 480, image.block
    )
    assert image.block is not None
    block = page.blocks[image.block]
    assert "Levels" in page.text[block.start : block.end] or block.headings[-1] == "Levels"


@pytest.mark.parametrize(
    ("tag", "url"),
    [
        (f"<img src='data:image/gif;base64,xx' data-src='/b.jpg' alt='{ALT}'>", "https://site.example/b.jpg"),
        (f"<img srcset='/s.jpg 320w, /l.jpg 1280w' alt='{ALT}'>", "https://site.example/l.jpg"),
        (f"<img src='//cdn.example/c.webp' alt='{ALT}'>", "https://cdn.example/c.webp"),
    ],
)
def test_its_address_is_the_one_that_shows_it(tag: str, url: str) -> None:
    assert [image.url for image in read(f"<p>{tag}</p>").images] == [url]


@pytest.mark.parametrize(
    "tag",
    [
        "<img src=/a.jpg>",
        "<img src=/a.jpg alt='IMG_2041.JPG'>",
        f"<img src=/a.jpg alt='{ALT}' width=1 height=1>",
        f"<img src=/a.jpg alt='{ALT}' width=64>",
        f"<img src=/a.jpg alt='{ALT}' class='author-avatar'>",
        f"<img src=/assets/logo.png alt='{ALT}'>",
        f"<img src='javascript:alert(1)' alt='{ALT}'>",
        f"<img src='data:image/png;base64,x' alt='{ALT}'>",
        f"<img src='http://[bad' alt='{ALT}'>",
        f"<div style='display:none'><img src=/a.jpg alt='{ALT}'></div>",
        f"<aside><img src=/a.jpg alt='{ALT}'></aside>",
    ],
)
def test_what_says_nothing_is_not_kept(tag: str) -> None:
    assert read(f"<p>{tag}</p>").images == ()


def test_what_stands_around_the_text_is_not_of_it() -> None:
    around = f"<header><img src=/head.jpg alt='{ALT}'></header><nav><img src=/nav.jpg alt='{ALT}'></nav>"

    assert [i.url for i in read(f"<img src=/in.jpg alt='{ALT}'>", around).images] == ["https://site.example/in.jpg"]


def test_one_picture_is_kept_once_and_a_gallery_does_not_fill_the_page() -> None:
    twice = f"<p><img src=/a.jpg alt='{ALT}'></p><p><img src=/a.jpg alt='{ALT} again'></p>"
    many = "".join(f"<p>Text {n}. <img src=/{n}.jpg alt='{ALT}'></p>" for n in range(80))

    assert len(read(twice).images) == 1
    assert len(read(many).images) == 30

"""Own sources through the whole engine: sites and files are read, kept, found, listed and removed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from answerable.evals.miniweb import MiniWeb
from answerable.index.crawl import Bounds
from answerable.wiring import Engine

TEXT = (
    "The harbour of Wennick has {n} piers. They were built of oak and stone, and ships of all sizes moor there daily."
)
PAGE = "<title>{title}</title><main><h1>{title}</h1><p>{text}</p><p>{links}</p></main>"


def write(folder: Path, path: str, text: str) -> None:
    file = folder / "hosts" / "harbour.example" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def page(title: str, n: int, *links: str) -> str:
    leading = " ".join(f'<a href="{link}">{link}</a>' for link in links)
    return PAGE.format(title=title, text=TEXT.format(n=n), links=leading)


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[Engine]:
    web = tmp_path / "web"
    write(web, "index.html", page("Home", 1, "/piers.html", "/closed/plan.html", "http://other.example/"))
    write(web, "piers.html", page("Piers", 2, "/missing.html", "/"))
    write(web, "listed.html", page("Listed", 3))
    write(web, "closed/plan.html", page("Plan", 4))
    write(web, "robots.txt", "User-agent: *\nDisallow: /closed/\nSitemap: http://harbour.example/map.xml\n")
    write(web, "map.xml", "<urlset><url><loc>http://harbour.example/listed.html</loc></url></urlset>")
    async with MiniWeb(web) as served:
        settings = {"data_dir": str(tmp_path / "data"), "proxy": served.proxy_url, "collection": False}
        settings |= {"search": ["searxng"], "searxng_url": served.search_url}
        async with Engine.from_settings(settings) as engine:
            yield engine


async def test_a_site_is_read_as_its_robots_txt_and_sitemap_say(engine: Engine) -> None:
    added = await engine.sources.add_site("http://harbour.example/", Bounds())

    assert {one.target.rpartition("/")[2]: one.page.title if one.page else one.cause for one in added} == {
        "": "Home",
        "piers.html": "Piers",
        "listed.html": "Listed",
        "missing.html": "not_found",
    }
    assert [one.title for one in await engine.sources.listed()] == ["Home", "Listed", "Piers"]
    assert all(one.passages and one.read for one in await engine.sources.listed())
    assert "Piers" in {hit.page.title for hit in await engine.own.search("piers of Wennick", limit=5)}


async def test_a_site_that_is_closed_or_not_there_says_so(engine: Engine) -> None:
    closed = await engine.sources.add_site("http://harbour.example/closed/plan.html", Bounds())
    nowhere = await engine.sources.add_site("file:///etc/hostname", Bounds())

    assert [(one.page, one.cause) for one in closed] == [(None, "blocked_by_robots")]
    assert [(one.page, one.cause) for one in nowhere] == [(None, "bad_url")]


async def test_a_path_or_a_private_address_is_no_web_address_to_add(engine: Engine) -> None:
    targets = ["/etc/hostname", "file:///etc/hostname", "http://127.0.0.1:1/"]

    assert [(await engine.sources.add_url(one)).cause for one in targets] == ["bad_url", "bad_url", "private_address"]
    assert await engine.sources.listed() == []


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd.txt", "passwd.txt"),
        ("C:\\Users\\anna\\notes.txt", "notes.txt"),
        ("a\u202etxt.exe.txt", "atxt.exe.txt"),
        ("x" * 300 + ".txt", "x" * 100 + ".txt"),
        ("...", "file"),
        ("", "file"),
        ("Müller <b>.md", "Müller <b>.md"),
    ],
)
async def test_a_file_is_known_by_the_last_part_of_its_name(engine: Engine, given: str, kept: str) -> None:
    added = await engine.sources.add_file(given, TEXT.encode())

    assert (added.target, added.cause) == (kept, "")
    assert [one.url.startswith("file:///uploads/") for one in await engine.sources.listed()] == [True]


async def test_files_are_found_replaced_by_their_name_and_removed(engine: Engine) -> None:
    await engine.sources.add_file("notes.txt", TEXT.format(n="seven").encode())
    await engine.sources.add_file("notes.txt", TEXT.format(n="eleven").encode())
    broken = await engine.sources.add_file("broken.pdf", b"%PDF-1.7 nothing")

    assert broken.page is None
    assert broken.cause
    (held,) = await engine.sources.listed()
    assert held.title == "notes.txt"
    turn = await engine.ask("How many piers has the harbour of Wennick?", focus="own")
    assert "eleven piers" in turn.answer
    assert await engine.sources.remove([held.url]) == 1
    assert await engine.sources.listed() == []

"""The cases of fetching and extraction, each by its kind."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from tests.fakes.certificates import Authority
from tests.fakes.hostile import HostileServer, Write, answer, hostile_server, redirect

from answerable.answering.reading import ReadSoFar, read_results
from answerable.errors import ReadError
from answerable.events import ignore
from answerable.protocols import Limits
from answerable.providers.reading.decode import refresh_target
from answerable.providers.reading.extract import Extracted, Job, extract
from answerable.providers.reading.fetch import GuardedFetcher
from answerable.providers.reading.guard import Guard, Refused
from answerable.providers.reading.reader import WebReader
from answerable.providers.reading.robots import parse_rules
from answerable.types import SearchResult

FOLDER = Path(__file__).parents[2] / "data" / "cases"
CASES = [json.loads(line) for line in (FOLDER / "cases-reading.jsonl").read_text("utf-8").splitlines()]
NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def cases(*kinds: str) -> Any:
    chosen = [case for case in CASES if case["kind"] in kinds]
    return pytest.mark.parametrize("case", chosen, ids=[case["id"] for case in chosen])


def body_of(case: dict[str, Any]) -> bytes:
    return (FOLDER / case["file"]).read_bytes()


def data_of(case: dict[str, Any]) -> Any:
    return json.loads(body_of(case))


def folded(text: str) -> str:
    return " ".join(text.split())


@cases("html")
def test_the_text_of_a_page_holds_what_it_should_and_nothing_else(case: dict[str, Any]) -> None:
    expected = case["expected"]
    page = extract(Job(body_of(case), case["input"]["url"], "text/html", NOW))
    text, lines = folded(page.text), [folded(line) for line in page.text.split("\n")]

    assert (page.cause, page.title) == (None, expected["title"])
    assert page.title not in expected.get("title_must_not_be", [])
    assert [s for s in expected.get("must_contain", []) if s not in text] == []
    assert [group for group in expected.get("must_contain_alt", []) if not any(s in text for s in group)] == []
    assert [s for s in expected.get("must_not_contain", []) if s in text] == []
    assert [s for s in expected.get("must_not_contain_extracted", []) if s in text] == []
    assert [s for s in expected.get("verbatim", []) if s not in page.text] == []
    assert [s for s in expected.get("lines", []) if folded(s) not in lines] == []
    assert [r for r in expected.get("same_record", []) if not any(all(s in line for s in r) for line in lines)] == []
    places = [text.find(s) for s in expected.get("order", [])]
    assert -1 not in places
    assert places == sorted(places)


@cases("html")
def test_the_dates_of_a_page_are_its_own_or_unknown(case: dict[str, Any]) -> None:
    page = extract(Job(body_of(case), case["input"]["url"], "text/html", NOW))
    found = {"published": page.published, "modified": page.modified}
    expected = {name: case["expected"][name] for name in found if name in case["expected"]}

    assert {name: found[name] and found[name].date().isoformat() for name in expected} == expected


def check(page: Extracted, expected: dict[str, Any]) -> None:
    """Where a case lets a body be skipped or read, it is read."""
    assert "outcome_any" not in expected or "text" in expected["outcome_any"]
    assert page.cause == (None if expected.get("usable", True) else expected["reason"])
    wanted = [*expected.get("text_contains", []), *expected.get("if_text", {}).get("text_contains", [])]
    assert [s for s in wanted if s not in page.text] == []
    assert [s for s in expected.get("text_excludes", []) if s in page.text] == []


@cases("response")
async def test_a_body_is_read_as_what_it_is(case: dict[str, Any]) -> None:
    given = case["input"]
    check(extract(Job(body_of(case), given["url"], given["headers"]["content-type"], NOW)), case["expected"])
    check(await by_wire(given["url"], body_of(case), given["headers"]), case["expected"])


@cases("responses")
async def test_bodies_are_read_as_what_they_are(case: dict[str, Any]) -> None:
    for item, expected in zip(data_of(case)["items"], case["expected"]["results"], strict=True):
        body = item["body"].encode()
        check(extract(Job(body, item["url"], item["headers"]["content-type"], NOW)), expected)
        check(await by_wire(item["url"], body, item["headers"]), expected)


async def by_wire(url: str, body: bytes, headers: dict[str, str]) -> Extracted:
    """What the reader makes of it when a host sends it so."""
    host, path = urlsplit(url).hostname or "", urlsplit(url).path
    async with served({}, host) as (server, fetcher):
        server.routes[path] = answer(200, body, **headers)
        try:
            page = await WebReader(fetcher, timeout=60).read_url(server.url(path, host))
        except ReadError as failure:
            return Extracted("other", cause=failure.cause)
    return Extracted(page.kind, page.title, page.text)


@cases("robots")
def test_robots_txt_says(case: dict[str, Any]) -> None:
    rules, given = parse_rules(body_of(case)), case["input"]
    allowed = [rules.allow(given["host"] + test["path"], test["agent"]) for test in given["tests"]]

    assert allowed == case["expected"]["allow"]


@cases("meta_refresh")
def test_a_page_leads_on(case: dict[str, Any]) -> None:
    targets = [refresh_target(item["html"].encode()) for item in data_of(case)["items"]]
    bases = [item["url"] for item in data_of(case)["items"]]
    expected = case["expected"]["follow"]

    assert [target and urljoin(base, target) for target, base in zip(targets, bases, strict=True)] == expected


@cases("address_guard")
async def test_addresses_that_may_be_fetched(case: dict[str, Any]) -> None:
    data = data_of(case)

    async def resolve(host: str, port: int) -> Sequence[str]:
        if host not in data["resolver"]:
            raise OSError("unknown host")
        return list(data["resolver"][host])

    guard = Guard(resolve=resolve)

    async def allowed(url: str) -> bool:
        try:
            target = guard.check(url)
            await guard.addresses(target.host, target.port)
        except Refused:
            return False
        return True

    assert [await allowed(url) for url in data["urls"]] == case["expected"]["allow"]


@cases("address_guard_redirects")
async def test_redirects_of_public_pages_to_private_addresses_are_refused(case: dict[str, Any]) -> None:
    """The site of the case answers here; so does what its redirects lead to, and must not be reached."""
    async with hostile_server() as trap:
        told = json.dumps(data_of(case)["routes"]).replace("127.0.0.1:6379", f"127.0.0.1:{trap.port}")
        async with served(json.loads(told), "site.example") as (server, fetcher):
            for expected in case["expected"]["results"]:
                path = expected["start"].removeprefix("https://site.example")
                before, url = len(server.asked), server.url(path, "site.example")
                if expected["outcome"] == "text":
                    page = await WebReader(fetcher, timeout=60).read_url(url)
                    assert [s for s in expected["text_contains"] if s not in page.text] == []
                else:
                    scheme = json.loads(told)[expected["start"]]["location"].partition(":")[0]
                    with pytest.raises(ReadError) as caught:
                        await fetcher.fetch(url, timeout=20)
                    assert caught.value.cause == ("bad_url" if scheme == "file" else "private_address")
                    assert [asked for asked in server.asked[before:] if asked != "/robots.txt"] == [path]
                    assert expected["connected_to"] == data_of(case)["resolver"]["site.example"]
        assert trap.connections == 0


@cases("redirects")
async def test_redirects_end_where_they_should(case: dict[str, Any]) -> None:
    data = data_of(case)
    host = data["base"].removeprefix("https://")
    async with served(data["routes"], host) as (server, fetcher):
        for expected in case["expected"]["results"]:
            before = len(server.asked)
            url, reader = server.url(expected["start"], host), WebReader(fetcher, timeout=60)
            if expected.get("outcome") == "text":
                page = await reader.read_url(url)
                assert page.url == expected["final_url"].replace(data["base"], server.url("", host))
                assert expected["text_contains"][0] in page.text
            else:
                with pytest.raises(ReadError) as caught:
                    await reader.read_url(url)
                assert caught.value.cause == expected.get("reason", expected.get("outcome", "")).removeprefix("failed:")
            assert len(server.asked) - before <= expected.get("max_requests", 11)


@cases("server")
async def test_hosts_that_drip_or_show_bad_certificates_cost_only_themselves(
    case: dict[str, Any], tmp_path: Path
) -> None:
    data, expected = data_of(case), case["expected"]
    if "sources" in data:
        outcomes = await with_certificates(data["sources"], Authority(tmp_path))
        assert outcomes == expected["outcomes"]
        return

    async def drip(write: Write) -> None:
        head, start, rest = data["steps"]
        lines = "".join(f"{name}: {value}\r\n" for name, value in head["headers"].items())
        await write(f"HTTP/1.1 {head['send_status']} X\r\n{lines}\r\n{start['send']}".encode())
        for _ in range(rest["repeat"]):
            await asyncio.sleep(rest["wait_ms"] / 5_000)  # five times as fast, as the deadline is five times as near
            await write(rest["send"].encode())

    async with served({}, "slow.example") as (server, fetcher):
        server.routes |= {"/": drip, "/other": answer(200, b"<p>The lock is open from April to October.</p>")}
        slow, other = (server.url(path, "slow.example") for path in ("/", "/other"))
        reader = WebReader(fetcher, timeout=data["client"]["total_timeout_s"] / 5)
        began = asyncio.get_running_loop().time()
        read = await together([slow, other], reader)
        took = asyncio.get_running_loop().time() - began

    assert [f"failed:{note.cause}" for note in read.notes if note.about == slow] == [expected["outcome"]]
    assert [page.url for page in read.pages] == [other]
    assert took < expected["fetch_ends_within_s"]


async def together(urls: Sequence[str], reader: WebReader) -> ReadSoFar:
    """As an answer reads its results: side by side, each failure a note."""
    results = [SearchResult(url, "A page") for url in urls]
    return await read_results(
        results, reader, limits=Limits(read_timeout=60), background=lambda work: work.close(), emit=ignore
    )


async def with_certificates(sources: list[dict[str, str]], authority: Authority) -> list[str]:
    """All are read side by side by one fetcher, whose checking of certificates nothing switches off."""
    async with AsyncExitStack() as stack:
        urls = []
        for source in sources:
            host = urlsplit(source["url"]).hostname or ""
            tls = {
                "expired": lambda host=host: authority.server(host, starts=-9, ends=-1),
                "self_signed": lambda host=host: authority.server(host, self_signed=True),
                "name_mismatch": lambda: authority.server("another.example"),
                "valid": lambda host=host: authority.server(host),
            }[source["certificate"]]()
            server = await stack.enter_async_context(hostile_server(tls))
            server.routes["/"] = answer(200, source.get("html", "").encode())
            urls.append(f"https://{host}:{server.port}/")
        context, hosts = authority.trusting, [urlsplit(url).netloc for url in urls]
        door = await stack.enter_async_context(GuardedFetcher(allow_hosts=hosts, resolve=nearby, ssl_context=context))
        read = await together(urls, WebReader(door, timeout=60))
        assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    causes = {note.about: f"failed:{note.cause}" for note in read.notes}
    return [causes.get(url, "text" if url in {page.url for page in read.pages} else "") for url in urls]


async def nearby(host: str, port: int) -> Sequence[str]:
    return ["127.0.0.1"]


class served:  # noqa: N801 (reads as a phrase)
    """The routes of a case on a real socket, and a fetcher that finds the case's host there."""

    def __init__(self, routes: dict[str, dict[str, Any]], host: str) -> None:
        self.routes, self.host = routes, host

    async def __aenter__(self) -> tuple[HostileServer, GuardedFetcher]:
        self.manager = hostile_server()
        server = await self.manager.__aenter__()
        base, here = f"https://{self.host}", server.url("", self.host)
        for path, route in self.routes.items():
            if "html" in route:
                play = answer(route["status"], route["html"].encode())
            else:
                play = redirect(route.get("location", "").replace(base, here) or None, route["status"])
            server.routes[path.removeprefix(base)] = play

        self.fetcher = GuardedFetcher(allow_hosts=[f"{self.host}:{server.port}"], resolve=nearby)
        return server, self.fetcher

    async def __aexit__(self, *exc_info: Any) -> None:
        await self.fetcher.aclose()
        await self.manager.__aexit__(*exc_info)

"""The cases of fetching and extraction, each by its kind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.fakes.certificates import Authority
from tests.fakes.hostile import HostileServer, Write, answer, hostile_server, redirect

from answerable.errors import ReadError
from answerable.providers.reading.decode import refresh_target
from answerable.providers.reading.extract import Extracted, Job, extract
from answerable.providers.reading.fetch import GuardedFetcher
from answerable.providers.reading.guard import Guard, Refused
from answerable.providers.reading.reader import WebReader
from answerable.providers.reading.robots import parse_rules

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
    assert [s for s in expected.get("must_contain", []) if s not in text] == []
    assert [group for group in expected.get("must_contain_alt", []) if not any(s in text for s in group)] == []
    assert [s for s in expected.get("must_not_contain", []) if s in text] == []
    assert [s for s in expected.get("must_not_contain_extracted", []) if s in text] == []
    assert [s for s in expected.get("verbatim", []) if s not in page.text] == []
    assert [s for s in expected.get("lines", []) if folded(s) not in lines] == []
    assert [r for r in expected.get("same_record", []) if not any(all(s in line for s in r) for line in lines)] == []
    places = [text.find(s) for s in expected.get("order", [])]
    assert places == sorted(places)


@cases("html")
def test_the_dates_of_a_page_are_its_own_or_unknown(case: dict[str, Any]) -> None:
    page = extract(Job(body_of(case), case["input"]["url"], "text/html", NOW))
    found = {"published": page.published, "modified": page.modified}
    expected = {name: case["expected"][name] for name in found if name in case["expected"]}

    assert {name: found[name] and found[name].date().isoformat() for name in expected} == expected


def check(page: Extracted, expected: dict[str, Any]) -> None:
    outcome = "text" if page.cause is None else "skipped:pdf" if page.kind == "pdf" else f"failed:{page.cause}"
    if "outcome_any" in expected:
        assert outcome in expected["outcome_any"]
    if expected.get("usable") is False:
        assert page.cause == expected["reason"]
    wanted = expected.get("text_contains", [])
    if outcome == "text":
        wanted = wanted + expected.get("if_text", {}).get("text_contains", [])
    assert [s for s in wanted if s not in page.text] == []
    assert [s for s in expected.get("text_excludes", []) if s in page.text] == []


@cases("response")
def test_a_body_is_read_as_what_it_is(case: dict[str, Any]) -> None:
    given = case["input"]
    check(extract(Job(body_of(case), given["url"], given["headers"]["content-type"], NOW)), case["expected"])


@cases("responses")
def test_bodies_are_read_as_what_they_are(case: dict[str, Any]) -> None:
    for item, expected in zip(data_of(case)["items"], case["expected"]["results"], strict=True):
        check(extract(Job(item["body"].encode(), item["url"], item["headers"]["content-type"], NOW)), expected)


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

    assert [bool(t) for t in targets] == [bool(e) for e in expected]
    assert [t for t, b, e in zip(targets, bases, expected, strict=True) if t and not e.endswith(t.lstrip("/"))] == []


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
    async with served(data_of(case)["routes"], "site.example") as (server, fetcher):
        for expected in case["expected"]["results"]:
            url = server.url(expected["start"].removeprefix("https://site.example"), "site.example")
            if expected["outcome"] == "text":
                assert expected["text_contains"][0] in (await WebReader(fetcher).read_url(url)).text
            else:
                with pytest.raises(ReadError) as caught:
                    await fetcher.fetch(url, timeout=2)
                assert caught.value.cause in {"private_address", "bad_url"}


@cases("redirects")
async def test_redirects_end_where_they_should(case: dict[str, Any]) -> None:
    data = data_of(case)
    host = data["base"].removeprefix("https://")
    async with served(data["routes"], host) as (server, fetcher):
        for expected in case["expected"]["results"]:
            before = len(server.asked)
            url, reader = server.url(expected["start"], host), WebReader(fetcher)
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
        assert await with_certificates(data["sources"], Authority(tmp_path)) == expected["outcomes"]
        return

    async def drip(write: Write) -> None:
        head, start, rest = data["steps"]
        lines = "".join(f"{name}: {value}\r\n" for name, value in head["headers"].items())
        await write(f"HTTP/1.1 {head['send_status']} X\r\n{lines}\r\n{start['send']}".encode())
        for _ in range(rest["repeat"]):
            await asyncio.sleep(rest["wait_ms"] / 10_000)  # ten times as fast, as the deadline is ten times as near
            await write(rest["send"].encode())

    async with served({}, "slow.example") as (server, fetcher):
        server.routes["/"] = drip
        began = asyncio.get_running_loop().time()
        with pytest.raises(ReadError) as caught:
            await fetcher.fetch(server.url("/", "slow.example"), timeout=data["client"]["total_timeout_s"] / 10)
        took = asyncio.get_running_loop().time() - began

    assert f"failed:{caught.value.cause}" == expected["outcome"]
    assert took < expected["fetch_ends_within_s"]


async def with_certificates(sources: list[dict[str, str]], authority: Authority) -> list[str]:
    outcomes = []
    for source in sources:
        host = urlsplit(source["url"]).hostname or ""
        tls = {
            "expired": lambda host=host: authority.server(host, starts=-9, ends=-1),
            "self_signed": lambda host=host: authority.server(host, self_signed=True),
            "name_mismatch": lambda: authority.server("another.example"),
            "valid": lambda host=host: authority.server(host),
        }[source["certificate"]]()
        async with hostile_server(tls) as server:
            server.routes["/"] = answer(200, source.get("html", "").encode())
            allowed, context = [f"{host}:{server.port}"], authority.trusting
            async with GuardedFetcher(allow_hosts=allowed, resolve=nearby, ssl_context=context) as door:
                try:
                    page = await WebReader(door).read_url(f"https://{host}:{server.port}/")
                    outcomes.append("text" if page.text else "empty")
                except ReadError as failure:
                    outcomes.append(f"failed:{failure.cause}")
    return outcomes


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

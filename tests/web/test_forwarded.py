"""Behind a reverse proxy: every address below its path, and its word taken only where it was told to be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest
from tests.fakes.engine import FakeEngine
from tests.fakes.serving import serving
from tests.fakes.streams import case

from answerable.config import load_settings
from answerable.web.access import LOCAL_HOSTS, Rules
from answerable.web.app import create_app

LINK = re.compile(r"""(?:href|src)=["']([^"'#][^"']*)["']""")
_, EXPECTED = case("setup-base-path")


@contextmanager
def behind(rules: Rules, **headers: str) -> Iterator[httpx2.Client]:
    hosts = [*LOCAL_HOSTS, "host.example"]
    with (
        serving(lambda: create_app(FakeEngine(), allowed_hosts=hosts, rules=rules)) as address,
        httpx2.Client(base_url=address, headers={"host": "host.example", **headers}) as client,
    ):
        yield client


def items() -> list[Any]:
    given, _ = case("setup-base-path")
    return list(zip(given["items"], EXPECTED["all_requests_start_with"], strict=True))


@pytest.mark.parametrize("strips", [True, False], ids=["stripping", "passing"])
@pytest.mark.parametrize(("item", "prefix"), items())
def test_the_whole_app_lives_below_the_path(item: dict[str, Any], prefix: str, strips: bool) -> None:
    base = load_settings({"base_path": item.get("base_path", "")}, environ={}).base_path
    rules = Rules(base_path=base, trusted_proxies=("127.0.0.1",))
    with behind(rules, **item.get("headers", {})) as client:

        def public(path: str) -> str:
            """What reaches us of a public address below the prefix."""
            assert path.startswith(prefix), path
            assert "//" not in path
            return path[len(prefix) - 1 :] if strips else path

        asked = client.post(public(f"{prefix}ask"), data={"question": "How tall?"})
        thread = asked.headers["location"]
        pages = [client.get(public(path)) for path in (prefix, thread.partition("#")[0])]
        streamed = client.post(public(f"{prefix}v1/answers"), json={"question": "How tall?"})
        links = {link for page in pages for link in LINK.findall(page.text) if not link.startswith("http")}
        followed = {link: client.get(public(link)).status_code for link in links}
        own = "".join(client.get(public(path)).text for path in (prefix, f"{prefix}docs", f"{prefix}openapi.json"))

    assert thread.startswith(f"{prefix}c/")
    assert [page.status_code for page in pages] == [200, 200]
    assert f'data-base="{prefix.rstrip("/")}"' in pages[0].text
    assert "event: done" in streamed.text
    assert {link: status for link, status in followed.items() if status not in {200, 308}} == {}
    assert not re.search(rf"""(?:href|src|action)=["']/(?!{re.escape(prefix[1:])})""", own)


def test_the_path_without_its_slash_leads_to_the_start_page() -> None:
    with behind(Rules(base_path="/ask")) as client:
        reply = client.get("/ask?q=why%3F")

    assert (reply.status_code, reply.headers["location"]) == (308, "/ask/?q=why%3F")


def test_signing_in_below_a_path_stays_there() -> None:
    rules = Rules(base_path="/a/b", token_needed=True)
    with (
        serving(lambda: create_app(FakeEngine(), token="t0ken", rules=rules)) as address,
        httpx2.Client(base_url=address) as client,
    ):
        asked = client.get("/a/b/c/x")
        signed = client.post("/a/b/login", data={"token": "t0ken", "next": "/docs"})
        shared = client.get("/a/b/docs")

    assert asked.headers["location"] == "/a/b/login?next=%2Fc%2Fx"
    assert signed.headers["location"] == "/a/b/docs"
    assert "Path=/a/b;" in signed.headers["set-cookie"]
    assert shared.status_code == 200


def told(rules: Rules, **headers: str) -> dict[str, Any]:
    """What the server makes of a client's word: the address it would show for itself, and whether it answers."""
    with behind(rules, **headers) as client:
        reply = client.get("/docs")
        found = re.search(r"curl -N (\S+)/v1/answers", reply.text)
        return {"status": reply.status_code, "address": found[1] if found else None}


def test_a_told_proxy_is_believed() -> None:
    rules = Rules(trusted_proxies=("127.0.0.0/8",))
    headers = {"x-forwarded-proto": "https", "x-forwarded-host": "host.example", "x-forwarded-prefix": "/ask/"}

    assert told(rules, **headers) == {"status": 200, "address": "https://host.example/ask"}


@pytest.mark.parametrize("proxies", [(), ("10.0.0.0/8", "::1")])
def test_nobody_else_is(proxies: tuple[str, ...]) -> None:
    headers = {"x-forwarded-proto": "https", "x-forwarded-host": "evil.example", "x-forwarded-prefix": "/evil"}

    assert told(Rules(trusted_proxies=proxies), **headers) == {"status": 200, "address": "http://host.example"}


@pytest.mark.parametrize(
    "headers",
    [
        {"x-forwarded-prefix": "//evil.example"},
        {"x-forwarded-prefix": "/a/../b"},
        {"x-forwarded-prefix": "/a\\b"},
        {"x-forwarded-proto": "javascript"},
        {"x-forwarded-host": "host.example/path"},
    ],
)
def test_a_word_that_makes_no_sense_is_left(headers: dict[str, str]) -> None:
    rules = Rules(trusted_proxies=("127.0.0.1",))

    assert told(rules, **headers) == {"status": 200, "address": "http://host.example"}


def test_a_host_that_a_proxy_tells_must_be_known_too() -> None:
    assert told(Rules(trusted_proxies=("127.0.0.1",)), **{"x-forwarded-host": "evil.example"})["status"] == 421


def test_the_limit_by_address_sees_the_client_behind_the_proxy_and_no_invented_one() -> None:
    rules = Rules(token_needed=True, rate_per_address=1, trusted_proxies=("127.0.0.1",))
    with serving(lambda: create_app(FakeEngine(), token="t", rules=rules)) as address:

        def ask(hops: str) -> int:
            headers = {"authorization": "Bearer t", "x-forwarded-for": hops}
            body = {"claim": "a b c", "text": "a"}
            return httpx2.post(f"{address}/v1/verify", json=body, headers=headers).status_code

        statuses = [ask("9.9.9.9"), ask("9.9.9.9"), ask("8.8.8.8"), ask("1.2.3.4, 9.9.9.9"), ask("9.9.9.9, 127.0.0.1")]

    assert statuses == [200, 429, 200, 429, 429]


@pytest.mark.parametrize("origin", ["https://app.example", "http://localhost:3000"])
def test_a_named_origin_may_call_from_a_browser_with_a_token(origin: str) -> None:
    rules = Rules(cors_origins=("https://app.example", "http://localhost:3000"))
    with behind(rules, origin=origin) as client:
        preflight = {"access-control-request-method": "POST", "access-control-request-headers": "authorization"}
        asked = client.options("/v1/answers", headers=preflight)
        reply = client.post("/v1/answers", json={"question": "x", "stream": False})

    assert (asked.status_code, reply.status_code) == (204, 200)
    for response in (asked, reply):
        assert response.headers["access-control-allow-origin"] == origin
        assert "access-control-allow-credentials" not in response.headers
        assert response.headers["vary"] == "Origin"
    assert "Authorization" in asked.headers["access-control-allow-headers"]


def test_no_other_origin_may() -> None:
    for rules in (Rules(), Rules(cors_origins=("https://app.example",))):
        with behind(rules, origin="https://app.example.evil") as client:
            asked = client.options("/v1/answers", headers={"access-control-request-method": "POST"})
            reply = client.post("/v1/answers", json={"question": "x", "stream": False})

        assert reply.status_code == 403
        assert "access-control-allow-origin" not in {*asked.headers, *reply.headers}

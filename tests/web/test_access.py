"""Who may call, and what every response carries."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from tests.fakes.engine import FakeEngine
from tests.fakes.serving import serving

from answerable.errors import SettingsError
from answerable.web.app import check_listening, create_app, serve

TOKEN = "s3cret token-é"


@pytest.fixture(scope="module")
def open_server() -> Iterator[str]:
    with serving(lambda: create_app(FakeEngine())) as address:
        yield address


@pytest.fixture(scope="module")
def locked_server() -> Iterator[str]:
    with serving(lambda: create_app(FakeEngine(), token=TOKEN)) as address:
        yield address


@pytest.mark.parametrize("path", ["/", "/healthz", "/v1/answers/none", "/static/base.css", "/nowhere"])
def test_every_response_is_guarded(open_server: str, path: str) -> None:
    headers = httpx2.get(open_server + path).headers
    policy = headers["content-security-policy"]

    assert "unsafe-inline" not in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


def test_failures_that_the_framework_answers_by_itself_are_guarded_too() -> None:
    engine = FakeEngine()
    engine.runs.fails_with = RuntimeError("unexpected")
    with serving(lambda: create_app(engine)) as address:
        failed = httpx2.post(f"{address}/v1/answers", json={"question": "x"})
        too_large = httpx2.post(f"{address}/v1/answers", content=b"x" * 2_100_000)

    assert (failed.status_code, too_large.status_code) == (500, 413)
    for response in (failed, too_large):
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8765", "[::1]:8765", "LOCALHOST:1"])
def test_this_machine_answers_by_its_own_names(open_server: str, host: str) -> None:
    assert httpx2.get(f"{open_server}/healthz", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "evil.example:8765", "[", "127.0.0.1.nip.example"]
)
def test_a_name_that_merely_resolves_here_is_refused(open_server: str, host: str) -> None:
    response = httpx2.get(f"{open_server}/healthz", headers={"host": host})

    assert response.status_code == 421
    assert response.json()["code"] == "wrong_host"


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
@pytest.mark.parametrize("path", ["/v1/answers", "/ask", "/v1/answers/x/retry"])
def test_another_sites_page_cannot_write(open_server: str, path: str, headers: dict) -> None:
    response = httpx2.post(open_server + path, json={"question": "x"}, headers=headers)

    assert response.status_code == 403
    assert response.json()["code"] == "cross_origin"


def test_our_own_page_and_programs_can_write(open_server: str) -> None:
    for headers in ({}, {"origin": open_server, "sec-fetch-site": "same-origin"}):
        body = {"question": "x", "stream": False}
        assert httpx2.post(f"{open_server}/v1/answers", json=body, headers=headers).status_code == 200


def test_without_the_token_the_api_refuses_and_pages_lead_to_sign_in(locked_server: str) -> None:
    api = httpx2.get(f"{locked_server}/v1/answers/x")
    page = httpx2.get(f"{locked_server}/c/x")

    assert (api.status_code, api.json()["code"]) == (401, "token_needed")
    assert api.headers["www-authenticate"] == "Bearer"
    assert page.headers["location"] == "/login?next=%2Fc%2Fx"
    assert httpx2.get(f"{locked_server}/healthz").status_code == 200
    assert httpx2.post(f"{locked_server}/ask", data={"question": "x"}).status_code == 401


@pytest.mark.parametrize("given", ["wrong", "Bearer", TOKEN[:-1], TOKEN + "x"])
def test_a_wrong_token_is_refused(locked_server: str, given: str) -> None:
    headers = {"authorization": f"Bearer {given}".encode()}

    assert httpx2.get(f"{locked_server}/v1/answers/x", headers=headers).status_code == 401
    assert httpx2.post(f"{locked_server}/login", data={"token": given}).status_code in {401, 422}


def test_the_token_opens_the_api_as_bearer(locked_server: str) -> None:
    headers = {"authorization": f"Bearer {TOKEN}".encode()}

    assert httpx2.get(f"{locked_server}/v1/answers/x", headers=headers).status_code == 404


def test_signing_in_sets_a_cookie_that_is_not_the_token(locked_server: str) -> None:
    with httpx2.Client(base_url=locked_server) as client:
        answer = client.post("/login", data={"token": TOKEN, "next": "/docs"})

        assert answer.headers["location"] == "/docs"
        assert "HttpOnly" in answer.headers["set-cookie"]
        assert "s3cret" not in answer.headers["set-cookie"]
        assert client.get("/").status_code == 200


def test_a_token_in_the_address_becomes_a_cookie_and_leaves_it(locked_server: str) -> None:
    with httpx2.Client(base_url=locked_server) as client:
        answer = client.get("/", params={"token": TOKEN, "q": "why?"})

        assert answer.headers["location"] == "/?q=why%3F"
        assert client.get(answer.headers["location"]).status_code == 200


def test_a_token_in_an_address_leads_nowhere_else(locked_server: str) -> None:
    for path in ("//evil.example/", "/%2F%2Fevil.example/"):
        host, _, port = locked_server.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(f"GET {path}?token=s3cret%20token-%C3%A9 HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
            head = connection.makefile("rb").read().lower()
        assert b"\r\nlocation: /evil.example/\r\n" in head


@pytest.mark.parametrize("target", ["https://evil.example", "//evil.example", "/\\evil.example", ""])
def test_signing_in_leads_nowhere_else(locked_server: str, target: str) -> None:
    answer = httpx2.post(f"{locked_server}/login", data={"token": TOKEN, "next": target})

    assert answer.headers["location"] == "/"


def test_listening_beyond_this_machine_needs_a_token() -> None:
    with pytest.raises(SettingsError, match="ANSWERABLE_TOKEN"):
        check_listening("0.0.0.0", None)
    check_listening("0.0.0.0", "token")
    check_listening("127.0.0.1", None)
    check_listening("::1", None)


async def test_a_port_in_use_is_a_setting_to_change() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SettingsError, match=rf"cannot listen on 127.0.0.1:{port}: [\w ]+\. Set"):
            await serve(FakeEngine(), "127.0.0.1", port)


async def test_the_server_says_where_it_listens_and_ends_its_streams_when_told_to_stop() -> None:
    program = (
        "import asyncio, sys\n"
        f"sys.path.insert(0, {str(Path(__file__).parents[2])!r})\n"
        "import threading\n"
        "from tests.fakes.engine import FakeEngine, eiffel\n"
        "from answerable.web.app import serve\n"
        "engine = FakeEngine(default=eiffel(before=threading.Event()))\n"
        "asyncio.run(serve(engine, port=0, started=lambda address: print(address, flush=True)))\n"
    )
    pipe = asyncio.subprocess.PIPE
    server = await asyncio.create_subprocess_exec(sys.executable, "-c", program, stdout=pipe, stderr=pipe)
    assert server.stdout is not None
    address = (await asyncio.wait_for(server.stdout.readline(), 30)).decode().strip()
    ask = {"question": "One that takes for ever"}
    async with (
        httpx2.AsyncClient(base_url=address, timeout=20) as client,
        client.stream("POST", "/v1/answers", json=ask) as stream,
    ):
        pieces = stream.aiter_text()
        assert "open" in await anext(pieces)
        waiting = asyncio.create_task(client.post("/v1/answers", json={**ask, "stream": False}))
        while (await client.get("/v1/answers/run-2")).status_code != 200:  # noqa: ASYNC110 (another process)
            await asyncio.sleep(0.01)
        server.send_signal(signal.SIGTERM)
        rest = "".join([piece async for piece in pieces])
        refused = await waiting
    _, errors = await asyncio.wait_for(server.communicate(), 20)

    assert "event: done" not in rest
    assert (refused.status_code, refused.json()["detail"]) == (503, "The server is closing.")
    assert errors == b""

"""The own index over HTTP: listed, added to by address, site and file, removed from, and whose it is."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest
from tests.fakes.engine import FakeEngine
from tests.fakes.serving import Served, serving

from answerable.text.tokens import hash_of, new_token, session_of
from answerable.types import Token
from answerable.web.app import create_app

FORM = "multipart/form-data; boundary=x"


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    app = create_app(FakeEngine())
    with serving(lambda: app) as address:
        yield Served(app, address)


@pytest.fixture
def client(server: Served) -> Iterator[httpx2.Client]:
    with server.using(FakeEngine()) as address, httpx2.Client(base_url=address) as client:
        yield client


def urls(client: httpx2.Client) -> list[str]:
    return [page["url"] for page in client.get("/v1/index").json()["pages"]]


def test_addresses_are_read_and_those_that_cannot_be_are_told_with_their_cause(client: httpx2.Client) -> None:
    asked = {"urls": ["http://a.example/1", "http://down.example/"]}
    added = client.post("/v1/index", json=asked).json()["added"]

    assert [(one["target"], one["cause"]) for one in added] == [
        ("http://a.example/1", ""),
        (asked["urls"][1], "timeout"),
    ]
    assert added[0]["page"] == {
        "url": "http://a.example/1", "title": "Page at 1", "read": "2026-05-03T00:00:00Z", "passages": 4
    }  # fmt: skip
    assert urls(client) == ["http://a.example/1"]


def test_a_site_is_read_up_to_its_number_of_pages(client: httpx2.Client) -> None:
    client.post("/v1/index", json={"urls": ["http://a.example"], "site": True, "pages": 2})

    assert urls(client) == ["http://a.example/0", "http://a.example/1"]


def test_files_are_read_and_pages_removed_by_their_address(client: httpx2.Client) -> None:
    files = [("files", ("one.md", b"# One")), ("files", ("two.txt", b"Two"))]
    assert len(client.post("/v1/index", files=files).json()["added"]) == 2

    removed = client.delete("/v1/index", params={"url": ["file:///uploads/one.md", "http://none.example/"]})

    assert removed.json() == {"removed": 1}
    assert urls(client) == ["file:///uploads/two.txt"]


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        ({"json": {}}, 422),
        ({"json": {"urls": []}}, 422),
        ({"json": {"urls": ["x"] * 21}}, 422),
        ({"json": {"urls": ["http://a.example"], "sites": True}}, 422),
        ({"content": b"{", "headers": {"content-type": "application/json"}}, 422),
        ({"data": {"files": "no file"}, "files": {}}, 422),
        ({"files": [("files", ("", b""))]}, 400),
        ({"files": [("files", (f"{n}.txt", b"x")) for n in range(21)]}, 400),
        ({"content": b"--x\r\nbroken", "headers": {"content-type": FORM}}, 400),
        ({"content": b"x", "headers": {"content-type": "multipart/form-data"}}, 400),
    ],
)
def test_what_cannot_be_taken_is_refused_as_problem_details(
    client: httpx2.Client, request_: dict[str, Any], status: int
) -> None:
    reply = client.post("/v1/index", **request_)

    assert (reply.status_code, reply.headers["content-type"]) == (status, "application/problem+json")
    assert reply.json()["detail"]
    assert urls(client) == []


def test_too_large_a_body_is_refused_before_it_is_read(server: Served) -> None:
    head = f"POST /v1/index HTTP/1.1\r\nHost: localhost\r\nContent-Type: {FORM}\r\nContent-Length: 64000001\r\n\r\n"
    host, _, port = server.address.rpartition("/")[2].partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(head.encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 413")


def test_with_tokens_every_owner_is_answered_from_the_index_and_the_admin_alone_changes_it() -> None:
    engine = FakeEngine()
    secret = new_token()
    token = Token("tok_anna", "anna", "", datetime.now(UTC))
    asyncio.run(engine.tokens.create(token, hash_of(session_of(secret))))
    anna, admin = ({"authorization": f"Bearer {one}"} for one in (secret, "the admin's"))
    page = {"accept": "text/html"}
    with serving(lambda: create_app(engine, token="the admin's")) as address, httpx2.Client(base_url=address) as client:
        body = {"urls": ["http://a.example/1"]}
        refused = [
            client.post("/v1/index", json=body, headers=anna),
            client.post("/v1/index", files=[("files", ("a.txt", b"a"))], headers=anna),
            client.delete("/v1/index", params={"url": "http://a.example/1"}, headers=anna),
            client.post("/sources", files={"url": (None, "a.example")}, headers=anna),
            client.post("/sources/remove", data={"url": "x"}, headers=anna),
            client.get("/settings", headers=anna),
            client.post("/settings", headers=anna),
            client.get("/v1/parts", headers=anna),
            client.post("/v1/parts/test", json={"part": "reranker"}, headers=anna),
        ]
        assert [reply.status_code for reply in refused] == [403] * len(refused)
        assert client.post("/v1/index", json=body, headers=admin).status_code == 200
        assert client.get("/v1/index", headers=anna).json() == client.get("/v1/index", headers=admin).json()
        assert "shared by all" in client.get("/sources", headers=anna | page).text
        assert client.get("/settings", headers=admin | page).status_code == 200

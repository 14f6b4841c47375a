"""Reranker, those behind an address: the documented shapes on real sockets, and every way to fail.

Shapes as described at docs.cohere.com/reference/rerank, docs.voyageai.com/reference/reranker-api,
jina.ai/reranker and huggingface.github.io/text-embeddings-inference, read 2026-11-29.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.fakes.vendor import Reply, Vendor, vendor

from answerable.errors import RerankError, SettingsError
from answerable.providers.reranking.remote import DIALECTS, RemoteReranker, make_reranker

KEY = "secret-key-1234"
NOW = datetime(2026, 11, 29, 10, 0, tzinfo=UTC)
TEXTS = ["Bees make honey.", "The tower is 214 metres tall.", "The tower is old."]
SCORES = {1: 0.93, 2: 0.21, 0: 0.02}  # best first, as servers answer
PATHS = {name: dialect.path for name, dialect in DIALECTS.items()}


def answer(kind: str, scores: dict[int, Any] = SCORES) -> Any:
    dialect = DIALECTS[kind]
    rows = [{"index": index, dialect.score: score} for index, score in scores.items()]
    return {dialect.rows: rows, "model": "m"} if dialect.rows else rows


def good(kind: str, scores: dict[int, Any] = SCORES) -> Reply:
    return Reply(json.dumps(answer(kind, scores)).encode())


Start = Callable[..., Any]


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    async with AsyncExitStack() as stack:

        async def start(kind: str, *replies: Reply, **options: Any) -> tuple[Vendor, RemoteReranker]:
            server = await stack.enter_async_context(vendor(*replies))
            model = "m-1" if DIALECTS[kind].model else ""
            reranker = RemoteReranker(
                kind, model, base_url=server.url, api_key=KEY, clock=lambda: NOW, **{"timeout": 2.0, **options}
            )
            stack.push_async_callback(reranker.aclose)
            return server, reranker

        yield start


@pytest.mark.parametrize("kind", DIALECTS)
async def test_scores_stand_in_the_order_of_the_texts(kind: str, start: Start) -> None:
    server, reranker = await start(kind, good(kind))
    assert await reranker.score("How tall is the tower?", TEXTS) == [0.02, 0.93, 0.21]
    (seen,) = server.seen
    assert (seen.method, seen.path, seen.headers["authorization"]) == ("POST", PATHS[kind], f"Bearer {KEY}")
    assert seen.body == {
        "query": "How tall is the tower?",
        DIALECTS[kind].texts: TEXTS,
        **({"model": "m-1"} if DIALECTS[kind].model else {}),
    }


async def test_no_texts_have_no_scores_and_cost_no_request(start: Start) -> None:
    server, reranker = await start("cohere", good("cohere"))
    assert await reranker.score("How tall?", []) == []
    assert server.seen == []


async def test_scores_that_are_no_chances_become_some_in_the_same_order(start: Start) -> None:
    _, reranker = await start("server", good("server", {0: -7.5, 1: 4.0, 2: 0.0}))
    bee, tall, old = await reranker.score("How tall?", TEXTS)
    assert 0 < bee < old == 0.5 < tall < 1


async def test_what_the_server_left_out_or_spoilt_has_the_lowest_score(start: Start) -> None:
    odd = {"results": [{"index": 1, "relevance_score": 0.9}, {"index": 7, "relevance_score": 1}, None, {"index": 0}]}
    _, reranker = await start("cohere", Reply(json.dumps(odd).encode()))
    assert await reranker.score("How tall?", TEXTS) == [0.0, 0.9, 0.0]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(b"{}", 401), "refused the key"),
        (Reply(b"{}", 429, {"Retry-After": "30"}), "limits how often"),
        (Reply(b"{}", 500), "status 500"),
        (Reply(b"{}", 302, {"Location": "http://127.0.0.1:9/"}), "status 302"),
        (Reply(b"<html>"), "not as documented"),
        (Reply(b"null"), "not as documented"),
        (Reply(b'{"results": "x"}'), "not as documented"),
        (Reply(b'{"results": [{"index": true, "relevance_score": NaN}]}'), "not as documented"),
        (Reply(b"[" * 100_000), "not as documented"),
        (Reply(b"{", cut=True), "could not be reached"),
        (Reply(delay=30), "did not answer within 2 s"),
    ],
)
async def test_a_failure_is_told_and_is_not_tried_again_at_once(reply: Reply, told: str, start: Start) -> None:
    passed = [0.0]
    server, reranker = await start("cohere", reply, timeout=2 if reply.delay else 30, monotonic=lambda: passed[0])
    with pytest.raises(RerankError, match=told) as caught:
        await reranker.score("How tall?", TEXTS)
    assert KEY not in caught.value.message + caught.value.hint
    with pytest.raises(RerankError, match=f"{told}.*not asked again"):
        await reranker.score("How tall?", TEXTS)
    assert len(server.seen) == 1
    passed[0] = 31.0 if reply.status == 429 else 61.0
    with pytest.raises(RerankError):
        await reranker.score("How tall?", TEXTS)
    assert len(server.seen) == 2  # the slow one is given time to be asked at all


async def test_an_address_that_names_the_endpoint_is_taken_as_it_is() -> None:
    async with vendor(good("server")) as server:
        reranker = RemoteReranker("server", "m", base_url=f"{server.url}/my/rerank")
        await reranker.score("How tall?", TEXTS)
        await reranker.aclose()
    assert server.seen[0].path == "/my/rerank"
    assert "authorization" not in server.seen[0].headers


@pytest.mark.parametrize(
    ("name", "values", "told"),
    [
        ("coheer:x", {}, "unknown. Known: cohere:MODEL"),
        ("cohere", {}, "needs a model: cohere:MODEL"),
        ("cohere:rerank-v3.5", {}, "needs COHERE_KEY"),
        ("server:m", {}, "needs RERANKER_URL"),
        ("tei", {"reranker_url": "socks5://a.example"}, "needs RERANKER_URL"),
    ],
)
def test_what_is_missing_is_named(name: str, values: dict[str, str], told: str) -> None:
    known = {"rerank_timeout": 1.5, "proxy": ""} | values
    with pytest.raises(SettingsError, match=told):
        make_reranker(name, lambda setting: known.get(setting, ""), str.upper, clock=lambda: NOW)


async def test_a_complete_setting_makes_one_and_none_makes_none() -> None:
    known = {"rerank_timeout": 1.5, "proxy": "", "cohere_key": KEY, "reranker_url": "http://127.0.0.1:9"}
    for name in ("cohere:rerank-v3.5", "server:m", "tei"):
        made = make_reranker(name, lambda setting: known.get(setting, ""), str.upper, clock=lambda: NOW)
        assert made is not None
        assert made.name == name
        await made.aclose()
    assert make_reranker("", lambda _: "", str.upper, clock=lambda: NOW) is None

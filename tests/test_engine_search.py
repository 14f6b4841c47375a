"""Which sites and providers a question is searched at, through the whole engine, the API and the settings."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from tests.fakes.search_vendors import good
from tests.fakes.vendor import Reply, vendor

from answerable.errors import BadRequest, NotFound, SearchError, SettingsError, Unusable
from answerable.evals.miniweb import MiniWeb
from answerable.web.app import create_app
from answerable.wiring import COLLECTION, Engine

pytestmark = pytest.mark.asyncio(loop_scope="module")
TALL = "How tall is the Eiffel Tower?"


def settings_over(web: MiniWeb, folder: Path, **more: object) -> dict[str, object]:
    known: dict[str, object] = {
        "data_dir": str(folder),
        "proxy": web.proxy_url,
        "search": ["searxng"],
        "searxng_url": web.search_url,
        "collection": False,
    }
    return known | more


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def web() -> AsyncIterator[MiniWeb]:
    async with MiniWeb(COLLECTION) as web:
        yield web


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def engine(web: MiniWeb, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Engine]:
    folder = tmp_path_factory.mktemp("engine")
    async with Engine.from_settings(settings_over(web, folder, deny_domains="denied.example")) as engine:
        yield engine


def hosts(turn: Any) -> set[str]:
    return {source.url.split("/")[2] for source in (*turn.sources, *turn.also_read)}


async def test_a_question_is_kept_to_its_sites_or_keeps_away_from_them(engine: Engine) -> None:
    everywhere = hosts(await engine.ask(TALL))
    assert len(everywhere) > 1
    first = sorted(everywhere)[0]

    assert hosts(await engine.ask(TALL, domains=[first])) == {first}
    assert first not in hosts(await engine.ask(TALL, domains=[f"-{first}"]))


async def test_sites_that_are_none_or_not_allowed_are_refused_before_the_question_runs(engine: Engine) -> None:
    with pytest.raises(BadRequest, match="is no domain"):
        await engine.ask(TALL, domains=["not a domain"])
    with pytest.raises(BadRequest, match="20 are the most"):
        await engine.ask(TALL, domains=[f"s{n}.example" for n in range(21)])


async def test_a_question_cannot_widen_what_the_settings_allow(web: MiniWeb, tmp_path: Path) -> None:
    settings = settings_over(web, tmp_path, allow_domains="example", deny_domains="denied.example")
    async with Engine.from_settings(settings) as engine:
        with pytest.raises(Unusable, match="none of the chosen sites") as caught:
            await engine.ask(TALL, domains=["elsewhere.test"])
        assert "ANSWERABLE_ALLOW_DOMAINS, which is example" in caught.value.hint
        assert engine._sites(("a.example",)) == ("a.example", "-denied.example")
        assert engine._sites(()) == ("example", "-denied.example")


async def test_the_api_takes_sites_and_names_what_is_wrong_with_them(engine: Engine) -> None:
    transport = httpx2.ASGITransport(create_app(engine))
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
        wanted = {"question": TALL, "stream": False, "domains": ["https://www.Lookouts.example/"]}
        turn = (await client.post("/v1/answers", json=wanted)).json()
        assert {source["site"] for source in (*turn["sources"], *turn["also_read"])} <= {"lookouts.example"}
        for bad in (["x y"], ["a.example", "-a.example"], ["a.example"] * 21, "a.example"):
            reply = await client.post("/v1/answers", json={"question": TALL, "domains": bad})
            assert reply.status_code == 422
            assert "domains" in reply.text


async def test_a_search_without_an_answer_is_kept_to_sites_too(engine: Engine) -> None:
    found = await engine.search("Eiffel Tower height", domains=["-wikipedia.org"])
    some = found.results[0].url.split("/")[2]
    found = await engine.search("Eiffel Tower height", domains=[some])
    assert {page.url.split("/")[2] for page in found.results} == {some}


async def test_papers_are_searched_in_the_catalogues_and_shown_with_who_wrote_them(tmp_path: Path) -> None:
    abstract = "The Harbour Tower is 214 metres tall, as we measured in the summer of 2018 with two lasers at its foot."

    def longer(rows: list[Any]) -> None:
        rows[0]["abstract_inverted_index"] = {word: [place] for place, word in enumerate(abstract.split())}

    async with vendor(good("openalex", longer)) as catalogue:
        settings = {"data_dir": str(tmp_path), "search": ["openalex"], "collection": False, "mailto": "ops@a.example"}
        async with Engine.from_settings(settings) as engine:
            openalex = next(one for one in engine.parts.searchers if one.name == "openalex")
            openalex.provider.provider.base_url = catalogue.url  # type: ignore[attr-defined]
            turn = await engine.ask("How tall is the Harbour Tower?", focus="academic")
        assert catalogue.seen[0].params["mailto"] == "ops@a.example"
    work = next(one for one in (*turn.sources, *turn.also_read) if one.authors)
    assert (work.authors, work.year, work.venue) == (("Anna Berg", "Carl Lund"), 2019, "Journal of Towers")


async def test_feeds_are_read_through_the_guarded_fetcher(tmp_path: Path) -> None:
    feed = (Path(__file__).parent / "data" / "search" / "news.rss").read_bytes()
    async with vendor(Reply(feed)) as host:
        settings = {"data_dir": str(tmp_path), "search": ["feeds"], "feeds": f"{host.url}/rss", "collection": False}
        async with Engine.from_settings(settings) as engine:
            feeds = next(one for one in engine.parts.searchers if one.name == "feeds")
            choices: dict[str, Any] = {"limit": 8, "freshness": "evergreen", "focus": "news", "locale": "en"}
            with pytest.raises(SearchError, match="is not a public address"):
                await feeds.search("ferry", **choices)
            assert not any(seen.path == "/rss" for seen in host.seen)
        async with Engine.from_settings(settings | {"allow_hosts": host.url.removeprefix("http://")}) as engine:
            feeds = next(one for one in engine.parts.searchers if one.name == "feeds")
            assert [one.title for one in await feeds.search("ferry strike", **choices)] == ["Ferry strike & talks"]


async def test_a_provider_without_what_it_needs_stops_the_start_and_says_what(tmp_path: Path) -> None:
    for name, variable in (("exa", "EXA_API_KEY"), ("google_pse", "GOOGLE_PSE_KEY"), ("feeds", "ANSWERABLE_FEEDS")):
        with pytest.raises(SettingsError, match=variable):
            async with Engine.from_settings({"data_dir": str(tmp_path), "search": [name]}):
                pass


async def test_every_provider_that_is_set_is_examined_by_name(tmp_path: Path) -> None:
    keys = ("exa_key", "serpapi_key", "serper_key", "google_pse_key", "google_pse_cx")
    settings = {"data_dir": str(tmp_path), "proxy": "http://127.0.0.1:9", **dict.fromkeys(keys, "k" * 20)}
    async with Engine.from_settings(settings) as engine:
        findings = {finding.part: finding for finding in await engine.examine()}
    names = ("exa", "serpapi", "serper", "google_pse", "openalex", "arxiv", "crossref", "semantic_scholar")
    for name in names:
        finding = findings[f"search: {name}"]
        assert not finding.ok
        assert "Check the network, the proxy setting" in finding.cure
        assert "k" * 20 not in json.dumps([finding.detail, finding.cure])
    assert "search: ddgs" not in findings


async def test_one_provider_is_examined_alone_and_anew_also_when_it_is_not_in_use(web: MiniWeb, tmp_path: Path) -> None:
    async with Engine.from_settings(settings_over(web, tmp_path, exa_key="k" * 20)) as engine:
        before = len(web.requests)
        for _ in range(2):  # what it remembers is no proof that it answers
            (finding,) = await engine.examine("search: searxng")
            assert (finding.ok, finding.detail) == (True, "3 results")
        assert [request.host for request in web.requests[before:]] == ["", ""]
        (finding,) = await engine.examine("search: exa")
        assert not finding.ok
        assert [request.host for request in web.requests[before + 2 :]] == ["api.exa.ai"]
        assert "k" * 20 not in json.dumps([finding.detail, finding.cure])
        (finding,) = await engine.examine("reranker")
        assert finding.ok
        with pytest.raises(Unusable, match="TAVILY_API_KEY"):
            await engine.examine("search: tavily")
        with pytest.raises(NotFound, match="no part"):
            await engine.examine("search: nowhere")
        assert len(web.requests) == before + 3


async def test_a_chosen_reranker_that_fails_is_named_in_the_turn_and_the_answer_stands(
    web: MiniWeb, tmp_path: Path
) -> None:
    async with vendor(Reply(b"{}", 500)) as server:
        settings = settings_over(web, tmp_path, reranker="server:m", reranker_url=server.url)
        async with Engine.from_settings(settings) as engine:
            turn = await engine.ask(TALL)
            finding = next(one for one in await engine.examine() if one.part == "reranker by choice")
    assert "330" in turn.answer
    assert any(note.code == "reranker_failed" and "server:m" in note.message for note in turn.notes)
    assert len(server.seen) == 1, "it rests after a failure"
    assert not finding.ok
    assert "ANSWERABLE_RERANKER" in finding.cure

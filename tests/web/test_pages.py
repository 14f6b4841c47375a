"""The pages as a browser without scripts gets them."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from html import unescape

import httpx2
import pytest
from tests.fakes.engine import TOWER, VISITS, FakeAbout, FakeEngine, Script, broken, eiffel, nothing_found, page
from tests.fakes.serving import Served, serving

from answerable.types import Block, Note
from answerable.web.app import create_app
from answerable.web.views import Links, at_home, passages_of, scope
from answerable.web.words import words_of


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine({"Mayor?": nothing_found(), "Break": broken()})


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    app = create_app(FakeEngine())
    with serving(lambda: app) as address:
        yield Served(app, address)


@pytest.fixture
def client(server: Served, engine: FakeEngine) -> Iterator[httpx2.Client]:
    headers = {"accept": "text/html,application/xhtml+xml"}
    with (
        server.using(engine) as address,
        httpx2.Client(base_url=address, headers=headers, follow_redirects=True) as client,
    ):
        yield client


def test_the_start_page_says_what_is_searched_and_offers_questions(client: httpx2.Client) -> None:
    html = client.get("/").text

    assert "Searches the web through SearXNG and Wikipedia, and your own sources." in html
    assert "How tall is the Eiffel Tower?" in html
    assert 'action="/ask"' in html


def test_the_start_page_says_when_the_web_is_out_of_reach(engine: FakeEngine) -> None:
    sentence = "The web cannot be reached from here; answering from the built-in collection."
    engine = FakeEngine(web=sentence, about=FakeAbout(collection_only=True))
    with serving(lambda: create_app(engine)) as address:
        assert sentence in httpx2.get(address).text


def test_the_start_page_is_light(client: httpx2.Client) -> None:
    html = client.get("/").text
    assets = re.findall(r'(?:href|src)="(/static/[^"]+)"', html)
    scripts = [f"/static/{name}.js" for name in ("api", "sse", "card", "shown", "state", "turn", "markdown")]
    weight = len(html) + sum(len(client.get(path).content) for path in {*assets, *scripts})

    assert weight < 150_000


def test_a_plain_form_leads_to_the_finished_answer(client: httpx2.Client) -> None:
    response = client.post("/ask", data={"question": "How tall is it?", "focus": "own"})

    assert response.url.path == "/c/conv-1"
    assert [r.status_code for r in response.history] == [303]
    assert "330 metres" in response.text
    assert "3 of 6 claims supported, 1 in part" in response.text
    assert "With the digital radio antenna" in response.text


def test_a_follow_up_and_an_example_by_plain_form(client: httpx2.Client, engine: FakeEngine) -> None:
    client.post("/ask", data={"example": "How tall is the Eiffel Tower?"})
    response = client.post("/ask", data={"question": "And its weight?", "conversation_id": "conv-1"})

    assert response.url.path == "/c/conv-1"
    assert [ask.question for ask in engine.runs.asked] == ["How tall is the Eiffel Tower?", "And its weight?"]
    assert response.text.count('<article class="turn') == 3, "two turns, and the template of the scripts"


@pytest.mark.parametrize(("question", "words"), [("", "the question is empty"), ("x" * 4001, "4,001 characters")])
def test_a_question_that_cannot_be_asked_comes_back_with_the_reason(
    client: httpx2.Client, question: str, words: str
) -> None:
    response = client.post("/ask", data={"question": question})

    assert response.status_code == 422
    assert words in response.text


def test_sources_are_listed_cited_first_with_their_labels(client: httpx2.Client) -> None:
    html = client.post("/ask", data={"question": "How tall?"}).text
    order = [html.index(title) for title in ("Eiffel Tower: height", "Visitor numbers", "Puddled iron", "Also read")]

    assert order == sorted(order)
    assert html.index("Lifts and stairs") > order[-1]
    assert "built-in collection" in html
    assert "read as snippet only" in html
    assert 'href="/collection/atlas.example/visits#:~:text=The%20tower%20welcomed' in html
    assert "brave did not answer within 2 s." in html


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "only the beginning was read"), ("de", "nur der Anfang wurde gelesen"), ("hi", "केवल शुरुआत पढ़ी गई")],
)
def test_a_page_that_was_cut_is_shown_as_cut(client: httpx2.Client, language: str, words: str) -> None:
    html = client.post("/ask", data={"question": "How tall?"}, headers={"accept-language": language}).text
    stored = client.get(f"/pages/{VISITS.page_id}", headers={"accept-language": language}).text
    whole = client.get(f"/pages/{TOWER.page_id}", headers={"accept-language": language}).text

    assert [html.count(words), stored.count(words), whole.count(words)] == [1, 1, 0]


def test_a_site_s_own_name_stands_beside_its_host_where_the_host_bears_it_out(client: httpx2.Client) -> None:
    html = client.post("/ask", data={"question": "How tall?"}).text
    stored = client.get(f"/pages/{TOWER.page_id}").text
    named = '<span class="site">towers.example</span> <span dir="auto">The Towers</span>'

    assert [html.count(named), stored.count(named), html.count("The Towers</span>")] == [1, 1, 1]
    assert '<span class="site">lifts.example</span> <time' in html


def test_the_data_beside_a_turn_cannot_close_its_block(client: httpx2.Client, engine: FakeEngine) -> None:
    hostile = page("x", "</script><script>alert(1)</script>", "text", host="x.example")
    engine.runs.default = Script(parts=("</script><b>",), pages=(hostile,))
    html = client.post("/ask", data={"question": "</script><img src=x>"}).text
    data = re.search(r'<script type="application/json" class="data">(.*?)</script>', html, re.DOTALL)

    assert data
    assert json.loads(data[1])["question"] == "</script><img src=x>"
    assert re.findall(r"<script[^>]*>", html) == [
        '<script type="module" src="/static/app.js">',
        '<script type="application/json" class="data">',
    ]
    assert "<img" not in html


def test_too_little_evidence_is_said_with_what_was_searched_and_ways_on(client: httpx2.Client) -> None:
    html = client.post("/ask", data={"question": "Mayor?"}).text

    assert "Not enough evidence" in html
    assert "mayor of Atlantis salary" in html
    assert "Three ways on" in html


def test_a_failed_turn_says_why_and_can_be_tried_again(client: httpx2.Client) -> None:
    html = client.post("/ask", data={"question": "Break"}).text

    assert "The model stopped answering." in html
    retried = client.post(re.search(r'action="(/turns/[^"]+/retry)"', html)[1])  # type: ignore[index]
    assert retried.url.path == "/c/conv-1"


def test_a_running_turn_reloads_itself_without_scripts(client: httpx2.Client, engine: FakeEngine) -> None:
    hold = threading.Event()
    engine.runs.scripts["Hold"] = eiffel(hold=hold)
    with client.stream("POST", "/v1/answers", json={"question": "Hold"}) as response:
        next(response.iter_raw())
    html = client.get("/c/conv-1").text
    hold.set()

    assert '<noscript><meta http-equiv="refresh"' in html
    assert 'class="turn running"' in html


def test_a_page_as_it_was_read_marks_the_quote(client: httpx2.Client) -> None:
    start = TOWER.text.index("With the")
    end = TOWER.text.index(" It was the")
    html = client.get("/pages/page-eiffel", params={"start": start, "end": end}).text

    assert unescape(re.search(r'<mark id="quote">(.*?)</mark>', html)[1]) == TOWER.text[start:end]  # type: ignore[index]
    assert html.count("<mark") == 1


def test_a_quote_is_marked_across_blocks_and_outside_of_them() -> None:
    text = "Head\n\nOne two.\n\nThree."
    blocks = (Block("heading", 0, 4), Block("paragraph", 6, 14), Block("paragraph", 16, 22))
    read = replace(TOWER, text=text, blocks=blocks)

    across = passages_of(read, 10, 22)
    outside = passages_of(read, 4, 6)

    assert across[1:] == [
        ("paragraph", [("One ", False), ("two.", True)]),
        ("paragraph", [("Three.", True)]),
    ]
    assert outside == [("paragraph", [("Head", False), ("\n\n", True), ("One two.\n\nThree.", False)])]


def test_pages_of_the_collection_are_served_without_script_or_origin(client: httpx2.Client) -> None:
    response = client.get("/collection/atlas.example/tower")

    assert response.headers["content-security-policy"].startswith("sandbox")
    assert "script-src" not in response.headers["content-security-policy"]
    assert "allow-scripts" not in response.headers["content-security-policy"]
    assert client.get("/collection/atlas.example/none").status_code == 404


def test_links_between_pages_of_the_collection_stay_in_it() -> None:
    links = Links("/base", frozenset({"atlas.example", "rivers.example"}))
    page = (
        b"<head><a href='/a'><a HREF=\"http://rivers.example/b?c\"><a href=/d>"
        b"<a href='//x/y'><a href='#z'><a href='http://other.example/e'> \xe4"
    )

    assert at_home(page, "atlas.example", links).split(b"</style>")[1] == (
        b"<a href='/base/collection/atlas.example/a'><a HREF=\"/base/collection/rivers.example/b?c\">"
        b"<a href=/base/collection/atlas.example/d><a href='//x/y'><a href='#z'><a href='http://other.example/e'> \xe4"
    )


def test_a_turn_says_when_the_collection_stood_in_for_the_web(client: httpx2.Client, engine: FakeEngine) -> None:
    words = "No web search answered"
    failed = (Note("provider_failed", "wikipedia: the name did not resolve."),)
    engine.runs.default = Script(("It is so.",), (VISITS,), notes=failed)
    stood_in = client.post("/ask", data={"question": "x"}).text
    engine.runs.default = Script(("It is so.",), (VISITS, TOWER), notes=failed)
    mixed = client.post("/ask", data={"question": "x"}).text

    assert words in stood_in
    assert words not in mixed


def test_errors_are_pages_for_people(client: httpx2.Client) -> None:
    response = client.get("/c/none")

    assert response.status_code == 404
    assert response.headers["content-type"].startswith("text/html")
    assert "There is no conversation" in response.text


def test_an_error_below_a_mounted_part_finds_its_own_styles(client: httpx2.Client) -> None:
    page = client.get("/static/none.css", headers={"accept": "text/html"}).text

    assert 'href="/static/' in page
    assert "/static/static/" not in page


def test_the_api_reference_needs_no_other_host(client: httpx2.Client) -> None:
    html = client.get("/docs").text

    assert "/v1/answers" in html
    assert "What to answer, 1 to 4,000 characters." in html
    assert f"curl -N {str(client.base_url).rstrip('/')}/v1/answers" in html
    assert "`" not in html
    assert "<dd></dd>" not in html, "every field says what it is"
    assert not re.findall(r'(?:src|href)="https?:', html)


def test_behind_a_path_prefix_every_address_keeps_it(engine: FakeEngine) -> None:
    async def below(scope: dict, receive: object, send: object) -> None:
        await app({**scope, "root_path": "/ask-me", "path": "/ask-me" + scope["path"]}, receive, send)

    app = create_app(engine)
    with serving(lambda: below) as address:
        html = httpx2.get(address).text
        response = httpx2.post(f"{address}/ask", data={"question": "x"})

    assert not re.findall(r'(?:src|href|action)="/(?!ask-me/)', html)
    assert response.headers["location"].startswith("/ask-me/c/")


def test_only_addresses_that_can_be_followed_are_linked() -> None:
    links = Links("", frozenset({"atlas.example"}))

    assert links.outside("javascript:alert(1)") is None
    assert links.outside("https://a.example/x", "javascript:alert(1)") == "https://a.example/x"
    assert links.outside("https://a.example/x", "https://a.example/x#:~:text=y") == "https://a.example/x#:~:text=y"
    assert links.outside("http://atlas.example/a?b=1", "http://atlas.example/a?b=1#:~:text=c") == (
        "/collection/atlas.example/a?b=1#:~:text=c"
    )


def test_what_is_searched_in_words() -> None:
    assert scope(("brave",), words_of("en")) == "Searches the web through Brave Search."
    assert scope(("own", "ddgs"), words_of("de")) == (
        "Sucht im Web (schlüssellose Websuche) und in Ihren eigenen Quellen."
    )
    assert (
        scope(("searxng", "tavily", "ddgs"), words_of("en"))
        == "Searches the web through SearXNG, Tavily and keyless web search."
    )

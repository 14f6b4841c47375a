"""The pure modules of the page, run where they run: in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tests.fakes.engine import FakeEngine
from tests.fakes.serving import serving
from tests.fakes.streams import case

from answerable.web import sse
from answerable.web.app import create_app


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with serving(lambda: create_app(FakeEngine())) as address:
        page = browser.new_page(base_url=address)
        page.goto("/docs")  # a page of this origin without scripts of its own
        yield page
        page.close()


def run(page: Page, module: str, body: str, given: Any = None) -> Any:
    return page.evaluate(
        f"async (given) => {{ const m = await import('/static/{module}.js'); {body} }}",
        given,
    )


def parsed(page: Page, pieces: list[str]) -> list[dict[str, str]]:
    found: list[dict[str, str]] = run(
        page, "sse", "const p = new m.EventParser(); return given.flatMap((piece) => p.push(piece));", pieces
    )
    return found


def test_the_parser_reads_what_the_server_writes(page: Page) -> None:
    given, expected = case("sse-encode-newlines")
    wire = b"".join(sse.frame(p, event="x", number=k) for k, p in enumerate(given["payloads"], 1)).decode("utf-8")

    assert [event["data"] for event in parsed(page, [wire])] == expected["decoded"]
    assert [event["data"] for event in parsed(page, list(wire))] == expected["decoded"]


@pytest.mark.parametrize(
    ("stream", "events"),
    [
        ("data: a\n\ndata: b\n\n", ["a", "b"]),
        ("data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]),
        ("data: a\r\rdata: b\r\rx", ["a", "b"]),
        ("\ufeffdata: a\n\n", ["a"]),
        (": ping\n\ndata: a\n\n", ["a"]),
        ("event: x\n\ndata: a\n\n", ["a"]),
        ("data\ndata:\n\n", ["\n"]),
        ("data: cut off\n", []),
    ],
)
def test_the_parser_keeps_the_rules_however_the_stream_is_cut(page: Page, stream: str, events: list[str]) -> None:
    for pieces in ([stream], list(stream), [stream[:5], stream[5:]]):
        assert [event["data"] for event in parsed(page, pieces)] == events


def test_an_id_lasts_until_the_next_and_a_name_only_for_its_event(page: Page) -> None:
    events = parsed(page, ["id: 7\nevent: delta\ndata: a\n\ndata: b\n\n"])

    assert events == [
        {"id": "7", "event": "delta", "data": "a"},
        {"id": "7", "event": "message", "data": "b"},
    ]


def test_titles_and_addresses_are_cleaned_as_on_the_server(page: Page) -> None:
    given, expected = case("ui-odd-titles")
    shown = run(page, "shown", "return given.map((s) => m.displayTitle(s.title, s.url));", given["sources"])

    assert {k: shown[int(k)] for k in expected["display"]} == expected["display"]
    assert max(map(len, shown)) <= expected["max_display_chars"]
    assert not [title for title in shown for c in expected["no_characters"] if c in title]
    bad, _ = case("ui-link-schemes")
    urls = [source["url"] for source in bad["sources"]] + ["data:text/html,x", "https://a b", "//x", "java\tscript:x"]
    assert run(page, "shown", "return given.map(m.safeHref);", urls) == [None] * len(urls)


@pytest.mark.parametrize("name", ["ui-link-schemes", "ui-image-beacon", "ui-currency-math"])
def test_streamed_markdown_keeps_the_rules_of_the_finished_answer(page: Page, name: str) -> None:
    given, expected = case(name)
    seen = run(
        page,
        "markdown",
        """const box = document.createElement("div"); new m.AnswerRenderer(box).show(given, [], [], "t-");
        const all = (selector, take) => [...box.querySelectorAll(selector)].map(take);
        return {hrefs: all("a", (a) => a.getAttribute("href")), text: box.textContent,
          elements: all("*", (e) => e.localName), math: all(".math", (e) => e.textContent)};""",
        given["markdown"],
    )

    assert sorted(seen["hrefs"]) == sorted(expected.get("anchors_allowed", []))
    assert all(words in seen["text"] for words in expected.get("text_still_visible", []) + expected.get("literal", []))
    assert not set(expected.get("no_elements", ())) & set(seen["elements"])
    assert seen["math"] == expected.get("math", [])


def test_only_the_last_block_is_drawn_again_as_text_arrives(page: Page) -> None:
    kept = run(
        page,
        "markdown",
        """const box = document.createElement("div"); const r = new m.AnswerRenderer(box);
        r.show("One.\\n\\nTwo", [], []); const first = box.firstChild; r.show("One.\\n\\nTwo three.\\n\\nFour", [], []);
        return [box.firstChild === first, box.children.length];""",
    )

    assert kept == [True, 3]


GROWING = """const sentences = [];
const citations = [{n: 1, sentence: 0, title: "A", url: "https://a.example/", verdict: "supported"}];
const here = document.createElement("div"), grown = new m.AnswerRenderer(here), wrong = [];
let text = "";
const look = () => {
  grown.show(text, sentences, citations, "t-");
  const fresh = document.createElement("div");
  new m.AnswerRenderer(fresh).show(text, sentences, citations, "t-");
  if (here.innerHTML !== fresh.innerHTML) wrong.push(text);
};
given.forEach((sentence, index) => {
  const start = [...text].length;
  for (const piece of sentence.match(/[^]{1,3}/gu)) { text += piece; look(); }
  const end = [...text].length;
  const verdict = ["supported", "partly", "unsupported", "uncited", null][index % 5];
  sentences.push({index, text: sentence, start, end, verdict, reason: "", citations: []});
  look();
  text += sentence.endsWith("\\n") ? "" : " ";
  look();
});
return wrong;"""


@pytest.mark.parametrize(
    "sentences",
    [
        ["One[1].", "Two **strong**.", "It costs $5.", "Then $10 and _more_.", "An **open", "one closes**.", "End."],
        ["A `tick", "that` closes[1].", "Half a [link", "](https://a.example/x) here.", "𝔗all 😀[1].", "Fine."],
        ["First.", "Second[1].", "Third.", "| a | b |\n", "|---|---|\n", "| 1[1] | 2 |\n", "after."],
        ["- item one[1]\n", "- item two\n", "  - deeper\n", "- item three[1]\n", "\nText[1].", "More.", "> quote"],
        ["### Head\n", "Text one.", "Text two[1].\n", "\n```\n", "code * [1]\n", "```\n", "Done <b> here."],
    ],
)  # fmt: skip
def test_text_that_grew_looks_as_if_it_had_come_at_once(page: Page, sentences: list[str]) -> None:
    assert run(page, "markdown", GROWING, sentences) == []


def test_of_a_long_paragraph_only_its_end_is_drawn_again(page: Page) -> None:
    touched = run(
        page,
        "markdown",
        """const box = document.createElement("div"), r = new m.AnswerRenderer(box), sentences = [];
        let text = "";
        for (let index = 0; index < 50; index++) {
          const start = text.length;
          text += `Sentence ${index} says **something** of it.`;
          sentences.push({index, text: text.slice(start), start, end: text.length, verdict: "partly", reason: ""});
          r.show(text, sentences, []);
          text += " ";
        }
        const before = [...box.firstChild.childNodes];
        r.show(`${text}And so`, sentences, []);
        const after = [...box.firstChild.childNodes];
        return [before.length > 100, before.every((node, k) => node === after[k]), after.at(-1).data];""",
    )

    assert touched == [True, True, " And so"]


def test_a_reason_is_said_in_the_reader_s_language_where_its_code_is_known(page: Page) -> None:
    known = {"reason": "the source does not say 330", "reason_code": "lacks", "reason_values": ["330"]}
    own = {"reason": "A judge's own words.", "reason_code": ""}
    browser = page.context.browser
    assert browser is not None
    german = browser.new_page(locale="de-DE")
    german.goto(page.url)
    said = [run(one, "shown", "return given.map(m.reasonOf);", [known, own]) for one in (page, german)]
    german.close()

    assert said == [[known["reason"], own["reason"]], ["die Quelle sagt nicht: 330", own["reason"]]]


def test_progress_in_words_and_counts(page: Page) -> None:
    events = [
        ["progress", {"stage": "searching", "queries": ["a", "b", "c"]}],
        ["progress", {"stage": "searching", "done": 1, "total": 3}],
        ["progress", {"stage": "reading", "done": 0, "total": 12}],
        ["progress", {"stage": "reading", "done": 7, "total": 12}],
        ["progress", {"stage": "writing"}],
        ["sentence", {"index": 0, "verdict": "supported", "citations": []}],
    ]
    words = run(
        page,
        "state",
        "let s = m.begin('q'); return given.map(([event, data]) => m.step(s = m.apply(s, event, data)));",
        events,
    )

    assert words == [
        "Searching 3 queries",
        "Searching 3 queries",
        "Reading 12 pages",
        "Reading 7 of 12 pages",
        "Writing",
        "Writing, 1 claim checked",
    ]

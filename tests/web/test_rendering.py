"""Answers as safe HTML: no script, no image, no link in disguise; chips and marks where they belong."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.streams import case

from answerable.types import Citation, Sentence, Verdict
from answerable.web.rendering import clean, display_title, plain, render_answer, safe_href

CITATION = Citation(
    1, "p", "https://a.example/", "A title", "a.example", None, 0, "quote", 0, 5, "supported", "", "page", ""
)


class Seen(HTMLParser):
    """What a browser would make of a fragment."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def hrefs(self) -> list[str]:
        return [href for _, attributes in self.elements if (href := attributes.get("href"))]


def sentence(answer: str, text: str, verdict: Verdict | None, index: int = 0, reason: str = "") -> Sentence:
    start = answer.index(text)
    return Sentence(index, text, start, start + len(text), (), verdict, reason)


def test_links_in_disguise_stay_text_and_honest_ones_work() -> None:
    given, expected = case("ui-link-schemes")
    seen = Seen(render_answer(given["markdown"]))

    assert sorted(seen.hrefs()) == sorted(expected["anchors_allowed"])
    assert not [h for h in seen.hrefs() for p in expected["hrefs_never_match"] if re.match(p, h, re.IGNORECASE)]
    assert all(word in seen.text for word in expected["text_still_visible"])
    assert [safe_href(source["url"]) for source in given["sources"]] == [None, None]


def test_an_image_that_would_carry_the_question_away_is_only_its_words() -> None:
    given, expected = case("ui-image-beacon")
    html = render_answer(given["markdown"])
    seen = Seen(html)

    assert not [tag for tag, _ in seen.elements if tag in expected["no_elements"]]
    assert any(words in seen.text for words in expected["visible_any"])
    assert "collect.example" not in html


def test_formulas_are_set_apart_and_prices_are_not() -> None:
    given, expected = case("ui-currency-math")
    html = render_answer(given["markdown"])

    assert re.findall(r'<span class="math[^"]*">(.*?)</span>', html) == expected["math"]
    assert all(literal in Seen(html).text for literal in expected["literal"])


@pytest.mark.parametrize(
    "text",
    ["$5 and $6", "$5 or 6$ more", "costs $30$ a head", "a$b$c", "$ x $", "`$x$`", "\\$x$ y", "US$x$", "$x$5", "$$"],
)
def test_a_dollar_sign_alone_makes_no_formula(text: str) -> None:
    assert 'class="math' not in render_answer(text)


def test_a_formula_over_several_lines_is_no_list() -> None:
    html = render_answer("So:\n\n$$\n- x\n+ y\n$$\n")

    assert '<div class="math display">- x\n+ y</div>' in html


def test_titles_are_one_visible_line() -> None:
    given, expected = case("ui-odd-titles")
    shown = [display_title(source["title"], source["url"]) for source in given["sources"]]

    assert {k: shown[int(k)] for k in expected["display"]} == expected["display"]
    assert all(shown[int(k)].startswith(words) for k, words in expected["starts_with"].items())
    assert max(map(len, shown)) <= expected["max_display_chars"]
    assert not [title for title in shown for c in expected["no_characters"] if c in title]


def test_letters_that_need_joiners_keep_them() -> None:
    assert clean("می\u200cخواهم") == "می\u200cخواهم"


def test_a_number_becomes_a_chip_only_where_a_citation_stands_behind_it() -> None:
    html = render_answer("One[1], two[2]. `code[1]`\n\n```\n[1]\n```", (), (CITATION,), anchor="t-")

    assert re.findall(r'<a class="chip"[^>]*>(\d)</a>', html) == ["1"]
    assert 'href="#t-s1"' in html
    assert "two[2]" in Seen(html).text
    assert "<code>code[1]</code>" in html


@pytest.mark.parametrize(
    "text",
    ["[1](https://evil.example/)", "[1]: https://evil.example/\n\nSo[1].", "[1][2]\n\n[2]: https://evil.example/"],
)
def test_no_markdown_can_point_a_chip_elsewhere(text: str) -> None:
    seen = Seen(render_answer(text, (), (CITATION,), anchor="t-"))

    assert set(seen.hrefs()) == {"#t-s1"}


def test_claims_without_support_are_marked_and_signed() -> None:
    answer = "**Bold** start. Painters need *months*. Summer is full."
    sentences = (
        sentence(answer, "**Bold** start.", "supported"),
        sentence(answer, "Painters need *months*.", "unsupported", 1, "No page says so."),
        sentence(answer, "Summer is full.", "uncited", 2),
    )
    html = render_answer(answer, sentences, anchor="t-")
    seen = Seen(html)

    assert "<strong><span" in html
    assert [(a["class"], a["data-s"]) for tag, a in seen.elements if tag == "a"] == [
        ("chip unsupported", "1"),
        ("chip uncited", "2"),
    ]
    assert 'title="Not supported by the sources: No page says so."' in html
    assert seen.text.replace("!", "").replace("?", "").strip() == "Bold start. Painters need months. Summer is full."


def test_a_sentence_across_emphasis_leaves_the_html_well_formed() -> None:
    answer = "**One is here. Two** is there."
    sentences = (sentence(answer, "**One is here.", "supported"), sentence(answer, "Two** is there.", "partly", 1))

    assert "<strong>" in render_answer(answer, sentences)


def test_list_items_and_table_rows_keep_their_shape() -> None:
    answer = "- First item[1].\n- Second item\n\n| A | B |\n|---|--:|\n| x[1] | 3 |\n"
    rows = [("- First item[1].", "supported"), ("- Second item", "uncited"), ("| x[1] | 3 |", "unsupported")]
    html = render_answer(answer, [sentence(answer, t, v, k) for k, (t, v) in enumerate(rows)], (CITATION,))  # type: ignore[arg-type]

    assert html.count("<li") == 2
    assert html.count("<td") == 2
    assert html.count('class="chip unsupported"') == 1, "once a row"
    assert 'class="right"' in html
    assert "style=" not in html


def test_a_chip_opens_the_citation_of_its_own_sentence() -> None:
    answer = "One[1]. Two[1]."
    second = replace(CITATION, sentence=1, verdict="partly")
    sentences = (sentence(answer, "One[1].", "supported"), sentence(answer, "Two[1].", "partly", 1))
    html = render_answer(answer, sentences, (CITATION, second))

    assert re.findall(r'class="(chip[^"]*)" [^>]*data-s="(\d)"', html) == [("chip", "0"), ("chip partly", "1")]


def test_a_sentence_in_plain_words() -> None:
    assert plain("- **330 metres** [tall](https://a.example) since `2022`[1][2].") == "330 metres tall since 2022."
    assert plain("| Height | 330 m[1] |") == "Height · 330 m"


@given(
    st.text(alphabet=st.sampled_from("ab [](){}<>!*_`|$#&;:/\\\"'\n1-⸨⸩\u202e") | st.characters(), max_size=120),
    st.lists(st.tuples(st.integers(0, 120), st.integers(0, 40)), max_size=4),
)
def test_whatever_was_written_no_script_image_style_or_handler_comes_out(text: str, spans: list) -> None:
    sentences = [Sentence(k, text[a : a + n], a, a + n, (), "uncited") for k, (a, n) in enumerate(spans)]
    seen = Seen(render_answer(text, sentences, (CITATION,)))

    for tag, attributes in seen.elements:
        assert tag not in {"script", "img", "iframe", "object", "style", "form", "input", "svg"}
        assert not [name for name in attributes if name.startswith("on") or name in {"style", "src", "srcset"}]
    assert not [h for h in seen.hrefs() if not re.match(r"(https?://|mailto:|#)", h, re.IGNORECASE)]

"""Which addresses are one page, and whose site they are on."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.urls import canonical_url, host_of, is_web_url, same_page, site_of, without_tracking

CASES = Path(__file__).parents[1] / "data" / "cases"
PAIRS = json.loads((CASES / "fetch" / "url-same-page.json").read_text("utf-8"))["pairs"]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_two_spellings_of_a_page_are_one(one: str, other: str) -> None:
    assert canonical_url(one) == canonical_url(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://news.example/", "https://news.example/index.html"),
        ("https://news.example/a/", "https://news.example/a/index.php"),
        ("https://amp.news.example/tram", "https://news.example/tram"),
        ("https://news.example/2031/tram-line-opens/amp/", "https://news.example/2031/tram-line-opens"),
        ("https://www.google.com/amp/s/news.example/tram-4", "https://news.example/tram-4"),
        ("https://news-example.cdn.ampproject.org/c/s/news.example/tram-4", "https://news.example/tram-4"),
        ("https://en.m.wikipedia.org/wiki/Ulm", "https://en.wikipedia.org/wiki/Ulm"),
        ("https://news.example/a;jsessionid=12AF?x=1", "https://news.example/a?x=1"),
        ("https://news.example/a?q=b+c", "https://news.example/a?q=b%20c"),
        ("https://news.example./a?", "https://news.example/a"),
        ("https://news.example/%c3%a4", "https://news.example/ä"),
        ("https://news.example/a#:~:text=words", "https://news.example/a"),
        ("https://news.example/amp/2031/tram-line-opens", "https://news.example/2031/tram-line-opens"),
        ("https://news.example/tram-line-opens.amp", "https://news.example/tram-line-opens"),
        ("https://news.example/tram-line-opens.amp.html", "https://news.example/tram-line-opens.html"),
        ("https://news.example/tram?outputType=amp", "https://news.example/tram"),
        ("https://www.bing.com/amp/s/news.example/tram-4", "https://news.example/tram-4"),
        ("https://news.example/a?gad_source=1&fb_ref=x&at_medium=rss&xtor=1", "https://news.example/a"),
        ("https://user:key@news.example/a", "https://news.example/a"),
        ("https://news.example/Default.aspx?id=3", "https://news.example/?id=3"),
        ("https://www.m.news.example/a", "https://news.example/a"),
        ("https://news.example/./a/b/../c", "https://news.example/a/c"),
        ("https://[2606:4700::1]/a", "http://[2606:4700:0::1]/a"),
    ],
)
def test_more_spellings_of_one_page(one: str, other: str) -> None:
    assert canonical_url(one) == canonical_url(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://shop.example/guitar/amp", "https://shop.example/guitar"),
        ("https://news.example/a", "https://news.example/A"),
        ("https://news.example/a", "https://other.example/a"),
        ("https://news.example/a", "https://sub.news.example/a"),
        ("https://news.example:8080/a", "https://news.example/a"),
        ("https://news.example/a?id=1", "https://news.example/a?id=2"),
        ("https://news.example/a?x=1&x=2", "https://news.example/a?x=2&x=1"),
        ("https://news.example/a%2Fb", "https://news.example/a/b"),
        ("https://news.example/app#/one", "https://news.example/app#/two"),
        ("https://m.com/", "https://com/"),
        ("https://m.co.uk/a", "https://www.co.uk/a"),
        ("https://m.github.io/a", "https://www.github.io/a"),
        ("https://amp.example/a", "https://m.example/a"),
        ("https://mm.news.example/a", "https://news.example/a"),
        ("https://news.example/amp/", "https://news.example/"),
        ("https://shop.example/amp/marshall", "https://shop.example/marshall"),
        ("https://shop.example/guitar.amp", "https://shop.example/guitar"),
        ("https://news.example/a?ref=main", "https://news.example/a"),  # a branch, for one
        ("https://news.example/a?page=2", "https://news.example/a"),
        ("https://news.example/a?lang=de", "https://news.example/a"),
        ("https://news.example/a?v=x", "https://news.example/a?V=x"),
        ("https://news.example/#!/one", "https://news.example/#!/two"),
        ("https://news.example/#!/one", "https://news.example/"),
        ("https://news.example/a//b", "https://news.example/a/b"),
        ("https://news.example/index.html/a", "https://news.example/a"),
        ("https://news.example/index.json", "https://news.example/"),
        ("https://faß.example/", "https://fass.example/"),
        ("https://news.example/a?b=1;c=2", "https://news.example/a?b=1&c=2"),
        ("ftp://news.example/a", "https://news.example/a"),
        ("https://news.example/index", "https://news.example/"),
        ("https://news.example/a?q=1%2B1", "https://news.example/a?q=1+1"),
    ],
)
def test_different_pages_are_never_merged(one: str, other: str) -> None:
    assert canonical_url(one) != canonical_url(other)


@pytest.mark.parametrize(
    "text", ["", "about:blank", "mailto:a@b.example", "/relative", "http://", "http://[::1", "x:y:z"]
)
def test_what_is_no_web_address_comes_back_as_it_is(text: str) -> None:
    assert canonical_url(text) == text
    assert not is_web_url(text)
    assert host_of(text) == site_of(text) == ""


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://news.bbc.co.uk/x", "bbc.co.uk"),
        ("https://en.wikipedia.org/wiki/X", "wikipedia.org"),
        ("https://someone.github.io/x", "someone.github.io"),
        ("http://www.tower.example/", "tower.example"),
        ("http://127.0.0.1:8/x", "127.0.0.1"),
        ("http://xn--bcher-kva.example/", "bücher.example"),
        ("http://localhost/", "localhost"),
    ],
)
def test_the_site_is_the_name_a_reader_knows(url: str, site: str) -> None:
    assert site_of(url) == site


web_urls = st.builds(
    "{}://{}{}/{}?{}#{}".format,
    st.sampled_from(["http", "https", "HTTPS"]),
    st.from_regex(r"(www\.|m\.|amp\.)?[a-z0-9]{1,8}(\.[a-zäß]{2,6}){1,2}", fullmatch=True),
    st.sampled_from(["", ":80", ":443", ":8443"]),
    st.text(max_size=20),
    st.text(max_size=20),
    st.text(max_size=6),
)


@given(web_urls | st.text(max_size=60))
def test_the_canonical_form_is_canonical(url: str) -> None:
    once = canonical_url(url)
    assert canonical_url(once) == once


@given(st.text(st.characters(codec="utf-8"), max_size=12), st.text(st.characters(codec="utf-8"), max_size=12))
def test_pages_that_differ_in_a_query_value_stay_apart(one: str, other: str) -> None:
    urls = [f"https://news.example/find?q={quote(value, safe='')}" for value in (one, other)]
    assert (canonical_url(urls[0]) == canonical_url(urls[1])) == (one == other)


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("http://www.news.example/a/?utm_source=x&id=7&fbclid=1#top", "http://www.news.example/a/?id=7"),
        ("https://news.example/a?gclid=1", "https://news.example/a"),
        ("https://news.example/a?b=%2F&a=1", "https://news.example/a?b=%2F&a=1"),
        ("https://news.example/app#/one", "https://news.example/app#/one"),
    ],
)
def test_an_address_to_fetch_loses_only_what_tracks(url: str, kept: str) -> None:
    assert without_tracking(url) == kept


@given(web_urls.filter(lambda url: "".join(url.split()) == url and url.isprintable()))
def test_without_tracking_is_the_same_page(url: str) -> None:
    assert canonical_url(without_tracking(url)) == canonical_url(url)


@given(web_urls | st.text(max_size=60), web_urls | st.text(max_size=60))
def test_being_one_page_is_mutual_and_of_itself(one: str, other: str) -> None:
    assert same_page(one, one)
    assert same_page(one, other) == same_page(other, one)
    assert same_page(one, canonical_url(one))


@given(
    st.from_regex(r"[a-z]{5,8}(\.[a-z]{2,8}){1,2}", fullmatch=True),  # none like co.uk, where www is a name
    st.lists(st.from_regex(r"[A-Za-z0-9_~.-]{1,8}", fullmatch=True), max_size=4),
    st.permutations(["id=7", "q=tram", "utm_source=x", "fbclid=9"]),
)
def test_the_spellings_of_a_made_up_page_are_one(host: str, path: list[str], query: list[str]) -> None:
    plain = f"https://{host}/{'/'.join(path)}?id=7&q=tram"
    spelt = f"HTTP://WWW.{host.upper()}.:80/{'/'.join(path)}?{'&'.join(query)}#part"

    assert same_page(plain, spelt)
    assert not same_page(plain, plain.replace("id=7", "id=8"))

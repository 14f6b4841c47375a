"""What a page says of itself: title, author and dates, from whichever place tells them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from answerable.providers.reading.htmltree import parse_html
from answerable.providers.reading.metadata import Metadata, read_metadata

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
TEXT = "<p>The ferry to Oravia leaves the north quay at noon and carries forty people across.</p>"


def meta(head: str = "", body: str = "", url: str = "https://harbour.example/ferries/timetable") -> Metadata:
    tree = parse_html(f"<html><head>{head}</head><body>{body}{TEXT}</body></html>")
    assert tree is not None
    return read_metadata(tree, url, NOW)


def linked(value: Any) -> str:
    return f"<script type='application/ld+json'>{value if isinstance(value, str) else json.dumps(value)}</script>"


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>Timetable - The Harbour Book</title>", "<h1>The Harbour Book</h1><h1>Timetable</h1>", "Timetable"),
        ("<title>Timetable — The Harbour Book</title>", "<h1>The Harbour Book</h1>", "Timetable"),
        ("<title>The Harbour Book | Timetable</title>", "<h1>Timetable</h1>", "Timetable"),
        ("<title>Winter timetable of the ferries</title>", "<h1>Winter<br>timetable</h1>", "Winter timetable"),
    ],
)
def test_the_name_over_all_pages_of_a_site_is_not_the_title_of_one(head: str, body: str, title: str) -> None:
    assert meta(head, body).title == title


@pytest.mark.parametrize(
    ("head", "body", "author"),
    [
        (linked({"@type": "Article", "author": {"name": "Ada Karv"}}), "", "Ada Karv"),
        (linked({"@type": "Article", "author": ["Ada Karv", {"name": "Bo Lind"}]}), "", "Ada Karv, Bo Lind"),
        (
            linked({"@graph": [{"@type": "Article", "author": {"@id": "#a"}}, {"@id": "#a", "name": "Ada Karv"}]}),
            "",
            "Ada Karv",
        ),
        ("<meta name=author content='Ada Karv'>", "", "Ada Karv"),
        (
            "<meta name='twitter:label1' content='Written by'><meta name='twitter:data1' content='Ada Karv'>",
            "",
            "Ada Karv",
        ),
        ("", "<p class='post-meta'>By Ada Karv on 4 May 2023</p>", "Ada Karv"),
        ("", "<div class='publish-date-author'>May 4, 2023 · Ada Karv</div>", "Ada Karv"),
        ("", "<span class='article__author__name'>Ada Karv</span>", "Ada Karv"),
        ("", "<div itemprop=author><span itemprop=name>akarv42</span><span>4,021 points</span></div>", "akarv42"),
        ("", "<p>By signing up you agree to our terms.</p>", None),
        ("", "<div class=comments><span class=author>Cy Moss</span></div>", None),
        ("", "<div class='testimonial'><p>By Cy Moss</p></div>", None),
        ("<meta name=author content=admin>", "", None),
        ("<meta name=author content='https://social.example/akarv'>", "", None),
    ],
)
def test_the_author_is_found_where_it_is_said_and_never_guessed(head: str, body: str, author: str | None) -> None:
    assert meta(f"<title>Ferries</title>{head}", f"<h1>Ferries</h1>{body}").author == author


def test_on_a_board_the_author_is_whoever_posted_first() -> None:
    posts = (
        "<div class=post><a class=username>gull7</a><p>When?</p></div><div class=post><a class=username>tern</a></div>"
    )

    assert meta("<title>When</title>", posts, "https://boats.example/viewtopic.php?t=4").author == "gull7"
    assert meta("<title>When</title>", posts, "https://boats.example/when").author is None


@pytest.mark.parametrize(
    ("script", "published", "author"),
    [
        (
            '{"@type": "Article", "datePublished": "2024-03-01", "author": {"name": "Ada Karv"},}',
            "2024-03-01",
            "Ada Karv",
        ),
        ('<!-- {"@type": "Article", "datePublished": "2024-03-01"} -->', "2024-03-01", None),
        ('//<![CDATA[\n{"@type": "Article", "datePublished": "2024-03-01"}\n//]]>', "2024-03-01", None),
        ('{"@type": "Article", "headline": "The "new" quay", "datePublished": "2024-03-01"', "2024-03-01", None),
        ('{"@type": "Article", "author": {"@type": "Person", "name": "Ada Karv"}, "x": "a\tb" "y"}', None, "Ada Karv"),
        ("nothing of the kind", None, None),
    ],
)
def test_structured_data_that_is_broken_says_what_it_can(
    script: str, published: str | None, author: str | None
) -> None:
    found = meta("<title>Ferries</title>" + linked(script))

    assert (found.published and found.published.date().isoformat(), found.author) == (published, author)


def test_of_several_pages_in_the_structured_data_this_one_counts() -> None:
    data = [
        {
            "@type": "NewsArticle",
            "headline": "Storm",
            "url": "https://harbour.example/storm",
            "datePublished": "2020-01-01",
        },
        {"@type": "NewsArticle", "headline": "Ferries run again", "datePublished": "2024-03-01"},
    ]

    found = meta("<title>Ferries run again</title>" + linked(data), "<h1>Ferries run again</h1>")

    assert found.published == datetime(2024, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("body", "published"),
    [
        ("<div class=top>Friday, 20 November 2026</div>", None),  # the day on which it is read, as templates show it
        ("<p class=byline>Published 20 November 2026</p>", "2026-11-20"),
        ("<div class=entry-date><span>20 November 2026</span></div>", "2026-11-20"),
        ("<time>3 hours ago</time>", None),
        ("<div class=posted><time>3 days ago</time></div>", "2026-11-17"),
        ("<p class=date>4. Mai 2023</p>", "2023-05-04"),
        ("<p class=date>4 mai 2023</p>", "2023-05-04"),
        ("<p class=date>4 de mayo de 2023</p>", "2023-05-04"),
        ("<p class=date>2023年5月4日</p>", "2023-05-04"),
        ("<span itemprop=datePublished>11-29-2024, 09:03 AM</span>", "2024-11-29"),
        ("<time datetime='on Friday January 12, 2024 @11:40AM'>x</time>", "2024-01-12"),
        ("<footer>4 May 2023</footer>", None),
    ],
)
def test_dates_are_read_from_the_page_and_the_day_of_a_template_is_none(body: str, published: str | None) -> None:
    found = meta("<title>Ferries</title>", f"<h1>Ferries</h1>{body}").published

    assert (found and found.date().isoformat()) == published


def test_a_time_zone_is_kept() -> None:
    found = meta(
        "<title>x</title><meta property='article:published_time' content='2024-03-01T23:30:00-08:00'>"
    ).published

    assert found is not None
    assert found.isoformat() == "2024-03-01T23:30:00-08:00"


@pytest.mark.parametrize(
    ("head", "canonical"),
    [
        ("<link rel=canonical href='/ferries'>", "https://harbour.example/ferries"),
        ("<link rel='nofollow CANONICAL' href=' ferries?x=1#top '>", "https://harbour.example/ferries/ferries?x=1"),
        ("<base href='https://www.harbour.example/a/'><link rel=canonical href=b>", "https://www.harbour.example/a/b"),
        ("<meta property='og:url' content='https://harbour.example/f'>", "https://harbour.example/f"),
        (
            "<link rel=canonical href=''><meta property='og:url' content='//harbour.example/f'>",
            "https://harbour.example/f",
        ),
        ("<link rel=canonical href='https://other.example/f'>", "https://other.example/f"),  # a hint, told as it is
        ("<link rel=canonical href='javascript:alert(1)'>", None),
        ("<link rel=canonical href='data:text/html,x'>", None),
        ("<link rel=canonical href='https://harbour.example@evil.example/'>", None),
        ("<link rel=canonical href='http://[::1'>", None),
        ("<base href='http://[::1'><link rel=canonical href='/f'>", None),
        ("<link rel=canonical href='/" + "x" * 3000 + "'>", None),
        ("<link rel=alternate href='/de'>", None),
    ],
)
def test_the_canonical_address_is_whole_and_one_that_a_page_can_have(head: str, canonical: str | None) -> None:
    assert meta(f"<title>Ferries</title>{head}").canonical == canonical


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("<meta property='og:site_name' content=' The  Harbour Book '>", "The Harbour Book"),
        ("<meta name='application-name' content='The Harbour Book'>", "The Harbour Book"),
        (linked({"@type": "Article", "publisher": {"name": "The Harbour Book"}}), "The Harbour Book"),
        (linked({"@graph": [{"@type": "WebSite", "name": "The Harbour Book"}]}), "The Harbour Book"),
        (linked({"@type": "WebSite", "name": {"@value": "x"}}), ""),
        ("<meta property='og:site_name' content='" + "harbour " * 50 + "'>", "harbour " * 11 + "harbour…"),
        ("", ""),
    ],
)
def test_the_site_s_name_is_found_where_it_is_said(head: str, name: str) -> None:
    assert meta(f"<title>Ferries</title>{head}").site_name == name


@pytest.mark.parametrize(
    ("value", "published"),
    [
        ("2026-11-20T20:00:00+09:00", "2026-11-20T20:00:00+09:00"),
        ("2026-11-20T23:00:00Z", None),  # eleven hours ahead, and its zone leaves no doubt
        ("2026-11-20T12:30:00Z", "2026-11-20T12:30:00+00:00"),  # a clock that goes a little fast
        ("2027-01-01", None),
        ("1970-01-01T00:00:00Z", None),  # a program's "not known"
        (0, None),
        (["2025-02-03"], "2025-02-03T00:00:00+00:00"),
        ({"@value": "2025-02-03"}, "2025-02-03T00:00:00+00:00"),
        ([], None),
        ({"@value": {"@value": "x"}}, None),
    ],
)
def test_a_date_of_the_structured_data_is_one_that_a_page_can_have(value: Any, published: str | None) -> None:
    found = meta("<title>Ferries</title>" + linked({"@type": "NewsArticle", "datePublished": value})).published

    assert (found and found.isoformat()) == published


@pytest.mark.parametrize(
    ("body", "day"),
    [
        ("<p class=posted>Posted 2 days ago</p>", "2026-11-18"),
        ("<span class=entry-date>vor 3 Wochen</span>", "2026-10-30"),
        ("<span class=entry-date>Admin</span>", None),
        ("<p>Two boats sank 2 days ago</p>", None),
        ("<div class=comments><p class=posted>2 days ago</p></div>", None),
    ],
)
def test_an_age_where_a_page_gives_its_date_is_counted_from_now(body: str, day: str | None) -> None:
    found = meta("<title>Ferries</title>", f"<h1>Ferries</h1>{body}").published

    assert (found and found.date().isoformat()) == day

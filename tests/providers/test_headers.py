"""What headers say about time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.providers.headers import caching_of, http_date, retry_after
from answerable.types import Validators

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SOON, PAST = "Fri, 20 Nov 2026 12:10:00 GMT", "Fri, 20 Nov 2026 11:00:00 GMT"
URL = "https://site.example/a"


@pytest.mark.parametrize(
    ("headers", "max_age"),
    [
        ({}, None),
        ({"cache-control": "max-age=60"}, 60),
        ({"cache-control": 'Public, MAX-AGE="60"'}, 60),
        ({"cache-control": "max-age=60", "age": "45"}, 15),
        ({"cache-control": "max-age=60", "age": "90"}, 0),
        ({"cache-control": "max-age=60", "age": "soon"}, 60),
        ({"cache-control": "max-age=60", "expires": PAST}, 60),  # max-age overrides Expires
        ({"cache-control": "max-age=soon"}, 0),
        ({"cache-control": "max-age=-5"}, 0),
        ({"cache-control": "max-age=99999999999999"}, 365 * 24 * 3600),
        ({"cache-control": "no-cache, max-age=60"}, 0),
        ({"cache-control": "no-store"}, 0),
        ({"cache-control": "s-maxage=60"}, None),  # for caches of many users
        ({"cache-control": "private"}, None),
        ({"pragma": "no-cache"}, 0),
        ({"expires": SOON}, 600),
        ({"expires": SOON, "date": "Fri, 20 Nov 2026 12:05:00 GMT"}, 300),
        ({"expires": SOON, "age": "100"}, 500),
        ({"expires": PAST}, 0),
        ({"expires": "0"}, 0),
        ({"expires": "-1"}, 0),
    ],
)
def test_how_long_an_answer_may_be_kept(headers: dict[str, str], max_age: float | None) -> None:
    assert caching_of(URL, headers, NOW).max_age == max_age


def test_what_to_ask_with_next_time_belongs_to_the_address_that_gave_it() -> None:
    assert caching_of(URL, {"etag": 'W/"1"', "last-modified": PAST}, NOW).validators == Validators(URL, 'W/"1"', PAST)
    assert caching_of(URL, {"etag": " "}, NOW).validators is None
    assert caching_of(URL, {"cache-control": "No-Store"}, NOW).no_store


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        (SOON, 600),
        (PAST, 0),
        ("Friday, 20-Nov-26 12:10:00 GMT", 600),
        ("Fri Nov 20 12:10:00 2026", 600),
        ("", None),
        ("-1", None),
        ("later", None),
        ("٣", None),
    ],
)
def test_when_to_ask_again(value: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": value}, NOW) == seconds


@given(st.text(max_size=40))
def test_no_header_does_more_than_say_nothing(text: str) -> None:
    names = ("cache-control", "expires", "age", "date", "etag", "last-modified", "pragma", "retry-after")
    headers = dict.fromkeys(names, text)

    assert (caching_of(URL, headers, NOW).max_age or 0) >= 0
    assert (retry_after(headers, NOW) or 0) >= 0
    assert http_date(text) is None or http_date(text)

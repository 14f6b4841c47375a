"""From our words to a vendor's and back."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.errors import SettingsError
from answerable.providers.search.http import retry_after
from answerable.providers.search.names import KEYLESS, PROVIDERS, provider_class
from answerable.providers.search.shaping import fit_query, plain, safe_value

CASES = Path(__file__).parents[2] / "data" / "cases"


def case(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    rows = map(json.loads, (CASES / "cases-search.jsonl").read_text("utf-8").splitlines())
    row = next(row for row in rows if row["id"] == name)
    return json.loads((CASES / row["file"]).read_text("utf-8")), row["expected"]


def test_a_pasted_paragraph_becomes_a_query_within_the_limit() -> None:
    given_, expected = case("search-long-query")
    query = fit_query(given_["question"], max_chars=given_["provider_limit"])
    assert expected["min_chars"] <= len(query) <= expected["max_chars"]
    assert all(text in query for text in expected["must_contain"])
    assert "\n" not in query
    assert set(query.split()) <= set(given_["question"].split())
    assert query.count("Background:") == 1


def test_a_language_without_spaces_is_cut_where_the_limit_is() -> None:
    assert fit_query("塔有多高" * 200, max_chars=400) == ("塔有多高" * 200)[:400]


@given(st.text(max_size=600), st.integers(1, 400), st.integers(1, 60))
def test_a_query_is_one_line_within_both_limits_and_made_of_whole_words(text: str, chars: int, words: int) -> None:
    query = fit_query(text, max_chars=chars, max_words=words)
    assert len(query) <= chars
    assert len(query.split()) <= words
    assert query == " ".join(query.split())
    assert set(query.split()) <= set(text.split()) or " " not in query
    if len(" ".join(text.split())) <= chars and len(text.split()) <= words:
        assert query == " ".join(text.split())


def test_safe_search_is_said_in_each_dialect_and_never_off_by_mistake() -> None:
    given_, expected = case("search-safe-setting")
    for dialect in given_["dialects"]:
        sent = [safe_value(level, dialect) for level in given_["settings"]]
        assert sent == expected["sent"][dialect]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The <b>tower</b> &amp; the\n lift&nbsp;shaft", "The tower & the lift shaft"),
        ("x < 3 and y > 2", "x < 3 and y > 2"),
        ("a<!-- note -->b", "ab"),
        ("&lt;b&gt; is bold", "<b> is bold"),
        ("a\x00b\u200bc", "a b c"),
        (None, ""),
        (7, ""),
    ],
)
def test_a_snippet_is_plain_text(text: object, shown: str) -> None:
    assert plain(text) == shown


def test_every_name_leads_to_a_provider_of_that_name() -> None:
    for name in PROVIDERS:
        kind = provider_class(f" {name.upper()} ")
        assert name == "own" or kind.name == name
    assert set(KEYLESS) <= set(PROVIDERS)


def test_an_unknown_name_is_told_with_the_nearest_one() -> None:
    with pytest.raises(SettingsError, match="'serxng' is unknown; did you mean 'searxng'"):
        provider_class("serxng")


def test_a_date_in_the_past_asks_for_no_wait() -> None:
    now = datetime(2026, 11, 29, tzinfo=UTC)
    assert retry_after({"retry-after": "Sat, 28 Nov 2026 10:00:00 GMT"}, now) == 0.0
    assert retry_after({}, now) is None

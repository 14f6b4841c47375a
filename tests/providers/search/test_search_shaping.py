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
from answerable.providers.search.names import KEYLESS, PROVIDERS, SCHOLARLY, automatic, chosen_names, provider_class
from answerable.providers.search.shaping import fit_query, plain, safe_value, with_sites
from answerable.providers.search.works import ABSTRACT, doi_of, from_inverted, scholar_line, shortened, year_of
from answerable.text.domains import Domains

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


hosts = st.lists(st.from_regex(r"-?[a-z]{1,12}\.[a-z]{2,8}", fullmatch=True), max_size=20)


@given(st.text(max_size=600), hosts, st.integers(60, 400), st.integers(10, 60))
def test_operators_leave_room_for_the_question_and_keep_to_the_limits(
    text: str, entries: list[str], chars: int, words: int
) -> None:
    query = with_sites(text, Domains.of(entries), max_chars=chars, max_words=words)
    assert len(query) <= chars
    assert len(query.split()) <= words
    question = fit_query(text, max_chars=chars // 2 - 1, max_words=max(1, words // 2 - 1))
    assert query.startswith(question[: chars // 2 - 1])
    assert query.count("(") - text.count("(") <= 1


def test_operators_that_do_not_fit_are_left_out_whole() -> None:
    many = Domains.of([f"site-number-{n}.example" for n in range(20)])
    query = with_sites("how tall is the tower", many, max_chars=100)
    assert query == "how tall is the tower site:site-number-0.example"
    assert with_sites("tower", Domains.of(["-" + "a" * 60 + ".example"]), max_chars=50) == "tower"


# --- scholarly works -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("A Turing, B Lee - Mind, 1950 - example.com", (("A Turing", "B Lee"), "Mind", 1950)),
        ("A Turing… - … of towers, 2019 - a.example", (("A Turing",), "of towers", 2019)),
        ("D Moe - 2020 - news.example", (("D Moe",), "", 2020)),
        ("A Berg", (("A Berg",), "", None)),
        (None, ((), "", None)),
        (7, ((), "", None)),
    ],
)
def test_scholars_one_line_is_taken_apart(line: object, wanted: tuple[tuple[str, ...], str, int | None]) -> None:
    assert scholar_line(line) == wanted


@pytest.mark.parametrize(
    ("value", "doi"),
    [
        ("https://doi.org/10.1000/XYZ.1", "10.1000/xyz.1"),
        ("doi:10.1000/xyz.", "10.1000/xyz"),
        ("10.1/short", ""),
        (None, ""),
        ("https://a.example/", ""),
    ],
)
def test_a_doi_has_one_spelling(value: object, doi: str) -> None:
    assert doi_of(value) == doi


def test_an_abstract_is_put_together_and_cut_at_a_sentence() -> None:
    assert from_inverted({"tower": [1, 3], "The": [0], "is": [2], "odd": ["x"], "bad": None}) == "The tower is tower"
    assert from_inverted(None) == from_inverted([1]) == ""
    long = "One sentence of the abstract. " * 80
    cut = shortened(long)
    assert len(cut) <= ABSTRACT
    assert cut.endswith("abstract.")
    assert shortened("word " * 800).endswith(" …")


@pytest.mark.parametrize(("value", "year"), [(2019, 2019), ("Mind, 1950", 1950), (True, None), (3, None), ("x", None)])
def test_a_year_is_a_year(value: object, year: int | None) -> None:
    assert year_of(value) == year


@given(st.text(max_size=80))
def test_no_line_breaks_the_reading_of_works(text: str) -> None:
    authors, venue, year = scholar_line(text)
    assert all(authors)
    assert year is None or 1500 <= year < 2100
    assert isinstance(doi_of(text) + venue, str)


def test_what_is_needed_decides_what_auto_means() -> None:
    assert automatic(lambda setting: False) == [*KEYLESS, *SCHOLARLY]
    assert automatic(lambda setting: setting == "feeds") == [*KEYLESS, "feeds", *SCHOLARLY]
    assert automatic(lambda setting: setting in ("exa_key", "google_pse_key")) == ["exa", *SCHOLARLY]
    assert chosen_names(["auto", "Brave ", "own", "brave"], lambda setting: "") == [*KEYLESS, *SCHOLARLY, "brave"]

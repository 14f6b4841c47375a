"""The eval of extraction: what it counts, how it halves, and what it says of folders that are none."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from answerable.errors import BadRequest
from answerable.evals.extraction import (
    Found,
    f1,
    half_of,
    html_of,
    measure,
    read_rows,
    score,
    summary,
    table_of,
    unread,
    words,
)

ROW = {
    "id": "1",
    "url": "http://tides.example/a",
    "type": "article",
    "main_text": "The sea rises twice a day.",
    "must_have": ["sea RISES, twice", "never there"],
    "must_not_have": ["Log in"],
    "title": "Tides",
    "author": "A. Marsh",
    "published": "2024-03-01",
}


def test_word_f1_is_of_words_as_multisets_and_nothing_found_is_zero() -> None:
    assert f1(words("Tide, tide!"), words("tide tide")) == 1.0
    assert f1(words("tide"), words("tide tide")) == pytest.approx(2 / 3)
    assert f1([], words("tide")) == 0.0


def test_snippets_are_found_after_both_sides_are_reduced_to_words() -> None:
    found = score(ROW, "", lambda html, url: Found("Log-in. The sea rises twice a day!"))

    assert (found.kept, found.must_have, found.leaked, found.must_not_have) == (1, 2, 1, 1)


def test_a_snippet_is_found_as_whole_words_only() -> None:
    found = score(ROW | {"must_not_have": ["art"]}, "", lambda html, url: Found("the start of it"))

    assert found.leaked == 0


def test_metadata_is_judged_only_where_the_truth_is_known() -> None:
    found = score(ROW | {"author": None}, "", lambda html, url: Found("", "Tides", "B. Dune", "2024-03-01"))

    assert found.fields == {"title": True, "published": True}


def test_the_halves_are_fixed_cover_all_and_hold_as_many_of_each_type() -> None:
    rows = [{"id": f"{kind}{i}", "type": kind} for kind in ("article", "forum") for i in range(10)]
    tuning, other = half_of(rows, "tuning"), half_of(list(reversed(rows)), "other")

    assert {row["id"] for row in tuning} | {row["id"] for row in other} == {row["id"] for row in rows}
    assert sum(row["type"] == "forum" for row in tuning) == sum(row["type"] == "forum" for row in other) == 5


def test_a_folder_is_scored_by_type_with_times_and_metadata(tmp_path: Path) -> None:
    body = (
        "The tide gauge at Fenwick was moved in spring, and the readings before and after agree within a centimetre. "
    )
    rows: list[dict[str, Any]] = [
        ROW | {"id": str(i), "type": kind, "main_text": body * 5} for i, kind in enumerate(("article", "forum"))
    ]
    (tmp_path / "html").mkdir()
    for row in rows:
        page = f"<title>Tides</title><body><article><h1>Tides</h1><p>{body * 5}</p></article></body>"
        (tmp_path / "html" / f"{row['id']}.html.gz").write_bytes(gzip.compress(page.encode()))
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (tmp_path / "truth.jsonl.gz").write_bytes(gzip.compress(lines.encode()))

    result = summary(measure(tmp_path)["ours"])

    assert list(result)[:7] == ["f1", "macro_f1", "by_type", "kept", "leaked", "p50_ms", "p95_ms"]
    assert result["f1"] > 0.9
    assert set(result["by_type"]) == {"article", "forum"}
    assert 0 < result["p50_ms"] <= result["p95_ms"]
    assert result["metadata"]["title"] == 1.0
    assert "| forum | 1.000 |" in "\n".join(table_of({"ours": result | {"by_type": {"forum": 1.0}}}))


def test_pages_that_are_not_there_are_left_out_and_named(tmp_path: Path) -> None:
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "1.html").write_text("<p>The sea rises twice a day.</p>", "utf-8")
    (tmp_path / "html" / "2.html.gz").write_bytes(b"no gzip")
    (tmp_path / "html" / "4.html.gz").write_bytes(gzip.compress(b""))
    lines = [json.dumps(ROW | {"id": id, "must_have": None}) for id in ("1", "2", "3", "4")]
    (tmp_path / "truth.jsonl").write_text("\n".join(lines), "utf-8")

    scores = measure(tmp_path)["ours"]

    assert [(s.id, s.f1) for s in scores] == [("1", 1.0), ("4", 0.0)]
    assert unread(tmp_path, scores) == ["2", "3"]


def test_a_folder_without_any_of_its_pages_is_refused(tmp_path: Path) -> None:
    (tmp_path / "truth.jsonl").write_text(json.dumps(ROW), "utf-8")

    with pytest.raises(BadRequest, match="has no ID.html.gz"):
        measure(tmp_path)


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("windows-1251", "Прилив бывает дважды в день."),
        ("shift_jis", "潮は一日に二度満ちる。"),
        ("utf-16", "The sea rises twice."),
    ],
)
def test_a_page_is_read_in_the_charset_that_it_is_in(tmp_path: Path, charset: str, text: str) -> None:
    page = f"<html><head><meta charset='{charset}'></head><body><p>{text}</p></body></html>"
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "1.html").write_bytes(page.encode(charset))

    assert text in html_of(tmp_path, "1")


def test_a_line_separator_inside_a_row_does_not_end_it(tmp_path: Path) -> None:
    (tmp_path / "truth.jsonl").write_text(
        json.dumps(ROW | {"main_text": "a\u2028b"}, ensure_ascii=False) + "\n", "utf-8"
    )

    assert read_rows(tmp_path)[0]["main_text"] == "a\u2028b"


@pytest.mark.parametrize("content", [None, "no json", '{"id": "1"}', ""])
def test_a_folder_without_the_truth_is_refused_in_plain_words(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "truth.jsonl").write_text(content, "utf-8")

    with pytest.raises(BadRequest, match="truth.jsonl"):
        read_rows(tmp_path)

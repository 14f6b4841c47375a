"""The figures of `answerable eval support`, each against rows counted by hand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from answerable.cli import app
from answerable.errors import BadRequest
from answerable.evals.support import Judged, Row, measure, passages_of, read_rows, summary, table_of
from answerable.providers.support.lexical import LexicalSupport

TALL = {"claim": "The tower is 330 metres tall.", "evidence": ["The tower is 330 metres tall."]}


def written(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return path


def judged(supported: bool, passed: bool, name: str = "a") -> Judged:
    return Judged(Row("A claim.", ("A text.",), supported, name), passed, 2.0)


@pytest.mark.parametrize(
    ("label", "supported"),
    [
        ({"supported": True}, True),
        ({"supported": False}, False),
        ({"label": "supported"}, True),
        ({"label": "partially_supported"}, False),
        ({"label": "not_supported"}, False),
        ({"label": "SUPPORTS"}, True),
        ({"label": "NOT_ENOUGH_INFO"}, False),
        ({"label": 1}, True),
        ({"label": " Not  Supported "}, False),
        ({"label": "partially-supported"}, False),
        ({"label": "attributable"}, True),
        ({"supported": None, "label": "supported"}, True),
    ],
)
def test_a_label_of_any_known_kind_is_read(tmp_path: Path, label: dict[str, object], supported: bool) -> None:
    (row,) = read_rows(written(tmp_path / "rows.jsonl", TALL | label))

    assert row.supported is supported


def test_a_row_without_a_set_belongs_to_that_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "towers.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(TALL | {"supported": True}).encode()))

    assert [row.set for row in read_rows(path)] == ["towers"]


def test_the_sentences_of_a_page_are_one_text_and_several_texts_are_pages_of_their_own(tmp_path: Path) -> None:
    page, texts = read_rows(
        written(
            tmp_path / "rows.jsonl",
            {"claim": "x", "evidence_sentences": ["One.", "Two."], "label": "supported"},
            {"claim": "x", "evidence": ["One.", "Two."], "supported": True},
        )
    )

    assert [passage.text for passage in passages_of(page)] == ["One.\nTwo."]
    assert len({passage.page_id for passage in passages_of(texts)}) == 2


GOOD = json.dumps(TALL | {"supported": True})


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("[]", "expected an object"),
        ('"x"', "expected an object"),
        ("{", "line 3"),
        ("NaN", "expected an object"),
        ('{"evidence": ["y"], "supported": true}', "`claim` is missing"),
        ('{"claim": " ", "evidence": ["y"], "supported": true}', "`claim` is missing"),
        ('{"claim": "x", "supported": true}', "`evidence` (or `evidence_sentences`) is missing"),
        ('{"claim": "x", "evidence": {"a": "b"}, "supported": true}', "`evidence` is no list of texts"),
        ('{"claim": "x", "evidence": [1], "supported": true}', "`evidence` is no list of texts"),
        ('{"claim": "x", "evidence_sentences": 7, "supported": true}', "`evidence_sentences` is no list of texts"),
        ('{"claim": "x", "evidence": ["y"]}', "`supported` (or `label`) is missing"),
        ('{"claim": "x", "evidence": ["y"], "label": null}', "`supported` (or `label`) is missing"),
        ('{"claim": "x", "evidence": ["y"], "label": "perhaps"}', "the label 'perhaps' is not known; known are"),
        ('{"claim": "x", "evidence": ["y"], "label": [1]}', "the label [1] is not known"),
        ('{"claim": "x", "evidence": ["y"], "supported": 0.5}', "the label 0.5 is not known"),
    ],
)
def test_a_line_that_is_no_row_is_named_with_what_is_wrong(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(GOOD + "\n\n" + line, "utf-8")

    with pytest.raises(BadRequest, match="line 3") as refused:
        read_rows(path)

    assert told in refused.value.message


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("rows.jsonl", b"", "holds no rows"),
        ("rows.jsonl", b"\n \n\r\n", "holds no rows"),
        ("rows.jsonl", b"\xff\xfe{", "cannot be read"),
        ("rows.jsonl.gz", gzip.compress(GOOD.encode(), mtime=0)[:20], "cannot be read"),
        ("rows.jsonl.gz", b"\x1f\x8bnot gzip at all", "cannot be read"),
    ],
)
def test_a_file_that_holds_no_rows_is_named(tmp_path: Path, name: str, data: bytes, told: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)

    with pytest.raises(BadRequest, match=told):
        read_rows(path)
    with pytest.raises(BadRequest, match="cannot be read"):
        read_rows(tmp_path)


def test_a_byte_order_mark_line_ends_of_windows_and_a_file_that_is_not_compressed_are_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(b"\xef\xbb\xbf" + f"{GOOD}\r\n{GOOD}\r\n".encode())

    assert [(row.set, row.supported) for row in read_rows(path)] == [("rows", True)] * 2


def test_the_figures_are_those_of_the_four_kinds_of_verdict() -> None:
    rows = [(True, True)] * 6 + [(True, False)] * 2 + [(False, True)] * 1 + [(False, False)] * 3

    found = summary([judged(supported, passed) for supported, passed in rows])

    assert (found["n"], found["false_accept"], found["false_alarm"]) == (12, 0.25, 0.25)
    assert found["balanced_accuracy"] == 0.75
    assert found["macro_f1"] == round((12 / 15 + 6 / 9) / 2, 4)
    assert found["ms_per_claim"] == 2.0


def test_each_figure_lies_within_its_interval_and_more_rows_make_it_narrower() -> None:
    rows = [judged(True, True), judged(True, False), judged(False, True), judged(False, False)] * 10
    few, many = summary(rows), summary(rows * 25)

    for name in ("macro_f1", "balanced_accuracy", "false_accept", "false_alarm"):
        low, high = few[f"{name}_95"]
        assert low <= few[name] <= high
        assert many[f"{name}_95"][1] - many[f"{name}_95"][0] < high - low


def test_each_set_has_the_same_figures_of_its_own() -> None:
    found = summary([judged(True, True, "a"), judged(False, True, "b"), judged(False, False, "b")])

    assert found["by_set"]["b"]["false_accept"] == 0.5
    assert found["by_set"]["a"]["false_accept"] is None
    assert found.keys() - {"by_set"} == found["by_set"]["a"].keys()
    assert [line.split(" | ")[0] for line in table_of(found)[2:]] == ["| all", "| a", "| b"]


async def test_only_the_verdict_supported_counts_as_passed() -> None:
    found = await measure([Row(TALL["claim"], tuple(TALL["evidence"]), True, "a")], LexicalSupport(supported=1.1))

    assert found["false_alarm"] == 1.0


def test_the_command_prints_json_alone_when_asked(tmp_path: Path) -> None:
    path = written(tmp_path / "rows.jsonl", TALL | {"supported": True}, TALL | {"claim": "Gulls eat fish.", "label": 0})

    done = CliRunner().invoke(app, ["eval", "support", str(path), "--json"])

    assert json.loads(done.stdout)["by_set"]["rows"]["macro_f1"] == 1.0

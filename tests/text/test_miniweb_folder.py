"""The folder format of the miniature web, and how its faults are told."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.miniweb import Web, WebFolderError, fill, load_questions, load_web

FOLDER = Path(__file__).parents[1] / "data" / "miniweb"
BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
NOW = datetime(2031, 2, 3, 10, 0, tzinfo=timezone(timedelta(hours=2)))


@pytest.fixture(scope="module")
def web() -> Web:
    return load_web(FOLDER)


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("{{today}}", "2031-02-03"),
        ("{{days_ago:3}}", "2031-01-31"),
        ("{{days_ago:3|%d %B %Y}}", "31 January 2031"),
        ("{{hours_ago:5}}", "2031-02-03T05:00:00+02:00"),
        ("{{hours_ago:11|%H:%M on %d %b}}", "23:00 on 02 Feb"),
        ("{{ today | %Y}}", " 2031"),
        ("from {{days_ago:1}} to {{today}}", "from 2031-02-02 to 2031-02-03"),
        ("{{ user.name }} {{", "{{ user.name }} {{"),
    ],
)
def test_placeholders_are_filled_for_the_moment_given(template: str, filled: str) -> None:
    assert fill(template, NOW) == filled


@given(st.text(st.characters(exclude_characters="{")))
def test_text_without_placeholders_stays_as_it_is(text: str) -> None:
    assert fill(text, NOW) == text


@pytest.mark.parametrize("charset", ["windows-1251", "gb18030", "shift_jis", "utf-16", "iso2022_jp", "utf-8"])
def test_placeholders_work_in_any_charset(tmp_path: Path, charset: str) -> None:
    words = {"windows-1251": "Высота", "shift_jis": "高さ", "iso2022_jp": "高さ", "gb18030": "高度"}.get(
        charset, "Höhe"
    )
    make(
        tmp_path,
        f'[pages."a.example/x.html"]\ncharset = "{charset}"',
        {"a.example/x.html": f"{words} {{{{today}}}}".encode(charset)},
    )
    page = load_web(tmp_path).pages["a.example/x.html"]
    assert page.body(NOW).decode(charset) == f"{words} 2031-02-03"


def test_bytes_that_do_not_fit_the_charset_are_served_as_they_are(tmp_path: Path) -> None:
    make(tmp_path, "", {"a.example/x.html": b"\xff\xfe {{today}} \x80"})
    web = load_web(tmp_path)
    assert web.pages["a.example/x.html"].body(NOW) == b"\xff\xfe 2031-02-03 \x80"
    assert web.warnings == ("hosts/a.example/x.html: not utf-8 at byte 0",)


def test_a_folder_and_its_index_are_one_page(web: Web) -> None:
    pages = [web.find("tower.example", path) for path in ("/height/", "/height/index.html", "/height", "/height/?a=1")]
    assert {page.url for page in pages if page} == {"http://tower.example/height/"}
    assert None not in pages


def test_hosts_compare_without_regard_to_case_and_a_missing_page_is_none(web: Web) -> None:
    assert web.find("TOWER.example", "/") is web.find_url("http://tower.example/")
    assert web.find("tower.example", "/nothing.html") is None
    assert web.find("tower.example", "/../tower.example/index.html") is None


def test_a_page_rule_stands_above_its_host_and_that_above_the_defaults(tmp_path: Path) -> None:
    make(
        tmp_path,
        '[defaults]\nlatency_ms = 1\n[hosts."a.example"]\nlatency_ms = 2\n[pages."a.example/b"]\nlatency_ms = 3',
        {"a.example/b": b"b", "a.example/c": b"c", "z.example/c": b"c"},
    )
    assert {key: page.latency_ms for key, page in load_web(tmp_path).pages.items()} == {
        "a.example/b": 3,
        "a.example/c": 2,
        "z.example/c": 1,
    }


def test_articles_are_the_pages_that_answer_with_their_own_words(web: Web) -> None:
    assert [page.url for page in web.articles() if page.host in ("tower.example", "moved.example", "drip.example")] == [
        "http://tower.example/",
        "http://tower.example/height/",
    ]


def test_questions_of_all_files_are_read_with_their_dates_filled(web: Web) -> None:
    assert [question.id for question in web.questions] == ["height", "lift", "sides", "unknown"]
    lift = web.questions[1].at(NOW)
    assert lift.expect == (("2031-01-31", "31 January 2031"),)
    assert (lift.history, lift.focus, lift.max_age_days) == (("Tell me of the Harbour Tower",), "news", 7)
    assert web.questions[3].abstain
    assert load_questions(FOLDER) == web.questions


def test_every_fault_is_named_at_once_with_file_and_line(tmp_path: Path) -> None:
    make(
        tmp_path,
        '[hosts."a.example"]\nlatency_ms = "slow"\n\n[pages."a.example/x.html"]\ncharset = "klingon"\nstatus = 99\n',
        {"a.example/x.html": b"fine\n{{days_ago}}\n", "a.example/y.html": b"{{today:1}}"},
    )
    (tmp_path / "questions.jsonl").write_text(
        '{"id": "a", "question": "b"}\n{"id": "a", "question": "c"}\n{"id": 3}\nno\n'
    )
    with pytest.raises(WebFolderError) as caught:
        load_web(tmp_path)
    faults = "\n".join(caught.value.faults)
    for place in (
        "web.toml:2: [hosts.\"a.example\"] latency_ms has the wrong type: 'slow'",
        "web.toml:5: [pages.\"a.example/x.html\"] charset = 'klingon' is no charset",
        'web.toml:6: [pages."a.example/x.html"] status = 99',
        "hosts/a.example/x.html:2: {{days_ago}} is no placeholder",
        "hosts/a.example/y.html:1: {{today:1}} is no placeholder",
        "questions.jsonl:2: id 'a' is taken",
        "questions.jsonl:3: 'id' is missing or no text",
        "questions.jsonl:4: ",
    ):
        assert place in faults


@pytest.mark.parametrize(
    ("toml", "said"),
    [("[pages\n", "line 1"), ("hosts = 3", "[hosts] must be a table"), ("[pages]\nx = 1", "must be a table of tables")],
)
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, toml: str, said: str) -> None:
    make(tmp_path, toml, {"a.example/x.html": b"x"})
    with pytest.raises(WebFolderError, match="web.toml") as caught:
        load_web(tmp_path)
    assert said in str(caught.value)


def test_a_folder_without_hosts_is_no_web(tmp_path: Path) -> None:
    with pytest.raises(WebFolderError, match="no folder 'hosts'"):
        load_web(tmp_path)


def test_what_is_merely_odd_is_a_warning(tmp_path: Path) -> None:
    make(tmp_path, '[pages."a.example/none.html"]\nlatencyms = 3\n', {"a.example/x.html": b"x"})
    web = load_web(tmp_path)
    assert web.pages["a.example/none.html"].status == 404
    assert "latencyms is unknown; did you mean 'latency_ms'?" in web.warnings[0]
    assert "no file under hosts/" in web.warnings[1]


@pytest.mark.parametrize(("name", "questions"), [("second_web", 60), ("third_web", 60), ("fourth_web", 48)])
def test_a_benchmark_folder_loads_whole_and_holds_what_its_questions_point_to(name: str, questions: int) -> None:
    web = load_web(BENCHMARKS / name)
    assert (len(web.questions), web.warnings) == (questions, ())
    for question in web.questions:
        named = [*question.gold_urls, *(url for side in question.both_sides for url in side)]
        assert [url for url in named if not web.find_url(url)] == []
        assert bool(named) is not question.abstain


def make(root: Path, toml: str, files: dict[str, bytes]) -> None:
    (root / "web.toml").write_text(toml)
    for name, body in files.items():
        path = root / "hosts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)

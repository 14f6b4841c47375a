"""An answer checked while it streams: what is shown, when, and with which verdict."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.support import FakeSupport, numbered_evidence, whole

from answerable.answering.checking import AnswerChecker, CheckedAnswer
from answerable.events import Delta, Event, SentenceChecked
from answerable.providers.support.lexical import LexicalSupport
from answerable.types import Evidence, Page, Passage, Support

CASES = Path(__file__).parents[1] / "data" / "cases"
ALL = [json.loads(line) for line in (CASES / "cases-citing.jsonl").read_text("utf-8").splitlines()]
CITING = [case for case in ALL if case["kind"] in {"citations", "citation_stream", "claims"}]
URLS = ["https://one.example/page", "https://two.example/page", "https://three.example/page"]


async def checked(
    *pieces: str, evidence: Evidence | None = None, support: FakeSupport | LexicalSupport | None = None
) -> tuple[CheckedAnswer, list[Event]]:
    events: list[Event] = []
    checker = AnswerChecker(evidence or numbered_evidence(URLS), support or FakeSupport(), events.append)
    for piece in pieces:
        await checker.feed(piece)
    return await checker.finish(), events


def ended(events: Sequence[Event]) -> list[SentenceChecked]:
    return [event for event in events if isinstance(event, SentenceChecked)]


def without_markers(text: str) -> str:
    return " ".join(re.sub(r"(?<!`rows)\[\d+\](?!`)", "", text).split())


def cites(answer: CheckedAnswer, numbers: Sequence[int]) -> list[int]:
    return [int(answer.numbers[n - 1].removeprefix("page-")) for n in numbers]


def read(case: dict[str, Any]) -> tuple[list[str], list[str]]:
    file = json.loads((CASES / case["file"]).read_text("utf-8"))
    urls = [source["url"] for source in file.get("sources", [])] or URLS
    return urls, file.get("chunks") or [file["answer"]]


@pytest.mark.parametrize("case", CITING, ids=[case["id"] for case in CITING])
@pytest.mark.parametrize("cut", ["as given", "by character", "whole"])
async def test_case_of_citing(case: dict[str, Any], cut: str) -> None:
    urls, chunks = read(case)
    pieces = {"as given": chunks, "by character": list("".join(chunks)), "whole": ["".join(chunks)]}[cut]
    support = FakeSupport()

    answer, events = await checked(*pieces, evidence=numbered_evidence(urls), support=support)

    expected = case["expected"]
    units = [(without_markers(s.text), cites(answer, s.numbers)) for s in answer.sentences]
    for unit, wanted in zip(units, expected.get("sentences", units), strict=True):
        if isinstance(wanted, dict):
            assert unit[0] == wanted["text"]
            assert unit[1] in [wanted["cites"], *wanted.get("cites_alt", [])]
    for wanted in expected.get("blocks", []):
        assert (wanted["text"], wanted["cites"]) in units
    for wanted in expected.get("claims", []):
        claims = [c for c in units if wanted.get("text") == c[0] or wanted.get("contains", "\0") in c[0]]
        assert [c[1] for c in claims] == [wanted["cites"]]
        asked = [claim for claim, _ in support.asked if claims[0][0].rstrip(".") in claim]
        assert wanted.get("context", "") in asked[0]
    assert len(support.asked) == expected.get("count", len(support.asked))
    shown = answer.answer
    assert [text for text in expected.get("not_claims", []) if any(text in claim for claim, _ in support.asked)] == []
    assert [text for text in expected.get("must_not_show", []) if text in shown] == []
    assert [host for host in expected.get("must_not_link", []) if host in shown] == []
    assert [text for text in [*expected.get("must_show", []), *expected.get("verbatim", [])] if text not in shown] == []
    cited = {int(page.removeprefix("page-")) for page in answer.numbers}
    assert cited == set(expected.get("cited", cited))
    for n, url in expected.get("links", {}).items():
        assert [c.url for c in answer.citations if c.page_id == f"page-{n}"] == [url]
    released = "".join(event.text for event in events if isinstance(event, Delta))
    assert released == shown


async def test_the_case_of_table_cells_keeps_each_marker_in_its_cell() -> None:
    case = next(case for case in ALL if case["id"] == "cite-table-cells")
    urls, chunks = read(case)

    answer, _ = await checked(*chunks, evidence=numbered_evidence(urls))

    rows = [line.strip("|").split("|") for line in answer.answer.splitlines()[2:]]
    table = case["expected"]["table"]
    assert (len(rows), len(rows[0])) == (table["body_rows"], table["columns"])
    for wanted in table["cells"]:
        cell = rows[wanted["row"] - 1][wanted["column"] - 1]
        assert without_markers(cell) == wanted["text"]
        assert cites(answer, [int(n) for n in re.findall(r"\[(\d+)\]", cell)]) == wanted["cites"]


async def test_the_stream_case_shows_ordinary_brackets_in_time_and_never_half_a_marker() -> None:
    case = next(case for case in ALL if case["kind"] == "citation_stream")
    urls, chunks = read(case)
    events: list[Event] = []
    checker = AnswerChecker(numbered_evidence(urls), FakeSupport(), events.append)

    for position, chunk in enumerate(chunks):
        await checker.feed(chunk)
        assert [text for text in case["expected"]["never_visible"] if text in checker.answer] == []
        due = [v["text"] for v in case["expected"]["visible_by_chunk"] if v["chunk"] <= position]
        assert [text for text in due if text not in checker.answer] == []


async def test_words_are_shown_before_their_sentence_ends_and_markers_only_with_its_stop() -> None:
    events: list[Event] = []
    checker = AnswerChecker(numbered_evidence(URLS), FakeSupport(), events.append)

    await checker.feed("The tower is 330 metres tall [1]")
    assert checker.answer == "The tower is 330 metres tall"
    await checker.feed(". It")
    assert checker.answer == "The tower is 330 metres tall"
    await checker.feed(" stands ")

    assert checker.answer == "The tower is 330 metres tall[1]. It stands"


async def test_a_sentence_is_reported_after_its_last_delta_and_lies_where_it_says() -> None:
    text = "# Height\n\nThe tower is 330 metres tall [1]. It was built in 1889 [2].\n\n- Item one of the list [3]\n"

    answer, events = await checked(*text)

    shown = ""
    for event in events:
        if isinstance(event, Delta):
            shown += event.text
        elif isinstance(event, SentenceChecked):
            assert len(shown) == event.end
            assert shown[event.start : event.end] == event.text
    assert [s.text for s in answer.sentences] == [
        "Height",
        "The tower is 330 metres tall[1].",
        "It was built in 1889[2].",
        "Item one of the list[3]",
    ]


async def test_a_citation_carries_the_words_of_the_page_and_a_link_to_them() -> None:
    text = "Paris has a tower. The Eiffel Tower is 330 metres tall, says the city. It is painted often."
    page = Page("p", "https://paris.example/tower#top", "Towers", "paris.example", text, read_as="snippet")
    evidence = Evidence((page,), (Passage("q", "p", 19, len(text), text[19:]),))

    answer, _ = await checked("The Eiffel Tower is 330 metres tall [1].", evidence=evidence, support=LexicalSupport())

    (citation,) = answer.citations
    assert citation.quote == "The Eiffel Tower is 330 metres tall, says the city."
    assert text[citation.start : citation.end] == citation.quote
    assert citation.read_as == "snippet"
    assert citation.link == (
        "https://paris.example/tower#top:~:text=The%20Eiffel%20Tower%20is%20330%20metres%20tall%2C%20says%20the%20city."
    )


async def test_the_verdicts_tell_apart_what_was_found_and_what_was_given() -> None:
    def refuses(claim: str, passage: Passage) -> bool:
        return "Louvre" in claim

    answer, _ = await checked(
        "The Eiffel Tower is 330 metres tall [1]. The Louvre is the most visited museum [2]. "
        "The tower gets sixty tonnes of new paint. Is it open on public holidays [3]? "
        "The sources do not say when the tower closes. A dam holds back the river there [9].",
        support=FakeSupport(refuses=refuses),
    )

    assert [(s.numbers, s.verdict) for s in answer.sentences] == [
        ((1,), "supported"),
        ((), "unsupported"),
        ((), "uncited"),
        ((2,), None),
        ((), None),
        ((), "unsupported"),
    ]
    counts = answer.support
    assert (counts.claims, counts.supported, counts.partly, counts.unsupported, counts.uncited) == (4, 1, 0, 2, 1)


async def test_a_claim_that_is_partly_supported_keeps_its_marker_and_says_what_is_missing() -> None:
    answer, events = await checked("The Eiffel Tower is tall and blue [1].", support=FakeSupport("partly"))

    assert answer.answer == "The Eiffel Tower is tall and blue[1]."
    assert [(e.verdict, e.reason) for e in ended(events)] == [("partly", "a part is missing")]


async def test_pages_get_their_numbers_in_the_order_of_first_surviving_use() -> None:
    def refuses(claim: str, passage: Passage) -> bool:
        return passage.page_id == "page-3" and "first" in claim

    answer, _ = await checked(
        "This is the first claim of all [3][2]. This is the second claim made [3]. The third claim has two [2][3].",
        support=FakeSupport(refuses=refuses),
    )

    assert answer.numbers == ("page-2", "page-3")
    assert [s.numbers for s in answer.sentences] == [(1,), (2,), (1, 2)]


async def test_table_rows_are_checked_cell_by_cell_with_their_header_and_label() -> None:
    support = FakeSupport()

    answer, _ = await checked(
        "These kites were flown:\n\n| Kite | Span | Mass |\n|---|---|---|\n| Merlin | 5.2 m [2] | 15 kg [3] |\n",
        support=support,
    )

    assert [claim for claim, _ in support.asked] == [
        "These kites were flown Kite Span\nMerlin 5.2 m",
        "These kites were flown Kite Mass\nMerlin 15 kg",
    ]
    assert answer.sentences[-1].text == "| Merlin | 5.2 m[1] | 15 kg[2] |"


async def test_a_stopped_writer_is_followed_by_other_text_whose_numbers_go_on() -> None:
    events: list[Event] = []
    checker = AnswerChecker(numbered_evidence(URLS), FakeSupport(), events.append)

    await checker.feed("The tower is 330 metres tall [2]. It was painted in the year [")
    await checker.close_block()
    await checker.feed("## From the sources\n\nThe tower was painted in 2021 [1].")
    answer = await checker.finish()

    assert answer.answer == (
        "The tower is 330 metres tall[1]. It was painted in the year\n\n"
        "## From the sources\n\nThe tower was painted in 2021[2]."
    )
    assert (checker.claims_seen, checker.usable_markers) == (2, True)


async def test_code_that_was_left_open_is_closed_before_other_text_follows() -> None:
    checker = AnswerChecker(numbered_evidence(URLS), FakeSupport(), lambda event: None)

    await checker.feed("```python\nrows[1]\n")
    await checker.close_block()
    await checker.feed("The tower is 330 metres tall [1].")

    assert (await checker.finish()).answer == "```python\nrows[1]\n```\n\nThe tower is 330 metres tall[1]."


async def test_a_check_that_was_cancelled_is_made_again() -> None:
    class Slow(FakeSupport):
        async def check(self, claim: str, passages: Sequence[Passage]) -> Support:
            if not self.asked:
                self.asked.append((claim, ()))
                await asyncio.Event().wait()
            return await super().check(claim, passages)

    checker = AnswerChecker(numbered_evidence(URLS), Slow(), lambda event: None)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await checker.feed("The tower is 330 metres tall [1]. And then")

    await checker.close_block()

    assert checker.answer == "The tower is 330 metres tall[1]. And then"


async def test_a_page_of_which_no_passage_was_kept_supports_nothing() -> None:
    page = Page("p", "https://a.example/", "A", "a.example", "text")

    answer, _ = await checked("The tower is 330 metres tall [1].", evidence=Evidence((page,), ()))

    assert (answer.answer, answer.sentences[0].verdict) == ("The tower is 330 metres tall.", "unsupported")


async def test_a_claim_over_two_lines_is_checked_as_one_sentence_without_a_stem() -> None:
    support = FakeSupport()

    await checked("The tower is 330 metres tall\nand very old indeed [1].", support=support)

    assert [claim for claim, _ in support.asked] == ["The tower is 330 metres tall and very old indeed."]


async def test_only_the_passages_of_cited_pages_are_looked_at() -> None:
    support = FakeSupport()

    await checked("The tower is 330 metres tall [3][1].", support=support)

    assert support.asked == [("The tower is 330 metres tall.", ("page-3", "page-1"))]


def test_the_fake_quotes_what_stands_on_the_page() -> None:
    passage = numbered_evidence(URLS).passages[0]

    assert whole(passage).text == passage.text


async def test_a_hundred_claims_at_once_leave_the_others_their_turn() -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    waiting = asyncio.create_task(others())
    answer, _ = await checked("The tower in Paris is 330 metres tall [1]. " * 100)
    waiting.cancel()

    assert answer.support.claims == 100
    assert turns >= 100


async def test_the_record_counts_markers_to_unknown_sources_and_what_is_not_cited() -> None:
    answer, events = await checked(
        "The canal is 82 km long [1][7]. It has 31 locks [0][7]. Both ends meet the sea in the south.\n\n"
        "# Sources of it [9]\n\n| Lock | Rise |\n|---|---|\n| Harrow Lock | 4.1 m [2][44] |\n"
    )

    assert (answer.support.unknown_markers, answer.support.sources_used) == (5, 2)
    assert answer.support.uncited_share == 0.25
    assert [event.unknown for event in ended(events)] == [1, 2, 0, 1, 1]
    assert [sentence.unknown for sentence in answer.sentences] == [1, 2, 0, 1, 1]

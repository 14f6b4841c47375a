"""Verifying a claim against a page, and checking old citations again."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from answerable.answering.rechecking import exported_turns, recheck
from answerable.answering.verifying import verify_claim
from answerable.errors import BadRequest, ReadError
from answerable.protocols import Conversation
from answerable.providers.support.lexical import LexicalSupport
from answerable.schemas import CONVERSATION, TURN
from answerable.text.passages import page_id_of
from answerable.types import Citation, Page, Sentence, Turn

TEXT = (
    "The tower was finished in 1889. The tower is 330 metres tall, antennas included. It is painted every seven years."
)
URL = "http://towers.example/height"
NOW = datetime(2026, 3, 4, tzinfo=UTC)


def page(text: str = TEXT) -> Page:
    return Page(page_id_of(URL, text), URL, "Towers", "towers.example", text)


async def test_a_claim_the_page_states_is_supported_with_its_words() -> None:
    found = await verify_claim("The tower is 330 metres tall.", page(), LexicalSupport())

    assert found.verdict == "supported"
    assert [TEXT[quote.start : quote.end] for quote in found.quotes] == [quote.text for quote in found.quotes]
    assert "330 metres" in found.quotes[0].text
    assert found.quotes[0].link.startswith(f"{URL}#:~:text=")


async def test_another_number_is_not_supported_and_the_reason_says_what_the_page_says() -> None:
    found = await verify_claim("The tower is 300 metres tall.", page(), LexicalSupport())

    assert found.verdict == "unsupported"
    assert "330" in found.reason


@pytest.mark.parametrize("claim", ["", " \n\x00", "x" * 2001])
async def test_what_is_no_claim_is_refused(claim: str) -> None:
    with pytest.raises(BadRequest):
        await verify_claim(claim, page(), LexicalSupport())


def turn() -> Turn:
    quote = "The tower is 330 metres tall, antennas included."
    start = TEXT.index(quote)
    text = "The tower is 330 metres tall[1]."
    citation = Citation(
        1, page().page_id, URL, "Towers", "", None, 0, quote, start, start + len(quote), "supported", "", "page", URL
    )
    return replace(
        Turn("r", "c", "t", 1, "How tall?", NOW, state="done", answer=text),
        sentences=(Sentence(0, text, 0, len(text), (1,), "supported"),),
        citations=(citation,),
    )


@pytest.mark.parametrize(
    ("now_reads", "fate"),
    [
        (TEXT.replace(". The", ".\n\nThe"), "holds"),
        ("Since the new antenna, the tower is 330 m tall. It stands in Paris, and many people climb it.", "moved"),
        ("The tower is 324 metres tall, antennas included. It stands in Paris, and many people climb it.", "changed"),
    ],
)
async def test_a_citation_is_told_apart_by_what_the_page_says_now(now_reads: str, fate: str) -> None:
    async def read(url: str) -> Page:
        return page(now_reads)

    findings = await recheck([turn()], read, LexicalSupport())

    assert [(finding.n, finding.fate) for finding in findings] == [(1, fate)]


@pytest.mark.parametrize(("cause", "fate"), [("not_found", "gone"), ("timeout", "unread")])
async def test_a_page_that_is_gone_is_not_one_that_could_not_be_read(cause: str, fate: str) -> None:
    async def read(url: str) -> Page:
        raise ReadError(url, cause)  # type: ignore[arg-type]  # the causes are those of the table above

    findings = await recheck([turn()], read, LexicalSupport())

    assert [(finding.fate, finding.detail) for finding in findings] == [(fate, cause)]


def exported(*, wrong: bool = False) -> Turn:
    return replace(turn(), citations=tuple(replace(c, sentence=7 if wrong else 0) for c in turn().citations))


@pytest.mark.parametrize("shape", ["conversation", "answer", "list"])
def test_an_export_is_a_conversation_an_answer_or_a_list_of_answers(shape: str) -> None:
    data = {
        "conversation": CONVERSATION.dump_json(Conversation("c", "Towers", NOW, NOW, (turn(),))),
        "answer": TURN.dump_json(turn()),
        "list": b"[" + TURN.dump_json(turn()) + b"]",
    }[shape]

    assert exported_turns(data, "export.json") == (turn(),)


@pytest.mark.parametrize("data", [b"", b"{}", b"null", b"[1]", b"\xff", b'{"turns": []}'])
def test_a_file_that_is_no_export_is_named(data: bytes) -> None:
    with pytest.raises(BadRequest, match="notes.json holds neither"):
        exported_turns(data, "notes.json")


async def test_a_citation_whose_sentence_is_not_in_the_export_is_held_against_its_quote() -> None:
    async def read(url: str) -> Page:
        return page()

    findings = await recheck([exported(wrong=True)], read, LexicalSupport())

    assert [(finding.sentence, finding.fate) for finding in findings] == [("", "holds")]

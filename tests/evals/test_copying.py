"""The eval's model copies from its prompt and knows which faults it planted."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from tests.fakes.evidence import NOW, evidence_of, page_of

from answerable.answering.prompting import answer_messages
from answerable.evals.copying import CopyingModel, Fault, fate_of
from answerable.evals.scripted import ScriptedLLM
from answerable.providers.llm.names import make_llm
from answerable.types import Block, Citation, Evidence, Plan, Sentence, Turn, Verdict

EVIDENCE = evidence_of(
    page_of("The Sylva tunnel is 2.4 km long. It has two tubes and 118 lamps.", number=1, title="Tunnels"),
    page_of("The Sylva tunnel opened in 1974. Some 9,000 cars use the Sylva tunnel each day.", number=2),
)


def request(question: str = "What is the Sylva tunnel like?", evidence: Evidence = EVIDENCE) -> dict[str, Any]:
    messages = answer_messages(Plan(question, (question,)), evidence, NOW)
    return {"stream": True, "messages": [{"role": m.role, "content": m.content} for m in messages]}


def test_without_faults_every_claim_is_a_sentence_of_the_source_it_cites() -> None:
    model = CopyingModel(share=0)

    answer = model(request()).text

    claims = re.findall(r"(\S[^\[]*?) \[(\d)\]\.", answer)
    assert len(claims) == model.claims >= 2
    assert all(text in EVIDENCE.pages[int(number) - 1].text for text, number in claims)
    assert model.faults == []


def test_the_same_seed_plants_the_same_faults() -> None:
    first, second = CopyingModel(seed=3, share=0.5), CopyingModel(seed=3, share=0.5)

    assert first(request()).text == second(request()).text
    assert first.faults == second.faults


def test_planted_faults_are_in_the_answer_and_not_in_the_source_they_cite() -> None:
    model = CopyingModel(share=1)

    answer = model(request()).text

    assert len(model.faults) == model.claims
    for fault in model.faults:
        page = next(p for p in EVIDENCE.pages if p.title == fault.title)
        assert fault.text in answer
        assert fault.text not in page.text


def test_about_one_claim_in_five_is_spoilt() -> None:
    model = CopyingModel(seed=1)
    for n in range(100):
        model(request(f"What is the Sylva tunnel number {n} like?"))

    assert 0.12 < len(model.faults) / model.claims < 0.28


def test_what_is_not_streamed_gets_no_usable_answer() -> None:
    assert "{" not in CopyingModel()({"messages": []}).text


def test_no_evidence_is_said() -> None:
    assert CopyingModel()(request(evidence=Evidence())).text == "The sources do not say."


def test_a_table_is_read_as_a_table() -> None:
    text = "River | Length\nNile | 6,650 km\nRhine | 1,230 km"
    evidence = evidence_of(page_of(text, title="Rivers", blocks=(Block("table", 0, len(text)),)))

    assert CopyingModel(share=0)(request("What is the length of the Rhine?", evidence)).text.startswith("Rhine – ")


def test_the_newer_source_is_copied_when_the_question_is_about_now() -> None:
    old = page_of("Lena Horvat runs the Oravia ferry line.", number=1, published=NOW - timedelta(days=900))
    new = page_of("Tomas Reiter runs the Oravia ferry line.", number=2, published=NOW - timedelta(days=2))

    answer = CopyingModel(share=0)(request("Who runs the Oravia ferry line now?", evidence_of(old, new))).text

    assert answer.startswith("Tomas Reiter")


async def test_it_plays_over_the_wire() -> None:
    model = CopyingModel(share=0)
    async with ScriptedLLM(answer=model) as server:
        llm = make_llm("openai:copying", base_url=server.url)
        messages = answer_messages(Plan("How long is the Sylva tunnel?", ("q",)), EVIDENCE, NOW)
        text = "".join([piece.text async for piece in llm.stream(messages, timeout=10)])
        await llm.aclose()

    assert "The Sylva tunnel is 2.4 km long [1]." in text


@pytest.mark.parametrize(
    ("numbers", "verdict", "fate"),
    [((), "unsupported", "caught"), ((1,), "partly", "flagged"), ((1,), "supported", "survived")],
)
def test_the_fate_of_a_fault_is_read_from_the_turn(numbers: tuple[int, ...], verdict: Verdict, fate: str) -> None:
    text = "The tunnel is 3.4 km long[1]." if numbers else "The tunnel is 3.4 km long."
    sentence = Sentence(0, text, 0, len(text), numbers, verdict)
    citations = tuple(
        Citation(n, "p", "u", "Tunnels", "site1.example", None, 0, "q", 0, 1, verdict, "", "page", "") for n in numbers
    )
    turn = Turn("a", "c", "t", 1, "?", NOW, answer=text, sentences=(sentence,), citations=citations)

    assert fate_of(Fault("?", "wrong_number", "The tunnel is 3.4 km long", "Tunnels", "site1.example"), turn) == fate
    assert fate_of(Fault("?", "invented", "Something else", "", ""), turn) == "not_shown"

"""What is said of another thing of the same kind does not answer."""

from __future__ import annotations

import pytest
from tests.fakes.evidence import evidence_of, page_of, passage_of

from answerable.answering.another import speaks_of_another
from answerable.answering.candidates import candidates_of
from answerable.answering.extracting import answer_by_words
from answerable.answering.weighing import wanted_of
from answerable.types import Block, Evidence, Plan


def _told(question: str, text: str, title: str = "Notes") -> bool:
    page = page_of(text, title=title)
    evidence = Evidence((page,), (passage_of(page),), (0.9,))
    plan = Plan(question, (question,))
    candidates = candidates_of(evidence, "en")
    wanted = wanted_of(question, plan, evidence, candidates)
    return speaks_of_another(candidates[0], wanted)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How long is the Orra Canal?", "The Pell Canal is about 82 kilometres long."),
        ("How deep is Lake Orra?", "Lake Pell is 90 metres deep in the middle."),
        ("How long is the Orra viaduct?", "The Pell viaduct is 400 metres long."),
        ("How heavy is the Brin Carrier 6?", "The Brin Carrier 7 weighs 13.8 kg with mudguards."),
        ("What interest does Orra's one-year fixed account pay?", "The Easy Saver account pays 2.85% a year."),
        ("How deep is Lake Orra?", "Its mean depth is 29 m."),
        ("How much does a bin cost?", "A replacement for a lost bin is £25."),
        ("When does the first train to Orra leave?", "The last train to Orra leaves at 21:40."),
        ("When does the shop close on Sundays?", "From Monday to Friday the shop closes at 18:00."),
    ],
)
def test_a_sentence_about_another_of_the_kind_is_told(question: str, text: str) -> None:
    assert _told(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How long is the Orra Canal?", "The canal is about 193 kilometres long."),
        ("How long is the Orra Canal?", "Unlike the Pell Canal, the Orra Canal is 193 kilometres long."),
        ("How long is the Orra Canal?", "The Pell Bridge crosses the Orra Canal, which is 193 kilometres long."),
        ("How heavy is the Brin Carrier 6?", "The sixth Carrier weighs 15.6 kg with mudguards."),
        ("What interest does Orra's one-year fixed account pay?", "A fixed account pays 3.4% a year."),
        ("When does the first train to Orra leave?", "The first train to Orra leaves at 05:35, the last at 21:40."),
        ("When does the shop close on Tuesdays?", "From Monday to Friday the shop closes at 18:00."),
        ("When does the shop close on Tuesdays?", "Every day the shop closes at 18:00 sharp."),
        ("Who was Ada Orra?", "Orra gave up performing at 78 but carved every day."),
    ],
)
def test_what_speaks_of_the_thing_itself_is_kept(question: str, text: str) -> None:
    assert not _told(question, text)


def test_the_thing_asked_leads_though_another_of_its_kind_is_told_in_more_of_the_words() -> None:
    own = "The sea lies level on both sides, so the Orra Canal has no locks. Today it is about 193 kilometres long."
    answer = answer_by_words(
        Plan("How long is the Orra Canal?", ("How long is the Orra Canal?",)),
        evidence_of("The Pell Canal is about 82 kilometres long.", own),
    )
    assert "193" in answer
    assert "82" not in answer


def _timetable(question: str) -> str:
    parts = [
        ("caption", "Saturday, towards Pell"),
        ("table", "Stop | First | Last\nOrra, Square | 06:30 | 22:35\nPell, Harbour | 07:35 | 23:38"),
        ("caption", "Sunday and bank holidays, towards Pell"),
        ("table", "Stop | First | Last\nOrra, Square | 09:15 | 19:50\nPell, Harbour | 10:20 | 20:53"),
    ]
    text, blocks = "", []
    for kind, part in parts:
        blocks.append(Block(kind, len(text), len(text) + len(part)))  # type: ignore[arg-type]
        text += f"{part}\n\n"
    page = page_of(text, title="Bus X9 Orra - Pell", blocks=tuple(blocks))
    return answer_by_words(Plan(question, (question,)), Evidence((page,), (passage_of(page),), (0.9,)))


def test_the_table_of_the_asked_day_and_the_stop_where_one_leaves_are_read() -> None:
    assert "19:50" in _timetable("When is the last X9 bus from Orra to Pell on a Sunday?")
    assert "22:35" in _timetable("When is the last X9 bus from Orra to Pell on a Saturday?")


def test_how_deep_is_not_answered_with_the_distance_between_two() -> None:
    question = "How deep are orra bulbs planted?"
    text = "Orra bulbs are planted with 15 cm between them. Push each down until its tip is 6 cm below the surface."
    answer = answer_by_words(Plan(question, (question,)), evidence_of(text))
    assert answer.startswith("Push") or "15 cm" not in answer


def test_how_deep_is_answered_though_no_word_says_that_it_is_a_depth() -> None:
    question = "How deep is the Orra trench?"
    answer = answer_by_words(
        Plan(question, (question,)), evidence_of("The Orra trench between two ridges goes to 900 m.")
    )
    assert "900 m" in answer


def test_where_nothing_tells_of_the_thing_itself_nothing_is_taken_away() -> None:
    question = "What does the adult ticket for Orra Hall cost?"
    answer = answer_by_words(Plan(question, (question,)), evidence_of("Orra Hall tickets cost 9 euros for everyone."))
    assert "9 euros" in answer


@pytest.mark.parametrize(
    "line",
    [
        "Orra, Pell and Brin, who found them, how big they are and why they are not called planets.",
        "How the Orra Canal was dug in ten years and what it changed.",
    ],
)
def test_what_a_page_is_going_to_tell_is_not_quoted(line: str) -> None:
    assert not candidates_of(evidence_of(line), "en")


def test_a_sentence_that_only_has_such_words_is_quoted() -> None:
    assert candidates_of(evidence_of("Ada Orra, who found Pell, was the daughter of a miller and a weaver."), "en")

"""Follow-ups become standalone by rules."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from answerable.answering.followups import standalone_question
from answerable.answering.planning import plan_by_rules
from answerable.types import PastTurn, Question

CASES = Path(__file__).parents[1] / "data" / "cases"
ROWS = {row["id"]: row for row in map(json.loads, (CASES / "cases-planning.jsonl").read_text("utf-8").splitlines())}

VIADUCT = PastTurn(
    question="Who designed the Halden viaduct?",
    standalone_question="Who designed the Halden viaduct?",
    summary="The Halden viaduct was designed by Ingrid Solvang.",
    sources=("Halden viaduct",),
)
LEAVE = PastTurn("…", "How long is parental leave in Sweden?", "Parents in Sweden share 480 days.", ("Leave",))
TOWER = PastTurn("…", "How tall is the Eiffel Tower?", "The Eiffel Tower is 330 metres tall.", ())
BRIDGE = PastTurn("…", "Which bridge did Aldous build?", "Harrow Gap Bridge was built by Aldous in 1964.", ())
CANAL = PastTurn("…", "When was the Suez Canal opened?", "The Suez Canal was opened on 17 November 1869.", ())
APOLLO = PastTurn("…", "How much rock did Apollo 11 bring back?", "Apollo 11 brought back 21.5 kilograms.", ())
CAPITALS = PastTurn("…", "Which capitals stand on the Danube?", "Vienna, Bratislava, Budapest and Belgrade do.", ())
FERRY = PastTurn(
    "…", "When does the last winter ferry leave Gull Island?", "The last winter ferry leaves at 17:30.", ()
)
SAVER = PastTurn("…", "What interest does Tidewater's Easy Saver pay now?", "It pays 2.85%.", ())
LIBRARY = PastTurn("…", "How much will the new library in Port Wennick cost?", "It will cost 4.1 million euros.", ())
PAID = PastTurn(
    "How long is parental leave in Sweden?",
    "How long is parental leave in Sweden?",
    "Parents share 480 days.",
    ("Leave", "Insurance"),
)
SIDES = PastTurn("…", "Which is taller, the Eiffel Tower or Big Ben?", "The Eiffel Tower is taller.", ())
PUPPETS = PastTurn(
    "…",
    "who was Wilma Tarr?",
    "Wilma Tarr made puppets. Other pieces followed: The Clockmender's Wife, Nine Geese.",
    (),
)
LAST_BUS = PastTurn("…", "When does the last bus leave on a Saturday?", "It leaves at 22:35.", ())
POOL = PastTurn("…", "Was kostet der Eintritt ins Freibad Lindenau für Erwachsene?", "Er kostet 4,50 Euro.", ())
LOCK = PastTurn("…", "What is a lock gate?", "A lock gate holds back water.", ())


@pytest.mark.parametrize(
    ("last", "question", "standalone"),
    [
        (VIADUCT, "When did she die?", "When did Ingrid Solvang die?"),
        (VIADUCT, "What were her other works?", "What were Ingrid Solvang’s other works?"),
        (VIADUCT, "How long is it?", "How long is the Halden viaduct?"),
        (VIADUCT, "What is its height?", "What is the Halden viaduct’s height?"),
        (LEAVE, "And in Norway?", "How long is parental leave in Norway?"),
        (LEAVE, "What about self-employed people?", "How long is parental leave in Sweden for self-employed people?"),
        (TOWER, "What about Big Ben?", "How tall is Big Ben?"),
        (TOWER, "And the Shard?", "How tall is the Shard?"),
        (TOWER, "When was it built?", "When was the Eiffel Tower built?"),
        (LOCK, "How does it work?", "How does lock gate work?"),
        (PUPPETS, "how old was she when she died", "how old was Wilma Tarr when she died"),
        (LAST_BUS, "what about on Sundays?", "When does the last bus leave on a Sunday?"),
        (POOL, "und bis wann ist es abends offen?", "bis wann ist es abends offen (Freibad Lindenau)?"),
        (CANAL, "How long is it?", "How long is the Suez Canal?"),
        (APOLLO, "And Apollo 17?", "How much rock did Apollo 17 bring back?"),
        (CAPITALS, "Into which sea does it flow?", "Into which sea does the Danube flow?"),
        (FERRY, "And in summer?", "When does the last summer ferry leave Gull Island?"),
        (FERRY, "What about the first one?", "When does the first winter ferry leave Gull Island?"),
        (SAVER, "And the one-year fixed account?", "What interest does Tidewater's one-year fixed account pay now?"),
        (LIBRARY, "When will it open?", "When will the new library in Port Wennick open?"),
        (BRIDGE, "how long is that one?", "how long is Harrow Gap Bridge?"),
        (TOWER, "and how many steps are there?", "how many steps are there (the Eiffel Tower)?"),
        (PAID, "What does the second source say?", f"What does “Insurance” say ({PAID.question.rstrip('?')})?"),
        (PAID, "What does [1] say about strikes at sea?", "What does “Leave” say about strikes at sea?"),
        (PAID, "Was sagt die letzte Quelle?", f"Was sagt “Insurance” ({PAID.question.rstrip('?')})?"),
        (PAID, "What does the fifth source say?", "What does the fifth source say?"),
        (SIDES, "Which of them is older?", "Which of the Eiffel Tower and Big Ben is older?"),
        (
            CAPITALS,
            "Which of these cities is the largest?",
            "Which of Vienna, Bratislava, Budapest and Belgrade is the largest?",
        ),
        (TOWER, "and the old mast, how high was it?", "the old mast, how high was the Eiffel Tower?"),
    ],
)
def test_what_is_left_out_is_filled_in(last: PastTurn, question: str, standalone: str) -> None:
    assert standalone_question(question, [last]) == standalone


def test_a_short_question_in_another_language_keeps_the_topic() -> None:
    assert "Halden viaduct" in standalone_question("¿Y cuánto mide?", [VIADUCT])


@pytest.mark.parametrize(
    "question",
    [
        "What is the best way to descale a kettle?",
        "Who painted the Mona Lisa?",
        "How long does it take to boil an egg?",
        "Is it true that bees sleep?",
        "What time is it in Tokyo?",
    ],
)
def test_a_new_subject_is_left_alone(question: str) -> None:
    assert standalone_question(question, [VIADUCT]) == question


@pytest.mark.parametrize("question", ["How tall is it?", "And in Norway?", "", "   "])
def test_without_history_only_white_space_changes(question: str) -> None:
    assert standalone_question(question, []) == " ".join(question.split())


@pytest.mark.parametrize("case", ["fu-ellipsis", "fu-language-switch", "fu-pronoun", "fu-topic-switch"])
def test_the_rules_make_a_follow_up_stand_alone(case: str) -> None:
    given = json.loads((CASES / ROWS[case]["file"]).read_text("utf-8"))
    expected = ROWS[case]["expected"]
    history = [
        PastTurn(turn["question"], turn["question"], turn["answer"], tuple(one["title"] for one in turn["sources"]))
        for turn in given["history"]
    ]
    wanted = expected["items"] if "items" in given else [expected["standalone"]]

    for text, one in zip(given.get("items", [given.get("question")]), wanted, strict=True):
        plan = plan_by_rules(Question(text, datetime(2031, 2, 3, tzinfo=UTC), history=tuple(history)))
        told = plan.standalone_question.casefold()
        assert all(words.casefold() in told for words in one["must_contain"])
        assert not [words for words in one.get("must_not_contain", ()) if words.casefold() in told]
        assert not [word for word in one.get("must_not_contain_word", ()) if word in told.split()]
        assert plan.queries, "it is searched for"
        assert plan.language == expected.get("answer_language", "en")

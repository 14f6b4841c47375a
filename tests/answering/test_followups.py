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
        (LOCK, "How does it work?", "How does the lock gate work?"),
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
        (TOWER, "and the old mast, how high was it?", "how high was the old mast?"),
    ],
)
def test_what_is_left_out_is_filled_in(last: PastTurn, question: str, standalone: str) -> None:
    assert standalone_question(question, [last]) == standalone


def test_a_short_question_in_another_language_keeps_the_topic() -> None:
    assert "Halden viaduct" in standalone_question("¿Y cuánto mide?", [VIADUCT])


def after(asked: str, answered: str = "") -> PastTurn:
    return PastTurn(asked, asked, answered, ())


@pytest.mark.parametrize(
    ("asked", "question", "standalone"),
    [
        ("How long is a marathon?", "And a half marathon?", "How long is a half marathon?"),
        ("How deep should one press in a grown-up?", "What about a baby?", "How deep should one press in a baby?"),
        ("What is the fare for a car?", "And for a motorcycle?", "What is the fare for a motorcycle?"),
        (
            "how often does the red bus run from monday to friday",
            "and on sundays",
            "how often does the red bus run on sundays?",
        ),
        ("How much is the single fare on the X9?", "And the day fare?", "How much is the day fare on the X9?"),
        (
            "When does the last boat to Orra leave Pell?",
            "And the first one?",
            "When does the first boat to Orra leave Pell?",
        ),
        (
            "When does the last boat to Orra leave Pell?",
            "What about the first one of the day?",
            "When does the first boat to Orra leave Pell?",
        ),
        (
            "When does the last boat to Orra leave Pell?",
            "And the first one in the morning?",
            "When does the first boat to Orra leave Pell in the morning?",
        ),
        (
            "When does the first bus leave on Saturdays?",
            "And the last on Sundays?",
            "When does the last bus leave on Sundays?",
        ),
        ("How many people lived in Norway in 2020?", "And in 2010?", "How many people lived in Norway in 2010?"),
        ("How many people lived in Norway in 2020?", "What about 2010?", "How many people lived in Norway in 2010?"),
        ("How many people live in Norway?", "And in 2010?", "How many people live in Norway in 2010?"),
        ("What does a day ticket cost?", "And today?", "What does a day ticket cost today?"),
        ("How tall is Big Ben in London?", "And the Eiffel Tower?", "How tall is the Eiffel Tower?"),
        (
            "How many medals did Orra win at the games in Pell?",
            "And in Brin?",
            "How many medals did Orra win at the games in Brin?",
        ),
        ("When was the Eiffel Tower built?", "What about the height?", "What is the height of the Eiffel Tower?"),
        (
            "When was the Eiffel Tower built?",
            "And its opening hours?",
            "What are the opening hours of the Eiffel Tower?",
        ),
    ],
)
def test_the_part_that_changes_is_exchanged_and_the_rest_is_kept(asked: str, question: str, standalone: str) -> None:
    assert standalone_question(question, [after(asked)]) == standalone


@pytest.mark.parametrize(
    ("asked", "question", "standalone"),
    [
        ("What does the Orra Dry 20 heater cost?", "And the 12?", "What does the Orra Dry 12 heater cost?"),
        ("What does the Orra Dry 20 heater cost?", "How heavy is the 12?", "How heavy is the Orra Dry 12 heater?"),
        (
            "What does the Orra Dry 20 heater cost?",
            "is the 12 any cheaper?",
            "is the Orra Dry 12 heater cheaper than the Orra Dry 20 heater?",
        ),
        ("How heavy is the Brin Carrier 7?", "What about the previous model?", "How heavy is the Brin Carrier 6?"),
        ("How heavy is the Brin Carrier 7?", "and the next version?", "How heavy is the Brin Carrier 8?"),
        (
            "Tell me about the Brin Carrier 7",
            "and the model before it, how heavy is that one?",
            "how heavy is the Brin Carrier 6?",
        ),
        ("What does the Orra Dry 20 heater cost?", "Who are the 12 apostles?", "Who are the 12 apostles?"),
    ],
)
def test_a_number_alone_is_another_of_the_same_line(asked: str, question: str, standalone: str) -> None:
    assert standalone_question(question, [after(asked)]) == standalone


@pytest.mark.parametrize(
    ("asked", "question", "standalone"),
    [
        ("How tall is Orra Tower?", "How much taller is Pell Mast?", "How much taller is Pell Mast than Orra Tower?"),
        ("How tall is the Eiffel Tower?", "Is Big Ben taller?", "Is Big Ben taller than the Eiffel Tower?"),
        ("How tall is the Eiffel Tower?", "Is it taller than Big Ben?", "Is the Eiffel Tower taller than Big Ben?"),
        (
            "How tall is the Eiffel Tower?",
            "How does it compare with Big Ben?",
            "How does the Eiffel Tower compare with Big Ben?",
        ),
        ("How tall is the Eiffel Tower?", "How far is it from London?", "How far is the Eiffel Tower from London?"),
        ("How tall is the Eiffel Tower?", "And Big Ben, when was that built?", "when was Big Ben built?"),
        (
            "Which is taller, the Eiffel Tower or Big Ben?",
            "And which is older?",
            "which is older, the Eiffel Tower or Big Ben?",
        ),
        ("How tall is the Eiffel Tower?", "Is Big Ben taller than the Shard?", "Is Big Ben taller than the Shard?"),
        ("How tall is the Eiffel Tower?", "Which planets are larger?", "Which planets are larger?"),
    ],
)
def test_what_is_compared_is_compared_with_what_the_last_question_was_about(
    asked: str, question: str, standalone: str
) -> None:
    assert standalone_question(question, [after(asked)]) == standalone


@pytest.mark.parametrize(
    ("asked", "answered", "question", "standalone"),
    [
        (
            "What did Ada Orra invent?",
            "Ada Orra invented the Long Loom.",
            "When did she die?",
            "When did Ada Orra die?",
        ),
        (
            "What did Ada Orra invent?",
            "Ada Orra invented the Long Loom.",
            "When was it invented?",
            "When was Long Loom invented?",
        ),
        ("What is the capital of Norway?", "Oslo is the capital of Norway.", "How old is it?", "How old is Oslo?"),
        (
            "What is the capital of Norway?",
            "Oslo is the capital of Norway.",
            "How many people live there?",
            "How many people live in Oslo?",
        ),
        ("How tall is the Pell Mast?", "It is 90 m tall.", "How do I get there?", "How do I get to the Pell Mast?"),
        (
            "What is the tallest building in Pell?",
            "The Long Hall is the tallest building in Pell.",
            "When was it finished?",
            "When was Long Hall finished?",
        ),
        (
            "When was Mont Pell first climbed?",
            "It was climbed in 1786 by Jo Brin.",
            "How old was he?",
            "How old was Jo Brin?",
        ),
        (
            "Which bridge did Aldous build?",
            "Harrow Gap Bridge was built by Aldous.",
            "When did he die?",
            "When did Aldous die?",
        ),
        (
            "Who designed the Pell Mast?",
            "It was designed by Ada Orra.",
            "And her husband?",
            "Who is the husband of Ada Orra?",
        ),
        ("How tall is the Eiffel Tower?", "", "What else did he build?", "What else did he build (the Eiffel Tower)?"),
    ],
)
def test_a_pronoun_is_bound_to_what_the_answer_was_about(
    asked: str, answered: str, question: str, standalone: str
) -> None:
    assert standalone_question(question, [after(asked, answered)]) == standalone


def test_a_person_is_looked_for_in_earlier_turns() -> None:
    history = [VIADUCT, PastTurn("…", "How long is the Halden viaduct?", "It is 400 metres long.", ())]
    assert standalone_question("When did she die?", history) == "When did Ingrid Solvang die?"


@pytest.mark.parametrize(
    ("asked", "question", "standalone"),
    [
        ("Wie hoch ist die Zugspitze?", "Und der Großglockner?", "Wie hoch ist der Großglockner?"),
        ("Wie viele Menschen wohnen in Norwegen?", "Und in Schweden?", "Wie viele Menschen wohnen in Schweden?"),
        (
            "Was kostet der Eintritt ins Freibad Pell für Erwachsene?",
            "Und für Kinder?",
            "Was kostet der Eintritt ins Freibad Pell für Kinder?",
        ),
        (
            "Was kostet der Eintritt ins Freibad Pell?",
            "Und Kinder?",
            "Was kostet der Eintritt ins Freibad Pell für Kinder?",
        ),
        ("Wann fährt der letzte Bus am Samstag?", "Und am Sonntag?", "Wann fährt der letzte Bus am Sonntag?"),
        ("Wer war Ada Orra?", "Wann hat sie den Preis bekommen?", "Wann hat sie den Preis bekommen (Ada Orra)?"),
        ("Quelle est la hauteur du mont Ventoux ?", "Et le mont Blanc ?", "Quelle est la hauteur du mont Blanc?"),
        ("Quelle est la hauteur de la tour Eiffel ?", "Et sa masse ?", "sa masse (tour Eiffel)?"),
        ("Où est la tour Eiffel ?", "Quand a-t-elle été construite ?", "Quand a-t-elle été construite (tour Eiffel)?"),
        ("¿Cuánto mide el Everest?", "¿Y el K2?", "Cuánto mide el K2?"),
        ("¿Cuál es la altura del Everest?", "¿Y el Aneto?", "Cuál es la altura del Aneto?"),
        ("¿Quién fue Frida Orra?", "¿Dónde nació ella?", "¿Dónde nació ella (Frida Orra)?"),
        ("दिल्ली की जनसंख्या कितनी है?", "और मुंबई की?", "मुंबई की जनसंख्या कितनी है?"),
        ("दिल्ली की जनसंख्या कितनी है?", "और मुंबई?", "मुंबई की जनसंख्या कितनी है?"),
        ("ताजमहल कहाँ है?", "वह कब बना था?", "वह कब बना था (ताजमहल)?"),
    ],
)
def test_small_words_of_other_tongues_are_understood(asked: str, question: str, standalone: str) -> None:
    assert standalone_question(question, [after(asked)]) == standalone


@pytest.mark.parametrize(
    "question",
    [
        "When did Marie Curie win her first prize?",
        "Why does a cat lick its fur?",
        "How do birds find their way?",
        "How far is it from London to Paris?",
        "Is it warm in Spain in May?",
        "Is there a lift in the Pell Mast?",
        "my kettle says E4, how do i get rid of it",
        "How many people had to leave their homes because of the Pell Lane fire?",
        "what year did the big lamp at pell stop having anybody living in it",
        "Thanks, that helps a lot with the Pell Mast!",
        "Wann hat Goethe seinen Faust geschrieben?",
        "Quand Victor Hugo a-t-il écrit son premier roman ?",
        "Il y a combien de jours dans une année bissextile ?",
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


@pytest.mark.parametrize(
    ("before", "question", "standalone"),
    [
        ("how long is the Orla Ring", "and the smaller one?", "how long is the smaller Orla Ring?"),
        (
            "what does a small service cost at Velmora now",
            "and the large one?",
            "what does the large service cost at Velmora now?",
        ),
        ("how much is it to neuter a male cat", "and for a female one", "how much is it to neuter the female cat?"),
        ("how much does the Siren 3 weigh", "and the plus, how heavy is that", "how heavy is the plus (the Siren 3)?"),
        ("who won the Grey Loop 2026", "who finished third?", "who finished third (the Grey Loop 2026)?"),
        ("who won the Golden Bridle", "what did the winner get", "what did the winner get (the Golden Bridle)?"),
        ("how far does the D18 bough turn", "what about the second one", "how far does the second D18 bough turn?"),
        (
            "what happens if i ski on a closed run",
            "and if it is a guest",
            "what happens if i ski on a closed run if it is a guest?",
        ),
        ("who leads the works in Marrow", "and in sallowby?", "who leads the works in sallowby?"),
        ("who leads the works in Marrow", "and in winter?", "who leads the works in Marrow in winter?"),
        ("what is the charge in Mossel for a flat", "and for a house", "what is the charge in Mossel for a house?"),
        ("when did small harbour come out", "who directed it", "who directed small harbour"),
        (
            "what is the star evening at the observatory",
            "what does it cost",
            "what does the star evening at the observatory cost",
        ),
        (
            "how much does the tank 400 print",
            "what about the jot 220",
            "how much does the tank 400 print for the jot 220?",
        ),
    ],
)
def test_what_is_typed_without_capitals_is_understood_too(before: str, question: str, standalone: str) -> None:
    assert standalone_question(question, [PastTurn(before, before, "")]) == standalone


def test_a_part_that_was_put_behind_the_question_gives_its_place_to_the_next() -> None:
    first = "when can i be naturalised"
    second = PastTurn("and a wife of a citizen?", f"{first} for a wife of a citizen?", "")

    assert standalone_question("what about refugees", [second]) == f"{first} for refugees?"


def test_a_name_is_written_as_the_conversation_has_it() -> None:
    last = PastTurn("…", "Who built the Orla Ring?", "Ida Marr built it, and the Mell Ring as well.", ())

    plan = plan_by_rules(Question("how long is the mell ring", datetime(2026, 1, 1, tzinfo=UTC), history=(last,)))

    assert plan.standalone_question == "how long is the Mell Ring"

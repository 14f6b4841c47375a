"""What a question describes gets its name from the evidence, or keeps its description."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.fakes.evidence import evidence_of, page_of

from answerable.answering.extracting import extract, extractive_answer
from answerable.answering.naming import (
    Named,
    as_described,
    holding,
    names_for,
    queries_for,
    reason_for,
    with_name,
    with_what_tells_of,
)
from answerable.answering.trying import that_answers
from answerable.answering.weighing import Judges
from answerable.types import Block, Evidence, Page, Plan


class Sure:
    """A model that is sure of the texts with these words and of no other."""

    def __init__(self, *right: str, chance: float = 0.95) -> None:
        self.right, self.chance = right, chance

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [self.chance if any(words in text for words in self.right) else 0.05 for text in texts]


def plan(question: str, language: str = "en") -> Plan:
    return Plan(question, (question,), language=language)


async def named(question: str, evidence: Evidence, sure: Sure) -> Named | None:
    """The name that is taken when nothing more is known of any."""
    judges = Judges(None, sure)
    names = await names_for(plan(question), evidence, judges)
    return await that_answers(names, plan(question), (), {}, judges)


LAKE = (
    "Lake Mora is deep. The Orla enters the lake in the east, brown with the silt of the Sarn Hills. "
    "Boats cross the Orla."
)
BRIDGE = "The Elsa Bridge is a road bridge. It was designed by Signe Lund while she worked for Petch & Lowe in Osk."
LIFE = "Ida Brook was an actor. She was born in Upper Sarn, the third daughter of a sailmaker called Tom Vale."
HEAD = (
    "The board has made a choice: since 1 October Reto Brand, 47, has been at the head of Vara Lifts. "
    "He follows Otti Falk, who goes to the bank in Osk."
)
BULBS = "The lamps were dear. For a hundred years their threads were made of osmium. Lamps are sold in Osk."


@pytest.mark.parametrize(
    ("question", "text", "tells", "name"),
    [
        ("How long is the river that runs through Lake Mora?", LAKE, "The Orla enters", "the Orla"),
        ("Where was the designer of the Elsa Bridge born?", BRIDGE, "designed by", "Signe Lund"),
        ("How many people live in the place Ida Brook came from?", LIFE, "born in", "Upper Sarn"),
        ("How old is the successor of Otti Falk?", HEAD, "He follows", "Reto Brand"),
        ("Where does the head of Vara Lifts live?", HEAD, "at the head", "Reto Brand"),
        (
            "Who sells the tool that won the Osk test?",
            "The Osk test was won by Sluice 31 ms ahead.",
            "won by",
            "Sluice",
        ),
        ("Who sells the tool that won the Osk test?", "The Osk test was won by Weir 5.2 in May.", "won by", "Weir 5.2"),
        ("At what heat does the metal of old lamp threads melt?", BULBS, "threads were made", "osmium"),
    ],
)
async def test_the_name_is_taken_from_the_sentence_that_tells_it(
    question: str, text: str, tells: str, name: str
) -> None:
    found = await named(question, evidence_of(text), Sure(tells))

    assert found is not None
    assert found.name == name
    assert name in with_name(plan(question), found).standalone_question
    assert found.passage.page_id


async def test_a_sentence_about_it_takes_its_name_from_the_page() -> None:
    text = "The Orla is a river. From its source in Cold Tarn it runs through Lake Mora to the sea at Port Vale."

    found = await named(
        "How long is the river that runs through Lake Mora?",
        evidence_of(page_of(text, title="Orla | Waters")),
        Sure("through Lake Mora to"),
    )

    assert found is not None
    assert found.name.endswith("Orla")


@pytest.mark.parametrize(
    ("question", "text", "sure"),
    [
        ("How long is the river that runs through Lake Mora?", LAKE, Sure("The Orla enters", chance=0.5)),
        ("How high is the Orrin Tower?", LAKE, Sure("The Orla enters")),
        ("Where was the designer of the Elsa Bridge born?", "The Elsa Bridge was designed in 1964.", Sure("designed")),
        (
            "How high is the highest hill in Sudmark?",
            "At 811 metres Arvel Top is the second highest hill in Sudmark.",
            Sure("second highest"),
        ),
    ],
)
async def test_what_is_not_sure_keeps_its_description(question: str, text: str, sure: Sure) -> None:
    assert await named(question, evidence_of(text), sure) is None


async def test_other_languages_and_engines_without_the_model_are_left_alone() -> None:
    german = plan("How long is the river that runs through Lake Mora?", "de")

    assert not await names_for(german, evidence_of(LAKE), Judges(None, Sure("The Orla enters")))
    assert not await names_for(plan(german.standalone_question), evidence_of(LAKE), Judges())


async def test_a_name_holds_nothing_but_words_of_the_evidence() -> None:
    found = await named(
        "How long is the river that runs through Lake Mora?", evidence_of(LAKE), Sure("The Orla enters")
    )

    assert found is not None
    rewritten = with_name(plan("How long is the river that runs through Lake Mora?"), found)
    assert set(rewritten.standalone_question.rstrip("?").split()) <= {"How", "long", "is", "the", *LAKE.split()}


async def test_the_answer_opens_with_the_sentence_that_tells_the_name() -> None:
    question = "How long is the river that runs through Lake Mora?"
    evidence = evidence_of(LAKE, "The Orla is 312 km long. The Orla has many bends.")
    found = await named(question, evidence, Sure("The Orla enters"))
    assert found is not None

    answer = (await extract(with_name(plan(question), found), evidence, named=(found,))).text

    assert answer.startswith("The Orla enters the lake in the east")
    assert "The Orla is 312 km long [2]." in answer


async def test_the_sentence_that_tells_the_name_stays_in_the_evidence() -> None:
    question = "How long is the river that runs through Lake Mora?"
    first = evidence_of(LAKE)
    found = await named(question, first, Sure("The Orla enters"))
    assert found is not None
    second = evidence_of(page_of("The Orla is 312 km long.", number=2))

    held = holding(second, (found,), {page.page_id: page for page in (*first.pages, *second.pages)})

    assert found.passage in held.passages
    assert len(held.passages) == len(held.scores) == 2
    assert holding(held, (found,), {page.page_id: page for page in held.pages}) == held


async def test_the_first_row_of_a_sorted_table_of_such_things_names_the_highest() -> None:
    caption, rows = (
        "The highest hills of Sudmark",
        "Hill | Height\nArvel Top | 912 m\nMount Orrin | 811 m\nSkel | 640 m",
    )
    text = f"{caption}\n{rows}"
    blocks = (Block("caption", 0, len(caption)), Block("table", len(caption) + 1, len(text)))
    question = "How old are the rocks of the highest hill in Sudmark?"

    found = await named(question, evidence_of(page_of(text, blocks=blocks)), Sure("nothing"))
    elsewhere = await named(
        question.replace("Sudmark", "Norland"), evidence_of(page_of(text, blocks=blocks)), Sure("-")
    )

    assert found is not None
    assert found.name == "Arvel Top"
    assert elsewhere is None


async def test_a_passage_with_the_name_that_answers_is_taken_into_the_evidence() -> None:
    question = "How long is the river that runs through Lake Mora?"
    first = evidence_of(LAKE)
    found = await named(question, first, Sure("The Orla enters"))
    assert found is not None
    other = evidence_of(page_of("The Orla is 312 km long.", number=2), page_of("The Orla is green.", number=3))
    pages = {page.page_id: page for page in (*first.pages, *other.pages)}

    more = await with_what_tells_of(
        found, with_name(plan(question), found), first, other.passages, pages, Judges(None, Sure("312 km"))
    )

    assert [p.text for p in more.passages] == [LAKE, "The Orla is 312 km long."]


async def test_where_one_was_born_is_not_told_of_another() -> None:
    text = (
        "Signe Lund was an engineer. Among her pupils was Tom Reed, who was born in Orlen. "
        "Karl Vale (1848–1920), whose bridge hers replaced, was born in Thorn. Signe Lund kept bees. She was born in "
        "Vess, by the sea."
    )

    evidence = evidence_of(page_of(text, title="Signe Lund"))

    answer = await extractive_answer(plan("Where was Signe Lund born?"), evidence, Judges(None, Sure("born")))

    assert "Vess" in answer
    assert "Orlen" not in answer
    assert "Thorn" not in answer


async def test_a_model_is_told_what_the_name_stands_for() -> None:
    question = "How long is the river that runs through Lake Mora?"
    found = await named(question, evidence_of(LAKE), Sure("The Orla enters"))
    assert found is not None

    told = as_described(with_name(plan(question), found), (found,))

    assert told.standalone_question == "How long is the Orla (the river that runs through Lake Mora)?"


async def which(question: str, tells: str, answers: str, *texts: str | Page) -> str:
    """The name that is taken where the model is sure of the one for the thing, of the other for the question."""
    evidence = evidence_of(*texts)
    names = await names_for(plan(question), evidence, Judges(None, Sure(tells)))
    pages = {page.page_id: page for page in evidence.pages}
    found = await that_answers(names, plan(question), evidence.passages, pages, Judges(None, Sure(answers)))
    return found.bare if found else ""


async def test_of_several_names_in_a_sentence_the_one_called_so_is_the_things() -> None:
    text = "The script was read with the help of Tom Reed and of the Sarn Stone. Tom Reed led no restoration."

    name = await which(
        "Who led the restoration of the stone that helped to read the script?",
        "with the help",
        "Ida Brook",
        text,
        page_of("The restoration of the Sarn Stone was led by Ida Brook.", number=2),
    )

    assert name == "Sarn Stone"


async def test_of_several_names_the_one_that_has_an_answer_is_taken() -> None:
    text = "The largest maker, Gill Dairy, sells to all. Best in show: Croft End, Haddle White."

    name = await which(
        "How much salt is in the cheese that won best in show?",
        "Best in show",
        "2 grams of salt",
        text,
        page_of("Haddle White has 2 grams of salt. Gill Dairy is large. Croft End is small.", number=2),
    )

    assert name == "Haddle White"


async def test_the_name_stands_in_the_column_of_such_things() -> None:
    rows = "Days | Leaves | Ship\nTuesday, Friday | 20.30 | Maren\nSaturday | 11.00 | Corrin"
    blocks = (Block("table", 0, len(rows)),)

    name = await which(
        "How many people fit on the ship that leaves on Tuesday?",
        "Tuesday",
        "450 people",
        page_of(rows, blocks=blocks),
        page_of("The Corrin carries many. The Maren carries 450 people.", number=2),
    )

    assert name == "Maren"


async def test_a_version_is_called_by_its_number() -> None:
    question = "Which Waylog version fixed the lost sheets, and when did it come out?"

    name = await which(
        question,
        "6.1.2 no sheet",
        "1 June",
        "Since 6.1 sheets are gone. With 6.1.2 no sheet is lost.",
        page_of("Waylog 6.1 came out on 2 March. Waylog 6.1.2 came out on 1 June.", number=2),
    )

    assert name == "6.1.2"


async def test_all_names_that_may_be_meant_are_searched_for() -> None:
    question = "How long is the river that runs through Lake Mora?"
    judges = Judges(None, Sure("The Orla enters"))
    names = await names_for(plan(question), evidence_of(LAKE), judges)

    queries = queries_for(plan(question), names)

    assert queries[0] == "How long is the Orla?"
    assert "Orla" in queries
    assert len(queries) <= 4
    assert reason_for(names[:1]) == "the river that runs through Lake Mora is the Orla"
    assert reason_for(names).startswith("the river that runs through Lake Mora may be the Orla")


async def test_the_sentence_that_tells_the_name_is_not_the_answer_where_another_is() -> None:
    rows = "Line | Length (km) | Crossing\n5 | 11.8 | Mint Bridge\n8 | 13.1 | Reed Bridge"
    table = page_of(rows, blocks=(Block("table", 0, len(rows)),))
    question = "how long is the bridge used by the number 5 tram"
    evidence = evidence_of(table, page_of("Mint Bridge is 212 m long. It is of stone.", number=2))
    judges = Judges(None, Sure("11.8", "212 m"))
    names = await names_for(plan(question), evidence, judges)
    found = next(one for one in names if one.bare == "Mint Bridge")

    answer = (await extract(with_name(plan(question), found), evidence, judges, named=(found,))).text

    assert "Mint Bridge is 212 m long" in answer

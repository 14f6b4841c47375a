"""Who holds an office, where a sentence says it plainly."""

from __future__ import annotations

import pytest

from answerable.text.roles import asked_office, holder_in, record_in, same_person

ASKED = "Who runs the Oravia ferry line now?"


@pytest.mark.parametrize(
    ("question", "office"),
    [
        (ASKED, "head"),
        ("Who is the head of Oravia Lines?", "head"),
        ("who's the mayor of Harrow?", "mayor"),
        ("Who is the current Prime Minister of Sylva?", "prime minister"),
        ("Who owns the Harrow Gazette?", "owner"),
    ],
)
def test_a_question_for_the_holder_of_an_office_is_known(question: str, office: str) -> None:
    asked = asked_office(question)

    assert asked is not None
    assert asked.office == office


@pytest.mark.parametrize(
    "question", ["Who built the Eiffel Tower?", "How tall is it?", "Who is the mayor?", "Who was it?"]
)
def test_other_questions_are_none(question: str) -> None:
    assert asked_office(question) is None


@pytest.mark.parametrize(
    ("sentence", "who"),
    [
        ("Lena Horvat runs the Oravia ferry line.", "Lena Horvat"),
        ("Tomas Reiter took over the Oravia ferry line from Lena Horvat on 1 November 2030.", "Tomas Reiter"),
        ("Director of the Oravia ferry line: Lena Horvat.", "Lena Horvat"),
        ("Tomas Reiter was appointed director of the Oravia ferry line.", "Tomas Reiter"),
        ("The director of the Oravia ferry line is Lena Horvat.", "Lena Horvat"),
        ("Tomas Reiter has run the Oravia ferry line since 2030.", "Tomas Reiter"),
        ("Lena Horvat ran the Oravia ferry line until 2030.", None),
        ("Lena Horvat is the former director of the Oravia ferry line.", None),
        ("Lena Horvat is the mayor of Oravia.", None),
        ("Lena Horvat runs the Harrow ferry line.", None),
        ("Lena Horvat praised the Oravia ferry line.", None),
        ("Nobody runs the Oravia ferry line.", None),
    ],
)
def test_the_holder_is_read_only_where_it_is_plain(sentence: str, who: str | None) -> None:
    asked = asked_office(ASKED)

    assert asked is not None
    assert holder_in(sentence, asked) == who


def test_a_name_with_and_without_its_first_name_is_one_person() -> None:
    assert same_person("Lena Horvat", "Lena Maria Horvat")
    assert same_person("L. Horvat", "Lena Horvat")
    assert not same_person("Lena Horvat", "Tomas Reiter")


CONSTANCE = "The ketch Constance, launched in 1831, is the oldest vessel afloat in Wennick Bay."


@pytest.mark.parametrize(
    ("other", "rivals"),
    [
        ("The pilot cutter Aldith is the oldest vessel afloat in Wennick Bay.", True),
        ("Aldith is the oldest vessel in Harrow Bay.", False),
        ("Aldith is one of the oldest vessels afloat in Wennick Bay.", False),
        ("Aldith is the longest vessel afloat in Wennick Bay.", False),
        ("Aldith is not the oldest vessel afloat in Wennick Bay.", False),
        ("Aldith is the best of all.", False),
        ("It is the oldest vessel afloat in Wennick Bay.", False),
    ],
)
def test_two_holders_of_one_record_are_rivals(other: str, rivals: bool) -> None:
    first, second = record_in(CONSTANCE), record_in(other)

    assert first is not None
    assert first[0] == "ketch Constance"
    assert (second is not None and first[1] == second[1] and first[0] != second[0]) == rivals

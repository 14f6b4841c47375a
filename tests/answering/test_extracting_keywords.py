"""Words for a search, where a question would be, get what the paragraph goes on to say."""

from __future__ import annotations

from collections.abc import Sequence

from tests.fakes.evidence import evidence_of

from answerable.answering.extracting import extractive_answer
from answerable.answering.weighing import Judges
from answerable.types import Plan


async def test_keywords_are_answered_with_what_the_paragraph_goes_on_to_say() -> None:
    text = (
        "Option frames sets the number of frames that the blur filter averages. The default is 9. "
        "It must be an odd number in range [5, 129]."
    )
    evidence = evidence_of(text)

    keywords = await extractive_answer(Plan("blur filter frames averages", ()), evidence)
    question = await extractive_answer(Plan("What does option frames of the blur filter set?", ()), evidence)

    assert "in range [5, 129] [1]." in keywords
    assert "129" not in question


async def test_keywords_are_answered_with_what_the_section_says_of_those_that_are_left() -> None:
    text = (
        "The blur filter averages the frames of a film.\n\nIt is slow on large pictures.\n\n"
        "Memory grows with the threshold, at four bytes for each pixel."
    )

    answer = await extractive_answer(Plan("blur filter frames threshold memory", ()), evidence_of(text))

    assert "averages the frames of a film [1]" in answer
    assert "four bytes for each pixel [1]" in answer
    assert "slow" not in answer


class Never:
    """A model of questions that finds no answer anywhere."""

    name = "never"

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [0.01] * len(texts)


async def test_what_reads_questions_has_no_say_on_a_row_of_keywords_that_it_does_not_understand() -> None:
    text = "The blur filter averages the frames of a film by the threshold that is set."
    evidence = evidence_of(text)

    keywords = await extractive_answer(
        Plan("blur filter frames average threshold", ()), evidence, Judges(answers=Never())
    )
    question = await extractive_answer(
        Plan("What is the colour of the blur filter?", ()), evidence, Judges(answers=Never())
    )

    assert "averages the frames" in keywords
    assert question == ""


class Finds:
    """A model of questions that finds the answer where "marls" stands."""

    name = "finds"

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [0.9 if "marls" in text else 0.02 for text in texts]


async def test_a_row_of_keywords_is_a_question_to_a_model_that_finds_its_answer() -> None:
    text = (
        "The museum sells family tickets at the gate for visitors bought every day. "
        "On the web a ticket for two adults and their children is 28 marls."
    )

    answer = await extractive_answer(
        Plan("museum family ticket bought online", ()), evidence_of(text), Judges(answers=Finds())
    )

    assert answer.startswith("On the web")

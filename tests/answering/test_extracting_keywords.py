"""Words for a search, where a question would be, get what the paragraph goes on to say."""

from __future__ import annotations

from tests.fakes.evidence import evidence_of

from answerable.answering.extracting import extractive_answer
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

"""How much of a question a passage covers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from answerable.text.relevance import coverage, mostly_latin, question_tokens


def test_stop_words_of_the_questions_language_are_left_out() -> None:
    assert question_tokens("How tall is the Eiffel Tower?") == ["tall", "eiffel", "tower"]
    assert "c" in question_tokens("bash mapfile -C callback")
    assert "z" in question_tokens("python strptime %Z accepted values")
    assert question_tokens("is e-mail free") == ["mail", "free"]
    assert "ist" not in question_tokens("Wie hoch ist der Eiffelturm?")


def test_a_question_of_stop_words_keeps_them() -> None:
    assert question_tokens("Who is it?") != []


def test_more_of_the_question_is_more_coverage() -> None:
    whole, part, none = coverage(
        "How tall is the Eiffel Tower?", ["The Eiffel Tower is tall.", "The Eiffel company.", "Bread."]
    )

    assert whole > part > none == 0


def test_inflected_words_are_the_same_word() -> None:
    assert coverage("Which museums were visited most?", ["The museum that most people visit."])[0] > 0.3


def test_the_name_that_all_texts_share_still_counts() -> None:
    texts = ["The Harrow bridge is old.", "The Harrow bridge is red.", "Old and red, like all here."]

    assert coverage("How long is the Harrow bridge?", texts)[0] > coverage("How long is the Harrow bridge?", texts)[2]


def test_scripts_are_told_apart() -> None:
    assert mostly_latin("Wie hoch ist der Eiffelturm?")
    assert mostly_latin("2024?")
    assert not mostly_latin("iPhone の価格はいくらですか")


@given(question=st.text(max_size=40), texts=st.lists(st.text(max_size=80), max_size=5))
def test_coverage_is_a_share(question: str, texts: list[str]) -> None:
    shares = coverage(question, texts)

    assert len(shares) == len(texts)
    assert all(0 <= share < 1 for share in shares)


def test_a_name_of_code_counts_as_a_whole_beside_its_parts() -> None:
    asked = "src_http_fail_cnt codes"

    assert "src_http_fail_cnt" in question_tokens(asked)
    whole, parts = coverage(asked, ["src_http_fail_cnt counts codes", "src and http codes fail the cnt"])
    assert whole > parts

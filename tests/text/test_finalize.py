"""finalize_citations: checked and renumbered citations for a whole answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable import finalize_citations

PASSAGES = {
    1: "The Eiffel Tower is 330 metres tall. It stands in Paris.",
    2: "The Louvre is the most visited museum in the world.",
    3: "The tower was built for the World Fair of 1889.",
}
URLS = {1: "https://tower.example/", 2: "https://louvre.example/a", 3: "https://tower.example/"}


def test_the_survivors_stand_before_the_stop_numbered_by_page_in_order_of_use() -> None:
    answer = (
        "The Eiffel Tower is 330 metres tall [1][7]. It was built for the 1889 World Fair [3]. "
        "The Louvre is the most visited museum [2][1]. "
        "It is repainted every seven years with sixty tonnes of paint."
    )

    text, sources, uncited = finalize_citations(answer, PASSAGES, URLS)

    assert text == (
        "The Eiffel Tower is 330 metres tall[1]. It was built for the 1889 World Fair[1]. "
        "The Louvre is the most visited museum[2]. "
        "It is repainted every seven years with sixty tonnes of paint."
    )
    assert sources == ["https://tower.example/", "https://louvre.example/a"]
    assert uncited == ["It is repainted every seven years with sixty tonnes of paint."]


def test_a_short_remark_is_no_claim() -> None:
    assert finalize_citations("Yes. The Eiffel Tower is 330 metres tall [1]. Yes.", PASSAGES, URLS)[2] == []


@pytest.mark.parametrize("min_support", [-1.0, 0.0, 0.3, 1.0])
def test_a_wrong_number_keeps_no_citation_however_little_support_is_asked(min_support: float) -> None:
    text, sources, uncited = finalize_citations("The tower is 300 metres tall [1].", PASSAGES, URLS, min_support)

    assert (text, sources, uncited) == ("The tower is 300 metres tall.", [], ["The tower is 300 metres tall."])


def test_min_support_decides_how_much_must_be_found() -> None:
    answer = "The Eiffel Tower in Paris delights crowds of romantic tourists [1]."

    lenient, strict = (finalize_citations(answer, PASSAGES, URLS, least)[0] for least in (0.1, 0.9))

    assert (lenient.count("[1]"), strict.count("[1]")) == (1, 0)


def test_nothing_gives_nothing() -> None:
    assert finalize_citations("", {}, {}) == ("", [], [])


def test_passages_without_an_address_are_sources_of_their_own() -> None:
    answer = "The Eiffel Tower is 330 metres tall [1]. The Louvre is the most visited museum [2]."

    text, sources, _ = finalize_citations(answer, PASSAGES, {2: "https://louvre.example/a"})

    assert text == "The Eiffel Tower is 330 metres tall[1]. The Louvre is the most visited museum[2]."
    assert sources == ["", "https://louvre.example/a"]


def test_addresses_that_differ_in_trifles_are_one_source() -> None:
    urls = {1: "https://Tower.example/page", 3: "https://tower.example:443/page#height"}

    text, sources, _ = finalize_citations(
        "The Eiffel Tower is 330 metres tall [1]. The tower was built for the World Fair of 1889 [3].", PASSAGES, urls
    )

    assert text.count("[1]") == 2
    assert sources == ["https://Tower.example/page"]


def test_a_marker_speaks_for_its_own_passage_only() -> None:
    text, _, uncited = finalize_citations("The tower was built for the World Fair of 1889 [1].", PASSAGES, URLS)

    assert (text, len(uncited)) == ("The tower was built for the World Fair of 1889.", 1)


def test_numbers_of_sources_may_have_gaps_and_any_order() -> None:
    passages = {40: PASSAGES[1], 7: PASSAGES[2]}

    text, sources, _ = finalize_citations(
        "The Louvre is the most visited museum [7]. The Eiffel Tower is 330 metres tall [40].",
        passages,
        {40: "a", 7: "b"},
    )

    assert text == "The Louvre is the most visited museum[1]. The Eiffel Tower is 330 metres tall[2]."
    assert sources == ["b", "a"]


@pytest.mark.parametrize(
    ("answer", "passage"),
    [
        ("海鳴橋は1931年に完成した【1】。", "海鳴橋は１９３１年に完成し、全長は４１０ｍである。"),
        ("城墙全长13.7公里［1］。", "城墙建于1370年，全长13.7公里。"),
        ("Der Turm wurde 1889 in Paris gebaut [1].", "Der Turm in Paris wurde im Jahr 1889 gebaut."),
        ("بُني البرج في باريس عام ١٨٨٩ [١].", "بني البرج في باريس عام 1889."),
        ("Башня построена в Париже в 1889 году [1].", "Башня была построена в 1889 году в Париже."),
        ("หอคอยสร้างในปี 1889 [1]", "หอคอยสร้างในปี 1889 ที่ปารีส"),
    ],
)
def test_every_script_is_checked(answer: str, passage: str) -> None:
    text, _, uncited = finalize_citations(answer, {1: passage}, {1: "https://a.example/"})

    assert (text.count("[1]"), uncited) == (1, [])


def test_line_ends_of_any_kind_are_one_kind() -> None:
    text, _, _ = finalize_citations("- The Louvre is a museum [2]\r\n- The tower is tall [1]\r", PASSAGES, URLS)

    assert text == "- The Louvre is a museum[1]\n- The tower is tall[2]"


@settings(max_examples=100, deadline=None)
@given(
    st.text(max_size=200),
    st.dictionaries(st.integers(-2, 30), st.text(max_size=60), max_size=4),
    st.dictionaries(st.integers(-2, 30), st.text(max_size=20), max_size=4),
)
def test_strange_input_never_raises(answer: str, passages: dict[int, str], urls: dict[int, str]) -> None:
    text, sources, uncited = finalize_citations(answer, passages, urls)

    assert isinstance(text, str)
    assert len(sources) <= len(passages)
    assert all(claim in text for claim in uncited)

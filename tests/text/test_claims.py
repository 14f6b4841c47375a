"""What is a claim, and what only asks, leads on, or speaks about the sources."""

from __future__ import annotations

import pytest

from answerable.text.citing import Check, CitingMachine, Ended, Found, Sources
from answerable.text.claims import bare_claim, states_fact


@pytest.mark.parametrize(
    "text",
    [
        "The Eiffel Tower is 330 metres tall.",
        "Sources of funding were mixed and mostly private.",
        "Die Quellen der Donau liegen im Schwarzwald bei Donaueschingen.",
        "The passage between the islands is 12 km wide.",
        "该水库于1998年蓄水。",
        "海鳴橋は1931年に完成した。",
    ],
)
def test_a_statement_is_a_claim(text: str) -> None:
    assert states_fact(text)


@pytest.mark.parametrize(
    "text",
    [
        "Yes.",
        "はい。",
        "It is.",
        "Is the Eiffel Tower really 330 metres tall?",
        "塔の高さは何メートルですか？",
        "The repair kit contains these things:",
        "The sources do not say when the tower was painted.",
        "The provided sources don't mention its opening hours.",
        "None of the sources gives the height of the tower.",
        "The opening hours are not mentioned in the sources provided.",
        "I could not find the height of the tower.",
        "The sources disagree about the height of the tower.",
        "Die Quellen nennen die Höhe des Turms nicht.",
        "Les sources ne précisent pas la hauteur de la tour.",
        "资料中没有提到塔的高度。",
        "",
    ],
)
def test_questions_stems_short_remarks_and_words_about_the_sources_are_no_claims(text: str) -> None:
    assert not states_fact(text)


def test_what_the_writer_cited_needs_fewer_words() -> None:
    assert states_fact("The city paid half.", cited=True)
    assert not states_fact("The city paid half.")
    assert not states_fact("Yes.", cited=True)


def test_a_cited_statement_about_evidence_in_the_world_is_a_claim() -> None:
    text = "The available evidence does not support a link between the two."

    assert states_fact(text, cited=True)
    assert not states_fact(text)


def test_an_item_counts_the_words_of_its_stem() -> None:
    assert states_fact("a foot pump", context="The repair kit contains")
    assert not states_fact("a foot pump")


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        ("# The tower of Harrow Point\n\nIt is 41 metres tall and white [1].", ["It is 41 metres tall and white."]),
        ("How tall is it really? It is 41 metres tall today [1].", ["It is 41 metres tall today."]),
        ("Here is what I found:\n\nThe tower is 41 metres tall [1].", ["The tower is 41 metres tall."]),
        ("I could not confirm the date. The tower is 41 metres tall [1].", ["The tower is 41 metres tall."]),
        ("In short, yes. The sources disagree about the colour of the tower.", []),
        ("| Tower | Height |\n|---|---|\n| Harrow Point Light | 41 m [1] |", ["| Harrow Point Light | 41 m[1] |"]),
        ("```\nheight = towers[1]\n```", []),
        ("The tower was bought by:\n- the city of Harrow [1]\n- a fisher [1]", ["the city of Harrow", "a fisher"]),
        ("هل البرج قديم؟ بني البرج في عام 1863 على الساحل الشمالي [1].", ["بني البرج في عام 1863 على الساحل الشمالي."]),
        ("यह मीनार 41 मीटर ऊँची और सफेद है [1]। क्या यह पुरानी है?", ["यह मीनार 41 मीटर ऊँची और सफेद है।"]),
        ("塔高41米，建于1863年[1]。它还开放吗？", ["塔高41米，建于1863年。"]),
    ],
    ids=["heading", "question", "stem", "hedge", "remarks", "row", "code", "items", "arabic", "hindi", "chinese"],
)
def test_the_claims_of_an_answer_are_its_statements_alone(answer: str, claims: list[str]) -> None:
    machine = CitingMachine(Sources(1, {1: "page"}.get))

    found = [step.sentence for step in driven(machine, answer) if step.sentence.verdict is not None]

    assert [" ".join(s.text.replace("[1]", "").split()) for s in found] == [
        " ".join(claim.replace("[1]", "").split()) for claim in claims
    ]


def driven(machine: CitingMachine, answer: str) -> list[Ended]:
    """The sentences of an answer, each supported by all that it cites."""
    ended = []
    for steps in (machine.feed(answer), machine.close()):
        reply: Found | None = None
        while True:
            try:
                step = steps.send(reply)
            except StopIteration:
                break
            reply = Found("supported", "", step.numbers) if isinstance(step, Check) else None
            if isinstance(step, Ended):
                ended.append(step)
    return ended


@pytest.mark.parametrize(
    ("given", "bare"),
    [
        ("4. Turn on the lamp [1][2].", "Turn on the lamp."),
        ("- It was built in 316 BC[3], and burnt [12].", "It was built in 316 BC, and burnt."),
        ("It rose.[3] Then it fell [4].\nIt stayed [5]", "It rose. Then it fell.\nIt stayed"),
        ("12. May 1945 was a Saturday.", "12. May 1945 was a Saturday."),
        ("Salts of [EMIM][TfO] are toxic.", "Salts of [EMIM][TfO] are toxic."),
        ("The interval [0, 1] holds all of a[3].", "The interval [0, 1] holds all of a[3]."),
        ("[4]", "[4]"),
    ],
)
def test_the_mark_of_a_list_and_citation_markers_are_no_part_of_a_claim(given: str, bare: str) -> None:
    assert bare_claim(given) == bare

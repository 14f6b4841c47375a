"""Sentence boundaries: the rules, the scripts, and that looking ahead is bounded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.text.sentences import TAG_WINDOW, next_boundary, split_sentences

CASES = Path(__file__).parents[1] / "data" / "cases"
SPLITS = [
    (f"{case['id']}-{number}", item["text"], expected["sentences"])
    for line in (CASES / "cases-citing.jsonl").read_text("utf-8").splitlines()
    if (case := json.loads(line))["kind"] == "split"
    for number, (item, expected) in enumerate(
        zip(json.loads((CASES / case["file"]).read_text("utf-8"))["items"], case["expected"]["items"], strict=True)
    )
]


def sentences(text: str) -> list[str]:
    return [" ".join(text[start:end].split()) for start, end in split_sentences(text)]


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in SPLITS], ids=[case[0] for case in SPLITS])
def test_case_of_splitting(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text",  # a bar marks each boundary
    [
        "Hello World.| My name is Jonas.",
        "What is your name?| There it is!| I found it.",
        "My name is Jonas E. Smith.",
        "Please turn to p. 55.",
        "Entry is fl. 12 a day.| Dogs are free.",
        "It has a hall.| 12 people fit in.",
        "Were Jane and co. at the party?",
        "Let's ask Jane and co.| They should know.",
        "They closed the deal with Pitt, Briggs & Co. at noon.",
        "They closed the deal with Pitt, Briggs & Co.| It closed yesterday.",
        "I can see Mt. Fuji from here.",
        "That is JFK Jr.'s book.",
        "I live in the U.S.| How about you?",
        "I work for the U.S. Government in Virginia.",
        "She has $100.00.| It is in her bag.",
        "He teaches science (He previously worked for 5 years as an engineer.) at the local University.",
        "Her email is Jane.Doe@example.com.| I sent her an email.",
        "The site is: https://www.example.50.com/new-site/awesome_content.html.| Please check it out.",
        "She turned to him, \"This is great.\" she said.",
        "She turned to him, \"This is great.\"| She held the book out to show him.",
        "\"Who knew?\" Ito asked.| \"Nobody.\"| He left.",
        "Hello!!| Long time no see.| Hello?!| Is that you?",
        "You can find it at N°. 1026.253.553.| That is where the treasure is.",
        "She works at Yahoo! in the accounting department.",
        "We make a good team, you and I.| Did you see Albert I. Jones yesterday?",
        "“Bohr [...] used the analogy of parallel stairways [...]” (Smith 55).",
        "I never meant that....| She left the store.",
        "What I mean...see . . . what I'm saying, the thing is . . . I didn’t mean it.",
        "A habit of combining words into self-interpreting compounds. . . .| The practice was not abandoned. . . .",
        "It was tall.|The Louvre is big.| See example.com for v1.2.3 now.",
        "The kiln fires at 1,260 °C.| Cooling takes nine hours.",
        "It is rich in vitamin C.| Oranges have it too.",
        "The tower is 330 m.| It is in Paris.",
        "Er kam am 3. Oktober.| Der 1. FC Köln gewann.",
        "यह एक है।| दूसरा वाक्य है।",
        "هل هذا؟| نعم.",
        "彼は「開かない。」と言った。|本当だ。",
        "Το βιβλίο.| Η μέρα.",
        # scripts beside each other
        "The line opened in 1932.| 该线于1932年通车。|It is 4.2 km long.",
        "彼はDr. Smithに会った。|Then he left.| 本当に？|はい。",
        "Она сказала: «Нет. Не сегодня.»| He left.",
        "قال د. أحمد ذلك.| Then he left.| هل هذا صحيح؟| نعم.",
        "यह U.S. Senate है।| It voted on Jan. 5.| ठीक है।",
        "서울은 큰 도시다.| It has 9.4 million people.| 정말?| 네.",
        "ราคา 3.5 บาท! |It is cheap.",
        # ellipses, addresses, decimals, ordinals, initials
        "He waited… and left.| She stayed…| Then it rained.",
        "Read https://a.example/b.html?x=1.2.| Then v2.0.1 came out.",
        "Use 3.14, not 3.2.| J. R. R. Tolkien wrote it.",
        "Am 1. Mai 1890 fing es an.| Ludwig XIV. starb 1715.",
        "1. Heat the oven.| 2. Bake it for 3.5 hours.",
        "• Adults pay 9 euros.| • Children pay 4.50.",
    ],
)  # fmt: skip
def test_boundaries(text: str) -> None:
    expected = [" ".join(part.split()) for part in text.split("|")]

    assert sentences(text.replace("|", "")) == expected


def test_lines_end_sentences_unless_they_plainly_run_on() -> None:
    assert sentences("It was a cold \nnight.\nHeading\nMore text here\n- an item\n- another") == [
        "It was a cold night.",
        "Heading",
        "More text here",
        "- an item",
        "- another",
    ]


@given(st.text(alphabet="ab AB.!?。\"”'()[]\n 1,", max_size=80))
def test_spans_lie_in_order_cover_all_words_and_have_no_space_around(text: str) -> None:
    spans = split_sentences(text)

    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)
    assert all(a[1] <= b[0] for a, b in zip(spans, spans[1:], strict=False))
    assert (
        "".join(text[start:end] for start, end in spans).split()
        == "".join(piece for start, end in spans for piece in (text[start:end],)).split()
    )
    assert "".join("".join(text[start:end] for start, end in spans).split()) == "".join(text.split())


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab AB.!?。\"”'()[] 1,D", max_size=60), st.text(alphabet='ab AB."', max_size=30))
def test_a_decision_once_made_stands_whatever_follows(text: str, more: str) -> None:
    early = next_boundary(text, 0, 0, complete=False)

    if early is not None and early.end is not None:
        assert next_boundary(text + more, 0, 0, complete=True) == early


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='ab AB.!?"” 1,D', max_size=40))
def test_a_stop_is_decided_after_a_bounded_look_ahead(text: str) -> None:
    boundary = next_boundary(text + "x" + "y" * (TAG_WINDOW + 1), 0, 0, complete=False)

    assert boundary is None or boundary.end is not None

"""What a question describes instead of naming it, and the question that its name answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.described import described

DESCRIBED = {
    "at what height is the club's oldest hut": (
        "the club's oldest hut",
        "What is the club's oldest hut?",
        "at what height is X",
    ),
    "how long is the run with the steepest pitch in Osk": (
        "the run with the steepest pitch in Osk",
        "Which run has the steepest pitch in Osk?",
        "how long is X",
    ),
    "what is the licence of the driver that won the cold test": (
        "the driver that won the cold test",
        "Which driver won the cold test?",
        "what is the licence of X",
    ),
    "In the year in which the Elsa Bridge opened, who was king?": (
        "the year in which the Elsa Bridge opened",
        "In which year the Elsa Bridge opened?",
        "In X, who was king?",
    ),
    "how many boats sank in the year of the great flood and who was mayor that year": (
        "the year of the great flood",
        "In which year was the great flood?",
        "how many boats sank in X and who was mayor in X",
    ),
    "what is the best dish of the cook who now runs her own inn in Osk": (
        "the cook who now runs her own inn in Osk",
        "Who now runs her own inn in Osk?",
        "what is the best dish of X",
    ),
    "in which town was the first head gardener of Mora Hall born": (
        "the first head gardener of Mora Hall",
        "Who was the first head gardener of Mora Hall?",
        "in which town was X born",
    ),
    "when did the first Mora Hall cook to win a Silver Fork leave": (
        "the first Mora Hall cook to win a Silver Fork",
        "Who was the first Mora Hall cook to win a Silver Fork?",
        "when did X leave",
    ),
    "when was the shop in Osk that sells Mora cheese last inspected": (
        "the shop in Osk that sells Mora cheese",
        "Which shop in Osk sells Mora cheese?",
        "when was X last inspected",
    ),
    "how did the brother of the queen whom Uradd the bird keeper served die": (
        "the queen whom Uradd the bird keeper served",
        "Who Uradd the bird keeper served?",
        "how did the brother of X die",
    ),
    "which allotments does the winner of best vegetable look after": (
        "the winner of best vegetable",
        "Who was the winner of best vegetable?",
        "which allotments does X look after",
    ),
    "which plum goes into the pie and when is that sort picked": (
        "that sort",
        "which plum goes into the pie?",
        "which plum goes into the pie and when is X picked",
    ),
    "which Waylog version fixed the lost sheets, and when did it come out?": (
        "it",
        "which Waylog version fixed the lost sheets?",
        "which Waylog version fixed the lost sheets, and when did X come out?",
    ),
    "who designed the lens that got 91 points": (
        "the lens that got 91 points",
        "Which lens got 91 points?",
        "who designed X",
    ),
    "How long is the river that runs through Lake Mora?": (
        "the river that runs through Lake Mora",
        "Which river runs through Lake Mora?",
        "How long is X?",
    ),
    "which town lies where the river that runs through Lake Mora meets the sea": (
        "the river that runs through Lake Mora",
        "Which river runs through Lake Mora?",
        "which town lies where X meets the sea",
    ),
    "How wide is the moon that Ida Brook found?": (
        "the moon that Ida Brook found",
        "Which moon Ida Brook found?",
        "How wide is X?",
    ),
    "On which side of the planet on which the volcano Arva Mons stands is it cold?": (
        "the planet on which the volcano Arva Mons stands",
        "Which planet the volcano Arva Mons stands on?",
        "On which side of X is it cold?",
    ),
    "Where was the designer of the Elsa Bridge born?": (
        "the designer of the Elsa Bridge",
        "Who was the designer of the Elsa Bridge?",
        "Where was X born?",
    ),
    "Which banknote has the man who built the Cape Orrin light on it?": (
        "the man who built the Cape Orrin light",
        "Who built the Cape Orrin light?",
        "Which banknote has X on it?",
    ),
    "When did the woman who designed the Elsa Bridge retire?": (
        "the woman who designed the Elsa Bridge",
        "Who designed the Elsa Bridge?",
        "When did X retire?",
    ),
    "How many people live in the place Ida Brook came from?": (
        "the place Ida Brook came from",
        "Where did Ida Brook come from?",
        "How many people live in X?",
    ),
    "How many rooms has the castle built by Otto Lenz?": (
        "the castle built by Otto Lenz",
        "Which castle was built by Otto Lenz?",
        "How many rooms has X?",
    ),
    "What is the height of the highest hill in Sudmark?": (
        "the highest hill in Sudmark",
        "What is the highest hill in Sudmark?",
        "What is the height of X?",
    ),
    "At what heat does the metal of old kettle handles melt?": (
        "the metal of old kettle handles",
        "Which metal are old kettle handles made of?",
        "At what heat does X melt?",
    ),
    "Where did Ida Brook's teacher study?": (
        "Ida Brook's teacher",
        "Who was Ida Brook's teacher?",
        "Where did X study?",
    ),
    "who wrote the music of the game whose expansion is called Saltmother": (
        "the game whose expansion is called Saltmother",
        "Which game’s expansion is called Saltmother?",
        "who wrote the music of X",
    ),
    "how many points do the club have whose manager is Ida Brook?": (
        "the club have whose manager is Ida Brook",
        "Which club’s manager is Ida Brook?",
        "how many points do X have?",
    ),
    "how many passengers does the ship carry that goes to Orrin in winter": (
        "the ship carry that goes to Orrin in winter",
        "Which ship goes to Orrin in winter?",
        "how many passengers does X carry",
    ),
    "how much energy did the farm that powers the space port produce last year": (
        "the farm that powers the space port",
        "Which farm powers the space port?",
        "how much energy did X produce last year",
    ),
    "how big is the island where the black bee lives": (
        "the island where the black bee lives",
        "Which island the black bee lives in?",
        "how big is X",
    ),
    "price of the yarn the Orrin shawl is knitted with": (
        "the yarn the Orrin shawl is knitted with",
        "Which yarn the Orrin shawl is knitted with?",
        "price of X",
    ),
    "which ship goes out to the Orrin light, and how fast is it": (
        "it",
        "which ship goes out to the Orrin light?",
        "which ship goes out to the Orrin light, and how fast is X",
    ),
    "which oven was the second most used in the Orrin test and how hot did it get": (
        "it",
        "which oven was the second most used in the Orrin test?",
        "which oven was the second most used in the Orrin test and how hot did X get",
    ),
    "which oven won the great Orrin test and how hot did its door get": (
        "its",
        "which oven won the great Orrin test?",
        "which oven won the great Orrin test and how hot did X’s door get",
    ),
    "Who was the wife of the man who built the Orrin light?": (
        "the man who built the Orrin light",
        "Who built the Orrin light?",
        "Who was the wife of X?",
    ),
}


@pytest.mark.parametrize("question", DESCRIBED)
def test_a_description_is_found_with_what_asks_for_its_name(question: str) -> None:
    words, asks, named = DESCRIBED[question]

    thing = described(question)

    assert thing is not None
    assert (thing.words, thing.asks, thing.named(question, "X")) == (words, asks, named)


@pytest.mark.parametrize(
    "question",
    [
        "How tall is the Orrin Tower?",
        "Who is the mayor of Tilby at the moment?",  # it is itself what is asked
        "What is the highest hill in Sudmark?",
        "Which is the river that runs through Lake Mora?",
        "When was the bridge opened by Queen Ida?",  # what follows is asked of the bridge
        "How do I remove the part that is stuck?",  # nothing that has a name
        "Who are the people who sit in the Sudmark council?",
        "When did the bridge open and what did it cost?",  # the first part asks for no name
        "Which year was it and what did it cost?",
        "Which tower took the record from the one that had taken it from the Orrin Tower?",  # "it" is told before
        "Wie lang ist der Fluss, der durch den Morasee fließt?",
        "富士山の標高は何メートルですか。",
        "",
    ],
)
def test_what_is_named_or_itself_asked_for_is_no_description(question: str) -> None:
    assert described(question) is None


@given(st.text(max_size=120))
def test_any_text_may_be_looked_at(text: str) -> None:
    thing = described(text)

    assert thing is None or " ".join(text.split())[thing.start : thing.end] == thing.words


def test_what_is_too_long_for_one_question_is_not_looked_at() -> None:
    assert described(f"How long is {'the man who ' * 330}?") is None

"""What sentences give of one thing, and when two of them contradict each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.text.statements import agree, same_thing, statements_of


def contradict(one: str, other: str, *, title: str = "") -> bool:
    return any(
        same_thing(a, b) and not agree(a, b) for a in statements_of(one) for b in statements_of(other, around=title)
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Eiffel Tower is 330 metres tall.", "The Eiffel Tower is 324 metres tall in all."),
        ("The Eiffel Tower is 330 metres tall since 2022.", "The Eiffel Tower has a height of 324 m."),
        ("The Eiffel Tower stands 330 metres tall.", "The Eiffel Tower is 1,000 feet high."),
        ("The ferry line has 14 stops.", "The ferry line has 16 stops."),
        ("The ferry line has fourteen stops.", "The ferry line has 16 stops."),
        ("Harrow Bay has 12,400 inhabitants.", "Harrow Bay has 9,800 residents."),
        ("The Harrow mill was built in 1874.", "The Harrow mill was erected in 1847."),
        ("The Sylva Bridge opened on 3 May 1932.", "The Sylva Bridge was inaugurated on 9 May 1932."),
        ("Anna Voss was born in 1841.", "Anna Voss was born on 2 June 1843."),
        ("Steel makes up 40 % of Sylva's exports.", "Steel makes up 25 % of Sylva's exports."),
        ("The Harrow Bridge cost 40 million euros.", "The Harrow Bridge cost 65 million euros."),
        ("The Harrow tunnel is 5 to 6 km long.", "The Harrow tunnel is 8 km long."),
        ("Water in the Harrow spring is 41 °C.", "Water in the Harrow spring is 55 °C."),
    ],
)
def test_two_values_of_one_thing_contradict_each_other(one: str, other: str) -> None:
    assert contradict(one, other)
    assert contradict(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # equal in another unit, rounding, range or spelling
        ("The Eiffel Tower is 330 metres tall.", "The Eiffel Tower is 1,083 feet tall."),
        ("The Eiffel Tower is 330 metres tall.", "The Eiffel Tower is 0.33 km tall."),
        ("The Harrow tunnel is 16.18 km long.", "The Harrow tunnel is 16.2 km long."),
        ("The Harrow tunnel is about 16 km long.", "The Harrow tunnel is 17 km long."),
        ("The Harrow tunnel is 5 to 6 km long.", "The Harrow tunnel is 5.5 km long."),
        ("The Harrow tunnel is more than 5 km long.", "The Harrow tunnel is 9 km long."),
        ("The ferry line has fourteen stops.", "The ferry line has 14 stops."),
        ("The bridge was opened in 1932.", "The bridge was opened on 3 May 1932."),
        ("The Harrow spring is 41 °C.", "The Harrow spring is 106 °F."),
        # another year or time
        ("Harrow Bay had 12,400 inhabitants in 2011.", "Harrow Bay had 9,800 inhabitants in 1950."),
        ("Harrow Bay has 12,400 inhabitants.", "In 1950 Harrow Bay had 9,800 inhabitants."),
        ("The Harrow inn has 12 rooms in summer.", "The Harrow inn has 6 rooms in winter."),
        # another thing, part, place, edition
        ("The Eiffel Tower is 330 metres tall.", "Tokyo Tower is 333 metres tall."),
        ("The Eiffel Tower is 330 metres tall.", "The Eiffel Tower is 312 metres tall without it."),
        ("The Eiffel Tower is 330 metres tall.", "The Eiffel Tower is 125 metres wide."),
        ("The Eiffel Tower is 330 metres tall.", "The second floor of the Eiffel Tower is 115 metres high."),
        ("A marathon is 42.195 kilometres long.", "A half marathon is 21.0975 kilometres long."),
        ("The Kestrel 60 weighs 3.1 kg with its tripod.", "The Kestrel 80 weighs 5.9 kg with its tripod."),
        ("In a baby, press the chest down by about 4 cm.", "In an adult, press the chest down by 7 cm."),
        ("The northern Harrow tunnel is 5 km long.", "The southern Harrow tunnel is 8 km long."),
        ("Springfield, Illinois has 110,000 inhabitants.", "Springfield, Ohio has 58,000 inhabitants."),
        ("The first edition of the Harrow Atlas has 120 maps.", "The third edition of the Harrow Atlas has 180 maps."),
        # another event
        ("The Sylva Bridge was built in 1930.", "The Sylva Bridge was opened in 1932."),
        ("The mill was renovated in 1986.", "The mill was renovated in 2001."),
        # another measure, something else that is counted, several values at once
        ("The ferry line has 14 stops.", "The ferry line has 16 ships."),
        ("The ferry line is 14 km long.", "The ferry line takes 40 minutes."),
        ("Men need 3.7 litres and women 2.7 litres.", "Men need 2.5 litres and women 2.0 litres."),
        ("Adults need 3.7 litres of water a day.", "Adults need 26 litres of water a week."),
        ("It is 330 metres tall.", "It is 324 metres tall."),
    ],
)
def test_what_is_no_contradiction_is_not_taken_for_one(one: str, other: str) -> None:
    assert not contradict(one, other)
    assert not contradict(other, one)


def test_a_pronoun_is_understood_by_the_title_above_it_and_by_nothing_else() -> None:
    claim = "The Eiffel Tower is 330 metres tall."

    assert contradict(claim, "It is 324 metres tall.", title="Eiffel Tower: facts")
    assert not contradict(claim, "It is 324 metres tall.", title="Tokyo Tower")
    assert not contradict(claim, "Its restaurant is 58 metres above the ground.", title="Eiffel Tower")


@given(st.text(alphabet="The Eiffel Tower is 330 m, (1889) – 5 to °C % [1].\n", max_size=60), st.text(max_size=20))
def test_any_text_can_be_read_and_contradicts_itself_in_nothing(text: str, title: str) -> None:
    for statement in statements_of(text, around=title):
        assert agree(statement, statement)

"""Which columns of a row are told."""

from __future__ import annotations

import pytest
from tests.fakes.evidence import page_of, passage_of

from answerable.answering.extracting import NOBODY, extractive_answer
from answerable.answering.weighing import Judges
from answerable.providers.reranking.cross_encoder import CrossEncoder
from answerable.providers.reranking.minilm import MiniLMReranker
from answerable.types import Block, Evidence, Plan

READ = Judges(MiniLMReranker(), CrossEncoder())
TICKETS = "\n".join(
    (
        "Ticket | Inner zone | Inner + outer zone | Reduced, inner zone",
        "Carnet of ten | 22.00 | 36.00 | 11.00",
        "Single | 2.60 | 4.10 | 1.30",
    )
)
ALLOYS = "\n".join(
    (
        "Alloy | Tensile strength (MPa) | Yield strength (MPa) | Density (g/cm³)",
        "C-30 | 410 | 265 | 6.9",
        "C-45M | 610 | 455 | 6.4",
    )
)
FLASKS = "\n".join(
    (
        "Flask | Tolerance, class A | Tolerance, class B | Price",
        "250 ml | ±0.15 ml | ±0.30 ml | 24.50",
        "500 ml | ±0.25 ml | ±0.50 ml | 31.00",
    )
)
FEED = "\n".join(
    (
        "Cob Mix | Cob Mix Lite",
        "Price per pallet (marks) | 712 | 806",
        "Fat (%) | 4 | 2",
    )
)
DOGS = "\n".join(
    (
        "Dog | Fee (marks) | With pension card",
        "Dog over 8 years | 45 | free",
        "Dog under 8 years | 180 | 90",
    )
)
FARES = "\n".join(
    (
        "To | Single, 2nd class | Single, 1st class | Monthly ticket",
        "Vesk | 33.00 | 52.80 | not sold",
        "Brask | 14.20 | 22.70 | 246",
    )
)
SNOW = "\n".join(
    (
        "Station | Height (m) | Greatest depth (cm) | Mean depth (cm)",
        "Schattloch | 2,290 | 302 | 161",
        "Truns | 1,870 | 214 | 96",
    )
)

POWER = "Source (TWh) | 2023 | 2024 | 2025\nWind | 10.9 | 12.2 | 14.0\nCoal | 3.1 | 2.8 | 0"
RIDES = "Lift | Last ride, Dec and Jan | Last ride, Feb to Apr\nRotfluh | 15:50 | 16:20\nGorn | 16:15 | 16:45"
HOURS = "Season | Gardens\nApril to October | 10:00 to 18:00\nNovember to March | 11:00 to 15:30"
BUSES = "Line | Every (Mon to Fri) | Every (Sat, Sun)\nRed | 15 min | 10 min\nBlue | 20 min | 30 min"
AWARDS = "Award | How many | Worth a year\nIsles Bursary | 18 | 6,200\nCraft Bursary | 40 | 4,800"


LOCKS = "Lock | Name | Fall (m) | Keeper\n1 | Grey Bank | 7.8 | Odo Pell\n2 | Orra Gate | 2.1 | Ida Marl"
LOANS = "\n".join(
    (
        "Reader | Number of books | Loan period | Renewals",
        "Town reader | 6 | 3 weeks | 2",
        "Student | 20 | 8 weeks | 4",
    )
)
COLLEGES = "\n".join(
    (
        "College | Founded | Founder | Undergraduates",
        "Marrow | 1511 | Guild of Tallowmen | 455",
        "St Orrin's | 1623 | Philippa Roe | 390",
    )
)
POWERS = "\n".join(
    (
        "Tariff | Standing charge a month | Day price per kWh",
        "Owl | 10.60 marls | 33.2 pennets",
        "Lark | 8.40 marls | 36.1 pennets",
    )
)


async def told(question: str, table: str, judges: Judges = NOBODY) -> str:
    page = page_of(table, blocks=(Block("table", 0, len(table)),), title="Tables")
    evidence = Evidence((page,), (passage_of(page, kind="table"),), (0.8,))
    return await extractive_answer(Plan(question, (question,)), evidence, judges)


@pytest.mark.parametrize(
    ("question", "table", "answer"),
    [
        ("what is the yield strength of C-30", ALLOYS, "C-30 – Yield strength (MPa): 265 [1]."),
        ("tolerance of a class B 250 ml flask", FLASKS, "250 ml – Tolerance, class B: ±0.30 ml [1]."),
        ("what is the price per pallet of Cob Mix Lite", FEED, "Price per pallet (marks) – Cob Mix Lite: 806 [1]."),
        ("what is the price per pallet of Cob Mix", FEED, "Price per pallet (marks) – Cob Mix: 712 [1]."),
        ("how much for a dog over 8 years with pension card", DOGS, "Dog over 8 years – With pension card: free [1]."),
        ("how much is a first class single to Vesk", FARES, "Vesk – Single, 1st class: 52.80 [1]."),
        ("electricity from wind in 2024", POWER, "Wind – 2024: 12.2 [1]."),
        ("when is the last ride of the Rotfluh in March", RIDES, "Rotfluh – Last ride, Feb to Apr: 16:20 [1]."),
        ("when is the last ride of the Gorn in december", RIDES, "Gorn – Last ride, Dec and Jan: 16:15 [1]."),
        ("at what hours are the gardens open in winter", HOURS, "November to March – Gardens: 11:00 to 15:30 [1]."),
        ("how often does the red line run on Saturdays", BUSES, "Red – Every (Sat, Sun): 10 min [1]."),
        ("how much is the Isles Bursary", AWARDS, "Isles Bursary – Worth a year: 6,200 [1]."),
        ("what is the average snow depth at Schattloch", SNOW, "Schattloch – Mean depth (cm): 161 [1]."),
    ],
)
async def test_the_column_that_says_most_of_the_question_is_told_alone(question: str, table: str, answer: str) -> None:
    assert await told(question, table) == answer


async def test_where_no_column_is_meant_before_others_all_are_told() -> None:
    assert await told("how much is a carnet of ten", TICKETS) == (
        "Carnet of ten – Inner zone: 22.00; Inner + outer zone: 36.00; Reduced, inner zone: 11.00 [1]."
    )


CAR_PARKS = "\n".join(
    (
        "Park and ride | Spaces | Charge a day",
        "Kestin | 1,120 | 2.00",
        "Lowmoor | 640 | 1.50",
    )
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "how many spaces are there at Kestin and what do they charge a day",
            "Kestin – Spaces: 1,120; Charge a day: 2.00 [1].",
        ),
        (
            "how many spaces are there at Kestin and what is the charge a day at Lowmoor",
            "Kestin – Spaces: 1,120 [1]. Lowmoor – Charge a day: 1.50 [1].",
        ),
    ],
)
async def test_more_of_the_same_thing_is_told_from_its_own_row(question: str, answer: str) -> None:
    assert await told(question, CAR_PARKS) == answer


async def test_a_column_name_that_says_nothing_is_left_out() -> None:
    facts = "Key figure | Value\nConstruction | 28 January 1887 to 31 March 1889\nRivets | 2.5 million"
    prices = "Bag | Price\n15 kg | 69.00\n6 kg | 31.50"

    assert await told("how many rivets has it", facts) == "Rivets – 2.5 million [1]."
    assert await told("what does the 15 kg bag cost", prices) == "15 kg – Price: 69.00 [1]."


LETTUCES = "Remedy | Lettuces left of 20\nWool | 12\nWorm water | 17\nBeer | 7"
MOWERS = "Ember 5 | Ember 10\nNoise | 28 dB | 31 dB\nTank (litres) | 7 | 12"
BEACONS = "Lumo 3 | Lumo 3S | Tapir One\nWeight with batteries (g) | 205 | 198 | 236\nRange (m) | 50 | 60 | 70"


@pytest.mark.parametrize(
    ("question", "table", "answer"),
    [
        ("which avalanche beacon weighs the least", BEACONS, "Weight with batteries (g) – Lumo 3S: 198 [1]."),
        ("which beacon has the longest range", BEACONS, "Range (m) – Tapir One: 70 [1]."),
        ("which station had the deepest snow", SNOW, "Schattloch – Greatest depth (cm): 302 [1]."),
        ("which source made the most power in 2024", POWER, "Wind – 2024: 12.2 [1]."),
        ("which remedy saved most of the lettuces", LETTUCES, "Worm water – Lettuces left of 20: 17 [1]."),
        ("which mower is the quietest", MOWERS, "Noise – Ember 5: 28 dB [1]."),
        ("which mower has the most room (tank litres)", MOWERS, "Tank (litres) – Ember 10: 12 [1]."),
        ("which alloy has the lowest density", ALLOYS, "C-45M – Density (g/cm³): 6.4 [1]."),
    ],
)
async def test_a_superlative_is_told_with_what_it_compares(question: str, table: str, answer: str) -> None:
    assert (await told(question, table, READ)).removeprefix("- ").startswith(answer)


@pytest.mark.parametrize(
    ("question", "table", "answer"),
    [
        ("Which lock has the biggest fall?", LOCKS, "1 – Name: Grey Bank; Fall (m): 7.8 [1]."),  # a number is no name
        ("what is the fall of lock 2", LOCKS, "2 – Fall (m): 2.1 [1]."),  # which was asked for
        ("Who is the keeper of Orra Gate?", LOCKS, "2 – Name: Orra Gate; Keeper: Ida Marl [1]."),
        ("how long can a town reader keep a book", LOANS, "Town reader – Loan period: 3 weeks [1]."),
        ("how many books can a town reader have", LOANS, "Town reader – Number of books: 6 [1]."),
        ("who founded Marrow college", COLLEGES, "Marrow – Founder: Guild of Tallowmen [1]."),
        ("when was Marrow college founded", COLLEGES, "Marrow – Founded: 1511 [1]."),
        ("Day price per kWh in the Owl tariff", POWERS, "Owl – Day price per kWh: 33.2 pennets [1]."),
    ],
)
async def test_the_column_told_holds_the_kind_of_thing_that_is_asked_for(
    question: str, table: str, answer: str
) -> None:
    assert await told(question, table, READ) == answer

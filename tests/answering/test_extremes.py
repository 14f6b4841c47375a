"""A superlative is answered with the row that holds the most or the least of what it asks for."""

from __future__ import annotations

import pytest
from tests.fakes.evidence import NOW, evidence_of, page_of

from answerable.answering.candidates import candidates_of
from answerable.answering.extremes import extremes, sought_in
from answerable.answering.weighing import wanted_of
from answerable.types import Block, Plan

READERS = """Model | Storage | Waterproof | Battery life | Price | Released
Ombra Mini | 8 GB | no | 6 weeks | 119 | 3 May 2024
Ombra Lagoon | 32 GB | yes | 8 weeks | 219 | 12 June 2025
Pellow Leaf | 32 GB | yes | 7 weeks | 169 | 2 March 2026
Pellow Folio | 64 GB | no | 4 weeks | 1,379 | 9 August 2023"""

TRAINS = """Train | Leaves | Journey | Speed
Alpine | 08:10 | 1 h 09 min | 90 km/h
Courier | 12:10 | 59 min | 120 km/h
Owl | 18:40 | 1 h 31 | 70 km/h"""

UNIONS = """Union | Members | Founded
Dockers | 46,200 | 1889
Bakers | 8,150 | 1901
Clerks | 112,400 | 1923"""

DISTRICTS = """District | Residents | Area (km²) | District office
Northgate | 88,400 | 15.8 | Gate Parade 60
Brellin | 39,800 | 48.6 | Orchard Road 5"""

SNOW = """Station | Greatest depth (cm) | Most new snow in 24 h (cm)
Schattloch | 302 | 81
Plateau | 341 | 74"""

FILMS = """Film | Director | Minutes
Eel | Joost Harmen | 131
Keepers | Niall Strand | 146"""

ALLOYS = """Grade | Tensile strength (MPa) | Loss in sea water (mm a year)
C-45 | 535 | 0.009
C-60 | 580 | 0.006"""

RANGES = """Sela 48 | Sela 62 | Sela Long
Range | 336 km | 431 km | 404 km
Boot | 322 l | 322 l | 571 l
Power | 92 kW | 118 kW | 118 kW"""


def _first(question: str, table: str) -> str:
    """The first cells of the rows that are the asked extreme."""
    page = page_of(table, title="Tables", blocks=(Block("table", 0, len(table)),))
    evidence = evidence_of(page)
    pool = candidates_of(evidence, "en")
    wanted = wanted_of(question, Plan(question, (question,)), evidence, pool, now=NOW)
    found = extremes(pool, wanted)
    return ", ".join(c.cells[0] for c, extreme in zip(pool, found, strict=True) if extreme == 1)


TRAMS = "Line | Length (km) | First tram | Last tram\n2 | 6.8 | 4.55 | 23.40\n8 | 14.6 | 5.20 | 23.15"
RANGERS = "\n".join(
    (
        "District | Head ranger | In the job since",
        "Ommer | Birgit Solvane | 2014",
        "Issel | Merete Quill | 2009",
        "Brant | Lisbet Orre | 2023",
    )
)


@pytest.mark.parametrize(
    ("question", "table", "row"),
    [
        ("which reader is the cheapest", READERS, "Ombra Mini"),
        ("what's the cheapest waterproof reader", READERS, "Pellow Leaf"),
        ("which one is the most expensive?", READERS, "Pellow Folio"),
        ("which reader has the longest battery life", READERS, "Ombra Lagoon"),
        ("Which reader has the most storage?", READERS, "Pellow Folio"),
        ("which is the newest reader", READERS, "Pellow Leaf"),
        ("which is the oldest of the readers", READERS, "Pellow Folio"),
        ("which train is the fastest", TRAINS, "Courier"),
        ("which train has the shortest journey", TRAINS, "Courier"),
        ("the train with the longest journey", TRAINS, "Owl"),
        ("which union is the oldest", UNIONS, "Dockers"),
        ("Which tram line is the longest?", TRAMS, "8"),  # "Last tram" tells no length
        ("which head ranger has been in the job the longest", RANGERS, "Issel"),
        ("Which union has the fewest members?", UNIONS, "Bakers"),
        ("which is the largest union by members", UNIONS, "Clerks"),
        ("which union was founded first", UNIONS, "Dockers"),
        ("which of the unions was founded last?", UNIONS, "Clerks"),
        ("what is the biggest district by area", DISTRICTS, "Brellin"),
        ("which district is the biggest", DISTRICTS, "Brellin"),
        ("which station had the deepest snow", SNOW, "Plateau"),
        ("what is the longest film", FILMS, "Keepers"),
        ("which alloy loses the least metal in sea water", ALLOYS, "C-60"),
    ],
)
def test_the_row_of_the_most_or_the_least_is_found(question: str, table: str, row: str) -> None:
    assert _first(question, table) == row


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("how long is the battery life of the Ombra Mini", READERS),  # no superlative
        ("which reader is the deepest", READERS),  # no such column
        ("which car goes the farthest", RANGES),  # its columns are the things
        ("where is the nearest forest", UNIONS),
    ],
)
def test_nothing_is_the_extreme_where_no_column_tells_it(question: str, table: str) -> None:
    assert _first(question, table) == ""


def test_the_other_rows_of_the_table_speak_against_themselves() -> None:
    page = page_of(UNIONS, title="Unions", blocks=(Block("table", 0, len(UNIONS)),))
    evidence = evidence_of(page)
    pool = candidates_of(evidence, "en")
    question = "which union has the most members"
    wanted = wanted_of(question, Plan(question, (question,)), evidence, pool)

    assert extremes(pool, wanted) == [-1, -1, 1]


def test_other_languages_have_no_superlatives_here() -> None:
    page = page_of(UNIONS, title="Unions", blocks=(Block("table", 0, len(UNIONS)),))
    pool = candidates_of(evidence_of(page), "de")
    plan = Plan("Welche ist the oldest?", (), language="de")

    assert set(extremes(pool, wanted_of(plan.standalone_question, plan, evidence_of(page), pool))) == {0}


def test_a_question_without_superlative_seeks_nothing() -> None:
    assert sought_in("how tall is the forest tower") == ()


HALLS = """Hall | Seats | Step-free | Height
Great Hall | 412 | ✓ | 12.5 m
Lantern Room | 90 | ✗ | 380 cm
Attic 7 | 35 | ✓ | 2.9 m
Total | 537 | – | –"""

HARBOURS = """Harbour | Coldest | Open since | Parking
Orra | −12.4 °C | 1871 | free
Vess | -3 °C | 3 May 1964 | 4 crowns
Tarn | 2 °C | 12 June 2025 | 6 crowns"""

DISKS = """Disk | Capacity | Speed | Copying
A2 | 512 GB | 1,200 MB/s | 2 min 58 s
B2 | 2 TB | 900 MB/s | 1 h 05
C2 | 900 GB | 90 MB/s | 59 min"""

MIXED = """Trail | Length | Notes
Trail 9 | 12 km | 3
Trail 4 | 30 km | steep
Trail 7 | two days | 2019"""


@pytest.mark.parametrize(
    ("question", "table", "row"),
    [
        ("which hall has the most seats", HALLS, "Great Hall"),  # not the total
        ("the smallest step-free hall by seats", HALLS, "Attic 7"),
        ("which hall is the tallest", HALLS, "Great Hall"),  # centimetres beside metres
        ("the tallest hall", HALLS, "Great Hall"),
        ("the coldest harbour", HARBOURS, "Orra"),
        ("which harbour is the oldest", HARBOURS, "Orra"),  # a year beside dates
        ("the harbour with the cheapest parking", HARBOURS, "Orra"),  # free
        ("which disk has the largest capacity", DISKS, "B2"),
        ("the longest copying time", DISKS, "B2"),
        ("which is the longest trail", MIXED, ""),  # "Trail 9" is a name, and two days are no kilometres
        ("the second largest hall by seats", HALLS, ""),
        ("halls with at least 90 seats", HALLS, ""),
    ],
)
def test_cells_are_compared_only_where_they_are_of_one_kind(question: str, table: str, row: str) -> None:
    assert _first(question, table) == row


@pytest.mark.parametrize("cell", [f"{'9' * 400} h", f"{'1' * 5000}", "–", "", "12:99", "∞", "½"])
def test_no_cell_of_a_page_breaks_it(cell: str) -> None:
    table = f"Hall | Seats\nGreat | {cell}\nSmall | 5\nAttic | 7"

    assert _first("which hall has the most seats", table) in {"Great", "Attic", ""}

"""Rows of tables that an answer reads aloud, against the rows of the page."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from answerable.text.rows import header_of, row_cells, row_said

CASES = "\n".join(
    (
        "Sizes and prices",
        "Kestrel 32 | Kestrel 48 | Kestrel 66",
        "Volume | 32 l | 48 l | 66 l",
        "Empty weight | 2.3 kg | 2.9 kg | 3.6 kg",
    )
)
LIFTS = "\n".join(
    (
        "Lift | Top (m) | Order no.",
        "Gorn | 2,905 | MA-15",
        "Rotfluh [3] | 2,552 | MA-16.",
    )
)
WORD = st.text("abcdefghij éß", min_size=1, max_size=8).map(lambda text: " ".join(text.split())).filter(bool)


def said(claim: str, text: str, context: str = "") -> str | None:
    """What differs, "" where nothing does, None where no row is meant."""
    found = row_said(claim, text, context)
    return None if found is None else str(found.difference)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Empty weight – Kestrel 66: 3.6 kg.", CASES),
        ("Empty weight – Kestrel 32: 2.3 kg; Kestrel 66: 3.6 kg", CASES),
        ("- empty weight – Kestrel 66: 3.6 kg; Kestrel 32: 2.3 kg.", CASES),
        ("Gorn – Top (m): 2,905; Order no.: MA-15.", LIFTS),
        ("Rotfluh – Order no.: MA-16.", LIFTS),
        ("Mon – Fri – Opens: 9:00.", "Day | Opens\nMon – Fri | 9:00\nSat | 10:00"),
        ("a_b – Bits: 8; 16.", "Type | Bits\na\\_b | 8; 16"),
        ("Height – 330 m.", "Height | 330 m\nWeight | 7,300 t"),
        ("Height – 330 m.", "Key figure | Value\nHeight | 330 m\nWeight | 7,300 t"),
        ("Height – Value: 330 m.", "Key figure | Value\nHeight | 330 m\nWeight | 7,300 t"),
    ],
)
def test_a_row_read_aloud_is_found_whatever_columns_are_told(claim: str, text: str) -> None:
    assert said(claim, text) == ""


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("Empty weight – Kestrel 66: 2.9 kg.", "the source says 3.6 kg, the claim says 2.9 kg"),
        ("Empty weight – Kestrel 32: 2.3 kg; Kestrel 48: 3.6 kg.", "the source says 2.9 kg, the claim says 3.6 kg"),
        ("Volume – Kestrel 48: 48 kg.", "the source says 48 l, the claim says 48 kg"),
    ],
)
def test_the_value_of_another_column_is_told_apart(claim: str, reason: str) -> None:
    assert said(claim, CASES) == reason


@pytest.mark.parametrize(
    "claim",
    [
        "Empty weight – Kestrel 99: 3.6 kg.",
        "Full weight – Kestrel 66: 3.6 kg.",
        "The empty weight of the Kestrel 66 is 3.6 kg.",
        "Empty weight – it grew.",
        "",
        "–",
    ],
)
def test_what_reads_no_row_of_the_text_is_left_to_others(claim: str) -> None:
    assert said(claim, CASES) is None


def test_a_passage_that_begins_within_a_table_has_its_header_around_it() -> None:
    text = "Gorn | 2,905 | MA-15\n\nOther words.\n\nRiver | Length\nInn | 517 km"
    context = "Lifts of Valsorne\nLift | Top (m) | Order no."

    assert said("Gorn – Top (m): 2,905.", text, context) == ""
    assert said("Inn – Length: 517 km.", text, context) == ""
    assert said("Gorn – Top (m): 2,905.", text) is None
    found = row_said("Inn – Length: 517 km.", text, context)
    assert found
    assert text[found.start : found.end] == "Inn | 517 km"


@given(st.lists(st.lists(WORD, min_size=3, max_size=3), min_size=2, max_size=5), st.data())
def test_every_row_read_aloud_holds_and_with_another_value_does_not(
    table: list[list[str]], data: st.DataObject
) -> None:
    assume(len({row[0] for row in table}) == len(table) and len(set(table[0])) == 3)
    text = "\n".join(" | ".join(row) for row in table)
    names, lines = header_of(text.split("\n"))
    assume(names and lines == 1)
    row = data.draw(st.sampled_from(table[1:]))
    column = data.draw(st.integers(1, 2))

    assert said(f"{row[0]} – {names[column]}: {row[column]}.", text) == ""
    assert (
        said(f"{row[0]} – {names[column]}: {row[column]} x.", text)
        == f"the source says {row[column]}, the claim says {row[column]} x"
    )


@given(st.text(max_size=60), st.text(max_size=80), st.text(max_size=30))
def test_no_text_breaks_it(claim: str, text: str, context: str) -> None:
    found = row_said(claim, text, context)

    assert found is None or 0 <= found.start < found.end <= len(text)


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ("Source | 2023 | 2024\nWind | 10.9 | 12.2\nCoal | 3.1 | 2.8", ("Source", "2023", "2024")),
        ("Prize | Worth | 2024 | 2025\nThistle | 25,000 | S. Tuile | B. Halm\nFern | 900 | A. Berg | -", None),
        ("Source | 2024/25 | Change\nWind | 12.2 | +3\nCoal | 2.8 | -1", ("Source", "2024/25", "Change")),
        ("Maren | 1998 | Osk\nCorrin | 2003 | Sarn\nTilda | 1987 | Osk", ()),  # years of the rows themselves
        ("1998 | 2003 | 1987\n12 | 14 | 11", ()),
        ("Opened | 1968", ()),
        ("Remedy | Lettuces left of 20\nWool | 12\nBeer | 7", ("Remedy", "Lettuces left of 20")),
        ("Built | in 1887 by A. Bell\nHeight | 41 m\nSteps | 212", ()),
    ],
)
def test_a_year_over_other_figures_is_the_name_of_a_column(table: str, names: tuple[str, ...] | None) -> None:
    lines = table.split("\n")

    assert header_of(lines)[0] == (row_cells(lines[0]) if names is None else names)

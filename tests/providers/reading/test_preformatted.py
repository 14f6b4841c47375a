"""Prose that was only broken to fit a terminal is read as prose; code stays as it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.providers.reading.preformatted import parts_of

MANUAL = """The tide table is read once, when the service starts, and again
whenever it receives a hangup. Entries that are out of order are
dropped without a word.

The second column gives the height in metres above the lowest
water of the year."""
SETTINGS = "harbour = north\ndepth   = 12\nlamps   = on"


def test_prose_in_lines_of_a_terminal_becomes_paragraphs() -> None:
    first, second = parts_of(MANUAL)

    assert first[0] == second[0] == "paragraph"
    assert first[1].startswith("The tide table is read once, when the service starts, and again whenever it receives")
    assert second[1].endswith("above the lowest water of the year.")


def test_an_example_within_prose_stays_as_it_stands() -> None:
    parts = parts_of(
        f"{MANUAL}\n\n{SETTINGS}\n\nAfter a change the service is to be told, or it keeps the old heights."
    )

    assert [kind for kind, _ in parts] == ["paragraph", "paragraph", "code", "paragraph"]
    assert parts[2][1] == SETTINGS


@pytest.mark.parametrize(
    "code",
    [
        SETTINGS,
        "for boat in boats:\n    boat.moor(berth, lines=4)  # two fore and two aft.",
        "$ tide --from quay --json | head -3\nError: there is no such quay on this coast, try another one.",
        "int main(void) {\n  printf(\"high water at %d:%02d.\\n\", h, m);\n  return 0;\n}",
        "Port        High     Low\nWennick     06:12    12:20\nTarrow      06:40    12:51",
        "SELECT name, depth FROM harbours WHERE depth > 3 AND lit = 1 ORDER BY name LIMIT 20;",
        "0.1  2026-11-03\n",
    ],
)  # fmt: skip
def test_code_tables_and_sessions_stay_as_they_stand(code: str) -> None:
    assert parts_of(code) == [("code", code)]


@given(st.text(alphabet=st.sampled_from("ab .\n{}Wind;"), max_size=300))
def test_no_letter_is_lost(text: str) -> None:
    assert "".join("".join(part.split()) for _, part in parts_of(text)) == "".join(text.split())

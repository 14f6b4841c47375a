"""Conflicts are found where sources give different values for one thing, and nowhere else."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from answerable.answering.checking import CheckedAnswer
from answerable.answering.conflicts import find_conflicts
from answerable.answering.fold import count_support
from answerable.types import Citation, Page, Passage, Plan, Sentence

CASES = Path(__file__).parents[1] / "data" / "cases"
PLAN = Plan("How tall is the Eiffel Tower?", ())


def checked(*claims: tuple[str, str]) -> CheckedAnswer:
    """Claims with the page each is cited by."""
    sentences, citations, at = [], [], 0
    for index, (text, page) in enumerate(claims):
        sentences.append(Sentence(index, text, at, at + len(text), (index + 1,), "supported"))
        date = datetime(2019 + index, 1, 1, tzinfo=UTC)
        citations.append(
            Citation(
                index + 1, page, f"http://{page}.example/", page, "", date, index, text, 0, len(text), "supported", "",
                "page", "",
            )
        )  # fmt: skip
        at += len(text) + 1
    answer = " ".join(text for text, _ in claims)
    return CheckedAnswer(
        answer,
        tuple(sentences),
        tuple(citations),
        tuple(page for _, page in claims),
        count_support(sentences, citations),
    )


def test_two_sources_with_two_values_are_a_conflict_with_both_sides() -> None:
    found, main = find_conflicts(
        PLAN,
        checked(
            ("The Eiffel Tower is 330 metres tall[1].", "new"),
            ("The Eiffel Tower is 324 metres tall in all[2].", "old"),
        ),
    )

    assert [[side.value for side in conflict.sides] for conflict in found] == [["330 metres", "324 metres"]]
    assert [side.page_ids for side in found[0].sides] == [("new",), ("old",)]
    assert main
    assert found[0].about == "How tall is the Eiffel Tower?"


@pytest.mark.parametrize(
    "claims",
    [
        (("The Eiffel Tower is 330 metres tall[1].", "a"), ("The Eiffel Tower is 330 m tall with its mast[2].", "b")),
        (("The Eiffel Tower is 330 metres tall[1].", "a"), ("Tokyo Tower is 333 metres tall[2].", "b")),
        (("The Eiffel Tower is 330 metres tall[1].", "a"), ("The Eiffel Tower weighs 10,100 tonnes[2].", "b")),
        (("The Eiffel Tower is 330 metres tall[1].", "a"), ("The Eiffel Tower is 312 metres tall without it[2].", "a")),
        (("The Eiffel Tower is 330 metres tall[1].", "a"), ("The Eiffel Tower was opened in 1889[2].", "b")),
        (("The Eiffel Tower is 330 metres tall[1].", "a"),),
        (),
    ],
    ids=["the same value", "another thing", "another measure", "the same page", "a year", "one claim", "none"],
)
def test_what_is_no_conflict_is_not_called_one(claims: tuple[tuple[str, str], ...]) -> None:
    assert find_conflicts(PLAN, checked(*claims)) == ((), False)


def read(name: str, text: str, *, site: str = "", year: int = 2024) -> tuple[Page, Passage]:
    host = site or f"{name}.example"
    page = Page(name, f"https://{host}/{name}", "Eiffel Tower", host, text, published=datetime(year, 1, 1, tzinfo=UTC))
    return page, Passage(f"passage-{name}", name, 0, len(text), text)


def conflicts(
    claim: str, *given: tuple[Page, Passage], plan: Plan = PLAN
) -> list[list[tuple[str, tuple[str, ...], int]]]:
    pages = {page.page_id: page for page, _ in given}
    first = given[0][0].page_id
    found, _ = find_conflicts(plan, checked((claim, first)), [passage for _, passage in given], pages)
    return [[(side.value, side.page_ids, side.sources) for side in conflict.sides] for conflict in found]


LONG = "The Eiffel Tower is 324 metres tall. It was painted again last year by a team of fifty people from Lyon."


def test_what_was_read_but_not_cited_speaks_against_a_claim_with_the_number_of_independent_sources() -> None:
    found = conflicts(
        "The Eiffel Tower is 330 metres tall[1].",
        read("new", "The Eiffel Tower is 330 metres tall, says the city."),
        read("too", "Today the Eiffel Tower is 330 m tall."),
        read("old", LONG, year=2019),
        read("wire", f"PARIS (NewsWire) - {LONG}", year=2020),
        read("else", "The Eiffel Tower is 324 metres high.", site="old.example"),
    )

    assert found == [[("330 metres", ("new", "too"), 2), ("324 metres", ("old", "wire", "else"), 1)]]


def test_the_date_of_a_side_is_that_of_its_newest_page() -> None:
    given = [
        read("new", "The Eiffel Tower is 330 metres tall."),
        read("a", "The Eiffel Tower is 324 metres tall.", year=2015),
        read("b", "The tower in Paris is known. The Eiffel Tower is 324 metres high.", year=2019),
    ]
    pages = {page.page_id: page for page, _ in given}

    found, main = find_conflicts(
        PLAN, checked(("The Eiffel Tower is 330 metres tall[1].", "new")), [p for _, p in given], pages
    )

    assert main
    assert [side.published and side.published.year for side in found[0].sides] == [2024, 2019]


def test_pages_of_one_site_alone_are_no_two_sides() -> None:
    assert not conflicts(
        "The Eiffel Tower is 330 metres tall[1].",
        read("new", "The Eiffel Tower is 330 metres tall."),
        read("old", "The Eiffel Tower is 324 metres tall.", site="new.example"),
    )


def test_a_quarrel_about_a_side_remark_is_told_and_does_not_make_the_outcome() -> None:
    pages = [
        read("a", "The Eiffel Tower is 330 metres tall. The Eiffel Tower was opened in 1889."),
        read("b", "The Eiffel Tower was opened in 1887."),
    ]
    claims = checked(
        ("The Eiffel Tower is 330 metres tall[1].", "a"), ("The Eiffel Tower was opened on 31 March 1889[1].", "a")
    )

    found, main = find_conflicts(PLAN, claims, [p for _, p in pages], {p.page_id: p for p, _ in pages})

    assert [[side.value for side in conflict.sides] for conflict in found] == [["1889-03-31", "1887"]]
    assert found[0].about == "The Eiffel Tower was opened on 31 March 1889."
    assert not main


def test_who_holds_an_office_is_set_side_by_side_with_the_dates_of_the_sources() -> None:
    case = json.loads((CASES / "freshness" / "fresh-conflicting-roles.json").read_text("utf-8"))
    given = [_dated(p["n"], p["text"], p["published"]) for p in case["passages"]]

    found = [
        conflicts(claim, given[1], *given, plan=Plan(case["question"], ()))
        for claim in (
            "Tomas Reiter has run the Oravia ferry line since November 2030[1].",
            "Tomas Reiter took over the Oravia ferry line from Lena Horvat[1].",
        )
    ]

    assert found == [[[("Tomas Reiter", ("p2",), 1), ("Lena Horvat", ("p1", "p3"), 2)]]] * 2


def _dated(n: int, text: str, day: str | None) -> tuple[Page, Passage]:
    published = datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None
    page = Page(f"p{n}", f"https://s{n}.example/", "", "", text, published=published)
    return page, Passage(f"q{n}", page.page_id, 0, len(text), text)


def test_what_the_writer_itself_set_apart_is_a_conflict_with_all_its_values() -> None:
    said = checked(
        ("Men need 3.7 liters and women 2.7 liters of water a day[1].", "a"),
        ("The sources differ.", "a"),
        ("In 2010 the authority gave 2.0 litres as adequate for women and 2.5 litres for men[3].", "b"),
    )
    said = replace(said, citations=(said.citations[0], said.citations[2]))

    found, main = find_conflicts(PLAN, said)

    assert main
    assert [[side.value for side in conflict.sides] for conflict in found] == [
        ["3.7 liters, 2.7 liters", "2.0 litres, 2.5 litres"]
    ]


def test_two_holders_of_one_record_are_set_side_by_side() -> None:
    found, main = find_conflicts(
        Plan("What is the oldest vessel afloat in Wennick Bay?", ()),
        checked(
            ("The ketch Constance, launched in 1831, is the oldest vessel afloat in Wennick Bay[1].", "a"),
            ("The pilot cutter Aldith, launched in 1838, is the oldest vessel afloat in Wennick Bay[2].", "b"),
        ),
    )

    assert main
    assert [[side.value for side in conflict.sides] for conflict in found] == [
        ["ketch Constance", "pilot cutter Aldith"]
    ]

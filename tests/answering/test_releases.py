"""Who asks for the newest version of a thing is given the highest number that its lists of releases tell."""

from __future__ import annotations

import pytest
from tests.fakes.evidence import page_of, passage_of

from answerable.answering.candidates import candidates_of
from answerable.answering.releases import asks_for_release, newest_release
from answerable.types import Block, Evidence, Page


def _list(*entries: tuple[str, str], title: str = "Tarn changelog") -> Page:
    text, blocks = title, [Block("heading", 0, len(title))]
    for heading, said in entries:
        for kind, part in (("heading", heading), ("list_item", said)):
            text += "\n\n"
            blocks.append(Block("heading" if kind == "heading" else "list_item", len(text), len(text) + len(part)))
            text += part
    return page_of(text, title=title, blocks=tuple(blocks))


def _newest(question: str, *pages: Page) -> str:
    evidence = Evidence(pages, tuple(passage_of(page) for page in pages), tuple(0.5 for _ in pages))
    found = newest_release(candidates_of(evidence, "en"), question, evidence)
    return found.text if found else ""


RELEASES = (("5.10 (2 May 2026)", "Snapshots have names."), ("5.9 (1 April 2026)", "The console is dark."))


@pytest.mark.parametrize("question", ["what's the latest version of Tarn", "newest tarn release?"])
def test_the_highest_number_of_a_list_of_releases_is_told_with_what_is_new(question: str) -> None:
    assert _newest(question, _list(*RELEASES)) == "5.10 (2 May 2026): Snapshots have names."


def test_firmware_has_releases_too() -> None:
    assert _newest("newest firmware for the Tarn", _list(*RELEASES, title="Tarn: firmware")).startswith("5.10 (2 May")


def test_an_older_post_that_calls_its_own_release_the_newest_does_not_count() -> None:
    post = page_of("Tarn 5.9 is out and is our newest release of all.", title="Tarn 5.9 is out", number=2)
    assert _newest("latest version of tarn", post, _list(*RELEASES)).startswith("5.10")


def test_a_sentence_that_tells_the_highest_number_is_preferred_to_its_heading() -> None:
    releases = _list(("5.10", "The current stable release of Tarn is 5.10."), RELEASES[1])
    assert _newest("latest version of tarn", releases) == "The current stable release of Tarn is 5.10."


def test_what_is_planned_or_needed_is_no_release() -> None:
    post = page_of("Tarn 6.0 will be released in spring. Tarn needs Python version 8.2.", title="Tarn", number=2)
    assert _newest("latest version of tarn", post) == ""


def test_a_list_of_releases_of_another_thing_does_not_answer() -> None:
    assert _newest("latest version of brock", _list(*RELEASES)) == ""


@pytest.mark.parametrize("question", ["which version of Tarn has tags?", "what is the newest lake?", "latest version?"])
def test_only_the_newest_version_of_something_is_asked_for_so(question: str) -> None:
    assert not asks_for_release(question)


def _table(*rows: str, title: str) -> Page:
    text = "\n".join(rows)
    return page_of(text, title=title, blocks=(Block("table", 0, len(text)),))


def test_a_table_of_versions_tells_the_highest_that_was_not_withdrawn() -> None:
    table = _table(
        "Version | Published | Withdrawn", "2.4.1 | 18 November 2026 | yes", "2.4.0 | 2 July 2026 | no", title="Tarn"
    )
    assert _newest("newest Tarn version", table) == "2.4.0 | 2 July 2026 | no"


def test_a_page_of_the_thing_that_labels_its_newest_version_tells_it() -> None:
    page = page_of("Newest version: 2.4.1, published on 18 November 2026.\n\nNeeds: Brock 3.1 or newer.", title="tarn")
    assert _newest("newest Tarn version", page) == "Newest version: 2.4.1, published on 18 November 2026."
    assert _newest("newest Brock version", page) == ""


def test_items_of_a_list_of_releases_count_as_its_headings_do() -> None:
    items = ["4.1 (22 September 2026): Adds crowding.", "3.0 (9 October 2023): New stop codes."]
    text = "Tarn changelog\n\n" + "\n".join(items)
    starts = [text.index(item) for item in items]
    blocks = (Block("heading", 0, 14), *(Block("list_item", s, s + len(i)) for s, i in zip(starts, items, strict=True)))
    assert _newest("latest version of tarn", page_of(text, title="Tarn changelog", blocks=blocks)) == items[0]

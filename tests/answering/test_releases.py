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

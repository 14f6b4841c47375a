"""The conversations in a real browser: found, renamed, pinned, deleted and brought back, with and without scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.fakes.browsing import LOOKS, PHONE, WIDE, converse, faults_of, settled, until, visit, watched
from tests.fakes.engine import FakeEngine, broken, nothing_found
from tests.fakes.serving import Served, serving

from answerable.web.app import create_app

UNHURRIED = "/history#undo=600000"  # the time for undoing must not end while a slow machine is at it
QUESTIONS = ("Why is the sky blue?", "How deep is the Baltic Sea?", "Who built the Eiffel Tower?")


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    app = create_app(FakeEngine())
    with serving(lambda: app) as address:
        yield Served(app, address)


@pytest.fixture
def engine(server: Served) -> Iterator[FakeEngine]:
    engine = FakeEngine({"Mayor?": nothing_found(), "Break": broken()})
    with server.using(engine):
        yield engine


@pytest.fixture
def known(server: Served, engine: FakeEngine) -> list[str]:
    return converse(server.address, QUESTIONS)


def listed(page: Page, *titles: str) -> None:
    expect(page.locator(".row:not([hidden]) .title")).to_have_text(list(titles))


def cookies(page: Page) -> set[tuple[str, str]]:
    return {(cookie["name"], cookie["value"]) for cookie in page.context.cookies()}


def menu(page: Page, title: str) -> Any:
    row = page.locator(".row", has_text=title)
    row.locator("summary").first.click()
    return row


def test_what_is_typed_and_chosen_narrows_the_list(
    browser: Browser, server: Served, engine: FakeEngine, known: list[str]
) -> None:
    converse(server.address, ["Mayor?", "Break"])
    with watched(browser, server.address, "/history") as page:
        listed(page, "Break", "Mayor?", *reversed(QUESTIONS))
        page.get_by_role("searchbox").fill("baltic")
        expect(page.locator(".row")).to_have_count(1)
        expect(page.locator("#live")).to_have_text("1 conversation listed.")
        expect(page).to_have_url(re.compile(r"/history\?search=baltic$"))
        expect(page.get_by_role("searchbox")).to_be_focused()

        page.get_by_role("searchbox").fill("")
        page.get_by_label("How it ended").select_option("not_enough_evidence")
        expect(page.locator(".row")).to_have_count(1)
        expect(page.locator(".row .doubt")).to_have_text("Not enough evidence")
        page.get_by_label("How it ended").select_option("")
        page.get_by_label("Only with a failed answer").check()
        listed(page, "Break")
        page.get_by_label("Only pinned").check()
        expect(page.locator(".nothing")).to_have_text("No conversation fits.")
        expect(page).to_have_url(re.compile(r"\?pinned=1&failed=1$"))
        page.get_by_label("Only pinned").uncheck()
        listed(page, "Break")
        page.get_by_label("The archived ones").check()
        expect(page.locator(".nothing")).to_have_text("No conversation fits.")


def test_filters_are_combined_without_scripts_too(
    browser: Browser, server: Served, engine: FakeEngine, known: list[str]
) -> None:
    converse(server.address, ["Mayor?", "Break"])
    with watched(browser, server.address, "/history", java_script_enabled=False) as page:
        menu(page, "Mayor?").get_by_role("button", name="Pin to the top").click()
        expect(page.locator(".row .title").first).to_have_text("Mayor?")
        page.get_by_label("Only pinned").check()
        page.get_by_label("How it ended").select_option("not_enough_evidence")
        page.get_by_role("button", name="Search").click()
        listed(page, "Mayor?")
        expect(page).to_have_url(re.compile("pinned=1"))
        page.get_by_label("The archived ones").check()
        page.get_by_role("button", name="Search").click()
        expect(page.locator(".nothing")).to_have_text("No conversation fits.")
        expect(page.get_by_label("Only pinned")).to_be_checked()


def test_a_conversation_is_renamed_in_place_by_keyboard_and_the_name_comes_back_when_refused(
    browser: Browser, server: Served, engine: FakeEngine, known: list[str]
) -> None:
    with watched(browser, server.address, "/history", expected=["503"]) as page:
        page.locator(".row summary").nth(1).focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        field = page.get_by_label("New name of: How deep is the Baltic Sea?")
        expect(field).to_be_focused()
        field.fill("Depths")
        page.keyboard.press("Enter")
        expect(page.locator(".row .title").nth(1)).to_have_text("Depths")
        expect(page.locator(".row > .menu > summary").nth(1)).to_be_focused()
        until(page, lambda: engine.history.changed == {known[1]: {"title": "Depths"}})

        engine.history.refuses = True
        menu(page, "Depths").get_by_role("button", name="Rename").first.click()
        page.locator(".row .rename:visible input[name=title]").fill("Shallows")
        page.keyboard.press("Enter")
        expect(page.locator("main > .fault")).to_contain_text("database does not answer")
        expect(page.locator(".row .title").nth(1)).to_have_text("Depths")


def test_pinned_ones_stand_on_top_and_archived_ones_leave(
    browser: Browser, server: Served, engine: FakeEngine, known: list[str]
) -> None:
    with watched(browser, server.address, "/history", expected=["503"]) as page:
        menu(page, "sky").get_by_role("button", name="Pin to the top").click()
        expect(page.locator(".row .tag")).to_have_text("pinned")
        expect(page.locator(".row .title").first).to_have_text(QUESTIONS[0])
        menu(page, "Baltic").get_by_role("button", name="Archive").click()
        expect(page.locator(".row")).to_have_count(2)
        engine.history.refuses = True
        menu(page, "Eiffel").get_by_role("button", name="Archive").click()
        expect(page.locator("main > .fault")).to_contain_text("database does not answer")
        expect(page.locator(".row:not([hidden])")).to_have_count(2)


def test_a_deleted_conversation_is_gone_at_once_and_can_be_brought_back(
    browser: Browser, server: Served, engine: FakeEngine, known: list[str]
) -> None:
    with watched(browser, server.address, UNHURRIED) as page:
        menu(page, "Baltic").get_by_role("button", name="Delete").click()
        expect(page.locator(".toast")).to_contain_text("1 conversation deleted.")
        listed(page, QUESTIONS[2], QUESTIONS[0])
        page.get_by_role("button", name="Undo").click()
        listed(page, *reversed(QUESTIONS))
        assert engine.history.deleted == []

        page.get_by_label("Choose: How deep is the Baltic Sea?").check()
        page.get_by_label("Choose: Why is the sky blue?").check()
        expect(page.locator(".every")).to_contain_text("2 chosen")
        page.get_by_role("button", name="Delete the chosen ones").click()
        listed(page, QUESTIONS[2])
        page.get_by_role("link", name="New question").click()
        page.wait_for_url(re.compile(r":\d+/$"))
        # The request outlives the page, so that nothing in the browser tells of its end.
        until(page, lambda: sorted(engine.history.deleted) == sorted(known[:2]))


def test_what_the_server_does_not_delete_comes_back(
    browser: Browser, server: Served, engine: FakeEngine, known: list[str]
) -> None:
    engine.history.refuses = True
    with watched(browser, server.address, "/history#undo=50", expected=["503"]) as page:
        menu(page, "Baltic").get_by_role("button", name="Delete").click()
        expect(page.locator("main > .fault")).to_contain_text("database does not answer")
        listed(page, *reversed(QUESTIONS))


def test_more_are_loaded_where_the_list_ends(browser: Browser, server: Served, engine: FakeEngine) -> None:
    converse(server.address, [f"Question {n}" for n in range(33)])
    with watched(browser, server.address, "/history") as page:
        expect(page.locator(".row")).to_have_count(30)
        page.get_by_role("link", name="Show more").click()
        expect(page.locator(".row")).to_have_count(33)
        expect(page.get_by_role("link", name="Question 2", exact=True)).to_be_focused()
        expect(page.get_by_role("link", name="Show more")).to_have_count(0)


def test_the_history_works_without_scripts(browser: Browser, server: Served, known: list[str]) -> None:
    with watched(browser, server.address, "/history", java_script_enabled=False) as page:
        menu(page, "sky").get_by_role("button", name="Pin to the top").click()
        expect(page.locator(".row .title").first).to_have_text(QUESTIONS[0])
        row = menu(page, "Baltic")
        row.locator("input[name=title]").fill("Depths")
        row.get_by_role("button", name="Rename").click()
        expect(page.get_by_role("link", name="Depths")).to_be_visible()
        page.get_by_label("Choose: Who built").check()
        page.locator(".bulk summary").click()
        page.get_by_role("button", name="Delete for good").first.click()
        listed(page, QUESTIONS[0], "Depths")
        page.get_by_role("searchbox").fill("depths")
        page.get_by_role("button", name="Search").click()
        listed(page, "Depths")


def test_recent_conversations_stand_beside_a_wide_page_and_stay_folded(
    browser: Browser, server: Served, known: list[str]
) -> None:
    with watched(browser, server.address, "/", **WIDE) as page:
        side = page.locator(".sidebar")
        expect(side.locator("li")).to_have_text(list(reversed(QUESTIONS)))
        page.locator("#question").fill("What is new?")
        page.locator("#question").press("Enter")
        expect(side.locator("[aria-current]")).to_have_text("What is new?")
        side.locator("summary").click()
        expect(side.locator("li").first).to_be_hidden()
        until(page, lambda: ("answerable_sidebar", "closed") in cookies(page))
        page.reload()
        settled(page)
        expect(side.locator("li").first).to_be_hidden()
        side.locator("summary").click()
        side.get_by_role("link", name=QUESTIONS[1]).click()
        expect(page.locator(".turn .question")).to_have_text(QUESTIONS[1])
    with watched(browser, server.address, "/", **PHONE) as page:
        expect(page.locator(".sidebar")).to_be_hidden()


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark", "phone"])
def test_the_history_is_accessible_in_each_state(
    browser: Browser, server: Served, known: list[str], look: dict[str, Any]
) -> None:
    with watched(browser, server.address, UNHURRIED, **look) as page:
        assert faults_of(page) == []
        menu(page, "Baltic")
        assert faults_of(page) == []
        page.get_by_role("button", name="Delete", exact=True).click()
        expect(page.locator(".toast")).to_be_visible()
        assert faults_of(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        visit(page, "/")
        assert faults_of(page) == []


def test_a_reader_s_opinion_is_kept_and_can_be_taken_back(
    browser: Browser, server: Served, engine: FakeEngine, known: list[str]
) -> None:
    with watched(browser, server.address, f"/c/{known[0]}", permissions=["clipboard-write"]) as page:
        page.get_by_role("button", name="Not helpful").click()
        expect(page.get_by_role("button", name="Not helpful")).to_have_attribute("aria-pressed", "true")
        until(page, lambda: len(engine.feedback.given) == 1)
        page.get_by_label("What was wrong?").fill("Too old")
        page.keyboard.press("Enter")
        expect(page.locator("#live")).to_have_text("Thank you.")
        until(page, lambda: len(engine.feedback.given) == 2)
        page.get_by_role("button", name="Helpful", exact=True).click()
        expect(page.get_by_role("button", name="Helpful", exact=True)).to_have_attribute("aria-pressed", "true")
        until(page, lambda: len(engine.feedback.given) == 3)
        page.get_by_role("button", name="Helpful", exact=True).click()
        expect(page.locator("#live")).to_have_text("Taken back.")
        page.get_by_role("button", name="Copy answer").click()
        expect(page.locator("#live")).to_have_text("Answer copied.")
        until(page, lambda: len(engine.feedback.given) == 4)
        page.locator(".sources .go a").first.click()
        page.wait_for_url(re.compile("/pages/page-eiffel"))
        until(page, lambda: len(engine.feedback.given) == 5)
        page.go_back()
        settled(page)
        page.get_by_role("button", name="Edit the question").click()
        page.locator("#question").fill("Why is the sky red?")
        page.keyboard.press("Enter")
        expect(page.locator(".turn")).to_have_count(2)
        until(page, lambda: len(engine.feedback.given) == 6)

    told = [(one.kind, one.reason or one.detail) for one in engine.feedback.given]
    assert told == [
        ("down", ""), ("down", "Too old"), ("up", ""), ("copied", ""), ("source_opened", "page-eiffel"),
        ("reformulated", "Why is the sky red?"),
    ]  # fmt: skip
    assert len(engine.feedback.withdrawn) == 1

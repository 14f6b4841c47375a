"""What can be chosen before an answer, seen while it is made, and done after it, in a real browser."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from tests.fakes.browsing import LOOKS, PATIENCE_MS, converse, faults_of, visit, watched
from tests.fakes.engine import TOWER, WHEN, FakeEngine, Script, eiffel
from tests.fakes.serving import Served, serving

from answerable.events import Progress
from answerable.types import Conflict, ConflictSide, SourceImage
from answerable.web.app import create_app


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    app = create_app(FakeEngine())
    with serving(lambda: app) as address:
        yield Served(app, address)


@pytest.fixture
def hold() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def engine(server: Served) -> Iterator[FakeEngine]:
    engine = FakeEngine()
    with server.using(engine):
        yield engine


@pytest.fixture
def page(browser: Browser, server: Served, engine: FakeEngine) -> Iterator[Page]:
    context = browser.new_context(
        base_url=server.address,
        locale="en-GB",
        permissions=["clipboard-read", "clipboard-write"],
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    visit(page, "/")
    yield page
    context.close()


def ask(page: Page, question: str) -> None:
    page.get_by_role("textbox").fill(question)
    page.get_by_role("textbox").press("Enter")
    expect(page.locator(".turn").last).to_have_class(re.compile(r"\bdone\b"))


def asked(engine: FakeEngine) -> list[Any]:
    return [(ask.question, ask.focus, ask.freshness, ask.writer) for ask in engine.runs.asked]


def test_where_to_look_how_fresh_and_who_writes_go_with_the_question(page: Page, engine: FakeEngine) -> None:
    page.get_by_label("Academic").check(force=True)
    page.get_by_text("Options").click()
    page.get_by_label("How fresh").select_option("recent")
    page.get_by_label("Who writes").select_option("extractive")
    ask(page, "How tall?")

    assert asked(engine) == [("How tall?", "academic", "recent", "extractive")]


def test_each_page_appears_with_its_fate(page: Page, engine: FakeEngine, hold: threading.Event) -> None:
    class Slow(Script):
        def steps(self, base: Any) -> Any:
            for step in super().steps(base):
                yield step
                if isinstance(step, Progress) and step.pages:
                    down, late = "https://down.example/tower", "https://late.example/"
                    yield Progress("reading", "Reading", pages=(*step.pages, down, late), done=0, total=6)
                    yield Progress("reading", "Skipped", done=1, total=6, page=down, cause="timeout")
                if isinstance(step, Progress) and step.done == 4:
                    yield hold

    given = eiffel()
    engine.runs.scripts["Fates"] = Slow(**{name: getattr(given, name) for name in given.__dataclass_fields__})
    page.get_by_role("textbox").fill("Fates")
    page.get_by_role("textbox").press("Enter")

    expect(page.locator(".found .source")).to_have_count(4)
    expect(page.locator(".fates li")).to_have_text(["down.example/tower too slow", "late.example reading"])


def test_a_scholarly_source_tells_who_wrote_it_and_when_while_the_answer_is_made(
    page: Page, engine: FakeEngine, hold: threading.Event
) -> None:
    paper = replace(TOWER, authors=("A. Turing", "B. Lee", "C. Ada", "D. Hopper"), venue="Mind", year=1950)
    engine.runs.scripts["Paper"] = Script(parts=("It stands.", hold), pages=(paper,))
    page.get_by_role("textbox").fill("Paper")
    page.get_by_role("textbox").press("Enter")
    expect(page.locator(".found .work")).to_have_text("A. Turing, B. Lee and 2 others, Mind, 1950")
    hold.set()
    expect(page.locator(".also .work")).to_have_text("A. Turing, B. Lee and 2 others, Mind, 1950")


def test_a_card_says_when_its_page_was_read(page: Page) -> None:
    ask(page, "How tall?")
    page.locator('.answer a.chip[data-n="1"]').first.hover()

    expect(page.locator(".card time.read")).to_have_text(re.compile(r"^read (on \d|\d|just)"))


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(0, "read just now"), (1, "read 1 minute ago"), (59, "read 59 minutes ago"), (60, "read 1 hour ago")],
)
def test_how_long_ago_is_said_as_people_say_it(page: Page, minutes: int, words: str) -> None:
    said = page.evaluate(
        """async (minutes) => {
          const now = Date.parse("2026-05-03T14:02:30Z") + minutes * 60000;
          return (await import("/static/words.js")).readAgo("2026-05-03T14:02:00Z", now);
        }""",
        minutes,
    )

    assert said == words


def test_an_answer_is_copied_as_plain_text(page: Page) -> None:
    ask(page, "How tall?")
    page.get_by_role("button", name="Copy as plain text").click()
    expect(page.locator("#live")).to_have_text("Answer copied.")

    text = page.evaluate("navigator.clipboard.readText()")
    assert "330 metres tall since March 2022[1]" in text
    assert "**" not in text
    assert re.search(r"^\[1\] .+: https://towers\.example/", text, re.MULTILINE)


def test_a_question_goes_back_to_the_field_to_be_edited(page: Page) -> None:
    ask(page, "How tall?")
    page.get_by_role("button", name="Edit the question").click()

    expect(page.get_by_role("textbox")).to_have_value("How tall?")
    expect(page.get_by_role("textbox")).to_be_focused()


def test_a_question_is_asked_again_elsewhere(page: Page, engine: FakeEngine) -> None:
    ask(page, "How tall?")
    page.get_by_text("Ask again with…").click()
    page.locator(".elsewhere").get_by_role("button", name="News").click()
    expect(page.locator(".turn.done")).to_have_count(2)

    assert [focus for _, focus, _, _ in asked(engine)] == ["web", "news"]


def test_escape_and_a_click_elsewhere_close_a_menu(page: Page) -> None:
    menu = page.locator(".composer details.menu")
    page.get_by_text("Options").click()
    expect(menu).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    page.get_by_text("Options").click()
    page.locator("h1").click()
    expect(menu).not_to_have_attribute("open", "")


def test_a_picture_of_a_cited_page_is_shown_by_this_server_alone(page: Page, engine: FakeEngine) -> None:
    shown = SourceImage(1, TOWER.page_id, TOWER.url, "https://cdn.example/tower.png", "The tower", "The tower in 2022")
    engine.runs.scripts["Picture"] = replace(eiffel(), images=(shown,))
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    ask(page, "Picture")

    figure = page.locator(".figures figure")
    expect(figure.locator("figcaption")).to_contain_text("The tower in 2022")
    expect(figure.locator("img")).to_have_js_property("naturalWidth", 1)
    assert len(hosts) == 1


@pytest.mark.parametrize("language", ["de-DE", "hi-IN"])
def test_every_word_of_the_page_speaks_the_reader_s_language(
    browser: Browser, server: Served, engine: FakeEngine, language: str
) -> None:
    context = browser.new_context(base_url=server.address, locale=language)
    page = context.new_page()
    visit(page, "/")
    ask(page, "How tall?")
    english = page.evaluate("async () => (await (await fetch('/static/words/en.json')).json())")
    words = [word for word in english.values() if isinstance(word, str) and len(word) > 12 and "{" not in word]
    text = page.locator("body").inner_text()
    context.close()

    assert [word for word in words if word in text] == []


def test_menus_are_accessible(page: Page) -> None:
    ask(page, "How tall?")
    page.get_by_text("Save the conversation").click()

    assert Axe().run(page).response["violations"] == []


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark", "phone"])
def test_sources_that_disagree_stand_side_by_side_with_their_dates_and_numbers(
    browser: Browser, server: Served, engine: FakeEngine, look: dict[str, Any]
) -> None:
    sides = (ConflictSide("330 metres", (TOWER.page_id,), WHEN, 2), ConflictSide("324 metres", ("page-lifts",)))
    conflict = Conflict("Height of the tower", sides)
    engine.runs.scripts["Who?"] = replace(eiffel(), outcome="sources_disagree", conflicts=(conflict,))
    (id,) = converse(server.address, ["Who?"])
    with watched(browser, server.address, f"/c/{id}", **look) as page:
        first, second = page.locator(".conflicts .sides > li").all()
        expect(first).to_contain_text("330 metres")
        expect(first).to_contain_text("2 independent sources")
        expect(first).to_contain_text("newest of 3 May 2026")
        expect(first.get_by_role("link")).to_have_text(["towers.example [1]"])
        expect(second).to_contain_text("1 independent source")
        expect(second.get_by_role("link")).to_have_text(["lifts.example"])
        assert faults_of(page) == []

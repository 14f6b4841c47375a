"""The page in a real browser, against a scripted engine."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from tests.fakes.browsing import PATIENCE_MS, settled, visit
from tests.fakes.engine import TOWER, FakeEngine, Said, Script, broken, eiffel, nothing_found
from tests.fakes.serving import Served, serving

from answerable.errors import Unavailable
from answerable.events import VerdictChanged
from answerable.web.app import create_app

PHONE = {"viewport": {"width": 375, "height": 740}, "has_touch": True, "is_mobile": True}
FIRST = '.answer a.chip[data-n="1"]'
QUOTE = "With the digital radio antenna fitted in March 2022"
SIZES = [PHONE, {"viewport": {"width": 320, "height": 480}}, {"viewport": {"width": 1920, "height": 1000}}]
SCHEMES = [{"color_scheme": "light"}, {"color_scheme": "dark"}, {**PHONE, "color_scheme": "dark"}]
Open = Callable[..., Any]
WATCH_POLICY = """
window.refused = [];
addEventListener("securitypolicyviolation", (event) => refused.push(event.violatedDirective));
"""
PRESS_ENTER = """(field, how) => field.dispatchEvent(
  new KeyboardEvent("keydown", {key: "Enter", bubbles: true, cancelable: true, ...how}))"""
SHAPE = r"""() => {
  const shape = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    const attributes = [...node.attributes].filter((a) => a.name !== "rel").map((a) => ` ${a.name}=${a.value}`);
    return `<${node.tagName}${attributes.sort().join("")}>${[...node.childNodes].map(shape).join("")}</>`;
  };
  const whole = [...document.querySelector(".answer").childNodes].map(shape).join("");
  return whole.replace(/\s+/g, " ").replace(/> /g, ">").replace(/ </g, "<").replaceAll("<", "\n<").split("\n");
}"""


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
def engine(server: Served, hold: threading.Event) -> Iterator[FakeEngine]:
    engine = FakeEngine({"Hold": eiffel(hold=hold), "Mayor?": nothing_found(), "Break": broken()})
    with server.using(engine):
        yield engine


@pytest.fixture
def opened(browser: Browser, server: Served, engine: FakeEngine) -> Open:
    """Opens the start page; at the end nothing was refused by the policy and no other host was asked."""

    @contextmanager
    def open_page(path: str = "/", **options: Any) -> Iterator[Page]:
        context = browser.new_context(base_url=server.address, **options)
        context.set_default_timeout(PATIENCE_MS)
        hosts, faults = set(), []
        context.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and faults.append(message.text))
        page.add_init_script(WATCH_POLICY)
        visit(page, path)
        yield page
        refused = page.evaluate("window.refused")
        context.close()
        assert refused == []
        assert hosts == {urlsplit(server.address).netloc}
        assert [fault for fault in faults if "503" not in fault] == []

    return open_page


def ask(page: Page, question: str) -> None:
    page.get_by_role("textbox").fill(question)
    page.get_by_role("textbox").press("Enter")


def finished(page: Page) -> None:
    expect(page.locator(".turn").last).to_have_class(re.compile(r"\bdone\b"))


def test_an_answer_streams_with_its_progress_and_sources_and_ends_with_its_badge(
    opened: Open, hold: threading.Event
) -> None:
    with opened() as page:
        ask(page, "Hold")
        expect(page.locator(".step")).to_have_text("Writing, 2 claims checked")
        expect(page.locator(".answer")).to_have_text(
            re.compile(r"330 metres tall since March 20221\. It drew .* 20232\.$")
        )
        expect(page.locator(".queries li")).to_have_count(3)
        expect(page.locator(".found .source")).to_have_count(4)
        expect(page).to_have_url(re.compile("/c/conv-1$"))

        hold.set()
        finished(page)
        expect(page.locator(".badge")).to_have_text("3 of 6 claims supported, 1 in part")
        expect(page.locator(".sources .number")).to_have_text(["1", "2", "3"])
        expect(page.locator("#live")).to_have_text("Answer finished: 3 of 6 claims supported.")
        page.locator(".badge").click()
        expect(page.locator(".claims li")).to_have_count(6)


def test_what_streamed_and_what_the_server_renders_look_the_same(opened: Open, engine: FakeEngine) -> None:
    """Else the finished answer would jump into place."""
    table = "| Tower | Height |\n|---|--:|\n"
    engine.runs.scripts["Shapes"] = Script(
        parts=(
            "## Height\n\n",
            Said("It is **330 *metres*** tall, says [a page](https://a.example/x_(y))[1].", quotes={1: (TOWER, QUOTE)}),
            " ",
            Said("In `code[1]`, $x^2$ costs $5 to $10.", "uncited"),
            "\n\n- one\n- two\n  - deeper\n\n1. first\n2. second\n\n",
            "> quoted *words*\n\n```\na <b> [1]\n\nc\n```\n\n---\n\n",
            table,
            Said("| Eiffel 𝔗ower[1] | 330 |", quotes={1: (TOWER, QUOTE)}),
            "\n\n$$E = mc^2$$\n\nLast ![pixel](https://collect.example/p.png) line with <i>no</i> markup and 😀 ",
            Said("no source at all.", "unsupported", reason="None says so."),
        ),
        pages=(TOWER,),
    )
    engine.runs.scripts["Shapes"] = hold_at_end = Script(
        parts=(*engine.runs.scripts["Shapes"].parts, threading.Event()), pages=(TOWER,)
    )
    with opened() as page:
        ask(page, "Shapes")
        expect(page.locator(".answer a.chip.unsupported")).to_have_count(1)
        streamed = page.evaluate(SHAPE)
        hold_at_end.parts[-1].set()  # type: ignore[union-attr]
        finished(page)
        rendered = page.evaluate(SHAPE)

    assert streamed == rendered


def test_hover_focus_and_tap_open_the_words_behind_a_number(opened: Open) -> None:
    with opened() as page:
        ask(page, "How tall?")
        finished(page)
        card = page.locator(".card-holder")

        page.locator(FIRST).first.hover()
        expect(card).to_contain_text(QUOTE)
        expect(card).to_contain_text("Eiffel Tower: height and history")
        expect(card).to_contain_text("towers.exampleThe Towers")
        expect(card).to_contain_text("3 April 2026")
        expect(card).to_contain_text("Supported")
        expect(card.get_by_role("link", name="Open at this passage")).to_have_attribute("href", re.compile("#:~:text="))
        card.hover()
        page.wait_for_timeout(400)
        expect(card).to_be_visible()
        page.mouse.move(5, 5)
        expect(card).to_have_count(0)

        page.locator(".claims summary").focus()
        page.keyboard.press("Tab")
        expect(card).to_contain_text(QUOTE)
        page.keyboard.press("Tab")
        expect(card.get_by_role("link", name="Eiffel Tower")).to_be_focused()
        page.keyboard.press("Escape")
        expect(card).to_have_count(0)

        page.locator(".answer a.chip.unsupported").click()
        expect(card).to_contain_text("No page read says this.")
        page.locator('.answer a.chip[data-n="3"]').click()
        expect(card).to_contain_text("read as snippet only")
        page.locator('.answer a.chip[data-n="2"]').click()
        expect(card).to_contain_text("only the beginning was read")
        expect(page.locator(".beside .source", has_text="only the beginning was read")).to_have_count(1)

    with opened("/c/conv-1", **PHONE) as page:
        page.locator(FIRST).first.tap()
        expect(page.locator(".card-holder")).to_contain_text(QUOTE)
        page.locator(".question").tap()
        expect(page.locator(".card-holder")).to_have_count(0)


def test_as_we_read_it_shows_the_quote_marked(opened: Open) -> None:
    with opened() as page:
        ask(page, "How tall?")
        finished(page)
        page.locator(FIRST).first.click()
        page.locator(".card-holder").get_by_role("link", name="As we read it").click()

        expect(page.locator("mark#quote")).to_contain_text(QUOTE)


def test_claims_without_support_differ_in_more_than_colour(opened: Open) -> None:
    line = "(e) => getComputedStyle(e).textDecorationStyle"
    with opened() as page:
        ask(page, "How tall?")
        finished(page)
        styles = [
            page.locator(f".answer .claim.{v}").first.evaluate(line) for v in ("partly", "unsupported", "uncited")
        ]

        assert styles == ["dashed", "wavy", "dotted"]
        expect(page.locator(".answer a.chip.unsupported")).to_have_text("!")
        expect(page.locator(".answer a.chip.uncited")).to_have_text("?")


def test_stopping_keeps_what_is_there_and_the_draft_and_takes_the_next_question(
    opened: Open, engine: FakeEngine
) -> None:
    with opened() as page:
        ask(page, "Hold")
        expect(page.locator(FIRST)).to_have_count(1)
        page.get_by_role("textbox").fill("A draft")
        page.get_by_role("textbox").press("Enter")
        expect(page.locator(".fault")).to_contain_text("your question stays here")
        page.get_by_role("button", name="Stop").click()

        expect(page.locator(".turn.stopped")).to_contain_text("Stopped.")
        expect(page.locator(".answer")).to_contain_text("330 metres")
        expect(page.locator(".answer a.chip")).to_have_count(2)
        expect(page.get_by_role("textbox")).to_have_value("A draft")
        assert [ask.question for ask in engine.runs.asked] == ["Hold"]

        ask(page, "How tall?")
        finished(page)
        expect(page.locator(".turn")).to_have_count(2)
        assert engine.runs.asked[-1].conversation_id == "conv-1"


def test_escape_stops_and_slash_goes_to_the_question(opened: Open, engine: FakeEngine) -> None:
    with opened() as page:
        ask(page, "Hold")
        expect(page.locator(FIRST)).to_have_count(1)
        page.keyboard.press("Escape")
        expect(page.locator(".turn.stopped")).to_have_count(1)

        page.locator("h2.question").click()
        page.keyboard.press("/")
        expect(page.get_by_role("textbox")).to_be_focused()
        expect(page.get_by_role("textbox")).to_have_value("")


def test_enter_that_chooses_a_word_does_not_ask(opened: Open, engine: FakeEngine) -> None:
    with opened() as page:
        field = page.get_by_role("textbox")
        field.fill("日本")
        field.evaluate(PRESS_ENTER, {"isComposing": True})
        field.evaluate(PRESS_ENTER, {"keyCode": 229})
        field.press("Shift+Enter")
        expect(field).to_have_value("日本\n")
        assert engine.runs.asked == []


def test_a_reload_in_mid_stream_takes_the_answer_up_again(opened: Open, hold: threading.Event) -> None:
    with opened() as page:
        ask(page, "Hold")
        expect(page.locator(FIRST)).to_have_count(1)
        page.reload()
        settled(page)
        expect(page.locator(".step")).to_have_text("Writing, 2 claims checked")
        hold.set()
        finished(page)
        expect(page.locator(".badge")).to_contain_text("3 of 6")


def test_too_little_evidence_and_failures_are_said_plainly(opened: Open) -> None:
    with opened() as page:
        ask(page, "Mayor?")
        finished(page)
        expect(page.locator(".status")).to_contain_text("Not enough evidence")
        expect(page.locator(".ways-on")).to_contain_text("mayor of Atlantis salary")
        ask(page, "Break")
        expect(page.locator(".turn.failed")).to_contain_text("The model stopped answering.")
        page.locator(".turn.failed").get_by_role("button", name="Try again").click()
        expect(page.locator(".turn.failed .made")).to_contain_text("Attempt")


def test_a_refused_question_goes_back_to_where_it_was_typed(opened: Open, engine: FakeEngine) -> None:
    engine.runs.fails_with = Unavailable("Too many answers are under way.", hint="Try again in a moment.")
    with opened() as page:
        ask(page, "How tall?")
        expect(page.locator(".fault")).to_have_text("Too many answers are under way. Try again in a moment.")
        expect(page.get_by_role("textbox")).to_have_value("How tall?")


def test_examples_related_questions_and_the_focus_ask_too(opened: Open, engine: FakeEngine) -> None:
    with opened() as page:
        page.get_by_role("radio", name="Own sources").check()
        page.get_by_role("button", name="How tall is the Eiffel Tower?").click()
        finished(page)
        page.get_by_role("button", name="Who designed the Eiffel Tower?").click()
        expect(page.locator(".turn")).to_have_count(2)
        finished(page)

    assert [(ask.question, ask.focus, ask.conversation_id) for ask in engine.runs.asked] == [
        ("How tall is the Eiffel Tower?", "own", None),
        ("Who designed the Eiffel Tower?", "own", "conv-1"),
    ]


def test_an_answer_is_copied_with_its_numbered_sources(opened: Open) -> None:
    with opened(permissions=["clipboard-read", "clipboard-write"]) as page:
        ask(page, "How tall?")
        finished(page)
        page.get_by_role("button", name="Copy answer").click()
        expect(page.locator("#live")).to_have_text("Answer copied.")
        copied = page.evaluate("navigator.clipboard.readText()")

    assert copied.startswith("The Eiffel Tower is **330 metres** tall since March 2022[1].")
    assert "\n[1] Eiffel Tower: height and history: https://towers.example/eiffel\n" in copied


def test_without_scripts_the_form_leads_to_the_finished_answer(opened: Open, browser: Browser, server: Served) -> None:
    context = browser.new_context(base_url=server.address, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("textbox").fill("How tall?")
    page.get_by_role("button", name="Ask", exact=True).click()

    expect(page.locator(".answer")).to_contain_text("330 metres")
    page.locator(FIRST).first.click()
    expect(page).to_have_url(re.compile("#turn-1-s1$"))
    expect(page.locator("#turn-1-s1")).to_contain_text(QUOTE)
    context.close()


HOSTILE = "One[1]. [two](javascript:alert(1)) <img src=x onerror=alert(1)> ![three](https://collect.example/p.png)"


def test_hostile_text_stays_text_while_it_streams(opened: Open, engine: FakeEngine) -> None:
    """The page fails this test by itself if another host is asked or the policy refuses something."""
    held = threading.Event()
    engine.runs.scripts["Hostile"] = Script(parts=(HOSTILE, held), pages=(TOWER,))
    with opened() as page:
        ask(page, "Hostile")
        expect(page.locator(".answer")).to_contain_text("three")
        expect(page.locator(".answer :is(img, script, a)")).to_have_count(0)
        held.set()
        finished(page)
        expect(page.locator(".answer :is(img, script, a)")).to_have_count(0)


@pytest.mark.parametrize("options", SIZES)
def test_no_size_scrolls_sideways(opened: Open, engine: FakeEngine, options: dict) -> None:
    wide = "| " + " | ".join("column" for _ in range(12)) + " |\n|" + "---|" * 12 + "\n| " + "x | " * 12
    engine.runs.scripts["Wide"] = Script(
        parts=(f"{'Long' * 60}\n\n```\n{'code ' * 60}\n```\n\n{wide}",), pages=(TOWER,)
    )
    sideways = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    with opened(**options) as page:
        assert page.evaluate(sideways) == 0
        for turns, question in enumerate(("How tall?", "Wide"), 1):
            ask(page, question)
            expect(page.locator(".turn.done")).to_have_count(turns)
        assert page.evaluate(sideways) == 0
        visit(page, "/docs")
        assert page.evaluate(sideways) == 0


@pytest.mark.parametrize("options", SCHEMES)
def test_every_state_is_accessible(opened: Open, hold: threading.Event, options: dict) -> None:
    def faults(page: Page) -> str:
        results = Axe().run(page)
        return results.generate_report() if results.violations_count else ""

    with opened(**options, reduced_motion="reduce") as page:  # colours in transition have no contrast to judge
        assert faults(page) == ""
        ask(page, "Hold")
        expect(page.locator(FIRST)).to_have_count(1)
        assert faults(page) == ""
        hold.set()
        finished(page)
        page.locator(".badge").click()
        page.locator(".made summary").click()
        page.locator(FIRST).first.click()
        expect(page.locator(".card-holder")).to_be_visible()
        assert faults(page) == ""
        page.keyboard.press("Escape")
        ask(page, "Mayor?")
        expect(page.locator(".not_enough_evidence")).to_have_count(1)
        assert faults(page) == ""
        for path in ("/pages/page-eiffel?start=0&end=20", "/docs", "/login"):
            visit(page, path)
            assert faults(page) == ""


def test_dark_is_dark_and_reduced_motion_is_still(opened: Open, hold: threading.Event) -> None:
    with opened(color_scheme="dark", reduced_motion="reduce") as page:
        ask(page, "Hold")
        expect(page.locator(".pulse")).to_be_visible()

        assert page.locator(".pulse").evaluate("(e) => getComputedStyle(e).animationName") == "none"
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 21, 18)"


def test_a_judge_changes_what_is_said_of_a_claim_after_the_answer_stands(
    opened: Open, engine: FakeEngine, hold: threading.Event
) -> None:
    verdict = VerdictChanged(0, "unsupported", "The page speaks of a copy.")
    engine.runs.scripts["Judge"] = replace(eiffel(), later=(hold, verdict))
    with opened() as page:
        ask(page, "Judge")
        finished(page)
        expect(page.locator("body")).not_to_have_class(re.compile("busy"))
        expect(page.locator(".badge")).to_have_text(re.compile("^3 of 6"))
        hold.set()
        expect(page.locator(".badge")).to_have_text(re.compile("^2 of 6"))
        page.locator(FIRST).first.click()
        expect(page.locator(".card")).to_contain_text("Not supported by the sources. The page speaks of a copy.")

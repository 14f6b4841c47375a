"""The real server in a real browser: engine, database and page, over the miniature web and a scripted model."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.fakes.browsing import PATIENCE_MS, PHONE, WIDE, faults_of, settled, until, visit, watched
from tests.fakes.whole import CONTESTED, NOWHERE, TALL, Whole, answered, said

LIGHT = "Exactly how many metres does a ray cover in vacuum in one second?"
CHIP = ".turn:last-child .answer a.chip[data-n]"
KEPT = "async () => (await (await import('/static/copies.js')).copies()).length"
WORKER = "async () => { await navigator.serviceWorker.ready; return (await caches.match('/offline')) !== undefined; }"


def ask(page: Page, question: str) -> None:
    page.locator("#question").fill(question)
    page.locator("#question").press("Enter")


def finished(page: Page) -> Locator:
    turn = page.locator(".turn").last
    expect(turn.locator(".actions")).to_be_visible()
    expect(turn).to_have_class(re.compile(r"\bdone\b"))
    return turn


def test_queries_pages_and_checked_words_appear_while_the_model_writes(browser: Browser, real: Whole) -> None:
    with watched(browser, real.address) as page, real.held() as release:
        ask(page, TALL)
        expect(page.locator(".step")).to_have_text(re.compile(r"^Writing, \d claims? checked$"))
        expect(page.locator(".queries li").first).to_contain_text("Eiffel Tower")
        card = page.locator(".found .source", has_text="Eiffel Tower: facts and figures").first
        expect(card.locator(".site")).to_contain_text("monuments.example")
        expect(page.locator(".fates li").first).to_be_visible()
        expect(page.locator(CHIP).first).to_have_text("1")
        expect(page.locator(".answer")).to_contain_text("330 metres tall, antennas included")
        expect(page.get_by_role("button", name="Stop")).to_be_visible()

        release()
        turn = finished(page)
        expect(turn.locator(".badge")).to_have_text(re.compile(r"^2 of 2 claims supported"))
        expect(turn.locator(".sources .number").first).to_have_text("1")
        expect(page.locator("#live")).to_have_text("Answer finished: 2 of 2 claims supported.")
        id = turn.evaluate("(e) => JSON.parse(e.querySelector('script.data').textContent).id")
        assert said(real, f"/v1/answers/{id}")["model"] == "openai-compatible:scripted"


def test_a_number_shows_the_words_of_the_page_and_leads_to_them(browser: Browser, real: Whole) -> None:
    with watched(browser, real.address) as page:
        ask(page, TALL)
        finished(page)
        page.locator(CHIP).first.hover()
        card = page.locator(".card-holder")
        expect(card).to_contain_text("Eiffel Tower: facts and figures")
        expect(card).to_contain_text("monuments.example")
        expect(card).to_contain_text("Supported")
        expect(card.locator("time.read")).to_contain_text("read")
        expect(card.locator("mark")).to_contain_text("330 metres")
        quote = card.locator("mark").inner_text()
        passage = card.get_by_role("link", name="Open at this passage")
        expect(passage).to_have_attribute("href", re.compile(r"^http://monuments\.example/eiffel-tower\.html#:~:text="))
        page.locator(CHIP).first.click()
        card.get_by_role("link", name="As we read it").click()
        expect(page.locator("mark#quote")).to_have_text(quote)


def test_a_reload_in_mid_stream_goes_on_to_the_same_answer(browser: Browser, real: Whole) -> None:
    with watched(browser, real.address) as page, real.held() as release:
        ask(page, TALL)
        expect(page.locator(CHIP)).to_have_count(1)
        page.reload()
        settled(page)
        expect(page.locator(".turn")).to_have_count(1)
        expect(page.locator(".step")).to_have_text(re.compile("^Writing"))
        expect(page.locator(".answer")).to_contain_text("330 metres tall, antennas included")
        release()
        turn = finished(page)
        expect(page.locator(".turn")).to_have_count(1)
        shown = turn.evaluate("(e) => JSON.parse(e.querySelector('script.data').textContent)")
        assert shown == said(real, f"/v1/answers/{shown['id']}")


def test_stopping_ends_the_model_s_request_and_keeps_what_was_released(browser: Browser, real: Whole) -> None:
    with watched(browser, real.address) as page, real.held() as release:
        ask(page, TALL)
        expect(page.locator(CHIP)).to_have_count(1)
        page.get_by_role("button", name="Stop").click()
        stopped = page.locator(".turn.stopped")
        expect(stopped).to_contain_text("Stopped.")
        expect(stopped.locator(".answer")).to_contain_text("330 metres tall, antennas included")
        id = stopped.evaluate("(e) => JSON.parse(e.querySelector('script.data').textContent).id")
        assert said(real, f"/v1/answers/{id}")["state"] == "stopped"
        assert real.engine.runs.under_way == 0
        release()
        page.reload()
        settled(page)
        expect(page.locator(".turn.stopped")).to_have_count(1)
        page.get_by_role("button", name="Try again").click()
        expect(page.locator(".turn.done .answer")).to_contain_text("330 metres")
        expect(page.locator(".turn")).to_have_count(1)


def test_the_history_finds_changes_deletes_and_brings_back_what_the_database_holds(
    browser: Browser, real: Whole
) -> None:
    tower, light, fund = answered(real, TALL, LIGHT, CONTESTED, writer="extractive")
    with watched(browser, real.address, "/history#undo=600000") as page:
        rows = page.locator(".row:not([hidden])")

        def row(id: str) -> Locator:
            return page.locator(f'.row[data-id="{id}"]')

        def menu(id: str, what: str) -> None:
            row(id).locator("summary").first.click()
            row(id).get_by_role("button", name=what, exact=True).click()

        page.get_by_role("searchbox").fill("antennas included")  # words of answers, not of any title
        expect(row(light)).to_have_count(0)
        expect(row(tower)).to_have_count(1)
        page.get_by_role("searchbox").fill("")
        expect(row(light)).to_have_count(1)

        menu(tower, "Pin to the top")
        expect(rows.first).to_have_attribute("data-id", tower)
        expect(row(tower).locator(".tag")).to_have_text("pinned")
        menu(light, "Rename")
        row(light).locator("input[name=title]").fill("Speed of light")
        page.keyboard.press("Enter")
        expect(row(light).locator(".title")).to_have_text("Speed of light")
        until(page, lambda: said(real, f"/v1/conversations/{light}")["title"] == "Speed of light")

        menu(fund, "Delete")
        expect(row(fund)).to_be_hidden()
        page.get_by_role("button", name="Undo").click()
        expect(row(fund)).to_be_visible()
        for id in (light, fund):
            row(id).get_by_role("checkbox").check()
        page.get_by_role("button", name="Delete the chosen ones").click()
        expect(page.locator(".toast")).to_contain_text("2 conversations deleted.")
        visit(page, "/history")
        expect(row(tower)).to_have_count(1)
        expect(row(tower).locator(".tag")).to_have_text("pinned")
    ids = {one["id"] for one in said(real, "/v1/conversations?limit=100")["conversations"]}
    assert tower in ids
    assert not ids & {light, fund}


def test_a_conversation_opens_when_the_server_is_gone(browser: Browser, real: Whole) -> None:
    with real.another_door() as address:
        context = browser.new_context(base_url=address)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        visit(page, "/")
        ask(page, TALL)
        finished(page)
        until(page, lambda: page.evaluate(KEPT) == 1)
        until(page, lambda: page.evaluate(WORKER))
        there = page.url
    visit(page, there)
    expect(page.locator(".why")).to_contain_text("copy that this browser kept")
    expect(page.locator(".answer")).to_contain_text("330 metres tall, antennas included")
    page.locator(CHIP).first.click()
    expect(page.locator(".card-holder mark")).to_contain_text("330 metres")
    visit(page, "/history")
    expect(page.locator("#copy .row .title")).to_have_text([TALL])
    assert faults_of(page) == []
    context.close()


def test_without_scripts_the_form_brings_the_finished_answer_and_a_follow_up(browser: Browser, real: Whole) -> None:
    with watched(browser, real.address, java_script_enabled=False) as page:
        page.locator("#question").fill(TALL)
        page.get_by_role("button", name="Ask", exact=True).click()
        expect(page.locator(".answer")).to_contain_text("330 metres tall, antennas included")
        page.locator(CHIP).first.click()
        expect(page).to_have_url(re.compile(r"#.+-s1$"))
        expect(page.locator(".sources .source").first).to_contain_text("330 metres")
        page.locator("#question").fill("Whose company built it?")
        page.get_by_role("button", name="Ask", exact=True).click()
        expect(page.locator(".turn")).to_have_count(2)
        expect(page.locator(".turn").last.locator(".answer")).to_contain_text("Eiffel")


def test_on_a_phone_the_card_is_a_sheet_within_the_screen(browser: Browser, real: Whole) -> None:
    with watched(browser, real.address, **PHONE) as page:
        ask(page, TALL)
        finished(page)
        page.locator(CHIP).first.tap()
        card = page.locator(".card-holder")
        expect(card.locator("mark")).to_contain_text("330 metres")
        expect(card).to_be_in_viewport(ratio=1)
        page.locator(".question").last.tap()
        expect(card).to_have_count(0)
        page.locator("#question").fill("Whose company built it?")
        page.get_by_role("button", name="Ask", exact=True).tap()
        expect(page.locator(".turn.done")).to_have_count(2)


@pytest.mark.parametrize(
    ("question", "outcome", "part"),
    [(CONTESTED, "sources_disagree", ".conflicts"), (NOWHERE, "not_enough_evidence", ".ways-on")],
)
def test_what_is_contested_and_what_no_page_says_is_shown_as_such(
    browser: Browser, real: Whole, question: str, outcome: str, part: str
) -> None:
    with watched(browser, real.address, **WIDE) as page:
        ask(page, question)
        expect(page.locator(f".turn.done.{outcome}")).to_have_count(1)
        expect(page.locator(part)).to_be_visible()
        expect(page.locator(".sources .source").first).to_be_visible()

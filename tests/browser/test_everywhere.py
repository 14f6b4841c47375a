"""Each state of the real page for everybody: by keyboard alone, for screen readers, light and dark, magnified."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from tests.fakes.browsing import PHONE, WIDE, faults_of, visit, watched
from tests.fakes.whole import CONTESTED, NOWHERE, TALL, Whole, answered

CHIP = ".turn:last-child .answer a.chip[data-n]"
# 1280 x 1024 pixels magnified twice and four times (WCAG 1.4.4 and 1.4.10)
MAGNIFIED = [
    {"viewport": {"width": 640, "height": 512}, "device_scale_factor": 2},
    {"viewport": {"width": 320, "height": 256}, "device_scale_factor": 4},
]
# Everything that can be used is numbered; of a group of radio buttons the chosen one is the tab stop.
CONTROLS = """() => {
  const all = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  const usable = (e) => e.checkVisibility({checkVisibilityCSS: true}) && !e.disabled && e.tabIndex >= 0
    && e.type !== "hidden" && !(e.type === "radio" && !e.checked);
  window.controls = [...document.querySelectorAll(all)].filter(usable);
  return window.controls.map((e) => e.outerHTML.slice(0, 120));
}"""
# Where the focus is: its number, whether it can be seen there, and whether something lies over all of it.
FOCUS = """() => {
  const e = document.activeElement;
  const marked = ({outlineStyle, boxShadow}) => outlineStyle !== "none" || boxShadow !== "none";
  const near = [e, e.nextElementSibling, e.closest("form"), e.parentElement].filter(Boolean);
  const box = e.getBoundingClientRect();
  const over = ([x, y]) => document.elementFromPoint(box.x + x * box.width, box.y + y * box.height);
  const met = (one) => one && (e.contains(one) || one.contains(e));
  const hit = [[.5, .5], [.1, .5], [.9, .5], [.5, .1], [.5, .9]].map(over).some(met);
  const seen = near.some((one) => marked(getComputedStyle(one)));
  return {at: window.controls.indexOf(e), seen, hit, what: e.outerHTML.slice(0, 120)};
}"""
CUT = """() => {
  const wide = document.documentElement.clientWidth;
  const found = document.documentElement.scrollWidth > wide ? ["the page scrolls sideways"] : [];
  for (const e of document.querySelectorAll("body *")) {
    if (![...e.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())) continue;
    if (!e.checkVisibility({checkVisibilityCSS: true}) || e.closest(".unseen, .skip, script, option")) continue;
    let scroller = e;
    while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowX)) scroller = scroller.parentElement;
    const {overflowX} = getComputedStyle(e);
    const box = e.getBoundingClientRect();
    const what = e.outerHTML.slice(0, 100);
    if (/hidden|clip/.test(overflowX) && e.scrollWidth > e.clientWidth + 1) found.push(`cut: ${what}`);
    else if (!scroller && (box.left < -1 || box.right > wide + 1)) found.push(`outside: ${what}`);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def ids(real: Whole) -> list[str]:
    return answered(real, TALL, CONTESTED, NOWHERE)


def states(page: Page, real: Whole, ids: list[str]) -> Iterator[str]:
    """The page in one state after the other."""
    visit(page, "/")
    yield "start"
    page.locator(".composer summary").click()
    yield "start, options open"
    with real.held():
        page.locator("#question").fill(TALL)
        page.locator("#question").press("Enter")
        expect(page.locator(CHIP).first).to_be_visible()
        yield "working"
        page.locator("button.stop").click()
        expect(page.locator(".turn.stopped")).to_be_visible()
    for id in ids:
        visit(page, f"/c/{id}")
        badge = page.locator(".claims > summary")
        if badge.count():
            badge.click()
        page.locator(".made > summary").click()
        if page.locator(CHIP).count():
            page.locator(CHIP).first.click()
            expect(page.locator(".card-holder")).to_be_visible()
        yield f"conversation {id}, all open"
    visit(page, "/history")
    page.locator(".row summary").first.click()
    yield "history, a menu open"
    for path in ("/sources", "/settings", "/docs"):
        visit(page, path)
        yield path


@pytest.mark.parametrize("look", [WIDE, PHONE], ids=["wide", "phone"])
def test_no_state_has_a_fault_that_axe_finds_in_light_or_dark(
    browser: Browser, real: Whole, ids: list[str], look: dict[str, Any]
) -> None:
    colours = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
    with watched(browser, real.address, **look) as page:
        for state in states(page, real, ids):
            assert faults_of(page) == [], state
            page.emulate_media(color_scheme="dark")
            pale = [one["nodes"][0]["html"] for one in Axe().run(page, options=colours).response["violations"]]
            assert pale == [], f"{state}, dark"
            page.emulate_media(color_scheme="light")


@pytest.mark.parametrize("size", MAGNIFIED, ids=["200 %", "400 %"])
def test_magnified_nothing_is_cut_and_nothing_scrolls_sideways(
    browser: Browser, real: Whole, ids: list[str], size: dict[str, Any]
) -> None:
    with watched(browser, real.address, **size) as page:
        for state in states(page, real, ids):
            assert page.evaluate(CUT) == [], state


@pytest.mark.parametrize("place", ["start", "answer", "history", "sources", "settings"])
def test_the_tab_key_leads_to_every_control_and_shows_where_it_is(
    browser: Browser, real: Whole, ids: list[str], place: str
) -> None:
    path = {"start": "/", "answer": f"/c/{ids[0]}"}.get(place, f"/{place}")
    with watched(browser, real.address, path) as page:
        controls = page.evaluate(CONTROLS)
        page.locator(".skip").focus()  # the first of all
        reached = [0]
        for _ in range(3 * len(controls)):  # a card that opens has stops of its own
            page.keyboard.press("Tab")
            now = page.evaluate(FOCUS)
            if "<body" in now["what"]:
                break
            assert now["seen"], f"the focus cannot be seen on {now['what']}"
            assert now["hit"], f"something lies over {now['what']}"
            reached.append(now["at"])

    assert [html for k, html in enumerate(controls) if k not in reached] == []
    order = [at for at in reached if at >= 0]
    assert order == sorted(order), "the order of tab stops is that of the page"


def test_an_answer_is_asked_for_read_checked_and_followed_up_by_keyboard_alone(browser: Browser, real: Whole) -> None:
    card = ".card-holder"
    with watched(browser, real.address) as page:
        press = page.keyboard.press
        expect(page.locator("#question")).to_be_focused()
        page.keyboard.type(TALL)
        for _ in range(10):
            press("Tab")
            if page.evaluate("document.activeElement.matches('.composer summary')"):
                break
        press("Enter")
        expect(page.locator(".composer .menu-sheet")).to_be_visible()
        press("Tab")
        expect(page.get_by_label("How fresh")).to_be_focused()
        press("Escape")
        expect(page.locator(".composer .menu-sheet")).to_be_hidden()
        expect(page.locator(".composer summary")).to_be_focused()
        press("Tab")
        press("Space")  # the button
        expect(page.locator(".turn.done")).to_have_count(1)

        page.locator(".claims > summary").focus()
        press("Space")
        expect(page.locator(".claims li").first).to_be_visible()
        press("Space")
        press("Tab")
        expect(page.locator(CHIP).first).to_be_focused()
        expect(page.locator(f"{card} mark")).to_contain_text("330 metres")
        press("Tab")
        expect(page.locator(f"{card} a").first).to_be_focused()
        press("Escape")
        expect(page.locator(card)).to_have_count(0)
        expect(page.locator(CHIP).first).to_be_focused()
        press("Enter")
        expect(page.locator(card)).to_be_visible()
        press("Escape")

        press("/")
        expect(page.locator("#question")).to_be_focused()
        with real.held():
            page.keyboard.type("Whose company built it?")
            press("Enter")
            expect(page.locator(".turn").last.locator("button.stop")).to_be_visible()
            expect(page.locator(".turn").last.locator(".answer")).not_to_be_empty()
            press("Escape")
            expect(page.locator(".turn.stopped")).to_have_count(1)


def test_a_conversation_is_managed_by_keyboard_alone(browser: Browser, real: Whole) -> None:
    (id,) = answered(real, TALL, writer="extractive")
    with watched(browser, real.address, "/history#undo=600000") as page:
        press = page.keyboard.press
        row = page.locator(f'.row[data-id="{id}"]')
        row.locator("summary").first.focus()
        press("Space")
        press("Escape")
        expect(row.locator(".menu-sheet").first).to_be_hidden()
        expect(row.locator("summary").first).to_be_focused()
        press("Enter")
        row.get_by_role("button", name="Delete", exact=True).focus()
        press("Enter")
        expect(row).to_be_hidden()
        page.get_by_role("button", name="Undo").focus()
        press("Enter")
        expect(row).to_be_visible()
        expect(row.locator("a").first).to_be_focused()
        press("Enter")
        expect(page).to_have_url(re.compile(f"/c/{id}$"))

"""What a director has in sight in an 18xx game, and turns that run by themselves."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.table import at_specimen, number, wait_for_move


@pytest.mark.parametrize(("title", "at", "seat"), [("1835", 355, 0), ("1853", 499, 2)])
def test_order_phase_trains_and_tiles_stay_in_sight(
    visit: Any, title: str, at: int, seat: int
) -> None:
    page = at_specimen(visit, title, at, seat, size=(1280, 800))
    pinned = page.locator(".pinned")
    for text in ("Order", "Phase", "Next train", "Tiles left"):
        expect(pinned).to_contain_text(text)
    expect(pinned.locator(".piece-of.strong").first).to_contain_text("▶")
    for to in (0, 100_000):
        page.locator(".holders").evaluate("(it, to) => { it.scrollTop = to }", to)
        expect(pinned.locator(".head").first).to_be_in_viewport(ratio=1)
        box = pinned.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 800


def test_one_tap_shows_them_on_a_phone(visit: Any) -> None:
    page = at_specimen(visit, "1835", 355, 0, size=(390, 844))
    page.locator(".where-now a").tap()
    card = page.locator("#popup-body")
    for text in ("Order", "Next train", "Tiles left", "Certificates 12/12"):
        expect(card).to_contain_text(text)
    expect(card.locator(".pieces svg").first).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_turns_of_a_company_run_by_themselves(visit: Any) -> None:
    page = at_specimen(visit, "1853", 499, 2)
    before = number(page)
    page.locator("#routine-BBCI summary").click()
    page.locator("#routine-BBCI button").click()
    wait_for_move(page, before + 3)
    expect(page.locator("#log")).to_contain_text("By itself for Clara – BBCI: no tile")
    running = page.locator("[id^='running-']")
    expect(running).to_contain_text("BBCI: no tile")
    running.get_by_role("button").click()
    expect(running).to_have_count(0)


def test_what_has_the_focus_is_not_behind_what_stays_in_sight(visit: Any) -> None:
    page = at_specimen(visit, "1835", 355, 0, size=(1280, 800))
    page.locator(".holders").focus()
    behind = """() => {
      const [at, pinned] = [document.activeElement, document.querySelector('.pinned')];
      if (!at.closest('.holders') || pinned.contains(at)) return null;
      return at.getBoundingClientRect().bottom > pinned.getBoundingClientRect().top;
    }"""
    page.keyboard.press("Tab")
    seen = 0
    while (hidden := page.evaluate(behind)) is not None:
        assert not hidden, page.evaluate("document.activeElement.outerHTML")
        seen += 1
        page.keyboard.press("Tab")
    assert seen > 5

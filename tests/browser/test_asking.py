"""The table answers questions: why nothing can be done with something, what it is, what a choice brings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.positions import place_game, sit_down, whole_game
from tests.browser.table import hot_seat, number, point

SHOWN = "#asked:not([hidden])"


def element(page: Page, key: str) -> Locator:
    """An element of the board."""
    return page.locator(f'#board-now [data-pick="{key}"]').first


def covered(page: Page, key: str) -> bool:
    """Whether the card lies over the middle of an element of the board."""
    found: bool = page.evaluate(
        """key => {
          const box = document.querySelector(`#board-now [data-pick="${key}"]`).getBoundingClientRect();
          const card = document.getElementById('asked').getBoundingClientRect();
          const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
          return card.left <= x && x <= card.right && card.top <= y && y <= card.bottom;
        }""",
        key,
    )
    return found


def test_a_click_that_leads_to_nothing_says_why(visit: Any) -> None:
    page = hot_seat(visit)
    point(page, "line:GWR")
    point(page, "hex:C8")
    card = page.locator(SHOWN)
    expect(card).to_contain_text("C8 is not next to the locomotive of GWR.")
    rule = card.locator(".why-not").get_by_role("link", name="Action: extend a railway line")
    expect(rule).to_be_visible()
    assert not covered(page, "hex:C8")
    assert number(page) == 0
    # The rule opens as anywhere else, and the card goes with Escape.
    rule.click()
    expect(page.locator("#popup")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#popup")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator("#asked")).to_be_hidden()
    # Something that can be done is done, and no card is in the way.
    point(page, "line:GWR")
    expect(page.locator("#asked")).to_be_hidden()
    expect(page.locator("#board-now .target").first).to_be_visible()


def test_a_hex_without_a_choice_is_refused_for_all_tiles(visit: Any, database: Path) -> None:
    """BY lays a tile: some that fit H10 are used up, but no track of BY leads there at all."""
    page = visit()
    sit_down(page, database, place_game(database, whole_game("1835"), 210, "1835-210"))
    point(page, "hex:H10")
    card = page.locator(SHOWN)
    expect(card).to_contain_text("No track leads from a station of BY to H10.")
    expect(card).not_to_contain_text("There is no tile")
    assert number(page) == 210


def test_resting_on_something_says_what_it_is(visit: Any) -> None:
    page = hot_seat(visit)
    element(page, "town:Manchester").hover()
    card = page.locator(SHOWN)
    expect(card).to_contain_text("Textile")
    assert not covered(page, "town:Manchester")
    # The browser's own tooltip keeps away meanwhile.
    assert element(page, "town:Manchester").locator("title").first.text_content() == ""
    page.mouse.move(5, 5)
    expect(page.locator("#asked")).to_be_hidden()
    assert element(page, "town:Manchester").locator("title").first.text_content()


def test_a_choice_says_what_it_brings_before_it_is_made(visit: Any) -> None:
    """The first turn of Stephenson's Rocket: who gets the share and what is paid."""
    page = hot_seat(visit)
    point(page, "line:LMR")
    key = page.locator("#board-now .target").first.get_attribute("data-pick") or ""
    element(page, key).hover(force=True)
    expect(page.locator(SHOWN).locator(".foreseen")).to_contain_text("takes a share of LMR.")
    element(page, key).click(force=True)
    expect(page.locator("#action-bar .brings")).to_contain_text("takes a share of LMR.")
    assert number(page) == 0


def test_the_key_i_asks_and_escape_goes_back(visit: Any) -> None:
    page = hot_seat(visit)
    start = page.locator('#board-now [data-pick][tabindex="0"]')
    start.focus()
    key = start.get_attribute("data-pick")
    page.keyboard.press("i")
    expect(page.locator(SHOWN)).to_be_focused()
    expect(page.locator(SHOWN)).to_contain_text("Rules:")
    page.keyboard.press("Escape")
    expect(page.locator("#asked")).to_be_hidden()
    assert page.evaluate("() => document.activeElement.getAttribute('data-pick')") == key


def test_a_finger_that_stays_asks_and_chooses_nothing(visit: Any) -> None:
    page = hot_seat(visit, size=(390, 844))
    town = element(page, "town:Manchester")
    town.scroll_into_view_if_needed()
    box = town.bounding_box()
    assert box is not None
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    hand = page.context.new_cdp_session(page)
    hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    card = page.locator(SHOWN)
    expect(card).to_contain_text("Manchester")
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    # It lies at the bottom of the screen, and stays until it is closed.
    place = card.bounding_box()
    assert place is not None
    assert round(place["y"] + place["height"]) == 844
    assert place["width"] == 390
    assert page.locator("#board-now .picked").count() == 0
    assert number(page) == 0
    card.get_by_role("button", name="Close").tap()
    expect(page.locator("#asked")).to_be_hidden()

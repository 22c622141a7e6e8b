"""A moderator corrects something in the dialog, with a phone too, and the other player sees it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.table import start_two


def correct(page: Page, *fields: tuple[str, str]) -> None:
    """Fill the dialog in, field by field, and confirm."""
    page.locator("#tab-table").click()
    page.locator("#correct-link").click()
    for name, value in fields:
        control = page.locator(f"#popup #correct-{name}")
        if name == "count":
            control.fill(value)
            control.press("Tab")
        else:
            control.select_option(value)
    page.locator("#popup .correct-send button").click()


def test_a_sum_is_corrected_before_everybody_s_eyes(visit: Any) -> None:
    anna, bernd = start_two(visit, moderation="opener")
    expect(bernd.locator("#moderation")).to_contain_text("can correct the game")
    expect(bernd.locator("#correct-link")).to_have_count(0)
    anna.set_viewport_size({"width": 390, "height": 800})
    correct(
        anna,
        ("kind", "money"),
        ("source", "bank"),
        ("target", "player 2"),
        ("count", "4000"),
    )
    line = bernd.locator("#log .said", has_text="£4,000 from the bank to Bernd")
    expect(line).to_be_visible()
    expect(anna.locator("#live")).to_have_attribute("data-number", "1")
    # Without scripts of the dialog it is a page that leads back to the table.
    anna.goto(f"{anna.url.partition('?')[0]}/correct?kind=turn&player=player+2&action=2")
    expect(anna.locator(".correct-what")).to_contain_text("to move, with action 2 of 2")
    anna.locator(".correct-send button").click()
    expect(bernd.locator("#live")).to_have_attribute("data-number", "2")
    expect(bernd.locator("#log .said").first).to_contain_text("action 2 of 2")

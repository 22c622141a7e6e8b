"""A whole game of Stephenson's Rocket with nothing but the keyboard: Tab, Enter and what is focused."""

from __future__ import annotations

import random
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.table import hot_seat, number

FOCUSED = """() => {
  const at = document.activeElement;
  if (at.closest('#choice-list') && at.matches('summary')) return at.parentElement.open ? 'open' : 'closed';
  if (at.matches('[data-entry]')) return 'entry';
  if (at.matches('[data-name=confirm]')) return 'confirm';
  return at.id || at.tagName;
}"""


def focused(page: Page) -> str:
    """What has the focus, as far as it matters here."""
    found: str = page.evaluate(FOCUSED)
    return found


def tab_to(page: Page, *wanted: str) -> str:
    """Press Tab until something of that kind has the focus."""
    for _ in range(400):
        page.keyboard.press("Tab")
        if focused(page) in wanted:
            return focused(page)
    raise AssertionError(f"no {wanted} can be reached")


def move(page: Page, rng: random.Random) -> None:
    """Choose a group of the list of moves, then one of its entries, and confirm if that is asked."""
    before = number(page)
    if focused(page) not in ("open", "closed"):
        if tab_to(page, "tab-log", "tab-moves") == "tab-log":
            page.keyboard.press("ArrowRight")
        expect(page.locator("#tab-moves")).to_be_focused()
        tab_to(page, "open", "closed")
    for _ in range(rng.randrange(3)):
        if focused(page) == "closed":
            page.keyboard.press("Tab")
        if focused(page) not in ("open", "closed"):
            page.keyboard.press("Shift+Tab")
    if focused(page) == "closed":
        page.keyboard.press("Enter")
    tab_to(page, "entry")
    for _ in range(rng.randrange(6)):
        page.keyboard.press("Tab")
        if focused(page) != "entry":
            # Behind the last one of the page is the browser's own bar.
            tab_to(page, "entry")
            break
    page.keyboard.press("Enter")
    if page.locator("#action-bar [data-name=confirm]").count():
        expect(page.locator("#action-bar [data-first]")).to_be_focused()
        if focused(page) != "confirm":
            tab_to(page, "confirm")
        page.keyboard.press("Enter")
    page.wait_for_function(
        "before => Number(document.getElementById('live').dataset.number) > before", arg=before
    )
    # Wherever the page goes on, the focus is somewhere from where one finds on.
    assert page.evaluate("document.activeElement !== document.body"), focused(page)


def test_a_whole_game_by_keyboard(visit: Any) -> None:
    page = hot_seat(visit)
    rng = random.Random(3)
    while page.locator("#live").get_attribute("data-status") == "running":
        move(page, rng)
    assert number(page) > 40
    expect(page.locator(".ranking li")).to_have_count(2)
    # What happened last was said aloud.
    expect(page.locator("#announcer")).not_to_be_empty()

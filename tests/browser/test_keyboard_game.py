"""A game of Stephenson's Rocket to its end with nothing but the keyboard: Tab, Enter and what is focused. What has
often been chosen so is only sent in between."""

from __future__ import annotations

import random
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.table import Sample, choices, hot_seat, number, send, wait_for_move

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
    typing = Sample(first=4, every=6)
    while page.locator("#live").get_attribute("data-status") == "running":
        offered = choices(page)
        if typing.by_hand(frozenset(choice["action"]["action"] for choice in offered)):
            move(page, rng)
        else:
            before = number(page)
            growing = [one for one in offered if one["action"]["action"] == "extend-line"]
            send(page, before, rng.choice(growing or offered)["action"])
            wait_for_move(page, before + 1)
    assert number(page) > 40
    expect(page.locator(".ranking li")).to_have_count(2)
    # What happened last was said aloud.
    expect(page.locator("#announcer")).not_to_be_empty()

"""The beginning of a game of Stephenson's Rocket, and in the long form all of it, with nothing but the keyboard: Tab,
Enter and what is focused. What has often been chosen so is only sent in between. And a turn of a company of 1835."""

from __future__ import annotations

import random
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.table import (
    Sample,
    at_specimen,
    choices,
    hot_seat,
    number,
    send,
    wait_for_move,
)

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


def test_a_game_by_keyboard(visit: Any, long: bool) -> None:
    page = hot_seat(visit)
    rng = random.Random(3)
    typing = Sample(first=2, every=8)
    status = page.locator("#live")
    while number(page) < 24 or (long and status.get_attribute("data-status") == "running"):
        offered = choices(page)
        if typing.by_hand(frozenset(choice["action"]["action"] for choice in offered)):
            move(page, rng)
        else:
            before = number(page)
            growing = [one for one in offered if one["action"]["action"] == "extend-line"]
            send(page, before, rng.choice(growing or offered)["action"])
            wait_for_move(page, before + 1)
    if long:
        expect(page.locator(".ranking li")).to_have_count(2)
        # What happened last was said aloud.
        expect(page.locator("#announcer")).not_to_be_empty()


def test_a_turn_of_a_company_by_keyboard(visit: Any) -> None:
    """A tile with its hex, kind and rotation, a station token, the dividend, a train, and the end of the turn."""
    page = at_specimen(visit, "1835", 355, 0, size=(1440, 900))
    before = number(page)
    press = page.keyboard.press
    bar, tray = page.locator("#action-bar"), page.locator("#tray")

    # The board has the focus, and an arrow moves on to another place.
    press("b")
    expect(page.locator("#board-now [data-pick]:focus")).to_have_count(1)
    first = page.evaluate("document.activeElement.dataset.pick")
    press("ArrowDown")
    press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.pick") != first
    press("Enter")
    expect(tray.locator(".piece").first).to_be_focused()
    last = tray.locator(".piece").count()
    press(str(last))
    chosen = tray.locator(f".piece:nth-child({last})")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    said = tray.locator(".what")
    text = said.inner_text()
    if tray.locator("[data-name='turn 1']").count():
        press("r")
        expect(said).not_to_have_text(text)
    expect(tray.locator(".main")).to_have_attribute("data-keycap", "⏎")
    press("Enter")
    wait_for_move(page, before + 1)

    # What is offered beside the board has numbers; a token is placed like a tile.
    offered = bar.locator(".buttons button:not([data-name='cancel'])")
    for step in ("1", "token", "1", "1", "last"):
        now = number(page)
        expect(offered.first).to_have_attribute("data-keycap", "1")
        if step == "token":
            press("b")
            press("Enter")
            expect(offered).to_have_count(1)
            expect(offered).to_be_focused()
            press("1")
        else:
            press(str(offered.count()) if step == "last" else step)
        wait_for_move(page, now + 1)
    told = page.locator("#log").inner_text()
    for did in ("PR places a station token", "PR pays out", "PR buys a 4-train"):
        assert did in told, told
    expect(page.locator("#log")).to_contain_text("BA operates next")

"""Looking back at earlier moves, also while the game goes on: the whole page as of a move, with an address."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.positions import place
from tests.browser.table import (
    choices,
    choose,
    first_label,
    hot_seat,
    number,
    open_table,
    wait_for_move,
)

COMPUTER = {"kind": "bot", "bot": "careless"}

#: What the page shows of a game: its drawing, what everybody has, and how things stand.
PARTS = ["#board-now svg", ".seats .score", ".holders", "#panel-holdings", ".where-now"]
#: Who moved somewhere since the reader's last move is for the present only.
SHOWN = """parts => parts.map(part => [...document.querySelectorAll(part)].map(found => {
  const own = found.cloneNode(true);
  own.querySelectorAll('[data-layer="since"]').forEach(layer => layer.remove());
  return own.textContent.replace(/\\s+/g, ' ');
}).join('|'))"""

#: The same of the page of a move, fetched from the server.
SHOWN_AT = """async ([number, parts]) => {
  const answer = await fetch(`${location.pathname}?move=${number}`);
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return parts.map(part =>
    [...fresh.querySelectorAll(part)].map(found => found.textContent.replace(/\\s+/g, ' ')).join('|'));
}"""


def shown(page: Page) -> Any:
    return page.evaluate(SHOWN, PARTS)


def shown_at(page: Page, move: int) -> Any:
    return page.evaluate(SHOWN_AT, [move, PARTS])


def at(page: Page, move: int | None) -> None:
    """Wait until the page shows the table after a move, or now."""
    if move is None:
        expect(page.locator(".past-banner")).to_have_count(0)
    else:
        expect(page.locator("#live")).to_have_attribute("data-past", str(move))


def test_the_whole_page_goes_back(visit: Any) -> None:
    page = hot_seat(visit)
    pages = [shown(page)]
    for _ in range(3):
        choose(page, first_label(page, "take-token"))
        pages.append(shown(page))
    for move in (2, 1, 0):
        page.keyboard.press("ArrowLeft")
        at(page, move)
        expect(page.locator(".past-banner")).to_contain_text(f"Move {move} of 3")
        assert page.url.endswith(f"?move={move}")
        assert shown(page) == pages[move]
        # Nothing can be done in the past.
        assert choices(page) == []
        assert page.locator("[data-undo]").count() == 0
    page.keyboard.press("ArrowRight")
    at(page, 1)
    expect(page.locator("#past-text")).to_contain_text("token")
    expect(page.locator("#prompt")).to_contain_text("was to move")
    page.get_by_role("link", name="Back to now").click()
    at(page, None)
    assert "move=" not in page.url
    assert shown(page) == pages[3]
    page.locator("#tab-log").click()
    page.locator('#log [data-history="2"]').first.click()
    at(page, 2)
    expect(page.locator("#log .seen").first).to_be_visible()
    page.keyboard.press("Escape")
    at(page, None)


def test_the_browser_goes_back_and_forward(visit: Any) -> None:
    page = hot_seat(visit)
    for _ in range(2):
        choose(page, first_label(page, "take-token"))
    table = page.url
    page.keyboard.press("ArrowLeft")
    at(page, 1)
    page.keyboard.press("ArrowLeft")
    at(page, 0)
    page.go_back()
    at(page, 1)
    page.go_back()
    at(page, None)
    page.go_forward()
    at(page, 1)
    assert page.url == f"{table}?move=1"
    # The address can be sent: it is the same for who opens it again, and without scripts.
    fresh = visit("/" + page.url.split("/", 3)[3])
    at(fresh, 1)
    assert shown(fresh)[:2] == shown(page)[:2]


def test_steps_by_turn_and_round(visit: Any, database: Path) -> None:
    page = visit(place(database, "nimm", "middle"))
    page.locator('[data-step="first"]').click()
    at(page, 0)
    page.locator('[data-step="part-on"]').click()
    expect(page.locator("#past-text")).to_contain_text("Round 2")
    second = int(page.locator("#live").get_attribute("data-past") or 0)
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator("#live")).not_to_have_attribute("data-past", str(second))
    assert int(page.locator("#live").get_attribute("data-past") or 0) < second
    page.locator('[data-step="part-back"]').click()
    at(page, 0)


def test_looking_back_while_computers_move(visit: Any) -> None:
    page = visit()
    fields = {f"seat{seat}_{what}": of for seat in (0, 1) for what, of in COMPUTER.items()}
    open_table(page, "bot", **fields)
    wait_for_move(page, 3)
    page.keyboard.press("ArrowLeft")
    page.evaluate("history.pushState(null, '', '?move=2')")
    page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
    at(page, 2)
    before = shown(page)
    assert before == shown_at(page, 2)
    for _ in range(3):
        moves = number(page)
        wait_for_move(page, moves + 1)
        assert shown(page) == before
        expect(page.locator(".past-banner")).to_contain_text("Move 2 of")
    page.get_by_role("link", name="Back to now").click()
    at(page, None)
    assert number(page) > moves
    assert shown(page) != before


def test_looking_back_at_a_move_that_was_taken_back(visit: Any) -> None:
    page = hot_seat(visit)
    tokens = [c["label"] for c in choices(page) if c["action"]["action"] == "take-token"]
    watcher = visit("/" + page.url.split("/", 3)[3])
    for label in tokens[:2]:
        choose(page, label)
    wait_for_move(watcher, 2)
    watcher.keyboard.press("ArrowLeft")
    at(watcher, 1)
    past = watcher.locator("#past-text")
    before = past.inner_text()
    # What happens meanwhile is seen all at once.
    watcher.context.set_offline(True)
    expect(watcher.locator("#connection")).to_be_visible()
    for left in (1, 0):
        page.get_by_role("button", name="Take back").click()
        expect(page.locator("#live")).to_have_attribute("data-number", str(left))
    for label in reversed(tokens[-3:]):
        choose(page, label)
    watcher.context.set_offline(False)
    wait_for_move(watcher, 3)
    at(watcher, 1)
    expect(past).not_to_have_text(before)
    assert shown(watcher) == shown_at(watcher, 1)
    # A move that is no more leads to now.
    for left in (2, 1):
        page.get_by_role("button", name="Take back").click()
        expect(page.locator("#live")).to_have_attribute("data-number", str(left))
    at(watcher, None)
    expect(watcher.locator("#live")).to_have_attribute("data-number", "1")
    assert "move=" not in watcher.url


#: Counts how often the page says that the connection is back.
COUNT_BACK = """() => {
  const banner = document.getElementById('connection');
  window.back = 0;
  let lost = false;
  new MutationObserver(() => {
    if (lost && banner.hidden) window.back += 1;
    lost = !banner.hidden;
  }).observe(banner, {attributes: true, attributeFilter: ['hidden']});
}"""


def test_a_page_that_cannot_be_brought_up_to_date_says_so_until_it_is(visit: Any) -> None:
    page = hot_seat(visit)
    token = next(c["label"] for c in choices(page) if c["action"]["action"] == "take-token")
    watcher = visit("/" + page.url.split("/", 3)[3])
    watcher.evaluate(COUNT_BACK)
    watcher.route("**/live?*", lambda route: route.fulfill(status=500))
    watcher.context.set_offline(True)
    expect(watcher.locator("#connection")).to_be_visible()
    choose(page, token)
    # What was missed has to be fetched.
    with watcher.expect_response("**/live?*"):
        watcher.context.set_offline(False)
    # It tries again by itself, and remains out of date.
    for _ in range(2):
        with watcher.expect_response("**/live?*"):
            pass
    expect(watcher.locator("#connection")).to_be_visible()
    assert watcher.evaluate("window.back") == 0
    watcher.unroute("**/live?*")
    wait_for_move(watcher, 1)
    expect(watcher.locator("#connection")).to_be_hidden()


def test_whose_turn_it_is_now_is_said_also_while_looking_back(visit: Any) -> None:
    page = hot_seat(visit)
    choose(page, first_label(page, "extend-line"))
    expect(page).to_have_title(re.compile("Your turn"))
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#live[data-past]")).to_have_count(1)
    expect(page).to_have_title(re.compile("Your turn"))
    expect(page.locator("#turn-now")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#turn-now")).to_have_count(0)

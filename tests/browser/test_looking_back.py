"""Looking back at earlier moves, also while the game goes on."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.browser.table import (
    choices,
    choose,
    first_label,
    hot_seat,
    number,
    open_table,
    wait_for_move,
)

COMPUTER = {"kind": "bot", "bot": "random"}

#: The moves the page knows of, with all lettering of a drawing as it is at that moment.
LETTERING = """id => [
  Number(document.getElementById('live').dataset.number),
  document.querySelector(`#${id} svg`)?.textContent ?? '',
]"""

#: The lettering of the drawing after a move, fetched from the server.
LETTERING_AT = """async number => {
  const answer = await fetch(`${location.pathname}/at/${number}`);
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return fresh.querySelector('#board-past svg').textContent;
}"""


def test_history(visit: Any) -> None:
    page = hot_seat(visit)
    for _ in range(3):
        choose(page, first_label(page, "take-token"))
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".past-banner")).to_contain_text("Move 2 of 3")
    expect(page.locator("#board-past svg")).to_be_visible()
    expect(page.locator("#board-now")).to_be_hidden()
    page.get_by_role("button", name="To the beginning").click()
    expect(page.locator(".past-banner")).to_contain_text("Move 0 of 3")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".past-banner")).to_contain_text("Move 1 of 3")
    expect(page.locator("#past-text")).to_contain_text("token")
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator("#board-now")).to_be_visible()
    expect(page.locator(".past-banner")).to_be_hidden()
    page.locator("#tab-log").click()
    page.locator('#log [data-history="2"]').first.click()
    expect(page.locator(".past-banner")).to_contain_text("Move 2 of 3")


def test_looking_back_while_computers_move(visit: Any) -> None:
    page = visit()
    fields = {f"seat{seat}_{what}": of for seat in (0, 1) for what, of in COMPUTER.items()}
    open_table(page, "bot", **fields)
    wait_for_move(page, 3)
    page.locator("#tab-log").click()
    page.locator('#log [data-history="2"]').first.click()
    expect(page.locator("#board-past svg")).to_be_visible()
    expect(page.locator("#past-text")).not_to_be_empty()
    text = page.locator("#past-text").inner_text()
    for _ in range(3):
        moves = number(page)
        wait_for_move(page, moves + 1)
        assert page.evaluate(LETTERING, "board-past")[1] == page.evaluate(LETTERING_AT, 2)
        expect(page.locator("#board-past svg")).to_be_visible()
        expect(page.locator("#past-text")).to_have_text(text)
        expect(page.locator(".past-banner")).to_contain_text("Move 2 of")

    page.get_by_role("button", name="Back to now").click()
    expect(page.locator("#board-past")).to_be_hidden()
    expect(page.locator("#board-now svg")).to_be_visible()
    latest, now = page.evaluate(LETTERING, "board-now")
    assert latest > moves
    assert now == page.evaluate(LETTERING_AT, latest)
    assert now != page.evaluate(LETTERING_AT, 2)


def test_looking_back_at_a_move_that_was_taken_back(visit: Any) -> None:
    page = hot_seat(visit)
    tokens = [c["label"] for c in choices(page) if c["action"]["action"] == "take-token"]
    watcher = visit("/" + page.url.split("/", 3)[3])
    for label in tokens[:2]:
        choose(page, label)
    wait_for_move(watcher, 2)
    watcher.keyboard.press("ArrowLeft")
    past = watcher.locator("#past-text")
    expect(past).not_to_be_empty()
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
    expect(watcher.locator(".past-banner")).to_contain_text("Move 1 of 3")
    expect(past).not_to_have_text(before)
    assert watcher.evaluate(LETTERING, "board-past")[1] == watcher.evaluate(LETTERING_AT, 1)

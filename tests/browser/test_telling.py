"""What the page tells: what is new in the chat, refusals, where a round begins."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.browser.table import (
    CLICK_ENTRY,
    choose,
    first_label,
    hot_seat,
    open_table,
    start_two,
    wait_for_move,
)


def test_only_what_others_have_said_since_is_counted(visit: Any) -> None:
    anna, bernd = start_two(visit)
    unread = bernd.locator("#unread")
    expect(unread).to_be_empty()
    anna.locator("#tab-chat").click()
    for text in ("Good evening!", "Who begins?"):
        anna.locator("#chat-form input").fill(text)
        anna.locator("#chat-form button").click()
        expect(anna.locator("#chat")).to_contain_text(text)
    # No one reads what he has written himself.
    expect(anna.locator("#unread")).to_be_empty()
    expect(unread).to_have_text("2")
    bernd.locator("#tab-chat").click()
    expect(unread).to_be_empty()
    bernd.locator("#tab-log").click()
    bernd.reload()
    expect(bernd.locator("#chat")).to_contain_text("Who begins?")
    expect(unread).to_be_empty()


def test_a_refusal_goes_with_its_position(visit: Any) -> None:
    page = hot_seat(visit)
    refusal = {"error": "That cannot be done.", "rule": ""}
    page.route("**/move", lambda route: route.fulfill(status=409, json=refusal))
    assert page.evaluate(CLICK_ENTRY, first_label(page, "take-token"))
    error = page.locator("#move-error")
    expect(error).to_contain_text("That cannot be done.")
    # The same person goes on elsewhere.
    other = page.context.new_page()
    other.goto(page.url)
    choose(other, first_label(other, "take-token"))
    wait_for_move(page, 1)
    expect(error).to_be_hidden()


def test_rounds_are_headings_of_the_log(visit: Any) -> None:
    page = visit()
    fields = {f"seat{seat}_kind": "bot" for seat in (0, 1, 2)}
    fields |= {f"seat{seat}_bot": "careless" for seat in (0, 1, 2)}
    open_table(page, "bot", "bot", title="nimm", pace="0", **fields)
    wait_for_move(page, 40)
    page.goto(f"{page.url}?log=all")
    expect(page.locator("#log .opens").first).to_contain_text("Round")

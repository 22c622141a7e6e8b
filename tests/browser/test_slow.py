"""Slow tables in the browser: moves planned ahead in the popup, times by the reader's clock, the next table."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.table import open_table, start_two


def test_moves_are_fixed_ahead_and_the_next_table_is_a_click_away(visit: Any) -> None:
    anna, bernd = start_two(visit, title="nimm", time="24")
    waiting, other = (
        (anna, bernd) if bernd.locator("#live[data-turn=true]").count() else (bernd, anna)
    )
    waiting.locator("#ahead").click()
    card = waiting.locator("#popup-body")
    expect(card).to_contain_text("No one else sees it before.")
    waiting.keyboard.press("Escape")
    expect(waiting.locator("#popup")).to_be_hidden()
    # The server's time is in UTC.
    due = other.locator("time[data-moment]").first
    expect(due).not_to_contain_text("UTC")
    expect(due).to_have_text(re.compile(r"\d"))

    # A second table waits for the same person: the number stands in the title, and the link leads there.
    path = open_table(waiting, "hotseat", title="rocket")
    expect(waiting).to_have_title(re.compile("Your turn"))
    waiting.goto("/")
    expect(waiting).to_have_title(re.compile(r"^\(\d\) Kursbuch"))
    first = waiting.locator(".own-table").first
    expect(first).to_contain_text("waiting for")
    expect(first.locator(".board-picture img").first).to_be_attached()
    waiting.goto("/next?after=nowhere")
    expect(waiting.locator("#live.game")).to_be_visible()

    # In Stephenson's Rocket the next action is planned in the popup and removed again.
    waiting.goto(path)
    waiting.locator("#ahead").click()
    card.get_by_role("button", name="Never object").click()
    expect(card.locator(".ahead-plans li")).to_have_count(1)
    expect(waiting.locator("#ahead")).to_contain_text("(1)")
    card.get_by_role("button", name="Remove: Never object").click()
    expect(card.locator(".ahead-plans")).to_have_count(0)
    expect(waiting.locator("#ahead")).not_to_contain_text("(")
    chosen = card.locator("select[name=action]")
    chosen.select_option(index=0)
    expect(waiting.locator("#live")).to_have_attribute("data-number", "0")
    # Its moment is now.
    card.locator("form:has(select[name=action])").get_by_role("button", name="Add").click()
    expect(waiting.locator("#live")).not_to_have_attribute("data-number", "0")


def test_a_start_page_that_could_not_be_renewed_is_renewed_later(visit: Any) -> None:
    page = visit("/")
    seats = [{"kind": "me", "name": "Anna"}, {"kind": "hotseat", "name": "Bernd"}]
    assert page.request.post("/api/tables", data={"title": "rocket", "seats": seats}).ok
    page.route(re.compile(r"/$"), lambda route: route.abort())
    look = "document.dispatchEvent(new Event('visibilitychange'))"
    with page.expect_event("requestfailed"):
        page.evaluate(look)
    page.unroute_all()
    page.evaluate(look)
    expect(page.locator("#my-tables .own-table")).to_have_count(1)

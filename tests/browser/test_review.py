"""A short game is finished and reviewed; results appear while the review grows, and lead to the turning points."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import expect

import kursbuch
from kursbuch.bots import make
from kursbuch.core.game import Game
from tests.bot_games import played_out
from tests.browser.positions import place_game, sit_down
from tests.browser.table import choose
from tests.browser.test_accessibility import violations
from tests.browser.test_the_end import readable

#: A review may take its time on a busy machine.
PATIENCE = 240_000


def short_game() -> Game:
    game = kursbuch.new("nimm", ["Anna", "Bernd"], 3)
    bots = [make("random", 1), make("greedy", 1)]
    return played_out(game, bots)


def test_a_game_is_finished_and_reviewed(visit: Any, database: Path) -> None:
    page = visit(size=(390, 844))
    game = short_game()
    sit_down(page, database, place_game(database, game, len(game.moves) - 1, "nimm-last"))
    choose(page, "Hand in none")
    page.locator(".result").get_by_role("link", name="Review").click()
    page.get_by_label("Processor time").select_option("30s")
    page.get_by_role("button", name="Review this game").click()
    # The curve comes first; a quick machine may have done the rest by then.
    expect(page.locator("#review-running, #review-done")).to_be_visible()
    expect(page.locator("svg.chart:visible")).to_have_count(1, timeout=PATIENCE)
    turns = page.locator("li[id^=turn-]")
    expect(turns.first).to_be_visible(timeout=PATIENCE)
    # Enough is known; it may have finished by itself just now.
    page.locator("form[action$='/stop'] button, #review-done").first.click()
    expect(page.locator("#review-done")).to_be_visible(timeout=PATIENCE)
    readable(page)
    assert violations(page) == []
    address = page.url
    for turn in range(turns.count()):
        expect(turns.nth(turn).get_by_text("after this move; the alternative")).to_be_visible()
        for moment in ("Before this move", "After this move"):
            link = turns.nth(turn).get_by_role("link", name=moment)
            number = str(link.get_attribute("href")).rsplit("=", 1)[1]
            link.click()
            expect(page.locator("#live")).to_have_attribute("data-past", number)
            page.goto(address)
    # The review is kept: nothing is computed again.
    expect(turns.first).to_be_visible()
    page.get_by_text("Chances and expected results at the positions examined").click()
    expect(page.locator("[aria-labelledby=all-moves] tbody tr").first).to_be_visible()

"""Two people in two browsers play a year of Railroad Dice by pointing at the board."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

import kursbuch
from tests.browser.conftest import DOORSTEP, seeded
from tests.browser.table import (
    carry_out,
    choices,
    number,
    open_table,
    start_two,
    take_device,
    wait_for_move,
)

#: With this seed the dice fall so that the moves below are possible.
SEED = "1771"

#: The first year, which only programs play.
BEFORE = """
Bernd rolls 0 and 1 ?
Bernd buys weiden from bank with ?
Bernd buys eisberg from bank
Bernd lays B c4 to S
Bernd lays A e4 to E with ?
Bernd lays A f4 to N with ?
Bernd ends turn
Anna buys weiden from bank with ?
Anna rolls 0 and 2 ?
Anna lays A f3 to N with ?
Anna lays A f2 to W
Anna lays A e2 to N
Anna lays B c5 to S
Anna lays B c6 to S
Anna ends turn
"""

#: The second year: income, a roll, a new tile with its connecting piece, a station, a share.
YEAR = """
Anna takes income
Anna ends turn
Bernd takes income
Bernd rolls 3
Bernd lays B c7 to S
Bernd opens mountain2 turned 2
Bernd lays B c1 to S
Bernd builds weiden meadow 3 at B paying 1 behind
Bernd buys ueberall from bank with ?
Bernd lays B d2 to N with ?
Bernd ends turn
"""


@pytest.fixture(scope="module")
def program() -> str:
    """A server whose tables all have the same seed."""
    return seeded(SEED)


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


def test_a_year_with_a_new_tile_and_a_station(visit: Any) -> None:
    pages = start_two(visit, title="dice")
    names = ("Anna", "Bernd")
    game = kursbuch.new("dice", players=names, seed=SEED)
    table = pages[0].url
    address = table.rsplit("/", 1)[1]
    for page in pages:
        page.goto(DOORSTEP)
    for line in lines(BEFORE):
        action = game.parse(line)
        sent = {"number": len(game.moves), "action": game.title.action_to_json(action)}
        answer = pages[action.seat].request.post(f"/api/tables/{address}/move", data=sent)
        assert answer.ok, answer.text()
        game.apply(action)
    for page in pages:
        page.goto(table)
        expect(page.locator("#board-now .small")).to_have_count(1)

    for line in lines(YEAR):
        action = game.parse(line)
        page = pages[action.seat]
        wait_for_move(page, len(game.moves))
        if action.seat == 1 and "opens" in line:
            # The tiles that fit are shown as pictures, to the one who watches too.
            for watched in pages:
                wait_for_move(watched, len(game.moves))
                expect(watched.locator("#board-now .candidate")).to_have_count(5)
        carry_out(page, game.title.action_to_json(action))
        game.apply(action)

    for page in pages:
        wait_for_move(page, len(game.moves))
        expect(page.locator("#board-now .small")).to_have_count(2)
        expect(page.locator("#board-now .station")).to_have_count(1)
        page.locator("#tab-log").click()
        expect(page.locator("#log")).to_contain_text("Bernd builds a station of Weiden Express")
        expect(page.locator("#log")).to_contain_text("Year 3 begins")

    # Everybody sees how many dice lie behind the own screen, and no one else's.
    for seat, page in enumerate(pages):
        own, other = (page.locator(f"#board-now .dice.seat-{n} .behind") for n in (seat, 1 - seat))
        held = game.state.ledger.held("die", f"{seat}:behind")
        expect(own.locator("text")).to_have_text(str(held))
        expect(other.locator("text")).to_have_text("?")


def test_surplus_dice_are_marked_and_returned(visit: Any) -> None:
    page = visit(size=(390, 844))
    open_table(page, "hotseat", title="dice")
    address = page.url.rsplit("/", 1)[1]
    # Income and a roll each, until someone has more dice than may stay.
    for _ in range(20):
        game = page.request.get(f"/api/tables/{address}").json()
        kinds = {choice["action"]["action"]: choice for choice in game["choices"]}
        if "return-dice" in kinds:
            break
        kind = next(k for k in ("take-income", "roll", "end-turn") if k in kinds)
        action = dict(kinds[kind]["action"])
        if kinds[kind]["amount"]:
            action["behind"] = kinds[kind]["amount"]["high"]
        sent = {"number": game["number"], "action": action}
        assert page.request.post(f"/api/tables/{address}/move", data=sent).ok
    page.goto(f"/t/{address}")
    take_device(page)
    dice = page.locator("#board-now .turn ~ .face[data-pick]")
    marks = page.locator("#action-bar .markable")
    confirm = page.locator("#action-bar [data-name=confirm]")
    surplus = len(choices(page)[0]["keys"])
    expect(dice).to_have_count(5 + surplus)
    expect(marks).to_have_count(5 + surplus)
    expect(confirm).to_be_disabled()
    expect(confirm).to_have_text(f"{surplus} more to mark")
    for index in range(surplus):
        dice.nth(index).click()
    expect(page.locator("#action-bar .marked")).to_have_text(f"{surplus} of {surplus} marked")
    expect(confirm).to_be_enabled()
    # One more takes the place of the one marked first.
    marks.nth(surplus).click()
    expect(marks.nth(0)).to_have_attribute("aria-pressed", "false")
    expect(confirm).to_have_text(re.compile("^Return "))
    before = number(page)
    confirm.focus()
    page.keyboard.press("Enter")
    wait_for_move(page, before + 1)

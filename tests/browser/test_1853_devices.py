"""1853 on one device shared by three people, on a phone, and at its end."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

import kursbuch
from kursbuch.games.g18xx.g1853.components import standard_data
from tests.browser.conftest import DOORSTEP
from tests.browser.table import (
    carry_out,
    choices,
    join,
    number,
    open_table,
    option,
    take_device,
)
from tests.browser.test_1853 import BONDS, CITIES, FIRST, NAMES, SECOND, STOCK, as_json, rings, text

PHONE = (390, 844)

#: The bonds of those at one device.
WRITTEN = {"Anna": 100, "Guest 1": 130, "Guest 2": 150}


def in_front(page: Page) -> str:
    """Who has taken the device."""
    return text(page, "#prompt .turn-sign").split("\n")[-1].lstrip("▶ 0123456789")


def test_one_device(visit: Any) -> None:
    page = visit(size=(1400, 900))
    open_table(page, "hotseat", "hotseat", title="1853")
    took: list[str] = []
    for move in count():
        expect(
            page.locator("#curtain").or_(page.locator("#prompt .turn-sign")).first
        ).to_be_visible()
        if page.locator("#curtain").count():
            # Behind the curtain is what everybody may know: no bond, no city, nothing to choose.
            assert not choices(page)
            assert rings(page) == 0
            assert "of your bond" not in text(page, "#live")
            for name in WRITTEN if move < 3 else ():
                expect(page.locator(".seats")).not_to_contain_text(f"£{WRITTEN[name]}")
            take_device(page)
        name = in_front(page)
        took.append(name)
        offered = choices(page)
        bond = next((c["action"] for c in offered if c["action"]["action"] == "bond"), None)
        if bond:
            carry_out(page, {**bond, "bond": WRITTEN[name]})
            continue
        if len(took) > 9:
            break
        carry_out(page, next(c["action"] for c in offered if c["action"]["action"] == "city"))
    assert sorted(took[:3]) == sorted(WRITTEN)
    # Anyone who has bid most begins, and it goes round.
    assert took[3:9] == ["Guest 2", "Guest 1", "Anna"] * 2
    page.get_by_role("button", name="Hand the device over").click()
    expect(page.locator("#curtain")).to_be_visible()
    assert rings(page) == 0


def test_a_bond_and_a_city_on_a_phone(visit: Any) -> None:
    anna = visit(size=PHONE)
    path = open_table(anna, "open", "open", title="1853")
    others = []
    for name in NAMES[1:]:
        others.append(visit(path))
        join(others[-1], name)
    anna.get_by_role("button", name="Start the game").tap()
    anna.locator("#action-bar").get_by_role("button", name="Write a bond").tap()
    anna.locator("#amount").fill("210")
    anna.locator("#action-bar [data-name=confirm]").tap()
    expect(anna.locator("#live")).to_have_attribute("data-turn", "false")
    for page, bond in zip(others, (80, 90), strict=True):
        game = page.request.get(f"/api/tables{path[2:]}").json()
        sent = {"number": game["number"], "action": {**game["choices"][0]["action"], "bond": bond}}
        assert page.request.post(f"/api/tables{path[2:]}/move", data=sent).ok
    expect(anna.locator("#prompt")).to_contain_text("£210 of your bond of £210 is unused")
    wide = "document.documentElement.scrollWidth - innerWidth"
    assert anna.evaluate(wide) <= 0
    anna.locator('#board-now [data-pick="hex:F14"]').tap(force=True)
    offers = [c["label"] for c in choices(anna) if c["action"].get("city") == "Delhi"]
    assert len(offers) == 4
    for label in offers:
        expect(anna.locator(f'#action-bar [data-name="{label}"]')).to_be_in_viewport()
    before = number(anna)
    anna.locator(f'#action-bar [data-name="{offers[2]}"]').tap()
    expect(anna.locator("#live")).to_have_attribute("data-number", str(before + 1))
    expect(anna.locator("#holding-0")).to_contain_text("Delhi")
    for tab in ("holdings", "log", "chat", "table"):
        anna.locator(f"#tab-{tab}").tap()
        assert anna.evaluate(wide) <= 0, tab


def test_the_end(visit: Any, tmp_path: Path) -> None:
    """With a chart that ends at 104, in a file of the players' own, the game is over with a dividend."""
    page = visit("/new?title=1853", size=(1400, 900))
    grid = json.loads(standard_data())["market"]["grid"][0]
    changes = {"market": {"grid": [grid[: grid.index(104) + 1]]}}
    file = tmp_path / "short.json"
    file.write_text(json.dumps({"variant_of": "1853", "about": "Short.", "changes": changes}))
    page.locator("[name=seats]").select_option("3")
    for seat, name in enumerate(NAMES):
        if seat:
            page.locator(f"[name=seat{seat}_kind]").select_option("hotseat")
        page.locator(f"[name=seat{seat}_name]").fill(name)
    option(page, "data").set_input_files(file)
    page.locator("form[data-new-table] button.main").click()
    page.wait_for_selector("#live")
    table = page.url
    path = table.split("/", 3)[3].removeprefix("t/")
    page.goto(DOORSTEP)
    game = kursbuch.new("1853", NAMES, "1")
    for line in until_a_dividend():
        action = game.parse(line)
        data = {"number": len(game.moves), "action": as_json(action)}
        assert page.request.post(f"/api/tables/{path}/move", data=data).ok, line
        game.apply(action)
    page.goto(table)
    take_device(page)
    carry_out(page, as_json(game.parse("Bernd pays out")))
    expect(page.locator("#live")).to_have_attribute("data-status", "finished")
    expect(page.locator(".ranking li")).to_have_count(3)
    places = [line.split()[0] for line in page.locator(".ranking li").all_inner_texts()]
    assert places == ["1.", "2.", "3."]
    expect(page.locator(".where-now")).to_contain_text("the price of EIR has reached £104")
    # All contracts are open now, and what was lost with them is said.
    for cities in CITIES.values():
        for city in cities:
            expect(page.locator(".seats")).to_contain_text(city.split()[0])
    assert rings(page) == len({city.split()[0] for cities in CITIES.values() for city in cities})
    page.locator("#tab-table").click()
    expect(page.locator("#panel-table")).to_contain_text("changed by the players")


def until_a_dividend() -> list[str]:
    """The moves up to the first dividend."""
    bids = [
        f"{name} writes {CITIES[name][turn].replace(' ', ' for ')}"
        for turn in range(4)
        for name in ("Clara", "Bernd", "Anna")
    ]
    passes = ["Clara is done", "Bernd is done", "Anna is done"]
    lines = [*BONDS.splitlines(), *bids, *passes, *STOCK.splitlines(), *FIRST.splitlines()]
    return [line for line in [*lines, *SECOND.splitlines()[:3]] if line]

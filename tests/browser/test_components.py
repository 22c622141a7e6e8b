"""Components are corrected by clicking, saved as a file, and used at a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import kursbuch

TITLES = sorted(kursbuch.titles())


def click_hex(page: Page, name: str) -> None:
    """Click on a hex of the map, beside what is written on it."""
    place = page.locator(f'#board-now :is([data-pick="hex:{name}"], [data-hex="{name}"])').first
    place.click(position={"x": 8, "y": 18})


def compared(page: Page) -> Locator:
    return page.locator("#components-progress-label")


def test_1853_is_corrected_by_clicking_and_played(visit: Any, tmp_path: Path) -> None:
    page: Page = visit("/new?title=1853")
    page.locator("#options > summary").click()
    page.locator("summary", has_text="Use your own component data").click()
    page.get_by_role("link", name="Compare with your box").click()
    expect(compared(page)).to_have_text("0 of 29 compared")
    # A contract city, by clicking on the map.
    click_hex(page, "K17")
    nagpur = page.locator("#city-Nagpur")
    expect(nagpur).to_be_in_viewport()
    expect(nagpur.get_by_label("1 EIR")).to_be_focused()
    nagpur.get_by_label("1 EIR").check()
    nagpur.get_by_label("Value in a contract").fill("35")
    nagpur.get_by_label("Value in a contract").press("Enter")
    expect(nagpur).to_contain_text("changed from BNR")
    expect(nagpur).to_contain_text("changed from 20")
    expect(page.locator("#board-now")).to_contain_text("35")
    # The track of a tile, by its sides.
    tile = page.locator("#tile-716")
    tile.get_by_label("south-east", exact=True).uncheck()
    tile.get_by_label("south-west", exact=True).check()
    expect(tile).to_contain_text("changed from E, SE, W, NW")
    # What is right is ticked.
    page.locator("#tile-717").get_by_label("As in my box").check()
    expect(compared(page)).to_have_text("3 of 29 compared")
    differences = page.locator("#components-differences")
    expect(differences.locator("li")).to_have_count(3)
    differences.get_by_role("button", name="Undo: Nagpur (K17), Companies").click()
    expect(differences.locator("li")).to_have_count(2)
    expect(nagpur.get_by_label("1 EIR")).not_to_be_checked()
    # A mistake is explained where it was made, and nothing is lost.
    tile.get_by_label("Number of tiles").fill("some")
    tile.get_by_label("Number of tiles").press("Enter")
    expect(tile.get_by_role("alert")).to_contain_text("must be a number from 0 to 1000")
    expect(tile.get_by_label("Number of tiles")).to_have_value("some")
    tile.get_by_label("Number of tiles").fill("4")
    tile.get_by_label("Number of tiles").press("Enter")
    expect(differences.locator("li")).to_have_count(3)
    # The file lists its differences.
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    file = tmp_path / "mine.json"
    saved.value.save_as(file)
    assert "Tile 716, Number of tiles: 4 (2)" in json.loads(file.read_text())["about"]
    # The next visit goes on with them.
    page.goto("/components/1853")
    expect(differences.locator("li")).to_have_count(3)
    # They are used at a table.
    page.get_by_role("button", name="Use for a new table").click()
    expect(page.locator(".own-data")).to_contain_text("your corrected components")
    page.locator("[name=seat0_name]").fill("Anna")
    for seat in (1, 2):
        page.locator(f"[name=seat{seat}_kind]").select_option("hotseat")
        page.locator(f"[name=seat{seat}_name]").fill(f"Guest {seat}")
    page.locator("form[data-new-table] button.main").click()
    expect(page.locator("#board-now .ask-text", has_text="35")).to_have_count(1)
    # Somewhere else the file says the same.
    other: Page = visit("/components/1853")
    other.locator("input[type=file]").set_input_files(file)
    expect(other.locator("#components-differences li")).to_have_count(3)
    other.get_by_role("button", name="Reset all").click()
    expect(other.locator("#components-differences")).to_have_count(0)
    other.reload()
    expect(compared(other)).to_have_text("0 of 29 compared")
    expect(other.locator("#components-differences")).to_have_count(0)


def test_a_known_doubt_by_keyboard(visit: Any) -> None:
    page: Page = visit("/components/1853")
    page.locator("#components-variants > summary").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Apply: Waltair lies in N22").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#components-differences")).to_contain_text("map hexes N22")
    # What was opened stays open.
    expect(page.locator("#components-variants")).to_have_attribute("open", "")


def test_a_town_is_put_on_a_hex_of_the_map(visit: Any) -> None:
    page: Page = visit("/components/rocket")
    town = page.locator("#railway_towns-2")
    town.get_by_label("Hex").focus()
    click_hex(page, "E22")
    expect(town.get_by_label("Hex")).to_have_value("E22")
    expect(town).to_contain_text("changed from E20")
    click_hex(page, "E22")
    expect(town).to_be_in_viewport()


def test_squares_of_a_tile_are_clicked(visit: Any) -> None:
    page: Page = visit("/components/dice")
    lake = page.locator("#tile-lake")
    for _ in range(2):
        lake.locator(".squares button").nth(2 * 7 + 1).click()
    expect(lake).to_contain_text("changed from ....... / ...W... / ..WWW..")
    expect(lake.locator(".squares button").nth(2 * 7 + 1)).to_have_text("W")


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.long), "de"])
@pytest.mark.parametrize("title", TITLES)
def test_on_a_phone(visit: Any, title: str, language: str) -> None:
    page: Page = visit(f"/components/{title}", size=(390, 844), language=language)
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_without_scripts(visit: Any) -> None:
    page: Page = visit()
    assert page.context.browser is not None
    context = page.context.browser.new_context(java_script_enabled=False, base_url=page.url)
    try:
        still = context.new_page()
        still.goto("/components/nimm")
        still.locator('[name="value:locomotives.S2.speed"]').fill("61")
        still.get_by_role("button", name="Check", exact=True).last.click()
        expect(still.locator("#components-differences")).to_contain_text("Speed (km/h): 61")
        still.get_by_role("button", name="Use for a new table").click()
        expect(still.locator(".own-data")).to_be_visible()
    finally:
        context.close()

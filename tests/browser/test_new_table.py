"""Opening a table: the form, component data of one's own, and the lobby."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import kursbuch
from tests.browser.table import join, open_table, option

BOARD = resources.files("kursbuch.games.rocket") / "board.json"


#: What can be chosen in a form, or is suggested, but is wider than its field.
CUT_OFF = """() => {
  const letters = document.createElement('canvas').getContext('2d');
  const cut = (one, texts, arrow) => {
    const style = getComputedStyle(one);
    letters.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
    return texts.filter(text => letters.measureText(text).width > room);
  };
  const seen = found => [...document.querySelectorAll(found)].filter(one => one.getClientRects().length);
  return [
    ...seen('select').flatMap(one => cut(one, [...one.options].map(option => option.text), 16)),
    ...seen('input[placeholder]').flatMap(one => cut(one, [one.placeholder], 0)),
  ];
}"""


def send(page: Page, data: dict[str, Any] | str, folder: Path) -> None:
    """Choose a file of component data and send the form."""
    file = folder / "board.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    if not page.locator("[name=data]").is_visible():
        if not page.locator("#options[open]").count():
            page.locator("#options > summary").click()
        page.locator("summary", has_text="Use your own component data").click()
    page.locator("[name=data]").set_input_files(file)
    page.locator("form[data-new-table] button.main").click()


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_can_be_chosen_is_not_cut_off(visit: Any, language: str) -> None:
    page = visit(language=language)
    for title in ("1835", "1853", "nimm"):
        page.goto(f"/new?title={title}")
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert page.locator("select:visible").count() > 10
        for width, height in (1280, 800), (390, 844):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(CUT_OFF) == []
    page.evaluate("document.querySelectorAll('select').forEach(one => one.style.width = '6rem')")
    assert page.evaluate(CUT_OFF)


@pytest.mark.parametrize(("size", "language"), [((1280, 800), "en"), ((390, 844), "de")])
def test_a_record_becomes_a_slow_table(
    visit: Any, size: tuple[int, int], language: str, tmp_path: Path
) -> None:
    board = json.loads(BOARD.read_text("utf-8"))
    board["metropolises"][0]["name"] = f"Sheffield {language} {size[0]}"
    data = json.dumps(board).encode()
    game = kursbuch.new("rocket", players=["Ada", "Ben"], seed=7, data=data)
    page = visit("/open", size=size, language=language)
    page.locator("textarea[name=text]").fill(game.record())
    page.locator("form[action='/open'] button.main").click()
    # No one here has these data.
    expect(page.locator("#form-error")).to_be_visible()
    file = tmp_path / "board.json"
    file.write_bytes(data)
    page.locator("[name=data]").set_input_files(file)
    page.locator("form[action='/open'] button.main").click()
    expect(page.locator("[name=overrun]")).to_be_hidden()
    page.locator("[name=kind][value=table]").check()
    expect(page.locator("[name=overrun]")).to_be_hidden()
    page.locator("[name=time]").select_option("24")
    expect(page.locator("[name=overrun]")).to_be_visible()
    assert page.evaluate(CUT_OFF) == []
    page.locator("[name=seat1]").select_option("open")
    # What is refused stays filled in.
    page.locator("[name=entry]").select_option("password")
    page.locator("form.open-record button.main").click()
    expect(page.locator("#form-error")).to_be_visible()
    expect(page.locator("[name=time]")).to_have_value("24")
    expect(page.locator("[name=seat1]")).to_have_value("open")
    page.locator("[name=password]").fill("Zugspitze9")
    page.locator("form.open-record button.main").click()
    expect(page.locator("#board-now")).to_contain_text(board["metropolises"][0]["name"])
    day = "slow, 1 day per move" if language == "en" else "1 Tag für einen Zug"
    expect(page.locator(".facts-list").first).to_contain_text(day)


def test_component_data_of_ones_own(visit: Any, tmp_path: Path) -> None:
    page = visit("/new?title=rocket")
    page.locator("[name=seat0_name]").fill("Anna")
    page.locator("[name=seat1_kind]").select_option("open")
    option(page, "objection").select_option("30")
    option(page, "listed").uncheck()
    board = json.loads(BOARD.read_text("utf-8"))
    town = board["metropolises"][0]
    hole = {**board, "hexes": [hex for hex in board["hexes"] if hex["id"] != town["hex"]]}
    for wrong, sentence in (
        (hole, f"The town {town['name']} is on hex {town['hex']}, but the map has no such hex"),
        ("{ half a file", "The file of component data cannot be read"),
    ):
        send(page, wrong, tmp_path)
        expect(page.locator("#form-error")).to_contain_text(sentence)
        # Nothing that was filled in is lost.
        expect(page.locator("[name=seat0_name]")).to_have_value("Anna")
        expect(page.locator("[name=seat1_kind]")).to_have_value("open")
        expect(page.locator("[name=objection]")).to_have_value("30")
        expect(page.locator("[name=listed]")).not_to_be_checked()
    board["metropolises"][0]["name"] = "New Sheffield"
    send(page, board, tmp_path)
    expect(page.locator(".facts-list").first).to_contain_text("changed by the players")
    other = visit("/t/" + page.url.rsplit("/", 1)[1])
    join(other, "Bernd")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#board-now")).to_contain_text("New Sheffield")
    expect(other.locator("#board-now")).to_contain_text("New Sheffield")


def test_a_name_is_needed(visit: Any) -> None:
    page = visit("/new?title=rocket")
    page.locator("form[data-new-table] button.main").click()
    expect(page.locator("[name=seat0_name]")).to_be_focused()
    assert page.url.endswith("/new?title=rocket")


def test_whoever_comes_back_finds_what_was_chosen_with_the_fields_for_it(visit: Any) -> None:
    page = visit("/new?title=rocket")
    page.locator("[name=seats]").select_option("4")
    page.locator("[name=seat2_kind]").select_option("hotseat")
    page.locator("select[name=title]").select_option("nimm")
    expect(page.locator("legend").first).to_have_text("Nimm den Zug")
    page.go_back()
    expect(page.locator("legend").first).to_have_text("Stephenson's Rocket")
    expect(page.locator("select[name=title]")).to_have_value("rocket")
    expect(page.locator("[name=seats]")).to_have_value("4")
    expect(page.locator("[data-seat]:visible")).to_have_count(4)
    expect(page.locator("[name=seat2_name]")).to_be_visible()


def test_a_seat_in_the_lobby_can_be_left(visit: Any) -> None:
    anna = visit()
    path = open_table(anna, "open")
    bernd = visit(path)
    expect(bernd.locator(".lead")).to_have_text("1 seat is still free.")
    join(bernd, "Bernd")
    expect(anna.locator(".lead")).to_have_text("All players are here: the game can begin.")
    bernd.get_by_role("button", name="Stand up").click()
    expect(anna.locator(".seats-list")).not_to_contain_text("Bernd")
    expect(bernd.get_by_placeholder("Your name")).to_be_visible()
    join(bernd, "Bernhard")
    anna.get_by_role("button", name="Start the game").click()
    expect(bernd.locator(".seats")).to_contain_text(re.compile("Anna.*Bernhard", re.DOTALL))

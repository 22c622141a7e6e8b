"""Settings: they hold at once, on the next page, and after a reload; the list of keys."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.table import (
    at_specimen,
    choose,
    first_label,
    open_table,
    pick,
    take_device,
    wait_for_move,
)

#: Clicks an entry of the list of moves, and nothing more.
POINT_OUT = """async label => {
  for (const group of document.querySelectorAll('#choice-list details')) group.open = true;
  await new Promise(done => setTimeout(done));
  [...document.querySelectorAll('#choice-list [data-entry]')].find(one => one.textContent === label).click();
}"""

GROUND = "getComputedStyle(document.documentElement).backgroundColor"


def test_choices_hold_at_once_and_afterwards(visit: Any) -> None:
    page = visit("/", theme="light")
    light = page.evaluate(GROUND)
    size = page.evaluate("getComputedStyle(document.documentElement).fontSize")
    pick(page, "Colours", "dark")
    pick(page, "Text", "very large")
    dark = page.evaluate(GROUND)
    assert dark != light
    for path in ("/", "/rules/rocket"):
        page.goto(path)
        assert page.evaluate(GROUND) == dark
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") > size
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("group", name="Text").get_by_label("very large")).to_be_checked()
    page.keyboard.press("Escape")
    pick(page, "Colours", "same as the device")
    assert page.evaluate(GROUND) == light
    assert visit("/", theme="dark").evaluate(GROUND) == dark
    page.reload()
    assert page.evaluate(GROUND) == light


def test_a_page_never_flashes_in_other_colours(visit: Any) -> None:
    """The colours are those chosen even if no script ever runs."""
    page = visit("/", theme="light")
    pick(page, "Colours", "dark")
    dark = page.evaluate(GROUND)
    context = page.context.browser.new_context(java_script_enabled=False, color_scheme="light")
    try:
        context.add_cookies(page.context.cookies())
        still = context.new_page()
        still.goto(page.url)
        expect(still.locator("html")).to_have_attribute("data-theme", "dark")
        expect(still.locator("html")).to_have_css("background-color", dark)
    finally:
        context.close()


def test_settings_by_keyboard_and_on_a_phone(visit: Any) -> None:
    page = visit("/", size=(390, 844), language="de")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.get_by_role("button", name="Einstellungen").focus()
    page.keyboard.press("Enter")
    dialog = page.locator("#settings")
    expect(dialog).to_be_visible()
    assert dialog.evaluate("one => one.scrollWidth - one.clientWidth") <= 0
    boxes = dialog.locator(".segments span").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().height)"
    )
    assert min(boxes) >= 44
    dialog.get_by_label("wie das Gerät").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.keyboard.press("ArrowRight")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()
    expect(page.get_by_role("button", name="Einstellungen")).to_be_focused()


def test_asking_before_every_move_or_none(visit: Any) -> None:
    page = visit()
    open_table(page, "hotseat", title="rocket")
    take_device(page)
    pick(page, "Confirm moves", "all")
    label = first_label(page, "take-token")
    page.evaluate(POINT_OUT, label)
    expect(page.locator("#action-bar .what")).to_have_text(label)
    expect(page.locator("#action-bar")).not_to_contain_text("cannot undo this")
    page.locator("#action-bar").get_by_role("button", name="Confirm").click()
    wait_for_move(page, 1)
    pick(page, "Confirm moves", "never")
    label = first_label(page, "take-token")
    page.evaluate(POINT_OUT, label)
    wait_for_move(page, 2)


def test_colours_of_players(visit: Any) -> None:
    page = visit()
    open_table(page, "hotseat", title="nimm")
    take_device(page)
    sign = page.locator(".sign-seat.seat-0").first
    disc = page.locator("#board-now .seat-fill.seat-0").first
    colour = "one => getComputedStyle(one)[one.closest('svg') ? 'fill' : 'backgroundColor']"
    usual = sign.evaluate(colour)
    assert disc.evaluate(colour) == usual
    pick(page, "Colours of players, companies and routes", "colour-blind friendly")
    assert sign.evaluate(colour) != usual
    assert disc.evaluate(colour) == sign.evaluate(colour)


@pytest.mark.parametrize(
    ("language", "word"), [("en", "One move back"), ("de", "Einen Zug zurück")]
)
def test_the_list_of_keys(visit: Any, language: str, word: str) -> None:
    page = visit("/", language=language)
    page.keyboard.press("?")
    dialog = page.locator("#keys")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text(word)
    # Every key has a meaning in words, not the name of one.
    assert not dialog.locator("dd").evaluate_all(
        "all => all.filter(one => /^key_|^$/.test(one.textContent))"
    )
    assert not dialog.locator("kbd").evaluate_all(
        "all => all.filter(one => /^sign_|^$/.test(one.textContent))"
    )
    page.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()
    page.locator("[data-opens=settings]").click()
    page.locator("#settings [data-opens=keys]").click()
    expect(dialog).to_be_visible()
    expect(page.locator("#settings")).not_to_be_visible()


#: Keeps what was animated on the board.
WATCH = """() => {
  window.moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...of) {
    window.moved.push(this.dataset.piece);
    return animate.apply(this, of);
  };
}"""


@pytest.mark.parametrize("motion", ["normal", "none", "reduced"])
def test_pieces_appear_unless_no_motion_is_wanted(visit: Any, motion: str) -> None:
    page = visit(motion=motion != "reduced")
    open_table(page, "hotseat", title="rocket")
    take_device(page)
    if motion == "none":
        pick(page, "Motion", "none")
    page.evaluate(WATCH)
    choose(page, first_label(page, "place-station"))
    wait_for_move(page, 1)
    expect(page.locator("#board-now .station")).to_have_count(1)
    station = page.locator("#board-now .station").get_attribute("data-piece")
    assert page.evaluate("window.moved") == ([station] if motion == "normal" else [])


FILL = "it => getComputedStyle(it).fill"
BACK = "it => getComputedStyle(it).backgroundColor"


def test_own_colours_of_companies_routes_and_players(visit: Any) -> None:
    """They are on the map, the chips and the signs, with letters that can be read, until another set is chosen."""
    page = at_specimen(visit, "1835", 358, 0, size=(1440, 900))
    path = page.url.split("/", 3)[3]
    chip = page.locator('.seats .piece-of[data-key="company:BY"]').first
    usual = chip.evaluate(BACK)
    page.goto(f"/colours?next=/{path}")
    for name, colour in (("of-BY", "#ffee00"), ("run-0", "#ff00aa"), ("seat-0", "#003300")):
        page.locator(f"[name={name}]").fill(colour)
    page.get_by_role("button", name="Use these colours").click()
    expect(page.locator("#live.game")).to_be_visible()
    assert chip.evaluate(BACK) == "rgb(255, 238, 0)"
    board = page.locator("#board-now")
    assert board.locator(".marker.of-BY").first.evaluate(FILL) == "rgb(255, 238, 0)"
    assert board.locator(".marker-text.on-BY").first.evaluate(FILL) == "rgb(29, 26, 22)"
    run = board.locator(".run-0").first
    assert run.evaluate("it => getComputedStyle(it).stroke") == "rgb(255, 0, 170)"
    assert page.locator("#seat-0 .sign-seat").evaluate(BACK) == "rgb(0, 51, 0)"
    pick(page, "Routes", "dashed")
    assert run.evaluate("it => getComputedStyle(it).strokeDasharray") == "12px, 8px"
    pick(page, "Colours of players, companies and routes", "usual")
    assert chip.evaluate(BACK) == usual

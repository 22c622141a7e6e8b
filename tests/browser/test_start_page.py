"""The start page: the games at a glance, and what waits for those who return."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

import kursbuch
from tests.browser.test_accessibility import in_both_themes

SIZES = [(1440, 900), (1080, 800), (820, 1180), (600, 800), (390, 844), (360, 640)]


def return_to(page: Page) -> None:
    """The start page of a player for whom one table waits, and who waits at another."""
    for title, seats in (
        ("nimm", [{"kind": "me", "name": "Anna"}, {"kind": "hotseat", "name": "Bernd"}]),
        ("rocket", [{"kind": "me", "name": "Anna"}, {"kind": "open"}]),
    ):
        opened = page.request.post("/api/tables", data={"title": title, "seats": seats})
        assert opened.ok, opened.text()
    page.goto("/")


@pytest.mark.parametrize("language", ["en", "de"])
def test_cards_of_games_are_equally_wide(visit: Any, language: str) -> None:
    page = visit("/", language=language)
    for text in ("", "larger"):
        page.evaluate("text => document.documentElement.dataset.text = text", text)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            widths = page.locator(".title-card").evaluate_all(
                "all => all.map(one => Math.round(one.getBoundingClientRect().width))"
            )
            assert len(widths) == len(kursbuch.titles())
            assert max(widths) - min(widths) <= 1, (width, text)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, text)


def test_a_family_sees_its_games_without_scrolling(visit: Any) -> None:
    page = visit("/", size=(1440, 900))
    for name in ("Nimm den Zug", "Railroad Dice", "Stephenson's Rocket"):
        expect(page.get_by_role("link", name=f"Play {name}")).to_be_in_viewport()
    levels = page.get_by_role("img", name="Difficulty")
    expect(levels.first).to_have_accessible_name("Difficulty 2 of 5")


def test_games_are_chosen_by_keyboard(visit: Any) -> None:
    page = visit("/")
    page.get_by_label("Link or code of a table").focus()
    page.keyboard.press("Tab")
    for name in ("Play Nimm den Zug", "Learn Nimm den Zug"):
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name=name).first).to_be_focused()


@pytest.mark.parametrize("size", [(1440, 900), (820, 1180), (390, 844)])
def test_the_turn_of_those_who_return_comes_first(visit: Any, size: tuple[int, int]) -> None:
    page = visit(size=size)
    return_to(page)
    line = page.get_by_role("link", name="Your turn at Nimm den Zug · with Bernd")
    expect(line).to_be_in_viewport(ratio=1)
    top = page.locator("main *").evaluate_all(
        "all => Math.min(...all.filter(one => one.checkVisibility() && !one.closest('.visually-hidden')"
        " && one.children.length === 0).map(one => one.getBoundingClientRect().top))"
    )
    box = line.bounding_box()
    assert box is not None
    assert top >= box["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    if size == (390, 844):
        assert in_both_themes(page) == []
    line.click()
    expect(page.locator("#live.game")).to_be_visible()


def test_a_turn_that_begins_elsewhere_appears(visit: Any) -> None:
    page = visit()
    return_to(page)
    expect(page.locator(".due-tables > li")).to_have_count(1)
    seats = [{"kind": "me", "name": "Anna"}, {"kind": "hotseat", "name": "Clara"}]
    opened = page.request.post("/api/tables", data={"title": "dice", "seats": seats})
    assert opened.ok, opened.text()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_role("link", name="Your turn at Railroad Dice · with Clara")).to_be_visible()

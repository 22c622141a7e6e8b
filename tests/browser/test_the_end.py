"""The end of a game, and numbers over time: readable on every screen, in light and dark."""

from __future__ import annotations

import re
import sqlite3
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import kursbuch
from tests.browser.positions import PLAYER, place, place_game, sit_down, whole_game
from tests.browser.table import pick, send
from tests.browser.test_accessibility import violations

TITLES = sorted(kursbuch.titles())
SCREENS = [
    ((390, 844), "light"),
    pytest.param((390, 844), "dark", marks=pytest.mark.long),
    pytest.param((1440, 900), "light", marks=pytest.mark.long),
    ((1440, 900), "dark"),
]

#: The size of the letters of drawings that are shown, and their contrast.
LETTERS = """() => {
  const light = color => {
    const [red, green, blue] = color.match(/[\\d.]+/g).slice(0, 3).map(value => {
      const part = Number(value) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const found = [];
  for (const text of document.querySelectorAll('svg.chart text')) {
    const chart = text.closest('svg');
    if (!chart.getClientRects().length) continue;
    const [bright, dark] = [getComputedStyle(text).fill, getComputedStyle(chart).backgroundColor]
      .map(light).sort((a, b) => b - a);
    found.push({
      size: parseFloat(getComputedStyle(text).fontSize) * chart.getScreenCTM().a,
      contrast: (bright + 0.05) / (dark + 0.05),
    });
  }
  return found;
}"""


#: The players whose kind or victory overlaps their score.
HEADS = """() => [...document.querySelectorAll('.seat .head')].filter(head => {
  const beside = document.createRange();
  beside.selectNodeContents(head.querySelector('small'));
  return beside.getBoundingClientRect().right > head.querySelector('.score').getBoundingClientRect().left;
}).map(head => head.textContent)"""


def readable(page: Page) -> None:
    """Nothing is wider than the screen; letters of drawings are large and clear enough."""
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    letters = page.evaluate(LETTERS)
    assert len(letters) > 5
    assert min(letter["size"] for letter in letters) >= 11
    assert min(letter["contrast"] for letter in letters) >= 4.5


def on_one_device(database: Path, title: str) -> str:
    """A game that has ended, played by all at one device; its path."""
    game, name = whole_game(title), f"{title}-device"
    path = place_game(database, game, len(game.moves), name)
    with sqlite3.connect(database, timeout=60) as connection:
        connection.execute("UPDATE seat SET owner = ? WHERE table_id = ?", (PLAYER, name))
        connection.execute(
            "UPDATE seat SET kind = 'hotseat' WHERE table_id = ? AND number > 0", (name,)
        )
    return path


def told_first(page: Page) -> None:
    """What everybody wants to know is seen without scrolling: who won, all results, what the bars mean, and the way to
    a rematch."""
    height = page.evaluate("innerHeight")
    game = whole_game(page.locator("#live").get_attribute("data-title") or "")
    assert game.result is not None
    winner = game.names[game.result.winners[0]]
    expect(page.locator("#result-title")).to_contain_text(winner)
    expect(page.locator(".ranking .winner")).to_contain_text(winner)
    rematch = page.get_by_role("button", name=re.compile("Rematch|Revanche"))
    parts = [
        page.locator("#result-title"),
        page.locator(".margin"),
        page.locator(".ranking"),
        page.locator(".legend-of-parts"),
        rematch,
    ]
    boxes = [part.bounding_box() for part in parts]
    assert all(boxes)
    for above, below in pairwise(boxes):
        assert above["y"] + above["height"] <= below["y"] + 1  # type: ignore[index]
    assert boxes[0]["y"] >= 0  # type: ignore[index]
    assert boxes[-1]["y"] + boxes[-1]["height"] <= height  # type: ignore[index]
    rematch.click(trial=True)


@pytest.mark.parametrize(("size", "theme"), SCREENS)
def test_the_end_of_a_game(
    visit: Any, database: Path, size: tuple[int, int], theme: str, long: bool
) -> None:
    page = visit(size=size, theme=theme)
    for title in TITLES if long or size[0] < 600 else ["1853", "rocket"]:
        game = whole_game(title)
        sit_down(page, database, on_one_device(database, title))
        told_first(page)
        seats = len(game.names)
        expect(page.locator(".ranking li")).to_have_count(seats)
        expect(page.locator(".ranking .bar-of-parts")).to_have_count(seats)
        expect(page.locator(".why-over")).to_contain_text("The game is over")
        expect(page.locator(".sources tbody").first).to_be_visible()
        expect(page.locator(".highlights div").first).to_be_visible()
        readable(page)
        if size[0] < 600:
            # It comes before the board and what everybody has.
            tops = [
                page.locator(part).first.bounding_box()["y"]
                for part in (".console", ".board-column", ".seats")
            ]
            assert tops == sorted(tops)
        # What stands beside a name does not run into the score.
        assert page.evaluate(HEADS) == []
        page.get_by_role("link", name="Replay from the start").click()
        expect(page.locator("#live")).to_have_attribute("data-past", "0")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_last_move_ends_the_game_on_open_pages(
    visit: Any, database: Path, language: str, long: bool
) -> None:
    """A page that is scrolled down when the last move is made shows the end from its beginning, and
    does so again when it is loaded once more."""
    page = visit(size=(390, 844), language=language, theme="dark" if language == "de" else "light")
    # German is longer; what checks of colours find is alike in all titles.
    for title in TITLES if long or language == "de" else ["dice"]:
        game = whole_game(title)
        number = len(game.moves) - 1
        sit_down(page, database, place_game(database, game, number, f"{title}-{language}"))
        expect(page.locator("#live.game")).to_have_attribute("data-number", str(number))
        assert not page.locator("#result, .ranking, .sources").count()
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        send(page, number, game.title.action_to_json(game.moves[-1].action))
        expect(page.locator("#result")).to_be_visible()
        told_first(page)
        expect(page.locator("#toasts > *")).to_have_count(0)
        expect(page.locator("#announcer")).to_contain_text(
            page.locator("#result-title").inner_text()
        )
        assert violations(page) == []
        page.reload()
        told_first(page)


#: Counts the tones that a page begins.
COUNTING = """
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...of) { window.tones++; start.apply(this, of); };
"""

MOVING = "document.getAnimations().map(one => one.animationName)"


def test_trains_run_in_once_and_are_heard(visit: Any, database: Path) -> None:
    game = whole_game("rocket")
    number = len(game.moves) - 1
    page = visit(size=(390, 844), motion=True)
    page.add_init_script(COUNTING)
    sit_down(page, database, place_game(database, game, number, "rocket-heard"))
    pick(page, "Sound when it is my turn or the game ends", "on")
    heard = page.evaluate("window.tones")
    send(page, number, game.title.action_to_json(game.moves[-1].action))
    expect(page.locator("#arrival .train").first).to_be_visible()
    assert {"arrive", "grow"} <= set(page.evaluate(MOVING))
    page.wait_for_function("before => window.tones > before + 2", arg=heard)
    # Back from an earlier move, everything is in its place.
    page.locator(".history [data-step=back]").click()
    expect(page.locator("#result")).to_have_count(0)
    page.locator(".history [data-step=now]").click()
    expect(page.locator("#arrival .train").first).to_be_visible()
    assert not {"arrive", "grow"} & set(page.evaluate(MOVING))


def test_nothing_moves_for_those_who_want_no_motion(visit: Any, database: Path) -> None:
    page = visit(size=(390, 844))
    sit_down(page, database, place(database, "rocket", "end"))
    expect(page.locator("#arrival .train").first).to_be_visible()
    assert page.evaluate(MOVING) == []
    train = page.locator("#arrival .train").first.bounding_box()
    assert train["x"] >= 0
    assert train["x"] + train["width"] <= 390


@pytest.mark.parametrize(("size", "theme"), SCREENS)
def test_numbers_over_time(
    visit: Any, database: Path, size: tuple[int, int], theme: str, long: bool
) -> None:
    page = visit(size=size, theme=theme)
    for title in TITLES if long or size[0] < 600 else ["1853", "rocket"]:
        path = place(database, title, "late")
        sit_down(page, database, f"{path}/numbers")
        # Each curve is drawn for wide and for small screens, and one of them is shown.
        drawn = page.locator("svg.chart").count()
        expect(page.locator("svg.chart:visible")).to_have_count(drawn // 2)
        readable(page)
        assert violations(page) == []
    with page.expect_download() as download:
        page.get_by_role("link", name="All numbers for a spreadsheet").click()
    assert download.value.path().read_text("utf-8-sig").startswith("Sheet,Line,Move,Column,Value")
    # A line of a sheet leads to the table as it was then.
    link = page.locator(".sheet tbody th a").first
    number = str(link.get_attribute("href")).rsplit("=", 1)[1]
    link.click()
    expect(page.locator("#live")).to_have_attribute("data-past", number)


@pytest.mark.parametrize("width", [390, 1440])
def test_spectators_see_the_end_of_a_game_at_one_device(
    visit: Any, database: Path, width: int
) -> None:
    page = visit(on_one_device(database, "rocket"), size=(width, 900))
    expect(page.locator(".seats")).to_contain_text("on the same device ★ winner")
    assert page.evaluate(HEADS) == []
    expect(page.locator("#result-title")).to_be_in_viewport()

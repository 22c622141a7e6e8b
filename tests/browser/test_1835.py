"""Two people in two browsers play 1835 by pointing: the start packet, the first stock round, two
operating rounds with tiles, stations, routes and trains."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import (
    carry_out,
    choices,
    join,
    made_table,
    number,
    on_turn,
    open_table,
    play_on,
    point,
    take_device,
    wait_for_move,
)

#: Tiles that are laid as soon as they can be: hex, tile, turn.
TILES = (
    ("F14", "57", 0),
    ("O15", "201", 3),
    ("N14", "8", 1),
    ("N12", "5", 0),
    ("G5", "57", 0),
)

#: In this order the papers are bought; the last of the money buys a share.
PAPERS = ("NF", "2", "LD", "1", "BS", "4", "BY-director", "3", "HA", "6", "OB", "5", "PF")


def start_three(visit: Any) -> tuple[Page, Page]:
    """A running game of Anna with a guest at her device, and Bernd."""
    anna = visit(size=(1400, 900))
    path = open_table(anna, "open", "hotseat", title="1835")
    bernd = visit(path, size=(1400, 900))
    join(bernd, "Bernd")
    expect(anna.locator(".seats-list")).to_contain_text("Bernd")
    anna.get_by_role("button", name="Start the game").click()
    for page in (anna, bernd):
        expect(page.locator("#live.game")).to_be_visible()
    return anna, bernd


def wanted(offered: list[dict[str, Any]]) -> dict[str, Any]:
    """What a simple player does: buys what he can, builds the tiles above, pays out."""
    actions = [choice["action"] for choice in offered]

    def first(kind: str, **fields: Any) -> dict[str, Any] | None:
        return next(
            (
                action
                for action in actions
                if action["action"] == kind
                and all(action[name] == value for name, value in fields.items())
            ),
            None,
        )

    for hex, tile, turn in TILES:
        found = first("tile", hex=hex, tile=tile, rotation=turn, private="")
        if found:
            return found
    for paper in PAPERS:
        found = first("paper", paper=paper)
        if found:
            return found
    found = (
        first("share")
        or first("station")
        or first("dividend", pays=True)
        or (first("done") if first("done") and not first("train", train="2") else first("train"))
    )
    return found or first("done") or actions[0]


def text(page: Page, selector: str) -> str:
    return page.locator(selector).inner_text().replace("\N{NO-BREAK SPACE}", " ")


def round_of(page: Page) -> str:
    """The round as the holdings say it."""
    row = page.locator("#panel-holdings tr", has=page.locator("th", has_text=re.compile("^Round")))
    return (row.locator("td").text_content() or "").strip()


@pytest.mark.long
def test_packet_stock_round_and_two_operating_rounds(visit: Any) -> None:
    pages = start_three(visit)
    seen: set[str] = set()
    rounds: list[str] = []
    for _ in range(160):
        page = on_turn(*pages)
        now = round_of(page)
        if not rounds or rounds[-1] != now:
            rounds.append(now)
        if now == "stock round 3":
            break
        sheet = page.locator('#sheets [aria-pressed="true"]').inner_text()
        action = wanted(choices(page))
        kind = action["action"]
        if kind == "paper":
            assert sheet == "Start packet"
        elif kind == "share":
            assert sheet == "Shares"
        elif kind in ("tile", "station", "dividend"):
            assert sheet == "Map"
        if kind == "dividend" and "dividend" not in seen:
            check_runs(page)
        if kind == "tile" and "tile" not in seen:
            check_tray(page, action)
        carry_out(page, action)
        seen.add(kind)
    assert [" ".join(name.split()[:3]) for name in rounds] == [
        "stock round 1",
        "operating round 1.1",
        "stock round 2",
        "operating round 2.1",
        "stock round 3",
    ]
    assert seen >= {"paper", "share", "tile", "station", "train", "dividend", "done"}
    latest = max(number(page) for page in pages)
    for page in pages:
        wait_for_move(page, latest)
        page.locator("#tab-log").click()
        log = text(page, "#log")
        assert "Minor 3 lays tile 57 on Magdeburg (F14)." in log
        assert "Braunschweig 20 + Magdeburg 20 = 40" in log
        assert "BY pays out" in log
        assert page.locator("#board-now .run-0").count() == 0
    # Both see the same board.
    boards = [page.locator("#board-now [data-part=map] .marker-text").all_text_contents()
              for page in pages]  # fmt: skip
    assert boards[0] == boards[1]
    assert boards[0].count("BY") >= 2


def check_runs(page: Page) -> None:
    """The runs are drawn and their sum is explained."""
    assert page.locator("#board-now .run-0").count() >= 2
    assert " = " in text(page, "#prompt")
    labels = [choice["label"] for choice in choices(page)]
    assert any("per 10" in label and "→" in label for label in labels)


def check_tray(page: Page, action: dict[str, Any]) -> None:
    """A tile can be chosen and turned by keyboard, is seen where it will lie, and can be given up."""
    point(page, f"hex:{action['hex']}")
    tray = page.locator("#tray")
    expect(tray).to_be_visible()
    before = number(page)
    piece = tray.locator(f'[data-name="tile:{action["tile"]}"]')
    piece.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#board-now g.preview")).to_have_count(1)
    # The markers that lie there are seen on the tile.
    there = page.locator(f'#board-now [data-pick^="stop:{action["hex"]}/"] .marker-text')
    assert there.all_text_contents() != []
    assert (
        page.locator("#board-now g.preview .marker-text").all_text_contents()
        == there.all_text_contents()
    )
    first = text(page, "#tray .what")
    page.keyboard.press("ArrowRight")
    assert text(page, "#tray .what") != first
    page.keyboard.press("Shift+R")
    assert text(page, "#tray .what") == first
    page.keyboard.press("Escape")
    expect(tray).to_be_hidden()
    expect(page.locator("#board-now g.preview")).to_have_count(0)
    assert number(page) == before


def advance(page: Page, until: str, **options: str) -> None:
    """Open a table of three at one device, and play until something of that kind can be done."""
    fields = {f"option_{name}": value for name, value in options.items()}
    page.goto(made_table(page, "hotseat", "hotseat", title="1835", **fields))

    def is_there(game: dict[str, Any]) -> bool:
        return bool(wanted(game["choices"])["action"] == until)

    play_on([page], wanted, is_there)
    take_device(page)


def test_a_tile_is_laid_on_a_phone(visit: Any) -> None:
    page = visit(size=(390, 844))
    advance(page, "tile")
    action = wanted(choices(page))
    hex = page.locator(f'#board-now [data-pick="hex:{action["hex"]}"]')
    small = hex.bounding_box()
    assert small is not None
    page.touchscreen.tap(small["x"] + small["width"] / 2, small["y"] + small["height"] / 2)
    expect(page.locator("#tray")).to_be_visible()
    # The tray is a strip below the hex and its neighbours.
    large, tray = hex.bounding_box(), page.locator("#tray").bounding_box()
    assert large is not None
    assert tray is not None
    assert large["width"] > 44
    assert tray["x"] >= 0
    assert tray["x"] + tray["width"] <= 390
    assert tray["y"] >= large["y"] + large["height"] * 1.7
    # Nothing of it is hidden behind what stands below.
    page.wait_for_function(
        """() => {
          const box = (name) => document.querySelector(name).getBoundingClientRect();
          return Math.abs(Math.min(box(".console").top, box(".board-view").bottom) - box("#tray").bottom) < 2;
        }"""
    )
    page.locator(f'#tray [data-name="tile:{action["tile"]}"]').tap()
    # Tapping the hex turns the tile.
    label = next(c["label"] for c in choices(page) if c["action"] == action)
    for _ in range(6):
        if page.locator("#tray .what").inner_text() == label:
            break
        page.touchscreen.tap(large["x"] + large["width"] / 2, large["y"] + large["height"] / 2)
    before = number(page)
    page.locator("#tray [data-name=confirm]").tap()
    wait_for_move(page, before + 1)
    expect(page.locator("#tray")).to_be_hidden()


def test_after_a_tile_laid_by_keyboard_the_focus_goes_on(visit: Any) -> None:
    page = visit(size=(1440, 900))
    advance(page, "tile")
    action = wanted(choices(page))
    page.locator(f'#board-now [data-pick="hex:{action["hex"]}"]').focus()
    page.keyboard.press("Enter")
    piece = page.locator(f'#tray [data-name="tile:{action["tile"]}"]')
    if piece.get_attribute("aria-pressed") != "true":
        piece.press("Enter")
    expect(piece).to_have_attribute("aria-pressed", "true")
    # The tray covers none of the neighbours that matter for the rotation.
    place = page.locator(f'#board-now [data-pick="hex:{action["hex"]}"]').bounding_box()
    tray = page.locator("#tray").bounding_box()
    assert place is not None
    assert tray is not None
    left, right = place["x"] - place["width"], place["x"] + 2 * place["width"]
    top, bottom = place["y"] - 0.75 * place["height"], place["y"] + 1.75 * place["height"]
    assert (
        tray["x"] + tray["width"] <= left + 1
        or tray["x"] >= right - 1
        or tray["y"] + tray["height"] <= top + 1
        or tray["y"] >= bottom - 1
    )
    before = number(page)
    # Elsewhere the key means something else.
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.locator(".holders").press("Enter")
    page.locator("#tray [data-name=confirm]").press("Enter")
    wait_for_move(page, before + 1)
    assert len([url for url in requests if url.endswith("/move")]) == 1
    expect(page.locator("#prompt")).to_be_focused()


def test_runs_are_chosen_by_hand(visit: Any) -> None:
    page = visit(size=(1400, 900))
    advance(page, "dividend", **{"routes-by-hand": "on"})
    page.locator("#action-bar [data-name=compose]").click()
    send = page.get_by_role("button", name="Pay out these runs")
    expect(send).to_be_disabled()
    point(page, "stop:N12/0")
    before = number(page)
    send.click()
    expect(page.locator("#move-error")).to_contain_text("two different stations")
    part = page.locator("#action-bar .part").first
    point(page, "stop:O15/0")
    expect(part).to_have_text("2 Augsburg – München")
    way = page.locator("#board-now polyline.trace-0").get_attribute("points") or ""
    assert len(way.split()) == 2
    send.click()
    wait_for_move(page, before + 1)
    page.locator("#tab-log").click()
    assert "Augsburg 20 + München 30 = 50" in text(page, "#log")
    # The line that was shown while choosing gives way to the run as it was made.
    expect(page.locator("#board-now polyline.trace")).to_have_count(0)
    expect(page.locator("#board-now path.run-0")).not_to_have_count(0)


@pytest.mark.parametrize("size", [(390, 800), (1280, 800)])
def test_a_long_note_beside_a_player_is_not_cut_off(visit: Any, size: tuple[int, int]) -> None:
    page = visit(size=size, language="de")
    open_table(page, "hotseat", "hotseat", title="1835")
    note = page.locator("#seat-0 .note")
    note.evaluate(
        "(note, text) => { note.textContent = text; }",
        "bar 1.195 M + notiert 1.210 M · Papiere 14/19 · Startspieler",
    )
    # It ends where the sum above it ends.
    right = "element => Math.round(element.getBoundingClientRect().right)"
    assert note.evaluate(right) == page.locator("#seat-0 .score").evaluate(right)


def test_a_chosen_paper_stands_out_and_what_cannot_be_bought_steps_back(visit: Any) -> None:
    page = visit(size=(1400, 900))
    open_table(page, "hotseat", "hotseat", title="1835")
    page.get_by_role("button", name="Anna", exact=False).first.click()
    papers = page.locator('#board-now [data-pick^="paper:"]')
    expect(papers.first).to_be_visible()
    dimmed = page.locator('#board-now [data-pick^="paper:"].out')
    expect(dimmed).not_to_have_count(0)
    before = dimmed.count()
    point(page, "paper:NF")
    buy = page.get_by_role("button", name="Buy NF")
    expect(buy).to_have_class("main")
    expect(dimmed).to_have_count(before)

"""Two people in two browsers play 1835 by pointing: the start packet, the first stock round, two
operating rounds with tiles, stations, routes and trains."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.table import (
    carry_out,
    choices,
    join,
    number,
    on_turn,
    open_table,
    point,
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
    assert rounds == [
        "stock round 1",
        "operating round 1.1 of 1",
        "stock round 2",
        "operating round 2.1 of 1",
        "stock round 3",
    ]
    assert seen >= {"paper", "share", "tile", "station", "train", "dividend", "done"}
    latest = max(number(page) for page in pages)
    for page in pages:
        wait_for_move(page, latest)
        page.locator("#tab-log").click()
        log = text(page, "#log")
        assert "minor 3 lays tile 57 on Magdeburg (F14)." in log
        assert "2: Braunschweig 20 + Magdeburg 20 = 40" in log
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
    first = text(page, "#tray .what")
    page.keyboard.press("ArrowRight")
    assert text(page, "#tray .what") != first
    page.keyboard.press("Shift+R")
    assert text(page, "#tray .what") == first
    page.keyboard.press("Escape")
    expect(tray).to_be_hidden()
    expect(page.locator("#board-now g.preview")).to_have_count(0)
    assert number(page) == before

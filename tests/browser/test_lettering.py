"""What is written on the drawings can be read: large enough, and clear of what is below."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.lettering import lettering
from tests.browser.positions import place, sit_down

SMALL_GAMES = ("dice", "nimm", "rocket")


@pytest.mark.parametrize("title", SMALL_GAMES)
def test_the_view_that_opens_by_itself(visit: Any, database: Path, title: str) -> None:
    page = visit(size=(1440, 900))
    for moment in ("middle", "late"):
        sit_down(page, database, place(database, title, moment))
        expect(page.locator("#board-now > svg")).to_be_visible()
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            found = lettering(page)
            assert len(found) > 20
            assert not [one for one in found if one.size < 10]
            assert not [one for one in found if one.contrast < 4.5]


@pytest.mark.parametrize("title", SMALL_GAMES)
def test_on_a_phone(visit: Any, database: Path, title: str) -> None:
    page = visit(theme="dark", size=(390, 844))
    sit_down(page, database, place(database, title, "late"))
    found = lettering(page)
    assert found
    assert not [one for one in found if one.contrast < 4.5]
    if title != "rocket":
        # These are arranged again; the map is seen through a window.
        assert not [one for one in found if one.size < 9.5]
    # Everything that can be done is in sight.
    for chip in page.locator(".chip").all():
        box = chip.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390

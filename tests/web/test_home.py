"""The start page: one's own tables, pictures of the games, and the way to a table by its link."""

from __future__ import annotations

import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest

import kursbuch
from kursbuch.core.words import Words
from kursbuch.web.db.models import Seat, Table, now
from kursbuch.web.home import routes as home_routes
from kursbuch.web.home.views import home_page, picture, picture_url
from kursbuch.web.tables.boards import THEMES
from tests.web.visitors import Browser

TITLES = list(kursbuch.titles())


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("theme", THEMES)
def test_every_game_has_a_picture_of_its_own_board(title: str, theme: str) -> None:
    drawn = picture(title, "de", theme)
    root = ElementTree.fromstring(drawn)
    assert len(list(root.iter())) > 100
    assert f"color-scheme: {theme}" in drawn
    # No one points at it, and it shows one sheet only.
    assert "data-pick" not in drawn
    assert float(root.attrib["width"]) < 1500
    # It shows no more than someone who watches may see.
    game = kursbuch.load(kursbuch.title(title).specimen)
    assert not game.over


@pytest.mark.asyncio(loop_scope="module")
async def test_pictures_are_served(anna: Browser) -> None:
    page = await anna.page("/")
    for title in kursbuch.titles().values():
        address = picture_url(title, "en")
        assert address.replace("&", "&amp;") in page
        answer = await anna.client.get(f"{address}&theme=dark")
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert answer.text == picture(title.id, "en", "dark")
    assert (await anna.client.get("/titles/rocket/picture.svg?theme=pink")).status_code == 404


@pytest.mark.asyncio(loop_scope="module")
async def test_a_table_is_found_by_its_link_or_its_code(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    code = table.removeprefix("/t/")
    for given in (code, f" http://somewhere:8000/t/{code} ", f"/t/{code}?move=3"):
        answer = await anna.client.get("/join", params={"code": given}, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, table)
    for wrong in ("", "Where is it?", "//evil.example/t"):
        assert (await anna.client.get("/join", params={"code": wrong})).status_code == 404


@pytest.mark.asyncio(loop_scope="module")
async def test_what_was_taken_off_the_list_does_not_wait(
    anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the page would be fetched again again and again, because other tables seem to wait."""
    monkeypatch.setattr(home_routes, "MOST_ROUNDS", 1)
    other, table = [await anna.open("me Anna", "hotseat Bernd") for _ in range(2)]
    await anna.done("/removed", table=table.removeprefix("/t/"))
    waits = (await anna.client.get("/waiting")).json()
    assert waits["count"] == 1
    page = await anna.page("/")
    assert f'data-stamp="{waits["stamp"]}"' in page
    # Nor does it take the place of others.
    assert f"{other}/picture.svg" in page


@pytest.mark.asyncio(loop_scope="module")
async def test_a_table_is_on_the_list_once_and_can_be_taken_off(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", "hotseat Clara", title="1835")
    page = await anna.page("/")
    assert page.count(f'href="{table}"') == 1
    assert "Your turn" in page
    await anna.done("/removed", table=table.removeprefix("/t/"))
    page = await anna.page("/")
    assert f'href="{table}"' not in page
    assert "Put 1 table back" in page
    await anna.done("/removed", table="")
    assert f'href="{table}"' in await anna.page("/")


@pytest.mark.asyncio(loop_scope="module")
async def test_where_only_computers_play_is_on_the_list_of_its_opener_alone(
    anna: Browser, bernd: Browser
) -> None:
    of_computers = await anna.open("bot greedy", "bot greedy")
    of_people = await anna.open("me Anna", "hotseat Bernd")
    assert of_computers in await anna.page("/")
    others = await bernd.page("/")
    assert of_people in others
    assert of_computers not in others
    assert "Rocket" in await bernd.page(of_computers)


def test_tables_say_for_whom_they_wait_and_old_ones_stand_apart() -> None:
    def row(code: str, days: int, **fields: object) -> tuple[Table, list[Seat]]:
        table = Table(
            id=code,
            title="rocket",
            status="running",
            number=7,
            turn=[1],
            creator="anna",
            updated_at=now() - timedelta(days=days),
        )
        for name, value in fields.items():
            setattr(table, name, value)
        names = ("Anna", "Bernd")
        return table, [
            Seat(table_id=code, number=number, kind="person", name=name, owner=name.lower())
            for number, name in enumerate(names)
        ]

    rows = [
        row("fresh", 1),
        row("mine", 2, turn=[0]),
        row("old", 40),
        row("over", 3, status="finished", turn=[], result={"winners": [1], "scores": [1, 2]}),
        row("gone", 1),
    ]
    lists = {"mine": rows, "waiting": [], "running": [rows[0]], "finished": [rows[3]]}
    shown = home_page(Words("en"), lists, "anna", {}, ["gone"])
    assert [(line.id, line.turn, line.my_turn) for line in shown.mine] == [
        ("mine", "", True),
        ("fresh", "Bernd must move", False),
    ]
    assert [(one.name, one.due) for one in shown.mine[1].sitters] == [
        ("Anna", False),
        ("Bernd", True),
    ]
    assert not any(one.due for one in shown.ended[0].sitters)
    assert [line.id for line in shown.older] == ["old"]
    assert [line.id for line in shown.ended] == ["over"]
    assert (shown.removed, shown.running, shown.finished) == (1, [], [])


def test_own_tables_say_where_the_game_is() -> None:
    game = kursbuch.new("1835", ["Anna", "Bernd", "Clara"], seed=1)
    table = Table(id="one", title="1835", status="running", number=0, turn=[0], creator="anna")
    table.updated_at = now()
    seats = [Seat(number=n, kind="person", name=name) for n, name in enumerate(game.names)]
    lists = {"mine": [(table, seats)], "waiting": [], "running": [], "finished": []}
    (line,) = home_page(Words("en"), lists, "anna", {"one": game}).mine
    assert re.match("stock round 1 · phase 1", line.round)

"""The start page: one's own tables, pictures of the games, and the way to a table by its link."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import TypeAlias
from xml.etree import ElementTree

import pytest

import kursbuch
from kursbuch.core.words import LANGUAGES, Words
from kursbuch.web.db.models import Seat, Table, now
from kursbuch.web.home import routes as home_routes
from kursbuch.web.home.views import (
    home_page,
    picture,
    picture_url,
    title_groups,
    title_line,
)
from kursbuch.web.tables.boards import THEMES, framed
from tests.web.registration import register
from tests.web.visitors import Browser

TITLES = list(kursbuch.titles())

Visit: TypeAlias = Callable[..., Browser]


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


@pytest.mark.parametrize("title", TITLES)
def test_a_picture_is_a_part_of_the_drawing(title: str) -> None:
    found = kursbuch.title(title)
    assert found.cutout is not None
    left, top, width, height = found.cutout
    game = kursbuch.load(found.specimen)
    whole = framed(found, found.draw(game.view(None).state, Words("en", game.names)), "light")
    box = ElementTree.fromstring(whole).attrib["viewBox"].split()
    assert left >= float(box[0])
    assert top >= float(box[1])
    assert left + width <= float(box[0]) + float(box[2])
    assert top + height <= float(box[1]) + float(box[3])
    # It fills its frame on wide pages.
    assert width / height == pytest.approx(16 / 9, rel=0.01)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_says_what_it_is_and_for_whom(language: str) -> None:
    groups = title_groups(Words(language))
    lines = [line for group in groups for line in group.titles]
    assert sorted(line.id for line in lines) == sorted(TITLES)
    for line in lines:
        title = kursbuch.title(line.id)
        assert line.summary.endswith(".")
        assert line.audience
        assert 1 <= line.difficulty <= 5
        assert line.picture_url
        assert line.learn_url
        if language != "en":
            assert title.audience is not None
            assert line.summary != title.summary
            assert line.audience != title.audience.value
    assert len({line.summary for line in lines}) == len(lines)
    # The easiest first, and those that take long apart.
    for group in groups:
        assert group.titles == sorted(group.titles, key=lambda line: line.difficulty)
    assert groups[0].titles[0].id == "nimm"
    assert {line.id for line in groups[1].titles} == {"1835", "1853"}


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_facts_of_games_are_on_the_page(visit: Visit, language: str) -> None:
    page = unescape(await visit(language).page("/"))
    play = {"en": "Play {}", "de": "{} spielen"}[language]
    for title in kursbuch.titles().values():
        line = title_line(Words(language), title)
        for fact in (line.name, line.summary, line.players, line.lasts, line.audience):
            assert fact in page
        label = {"en": "Difficulty {} of 5", "de": "Anspruch: {} von 5"}[language]
        assert label.format(line.difficulty) in page
        assert f'aria-label="{play.format(title.name)}"' in page
        # Who published it is said where the rules are.
        edition = title.rules.game.in_language("edition", language)
        assert edition not in page


FIRST_LINES = {
    "en": "Your turn at Nimm den Zug · with Bernd and Clara",
    "de": "Du bist dran bei Nimm den Zug · mit Bernd und Clara",
}


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("account", [False, True], ids=["without", "with"])
@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_first_line_of_those_who_return_is_their_turn(
    visit: Visit, language: str, account: bool
) -> None:
    anna = visit(language)
    if account:
        await register(anna, f"Anna {language}")
    table = await anna.open("me Anna", "hotseat Bernd", "hotseat Clara", title="nimm")
    page = await anna.page("/")
    main = page[page.index("<main") :]
    seen = re.sub(r'<(\w+) class="visually-hidden">.*?</\1>', "", main)
    text = " ".join(unescape(re.sub("<[^>]*>", " ", seen)).split())
    assert text.startswith(FIRST_LINES[language])
    assert main.index(f'href="{table}"') < main.index("title-card")


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
    assert [(line.id, line.company) for line in shown.due] == [("mine", "with Bernd")]
    assert [(line.id, line.turn) for line in shown.mine] == [("fresh", "Bernd must move")]
    assert [(one.name, one.due) for one in shown.mine[0].sitters] == [
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

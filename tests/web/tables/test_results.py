"""What the page says first when a game is over: the medals of its players, and what turned the game."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from kursbuch.web.db.models import Seat
from kursbuch.web.http.security import COOKIE
from kursbuch.web.tables.medals import places, players
from kursbuch.web.tables.results import result
from tests.browser.positions import cookie_of_player, place_game, whole_game
from tests.web.tables.test_numbers import TITLES, played, shown
from tests.web.visitors import Browser, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")


def finished(database: Path, title: str, name: str, day: int) -> str:
    """A table whose game ended that day; its path."""
    game = whole_game(title)
    path = place_game(database, game, len(game.moves), name)
    with sqlite3.connect(database, timeout=60) as connection:
        connection.execute(
            "UPDATE game_table SET created_at = ? WHERE id = ?",
            (f"2026-10-{day:02} 12:00:00.000000", name),
        )
    return path


def change(database: Path, statement: str) -> None:
    with sqlite3.connect(database, timeout=60) as connection:
        connection.execute(statement)


def medals(page: str) -> list[str]:
    return re.findall(r'class="medal \w+" title="([^"]+)"', page)


async def test_medals_are_counted_over_the_games_of_a_group(
    server: Server, anna: Browser, bernd: Browser
) -> None:
    database = Path(server.app.state.tables.database.engine.url.database)
    first = finished(database, "rocket", "first", 1)
    second = finished(database, "dice", "second", 2)
    # Games with others, copies and guided games are no games of this group.
    for day, (name, wrong) in enumerate(
        {
            "others": "UPDATE seat SET owner = 'else' WHERE table_id = 'others' AND number = 1",
            "copy": "UPDATE game_table SET copied = 3 WHERE id = 'copy'",
            "guided": "UPDATE game_table SET guided = 1 WHERE id = 'guided'",
        }.items(),
        3,
    ):
        finished(database, "rocket", name, day)
        change(database, wrong)
    last = finished(database, "rocket", "last", 9)
    anna.client.cookies.set(COOKIE, cookie_of_player(database))
    page = await anna.page(first)
    assert not medals(page)
    assert "games together" not in page
    # Dov, Clara, Anna and Bernd; then Clara, Dov, Anna and Bernd.
    page = await anna.page(second)
    assert "Medals from 2 games together." in page
    assert medals(page) == [
        *("first places: 1", "second places: 1"),
        *("first places: 1", "second places: 1"),
        "third places: 1",
    ]
    page = await anna.page(last)
    assert "Medals from 3 games together." in page
    assert medals(page)[:4] == [
        *("first places: 2", "second places: 1"),
        *("first places: 1", "second places: 2"),
    ]
    # Others may see how this game ended, but not how these people played elsewhere.
    page = await bernd.page(last)
    assert "Dov wins" in page
    assert not medals(page)
    assert "games together" not in page


async def test_people_are_known_by_their_seats() -> None:
    seats = [
        Seat(number=0, name="Anna", kind="person", bot="", owner="one"),
        Seat(number=1, name="Bernd", kind="hotseat", bot="", owner="one"),
        Seat(number=2, name="Clara", kind="person", bot="", owner="other"),
        Seat(number=3, name="Rolf", kind="bot", bot="normal", owner=None),
    ]
    assert players(seats) == ["one Anna", "one Bernd", "other", " Rolf"]
    assert places([5, 5, 7, 1], [2]) == [2, 2, 1, 4]


@pytest.mark.parametrize("title", TITLES)
async def test_the_winner_is_ahead_from_the_turning_point_on(title: str) -> None:
    game = played(title)
    found = result(shown(game))
    assert found is not None
    assert game.result is not None
    (winner, second) = found.ranking[:2]
    assert winner.is_winner
    assert second.name in found.margin
    turning = found.turning
    if turning is None or turning.number is None:
        return
    worth = [reading.worth for reading in game.readings]

    def leads(number: int) -> bool:
        own, *others = sorted((amount or 0 for amount in worth[number]), key=lambda amount: -amount)
        return own == worth[number][winner.seat] and own > others[0]

    assert not leads(turning.number - 1) or turning.number == 1
    assert all(leads(number) for number in range(turning.number, len(game.moves) + 1))

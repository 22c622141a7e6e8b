"""Tables at chosen moments of whole games, put into the database of a running server, so that pages can
be looked at early, late and at the end without playing hundreds of moves."""

from __future__ import annotations

import json
import sqlite3
from functools import cache
from pathlib import Path

from playwright.sync_api import Page

import kursbuch
from kursbuch.core.game import Game
from kursbuch.web.http.security import COOKIE, Signer

#: A whole game of each title, played by the computer.
GAMES = Path(__file__).parent / "games"

#: How much of a game has been played.
MOMENTS = {"early": 0.06, "middle": 0.45, "late": 0.85, "end": 1.0}

#: The browser that holds the seat of the player who has to decide.
PLAYER = "the player of these tests"


@cache
def whole_game(title: str) -> Game:
    """The recorded game of a title."""
    return kursbuch.load((GAMES / f"{title}.txt").read_text("utf-8"))


def place(database: Path, title: str, moment: str) -> str:
    """Put a table where so much of the recorded game has been played into a database; its path.
    The player of `sit_down` has to decide."""
    game = whole_game(title)
    number = round(len(game.moves) * MOMENTS[moment])
    return place_game(database, game, number, f"{title}-{moment}")


def place_game(database: Path, game: Game, number: int, name: str) -> str:
    """The same for the first moves of any game."""
    title = game.title.id
    position = game.at(number)
    over = number == len(game.moves)
    turn = [] if over else list(position.deciders())
    acting = turn[0] if turn else 0
    result = {"scores": game.result.scores, "winners": game.result.winners} if game.result else {}
    with sqlite3.connect(database, timeout=60) as connection:
        if connection.execute("SELECT 1 FROM game_table WHERE id = ?", (name,)).fetchone():
            return f"/t/{name}"
        insert(
            connection,
            "game_table",
            id=name,
            title=title,
            options=json.dumps(game.options),
            seed=game.seed,
            seed_hash=game.seed_hash,
            status="finished" if over else "running",
            language="",
            undo="free",
            help=True,
            listed=True,
            pace=0.0,
            creator=PLAYER,
            version=number + 2,
            revision=number + 2,
            rewound=0,
            number=number,
            edition=game.edition,
            turn=json.dumps(turn),
            bots_due=False,
            result=json.dumps(result) if over else None,
            created_at="2026-11-01 12:00:00",
            updated_at="2026-11-01 12:00:00",
        )
        for seat, player in enumerate(game.names):
            owner = PLAYER if seat == acting else f"other {seat}"
            row = {"kind": "person", "name": player, "bot": "", "owner": owner, "facing": True}
            insert(connection, "seat", table_id=name, number=seat, **row)
        for count, move in enumerate(game.moves[:number], 1):
            insert(
                connection,
                "move",
                table_id=name,
                number=count,
                seat=move.action.seat,
                action=json.dumps(game.title.action_to_json(move.action)),
                draws="[]",
                automatic=False,
                edition=move.edition,
                made_at="2026-11-01 12:00:00",
            )
    return f"/t/{name}"


def insert(connection: sqlite3.Connection, table: str, **row: object) -> None:
    columns, values = ", ".join(row), ", ".join(f":{name}" for name in row)
    connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({values})", row)


def cookie_of_player(database: Path) -> str:
    """What a browser is known by as the player who has to decide."""
    with sqlite3.connect(database, timeout=60) as connection:
        (secret,) = connection.execute("SELECT value FROM setting WHERE key = 'secret'").fetchone()
    return Signer([secret]).write(PLAYER)


def sit_down(page: Page, database: Path, path: str) -> None:
    """Open a page as the player who has to decide."""
    address = page.url.split("/", 3)
    value = cookie_of_player(database)
    page.context.add_cookies([{"name": COOKIE, "value": value, "url": "/".join(address[:3])}])
    page.goto(path)

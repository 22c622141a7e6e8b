"""Databases full of half-played recorded games."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import insert

from benchmarks.traffic import SECRET
from kursbuch.core.chance import commitment
from kursbuch.core.game import Game
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Seat, Setting, StoredMove, Table
from tests.browser.positions import whole_game

#: Titles of the tables, with the share of the game played.
MIXED = tuple(
    (title, part)
    for part in (0.1, 0.5, 0.8)
    for title in ("1835", "rocket", "nimm", "dice", "1853")
)


def owner(table: str, seat: int) -> str:
    """The browser that holds a seat."""
    return f"{table}-{seat}"


def chosen(wanted: Sequence[tuple[str, float | int]]) -> list[tuple[str, Game, int]]:
    """Ids, recorded games and numbers of moves of tables of these titles, at a number of moves or share of the game."""
    found = []
    for count, (title, part) in enumerate(wanted):
        game = whole_game(title)
        number = part if isinstance(part, int) else round(len(game.moves) * part)
        found.append((f"b{count:05}", game, number))
    return found


async def fill(url: str, wanted: Sequence[tuple[str, float | int]]) -> list[tuple[str, Game, int]]:
    """Create the `chosen` tables, and return them."""
    database = Database(url)
    await database.start()
    made = chosen(wanted)
    when = datetime(2026, 11, 1, 12, tzinfo=UTC)
    async with database.writing() as session:
        await session.execute(insert(Setting).values(key="secret", value=SECRET))
    for name, game, number in made:
        assert game.seed is not None
        table = {
            "id": name,
            "title": game.title.id,
            "options": game.options,
            "seed": game.seed,
            "seed_hash": commitment(game.seed),
            "status": "running",
            "language": "",
            "undo": "free",
            "help": True,
            "listed": True,
            "pace": 0.0,
            "creator": owner(name, 0),
            "version": number + 2,
            "revision": number + 2,
            "rewound": 0,
            "number": number,
            "edition": game.edition,
            "turn": list(game.at(number).deciders()),
            "bots_due": False,
            "created_at": when,
            "updated_at": when,
        }
        seats = [
            {
                "table_id": name,
                "number": seat,
                "kind": "person",
                "name": player,
                "bot": "",
                "owner": owner(name, seat),
                "facing": True,
            }
            for seat, player in enumerate(game.names)
        ]
        moves = [
            {
                "table_id": name,
                "number": place,
                "seat": move.action.seat,
                "action": game.title.action_to_json(move.action),
                "draws": [],
                "automatic": False,
                "edition": move.edition,
                "made_at": when,
            }
            for place, move in enumerate(game.moves[:number], 1)
        ]
        async with database.writing() as session:
            await session.execute(insert(Table), [table])
            await session.execute(insert(Seat), seats)
            if moves:
                await session.execute(insert(StoredMove), moves)
    await database.stop()
    return made

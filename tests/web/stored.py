"""Databases as older versions of the program left them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text, update

import kursbuch.web
from kursbuch.core.game import Game
from kursbuch.web.db.models import Seat, StoredMove, Table
from kursbuch.web.tables.store import TableStore, new_id

MIGRATIONS = Path(kursbuch.web.__file__).parent / "db" / "migrations"


def as_stored_before(connection: Connection, game: Game) -> None:
    """A database of an older version, with a table t1 where this game is played by anna and bernd."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "0002")
    insert(
        connection,
        "game_table",
        {
            "id": "t1",
            "title": game.title.id,
            "options": json.dumps(game.options),
            "seed": game.seed,
            "seed_hash": game.seed_hash,
            "status": "running",
            "language": "",
            "undo": "free",
            "help": True,
            "listed": True,
            "pace": 0.0,
            "creator": "anna",
            "version": 4,
            "revision": 4,
            "number": len(game.moves),
            "turn": json.dumps([decision.seat for decision in game.pending]),
            "bots_due": False,
            "created_at": "2026-11-01 12:00:00",
            "updated_at": "2026-11-01 12:00:00",
        },
    )
    for seat, name in enumerate(game.names):
        row = {"table_id": "t1", "number": seat, "kind": "person", "name": name, "bot": ""}
        insert(connection, "seat", {**row, "owner": name.lower(), "facing": True})
    for number, move in enumerate(game.moves, 1):
        insert(
            connection,
            "move",
            {
                "table_id": "t1",
                "number": number,
                "seat": move.action.seat,
                "action": json.dumps(game.title.action_to_json(move.action)),
                "draws": "[]",
                "automatic": False,
                "made_at": "2026-11-01 12:00:00",
            },
        )


def insert(connection: Connection, table: str, row: dict[str, Any]) -> None:
    columns, values = ", ".join(row), ", ".join(f":{name}" for name in row)
    connection.execute(text(f"INSERT INTO {table} ({columns}) VALUES ({values})"), row)


async def put(tables: TableStore, game: Game, owners: Sequence[str | None], **fields: Any) -> str:
    """Store a table at which this game has been played by these browsers (None: the computer)."""
    result = game.result
    made: dict[str, Any] = {
        "id": new_id(),
        "title": game.title.id,
        "options": game.options,
        "seed": str(game.seed),
        "seed_hash": game.seed_hash,
        "status": "running" if result is None else "finished",
        "language": "",
        "undo": "free",
        "help": True,
        "listed": True,
        "pace": 60.0,
        "creator": "somebody",
        "version": len(game.moves) + 2,
        "revision": len(game.moves) + 2,
        "rewound": 0,
        "number": len(game.moves),
        "edition": game.edition,
        "turn": [decision.seat for decision in game.pending],
        "bots_due": False,
        "result": result and {"scores": [*result.scores], "winners": [*result.winners]},
    }
    table = Table(**{**made, **fields})
    async with tables.database.writing() as session:
        session.add(table)
        await session.flush()
        for number, (name, owner) in enumerate(zip(game.names, owners, strict=True)):
            kind, bot = ("person", "") if owner else ("bot", "random")
            session.add(
                Seat(
                    table_id=table.id,
                    number=number,
                    kind=kind,
                    name=name,
                    bot=bot,
                    owner=owner,
                    facing=owner is not None and owner not in owners[:number],
                )
            )
        for number, move in enumerate(game.moves, 1):
            session.add(
                StoredMove(
                    table_id=table.id,
                    number=number,
                    seat=move.action.seat,
                    action=game.title.action_to_json(move.action),
                    draws=[list(drawn) for drawn in move.draws],
                    edition=move.edition,
                )
            )
    return table.id


async def spoil(tables: TableStore, table: str) -> None:
    """Make a game that cannot be shown."""
    async with tables.database.writing() as session:
        move = {"number": 1, "seat": 0, "action": {"action": "nonsense"}, "draws": [], "edition": 1}
        session.add(StoredMove(table_id=table, automatic=False, **move))
        later = {"number": 1, "revision": Table.revision + 1, "version": Table.version + 1}
        await session.execute(update(Table).where(Table.id == table).values(**later))
    tables.games._kept.clear()
    tables._snapshots.clear()

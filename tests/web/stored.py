"""Databases as older versions of the program left them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

import kursbuch.web
from kursbuch.core.game import Game

MIGRATIONS = Path(kursbuch.web.__file__).parent / "migrations"


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

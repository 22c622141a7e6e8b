"""What a server needs to start, and what its thinking processes are given."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

import kursbuch
from kursbuch.bots import make
from kursbuch.core.errors import KursbuchError
from kursbuch.web import serve
from kursbuch.web.ai import jobs as bot_jobs
from kursbuch.web.db.database import Database
from tests.web.visitors import free_port


@pytest.mark.parametrize(
    ("database", "words"),
    [
        ("/nowhere/at/all/tables.sqlite3", "no folder"),
        ("/", "is a directory"),
        ("sqlite://", "must be a file"),
        ("sqlite:///:memory:", "must be a file"),
        ("mysql://localhost/x", "SQLite or PostgreSQL"),
        ("postgresql://127.0.0.1:1/x", "cannot be used"),
        ("://", "cannot be used"),
        ("postgresql://[::1", "cannot be used"),
        ("sqlite:///" + __file__, "cannot be used"),
    ],
)
def test_unusable_databases_get_one_sentence(database: str, words: str) -> None:
    with pytest.raises(KursbuchError, match=words) as caught:
        serve(port=free_port(), database=database)
    assert "\n" not in str(caught.value)


def test_other_reasons_not_to_start(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.sqlite3")
    before = dict(os.environ)
    with pytest.raises(KursbuchError, match="Redis"):
        serve(port=free_port(), database=database, workers=2)
    with pytest.raises(KursbuchError, match="worker"):
        serve(port=free_port(), database=database, workers=0)
    with pytest.raises(KursbuchError, match="Redis"):
        serve(port=free_port(), database=database, redis="nonsense")
    with pytest.raises(KursbuchError, match="does not answer"):
        serve(port=free_port(), database=database, redis="redis://127.0.0.1:1/0")
    with pytest.raises(KursbuchError, match="port"):
        serve(port=99999, database=database)
    with pytest.raises(KursbuchError, match="port"):
        serve(port=free_port(), host="256.1.1.1", database=database)
    # What was chosen for one server is not what the next one gets.
    assert dict(os.environ) == before


def test_a_job_is_only_what_the_seat_knows() -> None:
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=7, options={"money": "hidden"})
    seat = game.pending[0].seat
    sent = bot_jobs.make_job(game.view(seat), None, "random")
    money = sent.view().state.ledger.items["money"]
    assert str(1 - seat) not in money
    assert make("random", 1).choose(sent.view()).seat == seat


@pytest.mark.asyncio
async def test_a_database_that_is_starting_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker may be started again while PostgreSQL is."""

    class Starting(Exception):
        sqlstate = "57P03"

    class Away(Exception):
        sqlstate = "28000"

    database = Database(str(tmp_path / "tables.sqlite3"))
    answers: list[type[Exception]] = [Starting, Starting]
    bring = database._migrate

    async def answer() -> None:
        if answers:
            raise DBAPIError(None, None, answers.pop()("not yet"))
        await bring()

    monkeypatch.setattr(database, "_migrate", answer)
    await database.start()
    assert not answers
    assert await database.is_current()
    answers.append(Away)
    with pytest.raises(KursbuchError, match="cannot be used: not yet"):
        await database.start()
    await database.stop()

"""Rows with an owner go over to the account, or with it."""

from __future__ import annotations

from sqlalchemy import Column, Integer, MetaData, String, Table, insert, select
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine

from kursbuch.web.accounts import transfer

PLACES = MetaData()
LETTERS = Table(
    "letters",
    PLACES,
    Column("id", Integer, primary_key=True),
    Column("owner", String(40)),
)
CHOICES = Table(
    "choices",
    PLACES,
    Column("table_id", String(10), primary_key=True),
    Column("owner", String(40), primary_key=True),
    Column("value", String(10)),
)
NOTES = Table(
    "notes",
    PLACES,
    Column("table_id", String(10), primary_key=True),
    Column("owner", String(40), primary_key=True),
    Column("text", String(90), info={transfer.APPENDED: True}),
)
HOME = Table(
    "home", PLACES, Column("owner", String(40), primary_key=True), Column("value", String(9))
)


async def test_what_has_an_owner_goes_over_but_for_what_the_account_has() -> None:
    engine = create_async_engine("sqlite+aiosqlite://")
    tables = [LETTERS, CHOICES, HOME]
    async with engine.begin() as connection:
        await connection.run_sync(PLACES.create_all)
    async with AsyncSession(engine) as session:
        await session.execute(
            insert(LETTERS), [{"id": n, "owner": o} for n, o in enumerate(("b", "b", "a", "x"))]
        )
        rows = (("t1", "b", "new"), ("t1", "a", "own"), ("t2", "b", "new"), ("t2", "x", "other"))
        await session.execute(
            insert(CHOICES),
            [{"table_id": table, "owner": owner, "value": value} for table, owner, value in rows],
        )
        await session.execute(
            insert(HOME), [{"owner": "b", "value": "new"}, {"owner": "x", "value": "other"}]
        )
        await transfer.move_rows(session, tables, "b", "a")
        await transfer.move_rows(session, tables, "b", "a")
        letters = await session.scalars(select(LETTERS.c.owner).order_by(LETTERS.c.id))
        assert list(letters) == ["a", "a", "a", "x"]
        found = await transfer.export_rows(session, tables, "a")
        assert [row["value"] for row in found["choices"]] == ["own", "new"]
        assert [row["value"] for row in found["home"]] == ["new"]
        # What the account had of its own stays when another browser comes with the same.
        await session.execute(insert(HOME), [{"owner": "b", "value": "late"}])
        await transfer.move_rows(session, tables, "b", "a")
        assert (await transfer.export_rows(session, [HOME], "a"))["home"][0]["value"] == "new"
        await transfer.erase_rows(session, tables, "a")
        left = [row.owner for table in tables for row in await session.execute(select(table))]
        assert left == ["x"] * 3
    await engine.dispose()


async def test_of_what_was_written_down_both_are_kept() -> None:
    engine = create_async_engine("sqlite+aiosqlite://")
    async with engine.begin() as connection:
        await connection.run_sync(PLACES.create_all)
    written = {
        "t1": ("mine", "new", f"mine{transfer.SEPARATOR}new"),
        "t2": ("the same", "same", "the same"),
        "t3": ("part", "a part of it", "a part of it"),
    }
    async with AsyncSession(engine) as session:
        for table, (own, new, _) in written.items():
            await session.execute(
                insert(NOTES),
                [
                    {"table_id": table, "owner": "a", "text": own},
                    {"table_id": table, "owner": "b", "text": new},
                    {"table_id": table, "owner": "x", "text": "other"},
                ],
            )
        for _ in range(2):
            await transfer.move_rows(session, [NOTES], "b", "a")
        found = (await transfer.export_rows(session, [NOTES], "a"))["notes"]
        assert {row["table_id"]: row["text"] for row in found} == {
            table: both for table, (_, _, both) in written.items()
        }
        assert (await transfer.export_rows(session, [NOTES], "b"))["notes"] == []
    await engine.dispose()


def test_seats_are_not_among_them() -> None:
    names = {table.name for table in transfer.owned_tables()}
    assert "seat" not in names

"""What is sent again under the same key is carried out once."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

import kursbuch
from kursbuch.web.db.models import Answered, Chat, now
from kursbuch.web.http import idempotency
from kursbuch.web.tables.transaction import TableTransaction
from tests.web.visitors import HTML, Browser, Server, seated, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_move_sent_again_is_made_once(anna: Browser, bernd: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    api = "/api/tables" + table.removeprefix("/t")
    game = await anna.game(table)
    body = {**seen(game), "action": game["choices"][0]["action"]}
    first = await anna.client.post(f"{api}/move", json=body, headers={"Idempotency-Key": "one"})
    again = await anna.client.post(f"{api}/move", json=body, headers={"Idempotency-Key": "one"})
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json() == {"number": 1}
    # Without a key the second cannot tell what became of the first.
    assert (await anna.send(f"{api}/move", **body)).status_code == 409
    # Many at once, under a key in the body.
    game = await anna.game(table)
    body = {**seen(game), "action": game["choices"][0]["action"], "key": "two"}
    answers = await asyncio.gather(*(anna.send(f"{api}/move", **body) for _ in range(10)))
    assert [answer.json() for answer in answers] == [{"number": 2}] * 10
    assert (await anna.game(table))["number"] == 2
    # The answer stays the first one's when the game has gone on or was taken back.
    await anna.done(f"{table}/undo", key="back")
    await anna.done(f"{table}/undo", key="back")
    assert (await anna.game(table))["number"] == 1
    assert (await anna.send(f"{api}/move", **body)).json() == {"number": 2}
    assert (await anna.game(table))["number"] == 1
    # A key belongs to one request of one visitor.
    body = {**body, "number": 0}
    assert "another request" in await anna.refused(422, f"{api}/move", **body)
    assert "not yours" in await bernd.refused(403, f"{api}/move", **body)
    assert "at most 80" in await anna.refused(422, f"{api}/move", **{**body, "key": "x" * 81})


async def test_an_invitation_asked_for_again_is_the_one_that_was_made(anna: Browser) -> None:
    """Even if it was revoked before that."""
    table = await anna.open("me Anna", "open", "open")
    api = "/api/tables" + table.removeprefix("/t")
    for path in (f"{api}/invite", f"{table}/invite"):
        body = {"uses": 2, "key": f"invite {path}"}
        first = (await anna.done(path, **body)).json()
        assert (await anna.done(path, **body)).json() == first
        await anna.done(f"/invitations/{first['id']}/revoke")
        assert (await anna.done(path, **body)).json() == first
        # It stays revoked, and is revoked once.
        await anna.refused(404, f"/invitations/{first['id']}/revoke")
        await anna.refused(404, first["link"].removeprefix(anna.url))


async def test_what_was_refused_may_be_tried_again(anna: Browser) -> None:
    table = await anna.open("me Anna", "open")
    assert "every seat" in await anna.refused(409, f"{table}/start", key="start")
    await anna.done(f"{table}/leave", seat=0)
    await anna.done(f"{table}/join", seat=0, name="Anna", key="sit")
    await anna.done(f"{table}/join", seat=0, name="Anna", key="sit")
    assert [seat["name"] for seat in (await anna.game(table))["seats"]] == ["Anna", ""]
    assert "already taken" in await anna.refused(409, f"{table}/join", seat=0, name="Anna")
    await anna.done(f"{table}/join", seat=1, name="Berta", key="sit too")
    await anna.done(f"{table}/start", key="start")
    await anna.done(f"{table}/start", key="start")
    assert (await anna.game(table))["status"] == "running"


async def test_chat_and_tables_are_not_doubled(
    server: Server, visit: Callable[..., Browser]
) -> None:
    anna = visit()
    await anna.page("/")
    seats = {"seat0_kind": "me", "seat0_name": "Anna", "seat1_kind": "hotseat", "seat1_name": "B"}
    form = {"title": "rocket", "seats": "2", "pace": "0", "key": "table", **seats}
    opened = await asyncio.gather(
        *(anna.client.post("/tables", data=form, headers=HTML) for _ in range(3))
    )
    assert {answer.status_code for answer in opened} == {303}
    (table,) = {answer.headers["location"] for answer in opened}
    for _ in range(3):
        await anna.done(f"{table}/chat", text="Hello!", key="hello")
    await anna.done(f"{table}/chat", text="Hello!", key="hello again")
    await anna.move(table)
    copy = {"number": 1, "seats": ["me", "me"], "key": "copy"}
    api = "/api/tables" + table.removeprefix("/t")
    copies = [(await anna.done(f"{api}/copy", **copy)).json() for _ in range(2)]
    assert copies[0] == copies[1]
    links = [(await anna.done(f"{table}/hand-on", seat=0, key="link")).json() for _ in range(2)]
    assert links[0] == links[1]
    assert re.search(r"/seat/[\w-]{20,}$", links[0]["link"])
    database = server.app.state.tables.database
    async with database.reading() as session:
        said = select(func.count()).where(Chat.table_id == table.removeprefix("/t/"))
        assert await session.scalar(said) == 2
    assert len((await anna.client.get("/api/tables")).json()["mine"]) == 2


async def test_a_key_is_for_one_file(anna: Browser) -> None:
    await anna.page("/")
    one, other = (
        kursbuch.new("rocket", ["Anna", "Bernd"], seed).record().encode() for seed in (1, 2)
    )
    form = {"kind": "table", "seat0": "me", "seat1": "me", "number": "0", "key": "file"}

    async def opened(content: bytes) -> tuple[int, str]:
        files = {"file": ("game.txt", content)}
        answer = await anna.client.post("/open/table", data=form, files=files, headers=HTML)
        return answer.status_code, answer.headers.get("location", "")

    first = await opened(one)
    assert first[0] == 303
    assert await opened(one) == first
    assert (await opened(other))[0] == 422


async def test_whatever_is_done_at_a_table_is_done_once(anna: Browser, bernd: Browser) -> None:
    table = await anna.open("me Anna", "open", undo="ask", moderation="opener")
    api = "/api/tables" + table.removeprefix("/t")
    await seated(table, bernd)

    async def twice(path: str, /, **fields: object) -> None:
        for _ in range(2):
            await anna.done(path, **fields, key=path)

    wanted = {"seat": 0, "kind": "object", "always": False}
    await twice(f"{api}/ahead", **wanted)
    plans = (await anna.client.get(f"{api}/ahead?seat=0")).json()["plans"]
    assert len(plans) == 1
    await twice(f"{api}/ahead/withdraw", seat=0, row=plans[0]["row"])
    await twice(f"{table}/ahead", **wanted)
    plans = (await anna.client.get(f"{api}/ahead?seat=0")).json()["plans"]
    assert len(plans) == 1
    before = (await anna.game(table))["number"]
    money = {"kind": "money", "source": "bank", "target": "player 1", "count": "1000"}
    await twice(f"{table}/correct", **money)
    assert (await anna.game(table))["number"] == before + 1
    await twice(f"{table}/rewind", to=before)
    assert (await anna.game(table))["number"] == before
    await twice(f"{table}/moderators", moderation="players")
    await twice(f"{table}/rename", seat=0, name="Anne")
    await twice(f"{table}/never-ask", subject="line:GWR", on=True, seat=0)
    await twice(f"{table}/face", seat=0)
    # A key that was used for something else is refused there, too.
    for path in ("rewind", "moderators", "rename", "correct"):
        fields = {"seat": 0, "to": 0, "name": "x", "moderation": "none", "key": f"{table}/face"}
        assert "another request" in await anna.refused(
            422, f"{table}/{path}", **{**money, **wanted, **fields, "kind": "money"}
        )


async def test_what_was_carried_out_is_told_although_it_would_be_refused_now(
    anna: Browser, bernd: Browser
) -> None:
    """A link is used up, and moves that were copied are taken back, before the same is sent again."""
    table = await anna.open("me Anna", "hotseat Berta", undo="free")
    api = "/api/tables" + table.removeprefix("/t")
    await anna.move(table)
    copy = {**seen(await anna.game(table)), "seats": ["me", "me"], "key": "copy"}
    opened = (await anna.done(f"{api}/copy", **copy)).json()
    await anna.done(f"{table}/undo")
    assert (await anna.done(f"{api}/copy", **copy)).json() == opened
    await anna.refused(409, f"{api}/copy", **{**copy, "key": "another copy"})
    link = (await anna.done(f"{table}/hand-on", seat=1)).json()["link"]
    token = link.rpartition("/")[2]
    for _ in range(2):
        game = (await bernd.done(f"{api}/take-over", token=token, key="mine")).json()
        assert game["my_seats"] == [1]
    assert "no longer valid" in await anna.refused(404, f"{api}/take-over", token=token, key="mine")


async def test_a_correction_that_tells_a_secret_is_refused_each_time(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", title="nimm", moderation="players")
    sent = {"line": "money 90000 from player 2 to player 1", "key": "more than there is"}
    path = "/api/tables" + table.removeprefix("/t") + "/correct"
    for _ in range(2):
        await anna.refused(422, path, **sent)
    assert (await anna.game(table))["number"] == 0


async def test_a_table_is_opened_whole_or_not_at_all(
    server: Server, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that dies while it opens a table leaves nothing of it, and who asks again finds the game begun."""

    async def die(change: TableTransaction) -> None:
        raise OSError("killed")

    tables = server.app.state.tables
    seats = [{"kind": "me", "name": "Anna"}, {"kind": "hotseat", "name": "Bernd"}]
    table = {"title": "rocket", "seats": seats, "key": "open"}
    with monkeypatch.context() as dying:
        dying.setattr(tables, "keepers", [die])
        assert (await anna.send("/api/tables", **table)).status_code == 503
    assert not (await anna.client.get("/api/tables")).json()["mine"]
    url = (await anna.done("/api/tables", **table)).json()["url"]
    assert (await anna.game(url))["status"] == "running"


async def test_keys_are_forgotten(
    server: Server, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "_CLEARING", 1)
    table = await anna.open("me Anna", "hotseat Bernd")
    await anna.done(f"{table}/chat", text="Hello!", key="old")
    database = server.app.state.tables.database
    async with database.writing() as session:
        old = now() - idempotency.KEPT - timedelta(minutes=1)
        await session.execute(update(Answered).where(Answered.key == "old").values(made_at=old))
    await anna.done(f"{table}/chat", text="Hello!", key="new")
    async with database.reading() as session:
        assert await session.scalar(select(Answered).where(Answered.key == "old")) is None
        assert await session.scalar(select(Answered).where(Answered.key == "new")) is not None

"""A server with more to do than it can: who reads does not wait for who writes, and who cannot be served
is told so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from kursbuch.web.accounts import sessions
from kursbuch.web.http.fair_scheduler import FairScheduler
from kursbuch.web.http.security import HEADERS, PAGES
from tests.web.visitors import Browser, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_readers_and_health_do_not_wait_for_writers(
    visit: Callable[..., Browser], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bernd = visit(), visit()
    table = await anna.open("me Anna", "hotseat Bernd")
    database = server.app.state.tables.database
    monkeypatch.setattr(database, "_writers", FairScheduler(1, patience=0.3))
    async with database.writing():
        # More than there are connections, and all of them wait for the one that writes.
        writers = [asyncio.create_task(anna.send(f"{table}/chat", text=f"{n}")) for n in range(20)]
        while not database._writers.waiting:
            await asyncio.sleep(0.01)
        assert (await bernd.client.get("/ready")).text == "ready"
        assert (await bernd.game(table))["number"] == 0
        assert "Bernd" in await bernd.page(table)
        answers = await asyncio.gather(*writers)
        assert {answer.status_code for answer in answers} == {503}
        assert all(int(answer.headers["retry-after"]) > 0 for answer in answers)
        assert "busy" in answers[0].json()["error"]
    await anna.done(f"{table}/chat", text="again")
    assert ">again<" in await bernd.page(table)


async def test_writers_are_served_in_the_order_in_which_they_came(server: Server) -> None:
    database = server.app.state.tables.database
    done: list[int] = []

    async def write(number: int) -> None:
        async with database.writing():
            done.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*(write(number) for number in range(30)))
    assert done == list(range(30))


async def test_a_page_says_that_the_server_is_busy(
    anna: Browser, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.app.state.tables.database, "_readers", FairScheduler(0, longest=0))
    assert "very busy" in await anna.page("/", 503)
    assert (await anna.client.get("/ready")).text == "ready"


async def test_whoever_cannot_be_served_is_refused_before_anything_is_done(
    visit: Callable[..., Browser], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal costs next to nothing, no one is asked for, and who only looks is not refused for those who write."""
    anna, bernd = visit(), visit("de")
    table = await anna.open("me Anna", "hotseat Bernd")
    database = server.app.state.tables.database
    asked = []
    monkeypatch.setattr(sessions, "identify", lambda *given: asked.append(given))
    monkeypatch.setattr(database, "_writers", FairScheduler(0, longest=0))
    refused = await anna.send(f"{table}/chat", text="late")
    assert refused.status_code == 503
    assert int(refused.headers["retry-after"]) > 0
    assert "very busy" in refused.json()["error"]
    assert not asked
    monkeypatch.undo()
    monkeypatch.setattr(database, "_writers", FairScheduler(0, longest=0))
    assert "Bernd" in await anna.page(table)
    monkeypatch.setattr(database, "_readers", FairScheduler(0, longest=0))
    page = await bernd.client.get(table, headers={"accept": "text/html"})
    assert page.status_code == 503
    for name, value in HEADERS.items():
        assert page.headers[name] == value
    assert page.headers["content-security-policy"] == PAGES
    assert "Der Server" in page.text
    assert f'http-equiv="refresh" content="{page.headers["retry-after"]}"' in page.text
    assert (await bernd.client.head(table)).status_code == 503
    assert (await bernd.client.get("/health")).status_code == 200

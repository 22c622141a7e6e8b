"""Which requests are let in, and at whose cost. Orders are counted, not times."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from litestar.connection import ASGIConnection
from litestar.datastructures import State

from kursbuch.web.http import admission as module
from kursbuch.web.http.admission import (
    EACH,
    PLACES,
    SHARE,
    Admission,
    Client,
    aside,
    charged,
    in_thread,
    this_client,
    within_turn,
)
from kursbuch.web.http.errors import Unavailable
from kursbuch.web.http.security import COOKIE, SESSION_COOKIE, Person, Signer, Visitor

pytestmark = pytest.mark.asyncio

SIGNER = Signer(["key"])
APP = SimpleNamespace(state=State({"signer": SIGNER}))


def scope(
    path: str = "/",
    address: str = "203.0.113.9",
    browser: str = "",
    session: str = "",
    method: str = "GET",
) -> Any:
    cookies = [f"{COOKIE}={SIGNER.write(browser)}"] if browser else []
    cookies += [f"{SESSION_COOKIE}={session}"] if session else []
    return {
        "type": "http",
        "method": method,
        "path": path,
        "scheme": "http",
        "headers": [(b"cookie", "; ".join(cookies).encode())],
        "client": (address, 1),
        "state": {},
        "litestar_app": APP,
    }


def open_admission() -> Admission:
    return Admission(lambda owner, writes: False)


class Requests:
    """Requests that are let in, or wait; each stays until it is told to go."""

    def __init__(self) -> None:
        self.admission = open_admission()
        self.inside: list[str] = []
        self._going: dict[str, asyncio.Event] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def come(self, name: str, **asked: Any) -> None:
        self._going[name] = asyncio.Event()
        self._tasks.append(asyncio.create_task(self._stay(name, scope(**asked))))
        await settle()

    async def _stay(self, name: str, asked: dict[str, Any]) -> None:
        async with self.admission.turn(asked) as turn:
            turn.spend(0.0)
            self.inside.append(name)
            await self._going[name].wait()
        self.inside.remove(name)

    async def go(self, *names: str) -> None:
        for name in names:
            self._going[name].set()
        await settle()

    async def all_go(self) -> None:
        await self.go(*self._going)
        await asyncio.gather(*self._tasks)


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_client_is_an_account_or_else_an_address() -> None:
    admission = open_admission()

    def client(**asked: Any) -> Client:
        return admission.client(ASGIConnection(scope(**asked)))

    assert client() == Client("203.0.113.9", "")
    assert client(browser="anna") == Client("203.0.113.9", "anna")
    assert client(address="127.0.0.1", browser="anna") == Client("anna", "anna")
    # The account is known once a request has shown it; a forged session never is.
    asked = scope(browser="anna", session="hers")
    async with admission.turn(asked):
        assert this_client() == Client("203.0.113.9", "anna")
        person = Person("account-1", "Anna")
        asked["state"]["visitor"] = Visitor(person.id, is_new=False, account=person)
    assert this_client() == Client("", "")
    assert client(browser="other", session="hers") == Client("account-1", "account-1")
    assert client(browser="anna", session="forged") == Client("203.0.113.9", "anna")


async def test_pages_of_a_client_leave_room_for_its_moves_and_for_others() -> None:
    requests = Requests()
    for number in range(EACH + 3):
        await requests.come(f"page {number}")
    flood = [f"page {number}" for number in range(EACH)]
    assert requests.inside == flood
    await requests.come("move", path="/t/a/move", method="POST")
    await requests.come("events", path="/t/a/events")
    await requests.come("health", path="/health")
    await requests.come("other", address="203.0.113.10")
    assert requests.inside == [*flood, "move", "events", "health", "other"]
    await requests.all_go()


async def test_pages_of_many_clients_leave_room_for_moves_and_health() -> None:
    requests = Requests()
    for number in range(2 * PLACES):
        await requests.come(f"page {number}", address=f"203.0.113.{number}")
        await requests.come(f"ready {number}", address=f"203.0.113.{number}", path="/ready")
    count = len(requests.inside)
    await requests.come("move", path="/t/a/move", method="POST")
    await requests.come("health", path="/health")
    assert requests.inside[count:] == ["move", "health"]
    await requests.all_go()


async def test_a_client_over_its_share_waits_until_no_one_else_is_served() -> None:
    requests = Requests()
    async with requests.admission.turn(scope()) as turn:
        turn.spend(SHARE.most + 1)
    await requests.come("other", address="203.0.113.10")
    await requests.come("greedy 1")
    await requests.come("greedy 2")
    await requests.come("move", path="/t/a/move", method="POST")
    assert requests.inside == ["other", "move"]
    await requests.go("other", "move")
    assert requests.inside == ["greedy 1"]
    await requests.come("late", address="203.0.113.10")
    assert requests.inside == ["greedy 1", "late"]
    await requests.all_go()


async def test_quick_requests_of_a_client_are_not_all_answered_before_another() -> None:
    admission, answered = open_admission(), list[str]()

    async def ask(name: str, address: str) -> None:
        async with admission.turn(scope("/health", address)):
            answered.append(name)

    flood = [asyncio.create_task(ask("flood", "203.0.113.9")) for _ in range(100)]
    await asyncio.gather(ask("other", "203.0.113.10"), *flood)
    assert answered.index("other") < 5


async def test_what_the_database_would_refuse_is_refused_at_once() -> None:
    admission = Admission(lambda owner, writes: writes)
    with pytest.raises(Unavailable, match="busy"):
        async with admission.turn(scope("/t/a/chat", method="POST")):
            pass
    for path in ("/t/a", "/static/main.js", "/health"):
        async with admission.turn(scope(path)):
            pass


async def test_too_many_are_refused_beginning_with_the_client_that_has_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "LONGEST", 4)
    requests = Requests()
    for number in range(EACH + 4):
        await requests.come(f"page {number}")
    for number in range(EACH + 1):
        await requests.come(f"other {number}", address="203.0.113.10")
    with pytest.raises(Unavailable, match="busy"):
        async with requests.admission.turn(scope()):
            pass
    await requests.go("other 0")
    assert f"other {EACH}" in requests.inside
    with pytest.raises(Unavailable, match="busy"):
        await requests.all_go()  # the last page had to leave the queue


async def test_the_place_is_left_for_another_process_but_not_by_another_task() -> None:
    requests = Requests()
    places = asyncio.Event()

    async def answer() -> None:
        async with requests.admission.turn(scope()):
            beside = asyncio.create_task(aside(places.wait()))
            await settle()
            for number in range(EACH):
                await requests.come(f"page {number}")
            assert len(requests.inside) == EACH - 1
            waiting = asyncio.create_task(unlock())
            await aside(places.wait())
            assert len(requests.inside) == EACH
            await asyncio.gather(beside, waiting)

    async def unlock() -> None:
        await settle()
        places.set()

    await answer()
    await requests.all_go()


async def test_the_place_is_left_while_the_body_is_awaited() -> None:
    requests, sent = Requests(), asyncio.Event()

    async def receive() -> Any:
        await sent.wait()
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        pass

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        requests.inside.append("body")

    async def answer() -> None:
        async with requests.admission.turn(asked) as turn:
            await within_turn(turn, app, asked, receive, send)

    asked = scope("/t/a/chat", method="POST")
    tasks = [asyncio.create_task(answer()) for _ in range(EACH)]
    await settle()
    for number in range(EACH):
        await requests.come(f"page {number}")
    assert len(requests.inside) == EACH
    sent.set()
    await settle()
    assert "body" not in requests.inside  # it waits for a place again
    await requests.go("page 0")
    await asyncio.gather(*tasks)
    assert requests.inside.count("body") == EACH
    await requests.all_go()


async def test_a_request_pays_for_what_it_begins() -> None:
    admission = open_admission()

    def work() -> int:
        return sum(range(2_000_000))

    async def later() -> int:
        await asyncio.sleep(0)
        return work()

    async with admission.turn(scope()) as turn:
        turn.spend(0.0)
        assert await in_thread(work) == work()
        spent = turn.spent
        assert spent
        task = asyncio.create_task(charged(later()))
    await task  # after its end, too
    assert turn.spent is not None
    assert turn.spent > spent

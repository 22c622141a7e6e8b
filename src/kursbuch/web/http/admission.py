"""Admission of requests: each client has a share of the processor."""

from __future__ import annotations

import asyncio
import hashlib
import time
import types
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from typing import Any, NamedTuple, ParamSpec, TypeVar

from litestar.connection import ASGIConnection

from kursbuch.web.cache import LruCache
from kursbuch.web.http.errors import Unavailable, overloaded
from kursbuch.web.http.fair_scheduler import FairScheduler, Share, Turn
from kursbuch.web.http.rate_limits import address_of_visitor
from kursbuch.web.http.security import (
    SESSION_COOKIE,
    AnyConnection,
    Visitor,
    browser_of,
    cookie_of,
)
from kursbuch.web.ops.metrics import REQUESTS_SHED, REQUESTS_WAITING, request_kind

ArgsT = ParamSpec("ArgsT")
ResultT = TypeVar("ResultT")
AnyApp = Callable[[Any, Any, Any], Coroutine[Any, Any, None]]

#: Requests that are worked on at the same time; of these, places that only moves and what shows them may have;
#: and places of one client.
PLACES, SPARE, EACH = 12, 4, 2

#: Share of a processor that a client may use before others come first, and its seconds in store.
SHARE = Share(rate=0.1, most=0.3)

#: Requests for the health of the server that are answered at the same time; one place is for `/health`.
HEALTH_PLACES = 4

#: Time a request waits at most, in seconds, and number of waiting requests.
PATIENCE, LONGEST = 10.0, 1000

#: Expected cost of a request, in seconds.
COST = 0.005

#: Kinds of requests with places, and a share of each client, of their own.
URGENT = ("move", "events", "live")

#: Methods that change nothing.
_LOOKING = ("GET", "OPTIONS")

#: Kinds of requests that do not need the database.
UNREAD = ("static", "health")

#: Number of sessions and tokens whose accounts are known.
MOST_KNOWN = 10_000


class Client(NamedTuple):
    """The client of a request: its `owner` has a share, which several browsers with a `name` may use in turn."""

    owner: str
    name: str


_TURN: ContextVar[Turn | None] = ContextVar("turn", default=None)


class Admission:
    """Lets requests in by turns. What the database would refuse is refused at once: `is_full` is told the client
    and whether the request may write."""

    def __init__(self, is_full: Callable[[str, bool], bool]) -> None:
        self._is_full = is_full
        self._turns = FairScheduler(
            PLACES, SHARE, each=EACH, spare=SPARE, patience=PATIENCE, longest=LONGEST
        )
        self._health_turns = FairScheduler(
            HEALTH_PLACES, each=1, spare=1, patience=PATIENCE, longest=LONGEST
        )
        #: Accounts by the hash of a session or token, which asking the database would cost too much.
        self._accounts = LruCache[bytes, str](MOST_KNOWN)

    def client(self, connection: AnyConnection) -> Client:
        """Return the client of a request: an account, else an address with its browsers. On the server's own
        machine each browser is a client."""
        account = self._accounts.get(_proof(connection))
        if account is not None:
            return Client(account, account)
        browser = browser_of(connection)
        name = "" if browser.is_new else browser.id
        return Client(address_of_visitor(connection) or name, name)

    def turn(self, scope: Any) -> AdmittedRequest:
        """A turn for a request; refused if it does not come."""
        connection: AnyConnection = ASGIConnection(scope)
        owner, name = self.client(connection)
        method, path = scope["method"], scope["path"]
        kind = request_kind(method, path)
        turns, urgent = self._turns, kind in URGENT
        if kind == "health":
            turns, urgent, owner = self._health_turns, path == "/health", f"{owner} {path}"
        elif urgent:
            owner = f"{owner} at tables"
        is_full = kind not in UNREAD and self._is_full(owner, method not in _LOOKING)
        waiting = turns.turn(owner, name, COST, lambda: urgent)
        return AdmittedRequest(self, connection, waiting, is_full)

    def learn(self, connection: AnyConnection) -> None:
        """Remember whose session or token a request has shown."""
        visitor = connection.scope["state"].get("visitor")
        proof = _proof(connection)
        if proof and isinstance(visitor, Visitor) and visitor.account is not None:
            self._accounts.put(proof, visitor.id)


class AdmittedRequest:
    """A request with its turn: a context that is entered when the turn comes."""

    __slots__ = ("_admission", "_connection", "_is_refused", "_mark", "_turn")

    def __init__(
        self, admission: Admission, connection: AnyConnection, turn: Turn, is_refused: bool
    ) -> None:
        self._admission = admission
        self._connection = connection
        self._turn = turn
        self._is_refused = is_refused

    async def __aenter__(self) -> Turn:
        """Wait for the turn."""
        with REQUESTS_WAITING.track_inprogress():
            try:
                if self._is_refused:
                    raise overloaded()
                turn = await self._turn.begin()
            except Unavailable:
                REQUESTS_SHED.inc()
                raise
        try:
            # Otherwise the quick requests of a client would all be answered before anything else is done.
            await asyncio.sleep(0)
        except BaseException:
            turn.end()
            raise
        self._mark = _TURN.set(turn)
        return turn

    async def __aexit__(self, *error: object) -> None:
        _TURN.reset(self._mark)
        self._admission.learn(self._connection)
        self._turn.end()


def _proof(connection: AnyConnection) -> bytes:
    """Return the hash of the token and session of a request, empty if there is neither."""
    given = connection.headers.get("authorization", ""), cookie_of(connection, SESSION_COOKIE)
    return hashlib.sha256("\n".join(given).encode()).digest() if any(given) else b""


async def within_turn(turn: Turn, app: AnyApp, scope: Any, receive: Any, send: Any) -> None:
    """Answer a request. Its turn ends when the response starts, and is left while the body is awaited."""

    async def receiving() -> Any:
        return await aside(receive(), rejoin=True)

    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            turn.end()
        await send(message)

    turn.spend(0.0)  # from here on the processor time is the cost
    await charged(app(scope, receiving, sending))


@types.coroutine
def _stepwise(
    work: Coroutine[Any, Any, ResultT], after: Callable[[float, bool], None]
) -> Generator[Any, Any, ResultT]:
    """Do some work in steps between which other tasks run. After each, `after` is told its processor time and
    whether it was the last."""
    value, error = None, None
    while True:
        has_ended = True
        began = time.thread_time()
        try:
            awaited = work.send(value) if error is None else work.throw(error)
            has_ended = False
        except StopIteration as last:
            found: ResultT = last.value
            return found
        finally:
            after(time.thread_time() - began, has_ended)
        try:
            value, error = (yield awaited), None
        except BaseException as raised:
            value, error = None, raised


def this_client() -> Client:
    """Return the client whose request is being answered, or has begun this task. The server's own work has none."""
    turn = _TURN.get()
    return Client("", "") if turn is None else Client(*turn.key)


async def aside(work: Coroutine[Any, Any, ResultT], *, rejoin: bool = False) -> ResultT:
    """Await something else, such as another process, and let other requests have the place meanwhile. With
    `rejoin` the request then waits for a place again. In a task that the request has begun this leaves nothing."""
    turn = _TURN.get()
    if turn is None:
        return await work
    left = False

    def leave(seconds: float, has_ended: bool) -> None:
        nonlocal left
        left = left or (not has_ended and turn.leave())

    try:
        found = await _stepwise(work, leave)
    except BaseException:
        if left:
            turn.resume()
        raise
    if left and rejoin:
        await turn.rejoin()
    elif left:
        turn.resume()
    return found


async def charged(work: Coroutine[Any, Any, ResultT]) -> ResultT:
    """Do some work in another task, at the cost of the request that has begun it."""
    turn = _TURN.get()
    if turn is None:
        return await work
    spend = turn.spend
    return await _stepwise(work, lambda seconds, has_ended: spend(seconds))


async def in_thread(
    work: Callable[ArgsT, ResultT], *args: ArgsT.args, **kwargs: ArgsT.kwargs
) -> ResultT:
    """Do some work in a thread, at the cost of the request that needs it."""
    spent = 0.0

    def timed() -> ResultT:
        nonlocal spent
        began = time.thread_time()
        try:
            return work(*args, **kwargs)
        finally:
            spent = time.thread_time() - began

    turn = _TURN.get()
    try:
        return await asyncio.to_thread(timed)
    finally:
        if turn is not None:
            turn.spend(spent)

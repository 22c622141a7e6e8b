"""Sessions of browsers, API tokens, and the cookie of known browsers."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

import msgspec
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler
from sqlalchemy import Row, Update, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import N_
from kursbuch.web.accounts.credentials import hashed, new_token
from kursbuch.web.accounts.models import Account, ApiToken, Session
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import now
from kursbuch.web.http.errors import Forbidden, Unauthorized, Unavailable
from kursbuch.web.http.overload import UNASKED
from kursbuch.web.http.rate_limits import rate_limit_guard
from kursbuch.web.http.security import (
    DEVICE_COOKIE,
    SESSION_COOKIE,
    ZONE_COOKIE,
    AnyConnection,
    Person,
    Signer,
    Visitor,
    check_origin,
    cookie_of,
    forget,
    keep,
)
from kursbuch.web.notifications import preferences as notification_preferences
from kursbuch.web.notifications.models import PushDevice
from kursbuch.web.tables.store import TableStore

#: Maximum number of accounts remembered by one browser.
MAX_REMEMBERED = 5
_DEVICE_PURPOSE = "kursbuch device"


class Device(msgspec.Struct, frozen=True, array_like=True):
    """A browser: its number, and marks of the accounts that logged in there, the latest last."""

    number: str = ""
    marks: tuple[str, ...] = ()

    def knows(self, account: Account | None) -> bool:
        """Return whether the account logged in here with its current password."""
        return account is not None and _device_mark(account) in self.marks


def device_of(connection: AnyConnection) -> Device:
    """Return the browser of a request."""
    signer: Signer = connection.app.state.signer
    try:
        return msgspec.convert(
            signer.unseal(cookie_of(connection, DEVICE_COOKIE), _DEVICE_PURPOSE), Device
        )
    except msgspec.ValidationError:
        return Device()


def remember(connection: AnyConnection, account: Account) -> None:
    """Remember in a cookie that an account is logged in with this browser."""
    device, mark = device_of(connection), _device_mark(account)
    marks = [one for one in device.marks if one != mark][1 - MAX_REMEMBERED :]
    known = Device(device.number or secrets.token_urlsafe(12), (*marks, mark))
    signer: Signer = connection.app.state.signer
    keep(connection, DEVICE_COOKIE, signer.seal(msgspec.to_builtins(known), _DEVICE_PURPOSE))


def _device_mark(account: Account) -> str:
    return hashed(f"{account.id}\0{account.password or ''}")[:24]


#: Idle time after which a session ends.
SESSION_LIFETIME = timedelta(days=90)

#: How often the use of a session or token is noted, and the cookie renewed.
TOUCH_INTERVAL = timedelta(hours=12)

#: Paths at which a token identifies the caller, and paths that are the same for everyone.
TOKEN_PATHS = ("/api/", "/t/")
PUBLIC_PATHS = (*UNASKED, "/schema/", "/rules", "/learn", "/aid", "/legend")
_PERSON_COLUMNS = (
    Account.id,
    Account.name,
    Account.email,
    Account.language,
    Account.settings,
    Account.admin,
)


async def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Identify the visitor; refuse cross-site requests, unknown host names and excess requests."""
    if connection.scope["path"].startswith(UNASKED):
        return
    try:
        if not await identify(connection, connection.app.state.tables):
            check_origin(connection)
    finally:
        # Refused requests count as well.
        await rate_limit_guard(connection, handler)


async def identify(connection: AnyConnection, tables: TableStore) -> bool:
    """Identify the visitor of a request; return whether a program with a token asks.

    No page of another site can make a browser send a token. A token is for playing, so it is valid
    at tables and in the JSON API only; public paths ignore it."""
    state = connection.scope["state"]
    state["identified"] = True
    given = connection.headers.get("authorization", "")
    kind, _, token = given.partition(" ")
    if kind.lower() == "bearer":
        path = connection.scope["path"]
        if not path.startswith(TOKEN_PATHS):
            if connection.scope.get("method") in ("GET", "HEAD") and path.startswith(PUBLIC_PATHS):
                return False
            state["visitor"] = Visitor("", is_new=False)
            raise Forbidden(N_("This can only be done in a browser, not with a token."))
        person = await _of_token(tables, token.strip())
        if person is None:
            state["visitor"] = Visitor("", is_new=False)
            raise Unauthorized(N_("This token is not valid: create one on your account page."))
        state["visitor"] = Visitor(person.id, is_new=False, account=person)
        return True
    token = cookie_of(connection, SESSION_COOKIE)
    if token:
        person = await _of_session(connection, tables, token)
        if person is not None:
            state["visitor"] = Visitor(person.id, is_new=False, account=person)
        else:
            forget(connection, SESSION_COOKIE)
    return False


async def identify_again(connection: AnyConnection, tables: TableStore) -> None:
    """Identify the visitor again during a long request: they may have logged out since."""
    state = connection.scope["state"]
    for known in ("visitor", "identified", "cookies"):
        state.pop(known, None)
    await identify(connection, tables)


async def _of_token(tables: TableStore, token: str) -> Person | None:
    query = (
        select(*_PERSON_COLUMNS, ApiToken.id.label("number"), ApiToken.used_at)
        .join(ApiToken, ApiToken.account_id == Account.id)
        .where(ApiToken.hash == hashed(token), Account.closed_at.is_(None))
    )
    async with tables.refusing():
        rows = await tables.database.glance(query)
    if not rows:
        return None
    row = rows[0]
    if row.used_at is None or row.used_at < now() - TOUCH_INTERVAL:
        used = update(ApiToken).where(ApiToken.id == row.number).values(used_at=now())
        await _touch(tables.database, used)
    return _person(row, None)


async def _of_session(connection: AnyConnection, tables: TableStore, token: str) -> Person | None:
    query = (
        select(*_PERSON_COLUMNS, Session.id.label("number"), Session.seen_at)
        .join(Session, Session.account_id == Account.id)
        .where(
            Session.hash == hashed(token),
            Session.seen_at > now() - SESSION_LIFETIME,
            Account.closed_at.is_(None),
        )
    )
    async with tables.refusing():
        rows = await tables.database.glance(query)
    if not rows:
        return None
    row = rows[0]
    if row.seen_at < now() - TOUCH_INTERVAL:
        seen = update(Session).where(Session.id == row.number).values(seen_at=now())
        await _touch(tables.database, seen, row.id, cookie_of(connection, ZONE_COOKIE))
        keep(connection, SESSION_COOKIE, token)
    return _person(row, row.number)


async def _touch(database: Database, change: Update, account: str = "", zone: str = "") -> None:
    """Note a use and the time zone; skip it while the database cannot be written to."""
    try:
        async with database.writing() as session:
            await session.execute(change)
            await notification_preferences.learn_zone(session, account, zone)
    except Unavailable:
        pass  # that is in the log already


async def begin(connection: AnyConnection, session: AsyncSession, account: Account) -> None:
    """Log a browser in, within a transaction.

    It gets a new token, and its former session ends; push notifications of the same account go on."""
    token = new_token()
    row = Session(
        hash=hashed(token),
        account_id=account.id,
        device=device_name(connection.headers.get("user-agent", "")),
        created_at=now(),
        seen_at=now(),
    )
    session.add(row)
    await session.flush()
    before = cookie_of(connection, SESSION_COOKIE)
    ended = Session.seen_at <= now() - SESSION_LIFETIME
    if before:
        of_before = Session.hash == hashed(before)
        mine = PushDevice.session_id.in_(select(Session.id).where(of_before))
        same = mine & (PushDevice.owner == account.id)
        await session.execute(update(PushDevice).where(same).values(session_id=row.id))
        ended |= of_before
    await session.execute(delete(Session).where(ended))
    keep(connection, SESSION_COOKIE, token)
    remember(connection, account)
    connection.scope["state"]["visitor"] = Visitor(
        account.id, is_new=False, account=_person(account, row.id)
    )


def _person(row: Row[Any] | Account, session: int | None) -> Person:
    """Return what a request knows of an account."""
    return Person(row.id, row.name, row.email, row.language, row.settings, row.admin, session)


async def end(
    session: AsyncSession, account: str, *, only: int | None = None, besides: int | None = None
) -> None:
    """End sessions of an account: all, only one, or all but one. Their browsers are no longer
    notified."""
    ended = delete(Session).where(Session.account_id == account)
    if only is not None:
        ended = ended.where(Session.id == only)
    if besides is not None:
        ended = ended.where(Session.id != besides)
    await session.execute(ended)
    if only is None:  # browsers registered before sessions were stored with them
        unknown = (PushDevice.owner == account) & PushDevice.session_id.is_(None)
        await session.execute(delete(PushDevice).where(unknown))


async def sessions_of(session: AsyncSession, account: str) -> list[Session]:
    """Return the sessions of an account, the last used first."""
    query = select(Session).where(Session.account_id == account)
    query = query.where(Session.seen_at > now() - SESSION_LIFETIME)
    return list(await session.scalars(query.order_by(Session.seen_at.desc(), Session.id)))


def device_name(agent: str) -> str:
    """Return the name of a browser from its user agent.

    >>> device_name("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    >>> device_name("python-httpx/0.28.1")
    'python-httpx/0.28.1'
    """
    programs = [name for sign, name in _PROGRAMS if sign in agent][:1]
    systems = [name for sign, name in _SYSTEMS if sign in agent][:1]
    said = ", ".join(programs + systems) or "".join(filter(str.isprintable, agent))
    return said[:80]


_PROGRAMS = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)

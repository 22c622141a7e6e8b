"""One-time codes and invitations."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import CursorResult, Delete, delete, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import N_
from kursbuch.web.accounts.credentials import hashed, new_token
from kursbuch.web.accounts.models import Account, Invitation, OneTimeToken
from kursbuch.web.db.models import now
from kursbuch.web.http.errors import Conflict, Forbidden

CONFIRM, LOGIN, RESET = "confirm", "login", "reset"

#: How long a code can be used.
LASTING = {CONFIRM: timedelta(days=3), LOGIN: timedelta(minutes=20), RESET: timedelta(hours=1)}

#: So many invitations of one account may be open.
MOST_INVITATIONS = 10


async def make(
    session: AsyncSession, kind: str, account: str | None, email: str = "", browser: str = ""
) -> str:
    """A code for an account; one for nobody fits nothing."""
    await session.execute(delete(OneTimeToken).where(OneTimeToken.expires_at <= now()))
    token = new_token()
    session.add(
        OneTimeToken(
            hash=hashed(token),
            kind=kind,
            account_id=account,
            email=email,
            browser=hashed(browser),
            expires_at=now() + LASTING[kind],
        )
    )
    await session.flush()
    return token


async def find(session: AsyncSession, kind: str, token: str) -> OneTimeToken:
    """What a code is for, refused if it is not valid any more."""
    row = await session.get(OneTimeToken, hashed(token.strip()))
    if row is None or row.kind != kind or row.account_id is None or row.expires_at <= now():
        raise Forbidden(N_("This code is not valid any more: ask for a new one."))
    return row


async def use(session: AsyncSession, kind: str, token: str) -> OneTimeToken:
    """What a code is for; with this it is used up. Of two who use it at the same time one is refused."""
    row = await find(session, kind, token)
    if not await _removed(session, delete(OneTimeToken).where(OneTimeToken.hash == row.hash)):
        raise Forbidden(N_("This code is not valid any more: ask for a new one."))
    return row


async def forget(session: AsyncSession, account: str, *kinds: str) -> None:
    """Codes of an account that are not used yet are valid no more."""
    await session.execute(
        delete(OneTimeToken).where(OneTimeToken.account_id == account, OneTimeToken.kind.in_(kinds))
    )


async def invite(session: AsyncSession, creator: str | None, note: str = "") -> str:
    """An invitation with which one person can register."""
    if creator is not None:
        query = select(func.count()).select_from(Invitation)
        count = await session.scalar(query.where(Invitation.creator == creator))
        if (count or 0) >= MOST_INVITATIONS:
            raise Conflict(
                N_("{most} of your invitations are open: take one back first."),
                most=MOST_INVITATIONS,
            )
    token = new_token()
    session.add(Invitation(hash=hashed(token), creator=creator, note=note[:40], created_at=now()))
    await session.flush()
    return token


async def accept(session: AsyncSession, token: str) -> None:
    """Use an invitation up, unless whoever made it is shut out, who would come back with it."""
    shut_out = exists().where(Account.id == Invitation.creator, Account.closed_at.is_not(None))
    used = delete(Invitation).where(Invitation.hash == hashed(token.strip()))
    if not await _removed(session, used.where(~shut_out)):
        raise Forbidden(N_("This invitation is not valid: ask for a new one."))


async def _removed(session: AsyncSession, rows: Delete) -> bool:
    found = await session.execute(rows.execution_options(synchronize_session=False))
    assert isinstance(found, CursorResult)
    return bool(found.rowcount == 1)

"""Accounts: register, log in, change, delete."""

from __future__ import annotations

import re
from typing import TypeAlias

import msgspec
from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_, Words
from kursbuch.web.accounts import (
    attempts,
    belongings,
    codes,
    credentials,
    mails,
    sessions,
    transfer,
)
from kursbuch.web.accounts.codes import CONFIRM, LOGIN, RESET
from kursbuch.web.accounts.credentials import API, hashed, new_account_id, new_token
from kursbuch.web.accounts.devices import Device
from kursbuch.web.accounts.models import Account, ApiToken, Invitation, OneTimeToken, Session
from kursbuch.web.accounts.names import checked_name, name_key, skeleton
from kursbuch.web.db.models import Answered, Predecessor, Seat, TableInvitation, now
from kursbuch.web.http.errors import Conflict, Forbidden, Refused, Unauthorized
from kursbuch.web.notifications import preferences as notification_preferences
from kursbuch.web.notifications.models import Message, PausedAddress, PushDevice, Webhook
from kursbuch.web.notifications.outbox import send
from kursbuch.web.tables.store import TableStore

#: How accounts come to be on a server: by anybody, by invitation, by an administrator; or there are none.
OPEN, INVITATION, CLOSED, OFF = "open", "invitation", "closed", "off"
REGISTRATIONS = (OPEN, INVITATION, CLOSED, OFF)


def registration(given: str) -> str:
    """How accounts come to be, by its name; by anybody if nothing was given."""
    if given not in ("", *REGISTRATIONS):
        raise KursbuchError(
            "Accounts can be {names}, not {given}.",
            names=", ".join(REGISTRATIONS),
            given=repr(given[:20]),
        )
    return given or OPEN


#: So many tokens an account may have.
MOST_TOKENS = 20
_EMAIL = re.compile(r"[^@\s<>(),;:\"\\\[\]]{1,64}@[a-z0-9.-]{1,185}", re.IGNORECASE)

#: Attempts, by their limits and what they are counted by.
Counted: TypeAlias = list[tuple[attempts.Limit, tuple[str, ...]]]


class MailContext(msgspec.Struct, frozen=True):
    """How an account is written to: the language, the address of the server for links, and the browser
    that asks."""

    words: Words
    base: str
    browser: str = ""


class NewAccount(msgspec.Struct, frozen=True):
    """What somebody registers with."""

    name: str
    password: str = ""
    email: str = ""
    invitation: str = ""


def checked_email(given: str) -> str:
    """A mail address as it is kept."""
    email = given.strip().lower()
    if len(email) > 250 or not _EMAIL.fullmatch(email):
        raise Refused(N_("That is not the address of a mailbox."))
    return email


async def named(session: AsyncSession, name: str) -> Account | None:
    """The account with that name."""
    return await session.scalar(select(Account).where(Account.name_key == name_key(name)))


async def found(session: AsyncSession, given: str) -> Account | None:
    """The account with that name or confirmed address."""
    given = given.strip()
    if "@" in given:
        return await session.scalar(select(Account).where(Account.email == given.lower()[:254]))
    return await named(session, given)


async def own(session: AsyncSession, account: str) -> Account:
    """The account of somebody who is logged in, locked until the change is stored."""
    row = await session.get(Account, account, with_for_update=True)
    if row is None:
        raise Unauthorized(N_("Log in first."))
    return row


async def create(
    session: AsyncSession, name: str, password: str | None, admin: bool = False
) -> Account:
    """A new account. `password` is its hash."""
    name, key = checked_name(name)
    await _require_free(session, name)
    account = Account(
        id=new_account_id(),
        name=name,
        name_key=key,
        skeleton=skeleton(name),
        email=None,
        password=password,
        language="",
        settings=None,
        admin=admin,
        closed_at=None,
        created_at=now(),
    )
    session.add(account)
    await session.flush()
    return account


async def prepared(new: NewAccount, registration: str, mails: bool) -> str | None:
    """The hash of the password of somebody who registers, refused if what was given will not do. Before the
    transaction, because it takes its time."""
    if registration not in (OPEN, INVITATION):
        raise Forbidden(N_("Nobody can register here: ask whoever runs the server for an account."))
    checked_name(new.name)
    if mails:
        checked_email(new.email)
    if not new.password and mails:
        return None
    return await credentials.hash_password(
        credentials.check_password(new.password, new.name, new.email)
    )


async def register(
    session: AsyncSession,
    new: NewAccount,
    password: str | None,
    registration: str,
    to: MailContext | None,
) -> Account:
    """A new account, for somebody who has not got one. `to` is None where no mails are sent."""
    if registration == INVITATION:
        await codes.accept(session, new.invitation)
    account = await create(session, new.name, password)
    if to is not None:
        await ask_address(session, account, checked_email(new.email), to)
    return account


async def ask_address(session: AsyncSession, account: Account, email: str, to: MailContext) -> None:
    """Send a letter to an address, that it may become that of the account."""
    await codes.forget(session, account.id, CONFIRM)
    owner = await session.scalar(select(Account).where(Account.email == email))
    other = owner is not None and owner.id != account.id
    token = await codes.make(session, CONFIRM, None if other else account.id, email, to.browser)
    if owner is not None and other:
        letter = mails.taken(to.words, to.base, email, owner.name, token, owner.id)
    else:
        letter = mails.with_code(to.words, to.base, CONFIRM, email, account.name, token, account.id)
    await send(session, letter)


async def came_back(session: AsyncSession, account: str) -> PausedAddress | None:
    """The address that is to become that of the account, if what was sent there came back."""
    asked = select(OneTimeToken.email).where(
        OneTimeToken.kind == CONFIRM, OneTimeToken.account_id == account
    )
    return await session.scalar(select(PausedAddress).where(PausedAddress.address.in_(asked)))


async def confirm(session: AsyncSession, token: str, to: MailContext) -> Account:
    """Take the address that a letter went to as that of the account."""
    row = await codes.use(session, CONFIRM, token)
    account = await own(session, str(row.account_id))
    query = select(Account.id).where(Account.email == row.email, Account.id != account.id)
    if await session.scalar(query) is not None:
        raise Conflict(N_("This address belongs to another account meanwhile."))
    before, account.email = account.email, row.email
    await session.flush()
    # The mail has arrived, and its reader wants to be written to.
    await session.execute(delete(PausedAddress).where(PausedAddress.address == row.email))
    if before is not None and before != row.email:
        # Whoever had a letter there could log in with it.
        await codes.forget(session, account.id, LOGIN, RESET)
        letter = mails.moved(to.words, to.base, before, account.name, account.id, token)
        await send(session, letter)
    return account


async def ask_code(
    tables: TableStore, kind: str, email: str, to: MailContext, device: Device, next_: str = "/"
) -> None:
    """Send a letter with which whoever has that address can log in or choose another password, and goes on to a page;
    if it belongs to nobody the same is done but for the letter."""
    email = checked_email(email)
    async with tables.refusing(), tables.database.reading() as session:
        known_here = device.knows(await found(session, email))
    await attempts.spend(tables, attempts.LETTER, email, *([device.number] if known_here else []))
    async with tables.refusing(), tables.database.writing() as session:
        account = await session.scalar(select(Account).where(Account.email == email))
        if account is not None and account.closed_at is not None:
            account = None
        known = account.id if account is not None else None
        token = await codes.make(session, kind, known, email, to.browser)
        name = account.name if account is not None else ""
        letter = mails.with_code(to.words, to.base, kind, email, name, token, known, next_)
        if account is not None:
            await send(session, letter)


async def log_in(
    tables: TableStore, given: str, password: str, place: str, device: Device
) -> Account:
    """The account of somebody who knows its name or address and its password. A browser that the account knows has
    attempts of its own: what strangers try elsewhere does not lock its owner out."""
    async with tables.refusing(), tables.database.reading() as session:
        account = await found(session, given)
    if account is not None and device.knows(account):
        counted: Counted = [(attempts.LOGIN_DEVICE, (account.id, device.number))]
        await attempts.spend(tables, attempts.LOGIN_DEVICE, account.id, device.number)
        guessed = False
    else:
        counted, guessed = await _counted(tables, given, account, place)
    kept = account.password if account is not None and account.closed_at is None else None
    if not await credentials.verify_password(kept, password) or account is None or guessed:
        raise Forbidden(N_("The name or the password is not right."))
    async with tables.refusing(), tables.database.writing() as session:
        for limit, subjects in counted:
            await attempts.forgive(session, limit, *subjects)
    return account


async def _counted(
    tables: TableStore, given: str, account: Account | None, place: str
) -> tuple[Counted, bool]:
    """Count an attempt to log in: what is forgotten if it succeeds, and whether there were too many."""
    await attempts.spend(tables, attempts.LOGIN_ADDRESS, place)
    await attempts.spend(tables, attempts.LOGIN, name_key(given), place)
    await attempts.spend(tables, attempts.LOGIN_ACCOUNT, name_key(given))
    # By its name and by its address together an account has no more attempts. That these are used up is answered like
    # a wrong password: else it would tell whose the address is.
    whose = account.id if account is not None else f"nobody {name_key(given)}"
    guessed = [
        await attempts.exceeded(tables, attempts.LOGIN, whose, place),
        await attempts.exceeded(tables, attempts.LOGIN_ACCOUNT, whose),
    ]
    return [(attempts.LOGIN, (one, place)) for one in (name_key(given), whose)], any(guessed)


async def require_password(
    tables: TableStore, account: str, password: str, session_id: int
) -> None:
    """Refuse what needs the password again, if the account has one."""
    async with tables.refusing(), tables.database.reading() as session:
        row = await session.get(Account, account)
    if row is None:
        raise Unauthorized(N_("Log in first."))
    if row.password is None:
        return
    await attempts.spend(tables, attempts.LOGIN_DEVICE, account, f"session {session_id}")
    if not await credentials.verify_password(row.password, password):
        raise Forbidden(N_("The password is not right."))
    async with tables.refusing(), tables.database.writing() as session:
        await attempts.forgive(session, attempts.LOGIN_DEVICE, account, f"session {session_id}")


async def reset(session: AsyncSession, token: str, password: str) -> Account:
    """Another password (its hash) for whoever got the code for that; all sessions end, no token is valid any more,
    nor any link by which a seat is handed on, and no browser or program is told of tables: somebody else may have had
    the account."""
    row = await codes.use(session, RESET, token)
    account = await own(session, str(row.account_id))
    await change_password(session, account, password)
    await sessions.end(session, account.id)
    handed_on = update(Seat).where(Seat.owner == account.id)
    await session.execute(handed_on.values(token=None))
    await session.execute(delete(ApiToken).where(ApiToken.account_id == account.id))
    for told in (PushDevice, Webhook):
        await session.execute(delete(told).where(told.owner == account.id))
    return account


async def change_password(session: AsyncSession, account: Account, password: str) -> None:
    """Another password (its hash). Whoever knew the one before cannot use a letter any more, neither to log in nor to
    give the account an address: only the one it was registered with can still be confirmed."""
    account.password = password
    await codes.forget(session, account.id, LOGIN, RESET)
    # Who registers is not the account yet.
    asked_inside = OneTimeToken.browser == hashed(account.id)
    pending = delete(OneTimeToken).where(OneTimeToken.account_id == account.id, asked_inside)
    await session.execute(pending.where(OneTimeToken.kind == CONFIRM))


async def rename(session: AsyncSession, account: Account, given: str) -> None:
    """Another name, which nobody else has."""
    name, key = checked_name(given)
    await _require_free(session, name, account.id)
    account.name, account.name_key, account.skeleton = name, key, skeleton(name)


async def _require_free(session: AsyncSession, name: str, account: str = "") -> None:
    """Refuse a name that another account has, or that looks like one."""
    others = select(Account.name).where(Account.id != account)
    if await session.scalar(others.where(Account.name_key == name_key(name)).limit(1)) is not None:
        raise Conflict(N_("Somebody is called {name} already: choose another name."), name=name)
    alike = await session.scalar(others.where(Account.skeleton == skeleton(name)).limit(1))
    if alike is not None:
        raise Conflict(
            N_("The name {name} looks like {other}, whom there is already: choose another name."),
            name=name,
            other=alike,
        )


async def keep_language(tables: TableStore, account: str, language: str) -> None:
    """Remember the language somebody has chosen."""
    async with tables.refusing(), tables.database.writing() as session:
        chosen = update(Account).where(Account.id == account).values(language=language)
        await session.execute(chosen)


async def new_api_token(session: AsyncSession, account: str, name: str) -> str:
    """A token for programs; it is never shown again."""
    label = " ".join(name.split())[:40]
    query = select(func.count()).select_from(ApiToken).where(ApiToken.account_id == account)
    if (await session.scalar(query) or 0) >= MOST_TOKENS:
        raise Conflict(N_("You have {most} tokens: remove one first."), most=MOST_TOKENS)
    token = new_token(API)
    row = ApiToken(hash=hashed(token), account_id=account, name=label, created_at=now())
    session.add(row)
    return token


async def remove(
    session: AsyncSession, row: type[ApiToken] | type[Invitation], account: str, number: int
) -> None:
    """Take a token or an invitation of one's own away."""
    owner = row.creator if row is Invitation else row.account_id  # type: ignore[union-attr]
    await session.execute(delete(row).where(row.id == number, owner == account))


async def erase(tables: TableStore, account: str) -> None:
    """Delete an account: seats are gone, letters, tokens, sessions and ratings are erased."""
    erased = False
    while not erased:
        await transfer.let_go(tables, account)
        async with tables.refusing(), tables.database.writing() as session:
            # While its row is locked it sits down nowhere (`Tables.complete`); it may have done so just before.
            row = await own(session, account)
            erased = (
                await session.scalar(select(transfer.tables_with(account).exists())) is not True
            )
            if erased:
                await _erase(session, row)


async def _erase(session: AsyncSession, row: Account) -> None:
    account = row.id
    await notification_preferences.forget(session, [account])
    if row.email is not None:
        await session.execute(delete(Message).where(Message.address == row.email))
        await session.execute(delete(PausedAddress).where(PausedAddress.address == row.email))
    await belongings.erase(session, belongings.owned(), account)
    await session.execute(delete(TableInvitation).where(TableInvitation.account == account))
    await session.execute(delete(Session).where(Session.account_id == account))
    await session.execute(delete(Answered).where(Answered.visitor == account))
    left = update(Predecessor).where(Predecessor.account == account)
    await session.execute(left.values(account=None))
    await session.delete(row)

"""Accounts: register, log in, change and delete, with the mails about it."""

from __future__ import annotations

import re
from typing import TypeAlias
from urllib.parse import quote

import msgspec
from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_, Words
from kursbuch.web.accounts import attempts, credentials, sessions, transfer
from kursbuch.web.accounts.credentials import (
    API_TOKEN_PREFIX,
    CONFIRM,
    LOGIN,
    RESET,
    hashed,
    new_account_id,
    new_token,
)
from kursbuch.web.accounts.models import Account, ApiToken, Invitation, OneTimeToken, Session
from kursbuch.web.accounts.names import checked_name, name_key, skeleton
from kursbuch.web.accounts.sessions import Device
from kursbuch.web.db.models import Answered, Predecessor, Seat, TableInvitation, now
from kursbuch.web.http.errors import Conflict, Forbidden, Refused, Unauthorized
from kursbuch.web.notifications import preferences as notification_preferences
from kursbuch.web.notifications.models import Message, PausedAddress, PushDevice, Webhook
from kursbuch.web.notifications.outbox import MAIL, NewMessage, enqueue
from kursbuch.web.tables.store import TableStore

#: Page for the code of a mail, by kind. Links carry the code after a #, which no server receives.
CODE_PATHS = {CONFIRM: "/account/confirm", LOGIN: "/login/code", RESET: "/login/reset"}

#: Maximum length of the path in a link, because a stranger may have chosen it.
MAX_NEXT = 200


def path_with_next(path: str, next_: str) -> str:
    """Return the address of a page that leads on to another one."""
    return path if next_ == "/" or len(next_) > MAX_NEXT else f"{path}?next={quote(next_)}"


def code_mail(
    context: MailContext,
    kind: str,
    to: str,
    name: str,
    token: str,
    account: str | None,
    next_: str = "/",
) -> NewMessage:
    """Write the mail with a code; its link leads on to a page."""
    _, server = context.words._, context.base
    subject, why, action = {
        CONFIRM: (
            _("Confirm your address"),
            _(
                "This address was given for the account {name} at {server}.",
                name=name,
                server=server,
            ),
            _("To confirm it, open this page and press the button:"),
        ),
        LOGIN: (
            _("Log in to Kursbuch"),
            _("A link was requested to log in as {name} at {server}.", name=name, server=server),
            _(
                "If this was you, open this page and press the button. The link works once, within "
                "20 minutes:"
            ),
        ),
        RESET: (
            _("Reset your Kursbuch password"),
            _("A new password was requested for {name} at {server}.", name=name, server=server),
            _("If this was you, choose a new password here. The link works once, within an hour:"),
        ),
    }[kind]
    last = _("If this was not you, you can ignore this mail.")
    link = f"{server}{path_with_next(CODE_PATHS[kind], next_)}#{token}"
    text = f"{why}\n\n{action}\n{link}\n\n{last}\n"
    return _account_mail(kind, to, subject, text, token, account)


def address_taken_mail(context: MailContext, owner: Account, to: str, token: str) -> NewMessage:
    """Write to the owner of an address that was given for another account.

    Only the owner learns that there is an account with this address."""
    _ = context.words._
    text = "\n\n".join(
        (
            _("This address was used to register a new account at {server}.", server=context.base),
            _(
                "It already belongs to your account {name}, so nothing was changed.",
                name=owner.name,
            ),
            _("If you have forgotten your password, choose a new one here:")
            + f"\n{context.base}/login",
        )
    )
    subject = _("You already have an account")
    return _account_mail("taken", to, subject, f"{text}\n", token, owner.id)


def address_changed_mail(context: MailContext, account: Account, to: str, token: str) -> NewMessage:
    """Write to the former address of an account."""
    text = context.words._(
        "The address of the account {name} at {server} was changed. If this was not you, tell "
        "the administrator of the server.",
        name=account.name,
        server=context.base,
    )
    subject = context.words._("Your address was changed")
    return _account_mail("moved", to, subject, f"{text}\n", token, account.id)


def _account_mail(
    kind: str, to: str, subject: str, text: str, token: str, account: str | None
) -> NewMessage:
    return NewMessage(
        key=f"account:{kind}:{hashed(token)[:32]}",
        channel=MAIL,
        to=to,
        subject=subject,
        text=text,
        account_id=account,
    )


#: How players register: freely, by invitation, only through an administrator, or not at all.
OPEN, INVITATION, CLOSED, OFF = "open", "invitation", "closed", "off"
REGISTRATIONS = (OPEN, INVITATION, CLOSED, OFF)


def registration(given: str) -> str:
    """Return how players register, by its name; freely by default."""
    if given not in ("", *REGISTRATIONS):
        raise KursbuchError(
            "Accounts must be one of {names}, not {given}.",
            names=", ".join(REGISTRATIONS),
            given=repr(given[:20]),
        )
    return given or OPEN


#: Maximum number of API tokens of one account.
MAX_TOKENS = 20
_EMAIL = re.compile(r"[^@\s<>(),;:\"\\\[\]]{1,64}@[a-z0-9.-]{1,185}", re.IGNORECASE)

#: Counted attempts: their limits, and what they are counted by.
CountedAttempts: TypeAlias = list[tuple[attempts.Limit, tuple[str, ...]]]


class MailContext(msgspec.Struct, frozen=True):
    """How to write to an account: the language, the server's address, and the requesting browser."""

    words: Words
    base: str
    browser: str = ""


class NewAccount(msgspec.Struct, frozen=True):
    """The fields of a registration."""

    name: str
    password: str = ""
    email: str = ""
    invitation: str = ""


def checked_email(given: str) -> str:
    """Return a mail address as it is stored, or refuse it."""
    email = given.strip().lower()
    if len(email) > 250 or not _EMAIL.fullmatch(email):
        raise Refused(N_("This is not a valid e-mail address."))
    return email


async def account_named(session: AsyncSession, name: str) -> Account | None:
    """Return the account with this name."""
    return await session.scalar(select(Account).where(Account.name_key == name_key(name)))


async def find_account(session: AsyncSession, given: str) -> Account | None:
    """Return the account with this name or confirmed address."""
    given = given.strip()
    if "@" in given:
        return await session.scalar(select(Account).where(Account.email == given.lower()[:254]))
    return await account_named(session, given)


async def lock_account(session: AsyncSession, account: str) -> Account:
    """Return the account of a logged-in player, locked until the end of the transaction."""
    row = await session.get(Account, account, with_for_update=True)
    if row is None:
        raise Unauthorized(N_("Log in first."))
    return row


async def create(
    session: AsyncSession, name: str, password: str | None, admin: bool = False
) -> Account:
    """Create an account; `password` is its hash."""
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


async def new_password_hash(new: NewAccount, registration: str, mails: bool) -> str | None:
    """Check a registration and return its password hash.

    This takes time, so it runs before the transaction."""
    if registration not in (OPEN, INVITATION):
        raise Forbidden(
            N_("Registration is closed: ask the administrator of this server for an account.")
        )
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
    """Create an account for a new player; `to` is None where no mails are sent."""
    if registration == INVITATION:
        await credentials.redeem_invitation(session, new.invitation)
    account = await create(session, new.name, password)
    if to is not None:
        await request_address(session, account, checked_email(new.email), to)
    return account


async def request_address(
    session: AsyncSession, account: Account, email: str, to: MailContext
) -> None:
    """Mail a code that confirms a new address of an account."""
    await credentials.revoke_codes(session, account.id, CONFIRM)
    owner = await session.scalar(select(Account).where(Account.email == email))
    other = owner is not None and owner.id != account.id
    token = await credentials.make_code(
        session, CONFIRM, None if other else account.id, email, to.browser
    )
    if owner is not None and other:
        message = address_taken_mail(to, owner, email, token)
    else:
        message = code_mail(to, CONFIRM, email, account.name, token, account.id)
    await enqueue(session, message)


async def bounced_address(session: AsyncSession, account: str) -> PausedAddress | None:
    """Return the unconfirmed address of an account, if mail to it bounced."""
    asked = select(OneTimeToken.email).where(
        OneTimeToken.kind == CONFIRM, OneTimeToken.account_id == account
    )
    return await session.scalar(select(PausedAddress).where(PausedAddress.address.in_(asked)))


async def confirm(session: AsyncSession, token: str, to: MailContext) -> Account:
    """Make the address that a code was mailed to the address of the account."""
    row = await credentials.redeem_code(session, CONFIRM, token)
    account = await lock_account(session, str(row.account_id))
    query = select(Account.id).where(Account.email == row.email, Account.id != account.id)
    if await session.scalar(query) is not None:
        raise Conflict(N_("This address now belongs to another account."))
    before, account.email = account.email, row.email
    await session.flush()
    # The mail arrived, and its reader wants more of them.
    await session.execute(delete(PausedAddress).where(PausedAddress.address == row.email))
    if before is not None and before != row.email:
        # A mail sent to the old address could still log in.
        await credentials.revoke_codes(session, account.id, LOGIN, RESET)
        message = address_changed_mail(to, account, before, token)
        await enqueue(session, message)
    return account


async def request_code(
    tables: TableStore, kind: str, email: str, to: MailContext, device: Device, next_: str = "/"
) -> None:
    """Mail a code for logging in or for a new password.

    For an unknown address the same work is done, but no mail is sent."""
    email = checked_email(email)
    async with tables.refusing(), tables.database.reading() as session:
        known_here = device.knows(await find_account(session, email))
    await attempts.spend(tables, attempts.LETTER, email, *([device.number] if known_here else []))
    async with tables.refusing(), tables.database.writing() as session:
        account = await session.scalar(select(Account).where(Account.email == email))
        if account is not None and account.closed_at is not None:
            account = None
        known = account.id if account is not None else None
        token = await credentials.make_code(session, kind, known, email, to.browser)
        name = account.name if account is not None else ""
        message = code_mail(to, kind, email, name, token, known, next_)
        if account is not None:
            await enqueue(session, message)


async def log_in(
    tables: TableStore, given: str, password: str, place: str, device: Device
) -> Account:
    """Return the account with this name or address and this password.

    A known browser has attempts of its own: strangers elsewhere cannot lock the owner out."""
    async with tables.refusing(), tables.database.reading() as session:
        account = await find_account(session, given)
    if account is not None and device.knows(account):
        counted: CountedAttempts = [(attempts.LOGIN_DEVICE, (account.id, device.number))]
        await attempts.spend(tables, attempts.LOGIN_DEVICE, account.id, device.number)
        guessed = False
    else:
        counted, guessed = await _count_login(tables, given, account, place)
    kept = account.password if account is not None and account.closed_at is None else None
    if not await credentials.verify_password(kept, password) or account is None or guessed:
        raise Forbidden(N_("Wrong name or password."))
    async with tables.refusing(), tables.database.writing() as session:
        for limit, subjects in counted:
            await attempts.forgive(session, limit, *subjects)
    return account


async def _count_login(
    tables: TableStore, given: str, account: Account | None, place: str
) -> tuple[CountedAttempts, bool]:
    """Count an attempt to log in; return what to forget on success, and whether there were too
    many."""
    await attempts.spend(tables, attempts.LOGIN_ADDRESS, place)
    await attempts.spend(tables, attempts.LOGIN, name_key(given), place)
    await attempts.spend(tables, attempts.LOGIN_ACCOUNT, name_key(given))
    # An account has no more attempts by name and by address together. Exceeding them is answered
    # like a wrong password, or it would tell whose the address is.
    whose = account.id if account is not None else f"nobody {name_key(given)}"
    guessed = [
        await attempts.exceeded(tables, attempts.LOGIN, whose, place),
        await attempts.exceeded(tables, attempts.LOGIN_ACCOUNT, whose),
    ]
    return [(attempts.LOGIN, (one, place)) for one in (name_key(given), whose)], any(guessed)


async def require_password(
    tables: TableStore, account: str, password: str, session_id: int
) -> None:
    """Require the password of an account, if it has one."""
    async with tables.refusing(), tables.database.reading() as session:
        row = await session.get(Account, account)
    if row is None:
        raise Unauthorized(N_("Log in first."))
    if row.password is None:
        return
    await attempts.spend(tables, attempts.LOGIN_DEVICE, account, f"session {session_id}")
    if not await credentials.verify_password(row.password, password):
        raise Forbidden(N_("Wrong password."))
    async with tables.refusing(), tables.database.writing() as session:
        await attempts.forgive(session, attempts.LOGIN_DEVICE, account, f"session {session_id}")


async def reset(session: AsyncSession, token: str, password: str) -> Account:
    """Set a new password by a mailed code.

    Another person may have had the account: sessions end, tokens and seat links are revoked, and
    browsers and webhooks are no longer notified."""
    row = await credentials.redeem_code(session, RESET, token)
    account = await lock_account(session, str(row.account_id))
    await change_password(session, account, password)
    await sessions.end(session, account.id)
    handed_on = update(Seat).where(Seat.owner == account.id)
    await session.execute(handed_on.values(token=None))
    await session.execute(delete(ApiToken).where(ApiToken.account_id == account.id))
    for told in (PushDevice, Webhook):
        await session.execute(delete(told).where(told.owner == account.id))
    return account


async def change_password(session: AsyncSession, account: Account, password: str) -> None:
    """Set a new password.

    Mailed codes are revoked, because a reader of the old mails may know them. Only the address of
    the registration can still be confirmed."""
    account.password = password
    await credentials.revoke_codes(session, account.id, LOGIN, RESET)
    # A registration is sent from a browser, not yet from the account.
    asked_inside = OneTimeToken.browser == hashed(account.id)
    pending = delete(OneTimeToken).where(OneTimeToken.account_id == account.id, asked_inside)
    await session.execute(pending.where(OneTimeToken.kind == CONFIRM))


async def rename(session: AsyncSession, account: Account, given: str) -> None:
    """Change the name of an account to one that is free."""
    name, key = checked_name(given)
    await _require_free(session, name, account.id)
    account.name, account.name_key, account.skeleton = name, key, skeleton(name)


async def _require_free(session: AsyncSession, name: str, account: str = "") -> None:
    """Refuse a name that another account has, or that looks like one."""
    others = select(Account.name).where(Account.id != account)
    if await session.scalar(others.where(Account.name_key == name_key(name)).limit(1)) is not None:
        raise Conflict(N_("The name {name} is taken: choose another one."), name=name)
    alike = await session.scalar(others.where(Account.skeleton == skeleton(name)).limit(1))
    if alike is not None:
        raise Conflict(
            N_("The name {name} looks too much like {other}: choose another one."),
            name=name,
            other=alike,
        )


async def keep_language(tables: TableStore, account: str, language: str) -> None:
    """Remember the chosen language."""
    async with tables.refusing(), tables.database.writing() as session:
        chosen = update(Account).where(Account.id == account).values(language=language)
        await session.execute(chosen)


async def keep_settings(tables: TableStore, account: str, settings: str) -> None:
    """Remember the display preferences."""
    async with tables.refusing(), tables.database.writing() as session:
        chosen = update(Account).where(Account.id == account).values(settings=settings)
        await session.execute(chosen)


async def new_api_token(session: AsyncSession, account: str, name: str) -> str:
    """Return a new API token; it is never shown again."""
    label = " ".join(name.split())[:40]
    query = select(func.count()).select_from(ApiToken).where(ApiToken.account_id == account)
    if (await session.scalar(query) or 0) >= MAX_TOKENS:
        raise Conflict(N_("You already have {most} tokens: remove one first."), most=MAX_TOKENS)
    token = new_token(API_TOKEN_PREFIX)
    row = ApiToken(hash=hashed(token), account_id=account, name=label, created_at=now())
    session.add(row)
    return token


async def remove(
    session: AsyncSession, row: type[ApiToken] | type[Invitation], account: str, number: int
) -> None:
    """Delete a token or an invitation of an account."""
    owner = row.creator if row is Invitation else row.account_id  # type: ignore[union-attr]
    await session.execute(delete(row).where(row.id == number, owner == account))


async def erase(tables: TableStore, account: str) -> None:
    """Delete an account with its messages, tokens, sessions and ratings; its seats are vacated."""
    erased = False
    while not erased:
        await transfer.leave_tables(tables, account)
        async with tables.refusing(), tables.database.writing() as session:
            # Its locked row keeps it from sitting down (`Tables.complete`), but it may just have
            # done so.
            row = await lock_account(session, account)
            erased = (
                await session.scalar(select(transfer.select_tables(account).exists())) is not True
            )
            if erased:
                await _erase(session, row)


async def _erase(session: AsyncSession, row: Account) -> None:
    account = row.id
    await notification_preferences.forget(session, [account])
    if row.email is not None:
        await session.execute(delete(Message).where(Message.address == row.email))
        await session.execute(delete(PausedAddress).where(PausedAddress.address == row.email))
    await transfer.erase_rows(session, transfer.owned_tables(), account)
    await session.execute(delete(TableInvitation).where(TableInvitation.account == account))
    await session.execute(delete(Session).where(Session.account_id == account))
    await session.execute(delete(Answered).where(Answered.visitor == account))
    left = update(Predecessor).where(Predecessor.account == account)
    await session.execute(left.values(account=None))
    await session.delete(row)

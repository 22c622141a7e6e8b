"""Account pages: log-in, registration, account and profile."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec
from litestar.response import Template
from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

import kursbuch
from kursbuch.core.words import N_, Words
from kursbuch.web.accounts import service as accounts
from kursbuch.web.accounts import sessions, transfer
from kursbuch.web.accounts.attempts import network_of
from kursbuch.web.accounts.credentials import CONFIRM, LOGIN, MIN_PASSWORD, RESET
from kursbuch.web.accounts.models import ApiToken, Invitation, Rating
from kursbuch.web.accounts.names import profile_url
from kursbuch.web.accounts.ratings import RATING_SCALE, rating_points
from kursbuch.web.accounts.service import CODE_PATHS, INVITATION, OFF, OPEN, MailContext
from kursbuch.web.db.models import GONE, Seat, Table
from kursbuch.web.home.views import TableLine, table_line
from kursbuch.web.http.errors import Forbidden, NotFound, Unauthorized
from kursbuch.web.http.requests import AnyRequest, base_url, is_local, tables_of, who, words_for
from kursbuch.web.http.security import Person
from kursbuch.web.http.templating import page
from kursbuch.web.labels import ago
from kursbuch.web.tables.policies import CLOSED, FINISHED
from kursbuch.web.tables.snapshot import seats_of
from kursbuch.web.tables.spectator_delay import sees_end


def registration_of(request: AnyRequest) -> str:
    """Return how players register on this server, or refuse if it has no accounts."""
    found = str(request.app.state.accounts)
    if found == OFF:
        raise NotFound(N_("There are no accounts on this server."))
    return found


def may_register(request: AnyRequest) -> bool:
    """Return whether players can register by themselves."""
    return registration_of(request) in (OPEN, INVITATION)


def sends_mail(request: AnyRequest) -> bool:
    """Return whether this server sends mail."""
    return bool(request.app.state.notifications.mails)


def mail_context(request: AnyRequest) -> MailContext:
    """Return how to write to the visitor.

    Links begin with the configured address: the host a browser names may be anyone's."""
    host = request.headers.get("host") or request.url.netloc
    base = str(request.app.state.address) or (base_url(request) if is_local(host) else "")
    if not base:
        raise Forbidden(
            N_(
                "This server cannot send mails because its address is not set: tell its "
                "administrator."
            )
        )
    return MailContext(words_for(request), base, who(request).id)


def require_person(request: AnyRequest) -> Person:
    """Return who is logged in with this browser.

    A program with a token can play, but not change the account."""
    registration_of(request)
    found = who(request).account
    if found is None:
        raise Unauthorized(N_("Log in first."))
    if found.session is None:
        raise Forbidden(N_("This can only be done in a browser, not with a token."))
    return found


def client_network(request: AnyRequest) -> str:
    """Return the network a request comes from, by which attempts are counted."""
    return network_of(request.client.host if request.client else None)


#: Notices shown after a redirect, by the `done` parameter.
NOTICES = {
    "out": N_("You have logged out."),
    "reset": N_(
        "Your password was changed, and all API tokens were revoked. Log in with the new password."
    ),
    "confirmed": N_("Your address has been confirmed."),
    "deleted": N_("Your account has been deleted."),
    "letter": N_("If an account has this address, we have sent it a mail."),
    "welcome": N_("Your account is ready."),
    "sent": N_("We have sent a mail to that address. Open the link in it to confirm."),
    "saved": N_("Your changes have been saved."),
}
_CODE_HEADINGS = {
    CONFIRM: (N_("Confirm your address"), N_("Confirm")),
    LOGIN: (N_("Log in"), N_("Log in")),
    RESET: (N_("Choose a new password"), N_("Change the password")),
}


def notice_of(request: AnyRequest) -> str:
    """Return the notice that the address of the page asks for."""
    sentence = NOTICES.get(request.query_params.get("done", ""))
    return words_for(request)._(sentence) if sentence else ""


class LoginPage(msgspec.Struct, frozen=True):
    """login.html: log in by `name` (or address) and `password`, or by mail (`want` is login or reset)."""

    next: str
    name: str
    mails: bool
    may_register: bool
    error: str
    notice: str


async def login_page(
    request: AnyRequest, *, next_: str = "/", name: str = "", error: str = "", status: int = 200
) -> Template:
    """Show the log-in page."""
    struct = LoginPage(
        next=next_,
        name=name,
        mails=sends_mail(request),
        may_register=may_register(request),
        error=error,
        notice=notice_of(request),
    )
    return page(request, "login.html", struct, words_for(request), status)


class RegisterPage(msgspec.Struct, frozen=True):
    """register.html: the registration form, filled in again after a refusal.

    `email` is asked for where mails are sent, `invitation` where one is needed. `tables` counts the
    tables of this browser that go over to the account."""

    next: str
    name: str
    email: str
    invitation: str
    mails: bool
    invited: bool
    least: int
    tables: int
    error: str


async def register_page(
    request: AnyRequest,
    given: accounts.NewAccount | None = None,
    next_: str = "/",
    error: str = "",
    status: int = 200,
) -> Template:
    """Show the registration page."""
    new = given or accounts.NewAccount("")
    visitor = who(request)
    brought = (
        0 if visitor.account else len(await transfer.table_ids_of(tables_of(request), visitor.id))
    )
    struct = RegisterPage(
        next=next_,
        name=new.name,
        email=new.email,
        invitation=new.invitation,
        mails=sends_mail(request),
        invited=registration_of(request) == accounts.INVITATION,
        least=MIN_PASSWORD,
        tables=brought,
        error=error,
    )
    return page(request, "register.html", struct, words_for(request), status)


class CodePage(msgspec.Struct, frozen=True):
    """code.html: enter the `code` of a mail; its script fills it in from the link.

    With a `name` the code is hidden, and the page asks whether to go on as that account. `chooses`
    adds a new password."""

    action: str
    next: str
    heading: str
    text: str
    button: str
    code: str
    name: str
    chooses: bool
    least: int
    error: str


async def code_page(
    request: AnyRequest,
    kind: str,
    code: str = "",
    name: str = "",
    error: str = "",
    status: int = 200,
    next_: str = "/",
) -> Template:
    """Show the page for the code of a mail."""
    words = words_for(request)
    heading, button = _CODE_HEADINGS[kind]
    text = words._("The link in the mail fills in the code. Otherwise, copy it from the mail.")
    if name:
        text = words._(
            "This mail was requested in another browser. Continue only if you requested it."
        )
        button = N_("Log in as {name}")
    struct = CodePage(
        action=CODE_PATHS[kind],
        next=next_,
        heading=words._(heading),
        text=text,
        button=words._(button, name=name) if name else words._(button),
        code=code,
        name=name,
        chooses=kind == RESET,
        least=MIN_PASSWORD,
        error=error,
    )
    return page(request, "code.html", struct, words, status)


class SessionLine(msgspec.Struct, frozen=True):
    """A browser in which the account is logged in."""

    number: int
    device: str
    used: str
    is_this: bool


class TokenLine(msgspec.Struct, frozen=True):
    """An API token or an invitation."""

    number: int
    name: str
    used: str


class AccountPage(msgspec.Struct, frozen=True):
    """account.html: the visitor's own account.

    `refused` is an address that could not be reached while it waited for confirmation, `why` the
    reason. `token` and `invitation_link` are shown once. `error` and `notice` belong to the part
    named by `place`. `admin` links to the administration."""

    name: str
    profile_url: str
    email: str
    refused: str
    why: str
    mails: bool
    has_password: bool
    least: int
    sessions: list[SessionLine]
    tokens: list[TokenLine]
    token: str
    invites: bool
    invitations: list[TokenLine]
    invitation_link: str
    place: str
    error: str
    notice: str
    admin: bool


async def own_page(
    request: AnyRequest,
    *,
    status: int = 200,
    token: str = "",
    invitation_link: str = "",
    place: str = "",
    error: str = "",
) -> Template:
    """Show the visitor's own account."""
    me, tables, words = require_person(request), tables_of(request), words_for(request)
    async with tables.refusing(), tables.database.reading() as session:
        account = await accounts.lock_account(session, me.id)
        bounced = await accounts.bounced_address(session, me.id)
        devices = await sessions.sessions_of(session, me.id)
        tokens = select(ApiToken).where(ApiToken.account_id == me.id).order_by(ApiToken.id)
        invitations = select(Invitation).where(Invitation.creator == me.id).order_by(Invitation.id)
        struct = AccountPage(
            name=account.name,
            profile_url=profile_url(account.name),
            email=account.email or "",
            refused=bounced.address if bounced is not None else "",
            why=bounced.why if bounced is not None else "",
            mails=sends_mail(request),
            has_password=account.password is not None,
            least=MIN_PASSWORD,
            sessions=[
                SessionLine(row.id, row.device, ago(words, row.seen_at), row.id == me.session)
                for row in devices
            ],
            tokens=[
                TokenLine(
                    row.id,
                    row.name,
                    ago(words, row.used_at) if row.used_at else words._("never used"),
                )
                for row in await session.scalars(tokens)
            ],
            token=token,
            invites=registration_of(request) == accounts.INVITATION,
            invitations=[
                TokenLine(row.id, row.note, ago(words, row.created_at))
                for row in await session.scalars(invitations)
            ],
            invitation_link=invitation_link,
            place=place,
            error=error,
            notice=notice_of(request),
            admin=account.admin,
        )
    return page(request, "account.html", struct, words, status)


#: Maximum number of tables on a profile.
MAX_TABLES = 12


class Profile(msgspec.Struct, frozen=True):
    """A player as one visitor may know them.

    `played` and `won` count finished games with other people. A delayed spectator learns nothing new:
    games whose end they may not know yet are left out, and so are ratings in titles of such games."""

    name: str
    since: datetime
    played: int
    won: int
    ratings: Sequence[Rating]
    tables: Sequence[tuple[Table, list[Seat]]]


async def find_profile(session: AsyncSession, name: str, visitor: str) -> Profile:
    """Return the profile of the player with that name."""
    account = await accounts.account_named(session, name)
    if account is None or account.closed_at is not None:
        raise NotFound(N_("There is no player called {name}."), name=name[:40])
    mine = aliased(Seat)
    known = exists().where(mine.table_id == Table.id, mine.owner == visitor)
    other = aliased(Seat)
    with_others = exists().where(
        other.table_id == Table.id,
        other.kind.in_(("person", GONE)),
        other.owner.is_distinct_from(account.id),
    )
    played = select(Table, Seat.number, known).join(Table, Table.id == Seat.table_id)
    played = played.where(
        Seat.owner == account.id,
        Seat.kind == "person",
        Table.status == FINISHED,
        Table.guided.is_(False),
        with_others,
    )
    ended: dict[str, bool] = {}
    untold = set[str]()
    for table, number, plays in await session.execute(played):
        if not sees_end(table, plays):
            untold.add(table.title)
            continue
        won = number in (table.result or {}).get("winners", ())
        ended[table.id] = ended.get(table.id, False) or won
    ratings = await session.scalars(
        select(Rating).where(Rating.account_id == account.id).order_by(Rating.games.desc())
    )
    at_table = exists().where(Seat.table_id == Table.id, Seat.owner == account.id)
    recent = (
        select(Table)
        .where(at_table, Table.status != CLOSED)
        .where(Table.listed | (Table.creator == visitor) | known)
        .order_by(Table.updated_at.desc())
        .limit(MAX_TABLES)
    )
    found = [(table, await seats_of(session, table.id)) for table in await session.scalars(recent)]
    return Profile(
        name=account.name,
        since=account.created_at,
        played=len(ended),
        won=sum(ended.values()),
        ratings=[rating for rating in ratings if rating.title not in untold],
        tables=[
            (table, seats)
            for table, seats in found
            if sees_end(table, any(seat.owner == visitor for seat in seats))
        ],
    )


class RatingLine(msgspec.Struct, frozen=True):
    """The rating of a player in one title."""

    title_name: str
    points: str
    spread: str
    games: int
    won: int


class ProfilePage(msgspec.Struct, frozen=True):
    """profile.html: the profile of a player."""

    name: str
    since: str
    played: int
    won: int
    ratings: list[RatingLine]
    tables: list[TableLine]
    is_me: bool


def profile_page(words: Words, found: Profile, visitor: str, is_me: bool) -> ProfilePage:
    """Describe a profile in words."""
    return ProfilePage(
        name=found.name,
        since=ago(words, found.since),
        played=found.played,
        won=found.won,
        ratings=[_rating_line(rating) for rating in found.ratings],
        tables=[table_line(words, table, seats, visitor) for table, seats in found.tables],
        is_me=is_me,
    )


def _rating_line(rating: Rating) -> RatingLine:
    title = kursbuch.titles().get(rating.title)
    return RatingLine(
        title_name=title.name if title else rating.title,
        points=str(rating_points(rating.mu)),
        spread=str(round(2 * rating.sigma * RATING_SCALE)),
        games=rating.games,
        won=rating.won,
    )

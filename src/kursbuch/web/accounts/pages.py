"""Routes that show account pages."""

from __future__ import annotations

import msgspec
from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_303_SEE_OTHER
from sqlalchemy import select

from kursbuch.core.words import N_
from kursbuch.web.accounts import forms, sessions, transfer
from kursbuch.web.accounts import service as accounts
from kursbuch.web.accounts.codes import CONFIRM, LOGIN, RESET
from kursbuch.web.accounts.credentials import LEAST
from kursbuch.web.accounts.mails import PLACES
from kursbuch.web.accounts.models import ApiToken, Invitation
from kursbuch.web.accounts.profiles import export, profile
from kursbuch.web.accounts.views import (
    CodePage,
    LoginPage,
    RegisterPage,
    account_page,
    profile_page,
)
from kursbuch.web.http.operations import READING
from kursbuch.web.http.requests import AnyRequest, safe_path, tables_of, who, words_for
from kursbuch.web.http.templating import page

#: What is said on the page one comes to after something was done.
NOTICES = {
    "out": N_("You are logged out."),
    "reset": N_(
        "The password was changed, and no token of a program is valid any more: log in with the new one."
    ),
    "confirmed": N_("Your address is confirmed."),
    "deleted": N_("Your account is deleted."),
    "letter": N_("If there is an account with this address, a mail is on its way."),
    "welcome": N_("You have an account."),
    "sent": N_("A mail is on its way to that address: confirm it with the link in it."),
    "saved": N_("It is changed."),
}
_HEADINGS = {
    CONFIRM: (N_("Confirm your address"), N_("Confirm")),
    LOGIN: (N_("Log in"), N_("Log in")),
    RESET: (N_("Choose a new password"), N_("Change the password")),
}


def notice_of(request: AnyRequest) -> str:
    """What was done before this page was opened, in words."""
    sentence = NOTICES.get(request.query_params.get("done", ""))
    return words_for(request)._(sentence) if sentence else ""


def login_page(
    request: AnyRequest, *, next_: str = "/", name: str = "", error: str = "", status: int = 200
) -> Template:
    """The page for logging in."""
    struct = LoginPage(
        next=next_,
        name=name,
        mails=forms.mails(request),
        may_register=forms.may_register(request),
        error=error,
        notice=notice_of(request),
    )
    return page(request, "login.html", struct, words_for(request), status)


async def register_page(
    request: AnyRequest,
    given: accounts.NewAccount | None = None,
    next_: str = "/",
    error: str = "",
    status: int = 200,
) -> Template:
    """The page for registering."""
    new = given or accounts.NewAccount("")
    visitor = who(request)
    brought = (
        0 if visitor.account else len(await transfer.tables_of(tables_of(request), visitor.id))
    )
    struct = RegisterPage(
        next=next_,
        name=new.name,
        email=new.email,
        invitation=new.invitation,
        mails=forms.mails(request),
        invited=forms.registration_of(request) == accounts.INVITATION,
        least=LEAST,
        tables=brought,
        error=error,
    )
    return page(request, "register.html", struct, words_for(request), status)


def code_page(
    request: AnyRequest,
    kind: str,
    code: str = "",
    name: str = "",
    error: str = "",
    status: int = 200,
    next_: str = "/",
) -> Template:
    """The page where the code of a letter is entered; the script takes it from the link."""
    words = words_for(request)
    heading, button = _HEADINGS[kind]
    text = words._("The link of the mail has filled in the code; otherwise copy it from there.")
    if name:
        text = words._("The mail was not asked for in this browser. Go on only if you know of it.")
        button = N_("Log in as {name}")
    struct = CodePage(
        action=PLACES[kind],
        next=next_,
        heading=words._(heading),
        text=text,
        button=words._(button, name=name) if name else words._(button),
        code=code,
        name=name,
        chooses=kind == RESET,
        least=LEAST,
        error=error,
    )
    return page(request, "code.html", struct, words, status)


async def own_page(
    request: AnyRequest, *, status: int = 200, notice: str = "", **more: str
) -> Template:
    """The page of one's own account."""
    me, tables = forms.person(request), tables_of(request)
    async with tables.refusing(), tables.database.reading() as session:
        account = await accounts.own(session, me.id)
        devices = await sessions.sessions_of(session, me.id)
        tokens = await session.scalars(
            select(ApiToken).where(ApiToken.account_id == me.id).order_by(ApiToken.id)
        )
        invitations = await session.scalars(
            select(Invitation).where(Invitation.creator == me.id).order_by(Invitation.id)
        )
        struct = account_page(
            words_for(request),
            account,
            await accounts.came_back(session, me.id),
            devices,
            list(tokens),
            list(invitations),
            session=me.session,
            mails=forms.mails(request),
            invites=forms.registration_of(request) == accounts.INVITATION,
            notice=notice or notice_of(request),
            **more,
        )
    return page(request, "account.html", struct, words_for(request), status)


@get("/login", include_in_schema=False)
async def login(request: AnyRequest) -> Template | Redirect:
    """Log in."""
    wanted = safe_path(request.query_params.get("next", "/"))
    if who(request).account is not None:
        return Redirect(wanted, status_code=HTTP_303_SEE_OTHER)
    return login_page(request, next_=wanted)


@get("/register", include_in_schema=False)
async def register(request: AnyRequest) -> Template | Redirect:
    """Register."""
    forms.registration_of(request)
    if who(request).account is not None:
        return Redirect("/account", status_code=HTTP_303_SEE_OTHER)
    return await register_page(request, next_=safe_path(request.query_params.get("next", "/")))


@get(PLACES[LOGIN], include_in_schema=False)
async def login_code(request: AnyRequest) -> Template:
    """Log in with the code of a letter. Opening the link does nothing, so that whoever looks through mails
    uses nothing up."""
    forms.registration_of(request)
    return code_page(request, LOGIN, next_=safe_path(request.query_params.get("next")))


@get(PLACES[RESET], include_in_schema=False)
async def reset_code(request: AnyRequest) -> Template:
    """Choose another password with the code of a letter."""
    forms.registration_of(request)
    return code_page(request, RESET, next_=safe_path(request.query_params.get("next")))


@get(PLACES[CONFIRM], include_in_schema=False)
async def confirm_code(request: AnyRequest) -> Template:
    """Confirm an address with the code of a letter."""
    forms.registration_of(request)
    return code_page(request, CONFIRM)


@get("/account", include_in_schema=False)
async def account(request: AnyRequest) -> Template | Redirect:
    """One's own account."""
    forms.registration_of(request)
    if who(request).account is None:
        return Redirect("/login?next=/account", status_code=HTTP_303_SEE_OTHER)
    return await own_page(request)


@get("/account/data.json", include_in_schema=False)
async def account_data(request: AnyRequest) -> Response[bytes]:
    """Everything that is kept of one's account."""
    me, tables = forms.person(request), tables_of(request)
    async with tables.refusing(), tables.database.reading() as session:
        row = await accounts.own(session, me.id)
        body = msgspec.json.format(msgspec.json.encode(await export(session, row)))
    headers = {"content-disposition": 'attachment; filename="kursbuch-account.json"'}
    return Response(body, headers=headers, media_type="application/json")


@get("/people/{name:str}", include_in_schema=False)
async def person(request: AnyRequest, name: FromPath[str]) -> Template:
    """What is known of a person."""
    forms.registration_of(request)
    visitor, tables = who(request), tables_of(request)
    async with tables.refusing(), tables.database.reading() as session:
        found = await profile(session, name, visitor.id)
    is_me = visitor.account is not None and visitor.account.name == found.name
    words = words_for(request)
    return page(request, "profile.html", profile_page(words, found, visitor.id, is_me), words)


class ApiMe(msgspec.Struct, frozen=True):
    """Who asks: the name of the account, None for a browser without one."""

    name: str | None


@get("/me", responses=READING)
async def me(request: AnyRequest) -> ApiMe:
    """Who the caller is."""
    person = who(request).account
    return ApiMe(person.name if person is not None else None)


API_HANDLERS = [
    me,
]


HANDLERS = [
    login,
    register,
    login_code,
    reset_code,
    confirm_code,
    account,
    account_data,
    person,
]

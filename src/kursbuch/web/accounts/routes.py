"""Account routes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.accounts import attempts, credentials, sessions, transfer, views
from kursbuch.web.accounts import service as accounts
from kursbuch.web.accounts.credentials import CONFIRM, LOGIN, RESET, hashed
from kursbuch.web.accounts.models import Account, ApiToken, Invitation
from kursbuch.web.accounts.names import name_key
from kursbuch.web.accounts.service import CODE_PATHS, NewAccount
from kursbuch.web.accounts.sessions import device_of, remember
from kursbuch.web.accounts.transfer import export_account
from kursbuch.web.accounts.views import (
    code_page,
    find_profile,
    login_page,
    own_page,
    profile_page,
    register_page,
)
from kursbuch.web.http import preferences
from kursbuch.web.http import rate_limits as gate
from kursbuch.web.http.errors import Refused, retry_after
from kursbuch.web.http.requests import (
    AnyRequest,
    RequestFields,
    base_url,
    language_of,
    read,
    safe_path,
    tables_of,
    wants_page,
    who,
    words_for,
)
from kursbuch.web.http.security import (
    COOKIE,
    SESSION_COOKIE,
    ZONE_COOKIE,
    browser_of,
    cookie_of,
    forget,
)
from kursbuch.web.http.templating import page
from kursbuch.web.notifications import delivery
from kursbuch.web.notifications import preferences as notification_preferences
from kursbuch.web.tables.api_schemas import READING


@get("/login", include_in_schema=False)
async def show_login(request: AnyRequest) -> Template | Redirect:
    """Log in."""
    wanted = safe_path(request.query_params.get("next", "/"))
    if who(request).account is not None:
        return Redirect(wanted, status_code=HTTP_303_SEE_OTHER)
    return login_page(request, next_=wanted)


@get("/register", include_in_schema=False)
async def show_register(request: AnyRequest) -> Template | Redirect:
    """Register."""
    views.registration_of(request)
    if who(request).account is not None:
        return Redirect("/account", status_code=HTTP_303_SEE_OTHER)
    return await register_page(request, next_=safe_path(request.query_params.get("next", "/")))


@get(CODE_PATHS[LOGIN], include_in_schema=False)
async def show_login_code(request: AnyRequest) -> Template:
    """Log in with the code of a letter. Opening the link does nothing, so that whoever looks through mails
    uses nothing up."""
    views.registration_of(request)
    return code_page(request, LOGIN, next_=safe_path(request.query_params.get("next")))


@get(CODE_PATHS[RESET], include_in_schema=False)
async def show_reset_code(request: AnyRequest) -> Template:
    """Choose another password with the code of a letter."""
    views.registration_of(request)
    return code_page(request, RESET, next_=safe_path(request.query_params.get("next")))


@get(CODE_PATHS[CONFIRM], include_in_schema=False)
async def show_confirm_code(request: AnyRequest) -> Template:
    """Confirm an address with the code of a letter."""
    views.registration_of(request)
    return code_page(request, CONFIRM)


@get("/account", include_in_schema=False)
async def show_account(request: AnyRequest) -> Template | Redirect:
    """One's own account."""
    views.registration_of(request)
    if who(request).account is None:
        return Redirect("/login?next=/account", status_code=HTTP_303_SEE_OTHER)
    return await own_page(request)


@get("/account/data.json", include_in_schema=False)
async def download_account_data(request: AnyRequest) -> Response[bytes]:
    """Everything that is kept of one's account."""
    me, tables = views.require_person(request), tables_of(request)
    async with tables.refusing(), tables.database.reading() as session:
        row = await accounts.lock_account(session, me.id)
        body = msgspec.json.format(msgspec.json.encode(await export_account(session, row)))
    headers = {"content-disposition": 'attachment; filename="kursbuch-account.json"'}
    return Response(body, headers=headers, media_type="application/json")


@get("/people/{name:str}", include_in_schema=False)
async def show_profile(request: AnyRequest, name: FromPath[str]) -> Template:
    """What is known of a person."""
    views.registration_of(request)
    visitor, tables = who(request), tables_of(request)
    async with tables.refusing(), tables.database.reading() as session:
        found = await find_profile(session, name, visitor.id)
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
Answer = Response[Any] | Template

#: What lets people in is counted apart.
LOGIN_COST = {"cost": gate.LOGIN}


@asynccontextmanager
async def changing(request: AnyRequest) -> AsyncIterator[AsyncSession]:
    """A transaction."""
    tables = tables_of(request)
    async with tables.refusing(), tables.database.writing() as session:
        yield session


async def answer_or_form(
    request: AnyRequest,
    deed: Callable[[], Awaitable[Answer]],
    shown: Callable[[str, int], Awaitable[Template]],
) -> Answer:
    """What a deed answers, or the form again with the sentence why it was refused."""
    try:
        return await deed()
    except KursbuchError as error:
        if not wants_page(request):
            raise
        form = await shown(error.text(words_for(request)), getattr(error, "status", 422))
        form.headers.update(retry_after(error))
        return form


def redirect_to(path: str) -> Response[Any]:
    """On to another page of ours."""
    return Redirect(path, status_code=HTTP_303_SEE_OTHER)


def _login_path(done: str, next_: str) -> str:
    """The page for logging in after something was done, from which one goes on to another."""
    return f"/login?{urlencode({'done': done} | ({} if next_ == '/' else {'next': next_}))}"


async def log_in_browser(request: AnyRequest, account: Account, session: AsyncSession) -> None:
    """Log somebody in with this browser, within a transaction."""
    if account.settings is None:
        account.settings = preferences.write(
            preferences.read(cookie_of(request, preferences.COOKIE))
        )
        account.language = language_of(request)
    await sessions.begin(request, session, account)


async def bring_along(request: AnyRequest, account: str) -> None:
    """What the browser had goes over to the account, and the browser is forgotten. The account is in the time zone of
    the browser."""
    browser = browser_of(request)
    if not browser.is_new:
        session_id = views.require_person(request).session
        await transfer.move_to_account(tables_of(request), browser.id, account, session_id)
    async with changing(request) as session:
        await notification_preferences.learn_zone(session, account, cookie_of(request, ZONE_COOKIE))
    forget(request, COOKIE)


@post("/register", include_in_schema=False, opt=LOGIN_COST)
async def register(request: AnyRequest) -> Answer:
    """Register; the browser is logged in at once."""
    sent = await read(request)
    new = NewAccount(
        sent.text("name"), sent.text("password"), sent.text("email"), sent.text("invitation")
    )
    wanted = safe_path(sent.fields.get("next"))

    async def deed() -> Answer:
        registration, tables = views.registration_of(request), tables_of(request)
        letters = views.mail_context(request) if views.sends_mail(request) else None
        await attempts.spend(tables, attempts.REGISTER, views.client_network(request))
        if letters is not None:
            await attempts.spend(tables, attempts.LETTER, accounts.checked_email(new.email))
        password = await accounts.new_password_hash(new, registration, letters is not None)
        async with changing(request) as session:
            account = await accounts.register(session, new, password, registration, letters)
            await log_in_browser(request, account, session)
        await bring_along(request, account.id)
        done = "welcome" if letters is None else "sent"
        return redirect_to(f"/account?done={done}" if wanted == "/" else wanted)

    return await answer_or_form(
        request, deed, lambda error, status: register_page(request, new, wanted, error, status)
    )


@post("/login", include_in_schema=False, opt=LOGIN_COST)
async def login(request: AnyRequest) -> Answer:
    """Log in with a password."""
    sent = await read(request)
    name, wanted = sent.text("name"), safe_path(sent.fields.get("next"))

    async def deed() -> Answer:
        views.registration_of(request)
        place = views.client_network(request)
        known = await accounts.log_in(
            tables_of(request), name, sent.text("password"), place, device_of(request)
        )
        async with changing(request) as session:
            account = await accounts.lock_account(session, known.id)
            await log_in_browser(request, account, session)
        await bring_along(request, account.id)
        return redirect_to(wanted)

    async def shown(error: str, status: int) -> Template:
        return login_page(request, next_=wanted, name=name, error=error, status=status)

    return await answer_or_form(request, deed, shown)


@post("/login/letter", include_in_schema=False, opt=LOGIN_COST)
async def request_login_mail(request: AnyRequest) -> Answer:
    """Have a letter sent with which one can log in, or choose another password."""
    sent = await read(request)
    wanted = safe_path(sent.fields.get("next"))

    async def deed() -> Answer:
        views.registration_of(request)
        if not views.sends_mail(request):
            raise Refused(N_("This server sends no mails: ask whoever runs it for a new password."))
        kind = RESET if sent.text("want") == RESET else LOGIN
        await attempts.spend(tables_of(request), attempts.ASK, views.client_network(request))
        letters = views.mail_context(request)
        await accounts.request_code(
            tables_of(request), kind, sent.text("email"), letters, device_of(request), wanted
        )
        return redirect_to(_login_path("letter", wanted))

    async def shown(error: str, status: int) -> Template:
        return login_page(request, next_=wanted, error=error, status=status)

    return await answer_or_form(request, deed, shown)


@post(CODE_PATHS[LOGIN], include_in_schema=False, status_code=HTTP_200_OK, opt=LOGIN_COST)
async def login_code(request: AnyRequest) -> Answer:
    """Log in with the code of a letter. In another browser than the one that asked for it, it is asked
    first, so that nobody is led into somebody else's account."""
    sent = await read(request)
    code, wanted = sent.text("code"), safe_path(sent.fields.get("next"))

    async def deed() -> Answer:
        views.registration_of(request)
        await attempts.spend(tables_of(request), attempts.CODE, views.client_network(request))
        async with changing(request) as session:
            row = await credentials.find_code(session, LOGIN, code)
            account = await accounts.lock_account(session, str(row.account_id))
            asked_here = row.browser == hashed(who(request).id)
            if not asked_here and not sent.flag("sure"):
                return code_page(request, LOGIN, code=code, name=account.name, next_=wanted)
            await credentials.redeem_code(session, LOGIN, code)
            await log_in_browser(request, account, session)
        await bring_along(request, account.id)
        return redirect_to(wanted)

    async def shown(error: str, status: int) -> Template:
        return code_page(request, LOGIN, error=error, status=status, next_=wanted)

    return await answer_or_form(request, deed, shown)


@post(CODE_PATHS[RESET], include_in_schema=False, opt=LOGIN_COST)
async def reset(request: AnyRequest) -> Answer:
    """Choose another password with the code of a letter."""
    sent = await read(request)
    code, password = sent.text("code"), sent.text("password")
    wanted = safe_path(sent.fields.get("next"))

    async def deed() -> Answer:
        views.registration_of(request)
        await attempts.spend(tables_of(request), attempts.CODE, views.client_network(request))
        kept = await credentials.hash_password(credentials.check_password(password))
        async with changing(request) as session:
            account = await accounts.reset(session, code, kept)
            remember(request, account)
        await transfer.refresh_tables(tables_of(request), account.id)
        return redirect_to(_login_path("reset", wanted))

    async def shown(error: str, status: int) -> Template:
        return code_page(request, RESET, code=code, error=error, status=status, next_=wanted)

    return await answer_or_form(request, deed, shown)


@post(CODE_PATHS[CONFIRM], include_in_schema=False)
async def confirm_address(request: AnyRequest) -> Answer:
    """Confirm an address with the code of a letter."""
    sent = await read(request)

    async def deed() -> Answer:
        views.registration_of(request)
        await attempts.spend(tables_of(request), attempts.CODE, views.client_network(request))
        async with changing(request) as session:
            await accounts.confirm(session, sent.text("code"), views.mail_context(request))
        here = who(request).account is not None
        return redirect_to("/account?done=confirmed" if here else "/login?done=confirmed")

    async def shown(error: str, status: int) -> Template:
        return code_page(request, CONFIRM, error=error, status=status)

    return await answer_or_form(request, deed, shown)


@post("/logout", include_in_schema=False)
async def logout(request: AnyRequest) -> Answer:
    """Log out: what follows is a browser that nobody knows. If it was told of turns, its script says by which
    `endpoint`."""
    me, sent = views.require_person(request), await read(request)
    async with changing(request) as session:
        # It may have logged in before browsers were remembered.
        remember(request, await accounts.lock_account(session, me.id))
        await sessions.end(session, me.id, only=me.session)
        await delivery.forget_device(session, me.id, sent.text("endpoint"))
    forget(request, SESSION_COOKIE)
    forget(request, COOKIE)
    return redirect_to("/login?done=out")


async def _require_password(request: AnyRequest, sent: RequestFields) -> None:
    """Refuse what needs the password again, unless it was sent."""
    me = views.require_person(request)
    assert me.session is not None
    await accounts.require_password(tables_of(request), me.id, sent.text("current"), me.session)


async def _change_account(
    request: AnyRequest,
    part: str,
    deed: Callable[[RequestFields, AsyncSession, Account], Awaitable[str | None]],
    *,
    proven: bool = False,
    first: Callable[[RequestFields], Awaitable[None]] | None = None,
) -> Answer:
    """Change one's account; what was refused is said in that part of the page. `first` is done before the
    transaction."""
    me, sent = views.require_person(request), await read(request)

    async def carried_out() -> Answer:
        if proven:
            await _require_password(request, sent)
        if first is not None:
            await first(sent)
        async with changing(request) as session:
            done = await deed(sent, session, await accounts.lock_account(session, me.id))
        return redirect_to(f"/account?done={done or 'saved'}")

    async def shown(error: str, status: int) -> Template:
        return await own_page(request, place=part, error=error, status=status)

    return await answer_or_form(request, carried_out, shown)


@post("/account/name", include_in_schema=False)
async def change_name(request: AnyRequest) -> Answer:
    """Another name."""

    async def deed(sent: RequestFields, session: AsyncSession, account: Account) -> None:
        await accounts.rename(session, account, sent.text("name"))

    answer = await _change_account(request, "name", deed)
    await transfer.refresh_tables(tables_of(request), who(request).id)
    return answer


@post("/account/email", include_in_schema=False)
async def change_email(request: AnyRequest) -> Answer:
    """Another address; it holds as soon as it is confirmed."""

    async def first(sent: RequestFields) -> None:
        if not views.sends_mail(request):
            raise Refused(N_("This server sends no mails."))
        email = accounts.checked_email(sent.text("email"))
        await attempts.spend(tables_of(request), attempts.LETTER, email)

    async def deed(sent: RequestFields, session: AsyncSession, account: Account) -> str:
        email = accounts.checked_email(sent.text("email"))
        await accounts.request_address(session, account, email, views.mail_context(request))
        return "sent"

    await attempts.spend(tables_of(request), attempts.ASK, views.client_network(request))
    return await _change_account(request, "email", deed, proven=True, first=first)


@post("/account/password", include_in_schema=False)
async def change_password(request: AnyRequest) -> Answer:
    """Another password. All other browsers are logged out, and this one gets a new session."""
    me, sent = views.require_person(request), await read(request)

    async def deed() -> Answer:
        await _require_password(request, sent)
        chosen = credentials.check_password(sent.text("password"), me.name, me.email)
        kept = await credentials.hash_password(chosen)
        async with changing(request) as session:
            account = await accounts.lock_account(session, me.id)
            await accounts.change_password(session, account, kept)
            await sessions.begin(request, session, account)
            await sessions.end(session, account.id, besides=views.require_person(request).session)
        return redirect_to("/account?done=saved")

    async def shown(error: str, status: int) -> Template:
        return await own_page(request, place="password", error=error, status=status)

    return await answer_or_form(request, deed, shown)


@post("/account/sessions/end", include_in_schema=False)
async def end_sessions(request: AnyRequest) -> Answer:
    """Log another browser out, or all others."""

    async def deed(sent: RequestFields, session: AsyncSession, account: Account) -> None:
        number = sent.optional_number("session")
        me = views.require_person(request)
        await sessions.end(
            session, account.id, only=number, besides=me.session if number is None else None
        )

    return await _change_account(request, "sessions", deed)


@post("/account/tokens", include_in_schema=False, status_code=HTTP_200_OK)
async def make_token(request: AnyRequest) -> Answer:
    """Make a token for programs. It is on this page and on no other."""
    me, sent = views.require_person(request), await read(request)

    async def deed() -> Answer:
        async with changing(request) as session:
            await accounts.lock_account(session, me.id)
            token = await accounts.new_api_token(session, me.id, sent.text("name"))
        return await own_page(request, place="tokens", token=token)

    async def shown(error: str, status: int) -> Template:
        return await own_page(request, place="tokens", error=error, status=status)

    return await answer_or_form(request, deed, shown)


@post("/account/tokens/remove", include_in_schema=False)
async def remove_token(request: AnyRequest) -> Answer:
    """Take a token back: whoever has it is nobody from now on."""

    async def deed(sent: RequestFields, session: AsyncSession, account: Account) -> None:
        await accounts.remove(session, ApiToken, account.id, sent.number("token"))

    return await _change_account(request, "tokens", deed)


@post("/account/invitations", include_in_schema=False, status_code=HTTP_200_OK)
async def invite(request: AnyRequest) -> Answer:
    """Invite somebody. The link is on this page and on no other."""
    me, sent = views.require_person(request), await read(request)

    async def deed() -> Answer:
        if views.registration_of(request) != accounts.INVITATION:
            raise Refused(N_("Nobody needs an invitation here."))
        async with changing(request) as session:
            await accounts.lock_account(session, me.id)
            token = await credentials.make_invitation(session, me.id, sent.text("note"))
        link = f"{base_url(request)}/register#{token}"
        return await own_page(request, place="invitations", invitation_link=link)

    async def shown(error: str, status: int) -> Template:
        return await own_page(request, place="invitations", error=error, status=status)

    return await answer_or_form(request, deed, shown)


@post("/account/invitations/remove", include_in_schema=False)
async def remove_invitation(request: AnyRequest) -> Answer:
    """Take an invitation back."""

    async def deed(sent: RequestFields, session: AsyncSession, account: Account) -> None:
        await accounts.remove(session, Invitation, account.id, sent.number("invitation"))

    return await _change_account(request, "invitations", deed)


@post("/account/delete", include_in_schema=False)
async def delete_account(request: AnyRequest) -> Answer:
    """Delete one's account. The name has to be typed, so that it is not done by mistake."""
    me, sent = views.require_person(request), await read(request)

    async def deed() -> Answer:
        if name_key(sent.text("name")) != name_key(me.name):
            raise Refused(N_("Type the name of your account to delete it."))
        await _require_password(request, sent)
        await accounts.erase(tables_of(request), me.id)
        forget(request, SESSION_COOKIE)
        forget(request, COOKIE)
        return redirect_to("/login?done=deleted")

    async def shown(error: str, status: int) -> Template:
        return await own_page(request, place="delete", error=error, status=status)

    return await answer_or_form(request, deed, shown)


@post("/account/settings", include_in_schema=False)
async def keep_settings(request: AnyRequest) -> Answer:
    """Keep with the account what was chosen for the pages in this browser."""
    me, sent = views.require_person(request), await read(request)
    async with changing(request) as session:
        account = await accounts.lock_account(session, me.id)
        account.settings = preferences.write(preferences.read(sent.text("settings")))
    return Response(None, status_code=204)


HANDLERS = [
    show_login,
    show_register,
    show_login_code,
    show_reset_code,
    show_confirm_code,
    show_account,
    download_account_data,
    show_profile,
    me,
    register,
    login,
    request_login_mail,
    login_code,
    reset,
    confirm_address,
    logout,
    change_name,
    change_email,
    change_password,
    end_sessions,
    make_token,
    remove_token,
    invite,
    remove_invitation,
    delete_account,
    keep_settings,
]

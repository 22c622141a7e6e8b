"""Account routes: log in, register, and change an account."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
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

Answer = Response[Any] | Template

#: Requests that may log someone in have a rate limit of their own.
LOGIN_COST = {"cost": gate.LOGIN}


@asynccontextmanager
async def changing(request: AnyRequest) -> AsyncIterator[AsyncSession]:
    """Open a transaction; an unavailable database becomes a refusal."""
    tables = tables_of(request)
    async with tables.refusing(), tables.database.writing() as session:
        yield session


async def answer_or_form(
    request: AnyRequest,
    operation: Callable[[], Awaitable[Answer]],
    form: Callable[..., Awaitable[Template]],
) -> Answer:
    """Run an operation; if it is refused, show the form again with the reason."""
    try:
        return await operation()
    except KursbuchError as error:
        if not wants_page(request):
            raise
        status = getattr(error, "status", 422)
        shown = await form(error=error.text(words_for(request)), status=status)
        shown.headers.update(retry_after(error))
        return shown


def redirect_to(path: str) -> Response[Any]:
    """Redirect to another page of this server."""
    return Redirect(path, status_code=HTTP_303_SEE_OTHER)


def _login_path(done: str, next_: str) -> str:
    """Return the path of the log-in page with a notice, and with the page to go on to."""
    return f"/login?{urlencode({'done': done} | ({} if next_ == '/' else {'next': next_}))}"


async def log_in_browser(request: AnyRequest, account: Account, session: AsyncSession) -> None:
    """Log this browser in, within a transaction; a new account takes over its settings."""
    if account.settings is None:
        account.settings = preferences.write(
            preferences.read(cookie_of(request, preferences.COOKIE))
        )
        account.language = language_of(request)
    await sessions.begin(request, session, account)


async def bring_along(request: AnyRequest, account: str) -> None:
    """Move the tables and time zone of this browser to the account, and forget the browser."""
    browser = browser_of(request)
    if not browser.is_new:
        session_id = views.require_person(request).session
        await transfer.move_to_account(tables_of(request), browser.id, account, session_id)
    async with changing(request) as session:
        await notification_preferences.learn_zone(session, account, cookie_of(request, ZONE_COOKIE))
    forget(request, COOKIE)


@get("/login", include_in_schema=False)
async def show_login(request: AnyRequest) -> Template | Redirect:
    """Show the log-in page."""
    wanted = safe_path(request.query_params.get("next", "/"))
    if who(request).account is not None:
        return Redirect(wanted, status_code=HTTP_303_SEE_OTHER)
    return await login_page(request, next_=wanted)


@post("/login", include_in_schema=False, opt=LOGIN_COST)
async def login(request: AnyRequest) -> Answer:
    """Log in with a password."""
    sent = await read(request)
    name, wanted = sent.text("name"), safe_path(sent.fields.get("next"))

    async def operation() -> Answer:
        views.registration_of(request)
        network = views.client_network(request)
        known = await accounts.log_in(
            tables_of(request), name, sent.text("password"), network, device_of(request)
        )
        async with changing(request) as session:
            account = await accounts.lock_account(session, known.id)
            await log_in_browser(request, account, session)
        await bring_along(request, account.id)
        return redirect_to(wanted)

    form = partial(login_page, request, next_=wanted, name=name)
    return await answer_or_form(request, operation, form)


@get("/register", include_in_schema=False)
async def show_register(request: AnyRequest) -> Template | Redirect:
    """Show the registration page."""
    views.registration_of(request)
    if who(request).account is not None:
        return Redirect("/account", status_code=HTTP_303_SEE_OTHER)
    return await register_page(request, next_=safe_path(request.query_params.get("next", "/")))


@post("/register", include_in_schema=False, opt=LOGIN_COST)
async def register(request: AnyRequest) -> Answer:
    """Register, and log this browser in at once."""
    sent = await read(request)
    new = NewAccount(*map(sent.text, ("name", "password", "email", "invitation")))
    wanted = safe_path(sent.fields.get("next"))

    async def operation() -> Answer:
        registration, tables = views.registration_of(request), tables_of(request)
        mail = views.mail_context(request) if views.sends_mail(request) else None
        await attempts.spend(tables, attempts.REGISTER, views.client_network(request))
        if mail is not None:
            await attempts.spend(tables, attempts.LETTER, accounts.checked_email(new.email))
        password = await accounts.new_password_hash(new, registration, mail is not None)
        async with changing(request) as session:
            account = await accounts.register(session, new, password, registration, mail)
            await log_in_browser(request, account, session)
        await bring_along(request, account.id)
        done = "welcome" if mail is None else "sent"
        return redirect_to(f"/account?done={done}" if wanted == "/" else wanted)

    return await answer_or_form(request, operation, partial(register_page, request, new, wanted))


@post("/login/letter", include_in_schema=False, opt=LOGIN_COST)
async def request_login_mail(request: AnyRequest) -> Answer:
    """Send a mail with a code for logging in or for choosing a new password."""
    sent = await read(request)
    wanted = safe_path(sent.fields.get("next"))

    async def operation() -> Answer:
        views.registration_of(request)
        if not views.sends_mail(request):
            raise Refused(
                N_("This server sends no mails: ask its administrator for a new password.")
            )
        kind = RESET if sent.text("want") == RESET else LOGIN
        await attempts.spend(tables_of(request), attempts.ASK, views.client_network(request))
        mail = views.mail_context(request)
        await accounts.request_code(
            tables_of(request), kind, sent.text("email"), mail, device_of(request), wanted
        )
        return redirect_to(_login_path("letter", wanted))

    return await answer_or_form(request, operation, partial(login_page, request, next_=wanted))


@get(CODE_PATHS[LOGIN], include_in_schema=False)
async def show_login_code(request: AnyRequest) -> Template:
    """Show the page for logging in with a mailed code.

    Opening the link uses nothing up, because mail scanners open links too."""
    views.registration_of(request)
    return await code_page(request, LOGIN, next_=safe_path(request.query_params.get("next")))


@post(CODE_PATHS[LOGIN], include_in_schema=False, status_code=HTTP_200_OK, opt=LOGIN_COST)
async def login_code(request: AnyRequest) -> Answer:
    """Log in with a mailed code.

    In another browser than the one that requested the mail, ask first: a stranger's link must not
    lead anyone into the wrong account."""
    sent = await read(request)
    code, wanted = sent.text("code"), safe_path(sent.fields.get("next"))

    async def operation() -> Answer:
        views.registration_of(request)
        await attempts.spend(tables_of(request), attempts.CODE, views.client_network(request))
        async with changing(request) as session:
            row = await credentials.find_code(session, LOGIN, code)
            account = await accounts.lock_account(session, str(row.account_id))
            requested_here = row.browser == hashed(who(request).id)
            if not requested_here and not sent.flag("sure"):
                return await code_page(request, LOGIN, code, account.name, next_=wanted)
            await credentials.redeem_code(session, LOGIN, code)
            await log_in_browser(request, account, session)
        await bring_along(request, account.id)
        return redirect_to(wanted)

    form = partial(code_page, request, LOGIN, next_=wanted)
    return await answer_or_form(request, operation, form)


@get(CODE_PATHS[RESET], include_in_schema=False)
async def show_reset_code(request: AnyRequest) -> Template:
    """Show the page for choosing a new password with a mailed code."""
    views.registration_of(request)
    return await code_page(request, RESET, next_=safe_path(request.query_params.get("next")))


@post(CODE_PATHS[RESET], include_in_schema=False, opt=LOGIN_COST)
async def reset(request: AnyRequest) -> Answer:
    """Choose a new password with a mailed code."""
    sent = await read(request)
    code, password = sent.text("code"), sent.text("password")
    wanted = safe_path(sent.fields.get("next"))

    async def operation() -> Answer:
        views.registration_of(request)
        await attempts.spend(tables_of(request), attempts.CODE, views.client_network(request))
        password_hash = await credentials.hash_password(credentials.check_password(password))
        async with changing(request) as session:
            account = await accounts.reset(session, code, password_hash)
            remember(request, account)
        await transfer.refresh_tables(tables_of(request), account.id)
        return redirect_to(_login_path("reset", wanted))

    form = partial(code_page, request, RESET, code, next_=wanted)
    return await answer_or_form(request, operation, form)


@get(CODE_PATHS[CONFIRM], include_in_schema=False)
async def show_confirm_code(request: AnyRequest) -> Template:
    """Show the page for confirming an address with a mailed code."""
    views.registration_of(request)
    return await code_page(request, CONFIRM)


@post(CODE_PATHS[CONFIRM], include_in_schema=False)
async def confirm_address(request: AnyRequest) -> Answer:
    """Confirm an address with a mailed code."""
    sent = await read(request)

    async def operation() -> Answer:
        views.registration_of(request)
        await attempts.spend(tables_of(request), attempts.CODE, views.client_network(request))
        async with changing(request) as session:
            await accounts.confirm(session, sent.text("code"), views.mail_context(request))
        here = who(request).account is not None
        return redirect_to("/account?done=confirmed" if here else "/login?done=confirmed")

    return await answer_or_form(request, operation, partial(code_page, request, CONFIRM))


@post("/logout", include_in_schema=False)
async def logout(request: AnyRequest) -> Answer:
    """Log out, and become an unknown browser; its script names the push `endpoint` it used."""
    me, sent = views.require_person(request), await read(request)
    async with changing(request) as session:
        # It may have logged in before browsers were remembered.
        remember(request, await accounts.lock_account(session, me.id))
        await sessions.end(session, me.id, only=me.session)
        await delivery.forget_device(session, me.id, sent.text("endpoint"))
    forget(request, SESSION_COOKIE)
    forget(request, COOKIE)
    return redirect_to("/login?done=out")


@get("/account", include_in_schema=False)
async def show_account(request: AnyRequest) -> Template | Redirect:
    """Show the visitor's own account."""
    views.registration_of(request)
    if who(request).account is None:
        return Redirect("/login?next=/account", status_code=HTTP_303_SEE_OTHER)
    return await own_page(request)


@get("/account/data.json", include_in_schema=False)
async def download_account_data(request: AnyRequest) -> Response[bytes]:
    """Download everything stored about the visitor's own account."""
    me, tables = views.require_person(request), tables_of(request)
    async with tables.refusing(), tables.database.reading() as session:
        row = await accounts.lock_account(session, me.id)
        body = msgspec.json.format(msgspec.json.encode(await export_account(session, row)))
    headers = {"content-disposition": 'attachment; filename="kursbuch-account.json"'}
    return Response(body, headers=headers, media_type="application/json")


@get("/people/{name:str}", include_in_schema=False)
async def show_profile(request: AnyRequest, name: FromPath[str]) -> Template:
    """Show the profile of a player."""
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


async def _require_password(request: AnyRequest, sent: RequestFields) -> None:
    """Require the current password for an operation that needs it again."""
    me = views.require_person(request)
    assert me.session is not None
    await accounts.require_password(tables_of(request), me.id, sent.text("current"), me.session)


async def _change_account(
    request: AnyRequest,
    part: str,
    change: Callable[[RequestFields, AsyncSession, Account], Awaitable[str | None]],
    *,
    first: Callable[[RequestFields], Awaitable[None]] | None = None,
) -> Answer:
    """Change the visitor's own account, showing a refusal in that part of the page.

    `first` runs before the transaction."""
    me, sent = views.require_person(request), await read(request)

    async def operation() -> Answer:
        if first is not None:
            await first(sent)
        async with changing(request) as session:
            done = await change(sent, session, await accounts.lock_account(session, me.id))
        return redirect_to(f"/account?done={done or 'saved'}")

    return await answer_or_form(request, operation, partial(own_page, request, place=part))


@post("/account/name", include_in_schema=False)
async def change_name(request: AnyRequest) -> Answer:
    """Change the name of the account."""

    async def change(sent: RequestFields, session: AsyncSession, account: Account) -> None:
        await accounts.rename(session, account, sent.text("name"))

    answer = await _change_account(request, "name", change)
    await transfer.refresh_tables(tables_of(request), who(request).id)
    return answer


@post("/account/email", include_in_schema=False)
async def change_email(request: AnyRequest) -> Answer:
    """Change the mail address; the new one counts once it is confirmed."""

    async def first(sent: RequestFields) -> None:
        await _require_password(request, sent)
        if not views.sends_mail(request):
            raise Refused(N_("This server sends no mails."))
        email = accounts.checked_email(sent.text("email"))
        await attempts.spend(tables_of(request), attempts.LETTER, email)

    async def change(sent: RequestFields, session: AsyncSession, account: Account) -> str:
        email = accounts.checked_email(sent.text("email"))
        await accounts.request_address(session, account, email, views.mail_context(request))
        return "sent"

    await attempts.spend(tables_of(request), attempts.ASK, views.client_network(request))
    return await _change_account(request, "email", change, first=first)


@post("/account/password", include_in_schema=False)
async def change_password(request: AnyRequest) -> Answer:
    """Change the password; all other browsers are logged out, and this one gets a new session."""
    me, sent = views.require_person(request), await read(request)

    async def operation() -> Answer:
        await _require_password(request, sent)
        chosen = credentials.check_password(sent.text("password"), me.name, me.email)
        password_hash = await credentials.hash_password(chosen)
        async with changing(request) as session:
            account = await accounts.lock_account(session, me.id)
            await accounts.change_password(session, account, password_hash)
            await sessions.begin(request, session, account)
            await sessions.end(session, account.id, besides=views.require_person(request).session)
        return redirect_to("/account?done=saved")

    return await answer_or_form(request, operation, partial(own_page, request, place="password"))


@post("/account/sessions/end", include_in_schema=False)
async def end_sessions(request: AnyRequest) -> Answer:
    """Log out another browser, or all others."""

    async def change(sent: RequestFields, session: AsyncSession, account: Account) -> None:
        number = sent.optional_number("session")
        besides = views.require_person(request).session if number is None else None
        await sessions.end(session, account.id, only=number, besides=besides)

    return await _change_account(request, "sessions", change)


@post("/account/tokens", include_in_schema=False, status_code=HTTP_200_OK)
async def make_token(request: AnyRequest) -> Answer:
    """Create an API token, shown on this page and never again."""
    me, sent = views.require_person(request), await read(request)

    async def operation() -> Answer:
        async with changing(request) as session:
            await accounts.lock_account(session, me.id)
            token = await accounts.new_api_token(session, me.id, sent.text("name"))
        return await own_page(request, place="tokens", token=token)

    return await answer_or_form(request, operation, partial(own_page, request, place="tokens"))


@post("/account/tokens/remove", include_in_schema=False)
async def remove_token(request: AnyRequest) -> Answer:
    """Revoke an API token."""

    async def change(sent: RequestFields, session: AsyncSession, account: Account) -> None:
        await accounts.remove(session, ApiToken, account.id, sent.number("token"))

    return await _change_account(request, "tokens", change)


@post("/account/invitations", include_in_schema=False, status_code=HTTP_200_OK)
async def invite(request: AnyRequest) -> Answer:
    """Create an invitation link, shown on this page and never again."""
    me, sent = views.require_person(request), await read(request)

    async def operation() -> Answer:
        if views.registration_of(request) != accounts.INVITATION:
            raise Refused(N_("No invitation is needed here."))
        async with changing(request) as session:
            await accounts.lock_account(session, me.id)
            token = await credentials.make_invitation(session, me.id, sent.text("note"))
        link = f"{base_url(request)}/register#{token}"
        return await own_page(request, place="invitations", invitation_link=link)

    return await answer_or_form(request, operation, partial(own_page, request, place="invitations"))


@post("/account/invitations/remove", include_in_schema=False)
async def remove_invitation(request: AnyRequest) -> Answer:
    """Revoke an invitation."""

    async def change(sent: RequestFields, session: AsyncSession, account: Account) -> None:
        await accounts.remove(session, Invitation, account.id, sent.number("invitation"))

    return await _change_account(request, "invitations", change)


@post("/account/delete", include_in_schema=False)
async def delete_account(request: AnyRequest) -> Answer:
    """Delete the account; its name must be typed, so that it is not deleted by mistake."""
    me, sent = views.require_person(request), await read(request)

    async def operation() -> Answer:
        if name_key(sent.text("name")) != name_key(me.name):
            raise Refused(N_("Type the name of your account to delete it."))
        await _require_password(request, sent)
        await accounts.erase(tables_of(request), me.id)
        forget(request, SESSION_COOKIE)
        forget(request, COOKIE)
        return redirect_to("/login?done=deleted")

    return await answer_or_form(request, operation, partial(own_page, request, place="delete"))


@post("/account/settings", include_in_schema=False)
async def keep_settings(request: AnyRequest) -> Answer:
    """Store the page settings of this browser with the account."""
    me, sent = views.require_person(request), await read(request)
    async with changing(request) as session:
        account = await accounts.lock_account(session, me.id)
        account.settings = preferences.write(preferences.read(sent.text("settings")))
    return Response(None, status_code=204)


API_HANDLERS = [me]
HANDLERS = [
    show_login,
    login,
    show_register,
    register,
    request_login_mail,
    show_login_code,
    login_code,
    show_reset_code,
    reset,
    show_confirm_code,
    confirm_address,
    logout,
    show_account,
    download_account_data,
    show_profile,
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

"""Routes that change accounts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlencode

from litestar import Response, post
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.accounts import attempts, codes, credentials, forms, sessions, transfer
from kursbuch.web.accounts import service as accounts
from kursbuch.web.accounts.codes import CONFIRM, LOGIN, RESET
from kursbuch.web.accounts.credentials import hashed
from kursbuch.web.accounts.devices import device_of, remember
from kursbuch.web.accounts.mails import PLACES
from kursbuch.web.accounts.models import Account, ApiToken, Invitation
from kursbuch.web.accounts.names import name_key
from kursbuch.web.accounts.pages import code_page, login_page, own_page, register_page
from kursbuch.web.accounts.service import NewAccount
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
from kursbuch.web.notifications import preferences as notification_preferences
from kursbuch.web.notifications import push

Answer = Response[Any] | Template

#: What lets people in is counted apart.
COMING_IN = {"cost": gate.LOGIN}


@asynccontextmanager
async def changing(request: AnyRequest) -> AsyncIterator[AsyncSession]:
    """A transaction."""
    tables = tables_of(request)
    async with tables.refusing(), tables.database.writing() as session:
        yield session


async def answered(
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


def to(path: str) -> Response[Any]:
    """On to another page of ours."""
    return Redirect(path, status_code=HTTP_303_SEE_OTHER)


def _login(done: str, next_: str) -> str:
    """The page for logging in after something was done, from which one goes on to another."""
    return f"/login?{urlencode({'done': done} | ({} if next_ == '/' else {'next': next_}))}"


async def enter(request: AnyRequest, account: Account, session: AsyncSession) -> None:
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
        session_id = forms.person(request).session
        await transfer.bring(tables_of(request), browser.id, account, session_id)
    async with changing(request) as session:
        await notification_preferences.learn_zone(session, account, cookie_of(request, ZONE_COOKIE))
    forget(request, COOKIE)


@post("/register", include_in_schema=False, opt=COMING_IN)
async def register(request: AnyRequest) -> Answer:
    """Register; the browser is logged in at once."""
    sent = await read(request)
    new = NewAccount(
        sent.text("name"), sent.text("password"), sent.text("email"), sent.text("invitation")
    )
    wanted = safe_path(sent.fields.get("next"))

    async def deed() -> Answer:
        registration, tables = forms.registration_of(request), tables_of(request)
        letters = forms.letters_to(request) if forms.mails(request) else None
        await attempts.spend(tables, attempts.REGISTER, forms.place_of(request))
        if letters is not None:
            await attempts.spend(tables, attempts.LETTER, accounts.checked_email(new.email))
        password = await accounts.prepared(new, registration, letters is not None)
        async with changing(request) as session:
            account = await accounts.register(session, new, password, registration, letters)
            await enter(request, account, session)
        await bring_along(request, account.id)
        done = "welcome" if letters is None else "sent"
        return to(f"/account?done={done}" if wanted == "/" else wanted)

    return await answered(
        request, deed, lambda error, status: register_page(request, new, wanted, error, status)
    )


@post("/login", include_in_schema=False, opt=COMING_IN)
async def login(request: AnyRequest) -> Answer:
    """Log in with a password."""
    sent = await read(request)
    name, wanted = sent.text("name"), safe_path(sent.fields.get("next"))

    async def deed() -> Answer:
        forms.registration_of(request)
        place = forms.place_of(request)
        known = await accounts.log_in(
            tables_of(request), name, sent.text("password"), place, device_of(request)
        )
        async with changing(request) as session:
            account = await accounts.own(session, known.id)
            await enter(request, account, session)
        await bring_along(request, account.id)
        return to(wanted)

    async def shown(error: str, status: int) -> Template:
        return login_page(request, next_=wanted, name=name, error=error, status=status)

    return await answered(request, deed, shown)


@post("/login/letter", include_in_schema=False, opt=COMING_IN)
async def ask_letter(request: AnyRequest) -> Answer:
    """Have a letter sent with which one can log in, or choose another password."""
    sent = await read(request)
    wanted = safe_path(sent.fields.get("next"))

    async def deed() -> Answer:
        forms.registration_of(request)
        if not forms.mails(request):
            raise Refused(N_("This server sends no mails: ask whoever runs it for a new password."))
        kind = RESET if sent.text("want") == RESET else LOGIN
        await attempts.spend(tables_of(request), attempts.ASK, forms.place_of(request))
        letters = forms.letters_to(request)
        await accounts.ask_code(
            tables_of(request), kind, sent.text("email"), letters, device_of(request), wanted
        )
        return to(_login("letter", wanted))

    async def shown(error: str, status: int) -> Template:
        return login_page(request, next_=wanted, error=error, status=status)

    return await answered(request, deed, shown)


@post(PLACES[LOGIN], include_in_schema=False, status_code=HTTP_200_OK, opt=COMING_IN)
async def login_code(request: AnyRequest) -> Answer:
    """Log in with the code of a letter. In another browser than the one that asked for it, it is asked
    first, so that nobody is led into somebody else's account."""
    sent = await read(request)
    code, wanted = sent.text("code"), safe_path(sent.fields.get("next"))

    async def deed() -> Answer:
        forms.registration_of(request)
        await attempts.spend(tables_of(request), attempts.CODE, forms.place_of(request))
        async with changing(request) as session:
            row = await codes.find(session, LOGIN, code)
            account = await accounts.own(session, str(row.account_id))
            asked_here = row.browser == hashed(who(request).id)
            if not asked_here and not sent.flag("sure"):
                return code_page(request, LOGIN, code=code, name=account.name, next_=wanted)
            await codes.use(session, LOGIN, code)
            await enter(request, account, session)
        await bring_along(request, account.id)
        return to(wanted)

    async def shown(error: str, status: int) -> Template:
        return code_page(request, LOGIN, error=error, status=status, next_=wanted)

    return await answered(request, deed, shown)


@post(PLACES[RESET], include_in_schema=False, opt=COMING_IN)
async def reset(request: AnyRequest) -> Answer:
    """Choose another password with the code of a letter."""
    sent = await read(request)
    code, password = sent.text("code"), sent.text("password")
    wanted = safe_path(sent.fields.get("next"))

    async def deed() -> Answer:
        forms.registration_of(request)
        await attempts.spend(tables_of(request), attempts.CODE, forms.place_of(request))
        kept = await credentials.hash_password(credentials.check_password(password))
        async with changing(request) as session:
            account = await accounts.reset(session, code, kept)
            remember(request, account)
        await transfer.show_anew(tables_of(request), account.id)
        return to(_login("reset", wanted))

    async def shown(error: str, status: int) -> Template:
        return code_page(request, RESET, code=code, error=error, status=status, next_=wanted)

    return await answered(request, deed, shown)


@post(PLACES[CONFIRM], include_in_schema=False)
async def confirm(request: AnyRequest) -> Answer:
    """Confirm an address with the code of a letter."""
    sent = await read(request)

    async def deed() -> Answer:
        forms.registration_of(request)
        await attempts.spend(tables_of(request), attempts.CODE, forms.place_of(request))
        async with changing(request) as session:
            await accounts.confirm(session, sent.text("code"), forms.letters_to(request))
        here = who(request).account is not None
        return to("/account?done=confirmed" if here else "/login?done=confirmed")

    async def shown(error: str, status: int) -> Template:
        return code_page(request, CONFIRM, error=error, status=status)

    return await answered(request, deed, shown)


@post("/logout", include_in_schema=False)
async def logout(request: AnyRequest) -> Answer:
    """Log out: what follows is a browser that nobody knows. If it was told of turns, its script says by which
    `endpoint`."""
    me, sent = forms.person(request), await read(request)
    async with changing(request) as session:
        # It may have logged in before browsers were remembered.
        remember(request, await accounts.own(session, me.id))
        await sessions.end(session, me.id, only=me.session)
        await push.forget(session, me.id, sent.text("endpoint"))
    forget(request, SESSION_COOKIE)
    forget(request, COOKIE)
    return to("/login?done=out")


async def _require_password(request: AnyRequest, sent: RequestFields) -> None:
    """Refuse what needs the password again, unless it was sent."""
    me = forms.person(request)
    assert me.session is not None
    await accounts.require_password(tables_of(request), me.id, sent.text("current"), me.session)


async def _changed(
    request: AnyRequest,
    part: str,
    deed: Callable[[RequestFields, AsyncSession, Account], Awaitable[str | None]],
    *,
    proven: bool = False,
    first: Callable[[RequestFields], Awaitable[None]] | None = None,
) -> Answer:
    """Change one's account; what was refused is said in that part of the page. `first` is done before the
    transaction."""
    me, sent = forms.person(request), await read(request)

    async def carried_out() -> Answer:
        if proven:
            await _require_password(request, sent)
        if first is not None:
            await first(sent)
        async with changing(request) as session:
            done = await deed(sent, session, await accounts.own(session, me.id))
        return to(f"/account?done={done or 'saved'}")

    async def shown(error: str, status: int) -> Template:
        return await own_page(request, place=part, error=error, status=status)

    return await answered(request, carried_out, shown)


@post("/account/name", include_in_schema=False)
async def change_name(request: AnyRequest) -> Answer:
    """Another name."""

    async def deed(sent: RequestFields, session: AsyncSession, account: Account) -> None:
        await accounts.rename(session, account, sent.text("name"))

    answer = await _changed(request, "name", deed)
    await transfer.show_anew(tables_of(request), who(request).id)
    return answer


@post("/account/email", include_in_schema=False)
async def change_email(request: AnyRequest) -> Answer:
    """Another address; it holds as soon as it is confirmed."""

    async def first(sent: RequestFields) -> None:
        if not forms.mails(request):
            raise Refused(N_("This server does not send mail."))
        email = accounts.checked_email(sent.text("email"))
        await attempts.spend(tables_of(request), attempts.LETTER, email)

    async def deed(sent: RequestFields, session: AsyncSession, account: Account) -> str:
        email = accounts.checked_email(sent.text("email"))
        await accounts.ask_address(session, account, email, forms.letters_to(request))
        return "sent"

    await attempts.spend(tables_of(request), attempts.ASK, forms.place_of(request))
    return await _changed(request, "email", deed, proven=True, first=first)


@post("/account/password", include_in_schema=False)
async def change_password(request: AnyRequest) -> Answer:
    """Another password. All other browsers are logged out, and this one gets a new session."""
    me, sent = forms.person(request), await read(request)

    async def deed() -> Answer:
        await _require_password(request, sent)
        chosen = credentials.check_password(sent.text("password"), me.name, me.email)
        kept = await credentials.hash_password(chosen)
        async with changing(request) as session:
            account = await accounts.own(session, me.id)
            await accounts.change_password(session, account, kept)
            await sessions.begin(request, session, account)
            await sessions.end(session, account.id, besides=forms.person(request).session)
        return to("/account?done=saved")

    async def shown(error: str, status: int) -> Template:
        return await own_page(request, place="password", error=error, status=status)

    return await answered(request, deed, shown)


@post("/account/sessions/end", include_in_schema=False)
async def end_sessions(request: AnyRequest) -> Answer:
    """Log another browser out, or all others."""

    async def deed(sent: RequestFields, session: AsyncSession, account: Account) -> None:
        number = sent.optional_number("session")
        me = forms.person(request)
        await sessions.end(
            session, account.id, only=number, besides=me.session if number is None else None
        )

    return await _changed(request, "sessions", deed)


@post("/account/tokens", include_in_schema=False, status_code=HTTP_200_OK)
async def make_token(request: AnyRequest) -> Answer:
    """Make a token for programs. It is on this page and on no other."""
    me, sent = forms.person(request), await read(request)

    async def deed() -> Answer:
        async with changing(request) as session:
            await accounts.own(session, me.id)
            token = await accounts.new_api_token(session, me.id, sent.text("name"))
        return await own_page(request, place="tokens", token=token)

    async def shown(error: str, status: int) -> Template:
        return await own_page(request, place="tokens", error=error, status=status)

    return await answered(request, deed, shown)


@post("/account/tokens/remove", include_in_schema=False)
async def remove_token(request: AnyRequest) -> Answer:
    """Take a token back: whoever has it is nobody from now on."""

    async def deed(sent: RequestFields, session: AsyncSession, account: Account) -> None:
        await accounts.remove(session, ApiToken, account.id, sent.number("token"))

    return await _changed(request, "tokens", deed)


@post("/account/invitations", include_in_schema=False, status_code=HTTP_200_OK)
async def invite(request: AnyRequest) -> Answer:
    """Invite somebody. The link is on this page and on no other."""
    me, sent = forms.person(request), await read(request)

    async def deed() -> Answer:
        if forms.registration_of(request) != accounts.INVITATION:
            raise Refused(N_("Nobody needs an invitation here."))
        async with changing(request) as session:
            await accounts.own(session, me.id)
            token = await codes.invite(session, me.id, sent.text("note"))
        link = f"{base_url(request)}/register#{token}"
        return await own_page(request, place="invitations", invitation_link=link)

    async def shown(error: str, status: int) -> Template:
        return await own_page(request, place="invitations", error=error, status=status)

    return await answered(request, deed, shown)


@post("/account/invitations/remove", include_in_schema=False)
async def remove_invitation(request: AnyRequest) -> Answer:
    """Take an invitation back."""

    async def deed(sent: RequestFields, session: AsyncSession, account: Account) -> None:
        await accounts.remove(session, Invitation, account.id, sent.number("invitation"))

    return await _changed(request, "invitations", deed)


@post("/account/delete", include_in_schema=False)
async def delete_account(request: AnyRequest) -> Answer:
    """Delete one's account. The name has to be typed, so that it is not done by mistake."""
    me, sent = forms.person(request), await read(request)

    async def deed() -> Answer:
        if name_key(sent.text("name")) != name_key(me.name):
            raise Refused(N_("Type the name of your account to delete it."))
        await _require_password(request, sent)
        await accounts.erase(tables_of(request), me.id)
        forget(request, SESSION_COOKIE)
        forget(request, COOKIE)
        return to("/login?done=deleted")

    async def shown(error: str, status: int) -> Template:
        return await own_page(request, place="delete", error=error, status=status)

    return await answered(request, deed, shown)


@post("/account/settings", include_in_schema=False)
async def keep_settings(request: AnyRequest) -> Answer:
    """Keep with the account what was chosen for the pages in this browser."""
    me, sent = forms.person(request), await read(request)
    async with changing(request) as session:
        account = await accounts.own(session, me.id)
        account.settings = preferences.write(preferences.read(sent.text("settings")))
    return Response(None, status_code=204)


HANDLERS = [
    register,
    login,
    ask_letter,
    login_code,
    reset,
    confirm,
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

"""Routes for administrators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar import Response, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from kursbuch.core.words import N_
from kursbuch.web.admin import accounts, bulletins, keys, tables
from kursbuch.web.admin.bulletins import CLOSED_COOKIE, with_closed
from kursbuch.web.admin.pages import accounts_page, actor_of
from kursbuch.web.admin.views import SurePage, sure_line
from kursbuch.web.http.errors import NotFound, Refused
from kursbuch.web.http.requests import (
    AnyRequest,
    RequestFields,
    read,
    safe_path,
    tables_of,
    words_for,
)
from kursbuch.web.http.security import cookie_of, make_cookie
from kursbuch.web.http.templating import page
from kursbuch.web.tables.play_routes import done

Answer = Response[Any] | Template


def back_to(path: str) -> Response[Any]:
    """Back to the page on which something was done."""
    return Redirect(f"{path}?done=1", status_code=HTTP_303_SEE_OTHER)


def sure(
    request: AnyRequest,
    sent: RequestFields,
    question: str,
    button: str,
    back: str,
    lines: Sequence[str] = (),
) -> Template:
    """Ask before something that cannot be undone; the answer brings the same fields."""
    given = [(name, value) for name, value in sent.fields.items() if isinstance(value, str)]
    struct = SurePage(
        question=question,
        lines=list(lines),
        button=button,
        action=request.url.path,
        fields=[*given, ("sure", "1")],
        back=back,
    )
    return page(request, "sure.html", struct, words_for(request))


@post("/admin/announce", include_in_schema=False)
async def announce(request: AnyRequest) -> Answer:
    """Show a message on every page."""
    actor, sent = actor_of(request), await read(request)
    await bulletins.announce(tables_of(request), actor, sent.text("text"), sent.number("hours"))
    await request.app.state.standing.refresh()
    return back_to("/admin")


@post("/admin/withdraw", include_in_schema=False)
async def withdraw(request: AnyRequest) -> Answer:
    """Show a message no more."""
    actor, sent = actor_of(request), await read(request)
    await bulletins.withdraw(tables_of(request), actor, sent.number("number"))
    await request.app.state.standing.refresh()
    return back_to("/admin")


@post("/admin/clean", include_in_schema=False, status_code=HTTP_200_OK)
async def clean(request: AnyRequest) -> Answer:
    """Delete tables that have been over or asleep for so many days, after they have been shown."""
    actor, sent, words = actor_of(request), await read(request), words_for(request)
    days = {name: sent.optional_number(name) for name in ("finished", "asleep")}
    if any(given is not None and given < 1 for given in days.values()):
        raise Refused(N_("It must be at least one day."))
    if sent.flag("sure"):
        await tables.clean(tables_of(request), actor, **days)
        return back_to("/admin")
    found = await tables.old(tables_of(request), **days)
    if not found:
        raise NotFound(N_("There are no such tables."))
    question = words.ngettext(
        "Delete {n} table for ever?", "Delete {n} tables for ever?", len(found)
    )
    lines = [sure_line(words, line) for line in found]
    return sure(request, sent, question, words._("Delete"), "/admin", lines)


@post("/admin/rotate", include_in_schema=False, status_code=HTTP_200_OK)
async def rotate(request: AnyRequest) -> Answer:
    """Sign cookies with another key."""
    actor, sent, words = actor_of(request), await read(request), words_for(request)
    request.app.state.standing.require_own_keys()
    days = sent.number("grace")
    if not 0 <= days <= keys.MOST_GRACE:
        raise Refused(N_("It must be 0 to {most} days."), most=keys.MOST_GRACE)
    if sent.flag("sure"):
        await keys.rotate(tables_of(request), actor, days)
        await request.app.state.standing.refresh()
        return back_to("/admin")
    question = words.ngettext(
        "Use a new key from now on? Browsers without account that are away for {n} day lose their seats.",
        "Use a new key from now on? Browsers without account that are away for {n} days lose their seats.",
        days,
    )
    return sure(request, sent, question, words._("Change the key"), "/admin")


@post("/admin/tables/{deed:str}", include_in_schema=False, status_code=HTTP_200_OK)
async def table_deed(request: AnyRequest, deed: FromPath[str]) -> Answer:
    """Close or delete a table."""
    actor, sent, words = actor_of(request), await read(request), words_for(request)
    table_id, back = sent.text("table")[:16], "/admin/tables"
    if deed not in ("close", "delete"):
        raise NotFound(N_("This page does not exist."))
    if sent.flag("sure"):
        act = tables.close if deed == "close" else tables.delete_one
        await act(tables_of(request), actor, table_id)
        return back_to(back)
    lines = [sure_line(words, await tables.line(tables_of(request), table_id))]
    if deed == "close":
        question, button = words._("End this table without a result?"), words._("Close")
    else:
        question, button = words._("Delete this table for ever?"), words._("Delete")
    return sure(request, sent, question, button, back, lines)


@post("/admin/accounts/create", include_in_schema=False, status_code=HTTP_200_OK)
async def create_account(request: AnyRequest) -> Answer:
    """Make an account; the link with which its password is chosen is on this page and no other."""
    actor, sent = actor_of(request), await read(request)
    name = sent.text("name")
    path = await accounts.create(tables_of(request), actor, name, sent.text("email"))
    return await accounts_page(request, path=path, path_for=name)


@post("/admin/accounts/reset", include_in_schema=False, status_code=HTTP_200_OK)
async def reset_account(request: AnyRequest) -> Answer:
    """Make a link for another password; it is on this page and no other."""
    actor, sent = actor_of(request), await read(request)
    path = await accounts.reset(tables_of(request), actor, sent.text("account"))
    return await accounts_page(request, path=path, path_for=sent.text("name"))


@post("/admin/accounts/{deed:str}", include_in_schema=False, status_code=HTTP_200_OK)
async def account_deed(request: AnyRequest, deed: FromPath[str]) -> Answer:
    """Shut an account out, let it in again, make it an administrator or not, delete it."""
    actor, sent, words = actor_of(request), await read(request), words_for(request)
    all_, account, name = tables_of(request), sent.text("account"), sent.text("name")
    questions = {
        "close": (N_("Shut {name} out, until you open the account again?"), N_("Shut out")),
        "open": (N_("Let {name} in again?"), N_("Open again")),
        "promote": (N_("Make {name} an administrator, who can do all of this?"), N_("Make one")),
        "demote": (N_("Let {name} be an administrator no more?"), N_("Take it away")),
        "delete": (
            N_("Delete the account of {name} for ever? Others can take its seats."),
            N_("Delete"),
        ),
    }
    if deed not in questions:
        raise NotFound(N_("This page does not exist."))
    if not sent.flag("sure"):
        question, button = questions[deed]
        asked = words._(question, name=name)
        return sure(request, sent, asked, words._(button), "/admin/accounts")
    match deed:
        case "close":
            await accounts.close(all_, actor, account)
        case "open":
            await accounts.reopen(all_, actor, account)
        case "delete":
            await accounts.erase(all_, actor, account)
        case _:
            await accounts.set_admin(all_, actor, account, deed == "promote")
    return back_to("/admin/accounts")


@post("/admin/invite", include_in_schema=False, status_code=HTTP_200_OK)
async def invite(request: AnyRequest) -> Answer:
    """Invite somebody; the link is on this page and no other."""
    actor, sent = actor_of(request), await read(request)
    path = await accounts.invite(tables_of(request), actor, sent.text("note"))
    return await accounts_page(request, path=path, path_for=sent.text("note"))


@post("/admin/revoke", include_in_schema=False)
async def revoke(request: AnyRequest) -> Answer:
    """Take an invitation back."""
    actor, sent = actor_of(request), await read(request)
    await accounts.revoke(tables_of(request), actor, sent.number("number"))
    return back_to("/admin/accounts")


@post("/announcements/{number:int}/close", include_in_schema=False)
async def close_bulletin(request: AnyRequest, number: FromPath[int]) -> Response[Any]:
    """Show an announcement in this browser no more."""
    target = safe_path((await read(request)).fields.get("next"))
    answer = done(request, target)
    closed = with_closed(cookie_of(request, CLOSED_COOKIE), number)
    answer.set_cookie(make_cookie(request, CLOSED_COOKIE, closed))
    return answer


HANDLERS = [
    announce,
    withdraw,
    clean,
    rotate,
    table_deed,
    create_account,
    reset_account,
    account_deed,
    invite,
    revoke,
    close_bulletin,
]

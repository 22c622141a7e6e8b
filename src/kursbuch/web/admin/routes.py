"""Admin pages and their routes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER
from sqlalchemy import func, select

import kursbuch
from kursbuch.core.words import N_, Words
from kursbuch.web.accounts import views
from kursbuch.web.accounts.models import Account, Invitation
from kursbuch.web.admin import accounts, audit, bulletins, keys, status_text, tables
from kursbuch.web.admin.accounts import AccountLine
from kursbuch.web.admin.audit import Actor
from kursbuch.web.admin.bulletins import CLOSED_COOKIE, with_closed
from kursbuch.web.admin.models import AuditLine, Bulletin
from kursbuch.web.admin.status import collect_status
from kursbuch.web.admin.status_text import StatusGroup
from kursbuch.web.admin.tables import AdminTableLine
from kursbuch.web.db.models import Table
from kursbuch.web.http.errors import Forbidden, NotFound, Refused
from kursbuch.web.http.operations import done
from kursbuch.web.http.requests import (
    AnyRequest,
    RequestFields,
    base_url,
    read,
    safe_path,
    tables_of,
    words_for,
)
from kursbuch.web.http.security import cookie_of, make_cookie
from kursbuch.web.http.templating import page
from kursbuch.web.labels import Fact, ago, format_size, format_time
from kursbuch.web.tables.policies import CLOSED, FINISHED, LOBBY, RUNNING


class AdminPage(msgspec.Struct, frozen=True, kw_only=True):
    """admin.html, showing the part named by `place`: now, status, tables, accounts or log.

    `earlier` and `later` are the addresses of the neighbouring pages of a list. `link` was just
    created for `link_for`."""

    place: str
    notice: str = ""
    link: str = ""
    link_for: str = ""
    facts: list[Fact] = []
    problems: list[str] = []
    groups: list[StatusGroup] = []
    errors: list[str] = []
    bulletins: list[AdminBulletin] = []
    tables: list[AdminTable] = []
    accounts: list[AdminAccount] = []
    invitations: list[AdminInvitation] = []
    log: list[AuditEntry] = []
    count: str = ""
    query: str = ""
    status: str = ""
    statuses: list[tuple[str, str]] = []
    by_size: bool = False
    earlier: str = ""
    later: str = ""


class SurePage(msgspec.Struct, frozen=True):
    """sure.html: asks before something irreversible; `lines` are affected, and `fields` are sent
    again with the answer."""

    question: str
    lines: list[str]
    button: str
    action: str
    fields: list[tuple[str, str]]
    back: str


STATUSES = {
    "": N_("all"),
    LOBBY: N_("waiting"),
    RUNNING: N_("in progress"),
    FINISHED: N_("finished"),
    CLOSED: N_("closed"),
}


class AdminTable(msgspec.Struct, frozen=True):
    """A table in the list; an `open` one can be closed."""

    id: str
    url: str
    title_name: str
    status: str
    open: bool
    players: str
    moves: int
    size: str
    updated: str


def table_line(words: Words, line: AdminTableLine) -> AdminTable:
    """Describe a table in the list."""
    title = kursbuch.titles().get(line.title)
    return AdminTable(
        id=line.id,
        url=f"/t/{line.id}",
        title_name=title.name if title else line.title,
        status=words._(STATUSES[line.status]),
        open=line.status in (LOBBY, RUNNING),
        players=", ".join(line.players),
        moves=line.moves,
        size=format_size(line.bytes, words),
        updated=ago(words, line.updated_at),
    )


def sure_line(words: Words, line: AdminTableLine) -> str:
    """Describe a table that is about to be deleted."""
    shown = table_line(words, line)
    return f"{shown.title_name} · {shown.players or shown.id} · {shown.status} · {shown.updated}"


class AdminAccount(msgspec.Struct, frozen=True):
    """An account in the list; little can be done to one's own (`mine`)."""

    id: str
    name: str
    email: str
    admin: bool
    closed: bool
    mine: bool
    seats: int
    seen: str


def account_line(words: Words, line: AccountLine, me: str) -> AdminAccount:
    """Describe an account in the list."""
    return AdminAccount(
        id=line.id,
        name=line.name,
        email=line.email or "",
        admin=line.admin,
        closed=line.closed_at is not None,
        mine=line.id == me,
        seats=line.seats,
        seen=ago(words, line.seen_at) if line.seen_at else "",
    )


class AdminBulletin(msgspec.Struct, frozen=True):
    """A current announcement."""

    number: int
    text: str
    until: str


def bulletin_lines(bulletins: Sequence[Bulletin]) -> list[AdminBulletin]:
    """Describe the current announcements."""
    return [AdminBulletin(one.id, one.text, format_time(one.until)) for one in bulletins]


class AdminInvitation(msgspec.Struct, frozen=True):
    """An open invitation."""

    number: int
    note: str
    made: str


def invitation_lines(words: Words, found: Sequence[Invitation]) -> list[AdminInvitation]:
    """Describe the open invitations."""
    return [AdminInvitation(one.id, one.note, ago(words, one.created_at)) for one in found]


class AuditEntry(msgspec.Struct, frozen=True):
    """An entry of the audit log."""

    when: str
    who: str
    what: str


def audit_entries(words: Words, found: Sequence[AuditLine]) -> list[AuditEntry]:
    """Describe the entries of the audit log."""
    return [
        AuditEntry(
            format_time(one.done_at),
            one.name if one.actor else words._("{name} (command line)", name=one.name),
            audit.sentence(one, words),
        )
        for one in found
    ]


def neighbour_pages(
    path: str, offset: int, limit: int, count: int, **query: str
) -> tuple[str, str]:
    """Return the addresses of the previous and next page, empty where there is none."""

    def address(start: int) -> str:
        given = {name: value for name, value in query.items() if value}
        return f"{path}?{urlencode({**given, 'from': start})}"

    return (
        address(max(0, offset - limit)) if offset > 0 else "",
        address(offset + limit) if offset + limit < count else "",
    )


#: Maximum length of a search.
MAX_QUERY = 60


def actor_of(request: AnyRequest) -> Actor:
    """Return the administrator who asks, logged in with this browser."""
    person = views.require_person(request)
    if not person.admin:
        raise Forbidden(N_("Only administrators can do this."))
    return Actor(person.id, person.name)


def _notice(request: AnyRequest) -> str:
    return words_for(request)._("Done.") if "done" in request.query_params else ""


def _offset(request: AnyRequest) -> int:
    given = request.query_params.get("from", "")
    return int(given) if given.isdecimal() and len(given) < 9 else 0


@get("/admin", include_in_schema=False)
async def show_server(request: AnyRequest) -> Template:
    """Show the state of the server, announcements and old tables."""
    actor_of(request)
    words, all_ = words_for(request), tables_of(request)
    async with all_.refusing(), all_.database.reading() as session:
        counted = await session.execute(select(Table.status, func.count()).group_by(Table.status))
        counts = {row.status: int(row[-1]) for row in counted}
        people = await session.scalar(select(func.count()).select_from(Account)) or 0
        shown = await bulletins.shown_bulletins(session)
    taken = format_size(await all_.database.bytes(), words)
    facts = [
        Fact(words._("Games in progress"), str(counts.get(RUNNING, 0))),
        Fact(words._("Tables waiting for players"), str(counts.get(LOBBY, 0))),
        Fact(words._("Finished games"), str(counts.get(FINISHED, 0))),
        Fact(words._("Accounts"), str(people)),
        Fact(words._("Database size"), taken),
    ]
    struct = AdminPage(
        place="now",
        notice=_notice(request),
        facts=facts,
        bulletins=bulletin_lines(shown),
    )
    return page(request, "admin.html", struct, words)


@get("/admin/status", include_in_schema=False)
async def show_status(request: AnyRequest) -> Template:
    """Show the state of the server, what is wrong and what to do."""
    actor_of(request)
    words = words_for(request)
    own = await request.app.state.reports.report()
    status = await collect_status(tables_of(request).database, own)
    struct = AdminPage(
        place="status",
        problems=[problem.sentence.text(words) for problem in status.problems],
        groups=status_text.groups(status, words),
        errors=status_text.error_lines(status),
    )
    return page(request, "admin.html", struct, words)


@get("/admin/tables", include_in_schema=False)
async def show_tables(request: AnyRequest) -> Template:
    """Show all tables."""
    actor_of(request)
    words, params, offset = words_for(request), request.query_params, _offset(request)
    status = params.get("status", "") if params.get("status") in STATUSES else ""
    query, sort = params.get("q", "").strip()[:MAX_QUERY], params.get("sort", "")
    found = await tables.listed(
        tables_of(request), status=status, query=query, by_size=sort == "size", offset=offset
    )
    earlier, later = neighbour_pages(
        "/admin/tables", offset, tables.PAGE, found.count, status=status, q=query, sort=sort
    )
    struct = AdminPage(
        place="tables",
        notice=_notice(request),
        tables=[table_line(words, line) for line in found.lines],
        count=words.ngettext("{n} table", "{n} tables", found.count),
        query=query,
        status=status,
        statuses=[(name, words._(label)) for name, label in STATUSES.items()],
        by_size=sort == "size",
        earlier=earlier,
        later=later,
    )
    return page(request, "admin.html", struct, words)


@get("/admin/accounts", include_in_schema=False)
async def show_accounts(request: AnyRequest) -> Template:
    """Show all accounts and open invitations."""
    return await accounts_page(request)


async def accounts_page(request: AnyRequest, path: str = "", path_for: str = "") -> Template:
    """Show all accounts, with a link that was just created."""
    me, words, all_ = actor_of(request), words_for(request), tables_of(request)
    query, offset = request.query_params.get("q", "").strip()[:MAX_QUERY], _offset(request)
    found = await accounts.listed(all_, query=query, offset=offset)
    earlier, later = neighbour_pages("/admin/accounts", offset, accounts.PAGE, found.count, q=query)
    struct = AdminPage(
        place="accounts",
        notice=_notice(request),
        link=f"{base_url(request)}{path}" if path else "",
        link_for=path_for,
        accounts=[account_line(words, line, me.id) for line in found.lines],
        invitations=invitation_lines(words, await accounts.invitations(all_)),
        count=words.ngettext("{n} account", "{n} accounts", found.count),
        query=query,
        earlier=earlier,
        later=later,
    )
    return page(request, "admin.html", struct, words)


@get("/admin/log", include_in_schema=False)
async def show_log(request: AnyRequest) -> Template:
    """Show the audit log."""
    actor_of(request)
    words, all_ = words_for(request), tables_of(request)
    async with all_.refusing(), all_.database.reading() as session:
        found = await audit.audit_lines(session)
    struct = AdminPage(place="log", log=audit_entries(words, found))
    return page(request, "admin.html", struct, words)


Answer = Response[Any] | Template


def redirect_back(path: str) -> Response[Any]:
    """Redirect to the page on which something was done."""
    return Redirect(f"{path}?done=1", status_code=HTTP_303_SEE_OTHER)


def confirmation_page(
    request: AnyRequest,
    sent: RequestFields,
    question: str,
    button: str,
    back: str,
    lines: Sequence[str] = (),
) -> Template:
    """Ask before something irreversible; the answer sends the same fields again."""
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
    """Publish an announcement."""
    actor, sent = actor_of(request), await read(request)
    await bulletins.announce(tables_of(request), actor, sent.text("text"), sent.number("hours"))
    await request.app.state.standing.refresh()
    return redirect_back("/admin")


@post("/admin/withdraw", include_in_schema=False)
async def withdraw(request: AnyRequest) -> Answer:
    """Withdraw an announcement."""
    actor, sent = actor_of(request), await read(request)
    await bulletins.withdraw(tables_of(request), actor, sent.number("number"))
    await request.app.state.standing.refresh()
    return redirect_back("/admin")


@post("/admin/clean", include_in_schema=False, status_code=HTTP_200_OK)
async def clean(request: AnyRequest) -> Answer:
    """Delete finished or inactive tables, after showing them."""
    actor, sent, words = actor_of(request), await read(request), words_for(request)
    days = {name: sent.optional_number(name) for name in ("finished", "asleep")}
    if any(given is not None and given < 1 for given in days.values()):
        raise Refused(N_("Enter at least one day."))
    if sent.flag("sure"):
        await tables.clean(tables_of(request), actor, **days)
        return redirect_back("/admin")
    found = await tables.old_tables(tables_of(request), **days)
    if not found:
        raise NotFound(N_("There are no such tables."))
    question = words.ngettext(
        "Permanently delete {n} table?", "Permanently delete {n} tables?", len(found)
    )
    lines = [sure_line(words, line) for line in found]
    return confirmation_page(request, sent, question, words._("Delete"), "/admin", lines)


@post("/admin/rotate", include_in_schema=False, status_code=HTTP_200_OK)
async def rotate(request: AnyRequest) -> Answer:
    """Change the key that signs cookies."""
    actor, sent, words = actor_of(request), await read(request), words_for(request)
    request.app.state.standing.require_own_keys()
    days = sent.number("grace")
    if not 0 <= days <= keys.MAX_GRACE:
        raise Refused(N_("Enter 0 to {most} days."), most=keys.MAX_GRACE)
    if sent.flag("sure"):
        await keys.rotate_keys(tables_of(request), actor, days)
        await request.app.state.standing.refresh()
        return redirect_back("/admin")
    question = words.ngettext(
        "Use a new key from now on? Players without an account who stay away for {n} day lose "
        "their seats.",
        "Use a new key from now on? Players without an account who stay away for {n} days lose "
        "their seats.",
        days,
    )
    return confirmation_page(request, sent, question, words._("Change the key"), "/admin")


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
        return redirect_back(back)
    lines = [sure_line(words, await tables.line(tables_of(request), table_id))]
    if deed == "close":
        question, button = words._("End this game without a result?"), words._("Close")
    else:
        question, button = words._("Permanently delete this table?"), words._("Delete")
    return confirmation_page(request, sent, question, button, back, lines)


@post("/admin/accounts/create", include_in_schema=False, status_code=HTTP_200_OK)
async def create_account(request: AnyRequest) -> Answer:
    """Create an account; the link for its password is shown once."""
    actor, sent = actor_of(request), await read(request)
    name = sent.text("name")
    path = await accounts.create(tables_of(request), actor, name, sent.text("email"))
    return await accounts_page(request, path=path, path_for=name)


@post("/admin/accounts/reset", include_in_schema=False, status_code=HTTP_200_OK)
async def reset_account(request: AnyRequest) -> Answer:
    """Create a link for a new password; it is shown once."""
    actor, sent = actor_of(request), await read(request)
    path = await accounts.reset(tables_of(request), actor, sent.text("account"))
    return await accounts_page(request, path=path, path_for=sent.text("name"))


@post("/admin/accounts/{deed:str}", include_in_schema=False, status_code=HTTP_200_OK)
async def account_deed(request: AnyRequest, deed: FromPath[str]) -> Answer:
    """Suspend, reopen, promote, demote or delete an account."""
    actor, sent, words = actor_of(request), await read(request), words_for(request)
    all_, account, name = tables_of(request), sent.text("account"), sent.text("name")
    questions = {
        "close": (N_("Suspend the account of {name} until you reopen it?"), N_("Suspend")),
        "open": (N_("Reopen the account of {name}?"), N_("Reopen")),
        "promote": (
            N_("Make {name} an administrator, with access to these pages?"),
            N_("Grant rights"),
        ),
        "demote": (N_("Remove {name} as an administrator?"), N_("Remove rights")),
        "delete": (
            N_("Permanently delete the account of {name}? Others can take over their seats."),
            N_("Delete"),
        ),
    }
    if deed not in questions:
        raise NotFound(N_("This page does not exist."))
    if not sent.flag("sure"):
        question, button = questions[deed]
        asked = words._(question, name=name)
        return confirmation_page(request, sent, asked, words._(button), "/admin/accounts")
    match deed:
        case "close":
            await accounts.close(all_, actor, account)
        case "open":
            await accounts.reopen(all_, actor, account)
        case "delete":
            await accounts.erase(all_, actor, account)
        case _:
            await accounts.set_admin(all_, actor, account, deed == "promote")
    return redirect_back("/admin/accounts")


@post("/admin/invite", include_in_schema=False, status_code=HTTP_200_OK)
async def invite(request: AnyRequest) -> Answer:
    """Create an invitation; its link is shown once."""
    actor, sent = actor_of(request), await read(request)
    path = await accounts.invite(tables_of(request), actor, sent.text("note"))
    return await accounts_page(request, path=path, path_for=sent.text("note"))


@post("/admin/revoke", include_in_schema=False)
async def revoke(request: AnyRequest) -> Answer:
    """Revoke an invitation."""
    actor, sent = actor_of(request), await read(request)
    await accounts.revoke(tables_of(request), actor, sent.number("number"))
    return redirect_back("/admin/accounts")


@post("/announcements/{number:int}/close", include_in_schema=False)
async def close_bulletin(request: AnyRequest, number: FromPath[int]) -> Response[Any]:
    """Hide an announcement in this browser."""
    target = safe_path((await read(request)).fields.get("next"))
    answer = done(request, target)
    closed = with_closed(cookie_of(request, CLOSED_COOKIE), number)
    answer.set_cookie(make_cookie(request, CLOSED_COOKIE, closed))
    return answer

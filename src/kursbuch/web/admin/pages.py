"""Routes that show admin pages."""

from __future__ import annotations

from litestar import get
from litestar.response import Template
from sqlalchemy import func, select

from kursbuch.core.words import N_
from kursbuch.web.accounts import forms
from kursbuch.web.accounts.models import Account
from kursbuch.web.admin import accounts, audit, bulletins, tables
from kursbuch.web.admin import views as present
from kursbuch.web.admin.audit import Actor
from kursbuch.web.admin.views import AdminPage
from kursbuch.web.db.models import Table
from kursbuch.web.http.errors import Forbidden
from kursbuch.web.http.requests import AnyRequest, base_url, tables_of, words_for
from kursbuch.web.http.templating import page
from kursbuch.web.labels import Fact
from kursbuch.web.tables.policies import FINISHED, LOBBY, RUNNING

#: So much of a search is read.
MOST_QUERY = 60


def actor_of(request: AnyRequest) -> Actor:
    """Whoever asks, who must be an administrator and logged in with this browser."""
    person = forms.person(request)
    if not person.admin:
        raise Forbidden(N_("Only administrators can do that."))
    return Actor(person.id, person.name)


def _notice(request: AnyRequest) -> str:
    return words_for(request)._("It is done.") if "done" in request.query_params else ""


def _offset(request: AnyRequest) -> int:
    given = request.query_params.get("from", "")
    return int(given) if given.isdecimal() and len(given) < 9 else 0


@get("/admin", include_in_schema=False)
async def admin(request: AnyRequest) -> Template:
    """How the server is, messages to everybody, what is old."""
    actor_of(request)
    words, all_ = words_for(request), tables_of(request)
    async with all_.refusing(), all_.database.reading() as session:
        counted = await session.execute(select(Table.status, func.count()).group_by(Table.status))
        counts = {row.status: int(row[-1]) for row in counted}
        people = await session.scalar(select(func.count()).select_from(Account)) or 0
        shown = await bulletins.shown(session)
    taken = present.size(await all_.database.bytes(), words)
    facts = [
        Fact(words._("Tables being played"), str(counts.get(RUNNING, 0))),
        Fact(words._("Tables that wait for players"), str(counts.get(LOBBY, 0))),
        Fact(words._("Finished games"), str(counts.get(FINISHED, 0))),
        Fact(words._("Accounts"), str(people)),
        Fact(words._("The database takes"), taken),
    ]
    struct = AdminPage(
        place="now",
        notice=_notice(request),
        facts=facts,
        bulletins=present.bulletin_lines(shown),
    )
    return page(request, "admin.html", struct, words)


@get("/admin/tables", include_in_schema=False)
async def admin_tables(request: AnyRequest) -> Template:
    """All tables."""
    actor_of(request)
    words, params, offset = words_for(request), request.query_params, _offset(request)
    status = params.get("status", "") if params.get("status") in present.STATUSES else ""
    query, sort = params.get("q", "").strip()[:MOST_QUERY], params.get("sort", "")
    found = await tables.listed(
        tables_of(request), status=status, query=query, by_size=sort == "size", offset=offset
    )
    earlier, later = present.other_pages(
        "/admin/tables", offset, tables.PAGE, found.count, status=status, q=query, sort=sort
    )
    struct = AdminPage(
        place="tables",
        notice=_notice(request),
        tables=[present.table_line(words, line) for line in found.lines],
        count=words.ngettext("{n} table", "{n} tables", found.count),
        query=query,
        status=status,
        statuses=[(name, words._(label)) for name, label in present.STATUSES.items()],
        by_size=sort == "size",
        earlier=earlier,
        later=later,
    )
    return page(request, "admin.html", struct, words)


@get("/admin/accounts", include_in_schema=False)
async def admin_accounts(request: AnyRequest) -> Template:
    """All accounts, and the invitations that nobody has used."""
    return await accounts_page(request)


async def accounts_page(request: AnyRequest, path: str = "", path_for: str = "") -> Template:
    """All accounts, with the link to a path that was just made for somebody."""
    me, words, all_ = actor_of(request), words_for(request), tables_of(request)
    query, offset = request.query_params.get("q", "").strip()[:MOST_QUERY], _offset(request)
    found = await accounts.listed(all_, query=query, offset=offset)
    earlier, later = present.other_pages(
        "/admin/accounts", offset, accounts.PAGE, found.count, q=query
    )
    struct = AdminPage(
        place="accounts",
        notice=_notice(request),
        link=f"{base_url(request)}{path}" if path else "",
        link_for=path_for,
        accounts=[present.account_line(words, line, me.id) for line in found.lines],
        invitations=present.invitation_lines(words, await accounts.invitations(all_)),
        count=words.ngettext("{n} account", "{n} accounts", found.count),
        query=query,
        earlier=earlier,
        later=later,
    )
    return page(request, "admin.html", struct, words)


@get("/admin/log", include_in_schema=False)
async def admin_log(request: AnyRequest) -> Template:
    """What was done by whom."""
    actor_of(request)
    words, all_ = words_for(request), tables_of(request)
    async with all_.refusing(), all_.database.reading() as session:
        found = await audit.lines(session)
    struct = AdminPage(place="log", log=present.log_lines(words, found))
    return page(request, "admin.html", struct, words)


HANDLERS = [
    admin,
    admin_tables,
    admin_accounts,
    admin_log,
]

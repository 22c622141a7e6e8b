"""Routes of the start page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import File, Redirect, Template
from litestar.status_codes import HTTP_303_SEE_OTHER

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import LANGUAGES, N_, Words
from kursbuch.web.accounts.service import keep_language
from kursbuch.web.home.views import home_page, picture, wanted
from kursbuch.web.http.errors import NotFound, Refused, Unavailable
from kursbuch.web.http.operations import done
from kursbuch.web.http.requests import (
    TABLE_CODE,
    AnyRequest,
    read,
    removed_tables,
    safe_path,
    tables_of,
    who,
    words_for,
)
from kursbuch.web.http.security import LANGUAGE_COOKIE, REMOVED_COOKIE, make_cookie
from kursbuch.web.http.templating import find_title, page
from kursbuch.web.tables import invitations as table_invitations
from kursbuch.web.tables.boards import THEMES
from kursbuch.web.tables.play_routes import waiting_tables
from kursbuch.web.tables.policies import RUNNING
from kursbuch.web.tables.snapshot import is_delayed

#: Maximum number of tables for which the start page shows the stage of the game.
MOST_ROUNDS = 12

#: A link to a table or to one of its seats, or just its code.
TABLE_LINK = re.compile(r"(?:^|/t/)([a-z0-9-]{6,16})(/seat/[A-Za-z0-9_-]+)?/?(?:[?#].*)?$")
ICON = Path(__file__).parents[1] / "static" / "icon-192.png"


@get("/", include_in_schema=False)
async def home(request: AnyRequest) -> Template:
    """Show the start page."""
    visitor, tables = who(request), tables_of(request)
    lists = await tables.lists(visitor.id)
    waiting = await waiting_tables(request)
    removed = removed_tables(request)
    words = words_for(request)
    games, wishes = {}, {}
    going = [table for table, _ in lists["mine"] if table.status == RUNNING]
    for table in [table for table in going if table.id not in removed][:MOST_ROUNDS]:
        try:
            snapshot = await tables.load(table.id)
        except Unavailable:
            raise
        except KursbuchError:
            continue  # broken or gone; the others are shown
        wishes[table.id] = wanted(words, snapshot, visitor.id)
        # The opener of a table who does not play there sees it with the spectators' delay.
        if snapshot.game is not None and not is_delayed(snapshot, visitor.id):
            games[table.id] = snapshot.game
    invited = 0
    if visitor.account is not None:
        invited = len(await table_invitations.to_visitor(tables, visitor.id))
    struct = home_page(words, lists, visitor.id, games, removed, waiting, invited, wishes)
    return page(request, "home.html", struct, words)


@get("/join", include_in_schema=False)
async def find_table(request: AnyRequest) -> Redirect:
    """Redirect to a table, by its link or the code at the end of it."""
    given = request.query_params.get("code", "").strip()
    found = TABLE_LINK.search(given)
    if found is None:
        raise NotFound(N_("This is not the link or code of a table."))
    return Redirect(f"/t/{found[1]}{found[2] or ''}", status_code=HTTP_303_SEE_OTHER)


@get("/titles/{title:str}/picture.svg", include_in_schema=False)
async def title_picture(
    request: AnyRequest, title: FromPath[str], theme: FromQuery[str] = "light"
) -> Response[str]:
    """Return the picture of a game, drawn by its own board."""
    find_title(title)
    if theme not in THEMES:
        raise NotFound(N_("There is no picture in this theme."))
    drawn = picture(title, Words(request.query_params.get("language", "")).language, theme)
    if not drawn:
        raise NotFound(N_("There is no picture of this game."))
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(drawn, headers=headers, media_type="image/svg+xml")


@get("/favicon.ico", include_in_schema=False)
async def favicon() -> File:
    """Return the icon for clients that request it at its default path, without identifying the visitor."""
    return File(ICON, media_type="image/png", content_disposition_type="inline")


#: Maximum number of hidden tables.
MOST_REMOVED = 100


@post("/removed", include_in_schema=False)
async def remove_from_list_form(request: AnyRequest) -> Response[Any]:
    """Hide a table from the visitor's list; without a table, show all again."""
    wanted = (await read(request)).text("table")
    names = [name for name in removed_tables(request) if name != wanted]
    kept = ".".join([*names, wanted][-MOST_REMOVED:]) if TABLE_CODE.fullmatch(wanted) else ""
    answer = done(request, "/")
    answer.set_cookie(make_cookie(request, REMOVED_COOKIE, kept))
    return answer


@post("/language", include_in_schema=False)
async def language_form(request: AnyRequest) -> Response[Any]:
    """Choose the language."""
    sent = await read(request)
    wanted = sent.text("language")
    if wanted not in LANGUAGES:
        raise Refused(N_("There is no such language."))
    answer = done(request, safe_path(sent.fields.get("next")))
    answer.set_cookie(make_cookie(request, LANGUAGE_COOKIE, wanted))
    person = who(request).account
    if person is not None:
        await keep_language(tables_of(request), person.id, wanted)
    return answer

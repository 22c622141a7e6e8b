"""The pages and fragments."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from litestar import Response, get
from litestar.params import FromPath, FromQuery
from litestar.response import File, Redirect, Stream, Template
from litestar.status_codes import HTTP_303_SEE_OTHER

import kursbuch
from kursbuch.core.errors import KursbuchError
from kursbuch.core.rules import AROUND, Rule
from kursbuch.core.title import Title
from kursbuch.core.words import N_, Words
from kursbuch.web.deeds import doors, inviting
from kursbuch.web.delayed import is_delayed
from kursbuch.web.errors import Conflict, NotFound, Unavailable
from kursbuch.web.filling import card_or_page, find_title, page, style_sheet
from kursbuch.web.fragments import answer, fragment
from kursbuch.web.looking import record_of, stream, viewer
from kursbuch.web.policies import RUNNING
from kursbuch.web.present.asked import card
from kursbuch.web.present.boards import board
from kursbuch.web.present.doors import door_page
from kursbuch.web.present.happened import payments_page
from kursbuch.web.present.history import check_page
from kursbuch.web.present.labels import rule_link
from kursbuch.web.present.learning import aid_page, learn_page
from kursbuch.web.present.legend import legend_page
from kursbuch.web.present.numbers import numbers_csv, numbers_page
from kursbuch.web.present.pictures import THEMES, picture
from kursbuch.web.present.places import places_page
from kursbuch.web.present.rules import rule_card, rules_page
from kursbuch.web.present.start import home_page, new_table_page, wanted
from kursbuch.web.present.table import table_page
from kursbuch.web.pushing import FORM
from kursbuch.web.requests import (
    AnyRequest,
    removed_tables,
    tables_of,
    who,
    words_for,
)
from kursbuch.web.slow_games import waiting_tables

#: Of so many of a visitor's tables the start page says where the game is.
MOST_ROUNDS = 12

#: A link to a table or to a seat of it, or only its code.
TABLE_LINK = re.compile(r"(?:^|/t/)([a-z0-9-]{6,16})(/seat/[A-Za-z0-9_-]+)?/?(?:[?#].*)?$")

ICON = Path(__file__).parent / "static" / "icon-192.png"


# ---- start page, new table


@get("/", include_in_schema=False)
async def home(request: AnyRequest) -> Template:
    """The start page."""
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
            continue  # it cannot be shown, or is gone: the others are shown all the same
        wishes[table.id] = wanted(words, snapshot, visitor.id)
        # Who has opened a table and does not play there is as far behind as all who look on.
        if snapshot.game is not None and not is_delayed(snapshot, visitor.id):
            games[table.id] = snapshot.game
    invited = 0
    if visitor.account is not None:
        invited = len(await inviting.to_visitor(tables, visitor.id))
    struct = home_page(words, lists, visitor.id, games, removed, waiting, invited, wishes)
    return page(request, "home.html", struct, words)


@get("/join", include_in_schema=False)
async def find_table(request: AnyRequest) -> Redirect:
    """To a table, by its link or the code at the end of it."""
    given = request.query_params.get("code", "").strip()
    found = TABLE_LINK.search(given)
    if found is None:
        raise NotFound(N_("That is neither the link nor the code of a table."))
    return Redirect(f"/t/{found[1]}{found[2] or ''}", status_code=HTTP_303_SEE_OTHER)


@get("/titles/{title:str}/picture.svg", include_in_schema=False)
async def title_picture(
    request: AnyRequest, title: FromPath[str], theme: FromQuery[str] = "light"
) -> Response[str]:
    """A picture of a game, drawn by its own board."""
    find_title(title)
    if theme not in THEMES:
        raise NotFound(N_("There is no picture in these colours."))
    drawn = picture(title, Words(request.query_params.get("language", "")).language, theme)
    if not drawn:
        raise NotFound(N_("There is no picture of this game."))
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(drawn, headers=headers, media_type="image/svg+xml")


@get("/new", include_in_schema=False)
async def new_table(request: AnyRequest) -> Template:
    """The form for a new table."""
    words = words_for(request)
    name = request.query_params.get("title") or next(iter(kursbuch.titles()))
    given = {"seats": request.query_params.get("seats", "")}
    form = new_table_page(words, find_title(name), given, person=who(request).account)
    return page(request, "new.html", form, words)


# ---- the table


@get("/t/{table_id:str}", include_in_schema=False)
async def table(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> Template:
    """The table: lobby or game, as it is or as it was after so many moves."""
    try:
        shown = await viewer(request, table_id, at=move)
    except doors.Closed as closed:
        words = words_for(request, closed.snapshot.table.language)
        struct = door_page(words, closed.snapshot, who(request).id)
        return page(request, "door.html", struct, words, closed.status)
    tables_of(request).presence.see(table_id, who(request).id)
    whole = request.query_params.get("log") == "all"
    return page(request, "table.html", table_page(shown, whole), shown.words)


@get("/t/{table_id:str}/live", include_in_schema=False)
async def table_live(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> Response[str | bytes]:
    """The part of the page that is refreshed. A move that has been taken back is no more."""
    shown = await viewer(request, table_id)
    if move is not None and 0 <= move < shown.number:
        shown.look_back(move)
    whole = request.query_params.get("log") == "all"
    return answer(request, fragment(request, shown, whole))


@get("/t/{table_id:str}/board.svg", include_in_schema=False, media_type="image/svg+xml")
async def table_board(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> str:
    """The board as a picture."""
    shown = await viewer(request, table_id, at=move)
    if shown.game is None:
        raise Conflict(N_("The game has not begun yet."))
    return str(board(shown).svg)


@get("/t/{table_id:str}/why", include_in_schema=False)
async def table_why(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> Template:
    """What the element with the last `key` is, and why pointing at the elements with these keys leads
    to nothing."""
    shown = await viewer(request, table_id, at=move)
    keys = request.query_params.getall("key", [])
    return page(request, "card.html", card(shown, keys), shown.words)


@get("/t/{table_id:str}/places", include_in_schema=False)
async def table_places(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> Template:
    """The board in words, as a page or as a card for a popup."""
    shown = await viewer(request, table_id, at=move)
    name = card_or_page(request, "places")
    return page(request, name, places_page(shown), shown.words)


@get("/t/{table_id:str}/payments/{seat:int}", include_in_schema=False)
async def table_payments(
    request: AnyRequest,
    table_id: FromPath[str],
    seat: FromPath[int],
    move: FromQuery[int | None] = None,
) -> Template:
    """What a seat received and paid, as a page or as a card for a popup."""
    shown = await viewer(request, table_id, at=move)
    name = card_or_page(request, "payments")
    return page(request, name, payments_page(shown, seat), shown.words)


@get("/titles/{title:str}/drawing.css", include_in_schema=False)
async def drawing_style(title: FromPath[str]) -> Response[str]:
    """The style sheet of a title's drawing."""
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(style_sheet(find_title(title)), headers=headers, media_type="text/css")


@get("/t/{table_id:str}/drawing.css", include_in_schema=False)
async def table_drawing_style(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    """The style sheet of a table's drawing; it never changes."""
    shown = await viewer(request, table_id)
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(style_sheet(shown.title), headers=headers, media_type="text/css")


@get("/t/{table_id:str}/pieces.svg", include_in_schema=False)
async def table_pieces(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    """The pieces that are laid on the board; a table's never change."""
    shown = await viewer(request, table_id)
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(shown.title.pieces, headers=headers, media_type="image/svg+xml")


@get("/t/{table_id:str}/events", include_in_schema=False)
async def table_events(
    request: AnyRequest, table_id: FromPath[str], push: FromQuery[int] = 0
) -> Stream:
    """Live updates of the table. A page lets what is new on it be pushed in the form (`push`) that it understands, and
    says which drawing it has (`board`); whether somebody sees it, it says with `/waiting`."""
    return await stream(request, table_id, push == FORM, sees=not push)


@get("/t/{table_id:str}/record", include_in_schema=False, media_type="text/plain")
async def table_record(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    """The record of the game."""
    shown = await viewer(request, table_id)
    return record_of(shown)


@get("/t/{table_id:str}/numbers", include_in_schema=False)
async def table_numbers(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> Template:
    """The game in numbers, as it is or as it was after so many moves."""
    shown = await viewer(request, table_id, at=move)
    return page(request, "numbers.html", numbers_page(shown), shown.words)


@get("/t/{table_id:str}/numbers.csv", include_in_schema=False, media_type="text/csv")
async def table_numbers_csv(
    request: AnyRequest,
    table_id: FromPath[str],
    move: FromQuery[int | None] = None,
    sheet: FromQuery[str] = "",
) -> Response[str]:
    """The same for spreadsheets."""
    shown = await viewer(request, table_id, at=move)
    name = "-".join(
        part for part in (shown.table.title, table_id, "" if move is None else str(move)) if part
    )
    body = numbers_csv(shown, sheet)
    headers = {"content-disposition": f'attachment; filename="{name}{sheet and f"-{sheet}"}.csv"'}
    return Response(body, headers=headers, media_type="text/csv")


@get("/t/{table_id:str}/check", include_in_schema=False)
async def table_check(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """The check of the seed after the game."""
    shown = await viewer(request, table_id)
    return page(request, "check.html", check_page(shown), shown.words)


# ---- rules, language


@get("/rules/{title:str}", include_in_schema=False)
async def rules(request: AnyRequest, title: FromPath[str]) -> Template | Redirect:
    """All rules of a title, or those that contain some words. A citation, as the address or to be looked for, leads
    to its rule."""
    words = words_for(request)
    query = request.query_params.get("q", "")[:200]
    if ":" in title:
        name, _, cited = title.partition(":")
        return _to_rule(find_title(name.strip(AROUND).lower()), cited)
    name, _, cited = query.strip(AROUND).partition(":")
    other = kursbuch.titles().get(name.lower())
    if other and other.rules.is_citation(cited):
        return _to_rule(other, cited)
    struct = rules_page(words, find_title(title), query)
    return page(request, "rules.html", struct, words)


@get("/rules/{title:str}/{rule:str}", include_in_schema=False)
async def rule(request: AnyRequest, title: FromPath[str], rule: FromPath[str]) -> Template:
    """One rule, as a page or as a card for a popup."""
    words = words_for(request)
    found = find_title(title)
    name = card_or_page(request, "rule")
    return page(request, name, rule_card(words, found, _find_rule(found, rule)), words)


def _find_rule(title: Title[Any], citation: str) -> Rule:
    """The rule of a title that is cited."""
    try:
        return title.rules.find(citation)
    except KursbuchError:
        raise NotFound(
            N_("{title} has no rule {rule}."), title=title.name, rule=citation[:60]
        ) from None


def _to_rule(title: Title[Any], citation: str) -> Redirect:
    """To the page of a rule that is cited."""
    _, url = rule_link(title.id, _find_rule(title, citation).id)
    return Redirect(url, status_code=HTTP_303_SEE_OTHER)


# ---- learning


@get("/learn/{title:str}", include_in_schema=False)
async def learn(request: AnyRequest, title: FromPath[str]) -> Template:
    """A title in five minutes."""
    words = words_for(request)
    return page(request, "learn.html", learn_page(words, find_title(title)), words)


@get("/aid/{title:str}", include_in_schema=False)
async def aid(request: AnyRequest, title: FromPath[str]) -> Template:
    """The player aid of a title, as a page or as a card for a popup."""
    words = words_for(request)
    name = card_or_page(request, "aid")
    return page(request, name, aid_page(words, find_title(title)), words)


@get("/legend/{title:str}", include_in_schema=False)
async def legend(request: AnyRequest, title: FromPath[str]) -> Template:
    """What the signs of a title's drawing mean, as a page or as a card for a popup."""
    words = words_for(request)
    name = card_or_page(request, "legend")
    return page(request, name, legend_page(words, find_title(title)), words)


@get("/favicon.ico", include_in_schema=False)
async def favicon() -> File:
    """The icon, for what no page has told where it is. Who looks for it on the way to a page is nobody yet."""
    return File(ICON, media_type="image/png", content_disposition_type="inline")


HANDLERS = [
    favicon,
    home,
    find_table,
    title_picture,
    new_table,
    table,
    table_live,
    table_board,
    table_places,
    table_payments,
    table_why,
    drawing_style,
    table_drawing_style,
    table_pieces,
    table_events,
    table_record,
    table_numbers,
    table_numbers_csv,
    table_check,
    rules,
    rule,
    learn,
    aid,
    legend,
]

"""Routes for slow games: absence, replacement, tables that wait."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Redirect
from litestar.status_codes import HTTP_303_SEE_OTHER

from kursbuch.core.words import N_
from kursbuch.web.home.views import stamp, thumbnail_stamp
from kursbuch.web.http.errors import Conflict, NotFound, Refused
from kursbuch.web.http.requests import (
    TABLE_CODE,
    AnyRequest,
    RequestFields,
    carry_out,
    read,
    removed_tables,
    tables_of,
    who,
)
from kursbuch.web.http.security import ZONE_COOKIE, cookie_of
from kursbuch.web.notifications.preferences import zone_of
from kursbuch.web.tables import deadlines, lobby, votes
from kursbuch.web.tables import seats as table_seats
from kursbuch.web.tables.api_schemas import DOING, ApiGame, AwayWish, ReplaceWish, SeatNumber
from kursbuch.web.tables.api_view import game, shown_to_programs
from kursbuch.web.tables.boards import THEMES, thumbnail
from kursbuch.web.tables.play_routes import _answer_form, table_done
from kursbuch.web.tables.visits import viewer
from kursbuch.web.tables.votes import REPLACE

#: No time zone is further from UTC, in minutes.
FURTHEST = 14 * 60


def end_of_day(until: str, offset: int, zone: str = "") -> datetime:
    """The end of a day in a time zone, or, if that is not known, where UTC is `offset` minutes ahead of whoever names
    it.

    >>> [str(end_of_day("2026-10-31", -120, zone)) for zone in ("Europe/Berlin", "", "Atlantis")]
    ['2026-10-31 23:00:00+00:00', '2026-10-31 22:00:00+00:00', '2026-10-31 22:00:00+00:00']
    """
    try:
        after = datetime.strptime(until, "%Y-%m-%d").replace(tzinfo=UTC) + timedelta(days=1)
        there = zone_of(zone)
        if there is not UTC:
            return after.replace(tzinfo=there).astimezone(UTC)
        return after + timedelta(minutes=max(-FURTHEST, min(FURTHEST, offset)))
    except (ValueError, OverflowError):
        raise Refused(N_("That is not a day: write it like 2031-12-24.")) from None


def sent_offset(sent: RequestFields) -> int:
    """How many minutes UTC is ahead of the sender of a form."""
    try:
        return int(sent.text("offset") or 0)
    except ValueError:
        return 0


@post("/t/{table_id:str}/away", include_in_schema=False)
async def away_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Say that one is away for some time."""
    sent = await read(request)
    zone = cookie_of(request, ZONE_COOKIE)
    until, seat = end_of_day(sent.text("until"), sent_offset(sent), zone), sent.number("seat")
    await carry_out(request, deadlines.go_away, table_id, seat, until)
    return table_done(request, table_id)


@post("/t/{table_id:str}/present", include_in_schema=False)
async def present_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Be back earlier."""
    seat = (await read(request)).number("seat")
    await carry_out(request, deadlines.be_present, table_id, seat)
    return table_done(request, table_id)


@post("/t/{table_id:str}/replace", include_in_schema=False)
async def replace_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Ask the others to replace the player of a seat."""
    sent = await read(request)
    await carry_out(
        request,
        votes.ask,
        table_id,
        REPLACE,
        target=sent.number("seat"),
        wish=sent.text("by") or None,
    )
    return table_done(request, table_id)


@post("/t/{table_id:str}/replace/answer", include_in_schema=False)
async def answer_replace_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Agree to replacing a player, or refuse."""
    await _answer_form(request, table_id, REPLACE)
    return table_done(request, table_id)


@post("/t/{table_id:str}/come-back", include_in_schema=False)
async def come_back_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Take one's seat again."""
    seat = (await read(request)).number("seat")
    await carry_out(request, table_seats.come_back, table_id, seat)
    return table_done(request, table_id)


class Waiting(msgspec.Struct, frozen=True):
    """How many tables wait for the visitor, how many of them are others than the one that asks; `stamp` changes
    when others do."""

    count: int
    elsewhere: int
    stamp: str


async def waiting_tables(request: AnyRequest) -> list[tuple[str, datetime | None, datetime]]:
    """The tables that wait for the visitor and are on the visitor's list, the longest wait first."""
    removed = removed_tables(request)
    found = await tables_of(request).waiting_for(who(request).id)
    return [one for one in found if one[0] not in removed]


@get("/waiting", include_in_schema=False)
async def waiting_page(
    request: AnyRequest, table: FromQuery[str] = "", seen: FromQuery[bool] = False
) -> Waiting:
    """How many tables wait for the visitor. The page of a table says with it whether it is `seen`: nobody sees one in
    the background, or on a computer that sleeps."""
    if seen and TABLE_CODE.fullmatch(table):
        tables, visitor = tables_of(request), who(request).id
        if tables.presence.see(table, visitor):
            await lobby.note_seen(tables, table, visitor)
    found = await waiting_tables(request)
    return Waiting(len(found), sum(one[0] != table for one in found), stamp(found))


@get("/next", include_in_schema=False)
async def next_table(request: AnyRequest, after: FromQuery[str] = "") -> Redirect:
    """To the table that has waited longest for the visitor, going round; else to the start page."""
    names = [one[0] for one in await waiting_tables(request)]
    place = names.index(after) + 1 if after in names else 0
    others = [name for name in names[place:] + names[:place] if name != after]
    return Redirect(f"/t/{others[0]}" if others else "/", status_code=HTTP_303_SEE_OTHER)


@get("/t/{table_id:str}/picture.svg", include_in_schema=False)
async def small_picture(
    request: AnyRequest,
    table_id: FromPath[str],
    theme: FromQuery[str] = "light",
    v: FromQuery[str] = "",
) -> Response[str]:
    """The board as a small picture in the colours of a theme, as the visitor may see it. Only what is drawn as the
    address says is kept by the browser: the device may have been handed on since the page was made."""
    if theme not in THEMES:
        raise NotFound(N_("There is no picture in this theme."))
    shown = await viewer(request, table_id)
    drawn = thumbnail(shown, theme)
    if not drawn:
        raise Conflict(N_("The game has not begun yet."))
    lasts = v == thumbnail_stamp(shown.table, shown.seats, shown.visitor)
    headers = {"cache-control": "private, max-age=86400" if lasts else "no-store"}
    return Response(drawn, headers=headers, media_type="image/svg+xml")


@post("/tables/{table_id:str}/away", status_code=200, responses=DOING)
async def away(request: AnyRequest, table_id: FromPath[str], data: JSONBody[AwayWish]) -> ApiGame:
    """Say that one is away for some time; where there is a time for moves, it stands still."""
    until = end_of_day(data.until, data.offset)
    await carry_out(request, deadlines.go_away, table_id, data.seat, until)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/present", status_code=200, responses=DOING)
async def present(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatNumber]
) -> ApiGame:
    """Be back before that."""
    await carry_out(request, deadlines.be_present, table_id, data.seat)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/replace", status_code=200, responses=DOING)
async def replace(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[ReplaceWish]
) -> ApiGame:
    """Replace the player of a seat, or ask the others for it."""
    wish = data.by or None
    await carry_out(request, votes.ask, table_id, REPLACE, target=data.seat, wish=wish)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/come-back", status_code=200, responses=DOING)
async def come_back(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatNumber]
) -> ApiGame:
    """Take one's seat again, as long as no other person has it."""
    await carry_out(request, table_seats.come_back, table_id, data.seat)
    return game(await shown_to_programs(request, table_id))


API_HANDLERS = [
    away,
    present,
    replace,
    come_back,
]


HANDLERS = [
    away_form,
    present_form,
    replace_form,
    answer_replace_form,
    come_back_form,
    waiting_page,
    next_table,
    small_picture,
]

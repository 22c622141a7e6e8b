"""What visitors do at slow tables: see which wait for them, be away, replace somebody, come back, plan moves
ahead of time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.deeds import consents, lobby, talking, times
from kursbuch.web.deeds.ahead import Wanted
from kursbuch.web.deeds.ahead import advance as advance_ahead
from kursbuch.web.deeds.ahead import fix as fix_ahead
from kursbuch.web.deeds.ahead import withdraw as withdraw_ahead
from kursbuch.web.deeds.consents import REPLACE
from kursbuch.web.errors import Conflict, NotFound, Refused
from kursbuch.web.filling import page
from kursbuch.web.forms import TABLE_CODE, answer, table_done
from kursbuch.web.looking import viewer
from kursbuch.web.messages.wishes import zone_of
from kursbuch.web.plans import ASK
from kursbuch.web.present.ahead import ahead_page
from kursbuch.web.present.boards import thumbnail
from kursbuch.web.present.pictures import THEMES
from kursbuch.web.present.start import stamp, thumbnail_stamp
from kursbuch.web.requests import (
    AnyRequest,
    Sent,
    carry_out,
    read,
    removed_tables,
    tables_of,
    wants_page,
    wants_part,
    who,
    words_for,
)
from kursbuch.web.security import ZONE_COOKIE, cookie_of

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


def sent_offset(sent: Sent) -> int:
    """How many minutes UTC is ahead of the sender of a form."""
    try:
        return int(sent.text("offset") or 0)
    except ValueError:
        return 0


@post("/t/{table_id:str}/away", include_in_schema=False)
async def away(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Say that one is away for some time."""
    sent = await read(request)
    zone = cookie_of(request, ZONE_COOKIE)
    until, seat = end_of_day(sent.text("until"), sent_offset(sent), zone), sent.number("seat")
    await carry_out(request, times.go_away, table_id, seat, until)
    return table_done(request, table_id)


@post("/t/{table_id:str}/present", include_in_schema=False)
async def present(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Be back earlier."""
    seat = (await read(request)).number("seat")
    await carry_out(request, times.be_present, table_id, seat)
    return table_done(request, table_id)


@post("/t/{table_id:str}/replace", include_in_schema=False)
async def replace(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Ask the others to replace the player of a seat."""
    sent = await read(request)
    await carry_out(
        request,
        consents.ask,
        table_id,
        REPLACE,
        target=sent.number("seat"),
        wish=sent.text("by") or None,
    )
    return table_done(request, table_id)


@post("/t/{table_id:str}/replace/answer", include_in_schema=False)
async def answer_replace(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Agree to replacing a player, or refuse."""
    await answer(request, table_id, REPLACE)
    return table_done(request, table_id)


@post("/t/{table_id:str}/come-back", include_in_schema=False)
async def come_back(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Take one's seat again."""
    seat = (await read(request)).number("seat")
    await carry_out(request, talking.come_back, table_id, seat)
    return table_done(request, table_id)


# ---- which tables wait for the visitor


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
async def waiting(
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
        raise NotFound(N_("There is no picture in these colours."))
    shown = await viewer(request, table_id)
    drawn = thumbnail(shown, theme)
    if not drawn:
        raise Conflict(N_("The game has not begun yet."))
    lasts = v == thumbnail_stamp(shown.table, shown.seats, shown.visitor)
    headers = {"cache-control": "private, max-age=86400" if lasts else "no-store"}
    return Response(drawn, headers=headers, media_type="image/svg+xml")


# ---- moves ahead of time


async def shown_ahead(
    request: AnyRequest,
    table_id: str,
    seat: int | None,
    situation: int | None,
    error: str = "",
    instead: int | None = None,
) -> Template:
    """The moves ahead of time of a seat: a page, or a card for a popup. A refusal stands on the card."""
    shown = await viewer(request, table_id)
    struct = ahead_page(shown, seat, situation, error, instead)
    card = wants_part(request)
    name = "ahead_card.html" if card else "ahead.html"
    return page(request, name, struct, shown.words, 422 if error and not card else HTTP_200_OK)


@get("/t/{table_id:str}/ahead", include_in_schema=False)
async def ahead(
    request: AnyRequest,
    table_id: FromPath[str],
    seat: FromQuery[int | None] = None,
    situation: FromQuery[int | None] = None,
    instead: FromQuery[int | None] = None,
) -> Template:
    """What is planned ahead of time, and what could be, perhaps `instead` of something that is planned."""
    return await shown_ahead(request, table_id, seat, situation, instead=instead)


def read_wanted(sent: Sent) -> Wanted:
    """What a form wants to have planned ahead."""
    action = sent.data("action") if sent.fields.get("action") else None
    if action is not None and not isinstance(action, dict):
        raise Refused(N_("The field {name} is not a JSON object."), name="action")
    return Wanted(
        kind=sent.text("kind"),
        step=sent.text("step"),
        subject=sent.text("subject") if "subject" in sent.fields else None,
        later=sent.flag("later"),
        action=action,
        amount=sent.optional_number("amount"),
        otherwise=sent.text("otherwise") or ASK,
        ends=sent.flag("ends"),
        until=sent.text("until"),
        most=sent.optional_number("most") or 0,
        always=sent.flag("always"),
    )


@post("/t/{table_id:str}/ahead", include_in_schema=False, status_code=HTTP_200_OK)
async def fix(request: AnyRequest, table_id: FromPath[str]) -> Response[Any] | Template:
    """Plan a move ahead of time."""
    sent = await read(request)
    words = words_for(request)
    try:
        wanted, seat = read_wanted(sent), sent.number("seat")
        instead = sent.optional_number("instead")
        await carry_out(request, fix_ahead, table_id, seat, wanted, instead)
    except KursbuchError as error:
        if getattr(error, "status", 422) != 422:
            raise
        asked, situation = sent.optional_number("seat"), sent.optional_number("situation")
        instead = sent.optional_number("instead")
        return await shown_ahead(request, table_id, asked, situation, error.text(words), instead)
    return await after(request, table_id, seat, sent.optional_number("situation"))


@post("/t/{table_id:str}/ahead/advance", include_in_schema=False, status_code=HTTP_200_OK)
async def advance(request: AnyRequest, table_id: FromPath[str]) -> Response[Any] | Template:
    """Put a plan before the one it follows."""
    sent = await read(request)
    seat, row = sent.number("seat"), sent.number("row")
    await carry_out(request, advance_ahead, table_id, seat, row)
    return await after(request, table_id, seat, None)


@post("/t/{table_id:str}/ahead/withdraw", include_in_schema=False, status_code=HTTP_200_OK)
async def withdraw(request: AnyRequest, table_id: FromPath[str]) -> Response[Any] | Template:
    """Take back what was planned, or what was said about something that was not carried out."""
    sent = await read(request)
    seat, row = sent.number("seat"), sent.optional_number("row")
    await carry_out(request, withdraw_ahead, table_id, seat, row)
    if sent.flag("quiet"):
        return table_done(request, table_id)
    return await after(request, table_id, seat, sent.optional_number("situation"))


async def after(
    request: AnyRequest, table_id: str, seat: int, situation: int | None
) -> Response[Any] | Template:
    """The card once more; the page for plain forms."""
    if wants_page(request):
        place = "" if situation is None else f"&situation={situation}"
        target = f"/t/{table_id}/ahead?seat={seat}{place}"
        return Redirect(target, status_code=HTTP_303_SEE_OTHER)
    shown = await viewer(request, table_id)
    if not shown.running():
        return Response("", media_type="text/html")
    return await shown_ahead(request, table_id, seat, situation)


HANDLERS = [
    away,
    present,
    replace,
    answer_replace,
    come_back,
    waiting,
    next_table,
    small_picture,
    ahead,
    fix,
    advance,
    withdraw,
]

"""Coming to a table: open tables, who may come, invitations, tables begun with a record."""

from __future__ import annotations

from datetime import datetime

import msgspec
from litestar import get, post
from litestar.params import FromPath, FromQuery, JSONBody

from kursbuch.web.api.errors import DOING, READING
from kursbuch.web.api.shapes import ApiGame, ApiTable, Number, Opened
from kursbuch.web.api.shown import game, line, shown_to_programs
from kursbuch.web.deeds import doors, inviting, opening
from kursbuch.web.deeds.copies import PLAYED_AGAIN
from kursbuch.web.deeds.lobby import NewTable
from kursbuch.web.doorways import host_of
from kursbuch.web.finding import Wanted, find
from kursbuch.web.limits import TABLES
from kursbuch.web.models import TableInvitation
from kursbuch.web.policies import ENTRY_LINK, REMIND, USUAL_PACE, WATCH_ALL
from kursbuch.web.records import BODY
from kursbuch.web.requests import (
    AnyRequest,
    base_url,
    carry_out,
    once,
    reader_of,
    tables_of,
    who,
    words_for,
)


class ApiOpen(msgspec.Struct, frozen=True):
    """Tables where somebody can sit down: those that wait for players, and games that go on and want somebody for
    a seat."""

    waiting: list[ApiTable]
    wanted: list[ApiTable]


class DoorsWish(msgspec.Struct, frozen=True):
    """Who may sit down (`entry`: link, password, invited) and look on (`watching`: all, players), and how many moves
    and minutes behind those are who do. Without a password the one there is stays."""

    entry: str = ENTRY_LINK
    password: str = ""
    watching: str = WATCH_ALL
    delay_moves: Number = 0
    delay_minutes: Number = 0


class InvitationWish(msgspec.Struct, frozen=True):
    """An invitation by a link that can be used so many times, or for one person: `to` is the name of an account, or
    a mail address."""

    uses: Number = 1
    to: str = ""


class ApiInvitation(msgspec.Struct, frozen=True):
    """An invitation: to which table, for whom (empty: for whoever has the link), how often it was used and still
    can be."""

    id: int
    table: str
    link: str
    name: str
    used: int
    uses_left: int
    made_at: datetime


class ApiInvitations(msgspec.Struct, frozen=True):
    """The invitations the caller has made and not revoked, and those the caller has got and not used."""

    made: list[ApiInvitation]
    got: list[ApiInvitation]


class InvitationSecret(msgspec.Struct, frozen=True):
    """The secret part of the link of an invitation: what stands after `/invited/`."""

    token: str


#: What a table from a record can be like, besides what is taken over when the same people play again.
OF_TABLES = ("listed", "undo", "help", "objection", "language", "pace", "moderation")


class RecordWish(msgspec.Struct, frozen=True):
    """A record, as text; `number` is after how many of its moves the table begins, and `players` says for every seat
    who plays it: "me", "open", or a strength of the computer. `data` is what stands in the file of component data it
    was played with, if these are neither those of the game nor those of a table here. A `private` table is found by
    its link only, and lets everything be taken back; whatever follows is for others, as at a new table."""

    text: str
    number: Number
    players: list[str]
    data: str = ""
    private: bool = True
    listed: bool = False
    undo: str = "ask"
    help: bool = True
    objection: Number | None = None
    language: str = ""
    pace: float = USUAL_PACE
    moderation: str = ""
    slow: bool = False
    move_hours: Number | None = None
    overrun: str = REMIND
    vacation: Number = 0
    language_note: str = ""
    entry: str = ENTRY_LINK
    password: str = ""
    watching: str = WATCH_ALL
    delay_moves: Number = 0
    delay_minutes: Number = 0


@get("/open-tables", responses=READING)
async def open_tables(
    request: AnyRequest,
    title: FromQuery[str] = "",
    time: FromQuery[str] = "",
    language: FromQuery[str] = "",
    free: FromQuery[int] = 1,
) -> ApiOpen:
    """Tables where somebody can sit down, by title, `time` ("live" or "slow"), language and free seats."""
    wanted = Wanted(title[:40], time[:10], language[:2], max(1, min(free, 99)))
    found = await find(tables_of(request), wanted)
    words, visitor = words_for(request), who(request).id
    waiting, wanting = ([line(words, *one, visitor) for one in some] for some in found)
    return ApiOpen(waiting, wanting)


@post("/tables/{table_id:str}/doors", status_code=200, responses=DOING)
async def change_doors(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[DoorsWish]
) -> ApiGame:
    """Say who may sit down and look on."""
    await carry_out(
        request,
        doors.change,
        table_id,
        entry=data.entry,
        password=data.password,
        watching=data.watching,
        moves=data.delay_moves,
        minutes=data.delay_minutes,
    )
    return game(await shown_to_programs(request, table_id))


def _invitation(request: AnyRequest, row: TableInvitation) -> ApiInvitation:
    link = base_url(request) + row.path
    return ApiInvitation(row.id, row.table_id, link, row.name, row.used, row.uses_left, row.made_at)


@post("/tables/{table_id:str}/invite", responses=DOING)
async def invite(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[InvitationWish]
) -> ApiInvitation:
    """Make an invitation."""
    tables, visitor = tables_of(request), who(request).id
    host = await host_of(request, table_id)
    number = await carry_out(request, inviting.invite, table_id, data.uses, data.to, host)
    return _invitation(request, await inviting.own(tables, visitor, number))


@get("/invitations", responses=READING)
async def invitations(request: AnyRequest) -> ApiInvitations:
    """Invitations the caller has made and got."""
    tables, visitor = tables_of(request), who(request).id
    return ApiInvitations(
        [_invitation(request, row) for row in await inviting.of_visitor(tables, visitor)],
        [_invitation(request, row) for row in await inviting.to_visitor(tables, visitor)],
    )


@post("/invitations/{number:int}/revoke", status_code=204, responses=DOING)
async def revoke(request: AnyRequest, number: FromPath[int]) -> None:
    """Take an invitation back; who has used it may stay."""
    await once(request, inviting.revoke, tables_of(request), who(request).id, number)


@post("/tables/{table_id:str}/accept", status_code=200, responses=DOING)
async def accept(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[InvitationSecret]
) -> ApiGame:
    """Use an invitation: the caller may sit down at the table from then on."""
    await carry_out(request, inviting.accept, table_id, data.token)
    return game(await shown_to_programs(request, table_id))


@post("/records", opt={"cost": TABLES}, request_max_body_size=BODY, responses=DOING)
async def open_record(request: AnyRequest, data: JSONBody[RecordWish]) -> Opened:
    """Open a table that goes on with a record."""
    tables = tables_of(request)
    text, own = (given.encode(errors="replace") for given in (data.text, data.data))
    found = await opening.read(tables, reader_of(request), text, data=own or None)
    chosen = {name: getattr(data, name) for name in (*OF_TABLES, *PLAYED_AGAIN)}
    wanted = None if data.private else NewTable(found.game.title.id, [], **chosen)
    opened = await once(
        request,
        opening.open_record,
        tables,
        who(request).id,
        found,
        data.number,
        data.players,
        wanted,
    )
    return Opened(opened, f"/t/{opened}")


HANDLERS = [
    open_tables,
    change_doors,
    invite,
    invitations,
    revoke,
    accept,
    open_record,
]

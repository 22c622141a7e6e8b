"""The sections of a table page, each made of the facts that it shows.

Equal facts look the same to all readers, so a section is rendered once, and a page that has it is not sent it again.
What only one reader may know is in the facts of that reader's page, and so in no section that others get.
"""

from __future__ import annotations

from typing import Any

import msgspec

from kursbuch.web.http.templating import SectionCache
from kursbuch.web.live.patches import Section
from kursbuch.web.tables.policies import FINISHED, LOBBY, RUNNING
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.supply import supply_link
from kursbuch.web.tables.table_view import TablePage

#: Placeholder of the drawing; user text is escaped and cannot contain it.
PLACE = "<!-- board -->"


class Reader(msgspec.Struct, frozen=True):
    """The language of a reader, the name of the account (`me`), and whether players can be invited by mail."""

    language: str
    me: str
    invites_by_mail: bool


class PageSections:
    """The sections of a page by name, in order; a name stays the same while facts change."""

    def __init__(self, page: TablePage, reader: Reader, cache: SectionCache) -> None:
        self.made: dict[str, Section] = {}
        self._page = page
        self._reader = reader
        self._cache = cache
        self._now = Seen(page.number, page.version)
        self._supply = supply_link(page.table.url, page.standing, page.at)
        # A table that was closed in the middle of a game still shows how far it came.
        playing = page.table.status != LOBBY and bool(page.drawing.svg)
        self._begin(playing)
        if playing:
            self._board()
            self._holders()
            self._console()
            self._side()
        else:
            self._lobby()
        self._add("end", playing=playing)

    def _add(self, macro: str, place: int | None = None, /, **facts: Any) -> None:
        """Add a section; `place` tells it from others of its kind."""
        section = self._cache.section(self._reader.language, macro, facts)
        self.made[macro if place is None else f"{macro} {place}"] = section

    def _begin(self, playing: bool) -> None:
        page, table = self._page, self._page.table
        due = page.me.acting is not None or (page.curtain is not None and page.curtain.is_due)
        self._add(
            "top",
            url=table.url,
            title=table.title,
            status=table.status,
            pieces_url=table.pieces_url,
            playing=playing,
            now=self._now,
            position=page.position,
            face=page.face,
            at=page.at,
            turn=due and table.status == RUNNING,
        )

    def _lobby(self) -> None:
        page, reader = self._page, self._reader
        shown = {
            name: getattr(page, name)
            for name in (
                "prompt",
                "seats",
                "me",
                "doors",
                "share_link",
                "link_is_local",
                "moderation",
                "chat",
                "chat_read",
            )
        }
        self._add(
            "lobby",
            table=page.table,
            page=shown,
            me=reader.me,
            invites_by_mail=reader.invites_by_mail,
        )

    def _board(self) -> None:
        page, table, add = self._page, self._page.table, self._add
        add("choices", choices=page.choices)
        add(
            "bar",
            title_name=table.title_name,
            status=page.standing.status.split("\n")[:2],
            over=page.result is not None,
            supply=self._supply,
        )
        if page.at is not None:
            add(
                "past",
                url=table.url,
                now=self._now,
                at=page.at,
                lines=page.past,
                copying=page.copying is not None,
                back_here=page.back_here,
            )
        if page.copying is not None:
            add(
                "copying",
                url=table.url,
                version=page.version,
                copying=page.copying,
                is_end=table.status == FINISHED and page.at is None,
            )
        add("board", stamp=page.drawing.stamp, place=PLACE, legend_url=table.legend_url)
        add("steps", url=table.url, number=page.number, at=page.at, steps=page.steps)

    def _holders(self) -> None:
        page, standing, add = self._page, self._page.standing, self._add
        add("players")
        live = page.table.status == RUNNING and not page.table.slow
        for number in standing.seating:
            held = standing.held[number]
            add("seat_card", number, seat=page.seats[number], held=held, live=live)
        add("brief", grids=standing.brief)
        add("others", cards=[card for card in standing.cards if not card.pinned])
        pinned = [card for card in standing.cards if card.pinned]
        add("pinned", cards=pinned, supply=self._supply)

    def _console(self) -> None:
        page, table, add = self._page, self._page.table, self._add
        url, acting = table.url, page.me.acting
        add("console", mine=acting is not None or page.curtain is not None)
        votes = {
            "undo": page.undo,
            "redo": page.redo,
            "ending": page.ending,
            "replacing": page.replacing,
        }
        if any(vote.pending for vote in votes.values()):
            add("votes", url=url, now=self._now, **votes)
        if page.result is not None:
            add("result", result=page.result, table=table)
        if page.guide is not None:
            add("guide", guide=page.guide, url=url, aid_url=table.aid_url, position=page.position)
        if page.since is not None:
            add("since", since=page.since)
        standing = page.standing
        add("outlook", near_end=standing.near_end, lines=standing.status.split("\n")[2:])
        if page.result is not None:
            add(
                "result_details",
                result=page.result,
                table=table,
                seats=page.seats,
                copying=page.copying is not None,
            )
        elif page.curtain is not None:
            add("curtain", url=url, curtain=page.curtain)
        else:
            self._prompt()
        self._offers()
        self._helpers()

    def _prompt(self) -> None:
        page, acting, objection = self._page, self._page.me.acting, self._page.objection
        waits = acting is None and not objection.is_offer
        sentence = page.prompt
        if acting is None and objection.is_offer:
            sentence = objection.sentence
        elif waits:
            sentence = page.waiting_sentence or page.prompt
        several = acting is not None and len(page.me.seats) > 1
        self._add(
            "prompt",
            acting=acting,
            name=page.seats[acting].name if acting is not None and several else "",
            sentence=sentence,
            thinking=waits and page.thinking,
            watches=page.me.is_spectator,
            delay=page.me.delay,
        )

    def _offers(self) -> None:
        page, url, add = self._page, self._page.table.url, self._add
        objection = page.objection
        timed = objection.seconds_left is not None
        if objection.is_offer and ((objection.mine and objection.sentence) or timed):
            add("objection", objection=objection, name=page.table.objection_name)
        add("action_bar", may_also=page.may_also)
        add("refusals", url=url, objection=objection)
        if page.note:
            add("note", note=page.note)
        if page.ahead is not None and page.ahead.dropped:
            add("dropped", ahead=page.ahead)
        if page.ahead is not None and page.ahead.routines:
            add("routines", ahead=page.ahead)
        late = [seat for seat in page.seats if seat.times.late and seat.times.may_replace]
        if late and page.replacing.allowed and page.table.votes:
            asks = page.replacing.asks
            add("late", url=url, seats=late, replacers=page.replacers, asks=asks)
        back = [seat for seat in page.seats if seat.times.may_come_back]
        free = [seat for seat in page.seats if seat.times.may_sit]
        if back or free:
            me = self._reader.me
            add("free_seats", url=url, back=back, free=free, doors=page.doors, me=me)

    def _helpers(self) -> None:
        page, table = self._page, self._page.table
        self._add(
            "helpers",
            url=table.url,
            aid_url=table.aid_url,
            now=self._now,
            undo=page.undo,
            redo=page.redo,
            hands_over=page.shares_device and page.curtain is None,
            ahead=page.ahead,
            hint_allowed=page.hint_allowed,
        )

    def _side(self) -> None:
        page, table, reader, add = self._page, self._page.table, self._reader, self._add
        plays = bool(page.choices) or (
            bool(page.me.seats) and table.status == RUNNING and page.at is None
        )
        add("side", plays=plays, names=page.names)
        log = self._cache.log(reader.language, page.log, page.log_earlier, page.at)
        self.made.update((f"log {place}", section) for place, section in log)
        add("log_end", url=table.url, earlier=page.log_earlier)
        if plays:
            add("moves", any=bool(page.choices))
        add("holdings", url=table.url, numbers_url=table.numbers_url, at=page.at)
        for number, one in enumerate(page.standing.grids, 1):
            add("comparison", number, one=one, number=number)
        for number, panel in enumerate(page.standing.panels, 1):
            add("of_table", number, one=panel, number=number, pieces_url=table.pieces_url)
        add(
            "talk",
            url=table.url,
            chat=page.chat,
            read=page.chat_read,
            plays=not page.me.is_spectator,
        )
        mail = reader.invites_by_mail
        add("about", table=table, page=page.about, me=reader.me, invites_by_mail=mail)
        if page.head:
            add("head", head=page.head, number=page.number if page.at is None else page.at)

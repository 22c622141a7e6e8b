"""The page of a table."""

from __future__ import annotations

from typing import Any

from kursbuch.core.voice import Grid
from kursbuch.web import contexts
from kursbuch.web.policies import FINISHED, LOBBY, UNDO_POLICIES
from kursbuch.web.present.asking import curtain, ending, objection, undo
from kursbuch.web.present.boards import board
from kursbuch.web.present.happened import log, payments
from kursbuch.web.present.history import past, steps
from kursbuch.web.present.labels import SEAT_KINDS, STATUS, objection_label, winners_sentence
from kursbuch.web.present.turn import choices, may_also, prompt, thinking, waiting_sentence
from kursbuch.web.present.viewer import Viewer
from kursbuch.web.requests import is_local
from kursbuch.web.strengths import bot_label

#: So many lines of the log are on the page until the whole log is asked for.
SHOWN_LOG = 60


def table_page(shown: Viewer, whole_log: bool = False) -> contexts.TablePage:
    """The table."""
    events = shown.events()
    told = shown.events(end=shown.number)
    earlier = 0 if whole_log or shown.at is not None else max(0, len(told) - SHOWN_LOG)
    info = table_info(shown)
    return contexts.TablePage(
        table=info,
        seats=seat_infos(shown),
        me=me(shown),
        version=shown.table.version,
        number=shown.number,
        position=shown.position(),
        board_svg=board(shown),
        prompt=prompt(shown),
        may_also=may_also(shown),
        status=shown.voice.status(shown.view.state) if shown.view is not None else "",
        waiting_sentence=waiting_sentence(shown),
        thinking=thinking(shown),
        choices=choices(shown),
        panels=panels(shown, shown.view.state) if shown.view is not None else [],
        grids=grids(shown, shown.view.state) if shown.view is not None else [],
        log=log(shown, told[earlier:]) if shown.game is not None else [],
        log_earlier=earlier,
        payments=payments(shown, events),
        chat=chat(shown),
        undo=undo(shown),
        ending=ending(shown),
        at=shown.at,
        past=past(shown),
        steps=steps(shown),
        curtain=curtain(shown),
        shares_device=shown.shares,
        face=shown.face(),
        objection=objection(shown),
        hint_allowed=shown.table.help and shown.acting is not None,
        result=result(shown),
        share_link=info.link,
        link_is_local=is_local(shown.base_url.partition("://")[2]),
    )


def table_info(shown: Viewer) -> contexts.TableInfo:
    """The table itself."""
    table, words = shown.table, shown.words
    options = [
        contexts.Fact(
            words._(option.label),
            words._(option.labels[option.values.index(table.options[option.name])]),
        )
        for option in shown.title.options
        if table.options.get(option.name) in option.values
    ]
    url = f"/t/{table.id}"
    return contexts.TableInfo(
        id=table.id,
        url=url,
        link=shown.base_url + url,
        title=table.title,
        title_name=shown.title.name,
        status=table.status,
        status_label=words._(STATUS[table.status]),
        options=options,
        undo=table.undo,
        undo_label=words._(UNDO_POLICIES[table.undo]),
        help=table.help,
        listed=table.listed,
        objection_name=words._(shown.title.asking.time) if shown.title.asking else "",
        objection_label=objection_label(words, shown.title, table.objection_seconds),
        seed_hash=table.seed_hash,
        seed=table.seed if table.status == FINISHED else None,
        own_data=table.data_hash is not None,
        rules_url=f"/rules/{table.title}",
        record_url=f"{url}/record" if shown.may_record() else "",
        check_url=f"{url}/check",
        routes_url=routes_url(shown),
        pieces_url=f"{url}/pieces.svg?{shown.title.data_hash[:12]}" if shown.title.pieces else "",
    )


def routes_url(shown: Viewer) -> str:
    """Where the best trains on this position are found, empty if that is not possible."""
    table = shown.table
    if shown.game is None or not table.help or table.data_hash or shown.title.planner is None:
        return ""
    return f"/routes/{table.title}?table={table.id}"


def seat_infos(shown: Viewer) -> list[contexts.SeatInfo]:
    """The seats."""
    table, words = shown.table, shown.words
    winners = table.result["winners"] if table.result and shown.at is None else []
    infos = []
    for seat in shown.seats:
        mine = seat.owner == shown.visitor
        handing_on = mine and seat.token is not None
        infos.append(
            contexts.SeatInfo(
                number=seat.number,
                name=seat.name,
                kind=seat.kind,
                kind_label=words._(SEAT_KINDS[seat.kind]),
                bot=words._(bot_label(shown.title, seat.bot)) if seat.is_bot else "",
                is_free=seat.is_free,
                is_mine=mine,
                is_turn=seat.number in shown.deciding,
                connected=seat.is_bot or shown.heard(seat.number),
                score=shown.score(seat.number),
                note=shown.seat_note(seat.number),
                hand_on_link=(
                    f"{shown.base_url}/t/{table.id}/seat/{seat.token}" if handing_on else ""
                ),
                is_winner=seat.number in winners,
            )
        )
    return infos


def me(shown: Viewer) -> contexts.Me:
    """The visitor at this table."""
    lobby = shown.table.status == LOBBY
    creator = shown.table.creator == shown.visitor
    free = any(seat.is_free for seat in shown.seats)
    return contexts.Me(
        seats=shown.own,
        acting=shown.acting,
        is_spectator=not shown.own,
        is_creator=creator,
        may_start=lobby and not free and (creator or bool(shown.own)),
        may_join=lobby and free,
    )


def panels(shown: Viewer, state: Any) -> list[contexts.PanelInfo]:
    """What everybody holds."""
    return [
        contexts.PanelInfo(
            panel.title,
            panel.seat,
            [contexts.PanelRow(row.label, row.value, row.key, row.note) for row in panel.rows],
            panel.pieces,
        )
        for panel in shown.voice.panels(state)
    ]


def grids(shown: Viewer, state: Any) -> list[Grid]:
    """What is better read in rows and columns."""
    return shown.voice.tables(state)


def chat(shown: Viewer) -> list[contexts.ChatLine]:
    """The chat."""
    return [
        contexts.ChatLine(
            name=shown.seats[line.seat].name,
            seat=line.seat,
            text=line.text,
            time=line.sent_at.isoformat(timespec="seconds"),
            is_mine=line.seat in shown.own,
        )
        for line in shown.snapshot.chat
    ]


def result(shown: Viewer) -> contexts.ResultInfo | None:
    """How the game ended."""
    if shown.game is None or shown.game.result is None or shown.at is not None:
        return None
    result = shown.game.result
    order = sorted(range(len(result.scores)), key=lambda seat: -result.scores[seat])
    ranking = [
        contexts.RankLine(
            place=1 + sum(score > result.scores[seat] for score in result.scores),
            seat=seat,
            name=shown.seats[seat].name,
            score=shown.voice.written_score(result.scores[seat]),
            note=shown.seat_note(seat),
            is_winner=seat in result.winners,
        )
        for seat in order
    ]
    winners = [shown.seats[seat].name for seat in result.winners]
    return contexts.ResultInfo(winners_sentence(shown.words, winners), ranking)

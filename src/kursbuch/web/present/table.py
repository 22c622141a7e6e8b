"""The page of a table."""

from __future__ import annotations

from typing import Any

import msgspec
from markupsafe import Markup

from kursbuch.web import charts, contexts
from kursbuch.web.deeds.lobby import may_close
from kursbuch.web.deeds.opening import RECORD
from kursbuch.web.delayed import is_delayed
from kursbuch.web.games import REST
from kursbuch.web.mentions import pieces
from kursbuch.web.policies import CLOSED, FINISHED, LOBBY, OVERRUNS, UNDO_POLICIES, VOTE
from kursbuch.web.present.ahead import ahead_info
from kursbuch.web.present.asking import (
    curtain,
    ending,
    objection,
    redo,
    replacers,
    replacing,
    undo,
)
from kursbuch.web.present.boards import board
from kursbuch.web.present.course import (
    again_url,
    copying,
    latest,
    may_again,
    notes,
    origin_url,
    take_back_here,
)
from kursbuch.web.present.doors import delay_label, doors
from kursbuch.web.present.happened import log_from, since
from kursbuch.web.present.history import past, steps
from kursbuch.web.present.labels import SEAT_KINDS, STATUS, objection_label, winners_sentence
from kursbuch.web.present.learning import aid_url, guide, learn_url
from kursbuch.web.present.legend import legend_url
from kursbuch.web.present.moderating import moderation, set_up
from kursbuch.web.present.numbers import (
    bars,
    highlights,
    needs_lines,
    numbers_of,
    sources,
    worth_charts,
)
from kursbuch.web.present.numbers import ending as why_over
from kursbuch.web.present.people import profile_url, rating_change
from kursbuch.web.present.times import hours_label, seat_times, vacation_label
from kursbuch.web.present.turn import choices, may_also, prompt, thinking, waiting_sentence
from kursbuch.web.present.viewer import HIDDEN, Viewer
from kursbuch.web.recent import Recent
from kursbuch.web.requests import is_local
from kursbuch.web.strengths import bot_label

#: So many lines of the log are on the page until the whole log is asked for.
SHOWN_LOG = 60

#: What is said of positions, by what is known of them and in which words.
STANDINGS = Recent[tuple[object, ...], contexts.Standing](200, rest=REST)

#: What is said before the game.
NOTHING = contexts.Standing("", "", [], [], [], [], [], [], [])


def table_page(shown: Viewer, whole_log: bool = False) -> contexts.TablePage:
    """The table."""
    told = [] if shown.game is None else shown.told(shown.game).events
    earlier = 0 if whole_log or shown.at is not None else max(0, len(told) - SHOWN_LOG)
    info, drawn, position = table_info(shown), board(shown), standing(shown)
    seats, visitor, offered = seat_infos(shown, position), me(shown), choices(shown)
    may_copy, wanted, replaced = copying(shown), ending(shown), replacing(shown)
    entry, who, moderated = doors(shown), replacers(shown), moderation(shown)
    return contexts.TablePage(
        table=info,
        seats=seats,
        me=visitor,
        version=shown.table.version,
        number=shown.number,
        position=shown.position(),
        board_svg=drawn.svg,
        board=drawn.stamp,
        prompt=prompt(shown),
        may_also=may_also(shown, offered),
        standing=position,
        waiting_sentence=waiting_sentence(shown),
        thinking=thinking(shown),
        choices=offered,
        names=shown.words.names,
        about=contexts.AboutInfo(
            seats=[_resting(seat) for seat in seats],
            me=msgspec.structs.replace(visitor, acting=None),
            share_link=info.link,
            doors=entry,
            copying=may_copy is not None,
            replacing=replaced,
            replacers=who,
            ending=wanted,
            moderation=moderated,
        ),
        log=log_page(shown, earlier),
        log_earlier=earlier,
        since=since(shown),
        chat=chat(shown),
        chat_read=shown.snapshot.read.get(shown.visitor, 0),
        undo=undo(shown),
        redo=redo(shown),
        note=latest(shown),
        back_here=take_back_here(shown),
        copying=may_copy,
        ending=wanted,
        doors=entry,
        replacing=replaced,
        replacers=who,
        ahead=ahead_info(shown),
        at=shown.at,
        past=past(shown),
        steps=steps(shown),
        curtain=curtain(shown),
        shares_device=shown.shares,
        face=shown.face(),
        objection=objection(shown),
        hint_allowed=shown.table.help and shown.acting is not None,
        guide=guide(shown),
        result=result(shown),
        moderation=moderated,
        share_link=info.link,
        link_is_local=is_local(shown.base_url.partition("://")[2]),
        head=shown.head(),
    )


def standing(shown: Viewer) -> contexts.Standing:
    """What is said of the position."""
    if shown.view is None:
        return NOTHING
    key = (*shown.place(), shown.words.language, shown.words.names)
    return STANDINGS.get(key) or STANDINGS.put(key, _standing(shown, shown.view.state))


def _standing(shown: Viewer, state: Any) -> contexts.Standing:
    voice, seats = shown.voice, range(len(shown.seats))
    listed, compared, sheets = panels(shown, state), cards(shown, state), voice.tables(state)
    return contexts.Standing(
        status=voice.status(state),
        near_end=voice.near_end(state),
        seating=[*shown.title.seating(state, len(seats))],
        held=[
            contexts.Held(
                [one for one in compared if one.seat == seat],
                [one for one in listed if one.seat == seat],
            )
            for seat in seats
        ],
        notes=[voice.seat_note(state, seat) for seat in seats],
        cards=[one for one in compared if one.seat is None],
        brief=[one for one in sheets if one.brief],
        grids=[one for one in sheets if not one.brief],
        panels=[one for one in listed if one.seat is None],
    )


def _resting(seat: contexts.SeatInfo) -> contexts.SeatInfo:
    """A seat without what changes with moves."""
    return msgspec.structs.replace(
        seat, is_turn=False, connected=False, score="", payments_url="", note="", is_winner=False
    )


def log_page(shown: Viewer, start: int) -> list[contexts.LogLine]:
    """The log without its first so many lines, with what happened at the table between the moves."""
    if shown.game is None:
        return []
    lines = log_from(shown, start)
    since = lines[0].number if start else 0
    beside = [note for note in notes(shown) if note.number >= since]
    return sorted([*lines, *beside], key=lambda line: (line.number, line.note))


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
        learn_url=learn_url(shown.title),
        aid_url=aid_url(shown.title),
        legend_url=legend_url(shown.title),
        record_url=f"{url}/record" if shown.may_record() else "",
        check_url=f"{url}/check",
        routes_url=routes_url(shown),
        numbers_url=f"{url}/numbers" if shown.game is not None else "",
        # How a game ended that came to its end has an address of its own.
        review_url=f"{url}/review" if table.status == CLOSED and shown.number else "",
        pieces_url=shown.pieces_url(),
        copied=table.copied,
        from_record=any(note.kind == RECORD for note in shown.snapshot.notes),
        origin_url=origin_url(shown),
        again_url=again_url(shown),
        may_again=may_again(shown),
        slow=table.slow,
        time_label=hours_label(words, table.slow, table.move_hours),
        overrun_label=words._(OVERRUNS[table.overrun]) if table.move_hours else "",
        votes=table.overrun == VOTE,
        vacation_label=vacation_label(words, table.vacation) if table.move_hours else "",
        language_note=table.language_note,
        rated=table.rated,
        set_up=set_up(shown),
    )


def routes_url(shown: Viewer) -> str:
    """Where the best trains on this position are found, empty if that is not possible."""
    table = shown.table
    if shown.game is None or not table.help or table.data_hash or shown.title.planner is None:
        return ""
    return f"/routes/{table.title}?table={table.id}"


def seat_infos(shown: Viewer, position: contexts.Standing) -> list[contexts.SeatInfo]:
    """The seats."""
    table, words = shown.table, shown.words
    winners = table.result["winners"] if table.result and shown.at is None else []
    infos = []
    for seat in shown.seats:
        mine = seat.owner == shown.visitor
        score = shown.score(seat.number)
        profile = shown.snapshot.profiles.get(seat.owner or "")
        known = shown.game is not None and score != HIDDEN
        handing_on = (mine or (seat.is_gone and bool(shown.own))) and seat.token is not None
        infos.append(
            contexts.SeatInfo(
                number=seat.number,
                name=seat.name,
                kind=seat.kind,
                kind_label=words._(SEAT_KINDS[seat.kind]),
                bot=words._(bot_label(shown.title, seat.bot)) if seat.is_bot else "",
                is_free=seat.is_free,
                is_gone=seat.is_gone,
                has_player=seat.owner is not None,
                is_mine=mine,
                is_turn=seat.number in shown.deciding,
                connected=seat.is_bot or shown.heard(seat.number),
                score=score,
                score_note=shown.voice.worth_note(),
                payments_url=shown.address(f"/payments/{seat.number}") if known else "",
                note=position.notes[seat.number] if position.notes else "",
                hand_on_link=(
                    f"{shown.base_url}/t/{table.id}/seat/{seat.token}" if handing_on else ""
                ),
                is_winner=seat.number in winners,
                times=seat_times(shown, seat),
                profile_url=profile_url(profile) if profile else "",
            )
        )
    return infos


def me(shown: Viewer) -> contexts.Me:
    """The visitor at this table."""
    lobby = shown.table.status == LOBBY
    creator = shown.table.creator == shown.visitor
    seats, table = shown.seats, shown.table
    free = any(seat.is_free for seat in shown.seats)
    return contexts.Me(
        seats=shown.own,
        acting=shown.acting,
        is_spectator=not shown.own,
        is_creator=creator,
        may_close=creator and (lobby or may_close(seats, shown.visitor)),
        may_start=lobby and not free and (creator or bool(shown.own)),
        may_join=lobby and free and not (shown.table.rated and shown.own),
        delay=delay_label(shown.words, table.delay_moves, table.delay_minutes)
        if is_delayed(shown.snapshot, shown.visitor)
        else "",
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


def cards(shown: Viewer, state: Any) -> list[contexts.CardInfo]:
    """Players and whatever else is compared all the time."""
    return [
        contexts.CardInfo(
            one.title,
            one.seat,
            one.key,
            one.figures,
            [contexts.ChipInfo(chip.text, chip.key, chip.note, chip.strong) for chip in one.chips],
            one.note,
            one.active,
            one.held,
        )
        for one in shown.voice.summaries(state)
    ]


def chat(shown: Viewer) -> list[contexts.ChatLine]:
    """The chat."""
    names = [seat.name for seat in shown.seats]
    lines = []
    for line in shown.snapshot.chat:
        told = pieces(line.text, names)
        # Whoever had the seat before has said that.
        mine = line.seat in shown.own and line.name in (None, names[line.seat])
        lines.append(
            contexts.ChatLine(
                id=line.id,
                name=line.name or names[line.seat],
                seat=line.seat,
                pieces=[(text, bool(seats)) for text, seats in told],
                time=line.sent_at.isoformat(timespec="seconds"),
                is_mine=mine,
                means_me=not mine and any(seats.intersection(shown.own) for _, seats in told),
            )
        )
    return lines


def result(shown: Viewer) -> contexts.ResultInfo | None:
    """How the game ended."""
    if shown.game is None or shown.game.result is None or shown.at is not None:
        return None
    result, found = shown.game.result, numbers_of(shown)
    order = sorted(range(len(result.scores)), key=lambda seat: -result.scores[seat])
    bar = bars(found)
    rated = (shown.table.result or {}).get("ratings") or [None] * len(order)
    ranking = [
        contexts.RankLine(
            place=1 + sum(score > result.scores[seat] for score in result.scores),
            seat=seat,
            name=shown.seats[seat].name,
            score=shown.voice.written_score(result.scores[seat]),
            bar=bar[seat],
            is_winner=seat in result.winners,
            rating=rating_change(shown.words, *rated[seat]) if rated[seat] else "",
        )
        for seat in order
    ]
    winners = [shown.seats[seat].name for seat in result.winners]
    url = f"/t/{shown.table.id}"
    return contexts.ResultInfo(
        sentence=winners_sentence(shown.words, winners),
        ending=why_over(shown, found),
        ranking=ranking,
        sources=sources(found),
        stacked=needs_lines(found),
        chart=next(iter(worth_charts(found, [charts.SMALL])), Markup("")),
        highlights=highlights(found.highlights),
        numbers_url=f"{url}/numbers",
        review_url=f"{url}/review",
        replay_url=f"{url}?move=0",
    )

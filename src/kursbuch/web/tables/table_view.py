"""The table page."""

from __future__ import annotations

from typing import Any

import msgspec

from kursbuch.core.voice import Grid, Row
from kursbuch.web.accounts.names import profile_url
from kursbuch.web.ai.levels import bot_label
from kursbuch.web.cache import LruCache
from kursbuch.web.db.models import Seat, now
from kursbuch.web.http.requests import is_local
from kursbuch.web.labels import (
    SEAT_KINDS,
    STATUS,
    Fact,
    FieldChoice,
    PanelRow,
    aid_url,
    learn_url,
    legend_url,
)
from kursbuch.web.learn.lessons import GuideInfo, guide_info
from kursbuch.web.tables.access import AccessInfo, access_info, delay_label, may_close
from kursbuch.web.tables.boards import Drawing, board
from kursbuch.web.tables.chat import pieces
from kursbuch.web.tables.clocks import Moment, hours_label, moment, objection_label, vacation_label
from kursbuch.web.tables.copies import (
    RECORD,
    Copying,
    CopySeat,
    again_url,
    copy_seats,
    copying,
    may_again,
    origin_url,
)
from kursbuch.web.tables.decision_view import (
    Curtain,
    Objection,
    Vote,
    choices,
    curtain,
    ending,
    may_also,
    objection,
    prompt,
    redo,
    replacers,
    replacing,
    thinking,
    undo,
    waiting_sentence,
)
from kursbuch.web.tables.games import REST
from kursbuch.web.tables.history_view import (
    HistorySteps,
    Recap,
    UndoOption,
    latest,
    log_from,
    notes,
    past,
    since,
    steps,
    take_back_here,
)
from kursbuch.web.tables.moderation import Moderation, moderation, set_up
from kursbuch.web.tables.policies import (
    CLOSED,
    FINISHED,
    LOBBY,
    OVERRUNS,
    RUNNING,
    UNDO_POLICIES,
    VOTE,
)
from kursbuch.web.tables.premove_routes import PremovesInfo, ahead_info
from kursbuch.web.tables.results import ResultInfo, result
from kursbuch.web.tables.snapshot import is_delayed
from kursbuch.web.tables.viewer import HIDDEN, LogLine, Viewer


class SeatTimes(msgspec.Struct, frozen=True):
    """The clock of a seat: its deadline `due`, whether it is `late`, the end of its player's absence `away`, and the
    `vacation` days left. `may_replace`, `may_come_back` and `may_sit` are the visitor's options."""

    due: Moment | None
    late: bool
    away: Moment | None
    vacation: int
    may_replace: bool
    may_come_back: bool
    may_sit: bool


def seat_times(shown: Viewer, seat: Seat) -> SeatTimes:
    """The clock of a seat."""
    going = shown.table.status == RUNNING and shown.at is None
    away = seat.away_until if seat.away_until and seat.away_until > now() else None
    mine = seat.owner == shown.visitor
    comes_back = seat.owner is None and seat.former == shown.visitor
    # At a rated table each player has one seat.
    comes_back = comes_back and not (shown.table.rated and shown.own)
    return SeatTimes(
        due=moment(seat.due_at) if going else None,
        late=going and seat.late,
        away=moment(away) if going else None,
        vacation=seat.vacation,
        may_replace=going and bool(shown.own) and not mine,
        may_come_back=going and comes_back,
        may_sit=going and seat.is_free and not (shown.own or comes_back or shown.snapshot.is_over),
    )


#: Number of log lines on the page unless the whole log is asked for.
SHOWN_LOG = 60


class PanelInfo(msgspec.Struct, frozen=True):
    """A list of holdings, of a seat or (None) of the table."""

    title: str
    seat: int | None
    rows: list[PanelRow]
    pieces: bool


class ChipInfo(msgspec.Struct, frozen=True):
    """A holding; `strong` marks the majority."""

    text: str
    key: str
    note: str
    strong: bool


class CardInfo(msgspec.Struct, frozen=True):
    """A player (`seat`) or another entity at a glance; `held` describes the chips; a `pinned` one stays in sight."""

    title: str
    seat: int | None
    key: str
    figures: tuple[Row, ...]
    chips: list[ChipInfo]
    note: str
    active: bool
    held: str
    pinned: bool


class Held(msgspec.Struct, frozen=True):
    """The holdings of a player: at a glance, and as a list."""

    cards: list[CardInfo]
    panels: list[PanelInfo]


class Standing(msgspec.Struct, frozen=True):
    """The position in words, shared by all readers with the same knowledge: the state of the game and what will end
    it; the holdings of each player by seat, with a note that stays visible; companies and other comparisons
    (`cards`), narrow tables to stand beside them (`brief`), all others, and lists. `seating` is the seat order."""

    status: str
    near_end: str
    seating: list[int]
    held: list[Held]
    notes: list[str]
    cards: list[CardInfo]
    brief: list[Grid]
    grids: list[Grid]
    panels: list[PanelInfo]


#: Positions in words, by knowledge and language.
STANDINGS = LruCache[tuple[object, ...], Standing](200, rest=REST)

#: Before the game.
NOTHING = Standing("", "", [], [], [], [], [], [], [])


class SeatInfo(msgspec.Struct, frozen=True):
    """A seat. `kind` is person, hotseat, bot or gone; it `has_player` if a person can be asked; `note` is what
    matters besides the score, `score_note` explains the score, `profile_url` is the page of the account."""

    number: int
    name: str
    kind: str
    kind_label: str
    bot: str
    is_free: bool
    is_gone: bool
    has_player: bool
    is_mine: bool
    is_turn: bool
    connected: bool
    score: str
    score_note: str
    payments_url: str
    note: str
    hand_on_link: str
    is_winner: bool
    times: SeatTimes
    profile_url: str


class Me(msgspec.Struct, frozen=True):
    """The visitor at this table: own seats, the acting one, and the spectator delay."""

    seats: list[int]
    acting: int | None
    is_spectator: bool
    is_creator: bool
    may_close: bool
    may_start: bool
    may_join: bool
    delay: str


class AboutInfo(msgspec.Struct, frozen=True):
    """The tab about the table. `seats` and `me` leave out what changes with every move."""

    seats: list[SeatInfo]
    me: Me
    share_link: str
    doors: AccessInfo
    copying: bool
    replacing: Vote
    replacers: list[FieldChoice]
    ending: Vote
    moderation: Moderation | None


class TableInfo(msgspec.Struct, frozen=True):
    """The table. `status` is lobby, running, finished or closed; `objection_name` is empty if this game has no use
    for a clock, `record_url` if no record is available. `copied` is the number of moves from another table
    (`origin_url`, if the visitor may know it); `again_url` is the rematch, which the visitor may open if `may_again`.
    `set_up` are the corrections that set up the game, in words."""

    id: str
    url: str
    link: str
    title: str
    title_name: str
    status: str
    status_label: str
    options: list[Fact]
    usual_options: list[Fact]
    undo: str
    undo_label: str
    help: bool
    listed: bool
    objection_name: str
    objection_label: str
    seed_hash: str
    seed: str | None
    own_data: bool
    rules_url: str
    learn_url: str
    aid_url: str
    legend_url: str
    record_url: str
    check_url: str
    routes_url: str
    numbers_url: str
    review_url: str
    pieces_url: str
    copied: int | None
    from_record: bool
    origin_url: str
    again_url: str
    may_again: bool
    slow: bool
    time_label: str
    overrun_label: str
    votes: bool
    vacation_label: str
    language_note: str
    rated: bool
    set_up: list[str]


class ChatLine(msgspec.Struct, frozen=True):
    """A chat message, in pieces with a mark for mentions of players. `time` is ISO 8601, UTC."""

    id: int
    name: str
    seat: int | None
    pieces: list[tuple[str, bool]]
    time: str
    is_mine: bool
    means_me: bool


class TablePage(msgspec.Struct, frozen=True):
    """The facts of a table page, of which its sections are made (`web/live/sections.py`).
    `version` grows with every change of the table; `number` is the number of moves. POST /move sends both. `position`
    changes with every move or undo. `log` has the newest lines, `log_earlier` counts the older ones; `since` is the
    recap for the reader; `thinking` says that the table waits for bots only. `choices` are those of the acting seat,
    or of one that may act out of turn (introduced by `may_also`): {action, keys, label, group, several, cost, amount:
    {field, low, high, step, send, written, quick, atOnce} or null, confirm, ask}.
    `at` is the number of moves of the position shown, None for now: everything but the chat is as it was then, `past`
    is the log of that move, and `steps` navigates from there. `shares_device`: players at this device have secrets
    from each other; `face` changes with the player in front of it. `note` tells of an undo or redo since the last
    move. `back_here` undoes to the position shown, `copying` continues from it at a private table. `chat_read` is the
    last message read. `replacers` can replace a player. `head` is the last link of the hash chain at the position
    shown."""

    table: TableInfo
    seats: list[SeatInfo]
    me: Me
    version: int
    number: int
    position: str
    drawing: Drawing
    prompt: str
    may_also: str
    standing: Standing
    waiting_sentence: str
    thinking: bool
    choices: list[dict[str, Any]]
    names: tuple[str, ...]
    about: AboutInfo
    log: list[LogLine]
    log_earlier: int
    since: Recap | None
    chat: list[ChatLine]
    chat_read: int
    undo: Vote
    redo: Vote
    note: str
    back_here: UndoOption | None
    copying: Copying | None
    ending: Vote
    doors: AccessInfo
    replacing: Vote
    ahead: PremovesInfo | None
    replacers: list[FieldChoice]
    at: int | None
    past: list[LogLine]
    steps: HistorySteps
    curtain: Curtain | None
    shares_device: bool
    face: str
    objection: Objection
    hint_allowed: bool
    guide: GuideInfo | None
    result: ResultInfo | None
    moderation: Moderation | None
    share_link: str
    link_is_local: bool
    head: str


class Settled(msgspec.Struct, frozen=True):
    """The facts of a table page that moves leave as they are."""

    table: TableInfo
    doors: AccessInfo
    moderation: Moderation | None
    ending: Vote
    replacing: Vote
    replacers: list[FieldChoice]
    copy_seats: list[CopySeat]
    chat: list[ChatLine]
    notes: list[LogLine]
    link_is_local: bool


def settled(shown: Viewer) -> Settled:
    """The facts that moves leave as they are, kept as long as there are only moves."""
    if shown.at is not None:
        return _settled(shown)
    kept, key = shown.snapshot.settled, shown.audience()
    found: Settled = kept.get(key) or kept.put(key, _settled(shown))
    return found


def _settled(shown: Viewer) -> Settled:
    return Settled(
        table=table_info(shown),
        doors=access_info(shown.words, shown.snapshot, shown.visitor),
        moderation=moderation(shown),
        ending=ending(shown),
        replacing=replacing(shown),
        replacers=replacers(shown),
        copy_seats=copy_seats(shown),
        chat=chat(shown),
        notes=notes(shown),
        link_is_local=is_local(shown.base_url.partition("://")[2]),
    )


def table_page(shown: Viewer, whole_log: bool = False) -> TablePage:
    """Build the table page."""
    rest = settled(shown)
    told = [] if shown.game is None else shown.told(shown.game).events
    earlier = 0 if whole_log or shown.at is not None else max(0, len(told) - SHOWN_LOG)
    position = standing(shown)
    seats, visitor, offered = seat_infos(shown, position), me(shown), choices(shown)
    may_copy = copying(shown, rest.copy_seats)
    others = rest.replacers if any(seat.times.may_replace for seat in seats) else []
    return TablePage(
        table=rest.table,
        seats=seats,
        me=visitor,
        version=shown.table.version,
        number=shown.number,
        position=shown.position(),
        drawing=board(shown),
        prompt=prompt(shown),
        may_also=may_also(shown, offered),
        standing=position,
        waiting_sentence=waiting_sentence(shown),
        thinking=thinking(shown),
        choices=offered,
        names=shown.words.names,
        about=AboutInfo(
            seats=[_resting(seat) for seat in seats],
            me=msgspec.structs.replace(visitor, acting=None),
            share_link=rest.table.link,
            doors=rest.doors,
            copying=may_copy is not None,
            replacing=rest.replacing,
            replacers=others,
            ending=rest.ending,
            moderation=rest.moderation,
        ),
        log=log_page(shown, earlier, rest.notes),
        log_earlier=earlier,
        since=since(shown),
        chat=rest.chat,
        chat_read=shown.snapshot.read.get(shown.visitor, 0),
        undo=undo(shown),
        redo=redo(shown),
        note=latest(shown),
        back_here=take_back_here(shown),
        copying=may_copy,
        ending=rest.ending,
        doors=rest.doors,
        replacing=rest.replacing,
        replacers=others,
        ahead=ahead_info(shown),
        at=shown.at,
        past=past(shown),
        steps=steps(shown),
        curtain=curtain(shown),
        shares_device=shown.shares,
        face=shown.face(),
        objection=objection(shown),
        hint_allowed=shown.table.help and shown.acting is not None,
        guide=guide_info(shown) if shown.table.guided else None,
        result=result(shown),
        moderation=rest.moderation,
        share_link=rest.table.link,
        link_is_local=rest.link_is_local,
        head=shown.head(),
    )


def standing(shown: Viewer) -> Standing:
    """Describe the position."""
    if shown.view is None:
        return NOTHING
    key = (*shown.place(), shown.words.language, shown.words.names)
    return STANDINGS.get(key) or STANDINGS.put(key, _standing(shown, shown.view.state))


def _standing(shown: Viewer, state: Any) -> Standing:
    voice, seats = shown.voice, range(len(shown.seats))
    listed, compared, sheets = panels(shown, state), cards(shown, state), voice.tables(state)
    return Standing(
        status=voice.status(state),
        near_end=voice.near_end(state),
        seating=[*shown.title.seating(state, len(seats))],
        held=[
            Held(
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


def _resting(seat: SeatInfo) -> SeatInfo:
    """A seat without what changes with moves."""
    return msgspec.structs.replace(
        seat, is_turn=False, connected=False, score="", payments_url="", note="", is_winner=False
    )


def log_page(shown: Viewer, start: int, notes: list[LogLine]) -> list[LogLine]:
    """The log without its first lines, with notes between the moves."""
    if shown.game is None:
        return []
    lines = log_from(shown, start)
    since = lines[0].number if start else 0
    beside = [note for note in notes if note.number >= since]
    return (
        lines
        if not beside
        else sorted([*lines, *beside], key=lambda line: (line.number, line.note))
    )


def table_info(shown: Viewer) -> TableInfo:
    """Describe the table."""
    table, words = shown.table, shown.words
    options: list[Fact] = []
    usual_options: list[Fact] = []
    for option in shown.title.options:
        value = table.options.get(option.name)
        if value in option.values:
            place = option.values.index(value)
            fact = Fact(words._(option.label), words._(option.labels[place]))
            (options if place else usual_options).append(fact)
    url = f"/t/{table.id}"
    return TableInfo(
        id=table.id,
        url=url,
        link=shown.base_url + url,
        title=table.title,
        title_name=shown.title.name,
        status=table.status,
        status_label=words._(STATUS[table.status]),
        options=options,
        usual_options=usual_options,
        undo=table.undo,
        undo_label=words._(UNDO_POLICIES[table.undo]),
        help=table.help,
        listed=table.listed,
        objection_name=words._(shown.title.objection_texts.time)
        if shown.title.objection_texts
        else "",
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
        # The log link of a finished game leads to its result.
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
    """The address of the best trains in this position, empty if the title has none."""
    table = shown.table
    if shown.game is None or not table.help or table.data_hash or shown.title.planner is None:
        return ""
    return f"/routes/{table.title}?table={table.id}"


def seat_infos(shown: Viewer, position: Standing) -> list[SeatInfo]:
    """Describe the seats."""
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
            SeatInfo(
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


def me(shown: Viewer) -> Me:
    """Describe the visitor's role."""
    lobby = shown.table.status == LOBBY
    creator = shown.table.creator == shown.visitor
    seats, table = shown.seats, shown.table
    free = any(seat.is_free for seat in shown.seats)
    return Me(
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


def panels(shown: Viewer, state: Any) -> list[PanelInfo]:
    """The holdings of all players."""
    return [
        PanelInfo(
            panel.title,
            panel.seat,
            [PanelRow(row.label, row.value, row.key, row.note) for row in panel.rows],
            panel.pieces,
        )
        for panel in shown.voice.panels(state)
    ]


def cards(shown: Viewer, state: Any) -> list[CardInfo]:
    """Players and other entities compared at a glance."""
    return [
        CardInfo(
            one.title,
            one.seat,
            one.key,
            one.figures,
            [ChipInfo(chip.text, chip.key, chip.note, chip.strong) for chip in one.chips],
            one.note,
            one.active,
            one.held,
            one.pinned,
        )
        for one in shown.voice.summaries(state)
    ]


def chat(shown: Viewer) -> list[ChatLine]:
    """The chat."""
    names = [seat.name for seat in shown.seats]
    lines = []
    for line in shown.snapshot.chat:
        told = pieces(line.text, names)
        # A former player of the seat wrote that.
        mine = line.seat in shown.own and line.name in (None, names[line.seat])
        lines.append(
            ChatLine(
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

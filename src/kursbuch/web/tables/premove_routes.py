"""Premoves: adding, reordering, withdrawing; page and routes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER
from sqlalchemy import ColumnElement, func, select

from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import View
from kursbuch.core.position import Position
from kursbuch.core.state import Decision
from kursbuch.core.words import LANGUAGES, N_
from kursbuch.web.db.models import Premove, now
from kursbuch.web.http.errors import Conflict, Forbidden, NotFound, Refused
from kursbuch.web.http.operations import READING, Number
from kursbuch.web.http.requests import (
    AnyRequest,
    carry_out,
    read,
    wants_page,
    wants_part,
    words_for,
)
from kursbuch.web.http.templating import page
from kursbuch.web.labels import FieldChoice
from kursbuch.web.tables.api import table_done, table_operation
from kursbuch.web.tables.policies import RUNNING
from kursbuch.web.tables.premoves import (
    AFTER,
    ASK,
    CHANGED,
    HAPPENED,
    IMPOSSIBLE,
    NEXT,
    OUTBID,
    PASS,
    ROUTINE,
    UNDONE,
    Act,
    BidUpTo,
    Ending,
    Object,
    PassUntil,
    Plan,
    Routine,
    is_present,
    label,
    passing,
    read_plan,
    routine_action,
    situations,
    subject_of,
    task,
    voice_of,
)
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.transaction import TableTransaction
from kursbuch.web.tables.viewer import Viewer, viewer

#: Maximum number of premoves of a seat.
MOST_PLANS = 40


class PremoveRequest(msgspec.Struct, frozen=True):
    """A premove to add, by `kind`: "act" is an `action` in a decision of the kind `step` about `subject` (None: the
    first possible one), `later` than in the present turn, with a fallback `otherwise` (ask, pass, next), and perhaps
    `ends` for the end of the turn; "pass" passes such decisions `until` an event; "bid" bids up to `most`; "object"
    objects `always` or never; "routine" lets the turns of `subject` run by themselves."""

    kind: str
    step: str = ""
    subject: str | None = None
    later: bool = False
    action: dict[str, Any] | None = None
    amount: int | None = None
    otherwise: str = ASK
    ends: bool = False
    until: str = ""
    most: int = 0
    always: bool = False


def _meant(view: View, wanted: PremoveRequest) -> Iterator[tuple[Decision, Position[Any]]]:
    """The decisions that a premove may be meant for."""
    for decision, position in situations(view):
        fits = decision.step == wanted.step and wanted.subject in (None, subject_of(position))
        if fits and not (wanted.later and is_present(view, position)):
            yield decision, position


async def add_premove(
    tables: TableStore,
    table_id: str,
    visitor: str,
    number: int,
    wanted: PremoveRequest,
    instead: int | None = None,
) -> None:
    """Add a premove of one's seat, as the last one or in place of `instead`. If it is due now, it is made at once."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        change.own_seat(number, visitor)
        mine = (Premove.table_id == table_id) & (Premove.seat == number)
        assert change.game is not None
        plan = msgspec.to_builtins(as_plan(change.game.view(number), wanted))
        if instead is not None:
            row = await _planned(change, mine, instead)
            row.plan, row.dropped, row.made_at = plan, "", now()
        else:
            held = select(func.count()).select_from(Premove)
            if (await change.session.scalar(held.where(mine)) or 0) >= MOST_PLANS:
                raise Refused(N_("You have reached the maximum number of planned moves."))
            change.session.add(
                Premove(table_id=table_id, seat=number, plan=plan, dropped="", made_at=now())
            )
        await change.session.flush()
        await change.carry_out_ahead()
        # No one else may know of it before it is made.
        change.silent = not change.actions


async def advance_premove(
    tables: TableStore, table_id: str, visitor: str, number: int, row: int
) -> None:
    """Move a premove of one's seat before the previous one."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        change.own_seat(number, visitor)
        mine = (Premove.table_id == table_id) & (Premove.seat == number)
        moved = await _planned(change, mine, row)
        earlier = select(Premove).where(mine, Premove.dropped == "", Premove.id < row)
        found = await change.session.scalars(earlier.order_by(Premove.id.desc()).limit(1))
        before = found.first()
        if before is not None:
            moved.plan, before.plan = before.plan, moved.plan
            moved.made_at, before.made_at = before.made_at, moved.made_at
            await change.session.flush()
            await change.carry_out_ahead()
        change.silent = not change.actions


async def _planned(change: TableTransaction, mine: ColumnElement[bool], row: int) -> Premove:
    """A pending premove of a seat."""
    query = select(Premove).where(mine, Premove.id == row, Premove.dropped == "")
    found = (await change.session.scalars(query)).first()
    if found is None:
        raise NotFound(N_("This move is no longer planned."))
    return found


async def withdraw_premove(
    tables: TableStore, table_id: str, visitor: str, number: int, row: int | None
) -> None:
    """Withdraw a premove of one's seat, or forget a dropped one; without `row`, all dropped ones."""
    async with tables.changing(table_id) as change:
        change.own_seat(number, visitor)
        change.silent = True
        mine = (Premove.table_id == table_id) & (Premove.seat == number)
        which = Premove.dropped != "" if row is None else Premove.id == row
        found = list(await change.session.scalars(select(Premove).where(mine, which)))
        if row is not None and not found:
            raise NotFound(N_("This move is no longer planned."))
        for one in found:
            await change.session.delete(one)


def as_plan(view: View, wanted: PremoveRequest) -> Plan:
    """Convert a request to a premove; refuse an impossible one."""
    title, seat = view.title, view.seat
    assert seat is not None
    match wanted.kind:
        case "act":
            return _act(view, wanted)
        case "pass":
            places = [one for one in _meant(view, wanted) if passing(*one) is not None]
            if not places:
                raise Refused(N_("You cannot plan to pass there."))
            if wanted.until not in title.premoves.triggers(view.state, seat):
                raise Refused(N_("You cannot wait for that event."))
            decision, position = places[0]
            subject = subject_of(position)
            voices = {lang: voice_of(view, lang) for lang in LANGUAGES} if subject else {}
            where = {lang: task(voice, position, decision) for lang, voice in voices.items()}
            return PassUntil(
                wanted.step, wanted.until, subject, not is_present(view, position), where
            )
        case "bid":
            lot = title.premoves.lot(view.state, seat)
            if not lot:
                raise Refused(N_("There is nothing to bid for at the moment."))
            if not 0 < wanted.most < 10**9:
                raise Refused(N_("Enter your maximum bid."))
            return BidUpTo(lot, wanted.most)
        case "object" if title.premoves.objects:
            return Object(wanted.always)
        case "routine":
            subject = wanted.subject or ""
            if subject in title.premoves.routines(view.state, seat):
                return Routine(subject, title.premoves.routine_terms(view.state, subject))
    raise Refused(N_("It is not clear which move should be planned."))


def _act(view: View, wanted: PremoveRequest) -> Act:
    title = view.title
    action = title.action_from_json(wanted.action)
    if wanted.amount is not None and action.AMOUNT:
        action = title.action_from_json({**(wanted.action or {}), action.AMOUNT: wanted.amount})
    if wanted.otherwise not in (ASK, PASS, NEXT):
        raise Refused(N_("It is not clear what to do if the move is not possible."))
    if action.seat != view.seat:
        raise Refused(N_("This seat is not yours."))
    problem = None
    for decision, position in _meant(view, wanted):
        problem = position.problem(action)
        if problem is None:
            return Act(
                step=wanted.step,
                action=title.action_to_json(action),
                terms=title.premoves.terms(position.state, action),
                otherwise=wanted.otherwise,
                ends=wanted.ends and action != title.premoves.passing(position.state, decision),
                label={
                    lang: label(voice_of(view, lang), position, decision, action)
                    for lang in LANGUAGES
                },
                subject=subject_of(position),
                later=not is_present(view, position),
            )
    if problem is not None:
        problem.name_players(view.names)
        raise problem
    raise Refused(N_("This decision cannot be foreseen."))


#: Why a premove was dropped.
WHY = {
    IMPOSSIBLE: N_("It was no longer possible."),
    CHANGED: N_("The price or the place had changed."),
    HAPPENED: N_("What you were waiting for has happened: you decide for yourself again."),
    OUTBID: N_("The bids went above your limit."),
    AFTER: N_("It was to follow a move that could not be made."),
    UNDONE: N_("The move was taken back."),
}


class PremoveLine(msgspec.Struct, frozen=True):
    """A premove in words, or (`note`) why it was dropped."""

    row: int
    text: str
    note: str = ""


class RoutineInfo(msgspec.Struct, frozen=True):
    """Turns of a seat that can run by themselves, and what is done in them; `row` is the premove if they do."""

    seat: int
    subject: str
    text: str
    row: int | None = None


class PremovesInfo(msgspec.Struct, frozen=True):
    """Premoves on the table page: the address of their page, the number of pending ones, and the dropped ones; what
    runs by itself now, and what could."""

    url: str
    waiting: int
    dropped: list[PremoveLine]
    seat: int
    routines: list[RoutineInfo]


def ahead_info(shown: Viewer) -> PremovesInfo | None:
    """Summarise premoves for the table page."""
    seat = _usual_seat(shown)
    if seat is None or not shown.running() or shown.at is not None or shown.table.guided:
        return None
    own = [row for row in shown.ahead if row.seat in shown.here]
    first = next((row.seat for row in own if row.dropped), seat)
    return PremovesInfo(
        url=f"/t/{shown.table.id}/ahead",
        waiting=sum(not row.dropped for row in own),
        dropped=[plan_line(shown, row) for row in own if row.dropped and row.seat == first],
        seat=first,
        routines=[*_running(shown, own), *_offered(shown, own)],
    )


def _routines(rows: Iterable[Premove]) -> Iterator[tuple[Premove, Routine]]:
    """Pending premoves that let turns run by themselves."""
    for row in rows:
        if not row.dropped and row.plan.get("type") == ROUTINE:
            yield row, msgspec.convert(row.plan, Routine)


def _running(shown: Viewer, rows: Iterable[Premove]) -> Iterator[RoutineInfo]:
    for row, plan in _routines(rows):
        yield RoutineInfo(row.seat, plan.subject, shown.voice.routine(plan.subject), row.id)


def _offered(shown: Viewer, rows: Iterable[Premove]) -> Iterator[RoutineInfo]:
    """The subject of a present decision, if its turn can run by itself and does not do so yet."""
    if shown.game is None:
        return
    running = {(row.seat, plan.subject) for row, plan in _routines(rows)}
    for seat in shown.here:
        view = shown.game.view(seat)
        allowed = shown.title.premoves.routines(view.state, seat)
        for decision, position in situations(view):
            subject = subject_of(position)
            if not is_present(view, position):
                break
            if (
                subject in allowed
                and (seat, subject) not in running
                and routine_action(position, decision)
            ):
                yield RoutineInfo(seat, subject, shown.voice.routine(subject))


class Situation(msgspec.Struct, frozen=True):
    """A foreseeable decision: its task, and the address where its choices are shown."""

    step: str
    label: str
    url: str
    chosen: bool


class Foreseeable(msgspec.Struct, frozen=True):
    """The choices of a decision by groups: the value of a choice is the action as JSON. `low` and `high` are the
    range of amounts, None without any; `ends`: more may follow in the same turn; `passes`: passing is possible.
    `step`, `subject` and `later` identify the decision."""

    step: str
    subject: str
    later: bool
    groups: list[tuple[str, list[FieldChoice]]]
    low: int | None
    high: int | None
    passes: bool


class PremovesPage(msgspec.Struct, frozen=True):
    """ahead.html, as a page or a card: the premoves of a seat. `plans` are pending, `dropped` were not made; `instead`
    is being changed. Forms for POST /ahead: seat, kind (act, pass, bid, object, routine), step, action, amount,
    otherwise, ends, until, most, always, instead; for POST /ahead/withdraw: seat, row (missing: all dropped ones);
    for POST /ahead/advance: seat, row."""

    url: str
    table_url: str
    title_name: str
    seat: int
    name: str
    seats: list[FieldChoice]
    plans: list[PremoveLine]
    dropped: list[PremoveLine]
    situations: list[Situation]
    foreseen: Foreseeable | None
    triggers: list[FieldChoice]
    lot: str
    least: int
    may_object: bool
    routines: list[RoutineInfo]
    error: str
    instead: PremoveLine | None = None


def ahead_page(
    shown: Viewer,
    seat: int | None,
    situation: int | None = None,
    error: str = "",
    instead: int | None = None,
) -> PremovesPage:
    """The premoves of a seat, and the possible ones; `instead` is the one to change, if it is still pending."""
    if not shown.own:
        raise Forbidden(N_("Only players at this table can do that."))
    if not shown.running() or shown.game is None:
        raise Conflict(N_("There is nothing to plan ahead now."))
    chosen = _usual_seat(shown) if seat is None else seat
    if chosen not in shown.here:
        raise Conflict(N_("First choose who is using this device."))
    view, voice = shown.game.view(chosen), shown.voice
    found = list(situations(view))
    wanted = situation if situation is not None and 0 <= situation < len(found) else 0
    url = f"/t/{shown.table.id}/ahead"
    rows = [row for row in shown.ahead if row.seat == chosen]
    changed = next((row for row in rows if row.id == instead and not row.dropped), None)
    also = "" if changed is None else f"&instead={changed.id}"
    lot = shown.title.premoves.lot(view.state, chosen)
    decisions = _decisions(shown, view, found)
    return PremovesPage(
        url=url,
        table_url=f"/t/{shown.table.id}",
        title_name=shown.title.name,
        seat=chosen,
        name=shown.seats[chosen].name,
        seats=[FieldChoice(str(one), shown.seats[one].name, one == chosen) for one in shown.here],
        plans=[plan_line(shown, row) for row in rows if not row.dropped],
        dropped=[plan_line(shown, row) for row in rows if row.dropped],
        situations=[
            Situation(
                decision.step,
                decisions[number],
                f"{url}?seat={chosen}&situation={number}{also}",
                number == wanted,
            )
            for number, (decision, _) in enumerate(found)
        ],
        foreseen=_foreseen(shown, view, *found[wanted]) if found else None,
        triggers=[
            FieldChoice(name, voice.trigger(name))
            for name in shown.title.premoves.triggers(view.state, chosen)
        ],
        lot=voice.subject(lot) if lot else "",
        least=_least(view, found) if lot else 1,
        may_object=shown.title.premoves.objects,
        routines=[
            RoutineInfo(chosen, subject, voice.routine(subject))
            for subject in shown.title.premoves.routines(view.state, chosen)
            if subject not in {plan.subject for _, plan in _routines(rows)}
        ],
        error=error,
        instead=None if changed is None else plan_line(shown, changed),
    )


def _usual_seat(shown: Viewer) -> int | None:
    return shown.looking if shown.looking in shown.here else next(iter(shown.here), None)


def _decisions(
    shown: Viewer, view: View, found: Sequence[tuple[Decision, Position[Any]]]
) -> list[str]:
    """The decisions in words; later ones are told apart from the present one."""
    voice = shown.voice
    texts = [
        task(voice, position, decision) or voice.prompt(position.state, decision)
        for decision, position in found
    ]
    if texts and is_present(view, found[0][1]) and texts[0] in texts[1:]:
        texts[0] = shown.words._("{decision} (now)", decision=texts[0])
    return texts


def _least(view: View, found: Iterable[tuple[Decision, Position[Any]]]) -> int:
    """The lowest possible bid."""
    for decision, position in found:
        for choice in position.legal_actions(decision.seat):
            if choice.amount is not None:
                return choice.amount.low
    return 1


def _foreseen(
    shown: Viewer, view: View, decision: Decision, position: Position[Any]
) -> Foreseeable:
    """The choices of a decision."""
    lines, lows, highs = [], [], []
    for choice in position.legal_actions(decision.seat):
        pick = shown.voice.pick(position.state, choice.action)
        data = msgspec.json.encode(shown.title.action_to_json(choice.action)).decode()
        text = pick.label
        if choice.amount is not None:
            lows.append(choice.amount.low)
            highs.append(choice.amount.high)
            text = f"{text} ({choice.amount.low}–{choice.amount.high})"
        lines.append((pick.group, FieldChoice(data, text)))
    lines.sort(key=lambda line: line[0])
    return Foreseeable(
        step=decision.step,
        subject=subject_of(position),
        later=not is_present(view, position),
        groups=[
            (group, [choice for _, choice in of_group])
            for group, of_group in groupby(lines, key=lambda line: line[0])
        ],
        low=min(lows, default=None),
        high=max(highs, default=None),
        passes=passing(decision, position) is not None,
    )


def plan_line(shown: Viewer, row: Premove) -> PremoveLine:
    """A premove in words, with the reason if it was dropped."""
    why = WHY.get(row.dropped)
    try:
        text = _text(shown, read_plan(row.plan))
    except msgspec.ValidationError:
        text = "–"  # written by another version of the program
    return PremoveLine(row.id, text, shown.words._(why) if why else "")


def _text(shown: Viewer, plan: Plan) -> str:
    """Describe a premove."""
    words, voice = shown.words, shown.voice
    match plan:
        case Act(label=label, otherwise=otherwise, ends=ends):
            text = label if isinstance(label, str) else label[words.language]
            if ends:
                text = words._("{move}, then end the turn", move=text)
            if otherwise == PASS:
                return words._("{move}; if not possible: pass", move=text)
            if otherwise == ASK:
                return words._("{move}; if not possible: ask me", move=text)
            return words._("{move}; if not possible: the next one", move=text)
        case Ending():
            return words._("End the turn")
        case PassUntil(until=until, where=where):
            text = words._("Pass until {event}", event=voice.trigger(until))
            return f"{where[words.language]}: {text}" if where else text
        case BidUpTo(lot=lot, most=most):
            amount = voice.money(most)
            return words._("Bid up to {amount} for {lot}", amount=amount, lot=voice.subject(lot))
        case Object(always=always):
            return words._("Always object") if always else words._("Never object")
        case Routine(subject=subject):
            return words._("{routine}; until something changes", routine=voice.routine(subject))


async def shown_ahead(
    request: AnyRequest,
    table_id: str,
    seat: int | None,
    situation: int | None,
    error: str = "",
    instead: int | None = None,
) -> Template:
    """The premoves of a seat as a page, or as a card for a popup that also shows refusals."""
    shown = await viewer(request, table_id)
    struct = ahead_page(shown, seat, situation, error, instead)
    status = 422 if error and not wants_part(request) else HTTP_200_OK
    return page(request, "ahead.html", struct, shown.words, status)


@get("/t/{table_id:str}/ahead", include_in_schema=False)
async def premoves_page_route(
    request: AnyRequest,
    table_id: FromPath[str],
    seat: FromQuery[int | None] = None,
    situation: FromQuery[int | None] = None,
    instead: FromQuery[int | None] = None,
) -> Template:
    """The premoves of a seat, and the possible ones, perhaps to change `instead`."""
    return await shown_ahead(request, table_id, seat, situation, instead=instead)


class AheadWish(msgspec.Struct, frozen=True):
    """A premove to add. `kind` is "act" (an `action` in a decision of the kind `step` about `subject`, without that
    in the first possible one, `later` than in the present turn; the fallback `otherwise`: ask, pass, next; whether
    the turn `ends` with it), "pass" (such decisions `until` an event), "bid" (up to `most`), "object" (`always` or
    never) or "routine" (the turns of `subject` run by themselves). `instead` is the row of the premove it replaces."""

    seat: int
    kind: str
    step: str = ""
    subject: str | None = None
    later: bool = False
    action: dict[str, Any] | None = None
    otherwise: str = ASK
    ends: bool = False
    until: str = ""
    most: int = 0
    always: bool = False
    instead: Number | None = None


class AdvanceWish(msgspec.Struct, frozen=True):
    """The premove of a seat to move before the previous one."""

    seat: int
    row: Number


class WithdrawWish(msgspec.Struct, frozen=True):
    """The premove of a seat to withdraw; without `row`, all dropped ones are forgotten."""

    seat: int
    row: Number | None = None


class ApiPlan(msgspec.Struct, frozen=True):
    """A premove in words and as data, or `why` it was dropped."""

    row: int
    text: str
    plan: dict[str, Any]
    why: str


class ApiSituation(msgspec.Struct, frozen=True):
    """A foreseeable decision: its kind, its `subject` (a company) if a player decides for several, whether it comes
    `later` than in the present turn, its task, its legal actions (with the lowest amount), and whether passing is
    possible."""

    step: str
    subject: str
    later: bool
    text: str
    actions: list[dict[str, Any]]
    passes: bool


class ApiAhead(msgspec.Struct, frozen=True):
    """The premoves of a seat, and the possible ones. `triggers` are the events to wait for, in words; `lot` is the
    lot of an open auction that the seat may bid for."""

    seat: int
    plans: list[ApiPlan]
    dropped: list[ApiPlan]
    situations: list[ApiSituation]
    triggers: dict[str, str]
    lot: str


def ahead_data(shown: Viewer, seat: int) -> ApiAhead:
    """The premoves of a seat as data."""
    if seat not in shown.own:
        raise Forbidden(N_("This seat is not yours."))
    if not shown.running() or shown.game is None:
        return ApiAhead(seat, [], [], [], {}, "")
    view, title, voice = shown.game.view(seat), shown.title, shown.voice

    def plans(rows: list[Premove]) -> list[ApiPlan]:
        lines = [plan_line(shown, row) for row in rows]
        return [
            ApiPlan(row.id, line.text, row.plan, line.note)
            for row, line in zip(rows, lines, strict=True)
        ]

    mine = [row for row in shown.ahead if row.seat == seat]
    return ApiAhead(
        seat=seat,
        plans=plans([row for row in mine if not row.dropped]),
        dropped=plans([row for row in mine if row.dropped]),
        situations=[
            ApiSituation(
                decision.step,
                subject_of(position),
                not is_present(view, position),
                voice.task(position.state, decision),
                [title.action_to_json(one.action) for one in position.legal_actions(seat)],
                passing(decision, position) is not None,
            )
            for decision, position in situations(view)
        ],
        triggers={name: voice.trigger(name) for name in title.premoves.triggers(view.state, seat)},
        lot=title.premoves.lot(view.state, seat),
    )


async def _shown(request: AnyRequest, table_id: str, seat: int) -> ApiAhead:
    return ahead_data(await viewer(request, table_id, curtain=False), seat)


@get("/tables/{table_id:str}/ahead", responses=READING)
async def fixed(request: AnyRequest, table_id: FromPath[str], seat: FromQuery[int]) -> ApiAhead:
    """The premoves of the caller's seat, and the possible ones."""
    return await _shown(request, table_id, seat)


async def _card(request: AnyRequest, result: object) -> Response[Any] | Template:
    """Show the card again; the page for plain forms."""
    sent, table_id = await read(request), request.path_params["table_id"]
    seat, situation = sent.number("seat"), sent.optional_number("situation")
    if sent.flag("quiet"):
        return table_done(request)
    if wants_page(request):
        place = "" if situation is None else f"&situation={situation}"
        target = f"/t/{table_id}/ahead?seat={seat}{place}"
        return Redirect(target, status_code=HTTP_303_SEE_OTHER)
    shown = await viewer(request, table_id)
    if not shown.running():
        return Response("", status_code=HTTP_200_OK, media_type="text/html")
    return await shown_ahead(request, table_id, seat, situation)


async def _refused(request: AnyRequest, error: KursbuchError) -> Template:
    if getattr(error, "status", 422) != 422:
        raise error
    sent, table_id = await read(request), request.path_params["table_id"]
    seat, situation, instead = map(sent.optional_number, ("seat", "situation", "instead"))
    said = error.text(words_for(request))
    return await shown_ahead(request, table_id, seat, situation, said, instead)


class _SentPremove(AheadWish, frozen=True):
    """A premove from a form, which sends the amount of an action apart."""

    amount: int | None = None


async def _premoves_after(request: AnyRequest, seat: int) -> ApiAhead:
    return await _shown(request, request.path_params["table_id"], seat)


@table_operation(
    "ahead",
    form=lambda _, sent: sent.fill(_SentPremove),
    done=_card,
    refused=_refused,
    answer=_premoves_after,
)
async def fix(request: AnyRequest, table_id: FromPath[str], data: JSONBody[AheadWish]) -> int:
    """Add a premove. If it is due now, it is made at once."""
    fields = msgspec.structs.asdict(data)
    seat, instead = fields.pop("seat"), fields.pop("instead")
    await carry_out(request, add_premove, table_id, seat, PremoveRequest(**fields), instead)
    return data.seat


@table_operation("ahead/advance", done=_card, answer=_premoves_after)
async def advance(request: AnyRequest, table_id: FromPath[str], data: JSONBody[AdvanceWish]) -> int:
    """Move a premove before the previous one."""
    await carry_out(request, advance_premove, table_id, data.seat, data.row)
    return data.seat


@table_operation("ahead/withdraw", done=_card, answer=_premoves_after)
async def withdraw(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[WithdrawWish]
) -> int:
    """Withdraw a premove."""
    await carry_out(request, withdraw_premove, table_id, data.seat, data.row)
    return data.seat

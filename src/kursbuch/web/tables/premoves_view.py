"""Premoves on the table page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import msgspec

from kursbuch.core.game import View
from kursbuch.core.position import Position
from kursbuch.core.state import Decision
from kursbuch.core.words import N_
from kursbuch.web.db.models import Premove
from kursbuch.web.http.errors import Conflict, Forbidden
from kursbuch.web.labels import FieldChoice
from kursbuch.web.tables.premove_service import is_present, situations, task
from kursbuch.web.tables.premoves import (
    AFTER,
    ASK,
    CHANGED,
    HAPPENED,
    IMPOSSIBLE,
    OUTBID,
    PASS,
    UNDONE,
    Act,
    BidUpTo,
    Ending,
    Object,
    PassUntil,
    Plan,
    passing,
    read_plan,
    subject_of,
)
from kursbuch.web.tables.viewer import Viewer

#: Why something was not carried out.
WHY = {
    IMPOSSIBLE: N_("It was not possible any more."),
    CHANGED: N_("The price or the place had changed."),
    HAPPENED: N_("What you waited for has happened: you decide again."),
    OUTBID: N_("The bids went above your limit."),
    AFTER: N_("It was to follow a move that could not be made."),
    UNDONE: N_("The move was taken back."),
}


class PremoveLine(msgspec.Struct, frozen=True):
    """A move that is planned ahead of time, in words; or (`note`) why it was not made."""

    row: int
    text: str
    note: str = ""


class PremovesInfo(msgspec.Struct, frozen=True):
    """Moves ahead of time on the page of a table: where they are planned, how many wait, and what was not carried
    out."""

    url: str
    waiting: int
    dropped: list[PremoveLine]
    seat: int


def ahead_info(shown: Viewer) -> PremovesInfo | None:
    """Moves ahead of time on the page of a table."""
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
    )


class Situation(msgspec.Struct, frozen=True):
    """A decision that can be foreseen: what there is to do, and where what can be done is shown."""

    step: str
    label: str
    url: str
    chosen: bool


class Foreseeable(msgspec.Struct, frozen=True):
    """What could be done there, by groups: the value of a choice is the action as JSON. `low` and `high` are
    the amounts of those that need one, None if none does; `ends`: something else may follow in the same turn;
    `passes`: it can be passed there. `step`, `subject` and `later` say which decision it is."""

    step: str
    subject: str
    later: bool
    groups: list[tuple[str, list[FieldChoice]]]
    low: int | None
    high: int | None
    passes: bool


class PremovesPage(msgspec.Struct, frozen=True):
    """ahead.html, ahead_card.html: moves ahead of time of one seat. `plans` are those that wait, `dropped` those
    that were not carried out; `instead` is the one that is changed. Forms for POST /ahead: seat, kind (act, pass, bid,
    object), step, action, amount, otherwise, ends, until, most, always, instead; for POST /ahead/withdraw: seat, row
    (missing: all that were dropped); for POST /ahead/advance: seat, row."""

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
    error: str
    instead: PremoveLine | None = None


def ahead_page(
    shown: Viewer,
    seat: int | None,
    situation: int | None = None,
    error: str = "",
    instead: int | None = None,
) -> PremovesPage:
    """What a seat of the visitor has planned and could plan, `instead` of something if that is still planned."""
    if not shown.own:
        raise Forbidden(N_("Only players at this table can do that."))
    if not shown.running() or shown.game is None:
        raise Conflict(N_("There is nothing to be planned ahead now."))
    chosen = _usual_seat(shown) if seat is None else seat
    if chosen not in shown.here:
        raise Conflict(N_("Say first who sits in front of this device."))
    view, voice = shown.game.view(chosen), shown.voice
    found = list(situations(view))
    wanted = situation if situation is not None and 0 <= situation < len(found) else 0
    url = f"/t/{shown.table.id}/ahead"
    rows = [row for row in shown.ahead if row.seat == chosen]
    changed = next((row for row in rows if row.id == instead and not row.dropped), None)
    also = "" if changed is None else f"&instead={changed.id}"
    lot = shown.title.ahead.lot(view.state, chosen)
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
            for name in shown.title.ahead.triggers(view.state, chosen)
        ],
        lot=voice.subject(lot) if lot else "",
        least=_least(view, found) if lot else 1,
        may_object=shown.title.ahead.objects,
        error=error,
        instead=None if changed is None else plan_line(shown, changed),
    )


def _usual_seat(shown: Viewer) -> int | None:
    return shown.looking if shown.looking in shown.here else next(iter(shown.here), None)


def _decisions(
    shown: Viewer, view: View, found: Sequence[tuple[Decision, Position[Any]]]
) -> list[str]:
    """What there is to decide, in words; what comes again later is told apart from the present decision."""
    voice = shown.voice
    texts = [
        task(voice, position, decision) or voice.prompt(position.state, decision)
        for decision, position in found
    ]
    if texts and is_present(view, found[0][1]) and texts[0] in texts[1:]:
        texts[0] = shown.words._("{decision} (now)", decision=texts[0])
    return texts


def _least(view: View, found: Iterable[tuple[Decision, Position[Any]]]) -> int:
    """The least amount one could bid now."""
    for decision, position in found:
        for choice in position.legal_actions(decision.seat):
            if choice.amount is not None:
                return choice.amount.low
    return 1


def _foreseen(
    shown: Viewer, view: View, decision: Decision, position: Position[Any]
) -> Foreseeable:
    """What could be done in a decision."""
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
    """A plan in words, with why it was not carried out."""
    why = WHY.get(row.dropped)
    try:
        text = _text(shown, read_plan(row.plan))
    except msgspec.ValidationError:
        text = "–"  # of another version of the program
    return PremoveLine(row.id, text, shown.words._(why) if why else "")


def _text(shown: Viewer, plan: Plan) -> str:
    """A plan in words."""
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

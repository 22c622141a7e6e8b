"""What a visitor may decide: choices, prompts, votes and objections."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from kursbuch.bots import strengths
from kursbuch.core.actions import Choice
from kursbuch.core.game import View
from kursbuch.core.title import ObjectionTexts
from kursbuch.web.db.models import Consent, now
from kursbuch.web.labels import FieldChoice
from kursbuch.web.tables.clocks import Moment, moment
from kursbuch.web.tables.history_view import (
    UndoOption,
    moves_in_words,
    redo_offer,
    take_back,
    yours,
)
from kursbuch.web.tables.policies import CLOSED, FINISHED, GRACE, LOBBY, RUNNING
from kursbuch.web.tables.viewer import Viewer
from kursbuch.web.tables.votes import END, REDO, REPLACE, UNDO, open_to


def choices(shown: Viewer) -> list[dict[str, Any]]:
    """The choices of the acting seat, or of a seat that may act out of turn."""
    if shown.view is None or (shown.acting is None and shown.volunteer is None):
        return []
    final = shown.has_company
    return [_choice(shown, choice, shown.view, final) for choice in shown.view.legal_actions()]


def _choice(shown: Viewer, choice: Choice, view: View, final: bool) -> dict[str, Any]:
    pick = shown.voice.pick(view.state, choice.action)
    amounts = choice.amount
    return {
        "action": shown.title.action_to_json(choice.action),
        "keys": list(pick.keys),
        "label": pick.label,
        "group": pick.group,
        "several": pick.several,
        "cost": pick.cost,
        "amount": amounts
        and {
            "field": choice.action.AMOUNT,
            "low": amounts.low,
            "high": amounts.high,
            "step": amounts.step,
            **_ways_to_choose(shown, choice, view),
        },
        "confirm": shown.title.irrevocable(choice.action),
        "final": final,
        "ask": shown.voice.amount_label(choice.action) if amounts else "",
        "compose": msgspec.to_builtins(shown.voice.compose(view.state, choice.action)),
    }


def _ways_to_choose(shown: Viewer, choice: Choice, view: View) -> dict[str, Any]:
    """Buttons for an amount: {send, written, quick, atOnce}."""
    ways = shown.voice.amounts(view.state, choice)
    return {
        "send": ways.send or shown.words._("Confirm: {amount}"),
        "written": ways.written,
        "quick": [amount for amount in ways.quick if choice.amount and amount in choice.amount],
        "atOnce": ways.at_once,
    }


def prompt(shown: Viewer) -> str:
    """What to do now, in one sentence."""
    words = shown.words
    if shown.at is not None:
        names = [shown.seats[seat].name for seat in shown.deciding]
        return words.ngettext(
            "{names} was to move.", "{names} were to move.", len(names), names=words.join(names)
        )
    if shown.table.status == LOBBY:
        free = sum(seat.is_free for seat in shown.seats)
        if free:
            return words.ngettext("{n} seat is still free.", "{n} seats are still free.", free)
        return words._("All players are here: the game can begin.")
    if shown.table.status == CLOSED and shown.game is not None:
        return words._("The game was ended without a result.")
    if shown.table.status == CLOSED:
        return words._("This table is closed.")
    if shown.table.status == FINISHED:
        return words._("The game is over.")
    if shown.acting is not None and shown.view is not None:
        for decision in shown.view.pending:
            if decision.seat == shown.acting:
                return shown.voice.prompt(shown.view.state, decision)
    return waiting_sentence(shown)


def may_also(shown: Viewer, offered: Sequence[object]) -> str:
    """Introduce the choices `offered` to a player who is not due to move."""
    if shown.volunteer is None or not offered:
        return ""
    if len(shown.own) > 1:
        return shown.words._("{name} may also:", name=shown.seats[shown.volunteer].name)
    return shown.words._("You may also:")


def thinking(shown: Viewer) -> bool:
    """Whether the table waits for bots only."""
    return (
        shown.at is None
        and bool(shown.deciding)
        and all(shown.seats[seat].is_bot for seat in shown.deciding)
    )


def waiting_sentence(shown: Viewer) -> str:
    """Who the table waits for."""
    if not shown.deciding or shown.at is not None:
        return ""
    names = shown.words.join([shown.seats[seat].name for seat in shown.deciding])
    if thinking(shown):
        return shown.words.ngettext(
            "{names} is thinking …", "{names} are thinking …", len(shown.deciding), names=names
        )
    tasks = set(_tasks(shown))
    if len(tasks) == 1 and "" not in tasks:
        return shown.words._("Waiting for {names} to {task}.", names=names, task=tasks.pop())
    return shown.words._("Waiting for {names}.", names=names)


def _tasks(shown: Viewer) -> list[str]:
    """The tasks of the players due to move, as far as the visitor may know."""
    if shown.view is None:
        return []
    return [shown.voice.task(shown.view.state, decision) for decision in shown.view.pending]


class Vote(msgspec.Struct, frozen=True):
    """A vote the visitor may call: undo, redo, ending the game, replacing a player; `kind` as in the addresses.
    `asks` says that others must agree, `pending` that the vote is open. Players who `has_agreed` marks may still
    refuse. `offers` are the possible undos or redos. Silence counts as consent after `until`."""

    kind: str
    allowed: bool
    asks: bool
    pending: bool
    sentence: str
    may_answer: bool
    has_agreed: bool
    is_mine: bool
    offers: list[UndoOption] = []
    until: Moment | None = None


def undo(shown: Viewer) -> Vote:
    """Undo."""
    words, wish = shown.words, shown.snapshot.consents.get(UNDO)
    own, theirs = [], []
    if wish is not None and wish.target is not None:
        seats = [seat for seat, _ in shown.snapshot.moves[wish.target :]]
        moves = moves_in_words(words, shown.seats, seats, yours(shown), [wish.seat])
        name = shown.seats[wish.seat].name
        own.append(
            words._(
                "You have asked to take back {moves}; the others have not all answered yet.",
                moves=moves,
            )
        )
        theirs.append(words._("{name} would like to take back {moves}.", name=name, moves=moves))
        if shown.table.undo != "own":
            meanwhile = words._("Moves made in the meantime are taken back too.")
            own += [meanwhile, words._("If you make a move, you withdraw the request.")]
            theirs.append(meanwhile)
    return _vote(
        shown,
        UNDO,
        offers=take_back(shown),
        own=" ".join(own),
        theirs=" ".join(theirs),
    )


def redo(shown: Viewer) -> Vote:
    """Redo."""
    words, wish = shown.words, shown.snapshot.consents.get(REDO)
    offer, others_sentence = redo_offer(shown), ""
    if wish is not None:
        seats = shown.snapshot.redo.seats
        others_sentence = words._(
            "{name} would like to redo {moves}.",
            name=shown.seats[wish.seat].name,
            moves=moves_in_words(words, shown.seats, seats, yours(shown), [wish.seat]),
        )
    return _vote(
        shown,
        REDO,
        offers=[] if offer is None else [offer],
        own=words._("You have asked to redo; the others have not all answered yet."),
        theirs=others_sentence,
    )


def ending(shown: Viewer) -> Vote:
    """Ending the game without a result."""
    words, wish = shown.words, shown.snapshot.consents.get(END)
    others_sentence = ""
    if wish is not None:
        others_sentence = words._(
            "{name} would like to end the game without a result.", name=shown.seats[wish.seat].name
        )
    return _vote(
        shown,
        END,
        may_ask=bool(shown.own) and shown.running(),
        own=words._("You have asked to end the game; the others have not all answered yet."),
        theirs=others_sentence,
    )


def replacing(shown: Viewer) -> Vote:
    """Replacing a player."""
    words, wish = shown.words, shown.snapshot.consents.get(REPLACE)
    sentence = ""
    if wish is not None and wish.target is not None:
        who = {"name": shown.seats[wish.seat].name, "other": shown.seats[wish.target].name}
        sentence = (
            words._("{name} would like another player to replace {other}.", **who)
            if wish.wish is None
            else words._("{name} would like the computer to play for {other}.", **who)
        )
        if shown.table.rated:
            sentence += " " + words._("The game is rated: {other} would be ranked last.", **who)
    return _vote(
        shown,
        REPLACE,
        may_ask=bool(shown.own) and shown.running(),
        own=words._("You have asked to replace a player; the others have not all answered yet."),
        theirs=sentence,
    )


def votes(shown: Viewer) -> list[Vote]:
    """All open votes."""
    found = (undo(shown), redo(shown), ending(shown), replacing(shown))
    return [one for one in found if one.pending]


def replacers(shown: Viewer) -> list[FieldChoice]:
    """The possible replacements of a player."""
    words = shown.words
    bots = [
        FieldChoice(spec, words._("the computer: {strength}", strength=words._(label)))
        for spec, label in strengths(shown.title)
    ]
    return [FieldChoice("", words._("anyone with the link")), *bots]


def _vote(
    shown: Viewer,
    kind: str,
    *,
    may_ask: bool = True,
    offers: list[UndoOption] | None = None,
    own: str,
    theirs: str,
) -> Vote:
    """Describe a vote; `own` is the sentence for the player who asked, `theirs` for others. Where there are `offers`,
    one of them is carried out."""
    wish = shown.snapshot.consents.get(kind) if shown.table.status == RUNNING else None
    mine = wish is not None and shown.seats[wish.seat].owner == shown.visitor
    answered = wish is not None and shown.visitor in wish.agreed
    asked = wish is not None and bool(open_to([wish], shown.seats, shown.visitor))
    return Vote(
        kind=kind,
        allowed=may_ask and offers != [] and wish is None and shown.at is None,
        asks=any(offer.asks for offer in offers) if offers is not None else shown.has_company,
        pending=wish is not None,
        sentence="" if wish is None else own if mine else theirs,
        may_answer=asked,
        has_agreed=answered,
        is_mine=mine,
        offers=offers or [],
        until=moment(silence_until(shown, wish)),
    )


def silence_until(shown: Viewer, wish: Consent | None) -> datetime | None:
    """The end of the time to refuse a replacement, unless its player is back."""
    if wish is None or wish.kind != REPLACE or wish.target is None:
        return None
    return wish.due_at if shown.seats[wish.target].late else None


class CurtainSeat(msgspec.Struct, frozen=True):
    """A player who may sit in front of a shared device; `is_due` if it is their turn."""

    seat: int
    label: str
    is_due: bool


class Curtain(msgspec.Struct, frozen=True):
    """A shared device changes hands: the page shows public information until a player takes it. `is_due` says that
    one of them is to move."""

    sentence: str
    people: list[CurtainSeat]
    is_due: bool


def curtain(shown: Viewer) -> Curtain | None:
    """The curtain that hides secrets while a shared device changes hands."""
    if not shown.shares or shown.here:
        return None
    words = shown.words
    due = [one for one in shown.own if one in shown.deciding]
    if len(due) == 1:
        sentence = words._("Hand the device to {name}.", name=shown.seats[due[0]].name)
    else:
        sentence = words._("Who sits in front of this device now?")
    return Curtain(
        sentence=sentence,
        people=[
            CurtainSeat(one, words._("I am {name}", name=shown.seats[one].name), one in due)
            for one in sorted(shown.own, key=lambda one: one not in due)
        ],
        is_due=bool(due),
    )


class DeclineInfo(msgspec.Struct, frozen=True):
    """A standing "never ask me about this" of one of the visitor's seats."""

    seat: int
    name: str
    subject: str
    sentence: str


class Objection(msgspec.Struct, frozen=True):
    """The open offer to object, if any.

    `seconds_left` is None without a time limit. `mine` says whether the visitor is asked; `subject`
    is what POST /never-ask names, `never` the text of that button. `calls` are called out in the last
    seconds, the last one first.
    """

    is_offer: bool
    mine: bool
    subject: str
    never: str
    seconds_left: float | None
    calls: list[str]
    sentence: str
    standing: list[DeclineInfo]


def objection(shown: Viewer) -> Objection:
    """The open offer to object."""
    words, texts = shown.words, shown.title.objection_texts or ObjectionTexts()
    standing = [
        DeclineInfo(
            row.seat,
            shown.seats[row.seat].name,
            row.subject,
            words._(texts.standing, subject=shown.voice.subject(row.subject)),
        )
        for row in shown.snapshot.refusals
        if row.seat in shown.here
    ]
    subject, mine = "", False
    if shown.running() and shown.view is not None and shown.at is None:
        for decision in shown.view.pending:
            refusal = shown.title.standing_refusal(shown.view.state, decision)
            if refusal is None:
                continue
            if not subject or decision.seat == shown.acting:
                subject = refusal[0]
            mine = mine or decision.seat == shown.acting
    left = None
    if subject and shown.table.deadline is not None:
        left = max(0.0, round((shown.table.deadline - GRACE - now()).total_seconds(), 1))
    sentence = ""
    if mine:
        said = (texts.mine, texts.silence if left is not None else "")
        sentence = " ".join(words._(text) for text in said if text)
    elif subject and shown.view is not None:
        asked = [shown.seats[decision.seat].name for decision in shown.view.pending]
        sentence = shown.voice.others_asked(asked)
    return Objection(
        is_offer=bool(subject),
        mine=mine,
        subject=subject,
        never=words._(texts.never, subject=shown.voice.subject(subject)),
        seconds_left=left,
        calls=[words._(call) for call in texts.calls] if left is not None else [],
        sentence=sentence,
        standing=standing,
    )

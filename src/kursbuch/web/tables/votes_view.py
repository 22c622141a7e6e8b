"""Votes, offers and device hand-over on the table page."""

from __future__ import annotations

from datetime import datetime

import msgspec

from kursbuch.bots import strengths
from kursbuch.core.title import Asking
from kursbuch.web.db.models import Consent, now
from kursbuch.web.labels import FieldChoice
from kursbuch.web.tables.clock_view import Moment, moment
from kursbuch.web.tables.history_view import (
    UndoOption,
    moves_in_words,
    redo_offer,
    take_back,
    yours,
)
from kursbuch.web.tables.policies import GRACE, RUNNING
from kursbuch.web.tables.viewer import Viewer
from kursbuch.web.tables.votes import END, REDO, REPLACE, UNDO, open_to


class Vote(msgspec.Struct, frozen=True):
    """What the visitor may ask the others for: to take moves back, to do them again, to end the game
    without a result, to replace a player. `kind` is undo, redo, end or replace, as in the addresses. `asks`
    says that there are others who have to agree; `pending` that somebody has asked and waits for answers. Who
    `has_agreed` may still refuse. `offers` are the ways to go back or on. Who says nothing `until` then agrees."""

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
    """Taking back."""
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
            meanwhile = words._("What is played meanwhile is taken back too.")
            own += [meanwhile, words._("If you move yourself, you withdraw it.")]
            theirs.append(meanwhile)
    return _vote(
        shown,
        UNDO,
        offers=take_back(shown),
        own=" ".join(own),
        theirs=" ".join(theirs),
    )


def redo(shown: Viewer) -> Vote:
    """Doing again what was taken back."""
    words, wish = shown.words, shown.snapshot.consents.get(REDO)
    offer, others_sentence = redo_offer(shown), ""
    if wish is not None:
        seats = shown.snapshot.redo.seats
        others_sentence = words._(
            "{name} would like to do again {moves}.",
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
    """Giving a seat to somebody else."""
    words, wish = shown.words, shown.snapshot.consents.get(REPLACE)
    sentence = ""
    if wish is not None and wish.target is not None:
        who = {"name": shown.seats[wish.seat].name, "other": shown.seats[wish.target].name}
        sentence = (
            words._("{name} would like {other} to be replaced by somebody else.", **who)
            if wish.wish is None
            else words._("{name} would like the computer to play for {other}.", **who)
        )
        if shown.table.rated:
            sentence += " " + words._("The game is rated: {other} would be last in it.", **who)
    return _vote(
        shown,
        REPLACE,
        may_ask=bool(shown.own) and shown.running(),
        own=words._("You have asked to replace a player; the others have not all answered yet."),
        theirs=sentence,
    )


def votes(shown: Viewer) -> list[Vote]:
    """Everything somebody asks the others for now."""
    found = (undo(shown), redo(shown), ending(shown), replacing(shown))
    return [one for one in found if one.pending]


def replacers(shown: Viewer) -> list[FieldChoice]:
    """Who can play the seat of somebody who is replaced."""
    words = shown.words
    bots = [
        FieldChoice(spec, words._("the computer: {strength}", strength=words._(label)))
        for spec, label in strengths(shown.title)
    ]
    return [FieldChoice("", words._("player with the link")), *bots]


def _vote(
    shown: Viewer,
    kind: str,
    *,
    may_ask: bool = True,
    offers: list[UndoOption] | None = None,
    own: str,
    theirs: str,
) -> Vote:
    """Something the others may be asked for; `own` is said to whoever has asked, `theirs` to others. Where
    there are `offers`, one of them is carried out."""
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
    """Until when whoever is asked can refuse, if who says nothing agrees: not once who is to be replaced is back."""
    if wish is None or wish.kind != REPLACE or wish.target is None:
        return None
    return wish.due_at if shown.seats[wish.target].late else None


class CurtainSeat(msgspec.Struct, frozen=True):
    """Somebody who may be in front of a shared device; `is_due` if it is that player's turn."""

    seat: int
    label: str
    is_due: bool


class Curtain(msgspec.Struct, frozen=True):
    """A shared device is being handed over: who takes it? The page shows what everybody may know
    until then. `is_due` says that it is somebody's turn."""

    sentence: str
    people: list[CurtainSeat]
    is_due: bool


def curtain(shown: Viewer) -> Curtain | None:
    """What is shown instead of anybody's secrets while a shared device is handed over."""
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
    """The offer to object that is open now, if one is.

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
    """The offer to object that is open now."""
    words, asking = shown.words, shown.title.asking or Asking()
    standing = [
        DeclineInfo(
            row.seat,
            shown.seats[row.seat].name,
            row.subject,
            words._(asking.standing, subject=shown.voice.subject(row.subject)),
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
        said = (asking.mine, asking.silence if left is not None else "")
        sentence = " ".join(words._(text) for text in said if text)
    elif subject and shown.view is not None:
        asked = [shown.seats[decision.seat].name for decision in shown.view.pending]
        sentence = shown.voice.others_asked(asked)
    return Objection(
        is_offer=bool(subject),
        mine=mine,
        subject=subject,
        never=words._(asking.never, subject=shown.voice.subject(subject)),
        seconds_left=left,
        calls=[words._(call) for call in asking.calls] if left is not None else [],
        sentence=sentence,
        standing=standing,
    )

"""Whoever is asked something beside the course of play: to agree, to object, to take the device."""

from __future__ import annotations

from datetime import datetime

from kursbuch.bots import strengths
from kursbuch.core.title import Asking
from kursbuch.web import contexts
from kursbuch.web.deeds.consents import END, REDO, REPLACE, UNDO, open_to
from kursbuch.web.models import Consent, now
from kursbuch.web.policies import GRACE, RUNNING
from kursbuch.web.present.course import moves_in_words, redo_offer, take_back, yours
from kursbuch.web.present.times import moment
from kursbuch.web.present.viewer import Viewer


def undo(shown: Viewer) -> contexts.Wish:
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
    return _wish(
        shown,
        UNDO,
        offers=take_back(shown),
        own=" ".join(own),
        theirs=" ".join(theirs),
    )


def redo(shown: Viewer) -> contexts.Wish:
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
    return _wish(
        shown,
        REDO,
        offers=[] if offer is None else [offer],
        own=words._("You have asked to redo; the others have not all answered yet."),
        theirs=others_sentence,
    )


def ending(shown: Viewer) -> contexts.Wish:
    """Ending the game without a result."""
    words, wish = shown.words, shown.snapshot.consents.get(END)
    others_sentence = ""
    if wish is not None:
        others_sentence = words._(
            "{name} would like to end the game without a result.", name=shown.seats[wish.seat].name
        )
    return _wish(
        shown,
        END,
        may_ask=bool(shown.own) and shown.running(),
        own=words._("You have asked to end the game; the others have not all answered yet."),
        theirs=others_sentence,
    )


def replacing(shown: Viewer) -> contexts.Wish:
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
    return _wish(
        shown,
        REPLACE,
        may_ask=bool(shown.own) and shown.running(),
        own=words._("You have asked to replace a player; the others have not all answered yet."),
        theirs=sentence,
    )


def wishes(shown: Viewer) -> list[contexts.Wish]:
    """Everything somebody asks the others for now."""
    found = (undo(shown), redo(shown), ending(shown), replacing(shown))
    return [one for one in found if one.pending]


def replacers(shown: Viewer) -> list[contexts.FieldChoice]:
    """Who can play the seat of somebody who is replaced."""
    words = shown.words
    bots = [
        contexts.FieldChoice(spec, words._("the computer: {strength}", strength=words._(label)))
        for spec, label in strengths(shown.title)
    ]
    return [contexts.FieldChoice("", words._("somebody with the link")), *bots]


def _wish(
    shown: Viewer,
    kind: str,
    *,
    may_ask: bool = True,
    offers: list[contexts.Course] | None = None,
    own: str,
    theirs: str,
) -> contexts.Wish:
    """Something the others may be asked for; `own` is said to whoever has asked, `theirs` to others. Where
    there are `offers`, one of them is carried out."""
    wish = shown.snapshot.consents.get(kind) if shown.table.status == RUNNING else None
    mine = wish is not None and shown.seats[wish.seat].owner == shown.visitor
    answered = wish is not None and shown.visitor in wish.agreed
    asked = wish is not None and bool(open_to([wish], shown.seats, shown.visitor))
    return contexts.Wish(
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


def curtain(shown: Viewer) -> contexts.Curtain | None:
    """What is shown instead of anybody's secrets while a shared device is handed over."""
    if not shown.shares or shown.here:
        return None
    words = shown.words
    due = [one for one in shown.own if one in shown.deciding]
    if len(due) == 1:
        sentence = words._("Hand the device to {name}.", name=shown.seats[due[0]].name)
    else:
        sentence = words._("Who sits in front of this device now?")
    return contexts.Curtain(
        sentence=sentence,
        people=[
            contexts.CurtainSeat(
                one, words._("I am {name}", name=shown.seats[one].name), one in due
            )
            for one in sorted(shown.own, key=lambda one: one not in due)
        ],
        is_due=bool(due),
    )


def objection(shown: Viewer) -> contexts.Objection:
    """The offer to object that is open now."""
    words, asking = shown.words, shown.title.asking or Asking()
    standing = [
        contexts.Refusal(
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
    return contexts.Objection(
        is_offer=bool(subject),
        mine=mine,
        subject=subject,
        never=words._(asking.never, subject=shown.voice.subject(subject)),
        seconds_left=left,
        calls=[words._(call) for call in asking.calls] if left is not None else [],
        sentence=sentence,
        standing=standing,
    )

"""Cards: what an element is, why a move is illegal, what a move would bring."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event, Payment
from kursbuch.core.explain import preview, why_illegal
from kursbuch.core.words import N_
from kursbuch.web.http.errors import Conflict, Refused
from kursbuch.web.labels import PanelRow, RuleLink, rule_link
from kursbuch.web.tables.prompts import prompt, waiting_sentence
from kursbuch.web.tables.viewer import Viewer

#: Longer ways of pointing, and longer keys, no game has.
MAX_KEYS = 12
MAX_KEY = 200

#: Of more lines than this, the rest is only counted.
MAX_LINES = 7


class ElementInfo(msgspec.Struct, frozen=True):
    """card.html: what an element of the board is. `sentence` says why pointing at it leads to nothing
    (empty if it leads on), with its rule; `piece_url` is its picture."""

    title: str
    rows: list[PanelRow]
    notes: list[str]
    rules: list[RuleLink]
    piece_url: str
    sentence: str
    rule: RuleLink | None


def card(shown: Viewer, keys: Sequence[str]) -> ElementInfo:
    """What the last of the elements is that have been pointed at, and why that leads to nothing."""
    if shown.view is None:
        raise Conflict(N_("The game has not begun yet."))
    if not 1 <= len(keys) <= MAX_KEYS or not all(0 < len(key) <= MAX_KEY for key in keys):
        raise Refused(N_("It is not clear what is pointed at."))
    found = shown.voice.card(shown.view.state, keys[-1])
    problem = _why_not(shown, keys)
    sentence = _sentence(shown, problem)
    piece = found.piece if found is not None else ""
    has_picture = bool(piece) and f'data-piece="{piece}"' in shown.title.pieces
    return ElementInfo(
        title=found.title if found is not None else "",
        rows=[PanelRow(one.label, one.value, one.key, one.note) for one in found.rows]
        if found is not None
        else [],
        notes=list(found.notes) if found is not None else [],
        rules=_links(shown, found.rules) if found is not None else [],
        piece_url=f"{shown.pieces_url()}#{piece.replace(':', '-')}" if has_picture else "",
        sentence=sentence,
        rule=_link(shown, problem.rule) if problem is not None and problem.rule else None,
    )


def _links(shown: Viewer, rules: Sequence[str]) -> list[RuleLink]:
    """The rules that are cited, by id or name, as far as the index has them."""
    index = shown.title.rules
    return [_link(shown, cited) for rule in rules if (cited := index.cite(rule)) in index]


def _link(shown: Viewer, rule: str) -> RuleLink:
    return RuleLink(rule, rule_link(shown.table.title, rule)[1])


def _why_not(shown: Viewer, keys: Sequence[str]) -> IllegalAction | None:
    if shown.view is None or shown.at is not None or not shown.running() or not shown.own:
        return None
    return why_illegal(shown.view, shown.voice, keys)


def _sentence(shown: Viewer, problem: IllegalAction | None) -> str:
    if shown.at is not None:
        return shown.words._("This is the table as it was; nothing can be done here.")
    if not shown.running():
        return prompt(shown)
    if not shown.own:
        return waiting_sentence(shown)
    return problem.text(shown.words) if problem is not None else ""


class PreviewInfo(msgspec.Struct, frozen=True):
    """What an action brings for certain, what follows `if_unopposed` nobody objects (empty if nobody can
    object), and the changes of all these payments together."""

    lines: list[str]
    unopposed: list[str]
    if_unopposed: str
    totals: str


def foreseen(shown: Viewer, action: Action) -> PreviewInfo:
    """What an action would bring, as far as it is certain and may be known."""
    words, voice = shown.words, shown.voice
    if shown.view is None or action.seat != shown.looking:
        return PreviewInfo([], [], "", "")
    found = preview(shown.view, action)
    lines = _lines(shown, voice.outcome(found.certain))
    unopposed = _lines(shown, voice.outcome(found.unopposed))
    return PreviewInfo(
        lines=lines,
        unopposed=unopposed,
        if_unopposed=words._("If nobody objects:") if unopposed else "",
        totals=_totals(shown, [*found.certain, *found.unopposed]),
    )


def _lines(shown: Viewer, lines: Sequence[str]) -> list[str]:
    told = [line for line in lines if line]
    if len(told) <= MAX_LINES + 1:
        return told
    more = len(told) - MAX_LINES
    return [*told[:MAX_LINES], shown.words.ngettext("and {n} more", "and {n} more", more)]


def _totals(shown: Viewer, events: Sequence[Event]) -> str:
    """What everybody receives and pays altogether, if there is more than one payment."""
    payments = [event.amounts for event in events if isinstance(event, Payment)]
    if len(payments) < 2:
        return ""
    sums = [sum(column) for column in zip(*payments, strict=True)]
    return " · ".join(
        f"{shown.seats[seat].name} {shown.voice.difference(amount)}"
        for seat, amount in enumerate(sums)
        if amount
    )

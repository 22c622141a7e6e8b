"""The log and payments."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any

import msgspec

from kursbuch.core.corrections import NOBODY, Corrected
from kursbuch.core.events import Event, Payment
from kursbuch.core.title import Title
from kursbuch.core.voice import Voice
from kursbuch.core.words import N_
from kursbuch.web.cache import LruCache
from kursbuch.web.http.errors import Conflict, Forbidden, NotFound
from kursbuch.web.labels import Fact, rule_link
from kursbuch.web.tables import replacements
from kursbuch.web.tables.games import REST
from kursbuch.web.tables.viewer import HIDDEN, LogLine, Viewer

#: Lines of the log by all they depend on: the title, the reader's language, the names at the table, the event.
LINES = LruCache[tuple[object, ...], LogLine](30_000, rest=REST)

#: What is told to a seat is kept in so many languages or with so many names.
READERS = 3

#: So many lines are told of what happened since the reader's last move.
SINCE = 60


def log_from(shown: Viewer, start: int) -> list[LogLine]:
    """Everything that happened but for the first so many events, in words. Most of it is written already."""
    assert shown.game is not None
    told = shown.told(shown.game)
    reader = shown.words.language, shown.words.names, shown.past_names
    written = told.lines.get(reader)
    if written is None:
        if len(told.lines) >= READERS:
            told.lines.clear()
        written = told.lines[reader] = []
    # Who made the moves after these is not known yet: the game may be further than the table that was read.
    known = bisect_right(told.events, len(shown.snapshot.moves), key=itemgetter(0))
    written += _log_on(shown, told.events[:known], len(written))
    return written[start:] + _log_on(shown, told.events, max(start, len(written)))


def _log_on(shown: Viewer, events: Sequence[tuple[int, Event]], start: int) -> list[LogLine]:
    """The log of what happened after the first so many of these events."""
    return log(shown, events[start:], events[start - 1][0] if start else 0)


def log(shown: Viewer, events: Iterable[tuple[int, Event]], previous: int = 0) -> list[LogLine]:
    """What happened, in words, after something that belonged to the `previous` move."""
    assert shown.game is not None
    lines = []
    for number, event in events:
        # What follows from a move may be about others than the one who made it.
        own = number != previous
        maker = shown.game.moves[number - 1].action.seat if number else None
        mover = None if maker == NOBODY else maker
        previous = number
        automatic = 0 < number <= len(shown.snapshot.moves) and shown.snapshot.moves[number - 1][1]
        names = shown.names_at(number)
        key = (shown.title, shown.words.language, names, number, event, own, mover, automatic)
        lines.append(LINES.get(key) or LINES.put(key, _line(shown.voice_at(number), *key)))
    return lines


def _line(
    voice: Voice[Any],
    title: Title[Any],
    language: str,
    names: tuple[str, ...],
    number: int,
    event: Event,
    own: bool,
    mover: int | None,
    automatic: bool,
) -> LogLine:
    """A line of the log; nothing of it depends on the position."""
    reference, url = rule_link(title.id, event.rule)
    announced = isinstance(event, Corrected) or title.announces(event)
    seat = mover if own else None
    text = voice.describe(event)
    return LogLine(
        number, text, reference, url, seat, automatic, title.opens(event), mover, announced
    )


class Recap(msgspec.Struct, frozen=True):
    """What happened since the reader's last move: how many moves of others, what everybody received and
    paid by them, what it was, and the elements of the board it happened at, each with the seat that moved."""

    sentence: str
    sums: list[Fact]
    lines: list[LogLine]
    marks: list[tuple[str, int]]


def since(shown: Viewer) -> Recap | None:
    """What others did since the reader's last move, or what has happened at all before the first one; None if that
    is nothing, or in the past. What the computer has played for the reader, or was planned ahead, the reader has not
    seen either."""
    game, me = shown.game, shown.looking
    if game is None or me is None or me not in shown.here or shown.at is not None or game.over:
        return None
    begun, played = _played(shown, me)
    last = shown.number
    while last > begun and not (
        game.moves[last - 1].action.seat == me
        and not shown.snapshot.moves[last - 1][1]
        and played(last)
    ):
        last -= 1
    count = shown.number - last
    if not count:
        return None
    events = shown.events(last + 1)
    happened: dict[int, list[Event]] = {number: [] for number in range(last + 1, shown.number + 1)}
    for number, event in events:
        happened[number].append(event)
    marks = [
        (key, game.moves[number - 1].action.seat)
        for number, caused in happened.items()
        if game.moves[number - 1].action.seat != NOBODY
        for key in shown.title.marks(caused)
    ]
    words = shown.words
    if last > begun:
        sentence = words.ngettext(
            "Since your last move: {n} move", "Since your last move: {n} moves", count
        )
    elif begun > len(shown.table.set_up or ()):
        sentence = words.ngettext(
            "Since you play here: {n} move", "Since you play here: {n} moves", count
        )
    else:
        sentence = words.ngettext(
            "Since the game began: {n} move", "Since the game began: {n} moves", count
        )
    return Recap(sentence, _sums(shown, events), log(shown, events[-SINCE:]), marks)


def _played(shown: Viewer, seat: int) -> tuple[int, Callable[[int], bool]]:
    """After how many moves the one who has a seat came to it, and whether it was not the computer who made a move of
    the seat since then."""
    begun = shown.table.given
    away: list[tuple[int, int]] = []
    left: int | None = None
    for note in shown.snapshot.notes:
        if note.seat != seat:
            continue
        if note.kind == replacements.TO_BOT:
            left = note.number
        elif note.kind in (replacements.SITS, replacements.HANDED):
            begun, left = note.number, None
        elif note.kind == replacements.BACK and left is not None:
            away.append((left, note.number))
            left = None
    return begun, lambda number: not any(first < number <= last for first, last in away)


def _sums(shown: Viewer, events: Sequence[tuple[int, Event]]) -> list[Fact]:
    """What everybody whose money may be known received and paid, the reader first."""
    sums = [0] * len(shown.seats)
    for _number, event in events:
        if isinstance(event, Payment):
            for seat, amount in enumerate(event.amounts):
                sums[seat] += amount
    order = sorted(range(len(sums)), key=lambda seat: seat != shown.looking)
    return [
        Fact(
            shown.words._("you") if seat == shown.looking else shown.seats[seat].name,
            shown.voice.difference(sums[seat]),
        )
        for seat in order
        if sums[seat] and shown.score(seat) != HIDDEN
    ]


class PaymentLine(msgspec.Struct, frozen=True):
    """A payment to one seat."""

    number: int
    text: str
    amount: str
    rule: str
    rule_url: str


class PaymentsPage(msgspec.Struct, frozen=True):
    """payments.html, payments_card.html: everything a seat received and paid, in order."""

    table_url: str
    title_name: str
    name: str
    total: str
    lines: list[PaymentLine]


def payments_page(shown: Viewer, seat: int) -> PaymentsPage:
    """What a seat received and paid, unless the sum may not be known: the page does not do the adding up
    that the screens of the players prevent."""
    if shown.view is None:
        raise Conflict(N_("The game has not begun yet."))
    if not 0 <= seat < len(shown.seats):
        raise NotFound(N_("This table has no seat number {number}."), number=seat + 1)
    total = shown.score(seat)
    if total == HIDDEN:
        raise Forbidden(N_("Only this player may know what was paid."))
    lines = []
    for number, event in shown.events():
        amount = event.amounts[seat] if isinstance(event, Payment) and event.amounts else 0
        if amount:
            reference, url = rule_link(shown.title.id, event.rule)
            text = shown.voice_at(number).describe(event)
            written = shown.voice.written_score(amount)
            lines.append(PaymentLine(number, text, written, reference, url))
    return PaymentsPage(
        table_url=shown.address(),
        title_name=shown.title.name,
        name=shown.seats[seat].name,
        total=total,
        lines=lines,
    )

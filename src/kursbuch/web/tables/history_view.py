"""History of a table: log, recap, undo and redo, steps, seed check."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from operator import itemgetter
from typing import Any

import msgspec

from kursbuch.core.corrections import NOBODY, Corrected
from kursbuch.core.errors import KursbuchError
from kursbuch.core.events import Event, Payment
from kursbuch.core.title import Title
from kursbuch.core.voice import Voice
from kursbuch.core.words import N_, Words
from kursbuch.web.cache import LruCache
from kursbuch.web.db.models import Note, Seat
from kursbuch.web.http.errors import Conflict, Forbidden, NotFound
from kursbuch.web.labels import Fact, rule_link
from kursbuch.web.tables import deadlines, votes
from kursbuch.web.tables.access import DOORS, access_note
from kursbuch.web.tables.copies import AGAIN, COPY, RECORD, again_url
from kursbuch.web.tables.games import REST
from kursbuch.web.tables.moderation import REWIND, TRIED
from kursbuch.web.tables.policies import FINISHED
from kursbuch.web.tables.premoves import ROUTINE
from kursbuch.web.tables.snapshot import is_delayed
from kursbuch.web.tables.viewer import HIDDEN, LogLine, Viewer
from kursbuch.web.tables.votes import (
    END,
    REDO,
    REFUSED,
    REPLACE,
    UNDO,
    asks_for_undo,
    may_go_back,
    own_target,
    redo_asks,
    undo_target,
)

#: Log lines by all they depend on: title, language, names, event.
LINES = LruCache[tuple[object, ...], LogLine](30_000, rest=REST)

#: Number of language and name variants of a line that are kept.
READERS = 3

#: Maximum number of log lines in a recap.
SINCE = 60


def log_from(shown: Viewer, start: int) -> list[LogLine]:
    """The log without the first events. Most of it is cached."""
    assert shown.game is not None
    told = shown.told(shown.game)
    reader = shown.words.language, shown.words.names, shown.past_names
    written = told.lines.get(reader)
    if written is None:
        if len(told.lines) >= READERS:
            told.lines.clear()
        written = told.lines[reader] = []
    # The table was read before these moves: their players are not known yet.
    known = bisect_right(told.events, len(shown.snapshot.moves), key=itemgetter(0))
    written += _log_on(shown, told.events[:known], len(written))
    return written[start:] + _log_on(shown, told.events, max(start, len(written)))


def _log_on(shown: Viewer, events: Sequence[tuple[int, Event]], start: int) -> list[LogLine]:
    """The log lines of these events, without the first ones."""
    return log(shown, events[start:], events[start - 1][0] if start else 0)


def log(shown: Viewer, events: Iterable[tuple[int, Event]], previous: int = 0) -> list[LogLine]:
    """The log lines of events after the `previous` move."""
    assert shown.game is not None
    lines = []
    for number, event in events:
        # Consequences of a move may concern other players.
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
    """A log line; it does not depend on the position."""
    reference, url = rule_link(title.id, event.rule)
    announced = isinstance(event, Corrected) or title.announces(event)
    seat = mover if own else None
    text = voice.describe(event)
    return LogLine(
        number, text, reference, url, seat, automatic, title.opens(event), mover, announced
    )


class Recap(msgspec.Struct, frozen=True):
    """Recap since the reader's last move: the number of moves by others, the totals of payments, the log, and the
    elements of the board concerned, each with the seat that moved."""

    sentence: str
    sums: list[Fact]
    lines: list[LogLine]
    marks: list[tuple[str, int]]


def since(shown: Viewer) -> Recap | None:
    """Recap the moves of others since the reader's last one, or from the start before the first; None without any, or
    when looking back. Bot moves and premoves of the reader are included."""
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
            "Since you joined: {n} move", "Since you joined: {n} moves", count
        )
    else:
        sentence = words.ngettext(
            "Since the game began: {n} move", "Since the game began: {n} moves", count
        )
    start = len(shown.told(game).events) - min(len(events), SINCE)
    return Recap(sentence, _sums(shown, events), log_from(shown, start), marks)


def _played(shown: Viewer, seat: int) -> tuple[int, Callable[[int], bool]]:
    """The number of moves when the player took the seat, and a test of the moves that the player made by hand since."""
    begun = shown.table.given
    away: list[tuple[int, int]] = []
    left: int | None = None
    for note in shown.snapshot.notes:
        if note.seat != seat:
            continue
        if note.kind == votes.TO_BOT:
            left = note.number
        elif note.kind in (votes.SITS, votes.HANDED):
            begun, left = note.number, None
        elif note.kind == votes.BACK and left is not None:
            away.append((left, note.number))
            left = None
    return begun, lambda number: not any(first < number <= last for first, last in away)


def _sums(shown: Viewer, events: Sequence[tuple[int, Event]]) -> list[Fact]:
    """The totals of all players whose money is public, the reader first."""
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
    """A payment to or by one seat."""

    number: int
    text: str
    amount: str
    rule: str
    rule_url: str


class PaymentsPage(msgspec.Struct, frozen=True):
    """payments.html, as a page or a card: all payments of a seat in order."""

    table_url: str
    title_name: str
    name: str
    total: str
    lines: list[PaymentLine]


def payments_page(shown: Viewer, seat: int) -> PaymentsPage:
    """The payments of a seat. Refused where players hide their money: the page must not add it up."""
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


#: Words for moves, by whose they are.
LABELS = LruCache[tuple[object, ...], str](1000, rest=REST)

#: Log sentences of slow games and of changes of players, by kind of note.
HAPPENED = {
    deadlines.LATE: N_("{name} has run out of time."),
    deadlines.AWAY: N_("{name} is away for some time."),
    deadlines.PRESENT: N_("{name} is back."),
    votes.TO_BOT: N_("The computer now plays for {name}."),
    votes.TO_OPEN: N_("The seat of {name} is free for another player."),
    votes.HANDED: N_("The seat of {name} was handed on."),
    votes.SITS: N_("{name} takes over this seat."),
    votes.BACK: N_("{name} is back and plays on."),
    votes.LEFT: N_("{name} has left for good: the seat can be handed on."),
}

#: Log sentences of refusals.
REFUSALS = {
    UNDO: N_("{name} does not agree to take moves back."),
    REDO: N_("{name} does not agree to the redo."),
    END: N_("{name} does not agree to end the game."),
    REPLACE: N_("{name} does not agree to replace a player."),
}


def moves_in_words(
    words: Words,
    seats: Sequence[Seat],
    concerned: Iterable[int],
    yours: Collection[int] = (),
    theirs: Collection[int] = (),
) -> str:
    """A number of moves as the object of a sentence: `concerned` are their seats, `yours` those of the reader,
    `theirs` that of the sentence's subject."""
    one: list[str] = []
    parts: list[str] = []
    made = list(concerned)
    total = len(made)
    corrections = made.count(NOBODY)
    made = [seat for seat in made if seat != NOBODY]

    def add(count: int, whole: str, part: str) -> None:
        if count:
            one.append(whole)
            parts.append(part)

    bots = {seat for seat in made if seats[seat].is_bot}
    mine = sum(seat in yours for seat in made)
    add(
        mine,
        words.ngettext("a move of yours", "{n} moves of yours", mine),
        words._("{n} of yours", n=mine),
    )
    if mine:
        theirs = ()  # "their own" would be ambiguous beside the reader's
    own = sum(seat in theirs for seat in made)
    add(
        own,
        words.ngettext("a move of their own", "{n} moves of their own", own),
        words.ngettext("{n} of their own", "{n} of their own", own),
    )
    for seat in sorted(set(made) - bots - set(yours) - set(theirs)):
        count, name = made.count(seat), words.name(seat)
        add(
            count,
            words.ngettext("a move by {name}", "{n} moves by {name}", count, name=name),
            words._("{n} by {name}", n=count, name=name),
        )
    machine = sum(seat in bots for seat in made)
    add(
        machine,
        words.ngettext("a move by the computer", "{n} moves by the computer", machine),
        words._("{n} by the computer", n=machine),
    )
    add(
        corrections,
        words.ngettext("a correction", "{n} corrections", corrections),
        words.ngettext("{n} correction", "{n} corrections", corrections),
    )
    if len(parts) == 1:
        return one[0]
    return words.ngettext(
        "{n} move ({whose})", "{n} moves ({whose})", total, whose=words.join(parts)
    )


def yours(shown: Viewer) -> list[int]:
    """The only seat of a reader; several players at a device are called by name."""
    return shown.own if len(shown.own) == 1 else []


class UndoOption(msgspec.Struct, frozen=True):
    """An undo or redo to `target` moves: the label of the button, the moves concerned in words, and the `first` of
    them. `asks`: others must agree; `confirm`: it is more than the own last move."""

    target: int
    moves: int
    label: str
    sentence: str
    first: str
    asks: bool
    confirm: bool


def take_back(shown: Viewer) -> list[UndoOption]:
    """The undos open to the visitor: of the last move, and of their own last move."""
    words, table = shown.words, shown.table
    known = (table, shown.seats, shown.snapshot.moves, shown.visitor)
    last = undo_target(*known, shown.game)
    own = own_target(*known, shown.game, _routines(shown))
    offers = []
    for target in dict.fromkeys((last, own)):
        if target is None:
            continue
        asks = asks_for_undo(table, shown.game, target) and shown.has_company
        label = words._("Ask to take back") if asks else words._("Take back")
        if own is not None and last is not None and own != last:
            label = _which(words, asks, target == own)
        offers.append(_back(shown, target, label, asks))
    return offers


def _routines(shown: Viewer) -> list[int]:
    """The numbers of moves after which turns of the reader began to run by themselves."""
    return [
        note.number
        for note in shown.snapshot.notes
        if note.kind == ROUTINE and note.seat in shown.own
    ]


def _which(words: Words, asks: bool, own: bool) -> str:
    if own:
        return (
            words._("Ask to take back my last move") if asks else words._("Take my last move back")
        )
    return words._("Ask to take back the last move") if asks else words._("Take the last move back")


def take_back_here(shown: Viewer) -> UndoOption | None:
    """Undo to the move being viewed."""
    table, words = shown.table, shown.words
    known = (table, shown.seats, shown.snapshot.moves, shown.visitor)
    if shown.at is None or UNDO in shown.snapshot.consents:
        return None
    if not may_go_back(*known, shown.at, shown.game, _routines(shown)):
        return None
    asks = asks_for_undo(table, shown.game, shown.at) and shown.has_company
    label = words._("Ask to go back to here") if asks else words._("Take back to here")
    return _back(shown, shown.at, label, asks)


def _back(shown: Viewer, target: int, label: str, asks: bool) -> UndoOption:
    words, seats = shown.words, [seat for seat, _ in shown.snapshot.moves[target:]]
    confirm = len(seats) > 1 or any(seat not in shown.own for seat in seats)
    text = _first(shown, target) if confirm else ""
    return UndoOption(
        target=target,
        moves=len(seats),
        label=label,
        sentence=words._(
            "This takes back {moves}.",
            moves=moves_in_words(words, shown.seats, seats, yours(shown)),
        ),
        first=words._("The first of them is move {number}: {text}", number=target + 1, text=text)
        if text
        else "",
        asks=asks,
        confirm=confirm,
    )


def _first(shown: Viewer, target: int) -> str:
    """The first move to go: by name for its player, else by its public events."""
    assert shown.game is not None
    action, table, words = shown.game.moves[target].action, shown.table, shown.words
    if action.seat == shown.looking:
        # It stays the same until an undo, and finding it needs a replay.
        key = (table.id, table.seed_hash, table.rewound, target, words.language, words.names)
        return LABELS.get(key) or LABELS.put(
            key, shown.voice.pick(shown.view_at(target).state, action).label
        )
    told = log(shown, shown.events(target + 1, target + 1)[:1], target)
    return told[0].text if told else ""


def redo_offer(shown: Viewer) -> UndoOption | None:
    """Redo of the last undo. Only the number of moves and their players are shown."""
    redo, words = shown.snapshot.redo, shown.words
    asked_first = redo_asks(shown.table, shown.seats, redo, shown.visitor)
    if asked_first is None or is_delayed(shown.snapshot, shown.visitor):
        return None
    asks = asked_first and shown.has_company
    return UndoOption(
        target=shown.number + len(redo.seats),
        moves=len(redo.seats),
        label=words._("Ask to redo") if asks else words._("Redo"),
        sentence=words._(
            "This redoes {moves}.",
            moves=moves_in_words(words, shown.seats, redo.seats, yours(shown)),
        ),
        first="",
        asks=asks,
        confirm=False,
    )


def note_text(shown: Viewer, note: Note) -> str:
    """The log sentence of a note, with the names the seats had then."""
    words = Words(shown.words.language, note.data.get("names", shown.words.names))
    if note.kind == COPY:
        return words._(
            "Copied after move {number}. What you do here changes nothing at the original table.",
            number=shown.table.copied,
        )
    if note.kind == RECORD:
        return words._(
            "This table continues a saved game after move {number}.", number=shown.table.copied
        )
    if note.kind == DOORS:
        return access_note(words, "" if note.seat is None else words.name(note.seat), note)
    if note.kind in (REWIND, TRIED):
        return _moderated(words, note)
    name = _doing(words, note)
    if note.kind == deadlines.LATE and shown.own == [note.seat]:
        return words._("Your time is up.")
    if note.kind == REFUSED:
        return words._(REFUSALS[note.data["wish"]], name=name)
    if note.kind in HAPPENED:
        return words._(HAPPENED[note.kind], name=name)
    if note.kind == ROUTINE:
        did = shown.voice.routine(note.data["subject"])
        return words._("By itself for {name} – {routine}.", name=name, routine=did)
    if note.kind == AGAIN:
        return words._("{name} opens a rematch.", name=name)
    makers = [*range(len(shown.seats)), NOBODY]
    concerned = [
        seat for seat, count in zip(makers, note.counts, strict=False) for _ in range(count)
    ]
    owner = None if note.seat is None else shown.seats[note.seat].owner
    theirs: Sequence[int] = [] if note.seat is None else [note.seat]
    if owner is not None:
        theirs = shown.snapshot.seats_of(owner)
    moves = moves_in_words(words, shown.seats, concerned, theirs=theirs if len(theirs) == 1 else ())
    if note.kind == REDO:
        return words._("{name} redoes {moves}.", name=name, moves=moves)
    return words._("{name} takes back {moves}.", name=name, moves=moves)


def _doing(words: Words, note: Note) -> str:
    """The name of the player or moderator in a note."""
    if note.seat is not None:
        return words.name(note.seat)
    return str(note.data.get("by") or words._("A moderator"))


def _moderated(words: Words, note: Note) -> str:
    """The sentence for an act of a moderator that is no correction."""
    name = _doing(words, note)
    if note.kind == TRIED:
        return words._("{name} tried to take away more than there is.", name=name)
    if note.seat is None and not note.data.get("by"):
        return words._(
            "A moderator goes back to the position after move {number}.", number=note.number
        )
    return words._(
        "{name} goes back to the position after move {number}, as a moderator.",
        name=name,
        number=note.number,
    )


def notes(shown: Viewer) -> list[LogLine]:
    """Notes as log lines."""
    return [
        LogLine(
            number=note.number,
            text=note_text(shown, note),
            rule="",
            rule_url="",
            seat=note.seat,
            automatic=False,
            opens=False,
            mover=note.seat,
            announced=False,
            note=True,
            url=again_url(shown) if note.kind == AGAIN else "",
        )
        for note in shown.snapshot.notes
    ]


def latest(shown: Viewer) -> str:
    """The latest note since the last move."""
    found = [note for note in shown.snapshot.notes if note.kind != AGAIN]
    if not found or shown.at is not None or found[-1].number != shown.table.number:
        return ""
    return note_text(shown, found[-1])


def past(shown: Viewer) -> list[LogLine]:
    """The log lines of the move being viewed."""
    return [] if shown.at is None else log(shown, shown.events(shown.at))


class HistorySteps(msgspec.Struct, frozen=True):
    """Navigation targets: the next moves, turns of other players, and parts of the game; `parts` says whether it has
    any."""

    back: int
    on: int
    turn_back: int
    turn_on: int
    part_back: int
    part_on: int
    parts: bool


def steps(shown: Viewer) -> HistorySteps:
    """Find the next and previous moves, turns and parts around the position shown."""
    game = shown.game
    if game is None:
        return HistorySteps(0, 0, 0, 0, 0, 0, False)
    last, here = len(game.moves), shown.number if shown.at is None else shown.at
    told = shown.told(game)

    def back(stops: Sequence[int]) -> int:
        place = bisect_left(stops, here)
        return stops[place - 1] if place else 0

    def on(stops: Sequence[int]) -> int:
        place = bisect_right(stops, here)
        return stops[place] if place < len(stops) else last

    return HistorySteps(
        max(0, here - 1),
        min(last, here + 1),
        back(told.turns),
        on(told.turns),
        back(told.parts),
        on(told.parts),
        bool(told.parts),
    )


class CheckPage(msgspec.Struct, frozen=True):
    """check.html: the seed and the result of its check. `draws` is the number of draws from it; `copied` has a
    sentence for every game whose draws were copied, `head` is the last link of the hash chain."""

    id: str
    table_url: str
    title_name: str
    seed: str
    seed_hash: str
    draws: int
    passed: bool
    sentence: str
    copied: list[str]
    head: str


def check_page(shown: Viewer) -> CheckPage:
    """Check the seed after the end."""
    if shown.table.status != FINISHED or shown.game is None:
        raise Conflict(N_("The seed stays secret until the game is over."))
    try:
        shown.game.verify_seed(shown.table.seed)
        passed = shown.game.seed_hash == shown.table.seed_hash
        sentence = (
            shown.words._("Every draw since the game was copied comes from the seed.")
            if shown.game.copied
            else shown.words._("Every draw of the game comes from the seed.")
        )
    except KursbuchError as error:
        passed, sentence = False, error.text(shown.words)
    return CheckPage(
        id=shown.table.id,
        table_url=f"/t/{shown.table.id}",
        title_name=shown.title.name,
        seed=shown.table.seed,
        seed_hash=shown.table.seed_hash,
        draws=len(shown.game.draws()) - shown.game.copied_draws(),
        passed=passed,
        sentence=sentence,
        copied=[
            shown.words._(
                "The moves up to number {number} were copied. Their draws come from the seed of another "
                "game, and can be checked there; the hash of that seed is {hash}.",
                number=part.moves,
                hash=part.seed_hash,
            )
            for part in shown.game.copied
        ],
        head=shown.head(),
    )

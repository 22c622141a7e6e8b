"""History of a table: undo, notes in the log, copies."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec

from kursbuch.bots import strengths, usual_strength
from kursbuch.core.corrections import NOBODY
from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_, Words
from kursbuch.web.cache import LruCache
from kursbuch.web.db.models import Note, Seat
from kursbuch.web.home.views import SEAT_FIELDS
from kursbuch.web.http.errors import Conflict
from kursbuch.web.labels import FieldChoice
from kursbuch.web.tables import deadlines, replacements
from kursbuch.web.tables.access import DOORS
from kursbuch.web.tables.access_view import access_note
from kursbuch.web.tables.copies import AGAIN, COPY, MYSELF, copied_from
from kursbuch.web.tables.games import REST
from kursbuch.web.tables.log_view import log
from kursbuch.web.tables.moderation import REWIND, TRIED
from kursbuch.web.tables.policies import CLOSED, FINISHED
from kursbuch.web.tables.records import RECORD
from kursbuch.web.tables.spectator_delay import is_delayed
from kursbuch.web.tables.viewer import LogLine, Viewer
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

#: What moves are called by those who made them.
LABELS = LruCache[tuple[object, ...], str](1000, rest=REST)

#: What stands in the log of a slow game, and of players who come and go, by the kind of the note.
HAPPENED = {
    deadlines.LATE: N_("The time of {name} is up."),
    deadlines.AWAY: N_("{name} is away for some time."),
    deadlines.PRESENT: N_("{name} is back."),
    replacements.TO_BOT: N_("From here on the computer plays for {name}."),
    replacements.TO_OPEN: N_("The seat of {name} is free for somebody else."),
    replacements.HANDED: N_("The seat of {name} was handed on."),
    replacements.SITS: N_("{name} plays on here."),
    replacements.BACK: N_("{name} is back and plays on."),
    replacements.LEFT: N_("{name} has left for good: the seat can be handed on to somebody else."),
}

#: What somebody does not agree to.
REFUSALS = {
    UNDO: N_("{name} does not agree to take moves back."),
    REDO: N_("{name} does not agree to do moves again."),
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
    """How many moves of whom, as the object of a sentence: `concerned` are the seats that made them,
    `yours` those of the reader, `theirs` of the one the sentence is about."""
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
        theirs = ()  # beside the reader's, "their own" could be anybody's
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
    """The seat of a reader who plays only one: several people at a device are called by their names."""
    return shown.own if len(shown.own) == 1 else []


class UndoOption(msgspec.Struct, frozen=True):
    """Going back to `target` moves, or on to as many: the text of the button, how many moves of whom are
    concerned, and what the `first` of them was. `asks`: others have to agree; `confirm`: it is more than
    one's own last move, and should be read first."""

    target: int
    moves: int
    label: str
    sentence: str
    first: str
    asks: bool
    confirm: bool


def take_back(shown: Viewer) -> list[UndoOption]:
    """What the visitor may take back: the last move, and the own last one where that is another."""
    words, table = shown.words, shown.table
    known = (table, shown.seats, shown.snapshot.moves, shown.visitor)
    last, own = undo_target(*known, shown.game), own_target(*known, shown.game)
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


def _which(words: Words, asks: bool, own: bool) -> str:
    if own:
        return words._("Ask for my last move") if asks else words._("Take my last move back")
    return words._("Ask for the last move") if asks else words._("Take the last move back")


def take_back_here(shown: Viewer) -> UndoOption | None:
    """Going back to the move that is looked at."""
    table, words = shown.table, shown.words
    known = (table, shown.seats, shown.snapshot.moves, shown.visitor)
    if shown.at is None or UNDO in shown.snapshot.consents:
        return None
    if not may_go_back(*known, shown.at, shown.game):
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
    """What the move was that would be the first to go: by its name for whoever made it, else by what all
    could see of it."""
    assert shown.game is not None
    action, table, words = shown.game.moves[target].action, shown.table, shown.words
    if action.seat == shown.looking:
        # It stays the same until moves are taken back, and to find it the position before has to be replayed.
        key = (table.id, table.seed_hash, table.rewound, target, words.language, words.names)
        return LABELS.get(key) or LABELS.put(
            key, shown.voice.pick(shown.view_at(target).state, action).label
        )
    told = shown.events(target + 1, target + 1)
    return next((shown.voice_at(target + 1).describe(event) for _, event in told), "")


def redo_offer(shown: Viewer) -> UndoOption | None:
    """Doing again what was taken back last. Nothing of it is shown but how many moves of whom."""
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
            "This does again {moves}.",
            moves=moves_in_words(words, shown.seats, redo.seats, yours(shown)),
        ),
        first="",
        asks=asks,
        confirm=False,
    )


def note_text(shown: Viewer, note: Note) -> str:
    """What happened at the table, for everybody's log, with the names that seats had then."""
    words = Words(shown.words.language, note.data.get("names", shown.words.names))
    if note.kind == COPY:
        return words._(
            "This table was copied after move {number}; from here it goes on by itself.",
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
    if note.kind == AGAIN:
        return words._("{name} opens a new table for the same people.", name=name)
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
        return words._("{name} does again {moves}.", name=name, moves=moves)
    return words._("{name} takes back {moves}.", name=name, moves=moves)


def _doing(words: Words, note: Note) -> str:
    """Who has done something: the player of a seat, or a moderator who has none."""
    if note.seat is not None:
        return words.name(note.seat)
    return str(note.data.get("by") or words._("A moderator"))


def _moderated(words: Words, note: Note) -> str:
    """What a moderator has done that is no correction."""
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
    """What happened at the table and is no move, as lines of the log."""
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
    """What happened at the table since the last move, if anything did."""
    found = [note for note in shown.snapshot.notes if note.kind != AGAIN]
    if not found or shown.at is not None or found[-1].number != shown.table.number:
        return ""
    return note_text(shown, found[-1])


def origin_url(shown: Viewer) -> str:
    """The table this one was copied from, for whoever may know of it: the start page lists it, or the
    visitor has to do with it."""
    source = shown.snapshot.source
    if source is None:
        return ""
    knows = source.listed or shown.visitor in source.people
    return f"/t/{source.id}" if knows or shown.visitor == shown.table.creator else ""


def again_url(shown: Viewer) -> str:
    """The table where the same people play once more, for them and for whoever may watch."""
    table = shown.table
    return f"/t/{table.again}" if table.again and (shown.own or table.listed) else ""


def may_again(shown: Viewer) -> bool:
    """Whether the visitor may open a table for the same people."""
    over = shown.table.status in (FINISHED, CLOSED) and shown.game is not None
    all_there = not any(seat.is_empty for seat in shown.seats)
    return over and all_there and bool(shown.own) and not shown.table.again


class CopySeat(msgspec.Struct, frozen=True):
    """Who can play a seat of a copy: the field `seat{n}`."""

    number: int
    name: str
    players: list[FieldChoice]


class Copying(msgspec.Struct, frozen=True):
    """Playing on after `number` moves at a table of one's own, or why that is not possible. The form for
    POST /copy: number, version, seat{n} ("me" or a strength of the computer)."""

    number: int
    refusal: str
    seats: list[CopySeat]


def copying(shown: Viewer) -> Copying | None:
    """Playing on from what is shown, at a table of one's own."""
    game, words = shown.game, shown.words
    if game is None:
        return None
    number = shown.number if shown.at is None else shown.at
    if game.over and number == shown.number:
        number -= 1
    refusal = ""
    try:
        copied_from(shown.snapshot, number)
    except KursbuchError as error:
        refusal = error.text(words)
    bots = [(spec, words._(label)) for spec, label in strengths(shown.title)]
    seats = []
    for seat in shown.seats:
        mine = seat.number in shown.own if shown.own else not seat.is_bot
        chosen = MYSELF if mine else seat.bot if seat.is_bot else usual_strength(shown.title)
        players = [(MYSELF, words._(SEAT_FIELDS[MYSELF])), *bots]
        seats.append(
            CopySeat(
                seat.number,
                seat.name,
                [FieldChoice(value, text, value == chosen) for value, text in players],
            )
        )
    return Copying(number=number, refusal=refusal, seats=seats)


def past(shown: Viewer) -> list[LogLine]:
    """What the move did after which the table is shown."""
    return [] if shown.at is None else log(shown, shown.events(shown.at))


class HistorySteps(msgspec.Struct, frozen=True):
    """The moves to go to from what is shown: the next ones, where turns of other players begin, and parts
    of the game; `parts` says whether it has any."""

    back: int
    on: int
    turn_back: int
    turn_on: int
    part_back: int
    part_on: int
    parts: bool


def steps(shown: Viewer) -> HistorySteps:
    """Where one can go from here: the numbers of moves after which another player's turn, or another
    part of the game, begins next to what is shown."""
    game = shown.game
    if game is None:
        return HistorySteps(0, 0, 0, 0, 0, 0, False)
    title, moves = game.title, game.moves
    last, here = len(moves), shown.number if shown.at is None else shown.at

    def turn(number: int) -> bool:
        return number < last and moves[number].action.seat != moves[number - 1].action.seat

    def part(number: int) -> bool:
        return any(title.opens(event) for event in moves[number - 1].events)

    def back(stops: Callable[[int], bool]) -> int:
        return next(filter(stops, range(here - 1, 0, -1)), 0)

    def on(stops: Callable[[int], bool]) -> int:
        return next(filter(stops, range(here + 1, last + 1)), last)

    return HistorySteps(
        max(0, here - 1),
        min(last, here + 1),
        back(turn),
        on(turn),
        back(part),
        on(part),
        any(map(part, range(1, last + 1))),
    )


class CheckPage(msgspec.Struct, frozen=True):
    """check.html: the seed after the end, and what checking it gave. `draws` are those that come from it;
    `copied` has a sentence for every game whose draws were copied instead, `head` is the last one of its chain."""

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
    """The seed, checked after the end."""
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

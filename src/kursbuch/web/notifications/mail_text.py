"""The text of notifications and digests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from jinja2 import Environment

from kursbuch.core.words import Words
from kursbuch.web.db.models import Chat, Consent, Seat
from kursbuch.web.labels import winners_sentence
from kursbuch.web.notifications.models import Notice
from kursbuch.web.notifications.notices import (
    ANSWER,
    BEGUN,
    CONSENT,
    DROPPED,
    LATE,
    LEFT,
    MENTION,
    OVER,
    REMINDER,
    REPLACED,
    TURN,
)
from kursbuch.web.notifications.preferences import Recipient, zone_of
from kursbuch.web.notifications.turn_mail import TurnReport, not_carried_out, others, turn_told
from kursbuch.web.tables.clock_view import seat_times, written
from kursbuch.web.tables.viewer import Viewer
from kursbuch.web.tables.votes import open_to
from kursbuch.web.tables.votes_view import silence_until


class Block(msgspec.Struct, frozen=True):
    """Some lines under a heading; `code` are lines that are written like that."""

    heading: str
    lines: tuple[str, ...]
    code: bool = False


class Report(msgspec.Struct, frozen=True):
    """What is told about one thing: `short` for a telephone, the rest for a mail; `url` leads to the table. A mail
    that is `answerable` is answered with moves."""

    subject: str
    short: str
    url: str
    button: str
    blocks: tuple[Block, ...] = ()
    pictured: bool = False
    answerable: bool = False


class MailPage(msgspec.Struct, frozen=True):
    """mail.html: everything a mail says. `pictures` are the names of the pictures of boards, in the order of what is
    told, empty where there is none."""

    language: str
    told: tuple[Report, ...]
    pictures: tuple[str, ...]
    alt: str
    footer: tuple[tuple[str, str], ...]


def tell(
    shown: Viewer,
    notice: Notice,
    person: Recipient,
    answerable: bool,
    chat: Mapping[int, Chat],
) -> Report:
    """What a notice says to the owner of its seat; `chat` are the messages that call
    somebody, by their numbers."""
    words, title = shown.words, shown.title
    table = words._("{title} with {others}", title=title.name, others=others(shown, notice.seat))
    url = f"{shown.base_url}/t/{shown.table.id}"
    to_table = words._("To the table")
    match notice.kind:
        case "turn" | "reminder":
            assert notice.kind in (TURN, REMINDER)
            subject = (
                words._("Still your turn: {table}", table=table)
                if notice.kind == REMINDER
                else words._("Your turn: {table}", table=table)
            )
            told = turn_told(shown)
            # Of several people at a device none gets mail that only one of them may read.
            answerable = answerable and not shown.shares
            what = _to_do(shown, notice, told)
            if shown.shares:
                name = shown.seats[notice.seat].name
                what = words._("It is {name}'s turn: open the table on your device.", name=name)
            short = " ".join(filter(None, (what, _until(shown, notice, person))))
            blocks = _turn(words, told, answerable)
            if dropped := not_carried_out(shown, notice.data.get("rows", ())):
                blocks = (Block(words._("Not played"), dropped), *blocks)
            return Report(subject, short, url, words._("Play"), blocks, True, answerable)
        case "begun":
            assert notice.kind == BEGUN
            subject = words._("The game has begun: {table}", table=table)
            return Report(subject, words._("The game has begun."), url, to_table, (), True)
        case "over":
            assert notice.kind == OVER
            subject = words._("The game is over: {table}", table=table)
            short = _ended(shown)
            scores = tuple(
                f"{seat.name}: {score}"
                for seat in shown.seats
                if (score := shown.score(seat.number))
            )
            blocks = (Block(words._("Scores"), scores),) if scores else ()
            return Report(subject, short, url, to_table, blocks, True)
        case "consent":
            assert notice.kind == CONSENT
            subject = words._("You are asked to agree: {table}", table=table)
            asked = [_asked(shown, one, person) for one in unanswered(shown, notice)]
            return Report(subject, " ".join(asked), url, words._("Answer"))
        case "late":
            assert notice.kind == LATE
            subject = words._("The time is up: {table}", table=table)
            late = [seat.name for seat in too_late(shown, notice.owner)]
            short = words._(
                "The time of {names} is up: you can ask the others to let somebody else play on.",
                names=words.join(late),
            )
            return Report(subject, short, url, to_table, (), True)
        case "mention":
            assert notice.kind == MENTION
            line = chat[notice.data["chat"]]
            name = line.name or shown.seats[line.seat].name
            subject = words._("{name} calls you: {table}", name=name, table=table)
            return Report(subject, line.text, url, to_table)
        case "left":
            assert notice.kind == LEFT
            subject = words._("Somebody has left: {table}", table=table)
            gone = [seat.name for seat in shown.seats if seat.is_gone]
            short = words._(
                "{names} will not play on: you can hand the seat on to somebody else, or have the computer play.",
                names=words.join(gone),
            )
            return Report(subject, short, url, to_table, (), True)
        case "replaced":
            assert notice.kind == REPLACED
            subject = words._("You have been replaced: {table}", table=table)
            return Report(subject, _replaced(shown, notice), url, to_table)
        case "dropped":
            assert notice.kind == DROPPED
            subject = words._("Not done as planned: {table}", table=table)
            lines = not_carried_out(shown, notice.data.get("rows", ()))
            short = lines[0] if len(lines) == 1 else words._("Moves you had planned were not made.")
            blocks = (Block(words._("Not played"), lines),) if len(lines) > 1 else ()
            return Report(subject, short, url, to_table, blocks, True)
        case _:
            assert notice.kind == ANSWER
            return _answered(shown, notice, table, url, answerable)


def too_late(shown: Viewer, owner: str) -> list[Seat]:
    """The seats of others whose time is up."""
    return [seat for seat in shown.seats if seat.late and seat.owner != owner]


def _to_do(shown: Viewer, notice: Notice, told: TurnReport) -> str:
    """What is to be done; whoever holds several seats has to know for which."""
    if len(shown.own) < 2:
        return told.prompt
    return f"{shown.seats[notice.seat].name}: {told.prompt}"


def _until(shown: Viewer, notice: Notice, person: Recipient) -> str:
    """Until when there is time for a move."""
    due = shown.seats[notice.seat].due_at
    if due is None or notice.kind != TURN:
        return ""
    zone = zone_of(person.zone)
    return shown.words._("There is time until {moment}.", moment=written(shown.words, due, zone))


def _turn(words: Words, told: TurnReport, answerable: bool) -> tuple[Block, ...]:
    blocks = [Block(told.since, told.lines)] if told.lines else []
    if told.scores:
        blocks.append(Block(words._("How it stands"), told.scores))
    if told.choices:
        heading = (
            words._("Answer this mail with one of these lines, or with several in their order")
            if answerable
            else words._("What you can do")
        )
        blocks.append(Block(heading, told.choices, True))
    return tuple(blocks)


def _ended(shown: Viewer) -> str:
    if shown.table.result is None:
        return shown.words._("The game was ended without a result.")
    winners = [shown.seats[seat].name for seat in shown.table.result["winners"]]
    return winners_sentence(shown.words, winners)


def _replaced(shown: Viewer, notice: Notice) -> str:
    """That somebody was replaced, and whether he may come back."""
    words, seat = shown.words, shown.seats[notice.seat]
    played = words._(
        "Your seat {name} is played by someone else at the moment.", name=notice.data["name"]
    )
    if not seat_times(shown, seat).may_come_back:
        return played
    said = [
        words._("Your seat {name} is free at the moment.", name=seat.name)
        if seat.is_free
        else played
    ]
    said.append(words._("A replaced player can come back as long as no other person sits there."))
    if shown.table.rated:
        said.append(words._("The game is rated: a player who does not come back is ranked last."))
    return " ".join(said)


def unanswered(shown: Viewer, notice: Notice) -> list[Consent]:
    """What a notice asks of its owner and he has not agreed to yet; older ones do not know what that is."""
    kinds, consents = notice.data.get("asked"), shown.snapshot.consents.values()
    wanted = [one for one in consents if kinds is None or one.kind in kinds]
    return open_to(wanted, shown.seats, notice.owner)


def _asked(shown: Viewer, consent: Consent, person: Recipient) -> str:
    """What somebody is asked for, and until when if who says nothing agrees."""
    words = shown.words
    name = shown.seats[consent.seat].name
    said = {
        "undo": words._("{name} would like to take moves back.", name=name),
        "redo": words._("{name} would like to do again what was taken back.", name=name),
        "end": words._("{name} would like to end the game without a result.", name=name),
        "replace": words._("{name} would like somebody else to take over a seat.", name=name),
    }.get(consent.kind, words._("{name} asks you to agree to something.", name=name))
    until = silence_until(shown, consent)
    if until is None:
        return said
    moment = written(words, until, zone_of(person.zone))
    return f"{said} {words._('Who says nothing until {moment} agrees.', moment=moment)}"


def _answered(shown: Viewer, notice: Notice, table: str, url: str, answerable: bool) -> Report:
    """The answer to a mail with moves: what was played, and what was not."""
    words = shown.words
    answerable = answerable and not shown.shares
    played = tuple(str(line) for line in notice.data.get("played", ()))
    wrong = str(notice.data.get("wrong", ""))
    blocks = []
    if played and wrong:
        blocks.append(Block(words._("Played"), played, True))
    if shown.acting == notice.seat:
        told = turn_told(shown)
        blocks.append(Block(words._("What is to be done"), (_to_do(shown, notice, told),)))
        blocks += _turn(words, told, answerable)
    subject = (
        words._("Not played: {table}", table=table)
        if wrong and not played
        else words._("Played: {table}", table=table)
    )
    return Report(
        subject,
        wrong or ", ".join(played),
        url,
        words._("To the table"),
        tuple(blocks),
        True,
        answerable,
    )


def plain(told: Sequence[Report], footer: Sequence[tuple[str, str]]) -> str:
    """The text of a mail."""
    parts = []
    for one in told:
        lines = [one.subject, "", one.short] if len(told) > 1 else [one.short]
        for block in one.blocks:
            lines += ["", f"{block.heading}:", *(f"  {line}" for line in block.lines)]
        lines += ["", f"{one.button}: {one.url}"]
        parts.append("\n".join(lines))
    parts.append("\n".join(["-- ", *(f"{label}: {url}" for label, url in footer)]))
    return "\n\n".join(parts) + "\n"


def html(pages: Environment, page: MailPage) -> str:
    """The HTML of a mail."""
    return pages.get_template("mail.html").render(page=page)

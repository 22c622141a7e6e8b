"""The text of notifications and digests."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any
from xml.etree import ElementTree

import msgspec
import resvg_py
from jinja2 import Environment

from kursbuch.core.actions import Choice, Range
from kursbuch.core.title import Title
from kursbuch.core.words import Words
from kursbuch.web.db.models import Chat, Consent, Premove, Seat
from kursbuch.web.home.pictures import GROUND
from kursbuch.web.labels import winners_sentence
from kursbuch.web.notifications.models import Notice
from kursbuch.web.notifications.notifier import (
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
from kursbuch.web.tables.clock_view import seat_times, written
from kursbuch.web.tables.log_view import since
from kursbuch.web.tables.premoves_view import plan_line
from kursbuch.web.tables.prompts import prompt
from kursbuch.web.tables.viewer import Viewer
from kursbuch.web.tables.votes import open_to
from kursbuch.web.tables.votes_view import silence_until

#: So many possible answers of a kind are listed, and so many lines of what happened.
MAX_CHOICES = 12
MAX_LINES = 40
_NUMBER = re.compile(r"\d+")

#: The width of the picture of the board, in pixels.
PICTURE_WIDTH = 1000


class TurnReport(msgspec.Struct, frozen=True):
    """What somebody is told whose turn it is: what is to be done, what has happened since the own last move, and
    what can be answered, in the notation of moves."""

    prompt: str
    since: str = ""
    lines: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()


def turn_report(shown: Viewer) -> TurnReport:
    """What is told to somebody whose turn it is."""
    found = since(shown)
    lines = [line.text for line in found.lines if line.text] if found is not None else []
    possible = (
        shown.view.legal_actions() if shown.view is not None and shown.acting is not None else []
    )
    scores = [
        f"{seat.name}: {score}" for seat in shown.seats if (score := shown.score(seat.number))
    ]
    return TurnReport(
        prompt(shown),
        found.sentence if found is not None else "",
        tuple(lines[-MAX_LINES:]),
        tuple(scores),
        tuple(_choices_by_kind(shown, possible)),
    )


def dropped_lines(shown: Viewer, rows: Collection[int]) -> tuple[str, ...]:
    """Those of these moves planned ahead that were not made, with why; nobody at a shared device is told of those of
    others."""
    lines = [plan_line(shown, row) for row in unread_dropped(shown, rows) if row.seat in shown.here]
    return tuple(f"{line.text} – {line.note}" if line.note else line.text for line in lines)


def unread_dropped(shown: Viewer, rows: Collection[int]) -> list[Premove]:
    """Those of these moves planned ahead that were not made and of which their player still has to read."""
    return [row for row in shown.ahead if row.dropped and row.id in rows]


def _choices_by_kind(shown: Viewer, possible: Sequence[Choice]) -> Iterator[str]:
    """The choices by kind, and of each kind not too many."""
    kinds: dict[type, dict[str, None]] = {}
    for choice in possible:
        lines = notations(shown.title, shown.words, choice)
        kinds.setdefault(type(choice.action), {}).update(dict.fromkeys(lines))
    for found in kinds.values():
        lines = list(found)
        more = len(lines) - MAX_CHOICES
        yield from lines if more < 2 else lines[:MAX_CHOICES]
        if more > 1:
            yield shown.words.ngettext(
                "… and {n} more like these", "… and {n} more like these", more
            )


def notations(title: Title[Any], words: Words, choice: Choice) -> list[str]:
    """How a choice is written in an answer, with the amounts that are possible."""
    amounts = choice.amount
    if amounts is None or len(amounts) < 2:
        return [title.format(choice.action)]
    low, second = (title.format(choice.with_amount(amount)) for amount in islice(amounts, 2))
    if _NUMBER.sub("", low) == _NUMBER.sub("", second):
        return [_with_amounts(words, low, amounts)]
    # The lowest is left out in the notation, and would not show how others are written.
    others = Range(amounts.low + amounts.step, amounts.high, amounts.step)
    return [low, second if len(others) == 1 else _with_amounts(words, second, others)]


def _with_amounts(words: Words, move: str, amounts: Range) -> str:
    return words._(
        "{move} (amounts from {low} to {high})", move=move, low=amounts.low, high=amounts.high
    )


def other_players(shown: Viewer, seat: int) -> str:
    """The names of the others at a table."""
    return shown.words.join([one.name for one in shown.seats if one.number != seat])


def board_png(svg: str) -> bytes:
    """A drawn board as a picture for mails; of a drawing of several sheets, the first."""
    root = ElementTree.fromstring(svg)
    frames = msgspec.json.decode(root.get("data-sheets", "[]"))
    if frames:
        name = "http://www.w3.org/2000/svg"
        width, height = frames[0]["wide"]
        root.set("viewBox", f"0 0 {width} {height}")
        for part in root.findall(f"{{{name}}}g[@data-part]"):
            if part.get("data-part") != frames[0]["name"]:
                root.remove(part)
        svg = ElementTree.tostring(root, encoding="unicode")
    # Without a ground of its own it could not be read on the dark one of some mail programs.
    ground = GROUND["light"]
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=PICTURE_WIDTH, background=ground))


def board_svg(shown: Viewer) -> str:
    """The board as the one who is written to may see it, with the last move pointed out; empty before the
    game."""
    if shown.view is None:
        return ""
    marks = shown.title.marks([event for number, event in shown.events(shown.number) if number])
    return shown.title.draw(shown.view.state, shown.words, marks)


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


def report(
    shown: Viewer,
    notice: Notice,
    person: Recipient,
    answerable: bool,
    chat: Mapping[int, Chat],
) -> Report:
    """What a notice says to the owner of its seat; `chat` are the messages that call
    somebody, by their numbers."""
    words, title = shown.words, shown.title
    table = words._(
        "{title} with {others}", title=title.name, others=other_players(shown, notice.seat)
    )
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
            told = turn_report(shown)
            # Of several people at a device none gets mail that only one of them may read.
            answerable = answerable and not shown.shares
            what = _task(shown, notice, told)
            if shown.shares:
                name = shown.seats[notice.seat].name
                what = words._("It is {name}'s turn: open the table on your device.", name=name)
            short = " ".join(filter(None, (what, _time_left(shown, notice, person))))
            blocks = _turn_blocks(words, told, answerable)
            if dropped := dropped_lines(shown, notice.data.get("rows", ())):
                blocks = (Block(words._("Not carried out"), dropped), *blocks)
            return Report(subject, short, url, words._("Play"), blocks, True, answerable)
        case "begun":
            assert notice.kind == BEGUN
            subject = words._("The game has begun: {table}", table=table)
            return Report(subject, words._("The game has begun."), url, to_table, (), True)
        case "over":
            assert notice.kind == OVER
            subject = words._("The game is over: {table}", table=table)
            short = _result(shown)
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
            asked = [_vote_text(shown, one, person) for one in open_votes(shown, notice)]
            return Report(subject, " ".join(asked), url, words._("Answer"))
        case "late":
            assert notice.kind == LATE
            subject = words._("The time is up: {table}", table=table)
            late = [seat.name for seat in late_seats(shown, notice.owner)]
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
            return Report(subject, _replacement_text(shown, notice), url, to_table)
        case "dropped":
            assert notice.kind == DROPPED
            subject = words._("Not done as planned: {table}", table=table)
            lines = dropped_lines(shown, notice.data.get("rows", ()))
            short = lines[0] if len(lines) == 1 else words._("Moves you had planned were not made.")
            blocks = (Block(words._("Not carried out"), lines),) if len(lines) > 1 else ()
            return Report(subject, short, url, to_table, blocks, True)
        case _:
            assert notice.kind == ANSWER
            return _answer_report(shown, notice, table, url, answerable)


def late_seats(shown: Viewer, owner: str) -> list[Seat]:
    """The seats of others whose time is up."""
    return [seat for seat in shown.seats if seat.late and seat.owner != owner]


def _task(shown: Viewer, notice: Notice, told: TurnReport) -> str:
    """What is to be done; whoever holds several seats has to know for which."""
    if len(shown.own) < 2:
        return told.prompt
    return f"{shown.seats[notice.seat].name}: {told.prompt}"


def _time_left(shown: Viewer, notice: Notice, person: Recipient) -> str:
    """Until when there is time for a move."""
    due = shown.seats[notice.seat].due_at
    if due is None or notice.kind != TURN:
        return ""
    zone = zone_of(person.zone)
    return shown.words._("There is time until {moment}.", moment=written(shown.words, due, zone))


def _turn_blocks(words: Words, told: TurnReport, answerable: bool) -> tuple[Block, ...]:
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


def _result(shown: Viewer) -> str:
    if shown.table.result is None:
        return shown.words._("The game was ended without a result.")
    winners = [shown.seats[seat].name for seat in shown.table.result["winners"]]
    return winners_sentence(shown.words, winners)


def _replacement_text(shown: Viewer, notice: Notice) -> str:
    """That somebody was replaced, and whether he may come back."""
    words, seat = shown.words, shown.seats[notice.seat]
    played = words._(
        "Your seat {name} is played by somebody else for now.", name=notice.data["name"]
    )
    if not seat_times(shown, seat).may_come_back:
        return played
    said = [
        words._("Your seat {name} is free for now.", name=seat.name) if seat.is_free else played
    ]
    said.append(words._("Who was replaced can come back as long as no other person sits there."))
    if shown.table.rated:
        said.append(words._("The game is rated: whoever does not come back is rated as last."))
    return " ".join(said)


def open_votes(shown: Viewer, notice: Notice) -> list[Consent]:
    """What a notice asks of its owner and he has not agreed to yet; older ones do not know what that is."""
    kinds, consents = notice.data.get("asked"), shown.snapshot.consents.values()
    wanted = [one for one in consents if kinds is None or one.kind in kinds]
    return open_to(wanted, shown.seats, notice.owner)


def _vote_text(shown: Viewer, consent: Consent, person: Recipient) -> str:
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


def _answer_report(shown: Viewer, notice: Notice, table: str, url: str, answerable: bool) -> Report:
    """The answer to a mail with moves: what was played, and what was not."""
    words = shown.words
    answerable = answerable and not shown.shares
    played = tuple(str(line) for line in notice.data.get("played", ()))
    wrong = str(notice.data.get("wrong", ""))
    blocks = []
    if played and wrong:
        blocks.append(Block(words._("Played"), played, True))
    if shown.acting == notice.seat:
        told = turn_report(shown)
        blocks.append(Block(words._("What is to be done"), (_task(shown, notice, told),)))
        blocks += _turn_blocks(words, told, answerable)
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


def plain_text(told: Sequence[Report], footer: Sequence[tuple[str, str]]) -> str:
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


def html_text(pages: Environment, page: MailPage) -> str:
    """The HTML of a mail."""
    return pages.get_template("mail.html").render(page=page)

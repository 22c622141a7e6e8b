"""The text of notifications, mails and digests."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any
from xml.etree import ElementTree

import msgspec
from jinja2 import Environment

from kursbuch.core.actions import Choice, Range
from kursbuch.core.png import png
from kursbuch.core.title import Title
from kursbuch.core.words import N_, Words
from kursbuch.web.db.models import Chat, Consent, Premove, Seat
from kursbuch.web.labels import winners_sentence
from kursbuch.web.notifications import notifier
from kursbuch.web.notifications.models import Notice
from kursbuch.web.notifications.preferences import Recipient, zone_of
from kursbuch.web.tables.boards import GROUND
from kursbuch.web.tables.clocks import written
from kursbuch.web.tables.decision_view import prompt, silence_until
from kursbuch.web.tables.history_view import since
from kursbuch.web.tables.premove_routes import plan_line
from kursbuch.web.tables.table_view import seat_times
from kursbuch.web.tables.viewer import Viewer
from kursbuch.web.tables.votes import open_to

#: Maximum number of choices of a kind, and of lines about past moves.
MAX_CHOICES = 12
MAX_LINES = 40
_NUMBER = re.compile(r"\d+")

#: Width of the picture of a board, in pixels.
PICTURE_WIDTH = 1000


class TurnReport(msgspec.Struct, frozen=True):
    """A turn in words: what to do, the moves since the last own one, and the choices in notation."""

    prompt: str
    since: str = ""
    lines: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()


def turn_report(shown: Viewer) -> TurnReport:
    """Describe the turn of a player."""
    found = since(shown)
    lines = [line.text for line in found.lines if line.text] if found is not None else []
    possible = (
        shown.view.legal_actions() if shown.view is not None and shown.acting is not None else []
    )
    return TurnReport(
        prompt(shown),
        found.sentence if found is not None else "",
        tuple(lines[-MAX_LINES:]),
        _scores(shown),
        tuple(_choices_by_kind(shown, possible)),
    )


def _scores(shown: Viewer) -> tuple[str, ...]:
    """Return the scores of all players who have one."""
    return tuple(
        f"{seat.name}: {score}" for seat in shown.seats if (score := shown.score(seat.number))
    )


def dropped_lines(shown: Viewer, rows: Collection[int]) -> tuple[str, ...]:
    """Describe premoves that were not made, with the reason.

    At a shared device only those of its own players are shown."""
    lines = [plan_line(shown, row) for row in unread_dropped(shown, rows) if row.seat in shown.here]
    return tuple(f"{line.text} – {line.note}" if line.note else line.text for line in lines)


def unread_dropped(shown: Viewer, rows: Collection[int]) -> list[Premove]:
    """Return which of these premoves were not made and not yet read about."""
    return [row for row in shown.ahead if row.dropped and row.id in rows]


def _choices_by_kind(shown: Viewer, possible: Sequence[Choice]) -> Iterator[str]:
    """List the choices by kind, with a limit for each kind."""
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
    """Write a choice in notation, with its possible amounts."""
    amounts = choice.amount
    if amounts is None or len(amounts) < 2:
        return [title.format_in(words.language, choice.action)]
    low, second = (
        title.format_in(words.language, choice.with_amount(amount)) for amount in islice(amounts, 2)
    )
    if _NUMBER.sub("", low) == _NUMBER.sub("", second):
        return [_with_amounts(words, low, amounts)]
    # The notation omits the lowest amount, so it would not show how others are written.
    others = Range(amounts.low + amounts.step, amounts.high, amounts.step)
    return [low, second if len(others) == 1 else _with_amounts(words, second, others)]


def _with_amounts(words: Words, move: str, amounts: Range) -> str:
    return words._(
        "{move} (amounts from {low} to {high})", move=move, low=amounts.low, high=amounts.high
    )


def other_players(shown: Viewer, seat: int) -> str:
    """Return the names of the other players at a table."""
    return shown.words.join([one.name for one in shown.seats if one.number != seat])


def board_png(svg: str) -> bytes:
    """Render a drawn board for mails; of a drawing with several sheets, the first."""
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
    # Without a background it would be unreadable in dark mail programs.
    return png(svg, PICTURE_WIDTH, GROUND["light"])


def board_svg(shown: Viewer) -> str:
    """Draw the board as the recipient may see it, with the last move marked; empty before the game."""
    if shown.view is None:
        return ""
    marks = shown.title.marks([event for number, event in shown.events(shown.number) if number])
    return shown.title.draw(shown.view.state, shown.words, marks)


class Block(msgspec.Struct, frozen=True):
    """Lines under a heading; `code` lines are in notation."""

    heading: str
    lines: tuple[str, ...]
    code: bool = False


class Report(msgspec.Struct, frozen=True):
    """What a notification says about one thing.

    `short` is for a phone, the rest for a mail. `url` leads to the table. An `answerable` mail is
    answered with moves."""

    subject: str
    short: str
    url: str
    button: str
    blocks: tuple[Block, ...] = ()
    pictured: bool = False
    answerable: bool = False


class MailPage(msgspec.Struct, frozen=True):
    """mail.html: everything a mail says. `pictures` names the board of each report, empty without
    one."""

    language: str
    told: tuple[Report, ...]
    pictures: tuple[str, ...]
    alt: str
    footer: tuple[tuple[str, str], ...]


#: Subject and button of a report, by the kind of its notice.
_HEADINGS = {
    notifier.TURN: (N_("Your turn: {table}"), N_("Play")),
    notifier.REMINDER: (N_("Still your turn: {table}"), N_("Play")),
    notifier.BEGUN: (N_("The game has begun: {table}"), N_("Go to the table")),
    notifier.OVER: (N_("The game is over: {table}"), N_("Go to the table")),
    notifier.CONSENT: (N_("Your vote is needed: {table}"), N_("Answer")),
    notifier.LATE: (N_("Time is up: {table}"), N_("Go to the table")),
    notifier.MENTION: (N_("{name} mentioned you: {table}"), N_("Go to the table")),
    notifier.LEFT: (N_("A player has left: {table}"), N_("Go to the table")),
    notifier.REPLACED: (N_("You have been replaced: {table}"), N_("Go to the table")),
    notifier.DROPPED: (N_("Premove not made: {table}"), N_("Go to the table")),
}
_WITHOUT_PICTURE = (notifier.CONSENT, notifier.MENTION, notifier.REPLACED)


def report(
    shown: Viewer,
    notice: Notice,
    person: Recipient,
    answerable: bool,
    chat: Mapping[int, Chat],
) -> Report:
    """Say what a notice means for the owner of its seat; `chat` has the messages that mention anyone."""
    words, kind = shown.words, notice.kind
    table = words._(
        "{title} with {others}", title=shown.title.name, others=other_players(shown, notice.seat)
    )
    url = f"{shown.base_url}/t/{shown.table.id}"
    # Players who share a device get no mail that only one of them may read.
    answerable = answerable and not shown.shares
    if kind == notifier.ANSWER:
        return _answer_report(shown, notice, table, url, answerable)
    name, blocks = "", tuple[Block, ...]()
    match kind:
        case notifier.TURN | notifier.REMINDER:
            told = turn_report(shown)
            what = _task(shown, notice, told)
            if shown.shares:
                seat = shown.seats[notice.seat]
                what = words._(
                    "{name} is next to move: open the table on your device.", name=seat.name
                )
            short = " ".join(filter(None, (what, _time_left(shown, notice, person))))
            blocks = _turn_blocks(words, told, answerable)
            if dropped := dropped_lines(shown, notice.data.get("rows", ())):
                blocks = (Block(words._("Not played"), dropped), *blocks)
        case notifier.BEGUN:
            short = words._("The game has begun.")
        case notifier.OVER:
            short = _result(shown)
            if scores := _scores(shown):
                blocks = (Block(words._("Scores"), scores),)
        case notifier.CONSENT:
            votes = open_votes(shown, notice)
            short = " ".join(_vote_text(shown, one, person) for one in votes)
        case notifier.LATE:
            short = words._(
                "Time is up for {names}: you can ask the others to replace the player.",
                names=words.join([seat.name for seat in late_seats(shown, notice.owner)]),
            )
        case notifier.MENTION:
            line = chat[notice.data["chat"]]
            name, short = line.name or shown.seats[line.seat].name, line.text
        case notifier.LEFT:
            short = words._(
                "{names} left the game: you can pass the seat on, or let the computer play it.",
                names=words.join([seat.name for seat in shown.seats if seat.is_gone]),
            )
        case notifier.REPLACED:
            short = _replacement_text(shown, notice)
        case _:
            assert kind == notifier.DROPPED
            lines = dropped_lines(shown, notice.data.get("rows", ()))
            short = lines[0] if len(lines) == 1 else words._("Moves you had planned were not made.")
            blocks = (Block(words._("Not played"), lines),) if len(lines) > 1 else ()
    heading, button = _HEADINGS[kind]
    return Report(
        words._(heading, name=name, table=table),
        short,
        url,
        words._(button),
        blocks,
        kind not in _WITHOUT_PICTURE,
        answerable and kind in (notifier.TURN, notifier.REMINDER),
    )


def late_seats(shown: Viewer, owner: str) -> list[Seat]:
    """Return the seats of others whose time is up."""
    return [seat for seat in shown.seats if seat.late and seat.owner != owner]


def _task(shown: Viewer, notice: Notice, told: TurnReport) -> str:
    """Say what to do; a player with several seats must know for which."""
    if len(shown.own) < 2:
        return told.prompt
    return f"{shown.seats[notice.seat].name}: {told.prompt}"


def _time_left(shown: Viewer, notice: Notice, person: Recipient) -> str:
    """Say how long there is time for a move."""
    due = shown.seats[notice.seat].due_at
    if due is None or notice.kind != notifier.TURN:
        return ""
    zone = zone_of(person.zone)
    return shown.words._("You have until {moment}.", moment=written(shown.words, due, zone))


def _turn_blocks(words: Words, told: TurnReport, answerable: bool) -> tuple[Block, ...]:
    blocks = [Block(told.since, told.lines)] if told.lines else []
    if told.scores:
        blocks.append(Block(words._("Current standings"), told.scores))
    if told.choices:
        heading = (
            words._("Reply to this mail with one of these lines, or with several in order")
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
    """Say that a player was replaced, and whether they can come back."""
    words, seat = shown.words, shown.seats[notice.seat]
    played = words._(
        "Another player is playing your seat {name} for now.", name=notice.data["name"]
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


def open_votes(shown: Viewer, notice: Notice) -> list[Consent]:
    """Return the votes a notice asks for that its owner has not answered yet.

    Older notices do not name their votes."""
    kinds, consents = notice.data.get("asked"), shown.snapshot.consents.values()
    wanted = [one for one in consents if kinds is None or one.kind in kinds]
    return open_to(wanted, shown.seats, notice.owner)


def _vote_text(shown: Viewer, consent: Consent, person: Recipient) -> str:
    """Say what a player is asked to agree to, and when silence counts as agreement."""
    words = shown.words
    name = shown.seats[consent.seat].name
    said = {
        "undo": words._("{name} would like to undo moves.", name=name),
        "redo": words._("{name} would like to redo moves.", name=name),
        "end": words._("{name} would like to end the game without a result.", name=name),
        "replace": words._("{name} would like another player to take over a seat.", name=name),
    }.get(consent.kind, words._("{name} asks for your vote.", name=name))
    until = silence_until(shown, consent)
    if until is None:
        return said
    moment = written(words, until, zone_of(person.zone))
    return f"{said} {words._('If you do not answer by {moment}, you agree.', moment=moment)}"


def _answer_report(shown: Viewer, notice: Notice, table: str, url: str, answerable: bool) -> Report:
    """Answer a mail with moves: what was played, and what was not."""
    words = shown.words
    played = tuple(str(line) for line in notice.data.get("played", ()))
    wrong = str(notice.data.get("wrong", ""))
    blocks = []
    if played and wrong:
        blocks.append(Block(words._("Played"), played, True))
    if shown.acting == notice.seat:
        told = turn_report(shown)
        blocks.append(Block(words._("What to do"), (_task(shown, notice, told),)))
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
        words._("Go to the table"),
        tuple(blocks),
        True,
        answerable,
    )


def plain_text(told: Sequence[Report], footer: Sequence[tuple[str, str]]) -> str:
    """Return the plain text of a mail."""
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
    """Return the HTML of a mail."""
    return pages.get_template("mail.html").render(page=page)

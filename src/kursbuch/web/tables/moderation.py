"""Moderation: corrections and rewinding; page and form."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from kursbuch.core.corrections import NOBODY, Correct, Kind, TooLittle, kind_of
from kursbuch.core.words import N_, Words
from kursbuch.web.accounts.models import Account
from kursbuch.web.db.models import Seat, Table
from kursbuch.web.http import idempotency
from kursbuch.web.http.errors import Conflict, Forbidden, Refused
from kursbuch.web.labels import FieldChoice
from kursbuch.web.tables.access import check_moderator, is_moderator, unfair
from kursbuch.web.tables.policies import (
    ALL_MODERATE,
    LOBBY,
    MODERATION,
    NO_MODERATOR,
    OPENER_MODERATES,
    RUNNING,
)
from kursbuch.web.tables.snapshot import Seen, is_delayed
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.transaction import TableTransaction
from kursbuch.web.tables.viewer import Viewer

#: Acts in notes: a moderator went back, or tried to take more of something secret than there is.
REWIND, TRIED = "rewind", "tried"


async def correcting(change: TableTransaction, visitor: str) -> str:
    """The name beside a correction: that of the seat of a moderator with one seat, or of the account without any.
    Several players at a device are not told apart."""
    names = [seat.name for seat in change.seats if seat.owner == visitor]
    if not names and (account := await change.session.get(Account, visitor)) is not None:
        names.append(account.name)
    return " ".join(names[0].replace(":", " ").split()) if len(names) == 1 else ""


async def correct(
    tables: TableStore,
    table_id: str,
    visitor: str,
    seen: Seen | None,
    kind: str,
    values: Sequence[str],
    line: str = "",
    language: str = "en",
) -> int:
    """Correct the game by a kind of correction and its values, or by a `line` of text. Returns the new number of
    moves."""
    refused: TooLittle | None = None
    async with tables.changing(table_id) as change:
        check_moderator(change, visitor)
        change.require(RUNNING)
        if seen is not None:
            change.require_current(seen)
        assert change.game is not None
        action = Correct(NOBODY, kind, tuple(values))
        if line:
            action = change.game.parse_correction(line, language)
        by = await correcting(change, visitor)
        try:
            change.play(Correct(NOBODY, action.kind, action.values, by))
        except TooLittle as error:
            # The refusal itself reveals a secret: the log tells all players of the attempt.
            await change.note(TRIED, _seat(change.seats, visitor), by=by)
            await idempotency.release(change.session)
            refused = error
        number = change.table.number
    if refused is not None:
        raise refused
    return number


def check_target(table: Table, target: int) -> None:
    """Refuse impossible targets of a rewind."""
    if not table.given <= target < table.number:
        raise Refused(
            N_("You can go back to any move from {low} to {high}."),
            low=table.given,
            high=table.number - 1,
        )


async def rewind(
    tables: TableStore, table_id: str, visitor: str, seen: Seen | None, target: int
) -> None:
    """Go back to an earlier position without asking the others."""
    async with tables.changing(table_id) as change:
        check_moderator(change, visitor)
        change.require(RUNNING)
        if seen is not None:
            change.require_current(seen)
        if change.table.given >= change.table.number:
            raise Conflict(N_("There is no move to undo."))
        check_target(change.table, target)
        seats = await change.rewind(target)
        by = await correcting(change, visitor)
        await change.note(REWIND, _seat(change.seats, visitor), seats, by=by)


async def choose(
    tables: TableStore, table_id: str, visitor: str, moderation: str, seats: Collection[int]
) -> None:
    """Choose the moderators: no one, all players, or the opener and some seats. A table without moderators gets them
    only while no one else plays there."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY, RUNNING)
        table = change.table
        if visitor != table.creator:
            raise Forbidden(N_("Only the person who opened the table can do that."))
        if moderation not in MODERATION:
            raise Refused(N_("There is no such rule for moderators."))
        strangers = [s for s in change.seats if s.owner is not None and s.owner != visitor]
        if table.moderation == NO_MODERATOR and moderation != NO_MODERATOR and strangers:
            raise Conflict(
                N_("The other players joined a table without a moderator, so it cannot get one.")
            )
        if table.rated and moderation == OPENER_MODERATES:
            raise unfair()
        table.moderation = moderation
        named = {change.seat(number).number for number in seats}
        table.moderators = sorted(named & {seat.number for seat in strangers})


def _seat(seats: Sequence[Seat], visitor: str) -> int | None:
    """The seat of a moderator with only one."""
    own = [seat.number for seat in seats if seat.owner == visitor]
    return own[0] if len(own) == 1 else None


def may_correct(shown: Viewer) -> bool:
    """Whether the visitor may correct the game now."""
    return (
        shown.running()
        and bool(shown.title.corrections)
        and not is_delayed(shown.snapshot, shown.visitor)
        and is_moderator(shown.table, shown.seats, shown.visitor)
    )


class CorrectField(msgspec.Struct, frozen=True):
    """A field of a correction: a choice, or without `choices` a number up to `most`."""

    name: str
    label: str
    choices: list[FieldChoice] | None
    value: str
    most: int


class CorrectPage(msgspec.Struct, frozen=True):
    """correct.html, as a page or a card: something is corrected.

    GET fields: `kind`, and those of the kind, of which each is shown when the ones before it are filled in.
    Once all are, `sentence` says what would be done, and POST sends the same fields with `number` and
    `version`; or `refusal` why that is not possible. `back_to` is the highest number of moves to which a
    moderator can go back, `back_from` the lowest, and without any `back_to` is lower.
    """

    table_url: str
    title_name: str
    action: str
    number: int
    version: int
    kind: str
    kinds: list[FieldChoice]
    fields: list[CorrectField]
    sentence: str
    refusal: str
    error: str
    back_from: int
    back_to: int


def correct_page(shown: Viewer, given: Mapping[str, str], error: str = "") -> CorrectPage:
    """The form of a correction with its values so far."""
    check_moderator(shown.snapshot, shown.visitor)
    if not shown.running() or shown.view is None:
        raise Conflict(N_("Corrections are possible only while the game is running."))
    words, state = shown.voice.words, shown.view.state
    kinds = shown.title.corrections
    kind = next((one for one in kinds if one.name == given.get("kind")), None)
    barred = None if kind is None else shown.title.uncorrectable(state, kind.name)
    fields, chosen = ([], {}) if kind is None or barred else _fields(shown, kind, given)
    sentence = refusal = ""
    if barred is not None:
        refusal = barred.text(words)
    elif kind is not None and len(chosen) == len(kind.fields):
        sentence = shown.voice.correction(type(kind), chosen)
        problem = kind.problem(state, tuple(chosen.values()))
        refusal = "" if problem is None else problem.text(words)
    url = f"/t/{shown.table.id}"
    return CorrectPage(
        table_url=url,
        title_name=shown.title.name,
        action=f"{url}/correct",
        number=shown.number,
        version=shown.table.version,
        kind="" if kind is None else kind.name,
        kinds=[
            FieldChoice("", words._("Choose …"), kind is None),
            *(FieldChoice(one.name, words._(one.label), one is kind) for one in kinds),
        ],
        fields=fields,
        sentence=sentence,
        refusal=refusal,
        error=error,
        back_from=shown.table.given,
        back_to=shown.number - 1,
    )


def _fields(
    shown: Viewer, kind: Kind[Any], given: Mapping[str, str]
) -> tuple[list[CorrectField], dict[str, str]]:
    """The fields up to the first empty one, and the values before it."""
    assert shown.view is not None
    state = shown.view.state
    fields: list[CorrectField] = []
    chosen: dict[str, str] = {}
    for field in kind.fields:
        value = given.get(field.name, "")
        label = shown.voice.words._(field.label)
        if field.is_number:
            most = kind.most(state, field.name, chosen)
            value = value if value.isdecimal() and len(value) < 8 else ""
            fields.append(CorrectField(field.name, label, None, value, most))
        else:
            possible = kind.candidates(state, field.name, chosen)
            if value not in possible:
                value = possible[0] if len(possible) == 1 else ""
            choices = [
                FieldChoice(one, shown.voice.spoken(field, one), one == value) for one in possible
            ]
            if not value:
                empty = shown.words._("Choose …") if possible else shown.words._("nothing possible")
                choices.insert(0, FieldChoice("", empty, True))
            fields.append(CorrectField(field.name, label, choices, value, 0))
        if not value:
            break
        chosen[field.name] = value
    return fields, chosen


def set_up(shown: Viewer) -> list[str]:
    """The corrections that set up the game, in words."""
    table, title, words = shown.table, shown.title, shown.words
    if table.status != LOBBY or not table.set_up:
        return []
    names = [
        seat.name or words._("Player {number}", number=seat.number + 1) for seat in shown.seats
    ]
    voice = title.voice(Words(words.language, names))
    lines = []
    for made in table.set_up:
        action = title.action_from_json(made)
        if not isinstance(action, Correct):
            continue
        kind = kind_of(title.corrections, action.kind)
        if kind is not None:
            fields = [field.name for field in kind.fields]
            values = dict(zip(fields, action.values, strict=True))
            lines.append(voice.correction(type(kind), values))
    return lines


class Moderator(msgspec.Struct, frozen=True):
    """A seat whose player may be a moderator, and whether they are."""

    number: int
    name: str
    named: bool


class Moderation(msgspec.Struct, frozen=True):
    """The moderation policy: a sentence for all players, and for the opener a form (`choices` of the field
    `moderation`, `people` for the field `seat`)."""

    sentence: str
    correct_url: str
    choices: list[FieldChoice]
    people: list[Moderator]


def moderation(shown: Viewer) -> Moderation | None:
    """Describe the moderation of the table; None where it does not matter."""
    table, words = shown.table, shown.words
    if not shown.title.corrections or table.status not in (LOBBY, RUNNING):
        return None
    opener = table.creator == shown.visitor
    strangers = any(s.owner is not None and s.owner != table.creator for s in shown.seats)
    fixed = table.moderation == NO_MODERATOR and strangers
    people = [
        Moderator(seat.number, seat.name, seat.number in table.moderators)
        for seat in shown.seats
        if seat.owner is not None and seat.owner != table.creator
    ]
    return Moderation(
        sentence=_sentence(shown, [one.name for one in people if one.named]),
        correct_url=f"/t/{table.id}/correct" if may_correct(shown) and shown.at is None else "",
        choices=[
            FieldChoice(value, words._(label), value == table.moderation)
            for value, label in MODERATION.items()
            if not (table.rated and value == OPENER_MODERATES)
        ]
        if opener and not fixed
        else [],
        # No one moderates a rated table as its opener.
        people=[] if table.rated else people,
    )


def _sentence(shown: Viewer, named: list[str]) -> str:
    table, words = shown.table, shown.words
    if table.moderation == NO_MODERATOR:
        return words._("The game cannot be corrected at this table.")
    if table.moderation == ALL_MODERATE:
        return words._("All players can correct the game; the log shows every correction.")
    own = [seat.name for seat in shown.seats if seat.owner == table.creator]
    people = [*own, *named] if own else [words._("the opener of the table"), *named]
    return words.ngettext(
        "{names} can correct the game; the log shows every correction.",
        "{names} can correct the game; the log shows every correction.",
        len(people),
        names=words.join(people),
    )

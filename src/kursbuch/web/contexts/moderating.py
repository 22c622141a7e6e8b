"""Corrections by a moderator, and who is one."""

from __future__ import annotations

import msgspec

from kursbuch.web.contexts.common import FieldChoice


class CorrectField(msgspec.Struct, frozen=True):
    """A field of a correction: a choice, or without `choices` a number up to `most`."""

    name: str
    label: str
    choices: list[FieldChoice] | None
    value: str
    most: int


class CorrectPage(msgspec.Struct, frozen=True):
    """correct.html, correct_card.html: something is corrected.

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


class Moderator(msgspec.Struct, frozen=True):
    """A seat whose player may be named as a moderator, and whether that is so."""

    number: int
    name: str
    named: bool


class Moderation(msgspec.Struct, frozen=True):
    """Who may correct something at a table: a sentence for everybody, and for whoever opened it a form
    (`choices` of the field `moderation`, `people` for the field `seat`)."""

    sentence: str
    correct_url: str
    choices: list[FieldChoice]
    people: list[Moderator]

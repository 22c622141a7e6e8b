"""A record is opened."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

import kursbuch
from kursbuch.bots import strengths
from kursbuch.core.importing import importers
from kursbuch.core.words import N_, Words
from kursbuch.web import contexts
from kursbuch.web.deeds.copies import MYSELF
from kursbuch.web.deeds.opening import OPEN, Read
from kursbuch.web.present.start import new_table_page

PLAYERS = {MYSELF: N_("I"), OPEN: N_("somebody who sits down later")}


def open_page(
    words: Words, error: str = "", text: str = "", record: contexts.RecordInfo | None = None
) -> contexts.OpenPage:
    """The page where a record is opened; `text` is one that was refused."""
    endings = ",".join([*sorted(importers()), ".txt", "text/plain"])
    return contexts.OpenPage(error, text, endings, record)


def record_info(
    words: Words, read: Read, data: bytes | None, given: Mapping[str, str], error: str = ""
) -> contexts.RecordInfo:
    """A record that was read, with the component data that came with it; `given` are the fields of a form that was
    refused with an `error`."""
    game, _ = read.game, words._
    title = game.title
    facts = [contexts.Fact(_("Moves"), str(len(game.moves)))]
    for option in title.options:
        value = game.options[option.name]
        if value != option.values[0]:
            label = option.labels[option.values.index(value)]
            facts.append(contexts.Fact(_(option.label), _(label)))
    if read.data is not None:
        facts.append(contexts.Fact(_("Component data"), _("changed by the players")))
    bots = [(spec, _(label)) for spec, label in strengths(title)]
    players = [*((key, _(label)) for key, label in PLAYERS.items()), *bots]

    def seat(number: int, name: str) -> contexts.CopySeat:
        chosen = given.get(f"seat{number}", MYSELF)
        choices = [contexts.FieldChoice(value, label, value == chosen) for value, label in players]
        return contexts.CopySeat(number, name, choices)

    return contexts.RecordInfo(
        text=game.record(),
        data=(data or b"").decode(errors="replace"),
        title_name=title.name,
        facts=facts,
        remarks=[remark.text(words) for remark in read.remarks],
        moves=len(game.moves),
        over=game.over,
        seats=[seat(number, name) for number, name in enumerate(game.names)],
        number=given.get("number", str(len(game.moves))),
        private=given.get("kind", "copy") == "copy",
        chosen=msgspec.structs.replace(
            new_table_page(words, kursbuch.title(title.id), dict(given), error),
            listed="listed" in given,
        ),
    )

"""A record is opened."""

from __future__ import annotations

from kursbuch.bots import strengths
from kursbuch.core.importing import importers
from kursbuch.core.words import N_, Words
from kursbuch.web import contexts
from kursbuch.web.deeds.copies import MYSELF
from kursbuch.web.deeds.opening import OPEN, Read
from kursbuch.web.policies import UNDO_POLICIES

PLAYERS = {MYSELF: N_("I"), OPEN: N_("somebody who sits down later")}


def open_page(
    words: Words, read: Read | None = None, error: str = "", text: str = ""
) -> contexts.OpenPage:
    """The page where a record is opened; `text` is one that was refused."""
    endings = ",".join([*sorted(importers()), ".txt", "text/plain"])
    return contexts.OpenPage(error, text, endings, read and record_info(words, read))


def record_info(words: Words, read: Read) -> contexts.RecordInfo:
    """A record that was read."""
    game, _ = read.game, words._
    title = game.title
    facts = [contexts.Fact(_("Moves"), str(len(game.moves)))]
    for option in title.options:
        value = game.options[option.name]
        if value != option.values[0]:
            label = option.labels[option.values.index(value)]
            facts.append(contexts.Fact(_(option.label), _(label)))
    bots = [(spec, _(label)) for spec, label in strengths(title)]
    players = [*((key, _(label)) for key, label in PLAYERS.items()), *bots]
    return contexts.RecordInfo(
        text=game.record(),
        title_name=title.name,
        facts=facts,
        remarks=[remark.text(words) for remark in read.remarks],
        moves=len(game.moves),
        over=game.over,
        seats=[
            contexts.CopySeat(
                number,
                name,
                [contexts.FieldChoice(value, label, value == MYSELF) for value, label in players],
            )
            for number, name in enumerate(game.names)
        ],
        undo=[
            contexts.FieldChoice(policy, _(label), policy == "ask")
            for policy, label in UNDO_POLICIES.items()
        ],
    )

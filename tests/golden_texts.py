"""What every title says about its two recorded games, as text that can be compared line by line.

`python -m tests.golden_texts` writes the files in `tests/golden` again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import kursbuch
from kursbuch.core.corrections import Correct
from kursbuch.core.game import Game
from kursbuch.core.title import Title
from kursbuch.core.words import LANGUAGES, Words

FOLDER = Path(__file__).parent / "golden"

#: Sentences of one kind that differ in more than names and numbers: this many are kept.
MOST_ALIKE = 4


def file_of(title: Title[Any], language: str) -> Path:
    """The file that holds what a title says in a language."""
    return FOLDER / f"{title.id}.{language}.txt"


@cache
def games(title: Title[Any]) -> tuple[Game, ...]:
    """The guided game and the specimen."""
    guide = (resources.files(title.package) / "guide.txt").read_text("utf-8")
    return tuple(kursbuch.load(record) for record in (guide, title.specimen))


def told(title: Title[Any], language: str) -> Iterator[tuple[str, str]]:
    """Every sentence with what it is about: an event, an action, a kind of correction."""
    for game in games(title):
        voice = title.voice(Words(language, game.names))
        for event in game.opening:
            yield f"event {event.__struct_config__.tag}", voice.describe(event)
        for number, move in enumerate(game.moves):
            state = game.at(number).state
            action = move.action
            if not isinstance(action, Correct):
                about = f"action {action.__struct_config__.tag}"
                pick = voice.pick(state, action)
                yield about, f"{title.format(action)} | {' > '.join(pick.keys)}"
                yield about, f"{pick.group} | {pick.label}"
            for event in move.events:
                yield f"event {event.__struct_config__.tag}", voice.describe(event)
    for kind in title.corrections:
        sentence = voice.correction(type(kind), {})
        yield f"correction {kind.name}", f"{kind.shape()} | {sentence}"


def text(title: Title[Any], language: str) -> str:
    """The first sentences of each kind, sorted by what they are about."""
    kept: dict[str, dict[str, str]] = {}
    names = {re.escape(name) for game in games(title) for name in game.names}
    detail = re.compile(rf"{'|'.join(names)}|\d[\d.,]*")
    for about, sentence in told(title, language):
        alike = kept.setdefault(about, {})
        shape = detail.sub("#", sentence)
        if shape not in alike and len(alike) < MOST_ALIKE:
            alike[shape] = sentence
    lines = [f"{about}: {line}" for about in sorted(kept) for line in kept[about].values()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for one in kursbuch.titles().values():
        for tongue in LANGUAGES:
            file_of(one, tongue).write_text(text(one, tongue), encoding="utf-8")

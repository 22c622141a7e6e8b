"""What stands on many pages, or on the same page again and again, filled in once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from kursbuch.web.contexts import LogLine
from kursbuch.web.games import REST
from kursbuch.web.recent import Recent

#: Lines are on some hundred pages that are looked at; each takes about a kilobyte.
MOST_LINES = 30_000

#: Parts of as many pages, in characters.
MOST = 30_000_000


class Parts:
    """For templates: `part(name, ...)` is another template filled in with what is given and with the language. It
    knows nothing else, so it is the same for all who are shown the same, and with most moves most parts of a page stay
    as they are."""

    def __init__(self, templates: Environment) -> None:
        self._templates = templates
        self._kept = Recent[tuple[str, str, bytes], Markup](MOST, _weight, REST)

    @pass_context
    def __call__(self, context: Context, name: str, **given: Any) -> Markup:
        key = (name, context["language"], msgspec.msgpack.encode(given))
        return self._kept.get(key) or self._kept.put(key, self._filled(context, name, given))

    def _filled(self, context: Context, name: str, given: dict[str, Any]) -> Markup:
        words = {known: context[known] for known in ("_", "ngettext", "language")}
        return Markup(self._templates.get_template(name).render(words, **given))


def _weight(part: Markup) -> float:
    # What it is found by is about as long.
    return 2 * len(part)


class Lines:
    """For templates: `lines(log, earlier, at, language, _)` are the lines of a log, the newest first; `earlier` is how
    many there are before, `at` the number of moves after which the table is shown, None for now. A move adds a few
    lines, and all others look as before, to all readers who may see them. What is kept depends on nothing but what it
    is found by: its template knows nothing else."""

    def __init__(self, templates: Environment) -> None:
        self._templates = templates
        self._kept = Recent[tuple[object, ...], str](MOST_LINES, rest=REST)

    def __call__(
        self,
        log: Sequence[LogLine],
        earlier: int,
        at: int | None,
        language: str,
        translate: Callable[..., str],
    ) -> Markup:
        shown = []
        for place in range(len(log), 0, -1):
            line = log[place - 1]
            key = (line, place + earlier, _mark(line.number, at), language)
            shown.append(self._kept.get(key) or self._kept.put(key, self._filled(*key, translate)))
        return Markup("\n".join(shown))

    def _filled(
        self,
        line: LogLine,
        place: int,
        mark: str,
        language: str,
        translate: Callable[..., str],
    ) -> str:
        template = self._templates.get_template("parts/entry.html")
        return template.render(line=line, place=place, mark=mark, _=translate)


def _mark(number: int, at: int | None) -> str:
    """Whether a line is of the move that is looked at, or of a later one."""
    if at is None or number < at:
        return ""
    return "seen" if number == at else "later"

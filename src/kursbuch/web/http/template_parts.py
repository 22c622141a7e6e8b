"""Template parts that are rendered once and cached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from kursbuch.web.cache import LruCache
from kursbuch.web.tables.games import REST
from kursbuch.web.tables.viewer import LogLine

#: Number of lines cached together.
BLOCK = 10

#: Estimated size of a rendered line, in bytes.
LINE = 1000


class PartCache:
    """The template function `part(name, ...)`: renders another template from its arguments and the
    language only. The result is the same for every reader, and most moves leave most parts
    unchanged. `room` limits the cache, in bytes."""

    def __init__(self, templates: Environment, room: float) -> None:
        self._templates = templates
        self._kept = LruCache[tuple[str, str, bytes], Markup](room, _weight, REST)

    @pass_context
    def __call__(self, context: Context, name: str, **given: Any) -> Markup:
        key = (name, context["language"], msgspec.msgpack.encode(given))
        found = self._kept.get(key)
        return self._kept.put(key, self._filled(context, name, given)) if found is None else found

    def _filled(self, context: Context, name: str, given: dict[str, Any]) -> Markup:
        words = {known: context[known] for known in ("_", "ngettext", "language")}
        return Markup(self._templates.get_template(name).render(words, **given))


def _weight(part: Markup) -> float:
    # The key is about as long as the value.
    return 2 * len(part)


class LogLineCache:
    """The template function `lines(log, earlier, at, language, _)`: renders log lines, newest
    first. `earlier` is the number of lines before them, `at` the move looked at, None for the
    present. Old lines look the same after each move, to all readers. `room` limits the cache, in
    bytes."""

    def __init__(self, templates: Environment, room: float) -> None:
        self._templates = templates
        self._kept = LruCache[tuple[object, ...], str](room / LINE, rest=REST)
        #: Blocks of lines, by the identities of the line objects: comparing lines takes longer.
        self._blocks = LruCache[tuple[object, ...], tuple[Sequence[LogLine], str]](
            room / LINE / BLOCK, rest=REST
        )

    def __call__(
        self,
        log: Sequence[LogLine],
        earlier: int,
        at: int | None,
        language: str,
        translate: Callable[..., str],
    ) -> Markup:
        shown = []
        end = len(log)
        while end:
            begin = max(0, (earlier + end - 1) // BLOCK * BLOCK - earlier)
            lines = log[begin:end]
            shown.append(self._block(lines, begin + earlier, at, language, translate))
            end = begin
        return Markup("\n".join(shown))

    def _block(
        self,
        lines: Sequence[LogLine],
        before: int,
        at: int | None,
        language: str,
        translate: Callable[..., str],
    ) -> str:
        """Render lines that follow `before` others."""
        key = (tuple(map(id, lines)), before, at, language)
        found = self._blocks.get(key)
        if found is not None:
            return found[1]
        shown = []
        for place in range(len(lines), 0, -1):
            line = lines[place - 1]
            named = (line, before + place, _mark(line.number, at), language)
            shown.append(
                self._kept.get(named) or self._kept.put(named, self._filled(*named, translate))
            )
        html = "\n".join(shown)
        if len(lines) == BLOCK:
            # Keeps the lines alive, so that no others get their identities.
            self._blocks.put(key, (lines, html))
        return html

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
    """Return whether a line belongs to the move looked at, or to a later one."""
    if at is None or number < at:
        return ""
    return "seen" if number == at else "later"

"""The lines of logs as they stand on pages, each filled in once."""

from __future__ import annotations

from collections.abc import Callable

from jinja2 import Environment
from markupsafe import Markup

from kursbuch.web.contexts import LogLine
from kursbuch.web.games import REST
from kursbuch.web.recent import Recent

#: Lines are on some hundred pages that are looked at; each takes about a kilobyte.
MOST = 30_000


class Entries:
    """For templates: `entry(line, place, mark, language, _)` is the line number `place` of a log. A move adds
    a few lines to a log, and all others look as before, to all readers who may see them. What is kept depends on
    nothing but what it is found by: its template knows nothing else."""

    def __init__(self, templates: Environment) -> None:
        self._templates = templates
        self._kept = Recent[tuple[object, ...], Markup](MOST, rest=REST)

    def __call__(
        self, line: LogLine, place: int, mark: str, language: str, translate: Callable[..., str]
    ) -> Markup:
        key = (line, place, mark, language)
        return self._kept.get(key) or self._kept.put(
            key, self._filled(line, place, mark, translate)
        )

    def _filled(
        self, line: LogLine, place: int, mark: str, translate: Callable[..., str]
    ) -> Markup:
        template = self._templates.get_template("parts/entry.html")
        return Markup(template.render(line=line, place=place, mark=mark, _=translate))

"""Template rendering: pages, cards and style sheets."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.bccache import Bucket
from jinja2.runtime import Context
from litestar import MediaType
from litestar.response import Template
from litestar.status_codes import HTTP_200_OK
from markupsafe import Markup

import kursbuch
from kursbuch.core.title import Title
from kursbuch.core.words import LANGUAGES, N_, Words
from kursbuch.web.admin.bulletins import CLOSED_COOKIE, visible_bulletins
from kursbuch.web.cache import LruCache
from kursbuch.web.db.models import now
from kursbuch.web.http import preferences
from kursbuch.web.http.errors import NotFound
from kursbuch.web.http.requests import AnyRequest, safe_path, wants_part, who
from kursbuch.web.http.security import cookie_of, make_cookie
from kursbuch.web.labels import rule_name
from kursbuch.web.live.patches import Section
from kursbuch.web.notifications.outbox import MAIL
from kursbuch.web.tables.games import REST
from kursbuch.web.tables.viewer import LogLine

#: The folder of this package.
WEB = Path(__file__).parent.parent


class Assets:
    """Files of the browser bundle. Their URLs contain a content hash, so browsers may cache them
    for ever."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamp = lru_cache(self._read)

    def _read(self, name: str, changed: int) -> str:
        return hashlib.sha256((self._folder / name).read_bytes()).hexdigest()[:12]

    def url(self, name: str) -> str:
        """Return the URL of a file."""
        try:
            stamp = self._stamp(name, (self._folder / name).stat().st_mtime_ns)
        except OSError:
            return f"/static/dist/{name}"
        return f"/static/dist/{name}?v={stamp}"


class _CompiledTemplates(BytecodeCache):
    """Every template is compiled once, however many applications a process has."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._known.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._known[bucket.key, bucket.checksum] = bucket.code


_COMPILED = _CompiledTemplates()


def make_environment() -> Environment:
    """Return the environment of all templates: each feature has a folder of its own."""
    templates = Environment(
        loader=FileSystemLoader([WEB / "templates", *sorted(WEB.glob("*/templates"))]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Templates do not change while a server runs, and checking costs time.
        auto_reload=False,
        bytecode_cache=_COMPILED,
    )
    # The choices of a move can be long; the default encoder takes five times as long.
    templates.policies["json.dumps_function"] = _json
    templates.filters["rule_name"] = rule_name
    return templates


def _json(value: object, **options: Any) -> str:
    return msgspec.json.encode(value).decode()


def page(
    request: AnyRequest,
    name: str,
    struct: Any,
    words: Words,
    status: int = HTTP_200_OK,
) -> Template:
    """Render a template."""
    context = context_of(request, struct, words)
    cookies = []
    # Some browsers soon forget cookies set by scripts, so the server sets it again. Only when a
    # page is opened: at a live update the choice may be newer.
    person = who(request).account
    kept = person is not None and person.settings is not None
    if (context["chosen"] or kept) and request.headers.get("sec-fetch-dest") == "document":
        written = preferences.write(context["chosen"])
        cookies.append(make_cookie(request, preferences.COOKIE, written, http_only=False))
    return Template(
        name, context=context, status_code=status, cookies=cookies, media_type=MediaType.HTML
    )


def chosen_by(request: AnyRequest) -> dict[str, str]:
    """Return the preferences of the visitor: those of the account, else of the browser."""
    person = who(request).account
    kept = person.settings if person is not None else None
    return preferences.read(cookie_of(request, preferences.COOKIE) if kept is None else kept)


def context_of(request: AnyRequest, struct: Any, words: Words) -> dict[str, Any]:
    """Return the context of a page, with what every page shows."""
    visitor = who(request)
    chosen = chosen_by(request)
    notice = ""
    if visitor.forged:
        notice = words._("This browser's cookie was not valid, so you are a new visitor.")
    return {
        **context_of_part(request, struct, words),
        "languages": LANGUAGES,
        "settings": preferences.form(chosen, words),
        "chosen": chosen,
        "notice": notice,
        "accounts": request.app.state.accounts != "off",
        "bulletins": visible_bulletins(
            request.app.state.standing.bulletins, cookie_of(request, CLOSED_COOKIE), now()
        ),
        "path": safe_path(_path(request)),
        "asset": request.app.state.assets.url,
        "drawing_style": drawing_style_url,
    }


def context_of_part(request: AnyRequest, struct: Any, words: Words) -> dict[str, Any]:
    """Return the context of a fragment."""
    person = who(request).account
    return {
        "page": struct,
        "layout": "popup.html" if wants_part(request) else "base.html",
        "_": words._,
        "ngettext": words.ngettext,
        "language": words.language,
        "me": person.name if person is not None else "",
        "invites_by_mail": MAIL in request.app.state.notifications.outbox.channels,
    }


def _path(request: AnyRequest) -> str:
    """Return the path of the visitor's page: for a submitted form, the page with the form."""
    url = urlsplit(str(request.url))
    if request.method not in ("GET", "HEAD"):
        form = urlsplit(request.headers.get("referer", ""))
        if form.netloc != url.netloc:
            return "/"
        url = form
    return url.path + (f"?{url.query}" if url.query else "")


def find_title(name: str) -> Title[Any]:
    """Return the title with this id."""
    title = kursbuch.titles().get(name)
    if title is None:
        raise NotFound(N_("There is no title {name}."), name=name[:40])
    return title


@cache
def drawing_style_url(title: str) -> str:
    """Return the URL of a title's style sheet, with a content hash."""
    stamp = hashlib.sha256(style_sheet(find_title(title)).encode()).hexdigest()[:12]
    return f"/titles/{title}/drawing.css?v={stamp}"


def style_sheet(title: Title[Any]) -> str:
    """Return the style sheet of a title's drawing, with the colours of its pieces."""
    rules = (
        f'.piece-of[data-key="{_in_css(key)}"]{{--fill:{fill};--letters:{letters}}}'
        for key, (fill, letters) in title.colours.items()
    )
    return "\n".join((title.style, *rules))


def _in_css(text: str) -> str:
    """Escape text for a string in a style sheet."""
    return re.sub(r"[^A-Za-z0-9:_ -]", lambda sign: f"\\{ord(sign[0]):x} ", text)


#: Templates whose macros are sections.
SECTIONS = ("frame", "holdings", "console", "result", "about", "lobby")

_FACTS = msgspec.msgpack.Encoder(enc_hook=str)

#: Number of lines cached together.
BLOCK = 10

#: Estimated size of a rendered line, in bytes.
LINE = 1000


class SectionCache:
    """Sections of table pages, each rendered once for equal facts, which is what most moves leave them. `room` limits
    the memory of sections and of log lines, in bytes each."""

    def __init__(self, templates: Environment, room: float) -> None:
        self._templates = templates
        self._known: dict[str, dict[str, Any]] = {}
        self._sections = LruCache[tuple[str, str, bytes], Section](room, _weight, REST)
        self._lines = LruCache[tuple[object, ...], Markup](room / LINE, rest=REST)
        #: Blocks of lines, by the identities of the line objects: comparing lines takes longer.
        self._blocks = LruCache[tuple[object, ...], tuple[Sequence[LogLine], Section]](
            room / LINE / BLOCK, rest=REST
        )

    def _macros(self, language: str) -> dict[str, Any]:
        if language not in self._known:
            words = Words(language)
            spoken = {"_": words._, "ngettext": words.ngettext, "language": words.language}
            found = self._known[language] = {}
            for name in SECTIONS:
                template = self._templates.get_template(f"sections/{name}.html")
                found.update(vars(template.make_module(spoken)))
        return self._known[language]

    def section(self, language: str, macro: str, facts: Mapping[str, Any]) -> Section:
        """A section: a macro with its arguments."""
        key = (macro, language, _FACTS.encode(facts))
        found = self._sections.get(key)
        if found is None:
            html = self._macros(language)[macro](**facts)
            found = self._sections.put(key, Section(html.strip("\n")))
        return found

    @pass_context
    def part(self, context: Context, macro: str, **facts: Any) -> Markup:
        """The template function `part(macro, ...)`: a section within another one."""
        return Markup(self.section(context["language"], macro, facts).html)

    def log(
        self, language: str, log: Sequence[LogLine], earlier: int, at: int | None
    ) -> list[tuple[int, Section]]:
        """Blocks of log lines, newest first, each with the number of lines before it, which its lines keep. `earlier`
        is the number of lines before the log, `at` the move looked at, None for the present."""
        shown = []
        end = len(log)
        while end:
            begin = max(0, (earlier + end - 1) // BLOCK * BLOCK - earlier)
            block = self._block(log[begin:end], begin + earlier, at, language)
            shown.append(((begin + earlier) // BLOCK, block))
            end = begin
        return shown

    def _block(
        self, lines: Sequence[LogLine], before: int, at: int | None, language: str
    ) -> Section:
        """Render lines that follow `before` others."""
        key = (tuple(map(id, lines)), before, at, language)
        found = self._blocks.get(key)
        if found is not None:
            return found[1]
        shown = []
        for place in range(len(lines), 0, -1):
            line = lines[place - 1]
            named = (line, before + place, _mark(line.number, at))
            kept = self._lines.get((*named, language))
            if kept is None:
                entry = self._macros(language)["entry"]
                kept = self._lines.put((*named, language), entry(*named).strip("\n"))
            shown.append(kept)
        # Keeps the lines alive, so that no others get their identities.
        return self._blocks.put(key, (lines, Section("\n".join(shown))))[1]


def _weight(section: Section) -> float:
    # The key is about as long as the value.
    return 2 * section.weight


def _mark(number: int, at: int | None) -> str:
    """Return whether a line belongs to the move looked at, or to a later one."""
    if at is None or number < at:
        return ""
    return "seen" if number == at else "later"

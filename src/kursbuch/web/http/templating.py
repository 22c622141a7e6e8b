"""Template rendering: pages, cards and style sheets."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from litestar import MediaType
from litestar.response import Template
from litestar.status_codes import HTTP_200_OK

import kursbuch
from kursbuch.core.title import Title
from kursbuch.core.words import LANGUAGES, N_, Words
from kursbuch.web.admin.bulletins import CLOSED_COOKIE, visible_bulletins
from kursbuch.web.db.models import now
from kursbuch.web.http import preferences
from kursbuch.web.http.errors import NotFound
from kursbuch.web.http.requests import AnyRequest, safe_path, wants_part, who
from kursbuch.web.http.security import cookie_of, make_cookie
from kursbuch.web.notifications.outbox import MAIL


def card_or_page(request: AnyRequest, name: str) -> str:
    """Return the template of a page, or of its card for a popup."""
    return f"{name}_card.html" if wants_part(request) else f"{name}.html"


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


def context_of(request: AnyRequest, struct: Any, words: Words) -> dict[str, Any]:
    """Return the context of a page, with what every page shows."""
    visitor = who(request)
    person = visitor.account
    kept = person.settings if person is not None else None
    chosen = preferences.read(cookie_of(request, preferences.COOKIE) if kept is None else kept)
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

"""The page on which readers choose colours of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Template

import kursbuch
from kursbuch.core.words import N_, Words
from kursbuch.web.accounts.service import keep_settings
from kursbuch.web.http import own_colours, preferences
from kursbuch.web.http.errors import Refused
from kursbuch.web.http.operations import done
from kursbuch.web.http.requests import AnyRequest, read, safe_path, tables_of, who, words_for
from kursbuch.web.http.security import make_cookie
from kursbuch.web.http.templating import chosen_by, page


class ColourField(msgspec.Struct, frozen=True):
    """A colour to choose: its name, its label, and its value as "#rrggbb"; `seat` is that of a player."""

    name: str
    label: str
    value: str
    seat: int | None = None


class ColoursPage(msgspec.Struct, frozen=True):
    """colours.html: the colours by heading. Forms for POST /colours: a field for each, `next`; `reset` for the usual
    ones."""

    groups: dict[str, list[ColourField]]
    next: str


def usual() -> Iterator[tuple[str, str, str]]:
    """Title, name and usual colour of everything that can have an own colour; what titles share comes once."""
    known = set[str]()
    for title in kursbuch.titles().values():
        for name, colour in title.own_colours.items():
            if name not in known:
                known.add(name)
                yield title.name, name, colour.removeprefix("#")


def colours_page(words: Words, own: str, back: str) -> ColoursPage:
    """Describe the colours that a reader has chosen, and the usual ones of all others."""
    chosen = own_colours.read(own)
    groups: dict[str, list[ColourField]] = {}
    for title, name, colour in usual():
        kind, _, key = name.partition("-")
        value = f"#{chosen.get(name, colour)}"
        match kind:
            case "seat":
                number = int(key)
                label = words._("Player {number}", number=number + 1)
                field = ColourField(name, label, value, number)
                groups.setdefault(words._("Players"), []).append(field)
            case "run":
                label = words._("Route {number}", number=int(key) + 1)
                groups.setdefault(words._("Routes"), []).append(ColourField(name, label, value))
            case _:
                groups.setdefault(title, []).append(ColourField(name, key, value))
    return ColoursPage(groups, back)


@get("/colours", include_in_schema=False)
async def show_colours(request: AnyRequest) -> Template:
    """Show the colours to choose."""
    words, back = words_for(request), safe_path(request.query_params.get("next"))
    struct = colours_page(words, chosen_by(request).get(preferences.OWN, ""), back)
    return page(request, "colours.html", struct, words)


@post("/colours", include_in_schema=False)
async def choose_colours(request: AnyRequest) -> Response[Any]:
    """Use own colours, or the usual ones again."""
    sent, chosen = await read(request), dict(chosen_by(request))
    chosen.pop(preferences.OWN, None)
    wanted = {
        name: value
        for _, name, colour in usual()
        if (value := sent.text(name).removeprefix("#").lower()) != colour and value
    }
    own = own_colours.sound(own_colours.write(wanted))
    if sent.flag("reset") or not own:
        chosen.pop("players", None)
    else:
        chosen |= {"players": "own", preferences.OWN: own}
    kept = preferences.write(chosen)
    if len(kept) > preferences.LONGEST:
        raise Refused(N_("These are too many own colours."))
    person = who(request).account
    if person is not None:
        await keep_settings(tables_of(request), person.id, kept)
    answer = done(request, safe_path(sent.fields.get("next")))
    answer.set_cookie(make_cookie(request, preferences.COOKIE, kept, http_only=False))
    return answer


@get("/colours/{own:str}", include_in_schema=False)
async def colours_style(own: FromPath[str]) -> Response[str]:
    """The style sheet of own colours."""
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(own_colours.style(own), headers=headers, media_type="text/css")

"""Routes of the best-trains page."""

from __future__ import annotations

import asyncio
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from kursbuch.core.errors import KursbuchError
from kursbuch.core.planner import Earned, Plan, Planner, write_plan
from kursbuch.core.title import Title
from kursbuch.core.words import N_, Words
from kursbuch.web.ai import jobs as bot_jobs
from kursbuch.web.ai.scheduler import AiScheduler
from kursbuch.web.best_trains.views import PageState, RoutesPage, change, read_query, routes_page
from kursbuch.web.cache import LruCache
from kursbuch.web.http.errors import Forbidden, NotFound, Refused, Unavailable
from kursbuch.web.http.rate_limits import COSTLY
from kursbuch.web.http.requests import (
    AnyRequest,
    base_url,
    read,
    reader_of,
    wants_part,
    words_for,
)
from kursbuch.web.http.templating import find_title, page
from kursbuch.web.tables.viewer import viewer
from kursbuch.web.uploads import parsers

#: Maximum time to wait for a result, including other visitors' requests, in seconds.
PATIENCE = 20.0

#: Maximum size of a position file, in bytes.
MOST_FILE = 100_000


class Results:
    """A cache of best runs."""

    def __init__(self, most: int = 500) -> None:
        self._kept = LruCache[tuple[object, ...], Earned](most)

    async def best(self, thinkers: AiScheduler, plan: Plan) -> dict[str, Earned]:
        """Return the best runs of every company that has trains."""
        keys = {
            company: (
                *(plan.title, plan.phase, plan.tiles, plan.stations, company, trains),
                plan.duties.get(company, ()),
            )
            for company, trains in plan.trains.items()
        }
        known = {company: self._kept.get(key) for company, key in keys.items()}
        found = {company: earned for company, earned in known.items() if earned is not None}
        missing = tuple(company for company in keys if company not in found)
        if missing:
            try:
                async with thinkers.asking(), asyncio.timeout(PATIENCE):
                    fresh = await thinkers.think(
                        bot_jobs.best_trains, bot_jobs.PlanJob(plan, missing)
                    )
            except TimeoutError:
                raise Unavailable(
                    N_("Finding the best runs takes too long. Try fewer trains.")
                ) from None
            except BrokenProcessPool as error:
                raise Unavailable(N_("The best runs cannot be computed at the moment.")) from error
            for earned in fresh:
                found[earned.company] = self._kept.put(keys[earned.company], earned)
        return found


RESULTS = Results()


async def _page(
    request: AnyRequest, title: Title[Any], shown: PageState, words: Words, error: str = ""
) -> RoutesPage:
    """Return the page, with the best runs if they are found in time."""
    found: dict[str, Earned] = {}
    try:
        found = await RESULTS.best(request.app.state.thinkers, shown.plan)
    except KursbuchError as problem:
        error = error or problem.text(words)
    planner = planner_of(title)
    return routes_page(title, planner, shown, found, words, base_url(request), error)


def planner_of(title: Title[Any]) -> Planner[Any]:
    """Return the planner of a title."""
    if title.planner is None:
        raise NotFound(N_("{title} has no trains that run on track."), title=title.name)
    return title.planner


@get("/routes/{title:str}", include_in_schema=False, opt={"cost": COSTLY})
async def routes(request: AnyRequest, title: FromPath[str]) -> Response[Any] | Template:
    """Show the page, or the part of it that changes."""
    found = find_title(title)
    planner = planner_of(found)
    words = words_for(request)
    fragment = wants_part(request)
    fields = dict(request.query_params)
    if "table" in fields:
        return Redirect(
            (await _of_table(request, found, fields)).url(), status_code=HTTP_303_SEE_OTHER
        )
    shown = PageState(planner.empty(), planner.companies[0].id)
    error, status = "", HTTP_200_OK
    try:
        shown = read_query(found, planner, fields)
        if "do" in fields:
            shown = change(planner, shown, fields["do"])
            if not fragment:
                return Redirect(shown.url(), status_code=HTTP_303_SEE_OTHER)
    except KursbuchError as problem:
        if fragment:
            raise
        error, status = problem.text(words), getattr(problem, "status", 422)
    struct = await _page(request, found, shown, words, error)
    name = "parts/routes.html" if fragment else "routes.html"
    return page(request, name, struct, words, status)


async def _of_table(request: AnyRequest, title: Title[Any], fields: dict[str, str]) -> PageState:
    """Return the position of a table."""
    shown = await viewer(request, fields["table"][:60])
    table = shown.table
    if table.title != title.id or shown.game is None:
        raise Refused(N_("This table is not playing {title}."), title=title.name)
    if not table.help:
        raise Forbidden(N_("This table does not allow help."))
    if table.data_hash is not None:
        raise Refused(N_("This table uses its own component data, which this page does not have."))
    move = fields.get("move", "")
    last = len(shown.game.moves)
    view = shown.view_at(int(move) if move.isdecimal() and len(move) < 9 else last)
    planner = planner_of(title)
    plan = planner.of_state(view.state)
    return PageState(plan, next(iter(plan.trains), planner.companies[0].id))


@get("/routes/{title:str}/position.toml", include_in_schema=False)
async def export(request: AnyRequest, title: FromPath[str]) -> Response[str]:
    """Return the position as a file."""
    found = find_title(title)
    shown = read_query(found, planner_of(found), dict(request.query_params))
    headers = {"content-disposition": f'attachment; filename="{found.id}-position.toml"'}
    return Response(
        write_plan(shown.plan), headers=headers, media_type="application/toml; charset=utf-8"
    )


@post(
    "/routes/{title:str}/import", include_in_schema=False, request_max_body_size=MOST_FILE + 10_000
)
async def import_file(request: AnyRequest, title: FromPath[str]) -> Response[Any] | Template:
    """Show the position of a file."""
    found = find_title(title)
    planner = planner_of(found)
    words = words_for(request)
    upload = (await read(request)).fields.get("file")
    content = await upload.read() if isinstance(upload, UploadFile) else b""
    try:
        if not content:
            raise Refused(N_("Choose a position file first."))
        if len(content) > MOST_FILE:
            raise Refused(
                N_("A position file may have at most {size} bytes."), size=words.number(MOST_FILE)
            )
        plan = await reader_of(request)(parsers.position, found.id, content)
    except KursbuchError as error:
        shown = PageState(planner.empty(), planner.companies[0].id)
        struct = await _page(request, found, shown, words, error.text(words))
        return page(request, "routes.html", struct, words, 422)
    shown = PageState(plan, next(iter(plan.trains), planner.companies[0].id))
    return Redirect(shown.url(), status_code=HTTP_303_SEE_OTHER)

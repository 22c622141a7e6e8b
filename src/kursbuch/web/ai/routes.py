"""Hints: computed in bot processes, cached and shown."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar.params import FromPath
from litestar.response import Template

from kursbuch.bots.advice import Advice
from kursbuch.core.words import N_
from kursbuch.web.ai import jobs as bot_jobs
from kursbuch.web.ai.hints import HintRequest, asked_since, hint_card
from kursbuch.web.ai.levels import adviser
from kursbuch.web.ai.scheduler import AiScheduler
from kursbuch.web.cache import LruCache
from kursbuch.web.http.errors import Forbidden, Refused, Unavailable
from kursbuch.web.http.rate_limits import COSTLY
from kursbuch.web.http.requests import AnyRequest, tables_of
from kursbuch.web.http.templating import page
from kursbuch.web.tables.api import table_operation
from kursbuch.web.tables.viewer import Viewer, viewer

#: Number of attempts while the game keeps changing.
ATTEMPTS = 3

#: Advice given so far: the same question gets the same answer.
ADVICE = LruCache[HintRequest, Advice](200)


async def hint_for(request: AnyRequest, table_id: str) -> tuple[Viewer, Advice]:
    """Return the table as the visitor may see it, and the advice for them. Refuses visitors without
    a decision, and tables without help."""
    shown = await viewer(request, table_id)
    if not shown.table.help:
        raise Forbidden(N_("This table does not allow help."))
    shown.own_view()
    # The game may continue while the computer thinks.
    for _ in range(ATTEMPTS):
        shown = await viewer(request, table_id)
        asked = asked_since(shown)
        advice = ADVICE.get(asked) or await _thought(request, shown, asked)
        shown = await viewer(request, table_id)
        shown.own_view()
        if asked_since(shown) == asked and advice.choices:
            return shown, advice
    raise Refused(N_("The game has moved on, so the advice no longer applies."))


async def _thought(request: AnyRequest, shown: Viewer, asked: HintRequest) -> Advice:
    """Compute the advice. Simultaneous requests for the same position share one answer."""
    thinkers: AiScheduler = request.app.state.thinkers
    data = await tables_of(request).component_data(shown.table)
    view = shown.view_at(asked.number)
    job = bot_jobs.make_job(view, data, adviser(shown.title), asked.seed(shown.table))
    try:
        async with thinkers.asking():
            return ADVICE.put(asked, await thinkers.think(bot_jobs.advise, job))
    except Exception as error:
        raise Unavailable(
            N_("The computer has no advice at the moment. Please try again.")
        ) from error


class ApiOtherChoice(msgspec.Struct, frozen=True):
    """Another choice, and in words how much worse it is."""

    text: str
    difference: str


class ApiHint(msgspec.Struct, frozen=True):
    """The move the computer would make in the position after move `number`. `action` has the form
    of a submitted move, `text` describes it. `reasons` are its certain effects; `why` compares it
    with the next best choice."""

    number: int
    action: dict[str, Any]
    text: str
    reasons: list[str]
    why: str
    others: list[ApiOtherChoice]


async def _hint_page(request: AnyRequest, found: tuple[Viewer, Advice]) -> Template:
    """Show the hint."""
    shown, advice = found
    return page(request, "hint.html", hint_card(shown, advice), shown.words)


async def _hint_data(request: AnyRequest, found: tuple[Viewer, Advice]) -> ApiHint:
    """Return the hint as data."""
    shown, advice = found
    card = hint_card(shown, advice)
    return ApiHint(
        shown.number,
        advice.choices[0][0],
        card.label,
        card.reasons,
        card.why,
        [ApiOtherChoice(line.label, line.difference) for line in card.others],
    )


@table_operation("hint", done=_hint_page, answer=_hint_data, opt={"cost": COSTLY})
async def hint(request: AnyRequest, table_id: FromPath[str]) -> tuple[Viewer, Advice]:
    """Return the move the computer would make, from what the caller may know, and why. It thinks
    for about half a second."""
    return await hint_for(request, table_id)

"""Routes for reviews."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Template

from kursbuch.core.words import N_
from kursbuch.web.http.errors import Forbidden
from kursbuch.web.http.operations import done
from kursbuch.web.http.rate_limits import COSTLY
from kursbuch.web.http.requests import AnyRequest, read
from kursbuch.web.http.templating import page
from kursbuch.web.reviews.service import Reviews
from kursbuch.web.reviews.views import may_stop, review_page
from kursbuch.web.tables.viewer import viewer


@get("/t/{table_id:str}/review", include_in_schema=False)
async def table_review(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """The review, how far it is, or the offer to make one."""
    shown = await viewer(request, table_id, curtain=False)
    reviews: Reviews = request.app.state.reviews
    found = await reviews.find(shown.snapshot)
    return page(request, "review.html", review_page(shown, found), shown.words)


@post("/t/{table_id:str}/review", include_in_schema=False, opt={"cost": COSTLY})
async def begin_review(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Begin to make a review."""
    shown = await viewer(request, table_id, curtain=False)
    sent = await read(request)
    reviews: Reviews = request.app.state.reviews
    await reviews.begin(shown.snapshot, sent.text("depth", "normal"))
    return done(request, f"/t/{table_id}/review")


@post("/t/{table_id:str}/review/stop", include_in_schema=False)
async def stop_review(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Break a review off."""
    shown = await viewer(request, table_id, curtain=False)
    if not may_stop(shown):
        raise Forbidden(N_("Only who plays at this table can break its review off."))
    reviews: Reviews = request.app.state.reviews
    await reviews.give_up(shown.snapshot)
    return done(request, f"/t/{table_id}/review")


HANDLERS = [
    table_review,
    begin_review,
    stop_review,
]

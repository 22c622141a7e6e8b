"""All routes of the application: pages with their forms, and the JSON API."""

from __future__ import annotations

from litestar import Router

from kursbuch.web.accounts import routes as account_routes
from kursbuch.web.admin import routes as admin_routes
from kursbuch.web.ai import routes as ai_routes
from kursbuch.web.best_trains import routes as best_trains_routes
from kursbuch.web.home import routes as home_routes
from kursbuch.web.learn import routes as learn_routes
from kursbuch.web.notifications import routes as notifications_routes
from kursbuch.web.ops import health
from kursbuch.web.reviews import routes as reviews_routes
from kursbuch.web.tables import (
    access_routes,
    chat_routes,
    copy_routes,
    lobby_routes,
    moderation_routes,
    play_routes,
    premove_routes,
    record_routes,
    slow_routes,
    table_routes,
)

#: Pages, fragments and forms.
PAGES = [
    *account_routes.HANDLERS,
    *admin_routes.HANDLERS,
    *ai_routes.HANDLERS,
    *best_trains_routes.HANDLERS,
    *home_routes.HANDLERS,
    *learn_routes.HANDLERS,
    *notifications_routes.HANDLERS,
    *health.HANDLERS,
    *reviews_routes.HANDLERS,
    *access_routes.HANDLERS,
    *chat_routes.HANDLERS,
    *copy_routes.HANDLERS,
    *lobby_routes.HANDLERS,
    *moderation_routes.HANDLERS,
    *play_routes.HANDLERS,
    *premove_routes.HANDLERS,
    *record_routes.HANDLERS,
    *slow_routes.HANDLERS,
    *table_routes.HANDLERS,
]

#: The JSON API, described under /schema.
API = Router(
    "/api",
    route_handlers=[
        *lobby_routes.API_HANDLERS,
        *access_routes.API_HANDLERS,
        *record_routes.API_HANDLERS,
        *table_routes.API_HANDLERS,
        *chat_routes.API_HANDLERS,
        *copy_routes.API_HANDLERS,
        *play_routes.API_HANDLERS,
        *slow_routes.API_HANDLERS,
        *ai_routes.API_HANDLERS,
        *premove_routes.API_HANDLERS,
        *moderation_routes.API_HANDLERS,
        *account_routes.API_HANDLERS,
    ],
    tags=["tables"],
)

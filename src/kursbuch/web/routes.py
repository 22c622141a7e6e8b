"""All routes of the application: pages with their forms, and the JSON API."""

from __future__ import annotations

from litestar import Router

from kursbuch.web.accounts import routes as account_routes
from kursbuch.web.admin import routes as admin_routes
from kursbuch.web.ai import routes as ai_routes
from kursbuch.web.best_trains import routes as best_trains_routes
from kursbuch.web.components import routes as components_routes
from kursbuch.web.home import colours
from kursbuch.web.home import routes as home_routes
from kursbuch.web.http.operations import collect_routes
from kursbuch.web.learn import routes as learn_routes
from kursbuch.web.notifications import routes as notifications_routes
from kursbuch.web.ops import health
from kursbuch.web.reviews import routes as reviews_routes
from kursbuch.web.tables import (
    chat,
    invitations,
    lobby_routes,
    play_routes,
    premove_routes,
    records,
    supply,
    table_routes,
)

MODULES = [
    lobby_routes,
    invitations,
    records,
    table_routes,
    supply,
    chat,
    play_routes,
    ai_routes,
    premove_routes,
    account_routes,
    admin_routes,
    best_trains_routes,
    components_routes,
    home_routes,
    colours,
    learn_routes,
    notifications_routes,
    health,
    reviews_routes,
]

#: Pages with their fragments and forms, and the JSON API, which /schema describes.
PAGES, _api = collect_routes(MODULES)
API = Router("/api", route_handlers=_api, tags=["tables"])

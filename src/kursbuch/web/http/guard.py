"""Checks that every request passes before its handler runs."""

from __future__ import annotations

from typing import Any

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.exceptions import NotFoundException
from litestar.handlers.base import BaseRouteHandler
from litestar.types import Scope

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.http.errors import Misdirected
from kursbuch.web.http.hosts import Hosts
from kursbuch.web.http.rate_limits import CHEAP, DOING, Limiter, address_of
from kursbuch.web.http.security import visitor_of

#: Where, in the state of a request, stands that it was counted, and why it was stopped.
_COUNTED = "counted"
_REFUSAL = "refusal"


async def rate_limit_guard(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler | None = None
) -> None:
    """Refuse what came to a foreign name, and what is too much. Handlers say of what kind they are by the option
    `cost`; others only look, or do something."""
    scope = connection.scope
    scope["state"][_COUNTED] = True
    hosts: Hosts = connection.app.state.hosts
    name = connection.headers.get("host", "")
    if not hosts.allows(name, scope["scheme"] == "https"):
        raise Misdirected(
            N_(
                "This server does not go by the name {name}. Whoever runs it can allow that in the setting "
                "KURSBUCH_HOSTS."
            ),
            name=name[:100],
        )
    limiter: Limiter = connection.app.state.limiter
    usual = CHEAP if scope.get("method") in ("GET", "OPTIONS") else DOING
    visitor = visitor_of(connection)
    await limiter.check(
        handler.opt.get("cost", usual) if handler else usual,
        None if visitor.is_new else visitor.id or None,
        address_of_visitor(connection),
    )


async def stop_stray(error: Exception, scope: Any) -> None:
    """Have a request pass as well for which there is no handler, and so no guard, or no such file. What it is refused
    for is kept for `refusal_of_stray`."""
    if scope["type"] != ScopeType.HTTP or _COUNTED in scope["state"]:
        return
    if "route_handler" in scope and not isinstance(error, NotFoundException):
        return
    try:
        await rate_limit_guard(ASGIConnection(scope))
    except KursbuchError as refusal:
        scope["state"][_REFUSAL] = refusal


def refusal_of_stray(scope: Scope) -> KursbuchError | None:
    """Why a request was stopped."""
    refusal: KursbuchError | None = scope["state"].get(_REFUSAL)
    return refusal


def address_of_visitor(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """Where a request comes from. What a proxy says about that has been believed already if the proxy is trusted."""
    return address_of(connection.client.host if connection.client else None)

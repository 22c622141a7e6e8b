"""What answers tell browsers to allow and to refuse."""

from __future__ import annotations

import re

from litestar.datastructures import MutableScopeHeaders
from litestar.routes import HTTPRoute
from litestar.types import Scope


def _policy(**sources: str) -> str:
    return "; ".join(f"{name.replace('_', '-')} {value}" for name, value in sources.items())


#: Nothing from elsewhere, and no script or style but those of our own files.
PAGES = _policy(
    default_src="'none'",
    script_src="'self'",
    style_src="'self'",
    img_src="'self' data:",
    font_src="'self'",
    connect_src="'self'",
    manifest_src="'self'",
    worker_src="'self'",
    form_action="'self'",
    base_uri="'none'",
    frame_ancestors="'none'",
)

#: A picture carries its own style sheet, and nothing that runs.
PICTURES = _policy(
    default_src="'none'",
    style_src="'unsafe-inline'",
    base_uri="'none'",
    frame_ancestors="'none'",
)

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

#: Whoever came over TLS once comes no other way for a year.
STRICT_TRANSPORT = "max-age=31536000"


def protect(headers: MutableScopeHeaders, scope: Scope) -> None:
    """Complete the headers of an answer."""
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    is_picture = headers.get("content-type", "").startswith("image/svg")
    headers.setdefault("content-security-policy", PICTURES if is_picture else PAGES)
    if scope["scheme"] == "https":
        headers.setdefault("strict-transport-security", STRICT_TRANSPORT)
    if "allow" in headers:
        headers["allow"] = ", ".join(sorted(_methods(headers["allow"], scope)))


def _methods(known: str, scope: Scope) -> set[str]:
    """The methods of an address: those the framework knows of, those of its other handlers, and HEAD."""
    found = set(re.split(r",\s*", known))
    template = scope.get("path_template")
    for route in scope["litestar_app"].routes:
        if isinstance(route, HTTPRoute) and route.path_format == template:
            found |= {
                str(method) for handler in route.route_handlers for method in handler.http_methods
            }
    return found | ({"HEAD"} if "GET" in found else set())

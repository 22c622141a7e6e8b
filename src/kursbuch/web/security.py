"""Who a browser is, and what it may send: signed cookie, origin check, headers."""

from __future__ import annotations

import secrets
from typing import Any
from urllib.parse import urlsplit

from itsdangerous import BadSignature, URLSafeSerializer
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, MutableScopeHeaders
from litestar.types import Message, Scope

from kursbuch.core.words import N_
from kursbuch.web.errors import Forbidden

COOKIE = "kursbuch_browser"
LANGUAGE_COOKIE = "kursbuch_language"
YEAR = 365 * 24 * 3600

#: No script but our own, nothing from elsewhere. Boards are SVG with styles of their own.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Visitor:
    """A browser. `id` is random and known to nobody else; `forged` says that the browser sent a
    cookie that is not ours."""

    def __init__(self, id_: str, *, is_new: bool, forged: bool = False) -> None:
        self.id = id_
        self.is_new = is_new
        self.forged = forged


class Signer:
    """Makes and reads the cookie that says who a browser is."""

    def __init__(self, secret: str) -> None:
        self._serializer = URLSafeSerializer(secret, salt="kursbuch browser")

    def write(self, visitor: str) -> str:
        """The content of the cookie."""
        return self._serializer.dumps(visitor)

    def read(self, cookie: str | None) -> Visitor:
        """The visitor with that cookie, a new one if there is none or it is forged."""
        if cookie:
            try:
                found = self._serializer.loads(cookie)
            except BadSignature:
                found = None
            if isinstance(found, str) and 0 < len(found) <= 40:
                return Visitor(found, is_new=False)
        return Visitor(secrets.token_urlsafe(18), is_new=True, forged=bool(cookie))


def visitor_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Visitor:
    """The visitor of a request; a new one gets a cookie with the answer."""
    state = connection.scope["state"]
    visitor = state.get("visitor")
    if not isinstance(visitor, Visitor):
        signer: Signer = connection.app.state.signer
        visitor = signer.read(connection.cookies.get(COOKIE))
        state["visitor"] = visitor
        if visitor.is_new:
            state["set_cookie"] = signer.write(visitor.id)
    return visitor


def make_cookie(key: str, value: str, secure: bool, http_only: bool = True) -> Cookie:
    """A cookie for a year."""
    return Cookie(
        key=key,
        value=value,
        path="/",
        max_age=YEAR,
        httponly=http_only,
        secure=secure,
        samesite="lax",
    )


def check_origin(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    """Refuse what another site makes a browser send. Programs send neither header and may come."""
    if connection.scope.get("method") in _SAFE_METHODS:
        return
    headers = connection.headers
    site = headers.get("sec-fetch-site")
    origin = headers.get("origin")
    if site is not None and site not in ("same-origin", "none"):
        raise Forbidden(N_("This came from another site and was not carried out."))
    if origin is not None and _place(origin) != headers.get("host"):
        raise Forbidden(N_("This came from another site and was not carried out."))


def _place(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


async def before_send(message: Message, scope: Scope) -> None:
    """Put the security headers, and the cookie of a new visitor, on every answer."""
    if message["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders.from_message(message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("cache-control", _caching(scope))
    cookie = scope["state"].get("set_cookie")
    if isinstance(cookie, str):
        secure = scope["scheme"] == "https"
        headers.add("set-cookie", make_cookie(COOKIE, cookie, secure).to_header(header=""))


def _caching(scope: Scope) -> str:
    if not scope["path"].startswith("/static/"):
        return "no-store"
    if scope["query_string"].startswith(b"v="):
        return "public, max-age=31536000, immutable"  # the address changes with the content
    return "public, max-age=600"

"""Security: visitors, cookies, host names, origin check and headers."""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, MutableScopeHeaders
from litestar.routes import HTTPRoute
from litestar.types import Message, Scope

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.http.errors import Forbidden

#: Domains that cannot be registered.
OF_NETWORKS = (
    "localhost",
    "local",
    "lan",
    "home",
    "home.arpa",
    "internal",
    "localdomain",
    "fritz.box",
    "onion",
)
_NAME = re.compile(r"\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*")


class Hosts:
    """Host names the server answers to: those given, suffixes with a leading dot, or all ("*").

    The default suits a household: IP addresses, names without a dot, local domains and the
    machine's own name. If the server's `address` uses HTTPS, any name that came over TLS counts
    too: its certificate proves it. Otherwise no proxy is expected, and a page could claim TLS
    itself.
    """

    def __init__(self, given: str = "", address: str = "") -> None:
        names = [name.strip().lower().rstrip(".") for name in given.split(",") if name.strip()]
        self.any = "*" in names
        for name in names:
            if name != "*" and not _is_address(name) and not _NAME.fullmatch(name):
                raise KursbuchError("{name} is not a valid host name.", name=name)
        self._given = frozenset(names)
        parts = urlsplit(address)
        self._behind_tls = parts.scheme == "https"
        self._own = {socket.gethostname().lower(), parts.hostname} - {None}

    def allows(self, header: str, secure: bool) -> bool:
        """Tell whether a request may use the name in its `Host` header.

        >>> [Hosts().allows(one, False) for one in ("localhost:8000", "10.0.0.7", "den:80", "evil.example")]
        [True, True, True, False]
        >>> [Hosts("a.example,.b.example").allows(one, True) for one in ("a.example", "x.b.example", "x.example")]
        [True, True, False]
        >>> [Hosts(address=one).allows("x.example", True) for one in ("https://a.example", "http://10.0.0.7:8000")]
        [True, False]
        """
        name = _name_of(header)
        if self.any or name is None or _is_loopback(name):
            return name is not None
        if self._given:
            return name in self._given or _ends(name, (one for one in self._given if one[0] == "."))
        return (
            (secure and self._behind_tls)
            or name in self._own
            or "." not in name
            or _is_address(name)
            or _ends(name, (f".{one}" for one in OF_NETWORKS))
        )


def _name_of(header: str) -> str | None:
    try:
        return (urlsplit(f"//{header}").hostname or "").lower().rstrip(".") or None
    except ValueError:
        return None


def _ends(name: str, ends: Iterable[str]) -> bool:
    return any(name.endswith(end) for end in ends)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(name: str) -> bool:
    return name == "localhost" or (_is_address(name) and ipaddress.ip_address(name).is_loopback)


def _policy(**sources: str) -> str:
    return "; ".join(f"{name.replace('_', '-')} {value}" for name, value in sources.items())


#: Nothing from other sites; only our own scripts and styles.
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

#: A picture contains its own style sheet, and no scripts.
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

#: A browser that came over TLS keeps using it for a year.
STRICT_TRANSPORT = "max-age=31536000"


def protect(headers: MutableScopeHeaders, scope: Scope) -> None:
    """Add the security headers to a response."""
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    is_picture = headers.get("content-type", "").startswith("image/svg")
    headers.setdefault("content-security-policy", PICTURES if is_picture else PAGES)
    if scope["scheme"] == "https":
        headers.setdefault("strict-transport-security", STRICT_TRANSPORT)
    if "allow" in headers:
        headers["allow"] = ", ".join(sorted(_methods(headers["allow"], scope)))


def _methods(known: str, scope: Scope) -> set[str]:
    """Return the methods of a path: those of all its handlers, and HEAD."""
    found = set(re.split(r",\s*", known))
    template = scope.get("path_template")
    for route in scope["litestar_app"].routes:
        if isinstance(route, HTTPRoute) and route.path_format == template:
            found |= {
                str(method) for handler in route.route_handlers for method in handler.http_methods
            }
    return found | ({"HEAD"} if "GET" in found else set())


AnyConnection = ASGIConnection[Any, Any, Any, Any]
COOKIE = "kursbuch_browser"
SESSION_COOKIE = "kursbuch_session"
DEVICE_COOKIE = "kursbuch_device"
LANGUAGE_COOKIE = "kursbuch_language"
REMOVED_COOKIE = "kursbuch_removed"
ZONE_COOKIE = "kursbuch_zone"
YEAR = 365 * 24 * 3600

#: Prefix of account ids; ids of browsers never have it.
ACCOUNT = "account-"

#: Maximum length of cookies whose signature check is cached; ours have about half.
USUAL = 200
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Person(msgspec.Struct, frozen=True):
    """A logged-in account. `session` is None for a program with a token; `settings` and `language`
    apply on every device."""

    id: str
    name: str
    email: str | None = None
    language: str = ""
    settings: str | None = None
    admin: bool = False
    session: int | None = None


class Visitor:
    """The visitor of a request: a browser with a random, secret `id`, or an account. `forged` means
    its cookie was not ours."""

    def __init__(
        self, id_: str, *, is_new: bool, forged: bool = False, account: Person | None = None
    ) -> None:
        self.id = id_
        self.is_new = is_new
        self.forged = forged
        self.account = account


class Signer:
    """Signs and reads the browser cookie. It reads those signed by any of `keys`; the last key signs."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = list(keys)

    def write(self, visitor: str) -> str:
        """Return the cookie of a visitor."""
        return _serializer(self.keys).dumps(visitor)

    def read(self, cookie: str | None) -> Visitor:
        """Return the visitor of a cookie, a new one if it is missing or forged."""
        if cookie:
            keys = tuple(self.keys)
            found = _signed(keys, cookie) if len(cookie) <= USUAL else _loaded(keys, cookie)
            # This cookie never names an account, even if the signature is right.
            if isinstance(found, str) and 0 < len(found) <= 40 and not is_account(found):
                return Visitor(found, is_new=False)
        return Visitor(secrets.token_urlsafe(18), is_new=True, forged=bool(cookie))

    def seal(self, value: object, purpose: str) -> str:
        """Sign a value for another purpose."""
        return _serializer(self.keys, purpose).dumps(value)

    def unseal(self, sealed: str, purpose: str) -> object:
        """Return the value that was signed for a purpose, None if the signature is wrong."""
        return _loaded(tuple(self.keys), sealed, purpose)


def _serializer(keys: Sequence[str], purpose: str = "kursbuch browser") -> URLSafeSerializer:
    return URLSafeSerializer(keys, salt=purpose)


def _loaded(keys: tuple[str, ...], cookie: str, purpose: str = "kursbuch browser") -> object:
    """Return what was signed with one of the keys, None if it was not."""
    try:
        return _serializer(keys, purpose).loads(cookie)
    except BadSignature:
        return None


#: A browser sends the same cookie with every request.
_signed = lru_cache(maxsize=10_000)(_loaded)


def is_account(owner: str | None) -> bool:
    """Tell whether an owner of a seat or table is an account."""
    return owner is not None and owner.startswith(ACCOUNT)


def cookie_name(name: str, connection: AnyConnection) -> str:
    """Return the full name of a cookie. Over HTTPS its prefix keeps other hosts and plain HTTP from setting it."""
    return f"__Host-{name}" if is_secure(connection) else name


def cookie_of(connection: AnyConnection, name: str) -> str:
    """Return the value of a cookie, empty if it is missing. Over HTTPS the plain name is ignored:
    another host may have set it."""
    return connection.cookies.get(cookie_name(name, connection), "")


def is_secure(connection: AnyConnection) -> bool:
    """Tell whether the browser came over HTTPS."""
    return connection.scope["scheme"] == "https"


def browser_of(connection: AnyConnection) -> Visitor:
    """Return the browser of a request, whatever account is logged in there."""
    signer: Signer = connection.app.state.signer
    return signer.read(cookie_of(connection, COOKIE))


def visitor_of(connection: AnyConnection) -> Visitor:
    """Return the visitor of a request. A new browser gets a cookie; opening a page renews it."""
    state = connection.scope["state"]
    visitor = state.get("visitor")
    if not isinstance(visitor, Visitor):
        visitor = browser_of(connection)
        state["visitor"] = visitor
        if not state.get("identified") and cookie_of(connection, SESSION_COOKIE):
            # The account is not identified yet, for example at an unknown path.
            return visitor
        if visitor.is_new or connection.headers.get("sec-fetch-dest") == "document":
            signer: Signer = connection.app.state.signer
            keep(connection, COOKIE, signer.write(visitor.id))
    return visitor


def keep(connection: AnyConnection, name: str, value: str) -> None:
    """Set a cookie that scripts cannot read."""
    made = make_cookie(connection, name, value)
    connection.scope["state"].setdefault("cookies", {})[made.key] = made


def forget(connection: AnyConnection, name: str) -> None:
    """Delete a cookie, by all its names."""
    cookies = connection.scope["state"].setdefault("cookies", {})
    made = make_cookie(connection, name, "", max_age=0)
    plain = make_cookie(connection, name, "", max_age=0)
    plain.key = name
    cookies |= {made.key: made, name: plain}


def make_cookie(
    connection: AnyConnection,
    name: str,
    value: str,
    *,
    http_only: bool = True,
    max_age: int = YEAR,
) -> Cookie:
    """Return a cookie that lasts a year."""
    return Cookie(
        key=cookie_name(name, connection),
        value=value,
        path="/",
        max_age=max_age,
        httponly=http_only,
        secure=is_secure(connection),
        samesite="lax",
    )


def check_origin(connection: AnyConnection) -> None:
    """Refuse cross-site requests. Programs send neither header and pass."""
    if connection.scope.get("method") in _SAFE_METHODS:
        return
    headers = connection.headers
    site = headers.get("sec-fetch-site")
    origin = headers.get("origin")
    if site is not None and site not in ("same-origin", "none"):
        raise Forbidden(N_("This request came from another site and was refused."))
    if origin is not None and not _is_ours(origin, headers.get("host"), is_secure(connection)):
        raise Forbidden(N_("This request came from another site and was refused."))


def _is_ours(origin: str, host: str | None, secure: bool) -> bool:
    """Tell whether an origin is this host; on an HTTPS host, plain HTTP pages do not count."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.netloc == host and (parts.scheme == "https" or not secure)


async def before_send(message: Message, scope: Scope) -> None:
    """Add the security headers and new cookies to every response."""
    if message["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders.from_message(message)
    protect(headers, scope)
    headers.setdefault("cache-control", _caching(scope))
    for cookie in scope["state"].get("cookies", {}).values():
        headers.add("set-cookie", cookie.to_header(header=""))


def _caching(scope: Scope) -> str:
    if not scope["path"].startswith("/static/"):
        return "no-store"
    if scope["query_string"].startswith(b"v="):
        return "public, max-age=31536000, immutable"  # the address changes with the content
    return "public, max-age=600"

"""Host names the server answers to."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from kursbuch.core.errors import KursbuchError

#: Ends of names that nobody can register.
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
    """Names that are answered to: those given, ends of names that begin with a dot, or all ("*"). Without any,
    it is what a household needs: addresses, names without a dot, names of one's own network, the machine's own.
    If the `address` of the server is one over TLS, every name that came over TLS as well, because its certificate
    proves it. Elsewhere no proxy is expected, and a page can say itself that it came over TLS."""

    def __init__(self, given: str = "", address: str = "") -> None:
        names = [name.strip().lower().rstrip(".") for name in given.split(",") if name.strip()]
        self.any = "*" in names
        for name in names:
            if name != "*" and not _is_address(name) and not _NAME.fullmatch(name):
                raise KursbuchError("{name} is not the name of a server.", name=name)
        self._given = frozenset(names)
        parts = urlsplit(address)
        self._behind_tls = parts.scheme == "https"
        self._own = {socket.gethostname().lower(), parts.hostname} - {None}

    def allows(self, header: str, secure: bool) -> bool:
        """Whether a request may come to the name in its `Host` header.

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

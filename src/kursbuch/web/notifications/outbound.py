"""Requests to addresses that visitors give: never to this machine or its network."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from urllib.parse import urlsplit

import httpx

from kursbuch.core.words import N_
from kursbuch.web.http import errors
from kursbuch.web.notifications.sender import Gone, Undelivered
from kursbuch.web.notifications.sender import Refused as LetterRefused

#: How long somebody else's server may take, in seconds.
PATIENCE = 10

#: An address is at most so long.
LONGEST = 1000


def check_url(url: str, private: bool) -> None:
    """Refuse an address that nothing can be sent to, as far as it is written in it."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    wanted = ("https", "http") if private else ("https",)
    if (
        parts.scheme not in wanted
        or not parts.hostname
        or parts.username is not None
        or len(url) > LONGEST
        or not url.isascii()
        or not url.isprintable()
        or " " in url
        or port == 0
    ):
        raise errors.Refused(N_("The address must begin with https:// and name a host."))
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(parts.hostname)
        if not private and not is_public(parts.hostname):
            raise _private(parts.hostname)


async def check_host(url: str, private: bool) -> None:
    """Refuse an address that is known to lead into a private network. That is found out anew each time something is
    sent."""
    parts = urlsplit(url)
    try:
        await resolve(parts.hostname or "", parts.port or 443, private)
    except LetterRefused:
        raise _private(parts.hostname or "") from None
    except Undelivered:
        pass  # it may be known later


def _private(host: str) -> errors.Refused:
    return errors.Refused(
        N_("{host} leads into a private network, where this server sends nothing."), host=host
    )


async def resolve(host: str, port: int, private: bool) -> str:
    """The address of a host, which must be a public one unless private ones are allowed."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Undelivered(f"no host {host}: {error}") from None
    addresses = [str(one[4][0]).partition("%")[0] for one in found]
    # If any of them is private, the name is one for leading us astray.
    if not private and not all(is_public(address) for address in addresses):
        raise LetterRefused(f"{host} is an address of a private network")
    return addresses[0]


def is_public(address: str) -> bool:
    """Whether an address is one of the internet, whatever the tables of this Python know.

    >>> [is_public(one) for one in ("8.8.8.8", "10.0.0.1", "::1", "::ffff:127.0.0.1", "169.254.169.254")]
    [True, False, False, False, False]
    >>> [is_public(one) for one in ("100.64.0.1", "64:ff9b::a00:1", "2002:7f00:1::", "224.0.0.1")]
    [False, False, False, False]
    >>> [is_public(one) for one in ("::127.0.0.1", "::ffff:0:7f00:1", "fec0::1", "2a01:4f8::1")]
    [False, False, False, True]
    >>> [is_public(one) for one in ("64:ff9b:1::1", "5f00::1", "64:ff9b::808:808", "::ffff:8.8.8.8")]
    [False, False, True, True]
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        if not any(found in one for one in _WITH_VERSION_4):
            return found in _GIVEN_OUT and not any(found in one for one in _SPECIAL_6)
        found = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
    return not any(found in one for one in _SPECIAL_4)


#: What is not of the internet, by the registries of addresses for special purposes:
#: https://www.iana.org/assignments/iana-ipv4-special-registry and the same for IPv6. Blocks of which a part is of the
#: internet are here as a whole, and so are multicast and what no host has any more.
_SPECIAL_4 = [
    ipaddress.IPv4Network(one)
    for one in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared by customers of a provider
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocols
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
]

#: Addresses of version 6 are given out here only: https://www.iana.org/assignments/ipv6-address-space.
_GIVEN_OUT = ipaddress.IPv6Network("2000::/3")
_SPECIAL_6 = [
    ipaddress.IPv6Network(one)
    for one in (
        "2001::/23",  # protocols, among them Teredo
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation
    )
]

#: These lead to the address of version 4 that they end with.
_WITH_VERSION_4 = [ipaddress.IPv6Network(one) for one in ("::ffff:0:0/96", "64:ff9b::/96")]


@cache
def _authorities() -> ssl.SSLContext:
    """Who is trusted to say who a server is. To read them takes longer than to send something."""
    return httpx.create_ssl_context(trust_env=False)


async def post(url: str, content: bytes, headers: Mapping[str, str], private: bool = False) -> None:
    """Send something to an address. The name is looked up once, and that host is connected to; nothing leads
    elsewhere, and what it answers is not read."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    address = await resolve(host, port, private)
    connect = f"[{address}]" if ":" in address else address
    target = f"{parts.scheme}://{connect}:{port}{parts.path or '/'}"
    if parts.query:
        target += f"?{parts.query}"
    try:
        async with (
            httpx.AsyncClient(
                timeout=PATIENCE, follow_redirects=False, trust_env=False, verify=_authorities()
            ) as client,
            client.stream(
                "POST",
                target,
                content=content,
                headers={**headers, "host": parts.netloc},
                extensions={"sni_hostname": host},
            ) as answer,
        ):
            status, wait = answer.status_code, answer.headers.get("retry-after", "")
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        raise Undelivered(str(error) or type(error).__name__) from None
    if 200 <= status < 300:
        return
    if status in (404, 410):
        raise Gone(f"answered {status}")
    if status in (408, 425, 429) or status >= 500:
        after = timedelta(seconds=min(int(wait), 86400)) if wait.isdecimal() else None
        raise Undelivered(f"answered {status}", after)
    raise LetterRefused(f"answered {status}")

"""What no one may do at any address: act from another site, or for others. What people write stays text, and secrets
stay out of the log."""

from __future__ import annotations

import ipaddress
import json
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, cast

import httpx
import pytest
from litestar.connection import ASGIConnection
from litestar.routes import HTTPRoute
from sqlalchemy import Table as Rows
from sqlalchemy import select

from kursbuch.web.db.models import Base
from kursbuch.web.http.errors import Forbidden
from kursbuch.web.http.security import check_origin
from kursbuch.web.notifications import delivery
from kursbuch.web.notifications.outbox import Rejected
from kursbuch.web.ops.logs import without_secrets
from tests.web.correspondents import club
from tests.web.mailbox import Mailbox
from tests.web.registration import PASSWORD, register
from tests.web.visitors import HTML, Browser, Server, seated, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")

EVIL = ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"})

#: What someone who only looks on may do at a table: talk, note what was read, look ahead without moving, play on at a
#: table of his own.
OPEN_TO_ALL = {"chat", "chat/read", "copy", "foresee"}

Visit: TypeAlias = Callable[..., Browser]


def doing(server: Server, **values: str) -> list[str]:
    """The addresses at which something is done, with these values in the place of their fields."""
    found = []
    for route in server.app.routes:
        if isinstance(route, HTTPRoute) and "POST" in route.methods:
            fill = re.compile(r"{(\w+)}")
            found.append(fill.sub(lambda part: values.get(part[1], "1"), route.path_format))
    return found


async def kept(server: Server, table_id: str) -> dict[str, list[Any]]:
    """Everything that is stored of a table, but for what is said there and kept ready."""
    tables: list[Rows] = [
        table
        for table in Base.metadata.sorted_tables
        if table.name not in ("chat", "chat_read", "kept_game")
    ]
    found = {}
    async with server.app.state.tables.database.reading() as session:
        for table in tables:
            column = table.c.id if table.name == "game_table" else table.c.get("table_id")
            if column is not None:
                # What is said at a table is a change of it, too.
                hidden = ("version", "updated_at")
                columns = [one for one in table.c if one.name not in hidden]
                rows = await session.execute(select(*columns).where(column == table_id))
                found[table.name] = sorted(map(repr, rows))
    return found


async def test_nothing_is_done_from_another_site(server: Server, anna: Browser) -> None:
    table = await anna.open("me Anna", "open")
    before = await kept(server, table[3:])
    paths = doing(server, table_id=table[3:], title="rocket")
    assert len(paths) > 90
    for path in paths:
        for headers in EVIL:
            answer = await anna.client.post(path, json={"seat": 0}, headers=headers)
            assert answer.status_code == 403, (path, headers)
            assert "another site" in answer.text
    assert await kept(server, table[3:]) == before


async def test_a_page_that_could_be_read_on_the_way_is_another_site() -> None:
    def asked(scheme: str, origin: str) -> ASGIConnection[Any, Any, Any, Any]:
        headers = [(b"host", b"club.example"), (b"origin", origin.encode())]
        scope = {"type": "http", "method": "POST", "scheme": scheme, "headers": headers}
        return ASGIConnection(cast(Any, scope))

    for scheme, origin in (("https", "https"), ("http", "http"), ("http", "https")):
        check_origin(asked(scheme, f"{origin}://club.example"))
    for scheme, origin in (
        ("https", "http://club.example"),
        ("https", "https://club.example:444"),
        ("http", "http://[club.example"),
    ):
        with pytest.raises(Forbidden, match="another site"):
            check_origin(asked(scheme, origin))


async def test_who_does_not_play_changes_nothing(
    server: Server, anna: Browser, bernd: Browser, clara: Browser, visit: Callable[..., Browser]
) -> None:
    table = await anna.open("me Anna", "open", "open", title="1835", undo="ask")
    people = (anna, bernd, visit())
    await seated(table, *people[1:])
    api = f"/api/tables{table.removeprefix('/t')}"
    for _ in range(2):
        [decision] = (await anna.game(table))["pending"]
        await people[decision["seat"]].move(table)
    seat = (decision["seat"] + 2) % 3
    await anna.send(f"{api}/notes", text="Bernd bluffs")
    await anna.done(f"{table}/undo")
    await people[seat].done(f"{api}/ahead", seat=seat, kind="pass", step="packet", until="round")
    invited = (await anna.done(f"{api}/invite", uses=1)).json()
    secrets = [str(invited["link"]).rpartition("/")[2], "Bernd bluffs"]
    game = await anna.game(table)
    action = (await people[game["pending"][0]["seat"]].game(table))["choices"][0]
    body = {
        **seen(game),
        "action": action["action"],
        **{"seat": 0, "name": "Eve", "to": 0, "answer": "yes", "kind": "end", "on": True},
        **{"line": "money 5 from bank to Anna", "subject": "x", "row": 1, "last": 1},
        **{"text": "Hello", "days": 3, "mode": "all", "moderators": "Eve", "spectators": "none"},
    }
    before = await kept(server, table[3:])
    assert before["private_note"]
    assert before["consent"]
    assert before["intention"]
    account = Browser(server.url)
    await register(account, "Eve")
    paths = [
        path
        for path in doing(server, table_id=table[3:], kind="undo", token="guess")
        if path.startswith((f"{table}/", f"{api}/"))
    ]
    assert len(paths) > 50
    for eve in (clara, account):
        for path in paths:
            for sent in ({"json": body}, {"data": {key: str(one) for key, one in body.items()}}):
                answer = await eve.client.post(path, **sent)
                assert answer.status_code < 500, path
                if path.partition(table[3:] + "/")[2] not in OPEN_TO_ALL:
                    assert answer.status_code >= 400, (path, answer.text)
                assert not any(secret in answer.text for secret in secrets), path
            assert await kept(server, table[3:]) == before, path
        for path in ("", "/live", "/ahead", "/notes", "/correct", "/places", "/record"):
            answer = await eve.client.get(table + path)
            assert not any(secret in answer.text for secret in secrets), path
    # The same is done by those who may.
    done = [(await anna.client.post(path, json=body)).status_code < 300 for path in paths]
    assert sum(done) > 8
    await account.client.aclose()


async def test_over_https_no_other_host_plants_a_cookie(server: Server, visit: Visit) -> None:
    """A host beside this one can set cookies for both, but none whose name begins with `__Host-`."""
    secure = {**HTML, "x-forwarded-proto": "https", "sec-fetch-dest": "document"}
    anna = visit()
    opened = await anna.client.get("/", headers=secure)
    names = {one.partition("=")[0] for one in opened.headers.get_list("set-cookie")}
    assert names == {"__Host-kursbuch_browser"}
    signed = opened.headers["set-cookie"].partition("=")[2].partition(";")[0]

    async def met(**cookies: str) -> httpx.Response:
        said = "; ".join(f"{name}={value}" for name, value in cookies.items())
        return await visit().client.get("/", headers={**secure, "cookie": said})

    # Planted, it makes no one of a browser; one that has its own goes on.
    planted = await met(kursbuch_browser=signed)
    assert planted.headers["set-cookie"].startswith("__Host-kursbuch_browser=")
    assert signed not in planted.headers["set-cookie"]
    own = await met(**{"kursbuch_browser": "planted", "__Host-kursbuch_browser": signed})
    assert signed in own.headers["set-cookie"]
    for name, value, seen_as in (
        ("kursbuch_language", "de", '<html lang="de"'),
        ("kursbuch_settings", "theme:dark", 'data-theme="dark"'),
    ):
        assert seen_as not in (await met(**{name: value})).text
        assert seen_as in (await met(**{f"__Host-{name}": value})).text
    # What is chosen is kept under that name.
    answer = await anna.client.post("/language", data={"language": "de"}, headers=secure)
    assert "__Host-kursbuch_language=de" in answer.headers["set-cookie"]
    answer = await anna.client.post("/removed", data={"table": "aaaaaaaaaa"}, headers=secure)
    assert "__Host-kursbuch_removed=aaaaaaaaaa" in answer.headers["set-cookie"]
    answer = await anna.client.post("/announcements/1/close", headers=secure)
    assert "__Host-kursbuch_closed=1" in answer.headers["set-cookie"]


async def test_every_answer_names_its_encoding_at_most_once(server: Server, anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    known = {"table_id": table[3:], "title": "rocket", "seat": "0", "number": "1"}
    for route in server.app.routes:
        if not isinstance(route, HTTPRoute) or "GET" not in route.methods:
            continue
        path = re.sub(r"\{(\w+):[^}]*\}", lambda found: known.get(found[1], "icon.svg"), route.path)
        for headers in (HTML, {"accept": "*/*"}):
            async with anna.client.stream("GET", path, headers=headers) as answer:
                assert answer.headers.get("content-type", "").count("charset") <= 1, path
    record = await anna.client.get(f"{table}/record")
    assert record.headers["content-type"] == "text/plain; charset=utf-8"


async def test_nothing_leads_elsewhere(server: Server, anna: Browser) -> None:
    await anna.page("/")
    for elsewhere in ("https://evil.example/", "//evil.example", "/\\evil.example", "/\t/evil", ""):
        for path, fields in (
            ("/language", {"language": "de"}),
            ("/register", {"name": f"Ida {elsewhere.encode().hex()[:20]}", "password": PASSWORD}),
        ):
            answer = await anna.client.post(
                path, data={**fields, "email": "", "next": elsewhere}, headers=HTML
            )
            assert answer.status_code == 303, answer.text
            assert re.fullmatch(r"/(account\S*)?", answer.headers["location"]), elsewhere


async def test_what_people_write_is_text_in_mails(tmp_path: Path, arrived: Mailbox) -> None:
    name = '<script>alert(1)</script>\r\nBcc: eve@evil.example <img src="https://evil.example">'
    async with club(tmp_path, arrived) as at:
        anna, bernd = await at.register("Anna"), await at.register("Bernd")
        table = await at.table(anna, bernd)
        async with at.tables.changing(table) as change:
            for seat in change.seats:
                seat.name = name
        await at.move(table)
        await at.written()
    assert arrived.mails
    for mail in arrived.mails:
        assert mail.recipient in ("anna@club.example", "bernd@club.example")
        assert mail.message["Bcc"] is None
        for header in ("Subject", "From", "To", "Reply-To"):
            assert not re.search(r"[\r\n]", str(mail.message[header]))
        assert "<script" not in mail.html
        assert '<img src="https://evil' not in mail.html
        assert re.findall(r'<img[^>]*src="([^"]+)"', mail.html) in ([], ["cid:board0"])
    assert any("&lt;script&gt;" in mail.html for mail in arrived.mails)


#: The registries of addresses for special purposes, and whether requests are sent there.
SPECIAL = {
    "0.0.0.0/8": False,
    "0.0.0.0/32": False,
    "10.0.0.0/8": False,
    "100.64.0.0/10": False,
    "127.0.0.0/8": False,
    "169.254.0.0/16": False,
    "172.16.0.0/12": False,
    "192.0.0.0/24": False,
    "192.0.0.0/29": False,
    "192.0.0.8/32": False,
    "192.0.0.9/32": False,
    "192.0.0.10/32": False,
    "192.0.0.170/32": False,
    "192.0.0.171/32": False,
    "192.0.2.0/24": False,
    "192.31.196.0/24": True,
    "192.52.193.0/24": True,
    "192.88.99.0/24": False,
    "192.168.0.0/16": False,
    "192.175.48.0/24": True,
    "198.18.0.0/15": False,
    "198.51.100.0/24": False,
    "203.0.113.0/24": False,
    "240.0.0.0/4": False,
    "255.255.255.255/32": False,
    "224.0.0.0/4": False,
    "::1/128": False,
    "::/128": False,
    "::/96": False,
    "::ffff:0.0.0.0/104": False,
    "::ffff:10.0.0.0/104": False,
    "::ffff:192.168.0.0/112": False,
    "::ffff:0:0:0/96": False,
    "64:ff9b::/104": False,
    "64:ff9b::10.0.0.0/104": False,
    "64:ff9b::127.0.0.0/104": False,
    "64:ff9b::169.254.0.0/112": False,
    "64:ff9b:1::/48": False,
    "100::/64": False,
    "100:0:0:1::/64": False,
    "2001::/23": False,
    "2001::/32": False,
    "2001:1::1/128": False,
    "2001:1::2/128": False,
    "2001:1::3/128": False,
    "2001:2::/48": False,
    "2001:3::/32": False,
    "2001:4:112::/48": False,
    "2001:10::/28": False,
    "2001:20::/28": False,
    "2001:30::/28": False,
    "2001:db8::/32": False,
    "2002::/16": False,
    "2620:4f:8000::/48": True,
    "3fff::/20": False,
    "5f00::/16": False,
    "fc00::/7": False,
    "fe80::/10": False,
    "fec0::/10": False,
    "ff00::/8": False,
    # The internet itself, and what is beside the blocks above.
    "8.8.8.0/24": True,
    "100.128.0.0/16": True,
    "172.32.0.0/16": True,
    "198.20.0.0/16": True,
    "::ffff:8.8.8.0/120": True,
    "64:ff9b::8.8.8.0/120": True,
    "2001:200::/23": True,
    "2a01:4f8::/32": True,
    "4000::/3": False,
}


@pytest.mark.parametrize(("block", "public"), SPECIAL.items())
async def test_no_address_for_a_special_purpose_is_public(block: str, public: bool) -> None:
    network = ipaddress.ip_network(block)
    for address in (network[0], network[network.num_addresses // 2], network[-1]):
        assert delivery.is_public(str(address)) is public, address


@pytest.mark.parametrize(
    "addresses",
    [
        ["10.1.2.3"],
        ["169.254.169.254"],
        ["::ffff:192.168.1.1"],
        ["fd00::1"],
        ["0.0.0.0"],
        ["100.64.0.1"],
        # One that leads out and one that leads in.
        ["93.184.216.34", "127.0.0.1"],
    ],
)
async def test_names_do_not_lead_into_the_own_network(
    addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(host: str, port: int, *args: Any, **kwargs: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses]

    def connect(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("it was called")

    monkeypatch.setattr(socket, "getaddrinfo", found)
    monkeypatch.setattr(httpx, "AsyncClient", connect)
    with pytest.raises(Rejected, match="private network"):
        await delivery.post("https://hook.example/", b"", {})


async def test_no_secret_is_written_into_the_log(
    server: Server, visit: Callable[..., Browser]
) -> None:
    anna = visit()
    await register(anna, "Olga")
    made = await anna.client.post("/account/tokens", data={"name": "x"}, headers=HTML)
    token = re.search(r'id="new-token" readonly value="([^"]+)"', made.text)
    assert token is not None
    table = await anna.open("me Olga", "open")
    link = (await anna.done(f"{table}/hand-on", seat=0)).json()["link"]
    invited = (await anna.done(f"/api/tables{table[2:]}/invite", uses=1)).json()["link"]
    unsubscribe = server.app.state.notifications.links.unsubscribe("account-olga", table[3:])
    cookies = list(anna.client.cookies.values())
    for secret, said in (
        *((one, f"cookie {one}") for one in cookies),
        (token[1], f"Bearer {token[1]}"),
        (link.rpartition("/")[2], f"Unexpected error at {link}"),
        (invited.rpartition("/")[2], f"Unexpected error at {invited}"),
        (unsubscribe, f"Unexpected error at /unsubscribe/{unsubscribe}"),
    ):
        told = without_secrets(json.dumps(said))
        assert secret not in told

"""Pages, languages, headers, cookies."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Table, now
from kursbuch.web.tables.store import LISTED_FOR
from tests.web.visitors import HTML, Browser, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

Visit = Callable[..., Browser]


async def test_the_start_page_lists_games_and_tables(anna: Browser, bernd: Browser) -> None:
    assert "Rocket" in await anna.page("/")
    open_table = await anna.open("me Annabell", "open")
    secret = await anna.open("me Annabell", "open", listed=False)
    running = await anna.open("me Annabell", "hotseat Konrad")
    page = await bernd.page("/")
    assert open_table in page
    assert running in page
    assert secret not in page
    assert secret in await anna.page("/")


async def test_the_form_for_a_new_table(anna: Browser) -> None:
    page = await anna.page("/new?title=rocket")
    for field in ("seat0_kind", "seat3_name", "option_money", "undo", "objection"):
        assert f'name="{field}"' in page
    assert "1899" in await anna.page("/new?title=1899", status=404)


async def test_a_refused_form_keeps_what_was_given(anna: Browser) -> None:
    form = {
        "title": "rocket",
        "seats": "2",
        "seat0_kind": "me",
        "seat0_name": "A" * 60,
        "seat1_kind": "open",
        "option_money": "hidden",
    }
    answer = await anna.client.post("/tables", data=form, headers=HTML)
    assert answer.status_code == 422
    assert "too long" in answer.text
    assert "A" * 60 in answer.text
    lists = (await anna.client.get("/api/tables")).json()
    assert lists["mine"] == []


async def test_a_form_opens_a_table(anna: Browser) -> None:
    form = {
        "title": "rocket",
        "seats": "2",
        "seat0_kind": "me",
        "seat0_name": "Anna",
        "seat1_kind": "open",
        "option_money": "hidden",
        "undo": "own",
        "objection": "30",
        "pace": "0.8",
        "listed": "1",
    }
    answer = await anna.client.post("/tables", data=form, headers=HTML)
    assert answer.status_code == 303
    game = await anna.game(answer.headers["location"])
    assert game["status"] == "lobby"
    assert game["options"]["money"] == "hidden"
    # The box for help was not ticked.
    page = await anna.page(answer.headers["location"])
    assert "own last move" in page
    assert "30 seconds" in page


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nowhere", 404),
        ("/t/nothere", 404),
        ("/t/nothere/live", 404),
        ("/t/nothere?move=3", 404),
        ("/t/nothere/events", 404),
        ("/t/nothere/record", 404),
        ("/t/nothere/seat/abc", 404),
        ("/rules/1899", 404),
        ("/rules/rocket/move-99", 404),
        ("/static/nothing.js", 404),
        ("/static/../models.py", 404),
        ("/language", 405),
    ],
)
async def test_unknown_addresses_get_one_sentence(anna: Browser, path: str, status: int) -> None:
    assert "<h1>" in await anna.page(path, status)
    answer = await anna.client.get(path)
    assert answer.status_code == status
    assert answer.json()["error"]


async def test_rules_as_list_page_and_card(anna: Browser) -> None:
    assert "move-6" in await anna.page("/rules/rocket")
    found = await anna.page("/rules/rocket?q=veto-11")
    assert "veto-11" in found
    assert "move-6" not in found.replace("veto", "")
    page = await anna.page("/rules/rocket/move-6")
    assert "<html" in page
    card = await anna.client.get("/rules/rocket/move-6", headers={"x-part": "true"})
    assert "<html" not in card.text
    assert "move-6" in card.text
    assert "Published in" not in card.text
    clarified = await anna.page("/rules/rocket/veto-8")
    assert "Published in: FAQ by Chris Lawson" in clarified


@pytest.mark.parametrize(
    ("address", "rule"),
    [
        ("/rules/rocket/rocket:move-6", None),
        ("/rules/rocket/Move-6", None),
        ("/rules/rocket:move-6", "/rules/rocket/move-6"),
        ("/rules/rocket?q=rocket:move-6", "/rules/rocket/move-6"),
        ("/rules/1853?q=(rocket:move-6)", "/rules/rocket/move-6"),
        ("/rules/rocket?q=Regel 1835:2.6.2.4", "/rules/1835/2.6.2.4"),
        ("/rules/rule 1835:2.6.2.4", "/rules/1835/2.6.2.4"),
        ("/rules/rocket?q=1835:2.6.2.4", "/rules/1835/2.6.2.4"),
    ],
)
async def test_a_citation_leads_to_its_rule(anna: Browser, address: str, rule: str | None) -> None:
    answer = await anna.client.get(address, headers=HTML)
    if rule is None:
        assert answer.status_code == 200
        assert "move-6" in answer.text
    else:
        assert (answer.status_code, answer.headers["location"]) == (303, rule)
        await anna.page(rule)


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/rules/rocket/nimm:option-open", 404),
        ("/rules/rocket:move-99", 404),
        ("/rules/tram:move-6", 404),
        ("/rules/rocket:", 404),
        ("/rules/:", 404),
        ("/rules/rocket?q=rocket:move-99", 200),
        ("/rules/rocket?q=tram:move-6", 200),
        ("/rules/rocket?q=:", 200),
    ],
)
async def test_what_is_no_citation_of_a_rule_leads_nowhere(
    anna: Browser, address: str, status: int
) -> None:
    assert "<h1>" in await anna.page(address, status)


async def test_the_language_is_chosen_by_cookie_address_and_browser(visit: Visit) -> None:
    german, english = visit("de-AT,de;q=0.9,en;q=0.5"), visit("fr,en;q=0.3,de;q=0.2")
    assert '<html lang="de"' in await german.page("/")
    assert '<html lang="en"' in await english.page("/")
    assert '<html lang="de"' in await english.page("/?lang=de")
    answer = await english.client.post(
        "/language", data={"language": "de", "next": "/rules/rocket"}, headers=HTML
    )
    assert (answer.status_code, answer.headers["location"]) == (303, "/rules/rocket")
    assert '<html lang="de"' in await english.page("/?lang=en")
    assert (await english.send("/language", language="xx")).status_code == 422
    elsewhere = await english.client.post(
        "/language", data={"language": "en", "next": "//elsewhere.example/"}, headers=HTML
    )
    assert elsewhere.headers["location"] == "/"


async def test_the_language_of_a_table_counts_before_the_browsers(visit: Visit) -> None:
    anna = visit("en")
    table = await anna.open("me", "open", language="de")
    assert '<html lang="de"' in await anna.page(table)
    assert '<html lang="en"' in await anna.page("/")


async def test_errors_are_in_the_readers_language(visit: Visit) -> None:
    english, german = visit("en"), visit("de")
    assert (await english.client.get("/t/nothere")).json()["error"] == "There is no such table."
    assert (await german.client.get("/t/nothere")).status_code == 404


async def test_every_answer_has_the_security_headers(anna: Browser) -> None:
    table = await anna.open("me", "hotseat")
    for path in ("/", table, f"{table}/board.svg", "/nowhere", "/static/icon.svg", "/api/tables"):
        headers = (await anna.client.get(path, headers=HTML)).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        if headers["content-type"].startswith("image/svg"):
            assert "script-src" not in policy
        else:
            assert "script-src 'self';" in policy
        assert headers["x-content-type-options"] == "nosniff"


async def test_pages_are_compressed_and_the_bundle_is_kept_by_browsers(anna: Browser) -> None:
    answer = await anna.client.get("/", headers=HTML)
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["cache-control"] == "no-store"
    bundle = answer.text.split('src="/static/dist/main.js')[1].split('"')[0]
    assert bundle.startswith("?v=")
    script = await anna.client.get(f"/static/dist/main.js{bundle}")
    assert script.status_code == 200
    assert "immutable" in script.headers["cache-control"]


async def test_the_cookie_is_for_the_server_alone(visit: Visit) -> None:
    visitor = visit()
    header = (await visitor.client.get("/")).headers["set-cookie"]
    assert "HttpOnly" in header
    assert "SameSite=lax" in header
    assert "set-cookie" not in (await visitor.client.get("/")).headers


async def test_a_forged_cookie_is_a_new_visitor_and_is_told_so(visit: Visit) -> None:
    anna, thief = visit(), visit()
    table = await anna.open("me", "hotseat")
    good = anna.client.cookies["kursbuch_browser"]
    for forged in ("junk", good[:-3] + "abc", "x" * 5000, '"'):
        thief.client.cookies.clear()
        answer = await thief.client.get(
            table,
            headers={**HTML, "cookie": f"kursbuch_browser={forged}".encode().decode("latin1")},
        )
        assert answer.status_code == 200
        assert "not valid" in answer.text
        assert "set-cookie" in answer.headers
        assert (await thief.game(table))["my_seats"] == []
    assert "not valid" not in await anna.page(table)
    assert (await anna.game(table))["my_seats"] == [0, 1]


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://elsewhere.example"},
        {"origin": "null"},
        {"origin": "http://[::1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
async def test_other_sites_can_post_nothing(anna: Browser, headers: dict[str, str]) -> None:
    table = await anna.open("me", "hotseat")
    for path, fields in ((f"{table}/chat", {"text": "Hello"}), ("/tables", {"title": "rocket"})):
        answer = await anna.client.post(path, json=fields, headers=headers)
        assert answer.status_code == 403
        assert "another site" in answer.json()["error"]
    answer = await anna.client.post(
        f"{table}/chat",
        json={"text": "Hello"},
        headers={"origin": anna.url, "sec-fetch-site": "same-origin"},
    )
    assert answer.status_code == 204


async def test_the_json_interface_is_described_without_scripts_from_elsewhere(
    anna: Browser,
) -> None:
    described = (await anna.client.get("/schema/openapi.json")).json()
    assert "/api/tables/{table_id}/move" in described["paths"]
    assert "/t/{table_id}/move" not in described["paths"]
    assert "<script" not in await anna.page("/schema")
    for path in ("/", await anna.open("me", "hotseat")):
        tags = re.findall(r"<(?:script|link|img)\b[^>]*>", await anna.page(path))
        urls = [url for tag in tags for url in re.findall(r'\b(?:src|href)="([^"]*)"', tag)]
        assert any(url.startswith("/static/dist/main.js") for url in urls)
        assert not [url for url in urls if not re.match("/[^/]", url)]


async def test_the_bundle_is_kept_by_browsers(anna: Browser) -> None:
    page = await anna.page("/")
    found = re.findall(r'"(/static/dist/[^"]+)"', page)
    assert len(found) == 2
    for url in found:
        assert "?v=" in url
        answer = await anna.client.get(url)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-encoding"] == "gzip"
        assert "set-cookie" not in answer.headers
    assert (await anna.client.get("/")).headers["cache-control"] == "no-store"


async def test_the_newest_lines_of_a_long_log(anna: Browser) -> None:
    table = await anna.open("bot random", "bot random")
    await anna.until(table, lambda game: game["status"] == "finished")
    for path in (table, f"{table}/live"):
        short, whole = await anna.page(path), await anna.page(f"{path}?log=all")
        count = len((await anna.game(table))["log"])
        assert count > 60
        assert (short.count('<li id="log-'), whole.count('<li id="log-')) == (60, count)
        assert f"Show {count - 60} earlier entries" in short


async def test_the_health_of_the_server(
    server: Server, anna: Browser, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    answer = await anna.client.get("/health")
    assert (answer.status_code, answer.text) == (200, "ok")
    tables = server.app.state.tables
    (tmp_path / "gone").mkdir()
    broken = Database(str(tmp_path / "gone" / "tables.sqlite3"))
    (tmp_path / "gone").rmdir()
    whole, tables.database = tables.database, broken
    try:
        answer = await anna.client.get("/ready")
        assert (await anna.client.get("/health")).status_code == 200
    finally:
        tables.database = whole
        await broken.stop()
    assert answer.status_code == 503
    # Anyone who reads the log is told so in one line.
    said = [record for record in caplog.records if "database does not answer" in record.message]
    assert said
    assert not any(record.exc_info for record in said)


async def test_forgotten_tables_are_shown_only_to_their_players(
    server: Server, anna: Browser, bernd: Browser
) -> None:
    waiting = await anna.open("me Annabell", "open")
    running = await anna.open("me Annabell", "hotseat Konrad")
    old = now() - LISTED_FOR - timedelta(hours=1)
    async with server.app.state.tables.database.writing() as session:
        ids = [path.removeprefix("/t/") for path in (waiting, running)]
        await session.execute(update(Table).where(Table.id.in_(ids)).values(updated_at=old))
    for path in (waiting, running):
        assert path not in await bernd.page("/")
        assert path in await anna.page("/")
    # Anyone who comes back brings it back.
    await anna.move(running)
    assert running in await bernd.page("/")


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("DE-at;q=0.4, fr", "de"),
        ("de;q=0.5, en-GB;q=0.6", "en"),
        ("fr", "en"),
        ("*", "en"),
        ("fr, *;q=0.1", "en"),
        ("de;q=inf", "en"),
        (";,;=,q=", "en"),
    ],
)
async def test_the_language_a_browser_asks_for(anna: Browser, accepted: str, language: str) -> None:
    answer = await anna.client.get("/", headers={"accept-language": accepted})
    assert answer.status_code == 200
    assert f'<html lang="{language}">' in answer.text


async def test_there_is_no_board_before_the_game(anna: Browser) -> None:
    table = await anna.open("me Anna", "open")
    for path in (f"{table}/board.svg", f"{table}/board.svg?move=0"):
        refused = await anna.client.get(path)
        assert refused.status_code == 409
        assert refused.json()["error"] == "The game has not begun yet."


async def test_the_rules_say_what_is_reconstructed(anna: Browser) -> None:
    assert "a dotted line marks them on the map" in await anna.page("/rules/1853")
    assert (
        "eine gepunktete Linie"
        in (await anna.client.get("/rules/1853", headers={"accept-language": "de"})).text
    )
    assert "dotted line" not in await anna.page("/rules/rocket")

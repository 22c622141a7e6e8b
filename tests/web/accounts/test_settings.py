"""What readers choose for their browser stands on every page, from its first line on."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

from kursbuch.web.http import preferences
from tests.web.visitors import Browser

pytestmark = pytest.mark.asyncio(loop_scope="module")

HTML = {"accept": "text/html", "sec-fetch-dest": "document"}


async def root(browser: Browser, path: str = "/") -> str:
    """The first tag of a page."""
    found = re.search(r"<html[^>]*>", (await browser.client.get(path, headers=HTML)).text)
    assert found
    return found[0]


async def test_pages_are_as_usual_at_first(anna: Browser) -> None:
    assert await root(anna) == '<html lang="en">'
    page = (await anna.client.get("/", headers=HTML)).text
    for setting in preferences.SETTINGS:
        assert f'name="{setting.name}" value="" checked' in page


async def test_what_was_chosen_is_on_every_page(anna: Browser) -> None:
    anna.client.cookies.set(preferences.COOKIE, "motion:none.theme:dark.map-names:off")
    expected = '<html lang="en" data-theme="dark" data-map-names="off" data-motion="none">'
    table = await anna.open("me", "hotseat")
    for path in ("/", "/rules/rocket", "/nowhere", table):
        assert await root(anna, path) == expected, path
    page = (await anna.client.get("/", headers=HTML)).text
    assert 'name="theme" value="dark" checked' in page
    assert 'name="theme" value="" checked' not in page


@pytest.mark.parametrize(
    "cookie",
    [
        "theme:purple",
        "theme:",
        "onclick:x",
        "theme",
        ":",
        "....",
        'theme:dark"><script>',
        "a" * 5000,
    ],
)
async def test_what_nobody_offers_is_ignored(anna: Browser, cookie: str) -> None:
    answer = await anna.client.get("/", headers=HTML | {"cookie": f"{preferences.COOKIE}={cookie}"})
    assert '<html lang="en">' in answer.text
    assert preferences.COOKIE not in answer.headers.get("set-cookie", "")


async def test_the_choice_is_renewed_by_pages_but_not_by_live_updates(anna: Browser) -> None:
    table = await anna.open("me", "hotseat")
    cookie = {"cookie": f"{preferences.COOKIE}=theme:dark.other:1"}
    answer = await anna.client.get("/", headers=HTML | cookie)
    (renewed,) = (
        one for one in answer.headers.get_list("set-cookie") if one.startswith(preferences.COOKIE)
    )
    assert renewed.startswith(f"{preferences.COOKIE}=theme:dark;")
    assert "httponly" not in renewed.lower()
    live = await anna.client.get(f"{table}/live", headers={"accept": "text/html"} | cookie)
    assert preferences.COOKIE not in live.headers.get("set-cookie", "")


async def test_cookies_are_read_as_written() -> None:
    for setting in preferences.SETTINGS:
        values = [value for value, _ in setting.choices]
        assert values.count("") == 1, setting.name
        for value in values:
            chosen = {setting.name: value} if value else {}
            assert preferences.read(preferences.write(chosen)) == chosen


async def test_own_colours_are_chosen_and_given_up(anna: Browser) -> None:
    """Letters on them are dark or light, whichever is better to read."""
    table = await anna.open("me", "hotseat")
    page = (await anna.client.get(f"/colours?next={table}", headers=HTML)).text
    assert 'name="of-BY" value="#2a5caa"' in page
    assert 'name="run-0" value="#0072b2"' in page
    sent = {"seat-0": "#dd0078", "seat-1": "#fff000", "of-BY": "#ffee00", "run-0": "#123456"}
    answer = await anna.client.post("/colours", data={**sent, "next": table}, headers=HTML)
    assert answer.headers["location"] == table
    html = (await anna.client.get(table, headers=HTML)).text
    assert 'data-players="own"' in html
    # What is as usual is not kept.
    own = "seat-1-fff000_run-0-123456_of-BY-ffee00"
    assert f'href="/colours/{own}"' in html
    sheet = (await anna.client.get(f"/colours/{own}")).text
    assert "--seat-1:#fff000;--seat-1-ink:#1d1a16;" in sheet
    assert "svg .run-0{stroke:#123456}" in sheet
    assert "svg .on-BY{fill:#1d1a16}" in sheet
    assert '.piece-of[data-key$=":BY"]{--fill:#ffee00;--letters:#1d1a16}' in sheet
    assert 'name="of-BY" value="#ffee00"' in await anna.page("/colours")
    await anna.client.post("/colours", data={**sent, "reset": "1"}, headers=HTML)
    assert await root(anna) == '<html lang="en">'


@pytest.mark.parametrize(
    "own", ["of-BY-12345g", "of-B<Y-123456", "onclick-123456", "}body{x", "a" * 900]
)
async def test_what_is_no_colour_is_in_no_style_sheet(anna: Browser, own: str) -> None:
    answer = await anna.client.get(f"/colours/{quote(own)}")
    assert answer.status_code == 404 or answer.text == ""
    chosen = {"of-BY": own, "seat-0": "red"}
    assert (await anna.client.post("/colours", data=chosen, headers=HTML)).status_code == 303
    assert await root(anna) == '<html lang="en">'

"""What readers choose for their browser stands on every page, from its first line on."""

from __future__ import annotations

import re

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

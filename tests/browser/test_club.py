"""A slow, rated game of people who live far apart, from registering to the rating: in browsers, a phone among them,
with mails, a moderator, a player who is replaced, and moves that are taken back."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import seeded
from tests.browser.table import choices, choose, has_turn, join, number, option, wait_for_move
from tests.browser.test_accounts import PASSWORD, link_to
from tests.browser.test_moderating import correct
from tests.web.mailbox import Mailbox, mailbox

#: No one waits here for those who may come back in a minute.
SETTINGS = """
import os, sys
from datetime import timedelta
os.environ.update(
    KURSBUCH_SMTP={smtp!r},
    KURSBUCH_MAIL_FROM="club@example.org",
    KURSBUCH_ADDRESS="http://127.0.0.1:" + sys.argv[1],
)
from kursbuch.web.live import presence
from kursbuch.web.notifications import composer, notifier
notifier.SLOW_PAUSE = timedelta(seconds=0.5)
composer.WATCHING_PAUSE = presence.PRESENT = timedelta(seconds=1)
"""


@pytest.fixture(scope="module")
def box() -> Iterator[Mailbox]:
    """The mail server of the club."""
    with mailbox() as found:
        yield found


@pytest.fixture(scope="module")
def program(box: Mailbox) -> str:
    """A server that sends mails."""
    return SETTINGS.format(smtp=box.url) + seeded("7")


def register(page: Page, box: Mailbox, name: str) -> None:
    """Register with an address, and confirm it by the mail."""
    address = f"{name.lower()}@example.org"
    page.goto("/register")
    page.get_by_label("Name").fill(name)
    page.get_by_label("E-mail", exact=True).fill(address)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("status")).to_contain_text("We have sent a mail")
    page.goto(link_to(box, address, "/account/confirm#"))
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("status")).to_have_text("Your address has been confirmed.")


def open_rated(page: Page) -> str:
    """Open a slow, rated table for three; the link that is sent to the others."""
    page.goto("/new?title=rocket")
    page.locator("[name=seats]").select_option("3")
    page.locator("[name=seat0_name]").fill("Anna")
    for seat in (1, 2):
        page.locator(f"[name=seat{seat}_kind]").select_option("open")
    chosen = {"time": "24", "overrun": "vote", "moderation": "players", "pace": "0"}
    for name, value in chosen.items():
        option(page, name).select_option(value)
    page.locator("[name=rated]").check()
    page.locator("form[data-new-table] button.main").click()
    return page.locator("#share-link").input_value()


def move_by_program(page: Page, table: str, chance: random.Random) -> bool:
    """Make some move, if there is one to make; most of them let the game come to its end."""
    path = f"/api/tables/{table}"
    game = page.request.get(path, params={"since": 10_000}).json()
    if not game["choices"]:
        return False
    growing = [one for one in game["choices"] if one["action"]["action"] == "extend-line"]
    action = chance.choice(growing or game["choices"])["action"]
    sent = {"number": game["number"], "version": game["version"], "action": action}
    return bool(page.request.post(f"{path}/move", data=sent).ok)


def told(box: Mailbox, what: str, address: str) -> str:
    """The newest mail that tells someone this; empty if there is none."""
    mails = [one.text for one in box.to(address) if what in str(one.message["Subject"])]
    return mails[-1] if mails else ""


def agree(page: Page) -> None:
    """Agree to what someone asks for."""
    page.locator(".undo-request button[value=yes]").first.click()


@pytest.mark.long
def test_from_registering_to_the_rating(visit: Any, box: Mailbox) -> None:
    anna, phone, clara = visit(), visit(size=(390, 844)), visit(theme="dark")
    for page, name in ((anna, "Anna"), (phone, "Bernd"), (clara, "Clara")):
        register(page, box, name)
    link = open_rated(anna)
    table = link.rpartition("/")[2]
    anna.locator("#inviting > summary").click()
    anna.locator("#invite-person [name=to]").fill("bernd@example.org")
    anna.locator("#invite-person button").click()
    phone.goto(link_to(box, "bernd@example.org", "/invited/"))
    phone.get_by_role("button", name="Go to the table").click()
    clara.goto(link)
    for page, name in ((phone, "Bernd"), (clara, "Clara")):
        join(page, name)
    anna.goto(link)
    anna.get_by_role("button", name="Start the game").click()
    expect(anna.locator("#live.game")).to_be_visible()
    expect(anna.locator("#live")).to_contain_text("Stephenson's Rocket")

    # Bernd has gone away; the mail leads the phone back when his turn has come.
    phone.goto("about:blank")
    chance = random.Random(5)
    while not told(box, "Your turn", "bernd@example.org"):
        for page in (anna, clara):
            move_by_program(page, table, chance)
        anna.wait_for_timeout(50)
    mail = told(box, "Your turn", "bernd@example.org")
    assert f"Play: {link}\n" in mail
    phone.goto(link)
    expect(phone.locator("#prompt")).to_contain_text("Your turn")
    before = number(phone)
    while has_turn(phone):
        choose(phone, chance.choice(choices(phone))["label"])
    assert number(phone) > before
    wait_for_move(anna, number(phone))

    # Clara cannot go on: all agree that the computer does.
    anna.locator("#tab-table").click()
    anna.locator("#replacing-2 > summary").click()
    anna.locator("#replace-by-2").select_option("careless")
    anna.locator("#replace-2 button").click()
    for page in (phone, clara):
        if page is clara:
            page.goto(link)
        agree(page)
    expect(anna.locator("#seat-2 .who small")).to_contain_text("computer", ignore_case=True)

    while not (has_turn(anna) or has_turn(phone)):
        anna.wait_for_timeout(50)

    # A sum was wrong, and a move was not meant.
    assert number(anna) > 1
    correct(anna, ("kind", "money"), ("source", "bank"), ("target", "player 2"), ("count", "4000"))
    expect(phone.locator("#log .said", has_text="£4,000 from the bank to Bernd")).to_have_count(1)
    phone.locator("#tab-log").click()
    phone.locator('#log [data-history="1"]').first.click()
    expect(phone.locator("#live")).to_have_attribute("data-past", "1")
    phone.locator("#past [popovertarget=undo-here]").click()
    phone.locator("#undo-here button.main").click()
    agree(anna)
    expect(anna.locator("#live")).to_have_attribute("data-number", "1")
    expect(anna.locator("#log .note").first).to_contain_text("Bernd")

    # How it would have gone on can be tried out in a copy of one's own.
    anna.locator("#tab-table").click()
    anna.locator("#panel-table [aria-haspopup=dialog][popovertarget=play-on]").click()
    anna.locator("#copy button.main").click()
    expect(anna.locator("#origin")).to_contain_text("after move 1", use_inner_text=False)
    assert not anna.url.startswith(link)

    # The rest is played by programs; the result changes the ratings.
    for page in (anna, phone):
        page.goto("about:blank")
    while (
        anna.request.get(f"/api/tables/{table}", params={"since": 10_000}).json()["status"]
        == "running"
    ):
        for page in (anna, phone):
            move_by_program(page, table, chance)
    for page, name in ((anna, "Anna"), (phone, "Bernd")):
        page.goto(f"/people/{name}")
        expect(page.locator("section[aria-labelledby=ratings] tbody tr")).to_contain_text(
            "Stephenson's Rocket"
        )
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

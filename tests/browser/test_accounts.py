"""From the first table of a browser to the same one on a second device."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.table import pick
from tests.web.mailbox import Mailbox, mailbox

SERVE = """
import os, sys
os.environ.update(KURSBUCH_SMTP={smtp!r}, KURSBUCH_MAIL_FROM="club@example.org")
from kursbuch.web import serve
serve(port=int(sys.argv[1]), database=sys.argv[2])
"""

PASSWORD = "a long enough one"


@pytest.fixture(scope="module")
def box() -> Iterator[Mailbox]:
    """The mail server of the club."""
    with mailbox() as found:
        yield found


@pytest.fixture(scope="module")
def program(box: Mailbox) -> str:
    """A server that sends mails."""
    return SERVE.format(smtp=box.url)


def link_to(box: Mailbox, address: str, path: str) -> str:
    """The link in the newest mail to an address."""
    deadline = time.monotonic() + 60
    while True:
        for mail in reversed(box.to(address)):
            found = re.search(rf"http://\S+{path}\S+", mail.text)
            if found:
                return found[0]
        assert time.monotonic() < deadline, "no mail came"
        time.sleep(0.2)


def test_register_confirm_and_play_on_elsewhere(visit: Any, box: Mailbox) -> None:
    page = visit()
    page.goto("/new?title=rocket")
    page.locator("input[name=seat0_name]").fill("Ada")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    table = page.url
    page.goto("/")
    page.get_by_role("link", name="Log in").click()
    page.get_by_role("link", name="Register").click()
    expect(page.get_by_text("1 table from this browser moves to it.")).to_be_visible()
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("E-mail", exact=True).fill("ada@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("status")).to_contain_text("We have sent a mail")
    pick(page, "Colours", "dark")

    # The link fills in the code and takes it out of the address; nothing happens before the button.
    link = link_to(box, "ada@example.org", "/account/confirm#")
    page.goto(link)
    expect(page.get_by_label("Code")).to_have_value(link.partition("#")[2])
    assert "#" not in page.url
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("status")).to_have_text("Your address has been confirmed.")

    # On the phone, by a mail asked for there: the same tables, the same colours.
    phone = visit(size=(390, 844))
    phone.goto("/login")
    phone.get_by_text("Log in without a password").click()
    phone.get_by_label("E-mail", exact=True).fill("ada@example.org")
    phone.get_by_role("button", name="Log in by mail").click()
    expect(phone.get_by_role("status")).to_contain_text("we have sent it a mail")
    phone.goto(link_to(box, "ada@example.org", "/login/code#"))
    phone.get_by_role("button", name="Log in").click()
    expect(phone.get_by_role("link", name="Ada", exact=True)).to_be_visible()
    assert phone.evaluate("document.documentElement.dataset.theme") == "dark"
    phone.locator(f'a[href="{table[table.index("/t/") :]}"]').first.click()
    expect(phone.locator(".seat.own")).to_have_count(1)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # The other devices are logged out from here; what follows there is a browser no one knows.
    phone.goto("/account")
    phone.get_by_role("heading", name="Devices").click()
    phone.get_by_role("button", name="Log out everywhere else").click()
    expect(phone.get_by_role("status")).to_have_text("Your changes have been saved.")
    page.goto(table)
    expect(page.locator("#board-now")).to_be_visible()
    expect(page.locator(".seat.own")).to_have_count(0)

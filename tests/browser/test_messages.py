"""The page that says when one is told, and Web Push: the browser asks once, is told, and opens the table."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Browser, expect

from tests.browser.conftest import SERVE
from tests.browser.table import open_table

SETTINGS = """
import os, sys
os.environ.update(
    KURSBUCH_PUSH="admin@club.example",
    KURSBUCH_ADDRESS="http://127.0.0.1:" + sys.argv[1],
)
"""

#: Stands for the server of the browser's maker, which a test cannot have.
SUBSCRIBE = """
PushManager.prototype.subscribe = async function (options) {
  if (!options.userVisibleOnly || !options.applicationServerKey) throw new Error("options");
  const made = { endpoint: %(endpoint)s, toJSON: () => ({ keys: { p256dh: %(key)s, auth: %(auth)s } }) };
  PushManager.prototype.getSubscription = async () => made;
  return made;
};
"""

#: What the browser shows of its notifications, as soon as there is one; nothing after five seconds.
SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  for (let tries = 0; tries < 100; tries++) {
    const found = await worker.getNotifications();
    if (found.length) return found.map(one => [one.title, one.body, one.data.url]);
    await new Promise(done => setTimeout(done, 50));
  }
}"""


@pytest.fixture(scope="module")
def browser(whole_browser: Browser) -> Browser:
    """The headless shell shows no notifications."""
    return whole_browser


@pytest.fixture(scope="module")
def program() -> str:
    return SETTINGS + SERVE


def unpadded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def test_a_browser_shows_what_it_is_told(visit: Any) -> None:
    private = ec.generate_private_key(ec.SECP256R1())
    key = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    made = {
        "endpoint": "https://push.example/anna",
        "key": unpadded(key),
        "auth": unpadded(b"0123456789abcdef"),
    }
    anna = visit(size=(390, 844))
    anna.add_init_script(SUBSCRIBE % {name: json.dumps(value) for name, value in made.items()})
    table = open_table(anna, "hotseat")
    anna.get_by_role("tab", name="Table").click()
    anna.get_by_role("link", name="By mail, or when the page is closed …").click()
    expect(anna.get_by_role("heading", name="Notification settings")).to_be_visible()
    # Who does not want to be told is not asked again.
    anna.get_by_role("button", name="Notify me here").click()
    expect(anna.get_by_text("This browser does not allow notifications")).to_be_visible()
    anna.context.grant_permissions(["notifications"])
    anna.reload()
    anna.get_by_role("button", name="Notify me here").click()
    expect(anna.get_by_text("This browser gets notifications.")).to_be_visible()
    anna.reload()
    expect(anna.get_by_text("1 of your browsers gets notifications.")).to_be_visible()
    at_table = anna.locator("form", has_text="For this table")
    at_table.get_by_label("Browser").select_option("once a day")
    at_table.get_by_role("button", name="Save").click()
    expect(at_table.get_by_label("Browser")).to_have_value("day")
    session = anna.context.new_cdp_session(anna)
    registrations: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda found: registrations.extend(one["registrationId"] for one in found["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not registrations:
        anna.wait_for_timeout(50)
    told = {"title": "Your turn", "text": "Lay track", "url": anna.url, "tag": "t"}
    message = {
        "origin": anna.evaluate("location.origin"),
        "registrationId": registrations[0],
        "data": json.dumps(told),
    }
    # A worker that a busy browser cannot wake loses its message: it is sent until it is shown.
    for _ in range(20):
        session.send("ServiceWorker.deliverPushMessage", message)
        if shown := anna.evaluate(SHOWN):
            break
    assert shown == [["Your turn", "Lay track", anna.url]]
    assert table.rpartition("/")[2] in anna.url


#: A page in Safari of a phone, which tells nothing unless it stands on the home screen.
AT_APPLE = """
  delete window.PushManager;
  Object.defineProperty(navigator, "standalone", { value: false });
"""


def test_whoever_has_to_put_it_on_the_home_screen_is_told_so(visit: Any) -> None:
    anna = visit(size=(390, 844))
    anna.goto("/messages")
    anna.add_init_script(AT_APPLE)
    anna.reload()
    expect(anna.get_by_text("Add to Home Screen")).to_be_visible()
    expect(anna.get_by_role("button", name="Notify me here")).to_be_hidden()


def test_a_browser_that_keeps_nothing_says_that_it_cannot_be_told(visit: Any) -> None:
    anna = visit()
    anna.context.grant_permissions(["notifications"])
    anna.add_init_script(
        "ServiceWorkerContainer.prototype.getRegistration = async () => {"
        " throw new DOMException('', 'SecurityError'); };"
    )
    open_table(anna, "hotseat")
    anna.get_by_role("tab", name="Table").click()
    anna.get_by_role("link", name="By mail, or when the page is closed …").click()
    expect(anna.get_by_text("This browser does not support notifications.")).to_be_visible()

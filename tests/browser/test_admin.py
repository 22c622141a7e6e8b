"""An administrator, from the command line to the page."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SERVE, Visit, clean_environment
from tests.browser.table import open_table


def kursbuch(*arguments: str) -> Any:
    """What a command prints as JSON."""
    command = [sys.executable, "-m", "kursbuch.cli", *arguments, "--json"]
    environment = {**clean_environment(), "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    return json.loads(ran.stdout)


@pytest.fixture(scope="module")
def program() -> str:
    """A server of its own: what administrators do concerns all who are there."""
    return SERVE


def test_the_first_administrator(visit: Visit, database: Path) -> None:
    made = kursbuch("admin", "accounts", "create", "Ada", "--admin", "--database", str(database))
    ada = visit(made["link"])
    ada.get_by_label("New password").fill("a long enough one")
    ada.get_by_role("button", name="Change the password").click()
    ada.get_by_label("Name", exact=True).fill("Ada")
    ada.get_by_label("Password", exact=True).fill("a long enough one")
    ada.locator("main").get_by_role("button", name="Log in", exact=True).click()
    expect(ada.get_by_title("Your account: Ada")).to_be_visible()
    ada.get_by_title("Your account: Ada").click()
    ada.get_by_role("link", name="Administration").click()

    ada.get_by_label("shown on every page").fill("Cake at eight.")
    ada.get_by_role("button", name="Announce", exact=True).click()
    expect(ada.locator(".done")).to_have_text("Done.")
    bernd = visit("/new?title=rocket", size=(390, 844), theme="dark")
    expect(bernd.locator(".bulletin")).to_contain_text("Cake at eight.")
    bernd.get_by_role("button", name="Close this announcement").click()
    expect(bernd.locator(".bulletin")).to_have_count(0)

    open_table(bernd, "hotseat")
    ada.get_by_role("link", name="Tables").click()
    ada.get_by_role("button", name="Delete table").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Permanently delete this table?")
    ada.get_by_role("button", name="Delete").click()
    expect(ada.locator(".admin-lines li")).to_have_count(0)
    ada.get_by_role("link", name="Audit log").click()
    expect(ada.locator(".admin-lines li")).to_have_count(3)
    log = kursbuch("admin", "log", "--database", str(database))["log"]
    assert [line["action"] for line in log] == ["delete-table", "announce", "create-account"]

"""The page that finds the best trains, used by clicking and by keyboard."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit


def choose(page: Page, name: str) -> None:
    """Click on a hex of the map."""
    page.locator(f'[data-pick="hex:{name}"]').click(position={"x": 12, "y": 22})
    expect(page.locator("#routes-hex-title")).to_contain_text(name)


def do(page: Page, what: str) -> None:
    page.locator(f'button[name="do"][value="{what}"]').click()


def test_a_position_is_set_up_by_clicking(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("link", name="Best trains").first.click()
    choose(page, "F14")
    page.locator(".routes-tiles button", has_text="57").click()
    expect(page.locator("#board-now")).to_contain_text("F14 #57")
    do(page, "company 3")
    page.get_by_role("button", name="Station of 3").click()
    expect(page.locator(".routes-best")).to_contain_text("Choose trains")
    do(page, "train 3 2")
    expect(page.locator("#routes-total")).to_have_text("40\N{NO-BREAK SPACE}M")
    expect(page.locator(".routes-runs")).to_contain_text("Braunschweig F12 20 + Magdeburg F14 20")
    expect(page.locator("#board-now .run-0")).to_have_count(2)

    # Turned away from Braunschweig, the tile leads nowhere; the way back shows the run again.
    page.get_by_title("Turn to the right (R)").click()
    expect(page.locator(".routes-best")).to_contain_text("No train can run")
    expect(page.locator("#board-now .run-0")).to_have_count(0)
    page.go_back()
    expect(page.locator("#routes-total")).to_have_text("40\N{NO-BREAK SPACE}M")

    # The address has everything: someone else sees the same.
    other = visit(page.url)
    expect(other.locator("#routes-total")).to_have_text("40\N{NO-BREAK SPACE}M")
    expect(other.locator("#board-now .run-0")).to_have_count(2)


def test_by_keyboard(visit: Visit) -> None:
    page = visit("/routes/1835?tiles=F14.57.0&stations=3.F14.0&trains=3.2&company=3&hex=F14")
    page.locator('[data-pick="hex:F14"]').focus()
    page.keyboard.press("r")
    expect(page.locator(".routes-best")).to_contain_text("No train can run")
    page.keyboard.press("Shift+R")
    expect(page.locator("#routes-total")).to_have_text("40\N{NO-BREAK SPACE}M")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator("#routes-hex-title")).to_contain_text("F12 Braunschweig")
    expect(page.locator("#routes-hex")).to_contain_text("No tile can lie here")
    expect(page.locator('[data-pick="hex:F12"]')).to_be_focused()
    page.get_by_label("Hex", exact=True).fill("zz9")
    page.keyboard.press("Enter")
    expect(page.locator("#routes-error")).to_contain_text("There is no hex 'ZZ9'")
    # Nothing that comes later takes the sentence away.
    page.wait_for_load_state("networkidle")
    expect(page.locator("#routes-error")).to_contain_text("There is no hex 'ZZ9'")
    expect(page.locator("#routes-total")).to_have_text("40\N{NO-BREAK SPACE}M")


def test_a_position_is_saved_and_opened(visit: Visit, tmp_path: Path) -> None:
    page = visit("/routes/1835?tiles=F14.57.0&stations=3.F14.0&trains=3.2&company=3")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save position").click()
    path = tmp_path / "mine.toml"
    download.value.save_as(path)
    page.get_by_role("button", name="Clear the map").click()
    expect(page.locator("#board-now")).not_to_contain_text("F14 #57")
    page.locator("input[type=file]").set_input_files(path)
    expect(page.locator("#routes-total")).to_have_text("40\N{NO-BREAK SPACE}M")


def test_on_a_phone(visit: Visit) -> None:
    page = visit("/routes/1835?company=BY", size=(390, 844), theme="dark", language="de")
    page.locator('[data-pick="stop:O15/0"]').tap()
    expect(page.locator("#routes-hex-title")).to_contain_text("München")
    do(page, "station BY O15 0")
    expect(page.locator('#board-now [data-pick="stop:O15/0"]')).to_contain_text("BY")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390

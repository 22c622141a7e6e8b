"""The one dialog of a page: what is typed into it stays, and without the server the table does."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.table import hot_seat

NOTES = 'a[data-card][href$="/notes"]'


def open_card(page: Page, link: str) -> None:
    page.locator(link).first.evaluate("link => link.click()")


def test_notes_that_are_not_saved_are_there_again(visit: Any) -> None:
    page = hot_seat(visit)
    open_card(page, NOTES)
    notes = page.locator("#popup textarea[name=text]")
    notes.fill("Anna wants Leeds")
    page.keyboard.press("Escape")
    expect(page.locator("#popup")).to_be_hidden()
    open_card(page, NOTES)
    expect(notes).to_have_value("Anna wants Leeds")
    page.locator("#popup").get_by_role("button", name="Save").click()
    expect(page.locator("#popup")).to_contain_text("Saved.")
    # Anyone who has nothing but the keyboard goes on from the button.
    expect(page.locator("#popup").get_by_role("button", name="Save")).to_be_focused()
    expect(notes).to_have_value("Anna wants Leeds")


def test_what_another_device_has_written_meanwhile_is_kept(visit: Any) -> None:
    page = hot_seat(visit)
    open_card(page, NOTES)
    notes = page.locator("#popup textarea[name=text]")
    save = page.locator("#popup").get_by_role("button", name="Save")
    notes.fill("Anna wants Leeds")
    page.keyboard.press("Escape")
    other = page.context.new_page()
    other.goto(f"{page.url.partition('#')[0]}/notes")
    other.locator("textarea[name=text]").fill("Bernd bluffs")
    other.get_by_role("button", name="Save").click()
    expect(other.locator("textarea[name=text]")).to_have_value("Bernd bluffs")
    # The card that opens has seen it, but not what was typed before.
    open_card(page, NOTES)
    expect(notes).to_have_value("Anna wants Leeds")
    save.click()
    both = "Anna wants Leeds\n\n— Written on another device in the meantime: —\nBernd bluffs"
    expect(notes).to_have_value(both)
    # What is typed while it is being saved takes the place of that, as of anything one has seen.
    notes.fill("Leeds")
    with page.expect_response("**/notes"):
        notes.evaluate(
            """field => {
              field.form.querySelector("button").click();
              field.value = "York";
              field.dispatchEvent(new Event("input", { bubbles: true }));
            }"""
        )
    expect(page.locator("#popup")).to_contain_text("Saved.")
    expect(notes).to_have_value("York")
    with page.expect_response("**/notes"):
        save.click()
    other.reload()
    expect(other.locator("textarea[name=text]")).to_have_value("York")


def test_without_the_server_a_rule_is_not_shown_but_the_table_stays(visit: Any) -> None:
    page = hot_seat(visit)
    address = page.url
    open_card(page, NOTES)
    expect(page.locator("#popup textarea[name=text]")).to_be_visible()
    page.keyboard.press("Escape")
    page.context.set_offline(True)
    open_card(page, NOTES)
    expect(page.locator("#popup [role=alert]")).to_be_visible()
    assert page.url == address
    page.context.set_offline(False)
    page.keyboard.press("Escape")
    open_card(page, NOTES)
    expect(page.locator("#popup textarea[name=text]")).to_be_visible()

"""Taking back, doing again and playing on from a move, as a player at the page does it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.table import (
    choices,
    choose,
    first_label,
    hot_seat,
    number,
    on_turn,
    open_table,
    start_two,
    wait_for_move,
)
from tests.browser.test_looking_back import COMPUTER, at, shown


def moves(page: Page, wanted: int) -> None:
    """Wait until the page shows that there are this many moves."""
    expect(page.locator("#live")).to_have_attribute("data-number", str(wanted))


def token(page: Page) -> None:
    choose(page, first_label(page, "take-token"))


def test_keys_take_back_and_do_again(visit: Any) -> None:
    page = hot_seat(visit)
    for _ in range(3):
        token(page)
    before = shown(page)
    for left in (2, 1):
        page.keyboard.press("Control+z")
        moves(page, left)
    expect(page.locator("#table-note")).to_contain_text("takes back a move")
    for key, there in (("Control+y", 2), ("Control+Shift+z", 3)):
        page.keyboard.press(key)
        moves(page, there)
    assert shown(page) == before
    expect(page.locator("#redo")).to_have_count(0)
    # It stays in the log, also after the page is reloaded.
    notes = page.locator("#log .note")
    expect(notes).to_have_count(4)
    page.reload()
    expect(notes).to_have_count(4)
    # While something is typed, the keys belong to the text.
    page.locator("#tab-chat").click()
    page.locator("#chat-form input").fill("Oh")
    page.keyboard.press("Control+z")
    token(page)
    moves(page, 4)
    page.locator("#chat-form input").blur()
    # Another move is another course.
    page.keyboard.press("Control+z")
    moves(page, 3)
    expect(page.locator("#redo")).to_be_visible()
    token(page)
    expect(page.locator("#redo")).to_have_count(0)


def test_a_key_that_is_held_takes_back_one_move(visit: Any) -> None:
    page = hot_seat(visit)
    for _ in range(2):
        token(page)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.keyboard.down("Control")
    for _ in range(3):
        # Pressed again without being let go: the key repeats.
        page.keyboard.down("z")
    moves(page, 1)
    assert len([url for url in sent if url.endswith("/undo")]) == 1


def test_what_others_did_is_read_before_it_goes(visit: Any) -> None:
    anna, bernd = start_two(visit, undo="free")
    mover = on_turn(anna, bernd)
    other = bernd if mover is anna else anna
    for _ in range(2):
        token(mover)
    wait_for_move(other, 2)
    token(other)
    wait_for_move(mover, 3)
    mover.keyboard.press("Control+z")
    offers = mover.locator("#undo-offers")
    expect(offers).to_be_visible()
    moves(mover, 3)
    for sentence in ("takes back a move by", "takes back 2 moves (1 of yours and 1 by"):
        expect(offers).to_contain_text(sentence)
    expect(offers.locator("button.main").first).to_be_focused()
    mover.keyboard.press("Escape")
    expect(offers).to_be_hidden()
    mover.locator("[data-undo]").click()
    offers.get_by_role("button", name="Take my last move back").click()
    moves(mover, 1)
    expect(offers).to_be_hidden()
    # The other one is told, and may do it again.
    expect(other.locator("#table-note")).to_contain_text("takes back 2 moves")
    other.locator("#redo button").click()
    moves(mover, 3)


def test_back_to_the_move_that_is_looked_at(visit: Any) -> None:
    page = hot_seat(visit)
    for _ in range(4):
        token(page)
    for move in (3, 2):
        page.keyboard.press("ArrowLeft")
        at(page, move)
    past = shown(page)
    page.get_by_role("button", name="Take back to here").click()
    here = page.locator("#undo-here")
    expect(here).to_contain_text("This takes back 2 moves")
    here.locator("button.main").click()
    moves(page, 2)
    at(page, None)
    assert shown(page)[1:3] == past[1:3]
    page.locator("#redo button").click()
    moves(page, 4)


def test_playing_on_from_a_move_while_computers_play(visit: Any) -> None:
    page = visit()
    fields = {f"seat{seat}_{what}": of for seat in (0, 1) for what, of in COMPUTER.items()}
    table = open_table(page, "bot", **fields)
    wait_for_move(page, 4)
    page.goto(f"{table}?move=2")
    at(page, 2)
    second = '#log [data-move="2"]:not(.note) .said'
    past, told = shown(page), page.locator(second).all_inner_texts()
    assert told
    page.get_by_role("button", name="Play on from here").first.click()
    form = page.locator("#play-on")
    expect(form).to_contain_text("Play on after move 2")
    form.locator("#copy-seat-1").select_option("me")
    # The game goes on behind it, and what was chosen stays.
    wait_for_move(page, number(page) + 2)
    expect(form).to_be_visible()
    expect(form.locator("#copy-seat-1")).to_have_value("me")
    form.locator("#copy-seat-0").select_option("me")
    form.get_by_role("button", name="Play on from here").click()
    page.wait_for_url(lambda url: table not in url)
    moves(page, 2)
    assert shown(page)[3:] == past[3:]
    assert page.locator(second).all_inner_texts() == told
    assert choices(page)
    choose(page, choices(page)[0]["label"])
    page.locator("#tab-table").click()
    expect(page.locator("#origin")).to_contain_text("Copied from another table after move 2.")
    page.locator("#origin a").click()
    at(page, 2)
    assert table in page.url


def test_again_with_the_same_people(visit: Any) -> None:
    anna, bernd = start_two(visit)
    old = anna.url
    anna.locator("#tab-table").click()
    anna.locator("#ending summary").click()
    anna.get_by_role("button", name="Ask the others to end the game").click()
    bernd.get_by_role("button", name="Agree").click()
    for page in (anna, bernd):
        expect(page.locator("#live")).to_have_attribute("data-status", "closed")
    anna.get_by_role("button", name="Rematch").click()
    anna.wait_for_url(lambda url: url != old)
    # The other one is told at the old table, and finds the new one.
    bernd.locator("#tab-table").click()
    bernd.get_by_role("link", name="Go to the rematch").click()
    for page in (anna, bernd):
        expect(page.locator("#live.game")).to_be_visible()
    assert anna.url == bernd.url
    on_turn(anna, bernd)

"""A round of Nimm den Zug between two people in two browsers, and what the page does for its open
auctions, its target tiles and narrow screens."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import numbered
from tests.browser.table import (
    ask,
    choices,
    choose,
    has_turn,
    number,
    on_turn,
    open_table,
    play_on,
    point,
    start_two,
    take_device,
    wait_for_move,
)

#: The action that is preferred among those on offer.
PREFERRED = (
    "take",
    "offer",
    "keep",
    "buy",
    "turn-down",
    "favour",
    "use-target",
    "ready",
    "hold",
    "pass",
)


@pytest.fixture(scope="module")
def program() -> str:
    """A server on which an auction is drawn by lot if enough tables are opened."""
    return numbered()


def bid(page: Page, more: int = 0) -> None:
    """Bid so much more than the lowest amount, by the button and the field beside the board."""
    before = number(page)
    choice = next(one for one in choices(page) if one["action"]["action"] == "bid")
    page.locator(f'#action-bar [data-name="{choice["label"]}"]').click()
    if choice["amount"]["high"] > choice["amount"]["low"]:
        page.locator("#amount").fill(str(choice["amount"]["low"] + more))
    page.locator("#action-bar [data-name=confirm]").click()
    wait_for_move(page, before + 1)


def go_on(page: Page) -> None:
    """Some sensible move."""
    offered = choices(page)
    for kind in PREFERRED:
        for choice in offered:
            if choice["action"]["action"] == kind:
                choose(page, choice["label"])
                return
    bid(page)


def sealed(pages: tuple[Page, ...]) -> None:
    """An auction with secret bids: both decide at the same time, knowing nothing of each other."""
    starter = on_turn(*pages)
    other = pages[1] if starter is pages[0] else pages[0]
    before = number(starter)
    offer = choices(starter)[0]
    point(starter, offer["keys"][0])
    wait_for_move(other, before + 1)
    wait_for_move(starter, before + 1)
    assert has_turn(starter)
    assert has_turn(other)
    # The other one has the page of before the first bid, and bids from there.
    other.locator("#action-bar").get_by_role("button", name="Bid secretly").click()
    amount = other.locator("#amount")
    amount.fill("1")
    bid(starter, 50)
    # What is being typed when a bid arrives is gone on with.
    wait_for_move(other, before + 2)
    amount.press_sequentially("50")
    expect(amount).to_have_value("150")
    other.locator("#action-bar [data-name=confirm]").click()
    for page in pages:
        wait_for_move(page, before + 3)
        expect(page.locator("#move-error")).to_be_hidden()
    starter.locator("#tab-log").click()
    expect(starter.locator("#log")).to_contain_text("$150")


def opened(pages: tuple[Page, ...]) -> None:
    """An open auction: bids are called out until the time is up."""
    starter = on_turn(*pages)
    other = pages[1] if starter is pages[0] else pages[0]
    bid(starter)
    before = number(starter)
    wait_for_move(other, before)
    expect(other.locator(".timer b")).to_have_text(re.compile(r"0:\d\d"))
    # The bidder sees the time of the other one, without being asked.
    expect(starter.locator(".timer b")).to_have_text(re.compile(r"0:\d\d"))
    assert not has_turn(starter)
    bid(other, 50)
    wait_for_move(starter, before + 1)
    assert has_turn(starter)
    choose(starter, "Let the bid stand")
    wait_for_move(other, before + 2)
    other.locator("#tab-log").click()
    expect(other.locator("#log")).to_contain_text("buys")


def open_until(visit: Any, wanted: str, *guests: str, **fields: Any) -> tuple[Page, ...]:
    """A game of Anna and guests whose first round has that auction; the types are drawn by lot, so
    tables are opened until it is drawn."""
    anna, *others = pages = tuple(visit() for _ in ("Anna", *guests))
    for _ in range(100):
        seats = [{"kind": "me", "name": "Anna"}, *({"kind": "open"} for _ in guests)]
        address = ask(anna, "/api/tables", title="nimm", seats=seats, **fields)["url"]
        for seat, (page, name) in enumerate(zip(others, guests, strict=True), 1):
            ask(page, f"/api/tables{address[2:]}/join", seat=seat, name=name)
        if ask(anna, f"/api/tables{address[2:]}/start")["state"]["auction"] == wanted:
            for page in pages:
                page.goto(address)
                expect(page.locator("#live.game")).to_be_visible()
            return pages
        anna.request.post(f"{address}/end")
        for page in others:
            page.request.post(f"{address}/end/answer", data={"answer": "yes"})
    pytest.fail("no such auction was drawn")


def go_on_for(pages: tuple[Page, ...], moves: int) -> None:
    """Make some moves by the pages, which follow each other."""
    for _ in range(moves):
        go_on(on_turn(*pages))


def to_the_next_round(pages: tuple[Page, ...]) -> None:
    """Programs play on until the second round."""

    def sensible(offered: list[dict[str, Any]]) -> Any:
        found = (
            c["action"] for kind in PREFERRED for c in offered if c["action"]["action"] == kind
        )
        return next(found, offered[0]["action"])

    play_on(pages, sensible, lambda game: bool(game["state"]["round"] == 2))


def test_a_round_with_secret_bids(visit: Any) -> None:
    pages = open_until(visit, "sealed", "Bernd")
    sealed(pages)
    go_on_for(pages, 6)
    to_the_next_round(pages)
    for page in pages:
        page.locator("#tab-log").click()
        expect(page.locator("#log")).to_contain_text("Round 2")
        # No one is told what the other has.
        expect(page.locator(".seat .score").filter(has_text="–")).to_have_count(1)
        page.locator("#tab-table").click()
        assert page.get_by_role("link", name="Save the record").count() == 0


def test_a_hint_names_the_bid_and_makes_it(visit: Any) -> None:
    pages = open_until(visit, "sealed", "Bernd")
    starter = on_turn(*pages)
    before = number(starter)
    point(starter, choices(starter)[0]["keys"][0])
    wait_for_move(starter, before + 1)
    starter.get_by_role("button", name="Hint").click()
    advice = starter.locator("#hint .hint strong")
    expect(advice).to_have_text(re.compile(r"^Hint: Bid secretly: \$[\d,]+$"))
    amount = advice.inner_text().rsplit(" ", 1)[1]
    starter.get_by_role("button", name="Do this").click()
    expect(starter.locator("#toasts")).to_contain_text(f"Done for you: Bid {amount}")
    wait_for_move(starter, before + 2)


def test_an_open_auction_against_the_clock(visit: Any) -> None:
    pages = open_until(visit, "open", "Bernd", objection=15)
    pages[0].locator("#tab-table").click()
    expect(pages[0].locator(".facts-list:not(#head)").first).to_contain_text(
        "Time to raise in an open auction"
    )
    opened(pages)
    go_on_for(pages, 6)


def test_a_bid_is_one_tap(visit: Any) -> None:
    pages = open_until(visit, "open", "Bernd", objection=10)
    starter = on_turn(*pages)
    before = number(starter)
    other = next(page for page in pages if page is not starter)
    least = next(one for one in choices(starter) if one["amount"])["amount"]["low"]
    starter.get_by_role("button", name=f"Bid ${least:,}", exact=True).click()
    wait_for_move(other, before + 1)
    # Raises stand beside the least bid; to let every bid stand takes two taps.
    dearer = next(one for one in choices(other) if one["amount"])["amount"]["quick"]
    assert len(dearer) == 4
    expect(other.locator("#never-ask button")).to_be_hidden()
    expect(other.locator("[data-call]")).to_contain_text("Going once")
    other.get_by_role("button", name=re.compile(rf"Bid \${dearer[-1]:,}$")).click()
    wait_for_move(starter, before + 2)
    expect(starter.locator("#prompt")).to_contain_text(f"has bid ${dearer[-1]:,}")


def test_an_amount_being_typed_is_not_lost(visit: Any) -> None:
    pages = open_until(visit, "open", "Bernd", "Clara")
    starter = on_turn(*pages)
    before = number(starter)
    bid(starter)
    typing, other = (page for page in pages if page is not starter)
    for page in (typing, other):
        wait_for_move(page, before + 1)
    # Nothing is said of a time, because the table has none.
    expect(typing.locator("#live")).not_to_contain_text("time runs out")
    lowest = next(one for one in choices(typing) if one["amount"])["amount"]["low"]
    typing.get_by_role("button", name="Another amount").click()
    amount = typing.locator("#amount")
    amount.fill("1")
    starter.locator("#tab-chat").click()
    starter.get_by_placeholder("Write to the table").fill("Well?")
    starter.get_by_role("button", name="Send").click()
    expect(typing.locator("#tab-chat .count")).to_have_text("1")
    expect(amount).to_have_value("1")
    # A lower bid of someone else leaves it, ...
    amount.fill(str(lowest + 200))
    bid(other)
    for page in (typing, starter):
        wait_for_move(page, before + 2)
    expect(amount).to_have_value(str(lowest + 200))
    # ... a higher one asks again, and never for more than was typed.
    bid(starter, 500)
    wait_for_move(typing, before + 3)
    expect(amount).to_have_count(0)
    least = next(one for one in choices(typing) if one["amount"])["amount"]["low"]
    expect(typing.get_by_role("button", name=f"Bid ${least:,}", exact=True)).to_be_visible()
    expect(typing.locator("#action-bar")).not_to_contain_text("Which of these?")


def test_a_telephone_shows_the_tracks_below_each_other(visit: Any) -> None:
    anna, bernd = start_two(visit, title="nimm")
    address = "/" + anna.url.split("/", 3)[3]
    phone = visit(address, size=(390, 844), theme="dark", language="de")
    boxes = [
        phone.locator(f'#board-now [data-pick="seat:{seat}"]').first.bounding_box()
        for seat in (0, 1)
    ]
    one, two = boxes
    assert one
    assert two
    assert abs(one["x"] - two["x"]) < 2
    assert two["y"] > one["y"] + one["height"] - 2
    # It stays so when the table changes.
    mover = on_turn(anna, bernd)
    before = number(mover)
    go_on(mover)
    wait_for_move(phone, before + 1)
    after = phone.locator('#board-now [data-pick="seat:1"]').first.bounding_box()
    assert after
    assert abs(after["y"] - two["y"]) < 2


def test_cards_are_replaced_by_marking_them(visit: Any) -> None:
    page = visit(size=(390, 844))
    open_table(page, "hotseat", title="nimm")
    for _ in range(200):
        take_device(page)
        if any(choice["several"] for choice in choices(page)):
            break
        go_on(page)
    open_cards = page.locator("#board-now .card[data-pick^='card:']")
    before = number(page)
    page.locator("#action-bar").get_by_role("button", name="Replace cards …").click()
    confirm = page.locator("#action-bar [data-name=confirm]")
    expect(confirm).to_be_disabled()
    # On the board and in the bar, in any order, and let go again.
    open_cards.nth(1).click()
    first = page.locator("#action-bar .markable").first
    first.click()
    expect(page.locator("#action-bar .marked")).to_have_text("2 marked")
    expect(open_cards.nth(0)).to_have_attribute("aria-pressed", "true")
    first.click()
    expect(page.locator("#action-bar .marked")).to_have_text("1 marked")
    expect(open_cards.nth(0)).to_have_attribute("aria-pressed", "false")
    first.focus()
    page.keyboard.press("Enter")
    expect(first).to_be_focused()
    confirm.click()
    wait_for_move(page, before + 1)
    page.locator("#tab-log").click()
    expect(page.locator("#log")).to_contain_text("replace")


def test_a_device_is_handed_over(visit: Any) -> None:
    page = visit()
    open_table(page, "hotseat", title="nimm")
    who = page.locator("#prompt .turn-sign")
    hidden = page.locator(".seat .score").filter(has_text="–")
    for _ in range(6):
        expect(page.locator("#curtain").or_(hidden).first).to_be_visible()
        if page.locator("#curtain").count() or hidden.count() > 1:
            expect(page.locator("#curtain")).to_be_visible()
            # No one's money, and nothing to choose.
            expect(page.locator(".seat .score")).to_have_text(["–", "–"])
            assert not choices(page)
            assert has_turn(page)
            button = page.locator("#curtain button.main").first
            name = button.inner_text().split("I am ")[1]
            button.click()
            expect(page.locator("#curtain")).to_have_count(0)
            expect(who).to_contain_text(name)
        expect(hidden).to_have_count(1)
        before = number(page)
        go_on(page)
        wait_for_move(page, before + 1)
    # What one player looked back at goes with the device.
    take_device(page)
    page.locator("[data-step=first]").click()
    expect(page.locator(".past-banner")).to_be_visible()
    page.get_by_role("button", name="Hand the device over").click()
    expect(page.locator("#prompt")).to_contain_text("device")
    expect(page.locator(".past-banner")).to_have_count(0)
    expect(page.locator("#board-now svg")).to_be_visible()

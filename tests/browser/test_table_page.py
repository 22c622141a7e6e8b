"""The parts of the table page, one by one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import (
    choices,
    choose,
    first_label,
    hot_seat,
    number,
    on_turn,
    open_table,
    play_on,
    point,
    send,
    start_two,
    wait_for_move,
)

PHONE = (390, 844)


def test_what_is_new_comes_by_itself(visit: Any) -> None:
    page = hot_seat(visit)
    watching = visit("/" + page.url.split("/", 3)[3])
    fetched: list[str] = []
    watching.on("request", lambda request: fetched.append(request.url))
    with watching.expect_response(lambda answer: "/events?" in answer.url):
        watching.reload()
    choose(page, first_label(page, "extend-line"))
    wait_for_move(watching, number(page))
    # From the first one on the stream has begun for certain.
    fetched.clear()
    before = watching.locator("#board-now").get_attribute("data-board")
    choose(page, first_label(page, "extend-line"))
    wait_for_move(watching, number(page))
    assert watching.locator("#board-now").get_attribute("data-board") != before
    assert not [url for url in fetched if "/live" in url]


#: Streams of events that can be made deaf: no line between here and there is cut, and nothing comes through.
DEAF = """
addEventListener('make-deaf', () => { for (const source of sources) source.deaf = true; });
const sources = [];
EventSource = class extends EventSource {
  constructor(...all) { super(...all); sources.push(this); }
  addEventListener(kind, listener) {
    super.addEventListener(kind, event => { if (!this.deaf) listener(event); });
  }
};
"""


def test_a_connection_that_only_seems_to_be_there_is_made_anew(visit: Any) -> None:
    page = hot_seat(visit)
    watching = visit()
    watching.add_init_script(DEAF)
    watching.clock.install()
    with watching.expect_response(lambda answer: "/events?" in answer.url):
        watching.goto(page.url)
    watching.evaluate("dispatchEvent(new Event('make-deaf'))")
    before = number(watching)
    choose(page, first_label(page, "extend-line"))
    assert number(watching) == before
    watching.clock.fast_forward(60_000)
    wait_for_move(watching, number(page))


def test_a_busy_server_is_asked_again_when_it_says(visit: Any) -> None:
    page = hot_seat(visit)
    watching = visit()
    watching.clock.install()
    asked: list[str] = []
    refusal = {"status": 429, "headers": {"retry-after": "20"}, "body": "Too much."}

    def refuse(route: Any) -> None:
        asked.append(route.request.url)
        route.fulfill(**refusal)

    for address in ("**/events?*", "**/live?*"):
        watching.route(address, refuse)
    watching.goto(page.url)
    banner = watching.locator("#connection")
    expect(banner).to_have_text("The server is busy, trying again in 20 s")
    known = len(asked)
    choose(page, first_label(page, "extend-line"))
    watching.clock.fast_forward(15_000)
    # What is asked would have arrived before this answer.
    watching.evaluate("fetch('/health')")
    assert len(asked) == known
    for address in ("**/events?*", "**/live?*"):
        watching.unroute(address)
    watching.clock.fast_forward(6_000)
    wait_for_move(watching, number(page))
    expect(banner).to_be_hidden()


def test_a_page_behind_a_proxy_without_its_server_tries_again_as_soon_as_any_other(
    visit: Any,
) -> None:
    page = hot_seat(visit)
    watching = visit()
    watching.clock.install(time=0)
    watching.goto(page.url)
    watching.clock.pause_at(60_000)
    for address in ("**/events?*", "**/live?*"):
        watching.route(address, lambda route: route.fulfill(status=502))
    # As when the server ends: the browser says that the stream is over.
    watching.evaluate("dispatchEvent(new Event('offline'))")
    expect(watching.locator("#connection")).to_be_visible()
    for wait in (500, 1000, 2000):
        # The stream is refused, then the table.
        with watching.expect_response("**/live?*"):
            watching.clock.fast_forward(wait)
        watching.evaluate("fetch('/health')")  # what the page makes of it comes before this
    for address in ("**/events?*", "**/live?*"):
        watching.unroute(address)
    watching.clock.fast_forward(4000)
    expect(watching.locator("#connection")).to_be_hidden()


#: A page in the background until it is looked at.
BEHIND = """
let behind = true;
Object.defineProperty(document, 'visibilityState', { get: () => behind ? 'hidden' : 'visible' });
addEventListener('look', () => { behind = false; document.dispatchEvent(new Event('visibilitychange')); });
"""


def test_many_pages_in_the_background_leave_a_connection_to_others(visit: Any) -> None:
    page = hot_seat(visit)
    behind = [page.context.new_page() for _ in range(8)]
    for one in behind:
        one.add_init_script(BEHIND)
        one.goto(page.url)
        expect(one.locator("#live.game")).to_be_visible()
    # Without a connection to spare no move would be accepted, and nothing would be loaded.
    choose(page, first_label(page, "extend-line"))
    page.reload()
    expect(page.locator("#live.game")).to_be_visible()
    for one in behind:
        one.evaluate("dispatchEvent(new Event('look'))")
        wait_for_move(one, number(page))
        one.close()


# ---- choosing


def test_choosing_on_the_board(visit: Any) -> None:
    page = hot_seat(visit)
    extend = next(c for c in choices(page) if c["action"]["action"] == "extend-line")
    line, target = extend["keys"]
    locomotive = page.locator(f'#board-now [data-pick="{line}"]')
    expect(locomotive).to_have_class(re.compile("can-pick"))
    point(page, line)
    expect(locomotive).to_have_class(re.compile("picked"))
    expect(page.locator(f'#board-now [data-pick="{target}"]')).to_have_class("place target")

    # Esc gives up, and so does a click elsewhere.
    page.keyboard.press("Escape")
    expect(locomotive).to_have_class(re.compile("can-pick"))
    point(page, line)
    page.locator(".board-view").click(position={"x": 15, "y": 300})
    expect(locomotive).to_have_class(re.compile("can-pick"))

    # Nothing is sent before it is confirmed.
    point(page, line)
    point(page, target)
    expect(page.locator("#action-bar .what")).to_have_text(extend["label"])
    page.get_by_role("button", name="Cancel").click()
    assert number(page) == 0


def test_a_group_of_choices_can_be_asked_for(visit: Any) -> None:
    page = hot_seat(visit)
    page.locator("#action-bar .chip", has_text="Extend a line").click()
    expect(page.locator('#board-now .can-pick[data-pick^="line:"]')).to_have_count(7)
    expect(page.locator('#board-now .can-pick:not([data-pick^="line:"])')).to_have_count(0)
    page.keyboard.press("Escape")
    assert page.locator('#board-now .can-pick:not([data-pick^="line:"])').count() > 7


def test_list_entries_point_at_the_board(visit: Any) -> None:
    page = hot_seat(visit)
    page.locator("#tab-moves").click()
    page.locator("#choice-list summary", has_text="Extend a line").click()
    entry = page.locator("#choice-list [data-entry]", has_text="Extend").first
    entry.hover()
    expect(page.locator("#board-now .sign.point:not(.halo)")).to_have_count(2)
    page.locator("#choice-list .filter:visible").first.fill("GWR")
    for label in page.locator("#choice-list [data-entry]:visible").all_inner_texts():
        assert "GWR" in label


def test_what_is_searched_for_stays_when_somebody_else_moves(visit: Any) -> None:
    page = hot_seat(visit)
    page.locator("#tab-moves").click()
    page.locator("#choice-list summary", has_text="Extend a line").click()
    search = page.locator("#choice-list .filter:visible")
    search.fill("GWR")
    before = number(page)
    # Not from this page: nothing in it has lost the focus.
    action = next(c["action"] for c in choices(page) if c["action"]["action"] == "extend-line")
    send(page, before, action)
    wait_for_move(page, before + 1)
    expect(search).to_have_value("GWR")
    expect(search).to_be_focused()
    for label in page.locator("#choice-list [data-entry]:visible").all_inner_texts():
        assert "GWR" in label


def test_a_move_with_the_keyboard_only(visit: Any) -> None:
    page = hot_seat(visit)
    # Tab leads to the board, which is one stop; arrows move on it.
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('#board-now') !== null"):
            break
    focused = "document.activeElement.getAttribute('data-pick')"
    start = page.evaluate(focused)
    assert start
    for _ in range(60):
        page.keyboard.press("ArrowDown")
        if str(page.evaluate(focused)).startswith("line:"):
            break
        page.keyboard.press("ArrowRight")
        if str(page.evaluate(focused)).startswith("line:"):
            break
    assert page.evaluate(focused) != start
    # The action bar and the list work in the same way: here a token is chosen from the list.
    page.locator("#tab-moves").focus()
    page.keyboard.press("Enter")
    page.locator("#choice-list summary", has_text="Take a metropolis token").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#choice-list .filter:visible")).to_have_count(1)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    confirm = page.locator("#action-bar [data-name=confirm]")
    if confirm.count():
        expect(confirm).to_be_focused()
        page.keyboard.press("Enter")
    wait_for_move(page, 1)
    # The focus stays where the next choice is made.
    expect(page.locator("#choice-list summary:focus")).to_have_count(1)


def test_a_locomotive_with_the_keyboard_only(visit: Any) -> None:
    page = hot_seat(visit)
    line = '#board-now [data-pick="line:GWR"]'
    page.locator("#action-bar .chip", has_text="Extend a line").focus()
    page.keyboard.press("Enter")
    expect(page.locator('#board-now .can-pick:not([data-pick^="line:"])')).to_have_count(0)
    page.locator('#board-now [data-pick][tabindex="0"]').focus()
    focused = "document.activeElement.getAttribute('data-pick')"
    seen = set()
    for key in ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight") * 6:
        page.keyboard.press(key)
        seen.add(page.evaluate(focused))
    assert None not in seen
    assert len(seen) > 3
    page.locator(line).focus()
    page.keyboard.press("Enter")
    expect(page.locator(line)).to_have_class(re.compile("picked"))
    assert page.evaluate("document.activeElement.classList.contains('target')")
    page.keyboard.press("Enter")
    expect(page.locator("#action-bar [data-name=confirm]")).to_be_focused()
    page.keyboard.press("Enter")
    wait_for_move(page, 1)


def test_a_refused_move_names_its_rule(visit: Any) -> None:
    page = hot_seat(visit)
    # The page offers nothing that is refused, so the request is changed on its way.
    page.route(
        "**/move",
        lambda route: route.continue_(
            post_data=re.sub(r'"hex":"[^"]*"', '"hex":"A8"', route.request.post_data or "")
        ),
    )
    page.locator("#tab-moves").click()
    page.evaluate(
        "() => document.querySelectorAll('#choice-list details').forEach(d => d.open = true)"
    )
    page.locator("#choice-list [data-entry]", has_text="Extend GWR").first.click()
    page.get_by_role("button", name="Confirm").click()
    alert = page.locator("#move-error")
    expect(alert).to_be_visible()
    alert.locator("a.rule").click()
    expect(page.locator("#popup .rule-text")).to_be_visible()
    page.keyboard.press("Escape")
    assert number(page) == 0


# ---- board


def test_zoom_by_keys_wheel_and_drag_survives_a_move(visit: Any) -> None:
    page = hot_seat(visit)
    box = "document.querySelector('#board-now > svg').getAttribute('viewBox')"
    whole = page.evaluate(box)
    page.keyboard.press("+")
    page.keyboard.press("+")
    near = page.evaluate(box)
    assert near != whole
    page.mouse.move(400, 400)
    page.mouse.down()
    page.mouse.move(300, 350, steps=4)
    page.mouse.up()
    moved = page.evaluate(box)
    assert moved != near
    choose(page, first_label(page, "take-token"))
    assert page.evaluate(box) == moved
    page.mouse.wheel(0, -300)
    page.wait_for_function(f"before => {box} !== before", arg=moved)
    page.keyboard.press("0")
    assert page.evaluate(box).split() == [
        str(int(float(n))) if float(n).is_integer() else n for n in whole.split()
    ]


# ---- players among each other


def offer_of(mover: Page) -> str:
    """Move a locomotive after taking part in its line before; the line's name."""
    extend = next(c for c in choices(mover) if c["action"]["action"] == "extend-line")
    choose(mover, str(extend["label"]))
    return str(extend["action"]["line"])


def extend_label(page: Page, line: str) -> str:
    return next(
        str(c["label"])
        for c in choices(page)
        if c["action"]["action"] == "extend-line" and c["action"]["line"] == line
    )


def test_an_offer_that_is_not_answered_in_time_is_declined(visit: Any) -> None:
    pages = start_two(visit, objection="15")
    first = on_turn(*pages)
    second = pages[1] if first is pages[0] else pages[0]
    line = offer_of(first)
    choose(first, first_label(first, "take-token"))
    wait_for_move(second, 2)
    choose(second, extend_label(second, line))
    wait_for_move(first, 3)
    # Both see who may object, and the seconds go down.
    asked = "Anna" if first is pages[0] else "Bernd"
    expect(second.locator("#prompt")).to_have_text(f"{asked} may object.")
    for page in (first, second):
        expect(page.locator("[role=timer]")).to_have_text(re.compile(r"^0:\d\d$"))
    before = first.locator("[role=timer]").inner_text()
    expect(first.locator("[role=timer]")).not_to_have_text(before)
    # No one answers.
    for page in (first, second):
        wait_for_move(page, 4)
        expect(page.locator("[role=timer]")).to_have_count(0)
        page.locator("#tab-log").click()
        expect(page.locator('#log [data-move="4"]').first).to_contain_text("(automatically)")
    assert on_turn(*pages) is second


def test_a_bid_is_chosen_with_the_slider(visit: Any) -> None:
    pages = start_two(visit)
    first = on_turn(*pages)
    # Each takes part in the line twice, and lets the other do so.
    line = offer_of(first)
    page, moves = first, 1
    while moves < 40:
        for page in pages:
            wait_for_move(page, moves)
        page = on_turn(*pages)
        offered = choices(page)
        bids = [c for c in offered if c["amount"] and c["amount"]["low"] < c["amount"]["high"]]
        if bids:
            break
        actions = [c["action"] for c in offered]
        wanted = ("call-veto" if moves > 8 else "let-stand", "pass-veto")
        asked = [a for kind in wanted for a in actions if a["action"] == kind]
        same = [a for a in actions if a.get("line") == line]
        send(page, moves, (asked or same or actions)[0])
        moves += 1
    bid = bids[0]
    point(page, bid["keys"][0])
    confirm = page.locator("#action-bar [data-name=confirm]")
    expect(confirm).to_have_text(f"Bid {bid['amount']['low']}")
    slider = page.locator("#action-bar [data-name=slider]")
    slider.focus()
    page.keyboard.press("End")
    expect(confirm).to_have_text(f"Bid {bid['amount']['high']}")
    expect(page.locator("#amount")).to_have_value(str(bid["amount"]["high"]))
    # A number that is not possible cannot be sent.
    page.locator("#amount").fill("99")
    expect(confirm).to_be_disabled()
    page.locator("#amount").blur()
    expect(confirm).to_have_text(f"Bid {bid['amount']['high']}")
    # What is no number leaves the amount that was there.
    page.locator("#amount").fill("1.5")
    expect(confirm).to_be_disabled()
    page.locator("#amount").blur()
    expect(confirm).to_have_text(f"Bid {bid['amount']['high']}")
    page.locator("#amount").press("ArrowDown")
    expect(page.locator("#amount")).to_have_value(
        str(bid["amount"]["high"] - bid["amount"]["step"])
    )
    page.locator("#amount").press("ArrowUp")
    confirm.click()
    wait_for_move(page, moves + 1)
    page.locator("#tab-log").click()
    expect(page.locator("#log li").filter(has_text=f"bids {bid['amount']['high']}")).to_be_visible()


def test_two_people_at_one_device(visit: Any) -> None:
    page = hot_seat(visit)
    sign = page.locator("#prompt .turn-sign")
    for turn in range(3):
        name = page.locator(".seat.turn .name").inner_text()
        player = next(one for one in ("Anna", "Guest 1") if one in name)
        expect(sign).to_contain_text(player)
        for _ in range(2):
            choose(page, first_label(page, "take-token"))
        expect(sign).to_contain_text("Guest 1" if player == "Anna" else "Anna")
        assert number(page) == 2 * turn + 2


def test_a_double_click_makes_one_move(visit: Any) -> None:
    page = hot_seat(visit)
    extend = next(c for c in choices(page) if c["action"]["action"] == "extend-line")
    for key in extend["keys"]:
        point(page, key)
    page.locator("#action-bar [data-name=confirm]").dblclick()
    wait_for_move(page, 1)
    page.reload()
    assert number(page) == 1


def test_two_windows_of_the_same_player(visit: Any) -> None:
    page = hot_seat(visit)
    other = page.context.new_page()
    other.goto(page.url)
    choose(other, first_label(other, "take-token"))
    wait_for_move(page, 1)
    choose(page, first_label(page, "take-token"))
    wait_for_move(other, 2)


def test_a_name_that_is_taken_is_refused_in_the_lobby(visit: Any) -> None:
    anna = visit()
    path = open_table(anna, "open")
    other = visit(path)
    other.get_by_placeholder("Your name").fill("anna")
    other.get_by_role("button", name="Sit down").click()
    expect(other.locator("#move-error")).to_contain_text("cannot both be called")
    other.get_by_placeholder("Your name").fill("Änne")
    other.get_by_role("button", name="Sit down").click()
    expect(other.locator(".seats-list")).to_contain_text("Änne")
    expect(other.locator("#move-error")).to_be_hidden()
    # The name is remembered for the next table.
    other.goto("/new?title=rocket")
    expect(other.locator("[name=seat0_name]")).to_have_value("Änne")


def test_a_table_closed_in_the_middle_still_shows_the_game(visit: Any) -> None:
    page = hot_seat(visit)
    choose(page, first_label(page, "take-token"))
    page.locator("#tab-table").click()
    page.locator("#ending summary").click()
    page.locator("#ending button").click()
    expect(page.locator("#prompt")).to_contain_text("The game was ended without a result.")
    expect(page.locator("#board-now svg.board")).to_be_visible()
    expect(page.locator("#choice-list")).to_have_count(0)
    page.locator("#tab-table").click()
    expect(page.get_by_role("link", name="Save the record")).to_be_visible()


def test_the_whole_log_is_shown_when_asked_for(visit: Any) -> None:
    page = hot_seat(visit)
    wanted = ("let-stand", "extend-line")

    def wander(offered: list[dict[str, Any]]) -> Any:
        actions = [choice["action"] for choice in offered]
        return next(one for kind in wanted for one in actions if one["action"] == kind)

    play_on([page], wander, lambda game: bool(game["number"] == 45))
    page.locator("#tab-log").click()
    lines = page.locator("#log li")
    expect(lines).to_have_count(60)
    page.locator("[data-whole-log]").click()
    expect(page.locator("#log-1")).to_be_attached()
    choose(page, str(choices(page)[0]["label"]))
    expect(page.locator("#log-1")).to_be_attached()


def test_undo_is_asked_for_and_answered(visit: Any) -> None:
    pages = start_two(visit)
    first = on_turn(*pages)
    second = pages[1] if first is pages[0] else pages[0]
    choose(first, first_label(first, "take-token"))
    first.get_by_role("button", name="Ask to take back").click()
    expect(first.locator(".undo-request")).to_be_visible()
    second.get_by_role("button", name="Refuse").click()
    expect(first.locator(".undo-request")).to_have_count(0)
    assert number(first) == 1
    first.get_by_role("button", name="Ask to take back").click()
    first.get_by_role("button", name="Withdraw").click()
    expect(second.locator(".undo-request")).to_have_count(0)
    first.get_by_role("button", name="Ask to take back").click()
    second.get_by_role("button", name="Agree").click()
    expect(first.locator("#live")).to_have_attribute("data-number", "0")
    expect(second.locator("#live")).to_have_attribute("data-number", "0")


def test_the_prompt_is_brought_up_to_date_while_it_has_the_focus(visit: Any) -> None:
    page = hot_seat(visit)
    prompt = page.locator("#prompt")
    expect(prompt).to_contain_text("First of two actions")
    prompt.focus()
    token = next(c["action"] for c in choices(page) if c["action"]["action"] == "take-token")
    page.request.post(
        f"/api{page.url[-13:].replace('/t/', '/tables/')}/move", data={"number": 0, "action": token}
    )
    expect(prompt).to_contain_text("Second")
    expect(prompt).to_be_focused()


def test_ending_the_game_is_asked_for_and_answered(visit: Any) -> None:
    anna, bernd = start_two(visit)
    bernd.locator("#tab-table").click()
    assert bernd.locator("#closing").count() == 0
    bernd.locator("#ending summary").click()
    bernd.get_by_role("button", name="Ask the others to end the game").click()
    expect(anna.locator(".undo-request")).to_contain_text("would like to end the game")
    anna.get_by_role("button", name="Agree").click()
    for page in (anna, bernd):
        expect(page.locator("#prompt")).to_contain_text("The game was ended without a result.")


def test_chat_is_text_and_is_not_lost_while_typing(visit: Any) -> None:
    pages = start_two(visit)
    first = on_turn(*pages)
    second = pages[1] if first is pages[0] else pages[0]
    first.locator("#tab-chat").click()
    second.locator("#tab-chat").click()
    field = first.get_by_placeholder("Write to the table")
    field.fill("<img src=x onerror=alert(1)> & <b>hello</b>")
    field.press("Enter")
    line = second.locator("#chat li .text").first
    expect(line).to_have_text("<img src=x onerror=alert(1)> & <b>hello</b>")
    assert second.locator("#chat img, #chat b").count() == 0
    expect(field).to_have_value("")
    half = second.get_by_placeholder("Write to the table")
    half.fill("half a sent")
    choose(first, first_label(first, "take-token"))
    wait_for_move(second, 1)
    expect(half).to_have_value("half a sent")
    expect(second.locator("#panel-chat")).to_be_visible()


def test_a_name_is_not_lost_while_others_move(visit: Any) -> None:
    pages = start_two(visit)
    first = on_turn(*pages)
    second = pages[1] if first is pages[0] else pages[0]
    second.locator("#tab-table").click()
    second.locator("details.more[id^=own-] summary").click()
    name = second.locator("[id^=rename-] [name=name]")
    name.fill("Zoe")
    second.locator("[id^=rename-] button").focus()
    choose(first, first_label(first, "take-token"))
    wait_for_move(second, 1)
    expect(name).to_have_value("Zoe")
    second.locator("[id^=rename-] button").click()
    expect(first.locator(".seats")).to_contain_text("Zoe")


def test_another_name_is_wherever_it_stands(visit: Any) -> None:
    anna, bernd = start_two(visit, moderation="opener")
    anna.locator("#tab-log").click()
    of_bernd = anna.locator('[data-seat-filter="1"]')
    of_bernd.click()
    anna.locator("#log-filter input").fill("takes")
    anna.locator("#tab-table").click()
    anna.locator("#moderators summary").click()
    anna.locator("#moderation-choice").select_option("players")
    bernd.locator("#tab-table").click()
    bernd.locator("details.more[id^=own-] summary").click()
    bernd.locator("[id^=rename-] [name=name]").fill("Zoe")
    bernd.locator("[id^=rename-] button").click()
    expect(anna.locator(".seats")).to_contain_text("Zoe")
    # What was begun stays.
    for name in ("title", "aria-label"):
        expect(of_bernd).to_have_attribute(name, re.compile("Only moves of Zoe"))
    expect(of_bernd).to_have_attribute("aria-pressed", "true")
    expect(anna.locator("#log-filter input")).to_have_value("takes")
    expect(anna.locator("#moderators-form")).to_contain_text("Zoe")
    expect(anna.locator("#moderation-choice")).to_have_value("players")
    anna.locator("#replacing-1 summary").click()
    expect(anna.locator("#replace-by-1")).to_have_accessible_name("Who replaces Zoe")


def test_what_is_written_is_not_read_out_again_with_every_move(visit: Any) -> None:
    page = hot_seat(visit)
    page.locator("#tab-chat").click()
    page.locator("#panel-chat [name=text]").fill("Hello")
    page.locator("#panel-chat [name=text]").press("Enter")
    expect(page.locator("#chat")).to_contain_text("Hello")
    page.evaluate(
        """() => {
          window.touched = 0;
          new MutationObserver(changes => { touched += changes.length; })
            .observe(document.getElementById('chat'), { childList: true, characterData: true, subtree: true });
        }"""
    )
    choose(page, first_label(page, "extend-line"))
    assert page.evaluate("touched") == 0


def test_a_password_is_asked_for_as_soon_as_the_table_has_one(visit: Any) -> None:
    anna = visit()
    bernd = visit(open_table(anna, "open", "open"))
    bernd.locator("#own-name-1").fill("Bernd")
    assert bernd.locator("#join-password-1").count() == 0
    set_password(anna, "secret")
    expect(bernd.locator("#join-password-1")).to_be_visible()
    expect(bernd.locator("#own-name-1")).to_have_value("Bernd")
    bernd.locator("#join-password-1").fill("secret")
    bernd.locator("#join-1 button").click()
    expect(bernd.locator(".seats-list")).to_contain_text("Bernd")
    # Beside the seat of his own he offers the other one to someone else.
    expect(bernd.locator("#other-name-2")).to_have_value("")


def set_password(page: Page, password: str) -> None:
    """Let only those sit down at the table who know a password."""
    path = page.url.split("/t/")[1]
    answer = page.request.post(
        f"/api/tables/{path}/doors",
        data={"entry": "password", "password": password, "watching": "all"},
    )
    assert answer.ok, answer.text()


def test_never_asked_again(visit: Any) -> None:
    pages = start_two(visit)
    first = on_turn(*pages)
    second = pages[1] if first is pages[0] else pages[0]
    choose(first, first_label(first, "extend-line"))
    choose(first, first_label(first, "take-token"))
    wait_for_move(second, 2)
    row = '.seats [data-key^="line:"]'
    line = str(second.locator(row).first.get_attribute("data-key")).partition(":")[2]
    label = next(
        c["label"]
        for c in choices(second)
        if c["action"]["action"] == "extend-line" and c["action"]["line"] == line
    )
    choose(second, label)
    wait_for_move(first, 3)
    first.locator("#never summary").click()
    first.get_by_role("button", name=f"Never ask me about {line}").click()
    expect(first.get_by_role("button", name="Ask me again")).to_be_visible()
    wait_for_move(second, 4)


def test_hint(visit: Any) -> None:
    page = hot_seat(visit)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#hint .hint")).to_be_visible(timeout=30_000)
    assert page.locator("#board-now .sign.hint:not(.halo)").count() > 0
    page.get_by_role("button", name="Do this").click()
    confirm = page.locator("#action-bar [data-name=confirm]")
    if confirm.count():
        confirm.click()
    wait_for_move(page, 1)
    expect(page.locator("#hint .hint")).to_have_count(0)


def test_a_hint_says_why(visit: Any) -> None:
    page = visit()
    open_table(page, "hotseat", "hotseat", title="1835")
    page.get_by_role("button", name="Hint").click()
    advice = page.locator("#hint .hint")
    # In the first stock round buying is worth more than passing.
    expect(advice.locator("strong").first).to_contain_text("Hint: Buy")
    expect(advice).to_contain_text("than the second-best choice")
    expect(advice.locator(".reasons li").first).to_be_visible()


def test_a_hint_goes_when_its_position_is_taken_back(visit: Any) -> None:
    page = hot_seat(visit)
    address = f"/api/tables/{page.url.rsplit('/', 1)[1]}"

    def take(number: int) -> None:
        """Take one of the tokens, behind the page's back."""
        game = page.request.get(address).json()
        tokens = [c["action"] for c in game["choices"] if c["action"]["action"] == "take-token"]
        sent = {"number": game["number"], "version": game["version"], "action": tokens[number]}
        assert page.request.post(f"{address}/move", data=sent).ok

    take(0)
    wait_for_move(page, 1)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#hint .hint")).to_be_visible(timeout=30_000)
    position = page.locator("#live").get_attribute("data-position")
    assert page.request.post(f"{address}/undo", data={}).ok
    take(1)
    # There is one move again, but another one.
    expect(page.locator("#live")).not_to_have_attribute("data-position", str(position))
    expect(page.locator("#live")).to_have_attribute("data-number", "1")
    expect(page.locator("#hint .hint")).to_have_count(0)
    # What is done on the page now is done for what it shows.
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#hint .hint")).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Do this").click()
    confirm = page.locator("#action-bar [data-name=confirm]")
    if confirm.count():
        confirm.click()
    wait_for_move(page, 2)
    expect(page.locator("#move-error")).to_be_hidden()


def test_a_seat_is_handed_on(visit: Any) -> None:
    anna, _ = start_two(visit)
    anna.locator("#tab-table").click()
    anna.locator("details.more summary", has_text="Anna").click()
    anna.get_by_role("button", name="Create a link").click()
    link = anna.locator("[id^=hand-on-]")
    expect(link).to_be_visible()
    phone = visit(link.input_value())
    phone.get_by_role("button", name="Take the seat").click()
    expect(phone.locator(".seat.own")).to_contain_text("Anna")
    expect(anna.locator(".seat.own")).to_have_count(0)


# ---- reading


def test_rules_open_in_a_popup(visit: Any) -> None:
    page = hot_seat(visit)
    page.locator("#tab-log").click()
    page.locator("#log a.rule").first.click()
    popup = page.locator("#popup")
    expect(popup.locator(".rule-text")).to_be_visible()
    page.keyboard.press("Escape")
    expect(popup).to_be_hidden()


def test_title_says_whose_turn_it_is(visit: Any) -> None:
    pages = start_two(visit)
    first = on_turn(*pages)
    second = pages[1] if first is pages[0] else pages[0]
    expect(first).to_have_title(re.compile("^● Your turn"))
    expect(second).not_to_have_title(re.compile("Your turn"))
    choose(first, first_label(first, "take-token"))
    choose(first, first_label(first, "take-token"))
    expect(second).to_have_title(re.compile("^● Your turn"))


#: Notes notifications down instead of showing them, as if they had been allowed.
NOTIFICATIONS = """
window.notes = [];
window.Notification = class {
  static permission = "granted";
  static requestPermission() { return Promise.resolve("granted"); }
  constructor(title, options) { window.notes.push([title, options.body]); }
  addEventListener() {}
  close() {}
};
Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
"""


def test_a_notification_says_whose_turn_it_is(visit: Any) -> None:
    pages = start_two(visit)
    first = on_turn(*pages)
    second = pages[1] if first is pages[0] else pages[0]
    second.add_init_script(NOTIFICATIONS)
    second.reload()
    second.locator("#tab-table").click()
    expect(second.locator("[data-notify]")).to_have_text(
        "You will be notified when it is your turn"
    )
    choose(first, first_label(first, "take-token"))
    wait_for_move(second, 1)
    assert second.evaluate("notes") == []
    choose(first, first_label(first, "take-token"))
    wait_for_move(second, 2)
    ((title, body),) = second.evaluate("notes")
    assert title == "Your turn – Stephenson's Rocket · Kursbuch"
    assert "First of two actions" in body


def test_languages(visit: Any) -> None:
    page = hot_seat(visit, language="de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.get_by_role("button", name="EN", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#live.game")).to_be_visible()
    expect(page.locator("#tab-holdings")).to_have_text("Overview")


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.long), "de"])
def test_nothing_is_wider_than_a_phone(visit: Any, language: str) -> None:
    page = hot_seat(visit, size=PHONE, language=language)
    wide = "document.documentElement.scrollWidth - innerWidth"
    for tab in ("log", "moves", "holdings", "chat", "table"):
        page.locator(f"#tab-{tab}").click()
        assert page.evaluate(wide) <= 0, tab
    for path in ("/", "/new?title=rocket", "/rules/rocket", "/rules/rocket/move-6", "/nothing"):
        page.goto(path)
        assert page.evaluate(wide) <= 0, path


def test_a_move_on_a_phone(visit: Any) -> None:
    page = hot_seat(visit, size=PHONE)
    extend = next(c for c in choices(page) if c["action"]["action"] == "extend-line")
    for key in extend["keys"]:
        page.locator(f'#board-now [data-pick="{key}"]').tap(force=True)
    page.get_by_role("button", name="Confirm").tap()
    wait_for_move(page, 1)
    for control in page.locator("button:visible").all():
        box = control.bounding_box()
        assert box is not None
        assert box["height"] >= 37, control.inner_text()

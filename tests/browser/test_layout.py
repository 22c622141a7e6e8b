"""Where the parts of a table stand: three zones on wide screens, one column that scrolls as one on others,
and nothing that jumps or is cut off while someone decides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

import kursbuch
from tests.browser.positions import place, sit_down
from tests.browser.table import choices, number, wait_for_move

TITLES = sorted(kursbuch.titles())
WIDE, MEDIUM, PHONE = (1440, 900), (1024, 768), (390, 844)


def box(page: Page, selector: str) -> Any:
    """Where an element stands on the screen."""
    found = page.locator(selector).first.bounding_box()
    assert found is not None, selector
    return found


def overflow(page: Page) -> int:
    """How much wider than the screen the page is."""
    wider: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return wider


def open_position(visit: Any, database: Path, title: str, moment: str, **visitor: Any) -> Page:
    page: Page = visit(**visitor)
    sit_down(page, database, place(database, title, moment))
    expect(page.locator("#board-now > svg")).to_be_visible()
    return page


@pytest.mark.parametrize("title", TITLES)
def test_three_zones_in_which_nothing_jumps(visit: Any, database: Path, title: str) -> None:
    page = open_position(visit, database, title, "late", size=WIDE)
    board, cards = box(page, ".board-view"), box(page, ".holders")
    console, side = box(page, ".console"), box(page, ".side")
    assert overflow(page) <= 0
    assert board["height"] >= 0.88 * WIDE[1]
    assert board["width"] >= 0.5 * WIDE[0]
    # One beside the other, each in full height; what is to be done stands above what has happened.
    assert board["x"] + board["width"] <= cards["x"] + 2
    assert cards["x"] + cards["width"] <= console["x"] + 2
    assert console["y"] + console["height"] <= side["y"] + 2
    assert cards["y"] + cards["height"] >= WIDE[1] - 1
    assert side["height"] >= 0.4 * WIDE[1]
    expect(page.locator("#log > li").first).to_be_in_viewport()
    expect(page.locator("h1")).to_have_text(kursbuch.title(title).name)
    tabs = box(page, ".tabs")
    decide(page)
    assert box(page, ".console") == console
    assert box(page, ".tabs") == tabs
    # On a medium screen half of it is left.
    page.set_viewport_size({"width": MEDIUM[0], "height": MEDIUM[1]})
    page.reload()
    decide(page)
    assert box(page, ".console")["height"] <= 0.5 * MEDIUM[1] + 1


def decide(page: Page) -> None:
    """Begin a choice from the list of all moves; what is needed for it is on the screen."""
    first = choices(page)[0]
    page.locator("#tab-moves").click()
    page.evaluate(
        "() => document.querySelectorAll('#choice-list details').forEach(one => { one.open = true; })"
    )
    if first["amount"] or first["confirm"] or first["several"]:
        page.locator("#choice-list [data-entry]").first.click()
        expect(page.locator("#action-bar.asking")).to_be_visible()
        expect(page.locator("#action-bar [data-name=cancel]")).to_be_in_viewport()
    for control in page.locator(".helpers button:visible").all():
        expect(control).to_be_in_viewport()


@pytest.mark.parametrize(("language", "log_in"), [("en", "Log in"), ("de", "Anmelden")])
def test_where_the_game_is_leaves_room_for_what_stands_beside_it(
    visit: Any, database: Path, language: str, log_in: str
) -> None:
    page = open_position(visit, database, "1853", "late", size=(1280, 800), language=language)
    expect(page.get_by_role("link", name=log_in)).to_be_visible()
    where, tools = box(page, ".where-now"), box(page, ".tools")
    assert where["x"] + where["width"] <= tools["x"]


@pytest.mark.parametrize("title", TITLES)
def test_one_column_on_a_phone(visit: Any, database: Path, title: str, long: bool) -> None:
    page = visit(size=PHONE, language="de")
    for moment in ("early", "late", "end") if long else ("late", "end"):
        sit_down(page, database, place(database, title, moment))
        expect(page.locator("#board-now > svg")).to_be_visible()
        assert overflow(page) <= 0
        if moment != "end":
            assert box(page, ".console")["height"] <= 0.5 * PHONE[1] + 1
        # All of it is scrolled as one: no part has a bar of its own.
        inner = page.evaluate(
            """() => [...document.querySelectorAll('.holders, .side, .panel.shown, .layout, main')]
                 .filter(part => part.scrollHeight > part.clientHeight + 1
                                 && getComputedStyle(part).overflowY !== 'visible')
                 .map(part => part.className)"""
        )
        assert inner == []
        assert page.locator("h1").evaluate("title => title.scrollWidth <= title.clientWidth")


def test_a_kind_of_choices_is_offered_as_buttons_where_it_has_few(
    visit: Any, database: Path
) -> None:
    """In a stock round that is what can be done with the shares of one company."""
    page = open_position(visit, database, "1835", "middle")
    bar = page.locator("#action-bar")
    chip = bar.locator(".chip").first
    group = str(chip.get_attribute("data-name")).removeprefix("group ")
    wanted = [one["label"] for one in choices(page) if one["group"] == group]
    assert 0 < len(wanted) <= 6
    for label in wanted:
        expect(bar.get_by_role("button", name=label, exact=True)).to_have_count(0)
    chip.click()
    for label in wanted:
        expect(bar.get_by_role("button", name=label, exact=True)).to_have_count(1)
    before = number(page)
    bar.get_by_role("button", name=wanted[0], exact=True).click()
    confirm = bar.locator("[data-name=confirm]")
    if confirm.count():
        confirm.click()
    wait_for_move(page, before + 1)


@pytest.mark.parametrize(("title", "size"), [("1835", (1280, 800)), ("1853", PHONE)])
def test_the_table_of_shares_says_whose_they_are(
    visit: Any, database: Path, title: str, size: tuple[int, int]
) -> None:
    page = open_position(visit, database, title, "middle", size=size)
    page.get_by_role("tab", name="Overview").click()
    # What is there for the ear alone does not make the page wider.
    assert overflow(page) <= 0
    whole, first = "#grid-1 .grid-view", "#grid-1 thead th:first-child"
    last = "#grid-1 thead th:last-child"
    for after in range(page.locator("#grid-1 thead .holder").count()):
        # A name in its column, beside no other and in one line.
        column = box(page, f"#grid-1 thead :nth-child({4 + after}) > .holder")
        name = box(page, f"#grid-1 thead :nth-child({4 + after}) > .holder span:last-child")
        assert name["x"] >= column["x"] - 1
        assert name["height"] < 20
    page.locator(whole).evaluate("view => { view.scrollLeft = view.scrollWidth }")
    assert abs(box(page, first)["x"] - box(page, whole)["x"]) < 1
    assert box(page, last)["x"] >= box(page, first)["x"] + box(page, first)["width"] - 1


def test_what_the_log_links_to_is_hit_with_a_finger(visit: Any, database: Path) -> None:
    page = open_position(visit, database, "1835", "middle", size=PHONE)
    page.get_by_role("tab", name="Log").click()
    links = page.locator("#log :is(a, button)")
    sizes = links.evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])"
    )
    assert len(sizes) > page.locator("#log > li").count()
    assert min(min(size) for size in sizes) >= 24
    # They make their lines no higher: here is one line of text and the room around it.
    texts = page.locator("#log .text:has(.rule)")
    assert min(texts.evaluate_all("all => all.map(one => one.offsetHeight)")) <= 30


#: As Safari does it: whether a query of media matches is known again only when its change has been told, which is
#: after the change of the size.
LATE = """
  const { get } = Object.getOwnPropertyDescriptor(MediaQueryList.prototype, "matches");
  const known = new WeakMap();
  const ask = matchMedia;
  window.matchMedia = (text) => {
    const query = ask(text);
    known.set(query, get.call(query));
    query.addEventListener("change", () => known.set(query, get.call(query)));
    return query;
  };
  Object.defineProperty(MediaQueryList.prototype, "matches", { get() { return known.get(this); } });
"""

#: How far the outlines of what can be chosen are from that, at most.
ASTRAY = """() => {
  const middle = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const places = [...document.querySelectorAll("#board-now .can-pick")].map(middle);
  const signs = [...document.querySelectorAll("#board-now .sign.can:not(.halo)")].map(middle);
  return Math.max(...signs.map(([x, y]) => Math.min(...places.map(([a, b]) => Math.hypot(a - x, b - y)))));
}"""

#: What is seen of the board.
SEEN = "() => document.querySelector('#board-now > svg').getAttribute('viewBox').split(' ').map(Math.round)"


@pytest.mark.parametrize(("title", "moment"), [("nimm", "early"), ("1835", "middle")])
def test_a_device_is_turned(visit: Any, database: Path, title: str, moment: str) -> None:
    """The board is arranged again, and what is marked on it with it."""
    page = visit(size=PHONE)
    page.add_init_script(LATE)
    sit_down(page, database, place(database, title, moment))
    expect(page.locator("#board-now .sign.can").first).to_be_visible()
    for width, height in (WIDE, PHONE):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"({ASTRAY})() < 3")
        turned = page.evaluate(SEEN)
        page.reload()
        expect(page.locator("#board-now .sign.can").first).to_be_visible()
        assert page.evaluate(SEEN) == turned


@pytest.mark.parametrize("title", ["1835", "nimm"])
def test_a_phone_with_a_notch_held_sideways(visit: Any, database: Path, title: str) -> None:
    """What is read and pointed at stands beside the notch, not under it."""
    page = open_position(visit, database, title, "middle", size=(844, 390))
    notch = 59
    session = page.context.new_cdp_session(page)
    insets = {"left": notch, "leftMax": notch, "right": notch, "rightMax": notch}
    session.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    logo, heading, tools = box(page, ".brand"), box(page, ".bar h1"), box(page, ".tools")
    assert notch <= logo["x"]
    assert logo["x"] + logo["width"] <= heading["x"]
    assert heading["x"] + heading["width"] <= tools["x"]
    for part in (".board-view", ".console", ".seats", ".side"):
        found = box(page, part)
        assert notch <= found["x"], part
        assert found["x"] + found["width"] <= 844 - notch, part


@pytest.mark.parametrize("text", ["", "small"])
def test_fields_for_fingers_have_letters_that_are_not_looked_at_more_closely(
    visit: Any, text: str
) -> None:
    """Safari of a phone goes closer to a field that is typed into if its letters are smaller than 16 px."""
    page = visit(size=PHONE)
    for path in ("/", "/new", "/open", "/login", "/routes/1835"):
        page.goto(path)
        page.evaluate("text => { document.documentElement.dataset.text = text }", text)
        small = page.locator(
            "input:not([type=checkbox], [type=radio]), select, textarea"
        ).evaluate_all(
            "all => all.filter(field => parseFloat(getComputedStyle(field).fontSize) < 16).map(field => field.name)"
        )
        assert small == []


def test_a_finger_leaves_nothing_behind(visit: Any, database: Path) -> None:
    """What was touched does not look as if a pointer rested on it, and no words are selected by a finger that stays."""
    page = open_position(visit, database, "rocket", "early", size=PHONE)
    choice = page.locator("#action-bar button").first
    colour = "button => getComputedStyle(button).backgroundColor"
    rested = choice.evaluate(colour)
    choice.hover()
    assert choice.evaluate(colour) == rested
    selectable = page.locator(
        "#live :is([data-choice], [data-entry], [data-pick], [data-key])"
    ).evaluate_all("all => all.filter(one => getComputedStyle(one).userSelect !== 'none').length")
    assert selectable == 0


def test_a_browser_that_is_too_old_says_so(visit: Any) -> None:
    page = visit("/")
    said = page.get_by_text("This browser is too old")
    expect(said).to_be_hidden()

    def lacking(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer,
            body=answer.text().replace("selector(:popover-open)", "selector(:no-such)"),
        )

    page.route("**/style.css*", lacking)
    page.reload()
    expect(said).to_be_visible()


@pytest.mark.parametrize("title", TITLES)
def test_what_a_player_has_leaves_room_for_the_way_to_more(
    visit: Any, database: Path, title: str
) -> None:
    page = open_position(visit, database, title, "middle", size=(1200, 800), language="de")
    page.evaluate("document.documentElement.dataset.text = 'larger'")
    more = box(page, ".seat .whole > summary")
    ends = page.locator(".seats .figures :is(dt, dd)").evaluate_all(
        "all => all.flatMap(one => [...one.getClientRects()].map(box => box.right))"
    )
    assert max(ends) <= more["x"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_table_beside_the_board_is_seen_whole(visit: Any, database: Path, language: str) -> None:
    page = open_position(visit, database, "rocket", "middle", size=(1280, 800), language=language)
    grid = page.locator(".holders .grid-view")
    expect(grid.locator("thead th")).to_have_count(7)
    assert grid.evaluate("grid => grid.scrollWidth <= grid.clientWidth")


@pytest.mark.parametrize("moment", ["early", "middle"])
def test_on_a_phone_all_that_can_be_chosen_on_the_map_is_seen(
    visit: Any, database: Path, moment: str
) -> None:
    page = open_position(visit, database, "rocket", moment, size=PHONE)
    board = box(page, "#board-now")
    places = page.locator("#board-now [data-pick].can-pick").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(at => [at.x + at.width / 2, at.y + at.height / 2])"
    )
    assert len(places) > 5
    for x, y in places:
        assert board["x"] <= x <= board["x"] + board["width"]
        assert board["y"] <= y <= board["y"] + board["height"]


def test_the_end_of_a_game_is_not_wider_than_the_screen(visit: Any, database: Path) -> None:
    page = open_position(visit, database, "nimm", "end", size=(1280, 800))
    expect(page.locator(".result")).to_be_visible()
    assert overflow(page) <= 0


def test_lines_of_shares_are_seen_from_their_beginning(visit: Any, database: Path) -> None:
    """On a phone not all columns are seen, but always whose shares these are."""
    page = open_position(visit, database, "1835", "middle", size=PHONE)
    board = box(page, ".board-view")
    names = page.locator("#board-now [data-part=shares] text").filter(has_text="Bayerische")
    found = names.first.bounding_box()
    assert found
    assert board["x"] <= found["x"]
    assert found["x"] + found["width"] <= board["x"] + board["width"]
    assert board["y"] <= found["y"] <= board["y"] + board["height"]

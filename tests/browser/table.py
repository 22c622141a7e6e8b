"""What people do at a table, through the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

import kursbuch
from tests.browser.conftest import DOORSTEP


def open_table(page: Page, *others: str, title: str = "rocket", **fields: str) -> str:
    """Open a table as Anna, with others of these kinds; its path. The form is not looked at, only sent."""
    path = made_table(page, *others, title=title, **fields)
    page.goto(path)
    page.wait_for_selector("#live")
    return path


def made_table(page: Page, *others: str, title: str = "rocket", **fields: str) -> str:
    """The path of such a table, which is not looked at yet."""
    form = {"title": title, "seats": str(1 + len(others)), "help": "1", "listed": "1"}
    form |= {"seat0_kind": "me", "seat0_name": "Anna"}
    for number, kind in enumerate(others, 1):
        form |= {f"seat{number}_kind": kind, f"seat{number}_name": f"Guest {number}"}
    answer = page.request.post("/tables", multipart={**form, **fields}, max_redirects=0)
    assert answer.status == 303, answer.text()
    return answer.headers["location"]


def option(page: Page, name: str) -> Locator:
    """A field of the form for a new table that stands among its further options."""
    if not page.locator("#options[open]").count():
        page.locator("#options > summary").click()
    return page.locator(f"[name={name}]")


def hot_seat(visit: Any, **visitor: Any) -> Page:
    """A running game in which one person plays both seats."""
    page: Page = visit(**visitor)
    seats = [{"kind": "me", "name": "Anna"}, {"kind": "hotseat", "name": "Guest 1"}]
    opened = page.request.post("/api/tables", data={"title": "rocket", "seats": seats})
    assert opened.ok, opened.text()
    page.goto(opened.json()["url"])
    expect(page.locator("#live.game")).to_be_visible()
    return page


def at_specimen(visit: Any, title: str, number: int, seat: int, **visitor: Any) -> Page:
    """The specimen of a title goes on after a move: everybody but one is a computer."""
    page: Page = visit(**visitor)
    players = ["random"] * 5
    players[seat] = "me"
    record = kursbuch.title(title).specimen
    sent = {"text": record, "number": number, "players": players, "private": True}
    opened = page.request.post("/api/records", data=sent)
    assert opened.ok, opened.text()
    page.goto(opened.json()["url"])
    expect(page.locator("#live.game")).to_be_visible()
    return page


def join(page: Page, name: str) -> None:
    """Take a free seat."""
    page.get_by_placeholder("Your name").first.fill(name)
    page.get_by_role("button", name="Sit down").first.click()
    expect(page.locator(".seats-list")).to_contain_text(name)


def start_two(visit: Any, **fields: str) -> tuple[Page, Page]:
    """A running game of Anna and Bernd, each in a browser of their own."""
    anna, bernd = visit(), visit()
    path = made_table(anna, "open", **fields)
    ask(bernd, f"/api/tables{path[2:]}/join", seat=1, name="Bernd")
    ask(anna, f"/api/tables{path[2:]}/start")
    for page in (anna, bernd):
        page.goto(path)
        expect(page.locator("#live.game")).to_be_visible()
    return anna, bernd


def ask(page: Page, path: str, **data: Any) -> Any:
    """What the server answers to a request of a program of this visitor."""
    answer = page.request.post(path, data=data)
    assert answer.ok, answer.text()
    return answer.json()


def number(page: Page) -> int:
    """How many moves the page knows of."""
    return int(page.locator("#live").get_attribute("data-number") or -1)


def wait_for_move(page: Page, at_least: int) -> None:
    """Wait until the page shows that move; nothing reloads it."""
    page.wait_for_function(
        "wanted => Number(document.getElementById('live').dataset.number) >= wanted",
        arg=at_least,
        polling=50,
    )


def take_device(page: Page) -> None:
    """Let the player who has to decide take the device."""
    button = page.locator("#curtain button.main")
    if button.count():
        button.first.click()
        expect(page.locator("#curtain")).to_have_count(0)


def has_turn(page: Page) -> bool:
    """Whether the page says that it is this player's turn."""
    return page.locator("#live").get_attribute("data-turn") == "true"


def on_turn(*pages: Page) -> Page:
    """The page of someone who has to decide; all pages must know of the same moves."""
    latest = max(number(page) for page in pages)
    for page in pages:
        wait_for_move(page, latest)
    return next(page for page in pages if has_turn(page))


CHOICES = """() => JSON.parse(document.getElementById('choices').dataset.choices)"""

#: Opens the group of an entry of the list, clicks the entry, and confirms if that is asked for.
CLICK_ENTRY = """label => {
  for (const group of document.querySelectorAll('#choice-list details')) group.open = true;
  return new Promise(done => setTimeout(() => {
    const entry = [...document.querySelectorAll('#choice-list [data-entry]')]
      .find(button => button.textContent === label);
    if (!entry) return done(false);
    entry.click();
    document.querySelector('#action-bar [data-name=confirm]')?.click();
    done(true);
  }, 0));
}"""


def choices(page: Page) -> list[dict[str, Any]]:
    """What the page offers."""
    found: list[dict[str, Any]] = page.evaluate(CHOICES)
    return found


def first_label(page: Page, kind: str) -> str:
    """The first entry of the list that is an action of that kind."""
    return next(str(c["label"]) for c in choices(page) if c["action"]["action"] == kind)


def choose(page: Page, label: str) -> None:
    """Choose an entry of the list and wait until the move is made."""
    before = number(page)
    assert page.evaluate(CLICK_ENTRY, label), label
    wait_for_move(page, before + 1)


def point(page: Page, key: str) -> None:
    """Click an element of the board, the first of those that are alike."""
    page.locator(f'#board-now [data-pick="{key}"]').first.click(force=True)


def carry_out(page: Page, action: dict[str, Any]) -> None:
    """Do what a player does to choose an action: point at it, on the board where it is there, else
    with the buttons, turn a tile, and set the amount. `action` need not name every field."""

    def same(choice: dict[str, Any]) -> bool:
        varying = choice["amount"]["field"] if choice["amount"] else ""
        return all(
            choice["action"][key] == value for key, value in action.items() if key != varying
        )

    before = number(page)
    (choice,) = [choice for choice in choices(page) if same(choice)]
    for key in choice["keys"]:
        if key.startswith("turn:"):
            lay(page, choice["label"])
            break
        names = (f'[data-name="key {key}"]', f'[data-name="{choice["label"]}"]')
        if page.locator(f'#board-now [data-pick="{key}"]').count():
            point(page, key)
        elif page.locator("#tray:not([hidden])").count():
            page.locator(f'#tray [data-name="{key}"]').click()
        else:
            page.locator(", ".join(f"#action-bar {name}" for name in names)).first.click()
        if page.locator("#action-bar.asking").count() or number(page) > before:
            break
    if choice["amount"]:
        page.locator("#amount").fill(str(action[choice["amount"]["field"]]))
    if choice["amount"] or choice["confirm"]:
        page.locator("#action-bar [data-name=confirm]").click()
    wait_for_move(page, before + 1)


class Sample:
    """Which moves of a long game are made by hand: of every kind the first ones and then every so-manieth. The others
    are only sent, which is quicker."""

    def __init__(self, first: int, every: int) -> None:
        self._first, self._every = first, every
        self._kinds = Counter[Hashable]()

    def by_hand(self, kind: Hashable) -> bool:
        count = self._kinds[kind]
        self._kinds[kind] += 1
        return count < self._first or count % self._every == 0


def send(page: Page, number: int, action: dict[str, Any]) -> None:
    """Send an action after this number of moves as the program of a player would, without pointing."""
    path = "/api/tables/" + page.url.rpartition("/t/")[2] + "/move"
    answer = page.request.post(path, data={"number": number, "action": action})
    assert answer.ok, answer.text()


def play_on(
    pages: Sequence[Page],
    choose: Callable[[list[dict[str, Any]]], dict[str, Any]],
    until: Callable[[dict[str, Any]], bool],
) -> None:
    """Programs of these players choose actions until something holds of the game. Their pages are away meanwhile,
    which is much quicker."""
    table = pages[0].url
    path = "/api/tables/" + table.rpartition("/t/")[2]
    for page in pages:
        page.goto(DOORSTEP)
    turned = 0
    while True:
        page = pages[turned % len(pages)]
        game = page.request.get(path, params={"since": 10_000}).json()
        if until(game):
            break
        if game["choices"]:
            ask(page, f"{path}/move", number=game["number"], action=choose(game["choices"]))
        else:
            turned += 1
        assert game["status"] == "running"
    for page in pages:
        page.goto(table)


def is_over(game: dict[str, Any]) -> bool:
    """Whether a game has ended."""
    return bool(game["status"] == "finished")


def lay(page: Page, label: str) -> None:
    """Turn the chosen tile until it lies as wanted, and lay it."""
    for _ in range(6):
        if page.locator("#tray .what").inner_text() == label:
            break
        page.keyboard.press("r")
    page.locator("#tray [data-name=confirm]").click()


def pick(page: Page, setting: str, value: str) -> None:
    """Choose something in the settings."""
    page.get_by_role("button", name="Settings").click()
    page.locator("#settings").get_by_role("group", name=setting).get_by_label(
        value, exact=True
    ).check()
    page.locator("#settings").get_by_role("button", name="Close").click()
    expect(page.locator("#settings")).not_to_be_visible()

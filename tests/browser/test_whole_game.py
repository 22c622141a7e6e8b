"""Two people in two browsers play a game of Stephenson's Rocket from the first move to the result: the beginning by
the page or sent, which the pages follow, and the rest by programs."""

from __future__ import annotations

import random
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.table import (
    Sample,
    choices,
    choose,
    has_turn,
    is_over,
    number,
    on_turn,
    play_on,
    point,
    send,
    start_two,
    wait_for_move,
)


def extend_by_pointing(page: Page, line: str | None = None) -> str:
    """Move a locomotive: click it, click its destination, confirm. The line that was moved."""
    choice = next(
        choice
        for choice in choices(page)
        if choice["action"]["action"] == "extend-line"
        and (line is None or choice["action"]["line"] == line)
    )
    before = number(page)
    origin, target = choice["keys"]
    point(page, origin)
    expect(page.locator(f'#board-now [data-pick="{target}"]')).to_have_class("place target")
    point(page, target)
    expect(page.locator("#action-bar .what")).to_have_text(choice["label"])
    page.get_by_role("button", name="Confirm").click()
    wait_for_move(page, before + 1)
    moved: str = choice["action"]["line"]
    return moved


def other(page: Page, pages: tuple[Page, Page]) -> Page:
    return pages[1] if page is pages[0] else pages[0]


def veto_round(pages: tuple[Page, Page]) -> None:
    """Both buy into a line, then one moves it, the other calls a veto round and wins it."""
    first = on_turn(*pages)
    second = other(first, pages)
    line = extend_by_pointing(first)
    expect(second.locator("#log li").first).to_be_attached()
    wait_for_move(second, 1)
    choose(first, next(c["label"] for c in choices(first) if c["group"].startswith("Take")))
    wait_for_move(second, 2)

    # The second player moves the same line; the first holds a share and lets it stand.
    extend_by_pointing(second, line)
    wait_for_move(first, 3)
    expect(first.locator(".objection")).to_be_visible()
    first.get_by_role("button", name="No objection").first.click()
    wait_for_move(first, 4)
    wait_for_move(second, 4)
    choose(second, next(c["label"] for c in choices(second) if c["group"].startswith("Take")))

    # The first player moves it again; the second one objects and bids with an amount.
    wait_for_move(first, 5)
    extend_by_pointing(first, line)
    wait_for_move(second, 6)
    second.get_by_role("button", name="Call a veto round").first.click()
    wait_for_move(second, 7)
    bid = next(choice for choice in choices(second) if choice["amount"])
    point(second, bid["keys"][0])
    second.locator("#action-bar [data-name=confirm]").click()
    wait_for_move(second, 8)
    # The log of the other browser tells of it, without reloading.
    wait_for_move(first, 8)
    first.locator("#tab-log").click()
    expect(first.locator("#log")).to_contain_text("veto")


def preferred(offered: list[dict[str, Any]], rng: random.Random) -> dict[str, Any]:
    """A bit of everything, mostly growing lines, so that they meet and the game comes to its end."""
    for kind in ("let-stand", "pass-veto"):
        for choice in offered:
            if choice["action"]["action"] == kind:
                return choice
    wanted = "extend-line" if rng.random() < 0.85 else rng.choice(("take-token", "place-station"))
    fitting = [choice for choice in offered if choice["action"]["action"] == wanted]
    return rng.choice(fitting or offered)


def test_a_whole_game(visit: Any) -> None:
    pages = start_two(visit)
    veto_round(pages)

    rng = random.Random(5)
    lost, clicking = False, Sample(first=3, every=10)
    for _ in range(20):
        latest = max(number(page) for page in pages)
        for page in pages:
            wait_for_move(page, latest)
        page = on_turn(*pages)
        if latest > 20 and not lost:
            # One browser is cut off while the other one moves on, and recovers by itself.
            lost = True
            away = other(page, pages)
            away.context.set_offline(True)
            expect(away.locator("#connection")).to_be_visible()
            choose(page, preferred(choices(page), rng)["label"])
            moved = number(page)
            assert number(away) < moved
            away.context.set_offline(False)
            wait_for_move(away, moved)
            expect(away.locator("#connection")).to_be_hidden()
            continue
        choice = preferred(choices(page), rng)
        if clicking.by_hand(choice["action"]["action"]):
            choose(page, choice["label"])
        else:
            send(page, latest, choice["action"])
            wait_for_move(page, latest + 1)
    play_on(pages, lambda offered: preferred(offered, rng)["action"], is_over)

    for page in pages:
        expect(page.locator("#live")).to_have_attribute("data-status", "finished")
        expect(page.locator(".ranking li")).to_have_count(2)
        assert not has_turn(page)
    assert lost
    log = pages[0].locator("#log").inner_text() if pages[0].locator("#log").is_visible() else ""
    if not log:
        pages[0].locator("#tab-log").click()
        log = pages[0].locator("#log").inner_text()
    assert "dissolved" in log

    with pages[1].expect_download() as download:
        pages[1].locator(".result").get_by_role("link", name="Save the record").click()
    assert "rocket" in download.value.path().read_text("utf-8")
    pages[1].get_by_role("link", name="Check the draws").first.click()
    expect(pages[1].locator(".verdict.passed")).to_be_visible()

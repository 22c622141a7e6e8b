"""Learning a game: its pictures, and a guided first game played through by clicks."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import kursbuch
from kursbuch.core.explain import guided_game
from tests.browser.table import Sample, carry_out, choices, choose, point, send, wait_for_move

PHONE = (390, 844)

#: Texts of an element with too little contrast to the colour they stand on, and what is too small for a finger.
FAINT = """root => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (text) => {
    const [r, g, b] = parse(text).map((value) => {
      const part = value / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if ((parse(colour)[3] ?? 1) === 1) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const found = [];
  for (const element of root.querySelectorAll('*')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || element.closest('svg') || !element.getClientRects().length) continue;
    const [one, other] = [light(getComputedStyle(element).color), light(ground(element))].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    if (contrast < 4.5) found.push(`${element.textContent.trim()}: ${contrast}`);
  }
  return found;
}"""

SMALL = """root => [...root.querySelectorAll('button, summary, .button, input')]
  .filter((one) => one.getClientRects().length && one.getBoundingClientRect().height < 44)
  .map((one) => one.textContent)"""


def begin(page: Page, name: str = "rocket") -> None:
    page.goto(f"/learn/{name}")
    page.locator("input[name=name]").fill("Mia")
    page.locator(".learn-guide button").click()
    expect(page.locator("#guide")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.long)])
@pytest.mark.parametrize("name", [n for n, title in kursbuch.titles().items() if title.lessons])
def test_pictures_look_closely_at_what_they_are_about(visit: Any, name: str, theme: str) -> None:
    page = visit(f"/learn/{name}", size=PHONE, theme=theme, language="de")
    figures = page.locator(".learn-picture:not([data-focus='[]'])")
    assert figures.count() >= 3
    for figure in figures.all():
        # A picture of a whole sheet points at nothing on it.
        keys = json.loads(figure.get_attribute("data-focus") or "[]")
        if any(not key.startswith("sheet:") for key in keys):
            expect(figure.locator("g.signs > *").first).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    learn = page.locator(".learn")
    assert learn.evaluate(FAINT) == []
    assert learn.evaluate(SMALL) == []
    # Nothing in a picture waits for the keyboard.
    assert page.locator(".learn-board [tabindex]").count() == 0


def test_no_picture_is_cut_off_at_its_edge(visit: Any) -> None:
    """A picture is a close look at a part, or shows the drawing in its whole width."""
    page = visit("/learn/nimm", size=(820, 1180), language="de")
    shown = page.locator(".learn-board > svg").evaluate_all(
        "all => all.map((svg) => svg.viewBox.baseVal.width / 980)"
    )
    assert shown
    assert all(part == 1 or part < 0.85 for part in shown)


def test_the_player_aid_opens_above_the_table(visit: Any) -> None:
    page = visit(size=PHONE)
    begin(page)
    page.get_by_role("link", name="Player aid").click()
    aid = page.locator("dialog .aid-card")
    expect(aid).to_be_visible()
    assert aid.evaluate(FAINT) == []
    page.keyboard.press("Escape")
    expect(aid).to_be_hidden()


def test_a_guided_game_by_clicks_to_its_end(visit: Any) -> None:
    title = kursbuch.title("rocket")
    found = guided_game(title)
    assert found is not None
    page = visit()
    begin(page)
    clicking = Sample(first=2, every=4)
    for number, step in enumerate(found.guide.step, 1):
        wait_for_move(page, step.at)
        guide = page.locator("#guide")
        expect(guide).to_contain_text(step.do.en)
        expect(guide).to_contain_text(f"Step {number} of {len(found.guide.step)}")
        action = found.game.moves[step.at].action
        if clicking.by_hand(type(action)):
            carry_out(page, title.action_to_json(action))
        else:
            send(page, step.at, title.action_to_json(action))
    wait_for_move(page, found.guide.stop)
    guide = page.locator("#guide")
    expect(guide).to_contain_text("Now you know the game")
    assert guide.evaluate(FAINT) == []
    page.get_by_role("button", name="Play on against the computers").click()
    expect(page.locator("#guide")).to_have_count(0)
    wait_for_move(page, found.guide.stop + 1)


def test_show_me_and_do_it_for_me(visit: Any) -> None:
    page = visit(size=PHONE, theme="dark", language="de")
    begin(page)
    guide = page.locator("#guide")
    assert guide.evaluate(FAINT) == []
    assert guide.evaluate(SMALL) == []
    marks = page.locator('#board-now g[data-layer="guide"] > *')
    expect(marks).to_have_count(0)
    # By keyboard as well.
    page.get_by_text("Zeig es mir").focus()
    page.keyboard.press("Enter")
    expect(marks.first).to_be_attached()
    page.get_by_role("button", name="Für mich ausführen").click()
    wait_for_move(page, 1)
    expect(guide).to_contain_text("Schritt 2 von")
    expect(marks).to_have_count(0)
    # What is marked can be tapped in any order.
    page.get_by_text("Zeig es mir").click()
    expect(marks.first).to_be_attached()
    point(page, "hex:D9")
    confirm = page.locator("#action-bar [data-name=confirm]")
    expect(confirm).to_be_visible()
    expect(page.locator("#move-error")).to_be_empty()
    page.locator("#action-bar [data-name=cancel]").click()
    # What is done for the reader is done whole, without a question.
    page.get_by_role("button", name="Für mich ausführen").click()
    wait_for_move(page, 2)
    expect(page.locator("#toasts")).to_contain_text("Für dich ausgeführt: LMR nach D9 ausbauen")


def test_what_is_asked_is_in_sight_below_a_long_step(visit: Any) -> None:
    page = visit(size=PHONE, language="de")
    begin(page)
    point(page, "town:Manchester")
    wait_for_move(page, 1)
    point(page, "line:LMR")
    point(page, "hex:D9")
    expect(page.locator("#action-bar [data-name=confirm]")).to_be_in_viewport(ratio=1)
    # Computers need not be asked.
    expect(page.locator("#action-bar")).not_to_contain_text("ohne die anderen")
    page.locator("#action-bar [data-name=confirm]").click()
    wait_for_move(page, 2)


def test_another_move_can_be_taken_back(visit: Any) -> None:
    page = visit()
    begin(page)
    first = page.locator(".guide-do").inner_text()
    other = next(c for c in choices(page) if c["action"]["action"] == "place-station")
    choose(page, other["label"])
    expect(page.locator("#guide")).to_contain_text("a different move")
    page.locator("#guide").get_by_role("button", name="Take it back").click()
    expect(page.locator(".guide-do")).to_have_text(first)

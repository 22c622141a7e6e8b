"""The guided game of a long title: every step is read from its beginning, and rounds are left out."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

import kursbuch
from kursbuch.core.explain import guided_game
from tests.browser.conftest import SERVE

AT_ONCE = """
from kursbuch.web.learn import lessons
lessons.GUIDED_PACE = 0.0
"""

AT_TOP = "() => document.querySelector('.doing').scrollTop === 0"
TO_THE_END = "document.querySelector('.doing').scrollTop = 10000"
DO_IT = "document.querySelector('#guide [data-play-hint]').click()"


@pytest.fixture(scope="module")
def program() -> str:
    """A server whose computers do not wait for anybody to follow them."""
    return AT_ONCE + SERVE


@pytest.mark.long
def test_rounds_are_left_out(visit: Any) -> None:
    found = guided_game(kursbuch.title("1835"))
    assert found is not None
    first = found.guide.jump[0]
    page = visit("/learn/1835", size=(1440, 900))
    page.get_by_role("button", name="Guided first game").click()
    doing = page.locator("#guide .guide-do")
    for step in [step for step in found.guide.step if step.at < first.at]:
        expect(doing).to_have_text(step.do.en)
        page.wait_for_function(AT_TOP)
        page.evaluate(TO_THE_END)
        page.evaluate(DO_IT)
    expect(page.locator("#guide-jump")).to_be_visible()
    page.wait_for_function(AT_TOP)
    page.get_by_role("button", name="Continue").click()
    after = next(step for step in found.guide.step if step.at == first.to)
    expect(doing).to_have_text(after.do.en)
    page.wait_for_function(AT_TOP)

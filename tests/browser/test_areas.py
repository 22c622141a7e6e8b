"""The territory of a company of 1853 is shown when it is pointed at, on the map or in a table."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.table import open_table, take_device


def shown(page: Page) -> list[str]:
    """The companies whose territories are seen."""
    found: list[str] = page.locator("#board-now [data-area-of]").evaluate_all(
        """areas => areas.filter(area => getComputedStyle(area).visibility === 'visible')
                         .map(area => area.dataset.areaOf)"""
    )
    return found


def test_territories_are_shown_for_the_company_pointed_at(visit: Any) -> None:
    page = visit(size=(1440, 900))
    open_table(page, "hotseat", "hotseat", title="1853")
    take_device(page)
    expect(page.locator("#board-now > svg")).to_be_visible()
    assert shown(page) == []
    page.locator('#board-now [data-area="SIR"]').hover()
    assert shown(page) == ["SIR"]
    page.get_by_role("tab", name="Overview").click()
    page.locator('tr[data-key="company:EIR"]').first.hover()
    assert shown(page) == ["EIR"]
    page.get_by_role("tab", name="Overview").hover()
    assert shown(page) == []

"""What the signs of a drawing mean, as a page and as a card."""

from __future__ import annotations

import pytest

import kursbuch
from kursbuch.core.words import Words
from tests.web.visitors import Browser

pytestmark = pytest.mark.asyncio(loop_scope="module")

DRAWN = [name for name, title in kursbuch.titles().items() if title.legend(Words("en"))]


@pytest.mark.parametrize("name", sorted(kursbuch.titles()))
async def test_tables_and_rules_lead_to_the_legend_if_there_is_one(
    anna: Browser, name: str
) -> None:
    title = kursbuch.titles()[name]
    others = [f"hotseat Guest {seat}" for seat in range(1, title.seats.start)]
    link = f'href="/legend/{name}" data-card'
    for path in (await anna.open("me Anna", *others, title=name), f"/rules/{name}"):
        assert (link in await anna.page(path)) == (name in DRAWN)
    if name not in DRAWN:
        assert "has no legend" in await anna.page(f"/legend/{name}", 404)


@pytest.mark.parametrize("name", sorted(DRAWN))
async def test_every_sign_is_drawn_and_named(anna: Browser, name: str) -> None:
    page = await anna.page(f"/legend/{name}")
    parts = kursbuch.titles()[name].legend(Words("en"))
    for part in parts:
        assert part.heading in page
        for sign in part.signs:
            assert sign.drawing in page
            assert f"<span>{sign.meaning}</span>" in page
    assert "sign picked" in page
    card = (await anna.client.get(f"/legend/{name}", headers={"x-part": "true"})).text
    assert card.startswith("<article")
    assert parts[0].signs[0].drawing in card

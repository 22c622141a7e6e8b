"""Several people at one device: no one's secrets are sent until that player has taken it."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from tests.web.visitors import Browser, choose, seated

pytestmark = pytest.mark.asyncio(loop_scope="module")


#: What the cards say of what players have.
HELD = re.compile(
    '<dl class="figures">.*?</dl>|<ul class="held">.*?</ul>|<details class="whole".*?</details>',
    re.DOTALL,
)


def part(page: str, start: str, end: str) -> str:
    """What stands on a page between two parts of it."""
    return page.split(f'id="{start}"')[1].split(f'id="{end}"')[0]


async def secrets(browser: Browser, table: str) -> list[str]:
    """All parts of what is sent of a table that depend on what the reader may know."""
    number = (await browser.game(table))["number"]
    found = [(await browser.client.get(f"{table}/board.svg")).text]
    past = [await browser.page(f"{table}?move={move}") for move in range(number + 1)]
    for page in (await browser.page(table), await browser.page(f"{table}/live"), *past):
        found += [*HELD.findall(page), part(page, "panel-holdings", "panel-chat")]
    for move in range(number + 1):
        found.append((await browser.client.get(f"{table}/board.svg?move={move}")).text)
    return found


async def has_curtain(browser: Browser, table: str) -> bool:
    return 'id="curtain"' in await browser.page(table)


async def bid(browser: Browser, table: str, seat: int) -> None:
    """Make the lowest secret bid for a seat, anyone who is shown."""
    game = await browser.game(table)
    action = {"action": "bid", "seat": seat, "amount": 0}
    for amount in (0, *range(100, 900, 50)):
        answer = await browser.send(
            f"{table}/move", number=game["number"], action={**action, "amount": amount}
        )
        if answer.status_code == 204:
            return
    raise AssertionError(answer.text)


@pytest.mark.parametrize("title", ["nimm", "dice"])
async def test_secrets_wait_behind_a_curtain(anna: Browser, clara: Browser, title: str) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", title=title)
    await anna.done(f"{table}/face", seat=0)
    assert await secrets(anna, table) != await secrets(clara, table)
    await anna.done(f"{table}/face")
    page = await anna.page(table)
    assert "Hand the device to" in page or "Who is at this device now?" in page
    assert "I am Anna" in page
    assert "data-choices='[]'" in page
    assert await secrets(anna, table) == await secrets(clara, table)
    assert "choose who is using this device" in await anna.refused(409, f"{table}/hint")
    # Anyone who takes the device sees what is theirs.
    shown = []
    for seat in (0, 1):
        await anna.done(f"{table}/face", seat=seat)
        assert not await has_curtain(anna, table)
        shown.append(await secrets(anna, table))
    assert shown[0] != shown[1]
    # Others have no say in it, nor do they see any of it.
    await clara.refused(403, f"{table}/face", seat=0)
    await clara.refused(403, f"{table}/face")
    await anna.refused(404, f"{table}/face", seat=5)
    assert "Hand the device" not in await clara.page(table)


async def test_small_pictures_are_kept_for_whoever_sits_in_front(anna: Browser) -> None:
    """The start page asks for another picture after the device was handed on, and nothing is kept of one that was
    asked for before and comes after it."""
    table = await anna.open("me Anna", "hotseat Bernd", title="nimm")
    addresses: dict[int | None, str] = {}
    for seat in (0, 1, None):
        await anna.done(f"{table}/face", seat=seat)
        found = re.search(rf'src="({table}/picture\.svg[^"]*)"', await anna.page("/"))
        assert found
        addresses[seat] = unescape(found[1])
        kept = await anna.client.get(addresses[seat])
        assert kept.headers["cache-control"] == "private, max-age=86400"
    assert len(set(addresses.values())) == 3
    await anna.done(f"{table}/face", seat=1)
    late = await anna.client.get(addresses[0])
    assert late.headers["cache-control"] == "no-store"


async def test_the_curtain_falls_when_another_at_the_device_has_to_decide(
    anna: Browser, clara: Browser
) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", title="dice")
    for _ in range(12):
        game = await anna.game(table)
        seat = game["acting"]
        page = await anna.page(table)
        if 'id="curtain"' in page:
            assert f"Hand the device to {('Anna', 'Bernd')[seat]}." in page
            assert 'data-turn="true"' in page
            assert await secrets(anna, table) == await secrets(clara, table)
            await anna.done(f"{table}/face", seat=seat)
        assert not await has_curtain(anna, table)
        await anna.move(table, choose(game, "return-dice", "end-turn"))
        assert await has_curtain(anna, table) == ((await anna.game(table))["acting"] != seat)
    # Taking back is a change of turns as well.
    while await has_curtain(anna, table):
        seat = (await anna.game(table))["acting"]
        await anna.done(f"{table}/face", seat=seat)
        await anna.move(table, choose(await anna.game(table), "return-dice", "end-turn"))
    await anna.done(f"{table}/undo")
    await anna.done(f"{table}/undo")
    assert await has_curtain(anna, table) == ((await anna.game(table))["acting"] != seat)


async def test_several_who_decide_at_the_same_time_take_turns_at_the_device(
    anna: Browser, visit: Any
) -> None:
    for _ in range(40):
        browser = visit()
        table = await browser.open("me Anna", "hotseat Bernd", "hotseat Clara", title="nimm")
        game = await browser.game(table)
        if len(game["pending"]) == 3 and game["choices"][0]["action"]["action"] == "bid":
            break
    else:
        pytest.skip("no auction with secret bids in forty games")
    # Who opened the table sits in front of it.
    assert not await has_curtain(browser, table)
    await bid(browser, table, 0)
    page = await browser.page(table)
    assert "Who is at this device now?" in page
    await browser.done(f"{table}/face", seat=2)
    assert '"seat":2' in (await browser.page(table)).replace(" ", "").replace("&#34;", '"')
    await bid(browser, table, 2)
    assert "Hand the device to Bernd." in await browser.page(table)


async def test_no_curtain_without_secrets(anna: Browser, bernd: Browser) -> None:
    rocket = await anna.open("me Anna", "hotseat Bernd")
    for _ in range(4):
        assert not await has_curtain(anna, rocket)
        assert "Hand the device over" not in await anna.page(rocket)
        await anna.move(rocket)
    hidden = await anna.open("me Anna", "hotseat Bernd", options={"money": "hidden"})
    await anna.done(f"{hidden}/face")
    assert await has_curtain(anna, hidden)
    # With one seat at each device there is nothing to hand over.
    apart = await anna.open("me Anna", "open", title="dice")
    await seated(apart, bernd)
    for browser in (anna, bernd):
        await browser.done(f"{apart}/face")
        assert not await has_curtain(browser, apart)


async def test_a_seat_taken_over_by_link_is_not_shown_at_once(
    anna: Browser, bernd: Browser
) -> None:
    table = await anna.open("me Anna", "open", title="dice")
    await seated(table, bernd)
    link = (await anna.done(f"{table}/hand-on", seat=0)).json()["link"]
    await bernd.client.post(link.removeprefix(anna.url))
    assert (await bernd.game(table))["my_seats"] == [0, 1]
    await bernd.done(f"{table}/face", seat=1)
    page = await bernd.page(f"{table}/live")
    assert 'data-face="1"' in page

"""What the page answers to someone who points at something, and foresees of a choice."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.visitors import Browser, choose, seated

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def two(anna: Browser, bernd: Browser, **fields: Any) -> tuple[str, Browser, Browser]:
    """A running table of two: who moves first, and who does not."""
    table = await anna.open("me Anna", "open", **fields)
    await seated(table, bernd)
    first = bool((await anna.game(table))["choices"])
    return table, *((anna, bernd) if first else (bernd, anna))


async def why(person: Browser, table: str, *keys: str, **more: Any) -> str:
    """The card that is shown for the last of these elements."""
    answer = await person.client.get(f"{table}/why", params={"key": list(keys), **more})
    assert answer.status_code == 200, answer.text
    return answer.text


def rows(card: str) -> str:
    """What a card says of what its element is."""
    return card.partition("<dl")[2].partition("</dl>")[0]


async def foreseen(person: Browser, table: str, **sent: Any) -> dict[str, Any]:
    answer = await person.client.post(f"{table}/foresee", json=sent)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_why_not_says_the_rule_with_a_link(anna: Browser, bernd: Browser) -> None:
    table, mover, other = await two(anna, bernd)
    # Far from every locomotive, which begins elsewhere; then after the locomotive.
    found = await why(mover, table, "line:GWR", "hex:A10")
    assert "is not next to the locomotive of GWR" in found
    assert 'href="/rules/rocket/move-2"' in found
    # What leads on says nothing but what it is.
    found = await why(mover, table, "town:Manchester")
    assert "why-not" not in found
    assert "Manchester" in found
    assert "Textile" in found
    # Whose turn it is.
    name = (await mover.game(table))["seats"][(await mover.game(table))["pending"][0]["seat"]]
    found = await why(other, table, "town:Manchester")
    assert f"It is not your turn: {name['name']} must decide now." in found


async def test_those_who_watch_are_told_for_whom_the_table_waits(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    table, mover, _ = await two(anna, bernd)
    seat = (await mover.game(table))["pending"][0]["seat"]
    name = (await mover.game(table))["seats"][seat]["name"]
    assert f"Waiting for {name} to take an action." in await why(clara, table, "hex:A10")


async def test_any_key_gets_one_sentence(anna: Browser, bernd: Browser) -> None:
    table, mover, _ = await two(anna, bernd)
    for keys in (["x"], ["hex:ZZ"], ["line:GWR", "<b>"], ["☃"]):
        found = await why(mover, table, *keys)
        assert found.count("why-not") == 1, keys
        assert "<b>" not in found
    for wrong in ([], [""], ["x" * 201], ["x"] * 13):
        answer = await mover.client.get(f"{table}/why", params={"key": wrong})
        assert answer.status_code == 422, wrong


async def test_a_card_of_the_past_shows_the_past(anna: Browser, bernd: Browser) -> None:
    table, mover, _ = await two(anna, bernd)
    action = choose(await mover.game(table), "take-token")
    town = f"town:{action['metropolis']}"
    first = await why(mover, table, town)
    await mover.move(table, action)
    now, before = await why(mover, table, town), await why(mover, table, town, move=0)
    assert "viewing an earlier position" in before
    assert rows(first) == rows(before) != rows(now)


async def test_a_choice_is_foreseen_and_nothing_happens(anna: Browser, bernd: Browser) -> None:
    table, mover, other = await two(anna, bernd)
    game = await mover.game(table)
    action = choose(game, "extend-line")
    found = await foreseen(mover, table, number=0, action=action)
    name = game["seats"][action["seat"]]["name"]
    assert found["lines"][0] == f"{name} takes a share of {action['line']}."
    assert (await mover.game(table))["number"] == 0
    # No one foresees for others, nothing impossible is foreseen, and old numbers are refused.
    assert not (await foreseen(other, table, number=0, action=action))["lines"]
    wrong = {**action, "hex": "A10"}
    assert not (await foreseen(mover, table, number=0, action=wrong))["lines"]
    await mover.refused(409, f"{table}/foresee", number=7, action=action)
    await mover.refused(422, f"{table}/foresee", number=0, action={"action": "fly"})


async def test_before_the_game_there_is_nothing_to_ask(anna: Browser) -> None:
    table = await anna.open("me Anna", "open")
    answer = await anna.client.get(f"{table}/why", params={"key": "hex:A10"})
    assert answer.status_code == 409

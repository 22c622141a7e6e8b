"""What a player is told of what the others have done since the last move of his own."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest

from tests.web.visitors import Browser, choose, seated

pytestmark = pytest.mark.asyncio(loop_scope="module")


def told(page: str) -> tuple[str, list[str], list[list[Any]]]:
    """The sentence about what happened, its lines, and where it was, with who was there."""
    found = re.search(
        r"<details class=\"since\" id=\"since\" data-marks='([^']*)'>(.*?)</details>",
        page,
        re.DOTALL,
    )
    assert found is not None
    sentence = re.sub("<[^>]*>", "", found[2].partition("</summary>")[0])
    lines = re.findall("<li>(.*?)</li>", found[2])
    return html.unescape(sentence).strip(), lines, json.loads(html.unescape(found[1]))


async def test_what_others_did_since_the_own_move(anna: Browser, bernd: Browser) -> None:
    table = await anna.open("me Anna", "open")
    await seated(table, bernd)
    players = [anna, bernd]
    made: list[int] = []
    for _ in range(4):
        games = [await player.game(table) for player in players]
        seat = next(number for number, game in enumerate(games) if game["choices"])
        await players[seat].move(table, choose(games[seat], "take-token"))
        made.append(seat)
    first, last = made[0], made[-1]
    assert [first, first, last, last] == made
    # Who moved last has not missed anything; neither has who only watches.
    assert 'id="since"' not in await players[last].page(table)
    sentence, lines, marks = told(await players[first].page(table))
    assert sentence == "Since your last move: 2 moves"
    assert len(lines) == 2
    assert len(marks) == 2
    assert {seat for _key, seat in marks} == {last}
    # In the past it would only be in the way.
    assert 'id="since"' not in await players[first].page(f"{table}?move=3")


async def test_what_was_earned_meanwhile(anna: Browser) -> None:
    table = await anna.open("me Anna", "bot greedy", "bot greedy")
    for _ in range(30):
        game = await anna.until(table, lambda game: game["choices"] or game["status"] != "running")
        page = await anna.page(table)
        if 'id="since"' in page and "£" in told(page)[0]:
            break
        await anna.move(table)
    else:
        raise AssertionError("nobody has earned anything")
    assert re.search("(you|[A-Z][a-z]+) [+−]£[0-9,]+", told(page)[0])
    assert game["number"] > 0
